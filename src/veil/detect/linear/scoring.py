"""Fast scores of a linear model: sums of rows instead of single features.

The score of a tag is a sum over the features of a token. Features of word forms are added up once
per form and window offset; a token then needs one row for each offset, one for its line, and the
rows of its position features.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core import native
from veil.detect.linear.weights import PackedWeights, add_rows, unpacked
from veil.detect.neural.scoring import NetworkScorer
from veil.features.positions import POSITION_FEATURES
from veil.features.stream import PADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.detect.linear.chain import Floats
    from veil.detect.linear.model import LinearModel
    from veil.features.stream import Ints, Stream

    Block = Floats | PackedWeights

_CHUNK = 2048
"""Tokens whose rows are added together: few enough to stay in the processor's cache."""

# A table is added only at tokens with other values than the usual one if these are rarer than this.
_SPARSE = 0.35
# Tables with at most so many rows are unpacked once, since tokens use each row many times.
_SMALL = 1 << 14


class Scorer:
    """Scores the tokens of streams that were prepared with its table of forms."""

    def __init__(self, model: LinearModel) -> None:
        self.table = model.space.new_table()
        self._model = model
        self._known = 0
        self._generation = 0
        self._network: NetworkScorer | None = None
        if model.network is not None:
            self._network = NetworkScorer(model.network, model.space, self.table)
        self._compile()

    def _compile(self) -> None:
        """Sort the model's slots into tables by how they are added."""
        space, weights = self._model.space, self._model.stored
        features = list(space.forms)
        width = weights.shape[1]
        self._constant = np.zeros(width, np.float32)
        self._form_blocks: dict[int, list[tuple[int, Block]]] = defaultdict(list)
        self._line_blocks: list[tuple[str, Floats]] = []
        self._place_blocks: list[tuple[str, int, Block, int | None]] = []
        for slot in space.slots:
            block = weights[slot.base : slot.base + slot.size]
            if slot.feature in space.forms:
                for offset in slot.offsets:
                    self._form_blocks[offset].append((features.index(slot.feature), block))
            elif POSITION_FEATURES.get(slot.feature).by_line:
                self._line_blocks.append((slot.feature, unpacked(block)))
            else:
                usual = space.usual.get(slot.feature)
                if usual is not None:
                    # Its most frequent value goes into the constant; the others are differences.
                    values = unpacked(block)
                    self._constant += values[usual] * len(slot.offsets)
                    block = values - values[usual]
                elif len(block) <= _SMALL:
                    block = unpacked(block)
                self._place_blocks += [
                    (slot.feature, offset, block, usual) for offset in slot.offsets
                ]
        self._vector_scores = self._model.scores_of_vectors()
        if self._vector_scores is not None:
            # A form's vector affects the token itself, even where no feature does.
            self._form_blocks.setdefault(0, [])
        self._offsets = sorted(self._form_blocks)
        self._before: list[int] = []
        self._behind: list[int] = []
        if native.CORE is not None:
            self._set_ends_apart()
        self._core = self._compiled()
        self._rows = self._new_rows(0)

    def _set_ends_apart(self) -> None:
        """Find the offsets at the ends of the window that have one packed table each.

        The compiled twin adds such a table itself, as fast as the rows of forms. These rows use
        most of the memory and become smaller in this way. The order of additions stays the same.
        """
        self._before = list(takewhile(self._has_one_table, self._offsets))
        self._offsets = self._offsets[len(self._before) :]
        self._behind = list(takewhile(self._has_one_table, reversed(self._offsets)))[::-1]
        self._offsets = self._offsets[: len(self._offsets) - len(self._behind)]

    def _has_one_table(self, offset: int) -> bool:
        blocks = self._form_blocks[offset]
        has_vectors = offset == 0 and self._vector_scores is not None
        return len(blocks) == 1 and isinstance(blocks[0][1], PackedWeights) and not has_vectors

    def _compiled(self) -> Any:
        """The compiled twin, or None: tables as (feature, place, usual value or -1, weights)."""
        if native.CORE is None:
            return None
        features = list(self._model.space.positions)
        self._columns = sorted(
            {self._form_blocks[offset][0][0] for offset in (*self._before, *self._behind)}
        )
        before, behind = (
            [
                (len(features) + self._columns.index(column), offset, -1, _arrays(block))
                for offset in offsets
                for column, block in self._form_blocks[offset]
            ]
            for offsets in (self._before, self._behind)
        )
        return native.CORE.Scorer(
            self._constant,
            self._offsets,
            PADS,
            [
                (column, index, -1, _arrays(block))
                for index, offset in enumerate(self._offsets)
                for column, block in self._form_blocks[offset]
            ],
            [
                (features.index(feature), 0, -1, _arrays(block))
                for feature, block in self._line_blocks
            ],
            before,
            behind,
            [
                (features.index(feature), offset, -1 if usual is None else usual, _arrays(block))
                for feature, offset, block, usual in self._place_blocks
            ],
        )

    def _new_rows(self, forms: int) -> Floats:
        """Allocate the sums of forms: by form, offset and tag."""
        offsets, width = len(self._offsets), len(self._constant)
        if self._core is None:
            # Offsets are gathered one after another.
            return np.zeros((offsets, forms, width), np.float32).swapaxes(0, 1)
        return np.zeros((forms, offsets, width), np.float32)

    def scores(self, stream: Stream) -> Floats:
        """The scores of all tags for all tokens of a stream."""
        self._add_forms()
        ids = self._model.space.position_ids(stream)
        scores = np.zeros((len(stream), len(self._model.tagset)), np.float32)
        if self._core is None:
            self._add_up(stream, ids, scores)
        else:
            values = stream.table.values
            own = [values[stream.form, column] for column in self._columns]
            self._core.scores(
                *(stream.form, stream.line, len(stream.first)),
                *(self._rows, self._known, [*ids.values(), *own], scores),
            )
        if self._network is not None:
            scores += self._network.scores(stream, ids)
        return scores

    def network_scores(
        self, stream: Stream, ids: dict[str, Ints], *, around: int | None = None
    ) -> Floats | None:
        """The network's part of the scores, or None without one (see `NetworkScorer.scores`)."""
        if self._network is None:
            return None
        return self._network.scores(stream, ids, around=around)

    def _add_up(self, stream: Stream, ids: dict[str, Ints], scores: Floats) -> None:
        lines = np.zeros((len(stream.first), scores.shape[1]), np.float32)
        for feature, table in self._line_blocks:
            lines += table[ids[feature]]
        lines += self._constant
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
            for index, offset in enumerate(self._offsets):
                at = stream.form[start + offset : stop + offset]
                np.take(self._rows[:, index], at, axis=0, out=taken, mode="clip")
                rows += taken
            for feature, offset, block, usual in self._place_blocks:
                values = ids[feature]
                if usual is None:
                    add_rows(block, values[start + offset : stop + offset], rows)
                    continue
                tokens = sparse[feature]
                first, last = np.searchsorted(tokens, (start + offset, stop + offset))
                where = tokens[first:last]
                rows[where - (start + offset)] += unpacked(block).take(values[where], axis=0)

    def vector_scores(self, words: Sequence[str]) -> Floats:
        """What word vectors add to the scores of words: one row per word, one column per tag."""
        if self._model.vectors is None or self._vector_scores is None:
            return np.zeros((len(words), len(self._model.tagset)), np.float32)
        scores: Floats = self._vector_scores[self._model.vectors.numbers(words)]
        return scores

    def _add_forms(self) -> None:
        """Compute the sums of forms that were added since the last call."""
        table = self.table
        if table.generation != self._generation:
            self._generation, self._known = table.generation, 0
        if table.size <= self._known:
            return
        if len(self._rows) < table.size:
            rows = self._new_rows(len(table.cases))
            rows[: self._known] = self._rows[: self._known]
            self._rows = rows
        if self._core is None:
            self._add_up_forms()
        else:
            values = table.values
            self._core.add_forms(values, values.shape[1], self._rows, self._known, table.size)
        if self._vector_scores is not None:
            newest_first = islice(reversed(table.numbers), table.size - self._known)
            words = [piece.rstrip() for piece in newest_first][::-1]
            own = self._rows[self._known : table.size, self._offsets.index(0)]
            own += self.vector_scores(words)
        self._known = table.size

    def _add_up_forms(self) -> None:
        table = self.table
        for start in range(self._known, table.size, _CHUNK):
            stop = min(start + _CHUNK, table.size)
            values = np.ascontiguousarray(table.values[start:stop].T)
            for index, offset in enumerate(self._offsets):
                rows = self._rows[start:stop, index]
                rows[:] = 0
                for column, block in self._form_blocks[offset]:
                    add_rows(block, values[column], rows)


def _arrays(block: Block) -> Any:
    """The weights in the layout of the compiled core."""
    if isinstance(block, PackedWeights):
        return block.bounds, block.tags, block.steps, block.scale
    return np.ascontiguousarray(block)


def usual_values(ids: dict[str, Ints], stream: Stream) -> dict[str, int]:
    """The most frequent value of each position feature, if nearly all words have it."""
    usual = {}
    words = stream.words
    for feature, values in ids.items():
        if POSITION_FEATURES.get(feature).by_line:
            continue
        counts = np.bincount(values[words])
        best = int(counts.argmax())
        if len(words) * (1 - _SPARSE) < counts[best]:
            usual[feature] = best
    return usual
