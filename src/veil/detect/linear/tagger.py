"""Running a linear model fast: sums of rows instead of features one by one.

The score of a tag is a sum over the features of a token. Features of word forms are added up once
a form and window; a token then needs one row for each window, one for its line, and the rows of
its place. The search for the best tags is in `chain`.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from veil.core.batches import in_batches
from veil.core.document import Span
from veil.detect.linear.chain import Sequences, best_tags, open_tokens, posteriors
from veil.detect.linear.layout import lay_out
from veil.features.columns import columns_of
from veil.features.places import PLACE_FEATURES
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

_CHUNK = 2048
"""Tokens whose rows are added together: few enough to stay in the processor's cache."""

# Tokens this far from being O by certainty are left out of probabilities: exp(-8) is nothing.
_MARGIN = 8.0
# So few that a product of matrices is not spread over threads, which wait longer than they work.
_RUNS_TOGETHER = 64
# A table is added at the tokens where it says something if these are fewer than this share.
_SPARSE = 0.35


class Tagger:
    """Tags texts with one model. Threads may share it: they take turns."""

    def __init__(self, model: LinearModel) -> None:
        self.model = model
        self.seconds: dict[str, float] = defaultdict(float)
        self._lock = threading.Lock()
        self._columns = columns_of(model.space.channels)
        self._table = model.space.new_table()
        self._known = 0
        self._generation = 0
        self._compile()

    def _compile(self) -> None:
        """Sort the model's slots into tables by how they are added."""
        space, weights = self.model.space, self.model.weights
        features = list(space.forms)
        width = weights.shape[1]
        self._constant = np.zeros(width, np.float32)
        self._form_blocks: dict[int, list[tuple[int, Floats]]] = defaultdict(list)
        self._line_blocks: list[tuple[str, Floats]] = []
        self._place_blocks: list[tuple[str, int, Floats, int | None]] = []
        for slot in space.slots:
            block = weights[slot.base : slot.base + slot.size]
            if slot.feature in space.forms:
                for offset in slot.offsets:
                    self._form_blocks[offset].append((features.index(slot.feature), block))
            elif PLACE_FEATURES.get(slot.feature).by_line:
                self._line_blocks.append((slot.feature, block))
            else:
                usual = space.usual.get(slot.feature)
                if usual is not None:
                    # Its most frequent value goes into the constant; the others are differences.
                    self._constant += block[usual] * len(slot.offsets)
                    block = block - block[usual]
                self._place_blocks += [
                    (slot.feature, offset, block, usual) for offset in slot.offsets
                ]
        self._vector_scores = self.model.scores_of_vectors()
        if self._vector_scores is not None:
            # A form's vector speaks for the token itself, even where no feature does.
            self._form_blocks.setdefault(0, [])
        self._offsets = sorted(self._form_blocks)
        self._rows = {
            offset: np.zeros((len(self._table.cases), width), np.float32)
            for offset in self._offsets
        }

    def stream(
        self,
        texts: Sequence[str],
        given: Sequence[Columns] | None = None,
        rule_spans: Sequence[Sequence[Span]] | None = None,
    ) -> Stream:
        """Lay texts out as the model sees them."""
        settings = self.model.settings
        return lay_out(
            texts,
            tokens=settings.tokens,
            sequences=settings.sequences,
            wanted=self._columns,
            given=given,
            rule_spans=rule_spans,
        ).stream(self._table)

    def view(self, stream: Stream) -> Stream:
        """The tokens of a stream that was laid out for another model, with this model's forms."""
        self._table.make_room()
        used, places = np.unique(stream.form, return_inverse=True)
        pieces = list(stream.table.numbers)
        numbers = self._table.number([pieces[n].rstrip() or pieces[n] for n in used.tolist()])
        form = np.array(numbers, np.int32)[places]
        return replace(stream, table=self._table, form=form, memo={})

    def tag(
        self,
        texts: Sequence[str],
        *,
        outside: float = 0.0,
        probabilities: bool = False,
        given: Sequence[Columns] | None = None,
    ) -> list[list[Tagged]]:
        """Return the spans of each text: start, end, label, probability (1 if not asked for).

        `given` are columns from outside, a mapping a text.
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
        probabilities: bool = False,
        rule_spans: Sequence[Sequence[Span]] | None = None,
    ) -> tuple[list[list[Tagged]], list[list[Tagged]]]:
        """Return the spans of each text at two balances; far cheaper than tagging again.

        `rule_spans` is what the rules find, if they were run already.
        """
        found: list[list[Tagged]] = []
        more: list[list[Tagged]] = []
        with self._lock:
            for batch in batches(texts):
                own = rule_spans and rule_spans[len(found) : len(found) + len(batch)]
                usual, also = self._tag(
                    batch,
                    outside,
                    generous=generous,
                    rule_spans=own,
                    probabilities=probabilities,
                )
                found += usual
                more += also
        return found, more

    def _tag(
        self,
        texts: Sequence[str],
        outside: float,
        given: Sequence[Columns] | None = None,
        *,
        generous: float | None = None,
        rule_spans: Sequence[Sequence[Span]] | None = None,
        probabilities: bool,
    ) -> tuple[list[list[Tagged]], list[list[Tagged]]]:
        clock = time.perf_counter
        marks = [clock()]
        stream = self.stream(texts, given, rule_spans)
        marks.append(clock())
        scores = self.scores(stream)
        scores[:, 0] += outside
        marks.append(clock())
        tags = best_tags(scores, stream.breaks, self.model.chain)
        marks.append(clock())
        found = self._spans(stream, scores, tags, probabilities=probabilities)
        more: list[list[Tagged]] = []
        if generous is not None:
            scores[:, 0] += generous - outside
            also = best_tags(scores, stream.breaks, self.model.chain)
            more = self._spans(stream, scores, also, probabilities=False)
        marks.append(clock())
        stages = ("tokens", "scores", "search", "spans")
        for stage, (begun, ended) in zip(stages, pairwise(marks), strict=True):
            self.seconds[stage] += ended - begun
        return found, more

    def scores(self, stream: Stream) -> Floats:
        """The scores of all tags for all tokens of a stream."""
        self._add_forms()
        ids = self.model.space.place_ids(stream)
        scores = np.zeros((len(stream), len(self.model.tagset)), np.float32)
        lines = np.zeros((len(stream.first), scores.shape[1]), np.float32)
        for feature, block in self._line_blocks:
            lines += block[ids[feature]]
        sparse = {
            feature: np.flatnonzero(ids[feature] != usual)
            for feature, _, _, usual in self._place_blocks
            if usual is not None
        }
        buffer = np.empty((_CHUNK, scores.shape[1]), np.float32)
        for start in range(PADS, len(stream) - PADS, _CHUNK):
            stop = min(start + _CHUNK, len(stream) - PADS)
            rows, taken = scores[start:stop], buffer[: stop - start]
            np.take(lines, stream.line[start:stop], axis=0, out=rows, mode="clip")
            rows += self._constant
            for offset in self._offsets:
                at = stream.form[start + offset : stop + offset]
                np.take(self._rows[offset], at, axis=0, out=taken, mode="clip")
                rows += taken
            for feature, offset, block, usual in self._place_blocks:
                values = ids[feature]
                if usual is None:
                    at = values[start + offset : stop + offset]
                    np.take(block, at, axis=0, out=taken, mode="clip")
                    rows += taken
                    continue
                places = sparse[feature]
                first, last = np.searchsorted(places, (start + offset, stop + offset))
                where = places[first:last]
                rows[where - (start + offset)] += block[values[where]]
        return scores

    def _add_forms(self) -> None:
        """Add up the rows of forms that came since the last time."""
        table = self._table
        if table.generation != self._generation:
            self._generation, self._known = table.generation, 0
        if table.size <= self._known:
            return
        for offset, rows in self._rows.items():
            if len(rows) < table.size:
                grown = np.zeros((len(table.cases), rows.shape[1]), np.float32)
                grown[: self._known] = rows[: self._known]
                self._rows[offset] = grown
        for start in range(self._known, table.size, _CHUNK):
            stop = min(start + _CHUNK, table.size)
            values = np.ascontiguousarray(table.values[start:stop].T)
            taken = np.empty((stop - start, len(self.model.tagset)), np.float32)
            for offset, blocks in self._form_blocks.items():
                rows = self._rows[offset][start:stop]
                rows[:] = 0
                for column, block in blocks:
                    np.take(block, values[column], axis=0, out=taken, mode="clip")
                    rows += taken
        if self._vector_scores is not None:
            newest_first = islice(reversed(table.numbers), table.size - self._known)
            words = [piece.rstrip() for piece in newest_first][::-1]
            self._rows[0][self._known : table.size] += self.vector_scores(words)
        self._known = table.size

    def vector_scores(self, words: Sequence[str]) -> Floats:
        """What their vectors add to the scores of words: a row a word, a column a tag."""
        if self.model.vectors is None or self._vector_scores is None:
            return np.zeros((len(words), len(self.model.tagset)), np.float32)
        scores: Floats = self._vector_scores[self.model.vectors.numbers(words)]
        return scores

    def _spans(
        self, stream: Stream, scores: Floats, tags: NDArray[np.int16], *, probabilities: bool
    ) -> list[list[Tagged]]:
        found: list[list[Tagged]] = [[] for _ in stream.texts]
        runs = self.model.tagset.runs(stream, tags)
        sure = self._probabilities(stream, scores, tags) if probabilities and runs else None
        for doc, first, last, label in runs:
            probability = 1.0 if sure is None else round(float(sure[first : last + 1].min()), 6)
            found[doc].append((int(stream.start[first]), int(stream.end[last]), label, probability))
        return found

    def _probabilities(self, stream: Stream, scores: Floats, tags: NDArray[np.int16]) -> Floats:
        """The calibrated probability of each token's tag."""
        chain = self.model.chain
        wanted = open_tokens(scores, stream.breaks, chain, _MARGIN) | (tags > 0)
        runs = Sequences.of_mask(wanted, stream.breaks)
        chosen = np.zeros(len(tags))
        for start in range(0, len(runs.first), _RUNS_TOGETHER):
            part = runs.part(start, start + _RUNS_TOGETHER)
            ends = np.cumsum(part.length, dtype=np.int32)
            first = ends - part.length
            at = np.repeat(part.first - first, part.length) + np.arange(ends[-1])
            # Twice as precise as is told in the end: the same whatever texts share the batch.
            rows = scores[at].astype(np.float64)
            nodes = posteriors(rows, chain, replace(part, first=first)).tags
            chosen[at] = nodes[np.arange(len(at)), tags[at]]
        return calibrate(chosen, self.model.settings.calibration)


def as_spans(tagged: Sequence[Sequence[Tagged]], source: str) -> list[list[Span]]:
    """What a tagger found, as spans."""
    return [
        [Span(start, end, label, score, source) for start, end, label, score in found]
        for found in tagged
    ]


def calibrate(probabilities: Floats, calibration: tuple[float, float]) -> Floats:
    """Bring probabilities to what they were right for on held-out records."""
    slope, intercept = calibration
    clipped = probabilities.clip(1e-6, 1 - 1e-6)
    odds = np.log(clipped / (1 - clipped)) * slope + intercept
    calibrated: Floats = np.exp(-np.logaddexp(0, -odds))
    return calibrated


def batches(texts: Sequence[str]) -> list[list[str]]:
    """Cut texts into parts that fit the cache; padding counts, as very many may be empty."""
    return list(in_batches(texts, lambda text: len(text) + PADS))


def usual_values(ids: dict[str, Ints], stream: Stream) -> dict[str, int]:
    """For each feature of places: its most frequent value, where that is nearly all."""
    usual = {}
    words = stream.words
    for feature, values in ids.items():
        if PLACE_FEATURES.get(feature).by_line:
            continue
        counts = np.bincount(values[words])
        best = int(counts.argmax())
        if len(words) * (1 - _SPARSE) < counts[best]:
            usual[feature] = best
    return usual
