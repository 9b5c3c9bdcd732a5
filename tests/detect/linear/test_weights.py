"""Tests for veil.detect.linear.weights."""

from __future__ import annotations

import numpy as np
import pytest

from veil.detect.linear.weights import PackedWeights, add_rows, rounded, unpacked


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
    assert (np.abs(found - weights) <= np.maximum(0.04, largest / 127)).all()


def test_rows_are_added_without_the_zeros(weights: np.ndarray) -> None:
    """Rows in any order, of all weights or of a part, are those of the unpacked whole."""
    packed = PackedWeights.of(weights)
    rows = np.array([3, 0, 3, 20], np.int32)
    out = np.ones((4, 7), np.float32)
    packed[10:40].add(rows, out)
    assert (out == 1 + packed.unpacked()[10 + rows]).all()
    assert (packed[10:40].unpacked() == packed.unpacked()[10:40]).all()
    assert packed[10:40].shape == (30, 7)


def test_weights_are_used_alike_packed_or_not(weights: np.ndarray) -> None:
    """Packed and plain weights give the same rows and the same whole."""
    packed = PackedWeights.of(weights)
    rows = np.array([7, 49], np.int32)
    of_packed, of_plain = np.zeros((2, 2, 7), np.float32)
    add_rows(packed, rows, of_packed)
    add_rows(unpacked(packed), rows, of_plain)
    assert (of_packed == of_plain).all()
    assert unpacked(weights) is weights


def test_more_tags_than_a_byte_numbers() -> None:
    """A scheme of very many labels is packed like others."""
    weights = np.eye(300, dtype=np.float32)
    packed = PackedWeights.of(weights)
    assert np.allclose(packed.unpacked(), weights, rtol=1e-3)
    assert (PackedWeights.of_arrays(packed.arrays(), 300).unpacked() == packed.unpacked()).all()


def test_files_with_bounds_are_read() -> None:
    """Models of earlier versions have bounds in place of counts."""
    packed = PackedWeights.of(np.array([[1, 1], [0, 0], [0, 1]], np.float32))
    arrays = packed.arrays()
    assert arrays.pop("packed.counts").tolist() == [2, 0, 1]
    again = PackedWeights.of_arrays({**arrays, "packed.bounds": packed.bounds}, 2)
    assert (again.unpacked() == packed.unpacked()).all()


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("steps", np.zeros(3, np.int16)),
        ("steps", np.zeros((3, 1), np.int8)),
        ("steps", np.zeros(2, np.int8)),
        ("scale", np.ones(2, np.float32)),
        ("scale", np.ones(3, np.float16)),
        ("tags", np.array([0, 1, 2], np.uint8)),
        ("tags", np.array([0, 1, 1], np.uint16)),
        ("bounds", np.array([0, 2, 4], np.uint32)),
        ("bounds", np.array([1, 2, 3], np.uint32)),
        ("bounds", np.array([0, 4, 3], np.uint32)),
        ("bounds", np.array([0, 3], np.uint32)),
        ("bounds", np.zeros(0, np.uint32)),
        ("counts", np.array([2, 2], np.uint8)),
        ("counts", np.array([3], np.uint8)),
        ("counts", np.array([1, 2**32 + 2], np.uint64)),
    ],
)
def test_what_is_no_packed_weights_is_refused(name: str, array: np.ndarray) -> None:
    """Numbers of another kind, and rows or tags beyond the last, are errors."""
    arrays = PackedWeights.of(np.array([[1, 1], [0, 1]], np.float32)).arrays()
    with pytest.raises((ValueError, IndexError)):
        PackedWeights.of_arrays({**arrays, f"packed.{name}": array}, 2)


def test_rounding_twice_is_rounding_once() -> None:
    """Rounded weights stay as they are when they are rounded or saved compactly."""
    weights = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float32)
    once = rounded(weights)
    assert np.array_equal(rounded(once), once)
    assert np.abs(once - weights).max() < 0.04 + np.abs(weights).max() / 100
