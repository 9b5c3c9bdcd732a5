"""Searching a text for many strings in one pass, however many there are."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST = 2
"""Minimum length of a string: candidates are looked up by their first two characters."""


class Strings:
    """Strings to be searched for together; `before` is a pattern for what precedes them."""

    def __init__(self, strings: Iterable[str], *, before: str = "") -> None:
        self._strings = frozenset(strings)
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for string in self._strings:
            if len(string) < SHORTEST:
                raise ValueError(f"a string to search for has at least {SHORTEST} characters")
            lengths[string[:SHORTEST]].add(len(string))
        self._lengths = {head: sorted(each, reverse=True) for head, each in lengths.items()}
        first, second = (_one_of(head[place] for head in lengths) for place in range(SHORTEST))
        self._head = re.compile(f"{before}{first}(?={second})")

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
        """Yield offset and string of each match from left to right, the longest first."""
        end = len(text) if end is None else end
        for match in self._head.finditer(text, start, end):
            place = match.start()
            for length in self._lengths.get(text[place : place + SHORTEST], ()):
                if place + length <= end:
                    found = text[place : place + length]
                    if found in self._strings:
                        yield place, found


def _one_of(characters: Iterable[str]) -> str:
    """A pattern for one of these characters; it matches nothing if there are none."""
    escaped = "".join(sorted({re.escape(character) for character in characters}))
    return f"[{escaped}]" if escaped else "(?!)"
