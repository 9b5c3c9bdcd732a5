"""How sure one can be: intervals of measured shares, and how many records a person should read."""

from __future__ import annotations

from math import ceil, lgamma, log, sqrt
from typing import NamedTuple

CONFIDENCE = 0.95
WANTED_SHARE = 0.01
# The quantile of the normal distribution for an interval of 95 %.
_Z = 1.959963984540054
# The logarithm of how unlikely something must be; the rest is for rounding.
_UNLIKELY = log(1 - CONFIDENCE) + 1e-6


class Share(NamedTuple):
    """A share that was measured, with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int) -> Share:
    """The interval of Wilson (1927), which holds for rare events and few trials too."""
    if trials <= 0:
        return Share(0.0, 0.0, 1.0)
    share = hits / trials
    scale = 1 + _Z**2 / trials
    middle = (share + _Z**2 / (2 * trials)) / scale
    half = _Z * sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2)) / scale
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    return Share(share, low, 1.0 if hits == trials else min(1.0, middle + half))


def expected_misses(found: int, share: float) -> float | None:
    """How many spans are missed if `found` were found; nobody knows if all are missed."""
    return found * share / (1 - share) if share < 1 else None


def sample_size(records: int, *, share: float = WANTED_SHARE) -> int:
    """How many of so many records to read: if none leaks, fewer than the share do, 95 % sure.

    If as many leaked as the share allows no more, so many drawn without putting back would all be
    clean in less than 5 % of all draws.
    """
    if records <= 0:
        return 0
    leaking = ceil(share * records)
    low, high = 0, records
    while low < high:
        middle = (low + high) // 2
        if _log_all_clean(records, leaking, middle) <= _UNLIKELY:
            high = middle
        else:
            low = middle + 1
    return low


def largest_leak(records: int, read: int) -> float:
    """The largest share of leaking records that is left likely if none of those read leaks."""
    low, high = 0, records - min(read, records)
    while low < high:
        middle = (low + high + 1) // 2
        if _UNLIKELY < _log_all_clean(records, middle, read):
            low = middle
        else:
            high = middle - 1
    return low / records if records else 0.0


def _log_all_clean(records: int, leaking: int, read: int) -> float:
    """The logarithm of the chance that none of the read records is one of the leaking ones."""
    clean = records - leaking
    if clean < read:
        return -float("inf")
    return (
        lgamma(clean + 1)
        - lgamma(clean - read + 1)
        - lgamma(records + 1)
        + lgamma(records - read + 1)
    )
