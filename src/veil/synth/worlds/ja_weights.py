"""Lists of words in which some come more often than others: 翌日*8."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.synth.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def weighted(name: str) -> Mapping[str, float]:
    """The entries of a Japanese list with their weights; one without a weight has one."""
    split = (entry.partition("*") for entry in words("ja", name))
    return {entry: float(weight or 1) for entry, _, weight in split}
