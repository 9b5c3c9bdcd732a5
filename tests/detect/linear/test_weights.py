"""Tests for veil.detect.linear.model."""

from __future__ import annotations

import numpy as np
import pytest

from veil.detect.linear.model import PackedWeights, take_rows, unpacked


@pytest.fixture
def weights() -> np.ndarray:
    """Rows of very different sizes, one of them empty."""
    rows = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float32)
    rows *= np.geomspace(0.01, 100, 50, dtype=np.float32)[:, None]
    rows[20] = 0
    return rows


def test_packed_weights_are_nearly_the_same(weights: np.ndarray) -> None:
    """No weight moves further than half a step of its row, or than what is negligible."""
    largest = np.abs(weights).max(1, keepdims=True)
    found = PackedWeights.of(weights).unpacked()
    assert (np.abs(found - weights) <= np.maximum(0.02, largest / 127)).all()


def test_rows_are_unpacked_where_they_are_taken(weights: np.ndarray) -> None:
    """Rows in any order, of all weights or of a part, are those of the unpacked whole."""
    packed = PackedWeights.of(weights)
    rows = np.array([3, 0, 3, 20], np.int32)
    out = np.empty((4, 7), np.float32)
    packed[10:40].take(rows, out)
    assert (out == packed.unpacked()[10 + rows]).all()
    assert len(packed[10:40]) == 30


def test_weights_are_used_alike_packed_or_not(weights: np.ndarray) -> None:
    """Who takes rows or all weights need not know how they are kept."""
    packed = PackedWeights.of(weights)
    rows = np.array([7, 49], np.int32)
    of_packed, of_plain = np.empty((2, 2, 7), np.float32)
    take_rows(packed, rows, of_packed)
    take_rows(unpacked(packed), rows, of_plain)
    assert (of_packed == of_plain).all()
    assert unpacked(weights) is weights


@pytest.mark.parametrize(
    ("steps", "scale"),
    [
        (np.zeros((3, 2), np.int16), np.zeros(3, np.float16)),
        (np.zeros((3, 2), np.int8), np.zeros(3, np.float32)),
        (np.zeros((3, 2), np.int8), np.zeros(2, np.float16)),
        (np.zeros(3, np.int8), np.zeros(3, np.float16)),
    ],
)
def test_what_is_no_packed_weights_is_refused(steps: np.ndarray, scale: np.ndarray) -> None:
    """Numbers of another kind and a scale that is missing are errors."""
    with pytest.raises(ValueError, match="packed weights"):
        PackedWeights(steps, scale)
