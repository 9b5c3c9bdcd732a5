"""Why a linear model found a span, or did not: the evidence for its label and against others."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.core.document import Span
from veil.detect.linear.chain import tag_probabilities
from veil.features.wording import place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from veil.core.document import Document
    from veil.detect.crf import LinearDetector
    from veil.detect.linear.chain import Floats, Transitions
    from veil.detect.linear.tags import TagSet
    from veil.features.stream import Ints, Stream

OUTSIDE = "O"
WORD_VECTOR, NETWORK = "word vector", "network"
# Words this close to a span are hidden from a network, one at a time, to measure their effect.
_HIDDEN_AROUND = 5
_CANDIDATES = 3


@dataclass(frozen=True)
class Reason:
    """A feature with its weights for one label and for another, over a whole span.

    `text` describes `feature` in words.
    """

    feature: str
    found: float
    runner_up: float
    text: str = ""

    @property
    def margin(self) -> float:
        return self.found - self.runner_up


def merged(reasons: Sequence[Reason]) -> list[Reason]:
    """Merge reasons with the same text; the strongest first."""
    by_text: dict[str, list[Reason]] = {}
    for reason in reasons:
        by_text.setdefault(reason.text, []).append(reason)
    found = [
        Reason(
            " ".join(each.feature for each in same),
            sum(each.found for each in same),
            sum(each.runner_up for each in same),
            text,
        )
        for text, same in by_text.items()
    ]
    return sorted(found, key=lambda each: (-abs(each.margin), each.text))


@dataclass(frozen=True)
class Explanation:
    """A span, the runner-up label ("O": no span at all), the margin, and the reasons."""

    span: Span
    runner_up: str
    margin: float
    transitions: float
    reasons: tuple[Reason, ...]

    @property
    def title(self) -> str:
        """The label, offsets and probability of the span, and the label that came second."""
        span = self.span
        return (
            f"{span.label} {span.start}-{span.end}, probability {span.score:.3f}; second: "
            f"{self.runner_up}, {self.margin:.1f} behind"
        )


class Candidate(NamedTuple):
    """A label that a span did not get: its probability, and its distance from "no span"."""

    label: str
    probability: float
    gap: float


@dataclass(frozen=True)
class Silence:
    """Why a model found nothing in a stretch of text.

    `candidates` are labels, the closest first. `bias` is the model's setting. `found_at` is the
    highest bias on its dial at which at least a part of the stretch is found, or None. The
    `reasons` are those for the closest label against "no span".
    """

    bias: float
    found_at: float | None
    candidates: tuple[Candidate, ...]
    reasons: tuple[Reason, ...]


class _Scored:
    """The scores of a text's tokens, and the best tags at a bias."""

    def __init__(self, detector: LinearDetector, text: str) -> None:
        self.detector = detector
        self.model = detector.model
        self.stream = detector.tagger.stream([text])
        self.text = text
        self._raw = detector.tagger.scores(self.stream)
        self._row_of = np.zeros(len(self.stream), np.int64)
        self._row_of[self.stream.words] = np.arange(len(self.stream.words))
        self._features = self.model.space.matrix(self.stream)
        self._ids = self.model.space.position_ids(self.stream) if self.model.network else {}
        self._network = self._of_network(self.stream)
        self.scores = self._raw.copy()
        self.tags = detector.tagger.tags(self.stream, self.scores, detector.outside)

    def tags_at(self, bias: float) -> NDArray[np.int16]:
        """The best tags at another bias."""
        return self.detector.tagger.tags(self.stream, self._raw.copy(), bias)

    def paths(self, first: int, last: int) -> dict[str, tuple[float, list[int]]]:
        """For each label, and for O: the score of the tokens with it, and their tags."""
        model = self.model
        return _paths(model.tagset, self.tags, self.scores, model.chain, self.stream, first, last)

    def reasons(self, first: int, ours: list[int], theirs: list[int]) -> tuple[Reason, ...]:
        """The reasons for the tags of one path and against those of another, the strongest first.

        The margins of the reasons add up to the difference of the paths without the transitions.
        """
        space = self.model.space
        totals: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        vector, network = [0.0, 0.0], [0.0, 0.0]
        tokens = range(first, first + len(ours))
        words = [self.text[self.stream.start[at] : self.stream.end[at]] for at in tokens]
        by_vector = self.detector.tagger.vector_scores(words)
        for number, token in enumerate(tokens):
            for side, tag in enumerate((ours[number], theirs[number])):
                vector[side] += float(by_vector[number, tag])
                if self._network is not None:
                    network[side] += float(self._network[token, tag])
                for feature in self._features[self._row_of[token]].tolist():
                    totals[feature][side] += float(self.model.weights[feature, tag])
        found = [
            Reason(space.describe(feature), sides[0], sides[1], space.in_words(feature))
            for feature, sides in totals.items()
        ]
        found.append(Reason(WORD_VECTOR, vector[0], vector[1], "the word vector of the word"))
        if self._network is not None:
            found += self._of_words(first, ours, theirs, network)
        found = [reason for reason in found if reason.found != reason.runner_up]
        return tuple(sorted(found, key=lambda each: (-abs(each.margin), each.feature)))

    def _of_network(self, stream: Stream, around: int | None = None) -> Floats | None:
        return self.detector.tagger.network_scores(stream, self._ids, around=around)

    def _of_words(
        self, first: int, ours: list[int], theirs: list[int], whole: Sequence[float]
    ) -> Iterator[Reason]:
        """The effect of each surrounding word on a network: how its scores change without the word.

        A network has no weights of single words. Instead each word is replaced by one that the
        network does not know. The rest is the joint effect of all words.
        """
        stream = self.stream
        last = first + len(ours) - 1
        left = list(whole)
        line = stream.line[first]
        around = range(max(0, first - _HIDDEN_AROUND), min(len(stream), last + _HIDDEN_AROUND + 1))
        for token in around:
            if stream.breaks[token] or stream.line[token] != line:
                continue
            hidden = self._of_network(_without(stream, token), around=first)
            if hidden is None:
                continue
            sides = [
                whole[side] - sum(float(hidden[first + i, tag]) for i, tag in enumerate(path))
                for side, path in enumerate((ours, theirs))
            ]
            left = [rest - own for rest, own in zip(left, sides, strict=True)]
            offset = token - first if token < first else max(0, token - last)
            word = self.text[stream.start[token] : stream.end[token]]
            where = place((offset,)) if offset else "a word of it" if 1 < len(ours) else "the word"
            name = f"{NETWORK}[{offset:+d}]={word}"
            yield Reason(name, sides[0], sides[1], f"for the network, {where} is '{word}'")
        yield Reason(NETWORK, left[0], left[1], "the network's score of all words together")


def _without(stream: Stream, token: int) -> Stream:
    """The stream with one word replaced by a word that no model knows."""
    form: Ints = stream.form.copy()
    form[token] = stream.table.number(["\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"])[0]
    return replace(stream, form=form, memo={})


def explain(detector: LinearDetector, doc: Document) -> list[Explanation]:
    """Explain every span that a detector finds in a document."""
    scored = _Scored(detector, doc.text)
    stream = scored.stream
    spans = {(span.start, span.end): span for span in detector.detect(doc)}
    return [
        _explained(scored, spans[int(stream.start[first]), int(stream.end[last])], first, last)
        for _, first, last, _ in scored.model.tagset.runs(stream, scored.tags)
    ]


def explain_at(detector: LinearDetector, text: str, start: int, end: int) -> Explanation | None:
    """Explain the first span that a detector finds from one offset to another, if there is one."""
    scored = _Scored(detector, text)
    stream = scored.stream
    for _, first, last, label in scored.model.tagset.runs(stream, scored.tags):
        bounds = int(stream.start[first]), int(stream.end[last])
        if bounds[0] < end and start < bounds[1]:
            return _explained(scored, Span(*bounds, label), first, last)
    return None


def _explained(scored: _Scored, span: Span, first: int, last: int) -> Explanation:
    paths = scored.paths(first, last)
    best = paths.pop(span.label)
    runner_up = max(paths, key=lambda other: paths[other][0])
    reasons = scored.reasons(first, best[1], paths[runner_up][1])
    margin = best[0] - paths[runner_up][0]
    by_features = sum(reason.margin for reason in reasons)
    return Explanation(span, runner_up, margin, margin - by_features, reasons)


def explain_silence(detector: LinearDetector, text: str, start: int, end: int) -> Silence | None:
    """Explain why a model finds nothing from one offset to another; None if it contains no word.

    Of a stretch with several lines only the first line is explained.
    """
    scored = _Scored(detector, text)
    stream, bias = scored.stream, detector.outside
    inside = stream.words[(stream.start[stream.words] < end) & (start < stream.end[stream.words])]
    if not len(inside):
        return None
    inside = inside[stream.line[inside] == stream.line[inside[0]]]
    first, last = int(inside[0]), int(inside[-1])
    paths = scored.paths(first, last)
    nothing = paths.pop(OUTSIDE)
    ranked = sorted(paths, key=lambda label: (-paths[label][0], label))
    candidates = []
    for label in ranked[:_CANDIDATES]:
        tags = scored.tags.copy()
        tags[first : last + 1] = paths[label][1]
        sure, _ = tag_probabilities(
            scored.scores,
            stream.breaks,
            tags,
            scored.model.chain,
            scored.model.settings.calibration,
        )
        probability = float(sure[first : last + 1].min())
        candidates.append(Candidate(label, probability, nothing[0] - paths[label][0]))
    lower = sorted((each for each, _ in scored.model.settings.dial if each < bias), reverse=True)
    found_at = next((each for each in lower if scored.tags_at(each)[first : last + 1].any()), None)
    reasons = scored.reasons(first, paths[ranked[0]][1], nothing[1]) if ranked else ()
    return Silence(bias, found_at, tuple(candidates), reasons)


def _paths(
    tagset: TagSet,
    tags: NDArray[np.int16],
    scores: Floats,
    chain: Transitions,
    stream: Stream,
    first: int,
    last: int,
) -> dict[str, tuple[float, list[int]]]:
    """For each label, and for O: the score of the span with it, its neighbours unchanged."""
    length = last - first + 1
    candidates = {OUTSIDE: [0] * length}
    for label in tagset.labels:
        begin = tagset.numbers[f"B-{label}"]
        candidates[label] = [begin] + [begin + 1] * (length - 1)
    paths = {}
    for label, path in candidates.items():
        before, after = int(tags[first - 1]), int(tags[last + 1])
        score = sum(float(scores[first + i, tag]) for i, tag in enumerate(path))
        score += sum(float(chain.between[a, b]) for a, b in pairwise(path))
        score += float(
            chain.start[path[0]] if stream.breaks[first - 1] else chain.between[before, path[0]]
        )
        score += float(
            chain.end[path[-1]] if stream.breaks[last + 1] else chain.between[path[-1], after]
        )
        paths[label] = (score, path)
    return paths
