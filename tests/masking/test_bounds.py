from __future__ import annotations

from math import ceil, comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.masking.report import expected_misses, largest_leak, sample_size, wilson


def test_known_sample_sizes() -> None:
    """For very many records it is the rule of three's 299, for few nearly all of them."""
    assert sample_size(10**8) == 299
    assert sample_size(10_000) == 294
    assert sample_size(100) == 95
    assert sample_size(1) == 1
    assert sample_size(0) == 0


@given(st.integers(1, 400))
def test_sample_is_the_smallest_that_proves_it(records: int) -> None:
    """By exact counting: so many clean records are unlikely enough, one less is not."""
    leaking = ceil(0.01 * records)
    size = sample_size(records)

    def clean(read: int) -> float:
        return comb(records - leaking, read) / comb(records, read)

    assert clean(size) <= 0.05 + 1e-6
    assert size == 0 or 0.05 < clean(size - 1)
    assert largest_leak(records, size) < 0.01


@given(st.integers(1, 300), st.integers(0, 300))
def test_largest_leak_by_counting(records: int, read: int) -> None:
    """It is the largest number of leaking records that would still pass in 5 % of all draws."""
    read = min(read, records)
    likely = [
        leaking
        for leaking in range(records - read + 1)
        if 0.05 + 1e-6 < comb(records - leaking, read) / comb(records, read)
    ]
    assert largest_leak(records, read) == pytest.approx(max(likely, default=0) / records)


def test_wilson_interval() -> None:
    """Values of the literature, and limits that make sense where nothing or all was missed."""
    share = wilson(10, 100)
    assert share.value == 0.1
    assert share.low == pytest.approx(0.0552, abs=1e-4)
    assert share.high == pytest.approx(0.1744, abs=1e-4)
    assert wilson(0, 50).low == 0.0
    assert wilson(50, 50).high == 1.0
    assert wilson(0, 0) == (0.0, 0.0, 1.0)


def test_expected_misses() -> None:
    """If a tenth is missed, 90 that were found stand for 10 that were not."""
    assert expected_misses(90, 0.1) == pytest.approx(10)
    assert expected_misses(90, 0.0) == 0.0
    assert expected_misses(90, 1.0) is None
