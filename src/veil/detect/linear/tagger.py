"""Running a linear model: from texts to scores, to the best tags, to spans.

The scores come from `scoring`, the search for the best tags is in `chain`.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from veil.core import native
from veil.core.batches import in_batches
from veil.core.document import Span
from veil.core.values import DOUBT
from veil.detect.linear.chain import best_tags, likely_tags, tag_probabilities
from veil.detect.linear.layout import lay_out
from veil.detect.linear.scoring import Scorer
from veil.features.columns import columns_of
from veil.features.stream import PADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.detect.linear.layout import Columns
    from veil.detect.linear.model import LinearModel
    from veil.features.stream import Ints, Stream

    # Start, end, label and probability of a span.
    Tagged = tuple[int, int, str, float]
    TaggedTexts = list[list[Tagged]]

# How much text is tagged together: the scores of so many tokens take some megabytes.
_CHARACTERS_AT_ONCE = 100_000
# The lowest probability of all tags together at which a token is doubtful. Every correct span that
# a second scan of masked notes found had at least 0.11 in the first.
_DOUBTFUL = 0.1


class Tagger:
    """Tags texts with one model. Threads may share it; calls are serialised by a lock."""

    def __init__(self, model: LinearModel) -> None:
        self.model = model
        self.seconds: dict[str, float] = defaultdict(float)
        self._lock = threading.Lock()
        self._columns = columns_of(model.space.channels)
        self._scorer = Scorer(model)
        self._table = self._scorer.table

    def stream(
        self,
        texts: Sequence[str],
        given: Sequence[Columns] | None = None,
        rule_spans: Sequence[Sequence[Span]] | None = None,
    ) -> Stream:
        """Prepare texts as the model needs them."""
        settings = self.model.settings
        return lay_out(
            texts,
            tokens=settings.tokens,
            sequences=settings.sequences,
            wanted=self._columns,
            given=given,
            rule_spans=rule_spans,
            dictionary=self.model.dictionary,
        ).stream(self._table)

    def view(self, stream: Stream) -> Stream:
        """The tokens of a stream that was prepared for another model, with this model's forms."""
        self._table.make_room()
        used, indexes = np.unique(stream.form, return_inverse=True)
        pieces = list(stream.table.numbers)
        numbers = self._table.number([pieces[n].rstrip() or pieces[n] for n in used.tolist()])
        form = np.array(numbers, np.int32)[indexes]
        return replace(stream, table=self._table, form=form, memo={})

    def tag(
        self,
        texts: Sequence[str],
        *,
        outside: float = 0.0,
        probabilities: bool = False,
        given: Sequence[Columns] | None = None,
    ) -> list[list[Tagged]]:
        """Return the spans of each text: start, end, label, probability (1 if not requested).

        `given` are additional columns, one mapping per text.
        """
        found: list[list[Tagged]] = []
        with self._lock:
            for batch in batches(texts):
                own = given and given[len(found) : len(found) + len(batch)]
                found += self._tag(batch, outside, own, probabilities=probabilities)[0]
        return found

    def tag_twice(
        self,
        texts: Sequence[str],
        *,
        outside: float,
        generous: float,
        about: Sequence[Sequence[Span]] | None = None,
        probabilities: bool = False,
        rule_spans: Sequence[Sequence[Span]] | None = None,
    ) -> tuple[TaggedTexts, TaggedTexts, TaggedTexts]:
        """Return the spans of each text at two biases, and its doubtful tokens.

        This is far cheaper than tagging twice. With `about`, only those of its spans that contain
        no tagged token at the first bias are searched at the second. `rule_spans` are the spans of
        the rules, if these were run already. Doubtful tokens have no tag at the first bias, but
        might have one if the surrounding text were different.
        """
        found: TaggedTexts = []
        more: TaggedTexts = []
        doubts: TaggedTexts = []
        with self._lock:
            for batch in batches(texts):
                own = slice(len(found), len(found) + len(batch))
                usual, also, doubted = self._tag(
                    batch,
                    outside,
                    generous=generous,
                    about=about and about[own],
                    rule_spans=rule_spans and rule_spans[own],
                    probabilities=probabilities,
                )
                found += usual
                more += also
                doubts += doubted
        return found, more, doubts

    def _tag(
        self,
        texts: Sequence[str],
        outside: float,
        given: Sequence[Columns] | None = None,
        *,
        generous: float | None = None,
        about: Sequence[Sequence[Span]] | None = None,
        rule_spans: Sequence[Sequence[Span]] | None = None,
        probabilities: bool,
    ) -> tuple[TaggedTexts, TaggedTexts, TaggedTexts]:
        clock = time.perf_counter
        marks = [clock()]
        stream = self.stream(texts, given, rule_spans)
        marks.append(clock())
        scores = self.scores(stream)
        marks.append(clock())
        tags = self.tags(stream, scores, outside)
        marks.append(clock())
        sure = None
        more: TaggedTexts = []
        doubts: TaggedTexts = []
        if probabilities or generous is not None:
            settings, chain = self.model.settings, self.model.chain
            sure, of_outside = tag_probabilities(
                scores, stream.breaks, tags, chain, settings.calibration
            )
            doubts = _doubtful(stream, of_outside)
        found = self._spans(stream, tags, sure if probabilities else None)
        if generous is not None:
            scores[:, 0] += generous - outside
            doubted = None if about is None else _untagged(stream, tags, about)
            if doubted is not None and not doubted.any():
                more = [[] for _ in texts]
            else:
                also = best_tags(scores, stream.breaks, self.model.chain, doubted)
                more = self._spans(stream, also)
        marks.append(clock())
        stages = ("tokens", "scores", "search", "spans")
        for stage, (begun, ended) in zip(stages, pairwise(marks), strict=True):
            self.seconds[stage] += ended - begun
        return found, more, doubts

    def scores(self, stream: Stream) -> Floats:
        """The scores of all tags for all tokens of a stream."""
        return self._scorer.scores(stream)

    def tags(self, stream: Stream, scores: Floats, outside: float) -> NDArray[np.int16]:
        """The best tags with a bias, which is added to the scores of O.

        Below the model's own bias, a token is tagged if the probabilities of all tags together
        reach the threshold that the bias implies (`likely_tags`).
        """
        own, chain = self.model.settings.outside, self.model.chain
        scores[:, 0] += max(outside, own)
        if own <= outside:
            return best_tags(scores, stream.breaks, chain)
        tags = likely_tags(scores, stream.breaks, chain, own - outside)
        scores[:, 0] += outside - own
        return tags

    def network_scores(
        self, stream: Stream, ids: dict[str, Ints], *, around: int | None = None
    ) -> Floats | None:
        """The network's part of the scores, if there is one; `around` is a token."""
        return self._scorer.network_scores(stream, ids, around=around)

    def vector_scores(self, words: Sequence[str]) -> Floats:
        """What word vectors add to the scores of words: one row per word, one column per tag."""
        return self._scorer.vector_scores(words)

    def _spans(
        self,
        stream: Stream,
        tags: NDArray[np.int16],
        probabilities: NDArray[np.float64] | None = None,
    ) -> TaggedTexts:
        found: TaggedTexts = [[] for _ in stream.texts]
        if not tags.any():
            return found
        spans = self.model.tagset.spans(stream, tags, probabilities)
        for doc, start, end, label, probability in spans:
            found[doc].append((start, end, label, round(probability, 6)))
        return found


def _doubtful(stream: Stream, outside: NDArray[np.float64]) -> TaggedTexts:
    """The tokens that may have another tag, but are not tagged."""
    found: TaggedTexts = [[] for _ in stream.texts]
    tokens = np.flatnonzero(outside < 1 - _DOUBTFUL)
    columns = (stream.doc[tokens], stream.start[tokens], stream.end[tokens], 1 - outside[tokens])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for doc, start, end, probability in rows:
        found[doc].append((start, end, DOUBT, round(probability, 6)))
    return found


def _untagged(
    stream: Stream, tags: NDArray[np.int16], spans: Sequence[Sequence[Span]]
) -> NDArray[np.bool_]:
    """The tokens of those spans that contain no tagged token."""
    marked = np.zeros(len(stream), bool)
    if native.CORE is not None:
        native.CORE.mark_untagged(
            *(stream.start, stream.end, stream.breaks, stream.bounds), spans, tags, marked
        )
        return marked
    words = stream.words
    firsts, ends = stream.words_under(spans)
    tagged = np.concatenate(([0], np.cumsum(tags[words] != 0)))
    silent = tagged[firsts] == tagged[ends]
    for first, end in zip(firsts[silent].tolist(), ends[silent].tolist(), strict=True):
        marked[words[first:end]] = True
    return marked


def as_spans(tagged: Sequence[Sequence[Tagged]], source: str) -> list[list[Span]]:
    """Convert the output of a tagger to spans."""
    return [
        [Span(start, end, label, score, source) for start, end, label, score in found]
        for found in tagged
    ]


def batches(texts: Sequence[str]) -> list[list[str]]:
    """Split texts into parts that fit the cache; padding counts, since very many may be empty."""
    return list(in_batches(texts, lambda text: len(text) + PADS, limit=_CHARACTERS_AT_ONCE))
