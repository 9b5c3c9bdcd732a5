"""Known numbers, however a text groups their digits: 19480312-1234, 480312 1234, 4803121234."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.vocabulary import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.detect.known.vocabulary import Vocabulary

_SEPARATORS = frozenset(
    " \t\n\u00a0\u2007\u202f\u3000.-\u2010\u2011\u2012\u2013\u2212－/+()（）·・"
)
_MOST_SEPARATORS = 3
_MASKED = re.compile(r"[xX*•#●○＊]{2,}[\s-]*$")
_LOOK_BACK = 40
_WORDS_OF_KEY = 2
_LAST_WORD = re.compile(r"(番号|(?<![^\W\d_])[^\W\d_]+|#)[\W_]{0,3}$")

# Shorter numbers are everywhere; they count behind a key alone.
_SHORTEST = 5
# Beside shorter ones a point with a digit makes a decimal number, beside others a sentence ends.
_LONG = 7
_LAST_DIGITS = 4
_LAST_DIGITS_SCORE = 0.7


class Number(NamedTuple):
    """A known number: its label and what it is."""

    label: str
    what: str


class NumberIndex:
    """Finds known numbers at the words and digits that begin them.

    `numbers` are pairs of a writing, without separators and in lower case, and the number.
    """

    def __init__(self, numbers: Iterable[tuple[str, Number]], words: Vocabulary) -> None:
        self._vocabulary = words
        self._numbers: dict[str, Number] = {}
        self._by_last_digits: dict[str, Number] = {}
        for key, number in numbers:
            self._numbers.setdefault(key, number)
            last = key[-_LAST_DIGITS:]
            if _LONG <= len(key) and last.isdigit():
                self._by_last_digits.setdefault(last, number)
        self._beginnings = {key[:end] for key in self._numbers for end in range(1, len(key) + 1)}

    def begins(self, key: str) -> bool:
        """Whether a folded token may begin a known number, or be the last digits of one."""
        return (
            key in self._beginnings
            or key in self._by_last_digits
            or (key[:1] == "0" and key.lstrip("0") in self._beginnings)
        )

    def find(self, text: str, start: int, end: int) -> Iterator[Span]:
        """Yield the longest known number that begins with a token."""
        found = self._longest(text, start)
        if found is None:
            zeros = len(text[start:end]) - len(text[start:end].lstrip("0０"))
            found = self._longest(text, start + zeros) if 0 < zeros < end - start else None
        if found is not None:
            last, number = found
            yield Span(_opening(text, start, last), last, number.label, 1.0, f"known:{number.what}")
            return
        ending = self._by_last_digits.get(unicodedata.normalize("NFKC", text[start:end]))
        if ending is not None:
            before = text[max(0, start - _LOOK_BACK) : start]
            if self._vocabulary.ending.search(before) or _MASKED.search(before):
                source = f"known:{ending.what}/last-digits"
                yield Span(start, end, ending.label, _LAST_DIGITS_SCORE, source)

    def _longest(self, text: str, start: int) -> tuple[int, Number] | None:
        """Walk from a start over letters, digits and separators as long as a number may follow."""
        best = None
        key, position = "", start
        while True:
            place = _next_character(text, position) if key else position
            if place is None or len(text) <= place:
                return best
            key += _as_compared(text[place])
            if key not in self._beginnings:
                return best
            position = place + 1
            if key in self._numbers and self._stands_alone(text, start, position, key):
                best = position, self._numbers[key]

    def _stands_alone(self, text: str, start: int, end: int, key: str) -> bool:
        """Whether a number is no piece of a longer one, and a short one has its key before it."""
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if after[:1].isdigit() or (after[:1].isalpha() and key[-1].isalpha()):
            return False
        if re.fullmatch(r"\d[.,]", before):
            return False
        if len(key) < _LONG and re.fullmatch(r"[.,]\d", after):
            return False
        return _SHORTEST <= len(key) or self._is_announced(text, start)

    def _is_announced(self, text: str, start: int) -> bool:
        before = text[max(0, start - _LOOK_BACK) : start]
        for _ in range(_WORDS_OF_KEY):
            word = _LAST_WORD.search(before)
            if word is None:
                return False
            if key_of(word[1]) in self._vocabulary.number_words:
                return True
            before = before[: word.start()]
        return False


def _opening(text: str, start: int, end: int) -> int:
    """Take in what opens a telephone number: "+46", "(617)"."""
    before = text[start - 1 : start]
    opens = before in ("+", "＋") or (before in ("(", "（") and re.search("[)）]", text[start:end]))
    return start - 1 if before and opens else start


def _next_character(text: str, position: int) -> int | None:
    """Where the next letter or digit is, if only few separators stand before it."""
    for place in range(position, min(len(text), position + _MOST_SEPARATORS + 1)):
        if text[place] not in _SEPARATORS:
            return place
    return None


def _as_compared(character: str) -> str:
    if not character.isascii():
        character = unicodedata.normalize("NFKC", character)
    return character.lower()
