"""The words of a language for months, weekdays, seasons and days of the month."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.replace.dates.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Found(NamedTuple):
    """A word that was found: its value, its usual form, and the rows that have it."""

    value: int
    canonical: str
    rows: tuple[tuple[str, ...], ...]


class Words:
    """Rows of words for the numbers from `first` on.

    The first row holds whole words, the others short forms. `others` are odd words by row, which
    are read but not written. `pattern` is for all words that are known, if it is known beforehand.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        *,
        first: int = 1,
        others: Sequence[Mapping[str, int]] = (),
        pattern: str = "",
    ) -> None:
        self.first = first
        self.rows = tuple(map(tuple, rows))
        self.whole = frozenset(self.rows[0])
        self._found: dict[str, Found] = {}
        for row in self.rows:
            for value, word in enumerate(row, start=first):
                self._add(value, word, row)
        for row, odd in zip(self.rows, others, strict=False):
            for word, value in odd.items():
                self._add(value, word, row)
        self.pattern = pattern or alternation(self._found)

    def _add(self, value: int, word: str, row: tuple[str, ...]) -> None:
        known = self._found.get(key_of(word), Found(value, word, ()))
        self._found[key_of(word)] = known._replace(rows=(*known.rows, row))

    @classmethod
    def read(cls, data: Mapping[str, Any], *, first: int) -> Words:
        """The words of a data file, where _ stands for a blank inside a word."""
        rows = [[word.replace("_", " ") for word in row.split()] for row in data["rows"]]
        return cls(rows, first=first, others=data.get("others", ()))

    def find(self, word: str) -> Found:
        """What a word means."""
        return self._found[key_of(word.removesuffix("."))]


def key_of(word: str) -> str:
    """A word as it is compared."""
    return plain(word).lower()


def alternation(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first; without words one that never matches."""
    ordered = sorted(map(key_of, words), key=len, reverse=True)
    return "|".join(map(re.escape, ordered)) or "(?!)"


def spanish_years(data: Mapping[str, Any]) -> Words:
    """The years of two centuries in words: dos mil veintitrés."""
    ones = data["ones"].split()
    below_hundred = [
        *ones,
        *(
            ten + (data["join"] + ones[digit - 1] if digit else "")
            for ten in data["tens"].split()
            for digit in range(10)
        ),
    ]
    centuries = [century for _, century in sorted(data["centuries"].items())]
    years = [f"{century} {rest}".rstrip() for century in centuries for rest in ("", *below_hundred)]
    # Hundreds of years, each in many patterns, would take long to compile.
    pattern = f"(?:{alternation(centuries)})(?: (?:{alternation(below_hundred)}))?"
    return Words([years], first=int(min(data["centuries"])), pattern=pattern)
