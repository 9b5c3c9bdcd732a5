"""Weights in a byte each: a quarter of the room of floating-point numbers.

A model has a hundred million weights or more, of which a text needs few. They stay packed as they
lie in the model's file, and are unpacked row by row where they are added up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.features.stream import Ints

# Weights this small change no decision; without them the file packs better.
_NEGLIGIBLE = 0.02
_LARGEST = 127


@dataclass(frozen=True)
class PackedWeights:
    """Rows of weights: how many steps each weight is, and how large a step of each row is."""

    steps: NDArray[np.int8]
    scale: NDArray[np.float16]

    def __post_init__(self) -> None:
        if (self.steps.dtype, self.scale.dtype) != (np.dtype(np.int8), np.dtype(np.float16)):
            raise ValueError("packed weights are bytes, each row with a scale of two bytes")
        if self.steps.ndim != 2 or self.scale.shape != self.steps.shape[:1]:
            raise ValueError("packed weights need a scale for each row")

    @classmethod
    def of(cls, weights: Floats) -> PackedWeights:
        """Round weights so that a byte holds each; rounding them again changes nothing."""
        kept = np.where(np.abs(weights) < _NEGLIGIBLE, 0, weights)
        scale = (np.abs(kept).max(1) / _LARGEST).astype(np.float16)
        divisor = np.where(scale > 0, scale, 1).astype(np.float32)[:, None]
        return cls(np.rint(kept / divisor).clip(-_LARGEST, _LARGEST).astype(np.int8), scale)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.steps.shape

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, rows: slice) -> PackedWeights:
        return PackedWeights(self.steps[rows], self.scale[rows])

    def unpacked(self) -> Floats:
        """All weights as numbers."""
        weights: Floats = self.steps.astype(np.float32)
        weights *= self.scale.astype(np.float32)[:, None]
        return weights

    def take(self, rows: Ints, out: Floats) -> None:
        """Unpack some rows into an array that is there already."""
        out[:] = self.steps.take(rows, axis=0, mode="clip")
        scale = self.scale.take(rows, mode="clip").astype(np.float32)
        # Numbers that are repeated beforehand are multiplied faster than broadcast ones.
        out *= np.repeat(scale, out.shape[1]).reshape(out.shape)


def take_rows(weights: Floats | PackedWeights, rows: Ints, out: Floats) -> None:
    """Copy rows of weights, packed or not, into an array that is there already."""
    if isinstance(weights, PackedWeights):
        weights.take(rows, out)
    else:
        np.take(weights, rows, axis=0, out=out, mode="clip")


def unpacked(weights: Floats | PackedWeights) -> Floats:
    """The weights as numbers, packed or not."""
    return weights.unpacked() if isinstance(weights, PackedWeights) else weights
