"""Why a linear model found a span: what spoke for its label and against the next best."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from veil.detect.linear.chain import best_tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from veil.core.document import Document, Span
    from veil.detect.crf import LinearDetector
    from veil.detect.linear.chain import Floats, Transitions
    from veil.detect.linear.tags import TagSet
    from veil.features.stream import Stream

OUTSIDE = "O"
WORD_VECTOR, NETWORK = "word vector", "network"
# Stand among the numbers of features for the word vectors and for the network.
_VECTOR, _NETWORK = -1, -2
_NAMES = {_VECTOR: WORD_VECTOR, _NETWORK: NETWORK}


@dataclass(frozen=True)
class Reason:
    """A feature with its weight for the label found and for the runner-up, over the whole span."""

    feature: str
    found: float
    runner_up: float

    @property
    def margin(self) -> float:
        return self.found - self.runner_up


@dataclass(frozen=True)
class Explanation:
    """A span, the label that came second ("O": no span at all), by how much, and why."""

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


def explain(detector: LinearDetector, doc: Document) -> list[Explanation]:
    """Explain every span that a detector finds in a document."""
    model = detector.model
    stream = detector.tagger.stream([doc.text])
    scores = detector.tagger.scores(stream)
    scores[:, 0] += detector.outside
    tags = best_tags(scores, stream.breaks, model.chain)
    spans = {(span.start, span.end): span for span in detector.detect(doc)}
    row_of = np.zeros(len(stream), np.int64)
    row_of[stream.words] = np.arange(len(stream.words))
    features = model.space.matrix(stream)
    network = None
    if model.network is not None:
        ids = model.space.position_ids(stream)
        network = model.network.scores(model.space, stream, ids)
    found = []
    for _, first, last, label in model.tagset.runs(stream, tags):
        span = spans[int(stream.start[first]), int(stream.end[last])]
        paths = _paths(model.tagset, tags, scores, model.chain, stream, first, last)
        best = paths.pop(label)
        runner_up = max(paths, key=lambda other: paths[other][0])
        reasons: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        words = [doc.text[stream.start[at] : stream.end[at]] for at in range(first, last + 1)]
        by_vector = detector.tagger.vector_scores(words)
        by_network = None if network is None else network[first : last + 1]
        for token in range(first, last + 1):
            for side, path in enumerate((best[1], paths[runner_up][1])):
                tag = path[token - first]
                reasons[_VECTOR][side] += float(by_vector[token - first, tag])
                if by_network is not None:
                    reasons[_NETWORK][side] += float(by_network[token - first, tag])
                for feature in features[row_of[token]].tolist():
                    reasons[feature][side] += float(model.weights[feature, tag])
        margin = best[0] - paths[runner_up][0]
        told = [
            Reason(_NAMES.get(feature) or model.space.describe(feature), ours, theirs)
            for feature, (ours, theirs) in reasons.items()
            if ours != theirs
        ]
        told.sort(key=lambda reason: (-abs(reason.margin), reason.feature))
        by_features = sum(reason.margin for reason in told)
        found.append(Explanation(span, runner_up, margin, margin - by_features, tuple(told)))
    return found


def _paths(
    tagset: TagSet,
    tags: NDArray[np.int16],
    scores: Floats,
    chain: Transitions,
    stream: Stream,
    first: int,
    last: int,
) -> dict[str, tuple[float, list[int]]]:
    """For each label, and none: the score of the span with it, its neighbours as they are."""
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
