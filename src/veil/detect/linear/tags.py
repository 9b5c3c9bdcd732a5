"""Spans as tags on tokens and back: B- begins a span, I- continues it, O is outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.core import native

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from veil.core.document import Span
    from veil.features.stream import Ints, Stream

OUTSIDE = "O"


class TagSet:
    """The tags of a set of labels; O is number 0, then B- and I- of each label in turn."""

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = tuple(labels)
        self.tags = (OUTSIDE, *(f"{kind}-{name}" for name in self.labels for kind in "BI"))
        self.numbers = {tag: number for number, tag in enumerate(self.tags)}

    def __len__(self) -> int:
        return len(self.tags)

    def encode(self, stream: Stream, spans: Sequence[Sequence[Span]]) -> Ints:
        """Tag all tokens of a stream; a token that a span covers in part is inside it."""
        tags = np.zeros(len(stream), np.int32)
        words = stream.words
        firsts, ends = stream.words_under(spans)
        labels = (span.label for own in spans for span in own)
        for label, first, end in zip(labels, firsts.tolist(), ends.tolist(), strict=True):
            begin = self.numbers.get(f"B-{label}")
            if begin is not None and first < end:
                tags[words[first:end]] = begin + 1
                tags[words[first]] = begin
        return tags

    def runs(self, stream: Stream, tags: NDArray[np.integer]) -> list[tuple[int, int, int, str]]:
        """Spans as (document, first token, last token, label), in order.

        An I- that follows neither B- nor I- of its label begins a span (cotik-2019, section 3.4).
        """
        tagged = np.flatnonzero(tags)
        if not len(tagged):
            return []
        numbers = tags[tagged].astype(np.int64)
        label = (numbers + 1) // 2
        follows = np.zeros(len(tagged), bool)
        follows[1:] = (tagged[1:] == tagged[:-1] + 1) & (label[1:] == label[:-1])
        opens = np.flatnonzero((numbers % 2 == 1) | ~follows)
        closes = np.append(opens[1:], len(tagged)) - 1
        names = self.labels
        return [
            (doc, first, last, names[number - 1])
            for doc, first, last, number in zip(
                stream.doc[tagged[opens]].tolist(),
                tagged[opens].tolist(),
                tagged[closes].tolist(),
                label[opens].tolist(),
                strict=True,
            )
        ]

    def spans(
        self, stream: Stream, tags: NDArray[np.int16], sure: NDArray[np.float64] | None = None
    ) -> Iterator[tuple[int, int, int, str, float]]:
        """Spans as (document, start, end, label, lowest probability of its tokens), in order.

        Without probabilities of the tags, the probability is 1.
        """
        if native.CORE is not None:
            found = native.CORE.tagged_spans(tags, stream.doc, stream.start, stream.end, sure)
            for doc, start, end, label, least in found:
                yield doc, start, end, self.labels[label], least
            return
        runs = self.runs(stream, tags)
        first, last = np.array([run[1:3] for run in runs], np.int64).reshape(-1, 2).T
        chances = [1.0] * len(runs)
        if sure is not None and runs:
            # Every second segment lies between two spans.
            edges = np.stack((first, last + 1), axis=1).ravel()
            chances = np.minimum.reduceat(sure, edges)[::2].tolist()
        starts, ends = stream.start[first].tolist(), stream.end[last].tolist()
        for (doc, _, _, label), start, end, least in zip(runs, starts, ends, chances, strict=True):
            yield doc, start, end, label, least


class PlainTags(TagSet):
    """One tag per label and no O: for labels that every token has, such as parts of speech."""

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = self.tags = tuple(labels)
        self.numbers = {tag: number for number, tag in enumerate(self.tags)}
