"""The pipelines that Veil comes with: a model, rules, or both, for one language or for all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from veil.core.encodings import UTF8
from veil.core.errors import InputError, RecordError
from veil.core.labels import VEIL, convert_to_veil, scheme
from veil.detect.base import DETECTORS, load_detector
from veil.detect.hybrid import REACH, HybridDetector
from veil.detect.known import KnownDetector, KnownTable
from veil.detect.linear.calibration import check_bias, check_recall, outside_for
from veil.detect.lists import AllowList, DenyList
from veil.detect.pipeline import DetectionPipeline
from veil.detect.rules import RuleDetector, check_own_rules, load_rules
from veil.languages import base_language, language_codes
from veil.models import ModelInfo, describe, find_model, installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.core.document import Document, Span
    from veil.detect.base import Detector, TrainedDetector
    from veil.detect.names import NameMemory
    from veil.features.consistency import Majorities

HIGH: Literal["high"] = "high"
# "high" stands for this recall on development records. Its bias is also clearly below that of the
# default, which may reach this recall itself. Still lower biases are not used for "high", since
# precision falls steeply below them.
_HIGH_RECALL = 0.995
_STEP_OF_HIGH = 1.0
_LOWEST_BIAS_OF_HIGH = -5.0
Recall = float | Literal["high"]
RULES = "rules"
"""The model name that selects the rules alone."""


class DetectionKeywords(TypedDict, total=False):
    """The fields of `DetectionOptions` as keyword arguments."""

    lang: str | None
    model: str | Path | None
    with_rules: bool
    recall: Recall | None
    bias: float | None
    own_rules: str | Path | None
    known: str | Path | None
    allow: str | Path | None
    deny: str | Path | None
    detectors: Sequence[str]
    assume_language: str | None


@dataclass(frozen=True, kw_only=True)
class DetectionOptions:
    """How identifying spans are found: the same options in Python and on the command line.

    `lang` is the language of the texts; without it the language of each text is identified, and a
    text in a language without support is withheld, or treated as `assume_language`. `model` is None
    for Veil's own model of the language together with its rules, "rules" for the rules alone, or
    the folder or name of a model, which is used alone or, with `with_rules`, together with the
    rules. `recall` and `bias` set the balance between recall and precision (see `load_pipeline`).
    `own_rules` is a folder of additional rules, `known` a table of known patients; with either of
    them a named model is used together with the rules. `allow` and `deny` are lists of terms that
    are never and always found (see `veil.detect.lists`). `detectors` are names of additional
    detectors (`veil.detect.base.DETECTORS`), which plug-ins add. `encoding` is the encoding of the
    table `known`.
    """

    lang: str | None = None
    model: str | Path | None = None
    with_rules: bool = False
    recall: Recall | None = None
    bias: float | None = None
    own_rules: str | Path | None = None
    known: str | Path | None = None
    allow: str | Path | None = None
    deny: str | Path | None = None
    detectors: Sequence[str] = ()
    assume_language: str | None = None
    encoding: str = UTF8

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> DetectionOptions:
        """Select the detection options from keyword arguments; reading options are ignored."""
        names = {*DetectionKeywords.__annotations__, "encoding"}
        return cls(**{name: value for name, value in options.items() if name in names})

    def load(
        self,
        *,
        corpus: Sequence[Document] | Majorities = (),
        dictionary: Path | None = None,
        veil_labels: bool = False,
    ) -> DetectionPipeline:
        """Load the pipeline; with `veil_labels`, the spans of a model alone get Veil's labels.

        `corpus` and `dictionary` are for a named model (see `load_pipeline`).
        """
        pipeline = self._load(corpus, dictionary, veil_labels=veil_labels)
        for name in self.detectors:
            make = DETECTORS.get(name)
            code = pipeline.language
            more = ByLanguage(make) if code is None else make(base_language(code))
            pipeline.detectors = (*pipeline.detectors, more)
        return pipeline

    def known_table(self) -> KnownTable | None:
        """Read the table of known patients, if one is given."""
        return None if self.known is None else KnownTable.read(Path(self.known), self.encoding)

    def _load(
        self, corpus: Sequence[Document] | Majorities, dictionary: Path | None, *, veil_labels: bool
    ) -> DetectionPipeline:
        names = ("own_rules", "allow", "deny")
        files: dict[str, Any] = {name: _path(getattr(self, name)) for name in names}
        files["known"] = self.known_table()
        balance: dict[str, Any] = {"recall": self.recall, "bias": self.bias}
        assumed: dict[str, Any] = {"assume_language": self.assume_language}
        if self.model is None:
            return default_pipeline(self.lang, **balance, **files, **assumed)
        if self.model == RULES:
            return rules_pipeline(self.lang, **files, **assumed)
        pipeline = load_pipeline(
            find_model(self.model),
            language=self.lang,
            corpus=corpus,
            dictionary=dictionary,
            rules=self.with_rules,
            **balance,
            **files,
        )
        detector, *lists = pipeline.detectors
        own = self._own_scheme
        if own == VEIL or isinstance(detector, HybridDetector) or not (veil_labels or self._adds):
            return pipeline
        if own is None:
            raise InputError(
                f"{self.model}: the model's labels are in no scheme; train it again with --scheme "
                "FILE, where the file maps them to Veil's labels (see docs/schemes.md)"
            )
        in_veil = InVeilLabels(detector, source=own)
        return DetectionPipeline(
            [in_veil, *lists], language=pipeline.language, allow=pipeline.allow
        )

    @property
    def scheme(self) -> str | None:
        """The name of the label scheme of the spans; None if it is not one of Veil's schemes."""
        is_alone = not (self.with_rules or self.own_rules or self.known or self._adds)
        return self._own_scheme if is_alone else VEIL

    @property
    def _adds(self) -> bool:
        """Whether spans with Veil's labels are added to those of the model."""
        return self.deny is not None or bool(self.detectors)

    @property
    def _own_scheme(self) -> str | None:
        return VEIL if self.model in (None, RULES) else self._named().scheme

    def models(self) -> tuple[ModelInfo, ...]:
        """The models that may be used."""
        if self.model == RULES:
            return ()
        if self.model is not None:
            return (self._named(),)
        return tuple(_own_models(language_codes() if self.lang is None else [self.lang]).values())

    def check(self) -> tuple[ModelInfo, ...]:
        """Return the models that may be used; an unknown model or detector is an error."""
        for name in self.detectors:
            DETECTORS.get(name)
        return self.models()

    def _named(self) -> ModelInfo:
        return describe(find_model(self.model or ""))


def _path(name: str | Path | None) -> Path | None:
    return None if name is None else Path(name)


def _own_models(codes: Sequence[str]) -> dict[str, ModelInfo]:
    """The installed models that are Veil's own for these languages."""
    return {
        code: describe(folder)
        for folder in installed()
        for code in codes
        if folder.name == f"veil-{code}"
    }


def load_pipeline(
    model: Path,
    *,
    language: str | None = None,
    recall: Recall | None = None,
    bias: float | None = None,
    corpus: Sequence[Document] | Majorities = (),
    dictionary: Path | None = None,
    rules: bool = False,
    own_rules: Path | None = None,
    known: Path | KnownTable | None = None,
    allow: Path | None = None,
    deny: Path | None = None,
) -> DetectionPipeline:
    """Make a pipeline of a trained model, alone or with the rules of its language.

    A model alone gives spans with the labels that it was trained on; a model with rules gives spans
    with Veil's labels.

    `recall` is the minimum share of identifying characters to be found, as measured on the model's
    development records, or "high" for the highest useful recall; `bias` is the bias of the O tag:
    lower values raise recall and lower precision. Without either, the model's own balance is used.
    `corpus` is for two-stage models: the documents whose majorities count, instead of those of a
    batch. `dictionary` is a user dictionary instead of the model's own. `own_rules` is a folder of
    the user's rules, `known` a table of known patients, `allow` and `deny` are lists of terms (see
    `veil.detect.lists`).
    """
    info = describe(model)
    if language is not None and language != info.language:
        raise InputError(f"{model}: a model for '{info.language}', not for '{language}'")
    check_own_rules(own_rules, [info.language])
    detector: Detector = _trained(
        info, recall=recall, bias=bias, corpus=corpus, dictionary=dictionary
    )
    if rules or own_rules or known:
        if info.scheme is None:
            raise InputError(
                f"{model}: its labels belong to no known scheme; use the model without rules"
            )
        detector = hybrid(
            info.language,
            learned=detector,
            labels=info.scheme,
            own_rules=own_rules,
            known=_table(known),
        )
    lists = _lists(allow, deny)
    return DetectionPipeline([detector], language=info.language, known=_table(known), **lists)


def rules_pipeline(
    language: str | None = None,
    *,
    own_rules: Path | None = None,
    known: Path | KnownTable | None = None,
    assume_language: str | None = None,
    allow: Path | None = None,
    deny: Path | None = None,
) -> DetectionPipeline:
    """Make a pipeline of rules alone; without a language, that of each document is identified.

    A document in an unsupported language is withheld, or treated as `assume_language`.
    """
    check_own_rules(own_rules, language_codes() if language is None else [language])
    table = _table(known)

    def rules_of(code: str) -> Detector:
        return hybrid(code, own_rules=own_rules, known=table)

    return _in_language(rules_of, language, assume_language, table, _lists(allow, deny))


def default_pipeline(
    language: str | None = None,
    *,
    recall: Recall | None = None,
    bias: float | None = None,
    own_rules: Path | None = None,
    known: Path | KnownTable | None = None,
    assume_language: str | None = None,
    allow: Path | None = None,
    deny: Path | None = None,
) -> DetectionPipeline:
    """Make the best pipeline that Veil has for each language, with Veil's own labels.

    It is the model `veil-<language>` with the rules, or the rules alone if no such model is
    installed. Without a language, that of each document is identified; a document in an unsupported
    language is withheld, or treated as `assume_language`.
    """
    codes = language_codes() if language is None else (language,)
    models = _own_models(codes)
    # Detectors are made when the first document of their language is read, perhaps late in a run:
    # configuration errors are detected now.
    _check_dial(models.values(), recall=recall, bias=bias)
    check_own_rules(own_rules, codes)
    table = _table(known)

    def best_of(code: str) -> Detector:
        model = models.get(code)
        if model is None:
            return hybrid(code, own_rules=own_rules, known=table)
        learned = _trained(model, recall=recall, bias=bias)
        labels = model.scheme or VEIL
        return hybrid(code, learned=learned, labels=labels, own_rules=own_rules, known=table)

    return _in_language(best_of, language, assume_language, table, _lists(allow, deny))


def _in_language(
    make: Callable[[str], Detector],
    language: str | None,
    assume_language: str | None,
    known: KnownTable | None,
    lists: _Lists,
) -> DetectionPipeline:
    """Make a pipeline for one language, or one that identifies the language of each document."""
    if language is not None:
        return DetectionPipeline([make(language)], language=language, known=known, **lists)
    by_language = ByLanguage(make, reach=REACH)
    return DetectionPipeline(
        [by_language], identify=True, assume_language=assume_language, known=known, **lists
    )


def hybrid(
    language: str,
    *,
    learned: Detector | None = None,
    labels: str = VEIL,
    own_rules: Path | None = None,
    known: KnownTable | None = None,
) -> HybridDetector:
    """Join the rules of a language with a table of known patients and a learned model."""
    rules = RuleDetector(language, rules=load_rules(language, own_rules))
    return HybridDetector(
        [rules, KnownDetector(language, known=known)],
        language=language,
        learned=learned,
        labels=labels,
        certain=rules.certain_sources,
    )


def names_pipeline(
    language: str, order: str, memory: NameMemory | None = None
) -> DetectionPipeline:
    """Make a pipeline of carlsson-2010's modules in an order."""
    from veil.detect.names import NameModules  # the default pipelines use none of them

    return DetectionPipeline([NameModules(language, order, memory=memory)], language=language)


class InVeilLabels:
    """A detector of another scheme, with its spans in Veil's labels."""

    def __init__(self, detector: Detector, *, source: str) -> None:
        self.name = detector.name
        self.reach: int | None = getattr(detector, "reach", None)
        self.detector = detector
        self.source = source

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [
            convert_to_veil(doc, found, scheme(self.source))
            for doc, found in zip(docs, self.detector.detect_many(docs), strict=True)
        ]


class ByLanguage:
    """Gives each document to the detector of its language, which is created on first use.

    `reach` is the reach of these detectors.
    """

    name = "by-language"

    def __init__(self, make: Callable[[str], Detector], *, reach: int | None = None) -> None:
        self.reach = reach
        self._make = make
        self._detectors: dict[str, Detector] = {}

    def of_language(self, code: str) -> Detector:
        """Return the detector of a language."""
        if code not in self._detectors:
            self._detectors[code] = self._make(code)
        return self._detectors[code]

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        found: list[list[Span]] = [[] for _ in docs]
        indices: dict[str, list[int]] = {}
        for index, doc in enumerate(docs):
            indices.setdefault(_known_language(doc), []).append(index)
        for language, of_language in indices.items():
            detector = self.of_language(language)
            results = detector.detect_many([docs[index] for index in of_language])
            for index, spans in zip(of_language, results, strict=True):
                found[index] = spans
        return found


def _known_language(doc: Document) -> str:
    if doc.language not in language_codes():
        raise RecordError(
            f"Veil has no rules for its language; it has them for {', '.join(language_codes())}",
            record=doc.id,
        )
    return doc.language


class _Lists(TypedDict):
    allow: AllowList | None
    deny: DenyList | None


def _lists(allow: Path | None, deny: Path | None) -> _Lists:
    return {
        "allow": None if allow is None else AllowList.read(allow),
        "deny": None if deny is None else DenyList.read(deny),
    }


def _table(known: Path | KnownTable | None) -> KnownTable | None:
    return KnownTable.read(known) if isinstance(known, Path) else known


def _trained(
    info: ModelInfo,
    *,
    recall: Recall | None,
    bias: float | None,
    corpus: Sequence[Document] | Majorities = (),
    dictionary: Path | None = None,
) -> TrainedDetector:
    _check_dial([info], recall=recall, bias=bias)
    options: dict[str, Any] = {} if bias is None else {"outside": bias}
    if dictionary is not None:
        options["dictionary"] = dictionary
    if corpus:
        if info.kind != "two-stage":
            raise InputError(
                f"{info.folder}: a model of kind {info.kind}; a corpus is for two-stage models"
            )
        options["corpus"] = corpus
    if recall == HIGH:
        options["outside"] = high_bias(info.bias, info.dial)
    detector = load_detector(info.folder, **options)
    return detector if recall is None or recall == HIGH else detector.with_recall(recall)


def _check_dial(models: Iterable[ModelInfo], *, recall: Recall | None, bias: float | None) -> None:
    """Raise an error if a model cannot be set to this balance."""
    if recall is not None and bias is not None:
        raise InputError("recall and bias set the same threshold: give one of them")
    if bias is not None:
        check_bias(bias)
    if recall is not None:
        for info in models:
            _check_reached(info, recall)


def _check_reached(info: ModelInfo, recall: Recall) -> None:
    """Raise an error if the model did not reach this recall."""
    if not info.dial:
        raise InputError(f"{info.folder}: no recall was measured; train the model again")
    highest = max(measured for _, measured in info.dial)
    if recall != HIGH and highest < check_recall(recall):
        raise InputError(
            f"{info.folder}: a recall of {recall} was not reached on its development records, "
            f"at most {highest}; give that or less, or set a bias"
        )


def high_bias(usual: float, dial: Sequence[tuple[float, float]]) -> float | None:
    """The bias that "high" stands for, for a model's usual bias and dial; None without a dial."""
    if not dial:
        return None
    usable = [measured for bias, measured in dial if _LOWEST_BIAS_OF_HIGH <= bias]
    highest = max(usable, default=max(measured for _, measured in dial))
    return min(outside_for(dial, min(_HIGH_RECALL, highest)), usual - _STEP_OF_HIGH)
