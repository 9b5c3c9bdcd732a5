"""Weights of a linear model without the zeros, which are nine in ten.

A row has the weights of one feature, a column those of one tag. Sums of rows are exactly the same
whether zeros are added or left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.features.stream import Ints, Longs

# Weights this small change no decision; without them the file compresses better.
_NEGLIGIBLE = 0.04
_LARGEST = 127
_DTYPES = {"bounds": np.uint32, "tags": np.uint16, "steps": np.int8, "scale": np.float16}
_COUNTS = "packed.counts"
_SMALL_TAGS = 1 << 8
# The first rows belong to rare or missing values, which most tokens have: they are unpacked.
_FREQUENT = 2


@dataclass(frozen=True)
class PackedWeights:
    """Rows of weights: the tag of each nonzero weight, and its size in steps.

    `bounds` are the offsets of the rows among the weights, with the end of the last one; `scale` is
    the step size of each row, and `width` the number of tags.
    """

    bounds: NDArray[np.uint32]
    tags: NDArray[np.uint8] | NDArray[np.uint16]
    steps: NDArray[np.int8]
    scale: NDArray[np.float16]
    width: int

    def __post_init__(self) -> None:
        wanted = {**_DTYPES, "tags": _tag_type(self.width)}
        for name, dtype in wanted.items():
            array = getattr(self, name)
            if array.ndim != 1 or array.dtype != np.dtype(dtype):
                raise ValueError(f"packed weights need a row of {np.dtype(dtype)} as '{name}'")
        if len(self.bounds) != len(self.scale) + 1 or len(self.tags) != len(self.steps):
            raise ValueError("packed weights need bounds and a scale for each row")

    @classmethod
    def of(cls, weights: Floats) -> PackedWeights:
        """Round weights so that each fits into a byte; rounding them again changes nothing."""
        kept = np.where(np.abs(weights) < _NEGLIGIBLE, 0, weights)
        scale = (np.abs(kept).max(1) / _LARGEST).astype(np.float16)
        divisor = np.where(scale > 0, scale, 1).astype(np.float32)[:, None]
        steps = np.rint(kept / divisor).clip(-_LARGEST, _LARGEST)
        steps[np.abs(steps * divisor) < _NEGLIGIBLE] = 0  # they were not before
        return cls.of_steps(steps.astype(np.int8), np.where(steps.any(1), scale, np.float16(0)))

    @classmethod
    def of_steps(cls, steps: NDArray[np.int8], scale: NDArray[np.float16]) -> PackedWeights:
        """Remove the zeros from a full table of steps."""
        if steps.ndim != 2 or steps.dtype != np.dtype(np.int8):
            raise ValueError("packed weights need a table of bytes")
        width = steps.shape[1]
        tags = np.broadcast_to(np.arange(width, dtype=_tag_type(width)), steps.shape)
        there = (steps != 0) & (scale != 0)[:, None]
        bounds = np.concatenate(([0], np.cumsum(there.sum(1)))).astype(np.uint32)
        return cls(bounds, tags[there], steps[there], scale, width)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], width: int) -> PackedWeights:
        """Read and check the output of `arrays`; an error if a row or a tag is out of range."""
        own = {name: arrays[f"packed.{name}"] for name in _DTYPES if f"packed.{name}" in arrays}
        if "bounds" not in own:
            counts = arrays[_COUNTS]
            if not np.can_cast(counts.dtype, np.uint32):
                raise ValueError("packed weights need a row of counts of at most four bytes")
            own["bounds"] = np.concatenate(([0], np.cumsum(counts))).astype(np.uint32)
        packed = cls(**own, width=width)
        bounds, tags = packed.bounds, packed.tags
        if (
            (int(bounds[0]), int(bounds[-1])) != (0, len(tags))
            or (bounds[1:] < bounds[:-1]).any()
            or width <= tags.max(initial=0)
        ):
            raise ValueError("packed weights reach beyond their rows or tags")
        return packed

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that `of_arrays` reads, for weights that are not part of larger ones."""
        counts = np.diff(self.bounds)
        own = {f"packed.{name}": getattr(self, name) for name in _DTYPES if name != "bounds"}
        # Counts need one byte each, and compress better than bounds, which older files have.
        return {_COUNTS: counts.astype(np.min_scalar_type(counts.max(initial=0))), **own}

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.width

    def __len__(self) -> int:
        return len(self.scale)

    def __getitem__(self, rows: slice) -> PackedWeights:
        start, stop, _ = rows.indices(len(self))
        bounds = self.bounds[start : stop + 1]
        return PackedWeights(bounds, self.tags, self.steps, self.scale[rows], self.width)

    def unpacked(self) -> Floats:
        """All weights as floats."""
        weights = np.zeros(self.shape, np.float32)
        own = slice(self.bounds[0], self.bounds[-1])
        counts = np.diff(self.bounds)
        rows = np.repeat(np.arange(len(self)), counts)
        scale = np.repeat(self.scale.astype(np.float32), counts)
        weights[rows, self.tags[own]] = self.steps[own] * scale
        return weights

    @cached_property
    def _frequent(self) -> Floats:
        """The first rows as floats, and a row of zeros for all others."""
        return np.vstack([self[:_FREQUENT].unpacked(), np.zeros((1, self.width), np.float32)])

    def add(self, rows: Ints | Longs, out: Floats) -> None:
        """Add some rows to those of an array, one to each, skipping the zeros."""
        others = len(self._frequent) - 1
        out += self._frequent.take(np.minimum(rows, others), axis=0)
        where = np.flatnonzero(others <= rows)
        rows = rows[where]
        begin = self.bounds.take(rows).astype(np.int64)
        counts = self.bounds.take(rows + 1) - begin
        ends = np.cumsum(counts)
        at = np.repeat(begin - ends + counts, counts)
        at += np.arange(len(at))
        values = self.steps.take(at) * np.repeat(self.scale.take(rows).astype(np.float32), counts)
        cells = np.repeat(where * self.width, counts)
        cells += self.tags.take(at)
        out.reshape(-1)[cells] += values


def _tag_type(width: int) -> type[np.uint8 | np.uint16]:
    return np.uint8 if width <= _SMALL_TAGS else np.uint16


def add_rows(weights: Floats | PackedWeights, rows: Ints | Longs, out: Floats) -> None:
    """Add rows of weights, packed or not, to those of an array, one to each."""
    if isinstance(weights, PackedWeights):
        weights.add(rows, out)
    else:
        out += weights.take(rows, axis=0)


def unpacked(weights: Floats | PackedWeights) -> Floats:
    """The weights as floats, packed or not."""
    return weights.unpacked() if isinstance(weights, PackedWeights) else weights


def rounded(weights: Floats) -> Floats:
    """Weights as they are in a compact model; rounding them again changes nothing."""
    return PackedWeights.of(weights).unpacked()
