"""Detectors that learn from annotated records with linear models: CRF and window SVM."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from veil.core.errors import InputError, require
from veil.core.registry import Registry
from veil.core.toml import read_text
from veil.detect.linear.calibration import check_bias, dialled, fit_calibration, measure_dial
from veil.detect.linear.dropout import DropoutSettings, Examples, train_seeds
from veil.detect.linear.model import LinearModel, Settings, load_model, save_model
from veil.detect.linear.tagger import Tagger, as_spans
from veil.detect.linear.trainers import ALGORITHMS, train_crfsuite, train_svm
from veil.detect.linear.training import examples_of, prepare, trained_dictionaries
from veil.detect.linear.weights import rounded
from veil.features.columns import RULE, columns_of
from veil.features.forms import Resources
from veil.features.groups import Channel, feature_group
from veil.features.vectors import read_vectors
from veil.languages import language_with_dictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.core.document import Document, Record, Span
    from veil.detect.linear.chain import Floats, Transitions
    from veil.detect.linear.layout import Columns
    from veil.detect.linear.tagger import Tagged
    from veil.detect.neural.network import NetworkSettings
    from veil.detect.neural.training import Inputs
    from veil.features.stream import Stream
    from veil.features.vectors import WordVectors

    Report = Callable[[int, float], None]
    Train = Callable[[Examples, "LinearRecipe", Report | None], tuple[Floats, Transitions]]


@dataclass(frozen=True)
class LinearRecipe:
    """How to train a linear model.

    `tokens` names a language or a variant of one ("en-wi-deid-2015"); `sequences` are "lines" or
    "sentences"; `groups` are names of feature groups, and `windows` overrides, for some of them,
    how many tokens before and after are used. With several `seeds` their weights are averaged into
    one model. Every tenth record is held out for calibration if there are no development records.
    `folds` are those of the first pass of a two-stage model. `workers` processes may train seeds in
    parallel; their number does not change the model. `network` are the settings of a network: the
    scores are the mean of its own and those of the features, or are its own alone with the trainer
    "network". Its training writes the file `checkpoint`, if one is given. `dictionary` is a user
    dictionary: words that the language's analyser does not split.
    """

    name: str
    kind: str
    language: str
    trainer: str
    groups: tuple[str, ...] = ()
    tokens: str = ""
    sequences: str = "sentences"
    scheme: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    outside: float = 0.0
    compact: bool = False
    folds: int = 10
    workers: int = 1
    network: NetworkSettings | None = None
    checkpoint: Path | None = None
    windows: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    dictionary: Path | None = None

    def channels(self) -> tuple[Channel, ...]:
        """The channels of all groups."""
        return tuple(channel for name in self.groups for channel in self._group(name))

    def _group(self, name: str) -> tuple[Channel, ...]:
        channels = feature_group(name)
        if name not in self.windows:
            return channels
        before, after = self.windows[name]
        windows = tuple((at,) for at in range(-before, after + 1))
        return tuple(replace(channel, windows=windows) for channel in channels)


def _dropout(
    examples: Examples, recipe: LinearRecipe, report: Report | None
) -> tuple[Floats, Transitions]:
    from veil.detect.linear.chain import Transitions

    settings = [DropoutSettings(**recipe.parameters, seed=seed) for seed in recipe.seeds]
    runs = train_seeds(examples, settings, workers=recipe.workers, report=report)
    weights = np.mean([weights for weights, _ in runs], axis=0)
    between = np.mean([chain.between for _, chain in runs], axis=0)
    return weights, Transitions(between, between[0].copy(), between[:, 0].copy())


def _svm(
    examples: Examples, recipe: LinearRecipe, report: Report | None
) -> tuple[Floats, Transitions]:
    return train_svm(examples, c=recipe.parameters.get("c", 1.0), seed=recipe.seeds[0])


def _no_weights(
    examples: Examples, recipe: LinearRecipe, report: Report | None
) -> tuple[Floats, Transitions]:
    """A network alone has no other weights."""
    from veil.detect.linear.chain import Transitions

    return np.zeros((0, examples.tag_count), np.float32), Transitions.none(examples.tag_count)


SVM, VECTORS = "svm", "vectors"
"""The trainer that uses word vectors, and the parameter that names their file."""

NETWORK = "network"
"""The trainer of recipes with a network alone."""

TRAINERS: Registry[Train] = Registry("trainer")
TRAINERS.add("dropout", _dropout)
TRAINERS.add(SVM, _svm)
TRAINERS.add(NETWORK, _no_weights)
for _algorithm in ALGORITHMS:
    TRAINERS.add(
        _algorithm,
        lambda examples, recipe, report, name=_algorithm: train_crfsuite(  # type: ignore[misc]
            examples, name, recipe.parameters, report
        ),
    )


def with_vectors(recipe: LinearRecipe, file: Path) -> LinearRecipe:
    """The recipe with the word vectors of a file."""
    made = replace(recipe, parameters={**recipe.parameters, VECTORS: str(file)})
    check_vectors(made)
    return made


def check_vectors(recipe: LinearRecipe) -> None:
    """Raise an error if a recipe names word vectors that its trainer does not support."""
    if VECTORS not in recipe.parameters:
        return
    if recipe.trainer != SVM and recipe.network is None:
        raise InputError(
            f"word vectors are for recipes with the trainer '{SVM}' or with a network; this one "
            f"has the trainer '{recipe.trainer}' and no network"
        )
    if not Path(recipe.parameters[VECTORS]).is_file():
        raise InputError(f"{recipe.parameters[VECTORS]}: no such file of word vectors")


def dictionary_of(recipe: LinearRecipe) -> str:
    """Read the user dictionary of a recipe, or raise an error if its language cannot have one."""
    if recipe.dictionary is None:
        return ""
    return read_dictionary(recipe.dictionary, recipe.tokens or recipe.language)


def read_dictionary(file: Path, tokens: str) -> str:
    """Return the content of a user dictionary; one without a word is an error."""
    content = read_text(file)
    if not content.strip():
        raise InputError(f"{file}: no word in this user dictionary")
    language_with_dictionary(tokens, content, file)
    return content


def train_linear_model(
    recipe: LinearRecipe,
    records: Sequence[Record],
    *,
    given: Sequence[Columns] | None = None,
    held_out: Sequence[Record] = (),
    report: Report | None = None,
) -> LinearModel:
    """Train on all records, without calibration; `given` are additional columns, one per record.

    Training of a network stops when the loss on `held_out` no longer falls.
    """
    if not any(record.spans for record in records):
        raise InputError("no annotated span in the training records: nothing to learn from")
    check_vectors(recipe)
    dictionary = dictionary_of(recipe)
    vectors = None
    if VECTORS in recipe.parameters:
        vectors = read_vectors(Path(recipe.parameters[VECTORS]))
    channels = recipe.channels()
    tokens = recipe.tokens or recipe.language
    space, tagset, stream = prepare(
        records,
        (*channels, *_network_channels(recipe)),
        Resources(recipe.language, trained_dictionaries(records, channels, tokens)),
        tokens=tokens,
        sequences=recipe.sequences,
        given=given,
        dictionary=dictionary,
    )
    of_svm = vectors if recipe.trainer == SVM else None
    examples = examples_of(stream, space, tagset, records, of_svm)
    own = {name: value for name, value in recipe.parameters.items() if name != VECTORS}
    trainer = TRAINERS.get(recipe.trainer)
    weights, chain = trainer(examples, replace(recipe, parameters=own), report)
    weights, vector_weights = weights[: space.size], weights[space.size :]
    if recipe.compact:
        # From here on the rounded model is used: what is measured and calibrated is what is saved.
        weights = rounded(weights)
    settings = Settings(
        name=recipe.name,
        kind=recipe.kind,
        language=recipe.language,
        tokens=tokens,
        sequences=recipe.sequences,
        scheme=recipe.scheme,
        outside=recipe.outside,
    )
    if of_svm is not None:
        return LinearModel(
            settings, space, tagset, weights, chain, of_svm, vector_weights, dictionary=dictionary
        )
    model = LinearModel(settings, space, tagset, weights, chain, dictionary=dictionary)
    if recipe.network is None:
        return model
    return _with_network(model, recipe, recipe.network, stream, records, held_out, vectors, report)


def _network_channels(recipe: LinearRecipe) -> list[Channel]:
    """The features that a network reads, as channels without windows, which need no weights."""
    groups = recipe.network.groups if recipe.network else ()
    return [
        Channel(channel.feature, (), channel.minimum)
        for name in groups
        for channel in feature_group(name)
    ]


def _with_network(
    model: LinearModel,
    recipe: LinearRecipe,
    settings: NetworkSettings,
    stream: Stream,
    records: Sequence[Record],
    held_out: Sequence[Record],
    vectors: WordVectors | None,
    report: Report | None,
) -> LinearModel:
    """Train the network of a recipe and add it to a model."""
    require("torch", extra="neural")
    from veil.detect.linear.chain import Transitions
    from veil.detect.neural.training import inputs_of, train_network

    features = list(dict.fromkeys(channel.feature for channel in _network_channels(recipe)))
    space, tagset = model.space, model.tagset

    def inputs(laid_out: Stream, own: Sequence[Record]) -> Inputs:
        tags = tagset.encode(laid_out, [record.spans for record in own])
        return inputs_of(laid_out, space, features, tags, len(tagset), settings, vectors)

    dev = None
    if held_out:
        texts = [record.document.text for record in held_out]
        dev = inputs(Tagger(model).stream(texts), held_out)
    network, between = train_network(
        inputs(stream, records),
        settings,
        held_out=dev,
        vectors=vectors,
        seed=recipe.seeds[0],
        checkpoint=recipe.checkpoint,
        report=report,
    )
    # A mean, so that a bias means the same as for linear features or a network alone.
    share = np.float32(1.0 if recipe.trainer == NETWORK else 1 / (1 + settings.weight))
    weights = model.weights * share
    between = (model.chain.between + between) * share
    return replace(
        model,
        stored=rounded(weights) if recipe.compact else weights,
        chain=Transitions(between, between[0].copy(), between[:, 0].copy()),
        network=network.scaled(share),
    )


class LinearDetector:
    """Finds spans with a trained linear model.

    `outside` is the bias of the O tag: lower values raise recall and lower precision; None is the
    model's own.
    """

    def __init__(
        self, model: LinearModel, *, outside: float | None = None, probabilities: bool = True
    ) -> None:
        self.model = model
        self.name = model.settings.name
        self.outside = check_bias(model.settings.outside if outside is None else outside)
        self.probabilities = probabilities
        self.tagger = Tagger(model)

    @classmethod
    def fit(
        cls,
        recipe: LinearRecipe,
        records: Sequence[Record],
        *,
        dev: Sequence[Record] = (),
        report: Report | None = None,
    ) -> LinearDetector:
        """Train on records; `dev` calibrates probabilities and the recall dial."""
        kept, held_out = (records, dev) if dev else hold_out(records)
        detector = cls(train_linear_model(recipe, kept, held_out=held_out, report=report))
        return cls(
            detector.model.with_settings(
                calibration=fit_calibration(detector, held_out),
                dial=measure_dial(detector, held_out),
            )
        )

    @property
    def weighs_rules(self) -> bool:
        """Whether the spans of the rules are a feature of the model."""
        return RULE in columns_of(self.model.space.channels)

    @classmethod
    def load(
        cls, folder: Path, *, dictionary: Path | None = None, **options: Any
    ) -> LinearDetector:
        return cls(with_dictionary(load_model(folder), dictionary), **options)

    def save(self, folder: Path, *, compact: bool = False) -> None:
        save_model(self.model, folder, compact=compact)

    def with_recall(self, recall: float) -> LinearDetector:
        """The same model, with its threshold set for at least this character recall."""
        outside = dialled(self.model.settings, recall)
        return LinearDetector(self.model, outside=outside, probabilities=self.probabilities)

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        cuts = [windows(doc.text) for doc in docs]
        tagged = self.tagger.tag(
            _texts(docs, cuts), outside=self.outside, probabilities=self.probabilities
        )
        return self._joined(cuts, tagged)

    def detect_twice(
        self,
        docs: Sequence[Document],
        *,
        generous: float,
        about: Sequence[Sequence[Span]] | None = None,
        rule_spans: Sequence[Sequence[Span]] | None = None,
    ) -> tuple[list[list[Span]], list[list[Span]], list[list[Span]]]:
        """The candidates of each document, further ones at a lower bias, and doubtful words.

        The second bias is lower by `generous`. With `about`, only those of its spans that contain
        no candidate are scored at the second bias (see `Tagger.tag_twice`). `rule_spans` are the
        spans of the rules, if these were run already.
        """
        cuts = [windows(doc.text) for doc in docs]
        found, more, doubts = self.tagger.tag_twice(
            _texts(docs, cuts),
            outside=self.outside,
            generous=self.outside - generous,
            about=about and _spread(cuts, about),
            probabilities=self.probabilities,
            rule_spans=rule_spans and _spread(cuts, rule_spans),
        )
        return self._joined(cuts, found), self._joined(cuts, more), self._joined(cuts, doubts)

    def _joined(self, cuts: list[list[Window]], tagged: list[list[Tagged]]) -> list[list[Span]]:
        found = iter(as_spans(tagged, self.name))
        return [joined(of_text, list(islice(found, len(of_text)))) for of_text in cuts]


def _texts(docs: Sequence[Document], cuts: list[list[Window]]) -> list[str]:
    return [
        doc.text[window.start : window.end]
        for doc, of_text in zip(docs, cuts, strict=True)
        for window in of_text
    ]


def _spread(cuts: list[list[Window]], spans: Sequence[Sequence[Span]]) -> list[list[Span]]:
    return [
        of_window
        for of_text, own in zip(cuts, spans, strict=True)
        for of_window in spread(of_text, own)
    ]


def with_dictionary(model: LinearModel, file: Path | None) -> LinearModel:
    """The model with a user dictionary instead of its own, if there is one."""
    if file is None:
        return model
    return replace(model, dictionary=read_dictionary(file, model.settings.tokens))


def hold_out(records: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Split off every tenth record; with fewer than ten records, both parts are all of them."""
    if len(records) < 10:
        return list(records), list(records)
    kept = [record for index, record in enumerate(records) if index % 10 != 9]
    return kept, list(records[9::10])


# Windows bound the memory of a linear model: a long text is tagged piece by piece. A window ends
# after a paragraph, a line, a sentence or a space, or anywhere if the text has none of these. The
# model also reads text around the window; only spans that begin inside the window count.

LONGEST = 200_000
"""Texts up to this number of characters are one window."""

# All features look less far than this; the widest is the number of a line, up to 41.
_CONTEXT = 6_000
# How far before the maximum end of a window a better end is searched for.
_SEARCHED = 20_000
_ENDS = (("\n\n", "\r\n\r\n"), ("\n", "\r"), (". ", "。"), (" ", "\t", "\u3000"))


class Window(NamedTuple):
    """The text that a model reads, and the part (`first` to `last`) in which spans must begin."""

    start: int
    end: int
    first: int
    last: int

    def within(self, spans: Iterable[Span]) -> list[Span]:
        """Convert spans that overlap this window to its offsets."""
        size = self.end - self.start
        return [
            span.at(max(0, span.start - self.start), min(size, span.end - self.start))
            for span in spans
        ]


def windows(text: str) -> list[Window]:
    """Cut a text; a short one is one window."""
    if len(text) <= LONGEST:
        return [Window(0, len(text), 0, len(text))]
    cuts = [0]
    while LONGEST < len(text) - cuts[-1]:
        cuts.append(_cut(text, cuts[-1] + LONGEST - _SEARCHED, cuts[-1] + LONGEST))
    edges = zip(cuts, [*cuts[1:], len(text)], strict=True)
    return [
        Window(
            _cut(text, max(0, first - 2 * _CONTEXT), max(0, first - _CONTEXT)),
            min(len(text), last + _CONTEXT),
            first,
            last,
        )
        for first, last in edges
    ]


def _cut(text: str, earliest: int, latest: int) -> int:
    """Return the best offset to cut a text at between two offsets, the last one of its kind."""
    for ends in _ENDS:
        offset = max(text.rfind(end, earliest, latest) + len(end) for end in ends)
        if earliest < offset:
            return offset
    return latest


def spread(of_text: Sequence[Window], spans: Sequence[Span]) -> list[list[Span]]:
    """The spans of a text for each of its windows."""
    if len(of_text) == 1:
        return [list(spans)]
    starts = [window.start for window in of_text]
    ends = [window.end for window in of_text]
    found: list[list[Span]] = [[] for _ in of_text]
    for span in spans:
        for number in range(bisect_right(ends, span.start), bisect_left(starts, span.end)):
            found[number].append(span)
    return [window.within(own) for window, own in zip(of_text, found, strict=True)]


def joined(of_text: Sequence[Window], found: Sequence[list[Span]]) -> list[Span]:
    """The spans of a text from the disjoint ones of its windows."""
    if len(of_text) == 1:
        return found[0]
    spans: list[Span] = []
    end = 0
    for window, own in zip(of_text, found, strict=True):
        for span in own:
            start = span.start + window.start
            if max(window.first, end) <= start < window.last:
                end = span.end + window.start
                spans.append(span.at(start, end))
    return spans
