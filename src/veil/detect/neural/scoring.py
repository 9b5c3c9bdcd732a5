"""Fast scores of a network.

The contribution of a word form to the gates is computed once and kept; that of position features is
a sum of rows. The rest is reading windows, token by token, in both directions. Sums of products of
whole numbers are exact in any order, and all other operations are done in single precision, in the
same order here and in the compiled twin (`native/network.c`): the scores are exactly equal.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core import native
from veil.detect.neural.network import DIRECTIONS, GATES, LARGEST, Matrix, windows
from veil.features.positions import POSITION_FEATURES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.detect.neural.network import Network
    from veil.features.space import FeatureSpace
    from veil.features.stream import FormTable, Ints, Stream

# Forms that are computed together, and tokens and windows that are read together without the
# compiled core: enough to keep the processor busy, few enough for its cache.
_FORMS_TOGETHER, _TOKENS_TOGETHER, _WINDOWS_TOGETHER = 256, 64, 128
# Tables with at most so many rows are multiplied by the weights once, larger ones in each batch.
_SMALL = 1 << 10
# The compiled core multiplies inputs by so many columns, and so many bytes of each, at a time.
_COLUMNS, _GROUP = 32, 4
# With one-byte numbers, the compiled core adds this to inputs, so that none is below 0.
_ZERO = 128

# The hyperbolic tangent is x P(x²) / Q(x²) up to this x, and nearly 1 beyond. The coefficients, the
# highest first, minimise the maximum error, which is 4e-7 including rounding.
_FLAT = 8.0
_ABOVE = (46.6624489, 12124.7041, 532777.75, 4125695.75)
_BELOW = (977.906311, 98042.3281, 1908000.88, 4125698.25)


def tanh(x: Floats) -> Floats:
    """The hyperbolic tangent from basic operations, whose results are the same on every machine."""
    x = np.maximum(x, -_FLAT)
    np.minimum(x, _FLAT, out=x)
    square = x * x
    above = square * _ABOVE[0]
    for coefficient in _ABOVE[1:-1]:
        above += coefficient
        above *= square
    above += _ABOVE[-1]
    below = square + _BELOW[0]
    for coefficient in _BELOW[1:]:
        below *= square
        below += coefficient
    x *= above
    x /= below
    return x


class NetworkScorer:
    """Scores the tokens of streams that were prepared with one table of forms."""

    def __init__(
        self, network: Network, space: FeatureSpace, table: FormTable, *, variant: int = 0
    ) -> None:
        """`variant` is that of the compiled core; the first is the fastest on this processor."""
        self._network = network
        self._table = table
        self._columns = [list(space.forms).index(feature) for feature in network.forms]
        self._known = 0
        self._generation = 0
        self._form_rows: Floats = np.zeros((0, len(network.bias)), np.float32)
        self._weights: dict[str, Floats] = {}
        first = 0
        for feature, values in network.places.items():
            last = first + values.shape[1]
            self._weights[feature] = network.from_place.numbers[first:last]
            first = last
        by_line = {feature: POSITION_FEATURES.get(feature).by_line for feature in network.places}
        self._of_lines = [feature for feature, is_so in by_line.items() if is_so]
        self._of_tokens = [feature for feature, is_so in by_line.items() if not is_so]
        self._small = {
            feature: network.places[feature].astype(np.float32) @ self._weights[feature]
            for feature in self._of_tokens
            if len(network.places[feature]) <= _SMALL
        }
        self._core, self._variant = native.CORE, variant
        if self._core is not None:
            size = self._core.NETWORK_BYTES[variant]
            matrices = (*network.recurrent, network.tags)
            self._layers = [part for matrix in matrices for part in _layer(matrix, size)]
        self._from_form = _Product(network.from_form, network.bias, variant)
        # Contributions of lines stay in whole numbers: the common scale of `places` is applied
        # later.
        steps = [self._weights[feature].astype(np.int8) for feature in self._of_lines]
        none = np.zeros((0, len(network.bias)), np.int8)
        lines = Matrix(np.concatenate([none, *steps]), np.ones_like(network.bias))
        self._from_line = _Product(lines, np.zeros_like(network.bias), variant)

    def scores(
        self, stream: Stream, ids: Mapping[str, Ints], *, around: int | None = None
    ) -> Floats:
        """The scores of all tags for all tokens of a stream; `ids` are its position features.

        With `around` only the window of this token is read, and all other scores are undefined.
        """
        network = self._network
        self._add_forms()
        places = [(stream.line, self._line_rows(stream, ids))]
        places += [self._token_rows(feature, ids[feature]) for feature in self._of_tokens]
        cuts = windows(stream, network.window)
        if around is not None:
            cuts = [(start, end) for start, end in cuts if start <= around < end]
        if self._core is None:
            return self._read(stream, places, cuts)
        scores = np.empty((len(stream), len(network.tag_bias)), np.float32)
        self._core.score_windows(
            *(np.array(cuts, np.int32), stream.form, self._form_rows[: self._known]),
            *(network.from_place.scale, network.tag_bias, scores, *self._layers),
            *(places, self._variant),
        )
        return scores

    def _add_forms(self) -> None:
        """Compute what forms add to the gates, for forms that were added since the last call."""
        table = self._table
        if table.generation != self._generation:
            self._generation, self._known = table.generation, 0
        if len(self._form_rows) < table.size:
            rows = np.empty((len(table.cases), self._form_rows.shape[1]), np.float32)
            rows[: self._known] = self._form_rows[: self._known]
            self._form_rows = rows
        newest_first = islice(reversed(table.numbers), table.size - self._known)
        words = [piece.rstrip() for piece in newest_first][::-1]
        for at in range(0, len(words), _FORMS_TOGETHER):
            some = words[at : at + _FORMS_TOGETHER]
            own = slice(self._known, self._known + len(some))
            self._form_rows[own] = self._rows_of(some, table.values[own][:, self._columns])
            self._known += len(some)

    def _rows_of(self, words: Sequence[str], values: Ints) -> Floats:
        network = self._network
        tables = zip(network.forms.values(), values.T, strict=True)
        parts: list[NDArray[Any]] = [table[own] for table, own in tables]
        parts += [part.rows(words) for part in (network.characters, network.vectors) if part]
        return self._from_form.rows(parts, len(words))

    def _line_rows(self, stream: Stream, ids: Mapping[str, Ints]) -> Floats:
        """What the features of lines add to the gates, in whole numbers."""
        places = self._network.places
        parts = [places[feature][ids[feature]] for feature in self._of_lines]
        return self._from_line.rows(parts, len(stream.first))

    def _token_rows(self, feature: str, ids: Ints) -> tuple[Ints, Floats]:
        """What the values of a feature add to the gates, in whole numbers, and each token's row."""
        if feature in self._small:
            return ids, self._small[feature]
        used, row_of = np.unique(ids, return_inverse=True)
        values = self._network.places[feature][used].astype(np.float32)
        return row_of.astype(np.int32), values @ self._weights[feature]

    def _read(
        self, stream: Stream, places: list[tuple[Ints, Floats]], cuts: list[tuple[int, int]]
    ) -> Floats:
        """Read windows in both directions."""
        network = self._network
        hidden = len(network.recurrent[0].steps)
        states = np.zeros((len(stream), DIRECTIONS * hidden), np.float32)
        for at in range(0, len(cuts), _WINDOWS_TOGETHER):
            some = np.array(cuts[at : at + _WINDOWS_TOGETHER])
            own = slice(some[0, 0], some[-1, 1])
            rows = self._add_up(stream.form[own], [(at[own], table) for at, table in places])
            longest_first = np.argsort(some[:, 0] - some[:, 1], kind="stable")
            start, end = some[longest_first].T - own.start
            self._run(rows.reshape(-1, GATES * hidden), start, end, states[own].reshape(-1, hidden))
        return network.tags.times(states) + network.tag_bias

    def _add_up(self, form: Ints, places: list[tuple[Ints, Floats]]) -> Floats:
        """What forms and position features of tokens add to the gates."""
        rows = np.empty((len(form), len(self._network.bias)), np.float32)
        for start in range(0, len(form), _TOKENS_TOGETHER):
            some = slice(start, start + _TOKENS_TOGETHER)
            row_of, table = places[0]
            own = table.take(row_of[some], axis=0)
            for row_of, table in places[1:]:
                own += table.take(row_of[some], axis=0)
            own *= self._network.from_place.scale
            np.add(self._form_rows.take(form[some], axis=0), own, out=rows[some])
        return rows

    def _run(self, rows: Floats, start: Ints, end: Ints, states: Floats) -> None:
        """Read windows, the longest first; write whole numbers to `states`.

        Both `rows` and `states` have two rows per token, one for each direction.
        """
        weights = np.stack([matrix.numbers for matrix in self._network.recurrent])
        scale = np.stack([matrix.scale for matrix in self._network.recurrent])[:, None]
        hidden = weights.shape[1]
        length = end - start
        alive = len(length) - np.searchsorted(length[::-1], np.arange(length[0]), side="right")
        state = np.zeros((DIRECTIONS, len(length), hidden), np.float32)
        cell = np.zeros_like(state)
        forward, backward = DIRECTIONS * start, DIRECTIONS * (end - 1) + 1
        for step, going in enumerate(alive.tolist()):
            moved = DIRECTIONS * step
            at = np.stack([forward[:going] + moved, backward[:going] - moved])
            gates = rows.take(at, axis=0)
            gates += (state[:, :going] @ weights) * scale
            gates = tanh(gates)
            # A sigmoid is a tangent, half as steep and half as high; the weights are halved
            # already.
            gates[..., : 3 * hidden] += 1
            gates[..., : 3 * hidden] *= 0.5
            let_in, keep, let_out, new = np.split(gates, GATES, axis=-1)
            cell = cell[:, :going]
            cell *= keep
            cell += let_in * new
            state = np.rint(tanh(cell) * let_out * LARGEST)
            states[at] = state


class _Product:
    """Multiplies rows of whole numbers by a matrix, and adds a bias."""

    def __init__(self, matrix: Matrix, bias: Floats, variant: int) -> None:
        self._matrix, self._bias = matrix, bias
        self._core, self._variant = native.CORE, variant
        if self._core is not None:
            self._layer = _layer(matrix, self._core.NETWORK_BYTES[variant])

    def rows(self, parts: Sequence[NDArray[Any]], count: int) -> Floats:
        """The products of `count` rows, whose parts are concatenated."""
        inputs = np.concatenate(
            [np.zeros((count, 0), np.int8), *parts], axis=1, dtype=np.int8, casting="unsafe"
        )
        if self._core is None or not inputs.size:
            rows = self._matrix.times(inputs.astype(np.float32))
            rows += self._bias
            return rows
        rows = np.empty((count, len(self._bias)), np.float32)
        self._core.multiply_rows(inputs, *self._layer, self._bias, rows, self._variant)
        return rows


def _layer(matrix: Matrix, size: int) -> tuple[NDArray[Any], Ints, Floats]:
    """A matrix as the compiled core reads it: weights, initial values of the sums, and scale.

    The weights have `size` bytes each, ordered by block of columns, group of rows, column and row.
    """
    together = _GROUP // size
    rows, columns = matrix.steps.shape
    steps = np.pad(matrix.steps, ((0, -rows % together), (0, -columns % _COLUMNS)))
    blocks = steps.reshape(-1, together, steps.shape[1] // _COLUMNS, _COLUMNS).transpose(2, 0, 3, 1)
    zero = _ZERO if size == 1 else 0
    begin = -zero * steps.sum(axis=0, dtype=np.int32)
    return np.ascontiguousarray(blocks, np.dtype(f"i{size}")), begin, matrix.scale
