"""Searching a text for many strings in one pass, however many there are."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST = 2
"""Strings have at least so many characters: the first two are looked up at each place."""


class Strings:
    """Strings to be searched for together."""

    def __init__(self, strings: Iterable[str]) -> None:
        self._strings = frozenset(strings)
        lengths: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
        for string in self._strings:
            if len(string) < SHORTEST:
                raise ValueError(f"a string to search for has at least {SHORTEST} characters")
            lengths[tuple(string[:SHORTEST])].add(len(string))
        self._lengths = {head: sorted(each, reverse=True) for head, each in lengths.items()}

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
        """Yield where a string stands and which, from left to right, the longest first."""
        end = len(text) if end is None else end
        get = self._lengths.get
        for place, head in enumerate(pairwise(text[start:end]), start):
            lengths = get(head)
            if lengths is None:
                continue
            for length in lengths:
                if place + length <= end:
                    found = text[place : place + length]
                    if found in self._strings:
                        yield place, found
