"""Known numbers, however a text groups their digits: 19480312-1234, 480312 1234, 4803121234."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.vocabulary import word_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.detect.known.vocabulary import Vocabulary


_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
# Country codes have one digit (1, 7), two of these, or three.
_TWO_DIGIT_CODES = frozenset(
    """
    20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65
    66 81 82 84 86 90 91 92 93 94 95 98
    """.split()
)
_EXTENSION = r"(?:{words})\W*\d+\s*$"
_EXTENSION_WORDS = ("ext", "x")
_SHORTEST_PHONE = 6
# Without its leading zeros a number must still be long enough to be evidence.
_SHORTEST_WITHOUT_ZEROS = 5


def plain(value: str) -> str:
    """A number in the form used for comparison: letters and digits alone, in lower case."""
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKC", value)).lower()


def id_forms(value: str, words: Vocabulary) -> list[str]:
    """The forms of an identifying number: with and without century or letter."""
    key = plain(value)
    return [key, *words.part.id_forms(key), *_without_zeros(key)]


def postcode_forms(value: str, words: Vocabulary) -> list[str]:
    """The forms of a postcode: 02139-4307 is also matched by its first five digits."""
    key = plain(value)
    short = words.short_postcodes.get(str(len(key))) if key.isdigit() else None
    return [key] if short is None else [key, key[:short]]


def record_forms(value: str, words: Vocabulary) -> list[str]:
    """The forms of a record number: with and without leading zeros."""
    key = plain(value)
    return [key, *_without_zeros(key)]


def _without_zeros(key: str) -> list[str]:
    bare = key.lstrip("0")
    return [bare] if bare != key and _SHORTEST_WITHOUT_ZEROS <= len(bare) else []


def phone_forms(value: str, words: Vocabulary) -> list[str]:
    """The forms of a telephone number: with and without country code and trunk zero."""
    extension = _EXTENSION.format(words="|".join((*_EXTENSION_WORDS, *words.extension_words)))
    bare = re.sub(extension, "", value, flags=re.IGNORECASE)
    written = unicodedata.normalize("NFKC", bare).strip()
    digits = re.sub(r"\D", "", written.replace("(0)", ""))
    if len(digits.lstrip("0")) < _SHORTEST_PHONE:
        return [digits] if digits else []
    if written.startswith("+") or digits.startswith("00"):
        code, national = _split_country(digits.lstrip("0"))
    else:
        code = words.country_code
        if words.trunk_country_code and digits.startswith("0"):
            code = words.trunk_country_code
        elif len(digits) == len(code) + words.national_digits and digits.startswith(code):
            digits = digits[len(code) :]
        national = digits.lstrip("0")
    forms = [digits, national, "0" + national]
    forms += [prefix + national for prefix in (code, "00" + code, code + "0", "00" + code + "0")]
    if code == "1" and len(national) == 10:
        forms.append(national[3:])
    return [form for form in dict.fromkeys(forms) if _SHORTEST_PHONE <= len(form.lstrip("0"))]


def _split_country(digits: str) -> tuple[str, str]:
    size = 1 if digits[:1] in ("1", "7") else 2 if digits[:2] in _TWO_DIGIT_CODES else 3
    return digits[:size], digits[size:].lstrip("0")


_SEPARATORS = frozenset(
    " \t\n\u00a0\u2007\u202f\u3000.-\u2010\u2011\u2012\u2013\u2212－/+()（）·・"
)
_MOST_SEPARATORS = 3
_MASKED = re.compile(r"[xX*•#●○＊]{2,}[\s-]*$")
_LOOK_BACK = 40
_WORDS_OF_KEY = 2
_LAST_WORD = r"({unspaced}(?<![^\W\d_])[^\W\d_]+|#)[\W_]{{0,3}}$"

# Shorter numbers are everywhere; they count only after a key.
_SHORTEST = 5
# For shorter numbers a point before a digit is a decimal point, for others it ends a sentence.
_LONG = 7
_LAST_DIGITS = 4
_LAST_DIGITS_SCORE = 0.7


class KnownNumber(NamedTuple):
    """A known number: its label and the field that it comes from."""

    label: str
    what: str


class NumberIndex:
    """Finds known numbers at the words and digits that begin them.

    `numbers` are pairs of a form, without separators and in lower case, and the number.
    """

    def __init__(self, numbers: Iterable[tuple[str, KnownNumber]], words: Vocabulary) -> None:
        self._vocabulary = words
        unspaced = () if words.has_spaces else sorted(words.number_words)
        self._last_word = re.compile(
            _LAST_WORD.format(unspaced="".join(f"{re.escape(word)}|" for word in unspaced))
        )
        self._numbers: dict[str, KnownNumber] = {}
        self._by_last_digits: dict[str, KnownNumber] = {}
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

    def _longest(self, text: str, start: int) -> tuple[int, KnownNumber] | None:
        """Extend from a start over letters, digits and separators while a known number matches."""
        best = None
        key, position = "", start
        while True:
            offset = _next_character(text, position) if key else position
            if offset is None or len(text) <= offset:
                return best
            key += _as_compared(text[offset])
            if key not in self._beginnings:
                return best
            position = offset + 1
            if key in self._numbers and self._stands_alone(text, start, position, key):
                best = position, self._numbers[key]

    def _stands_alone(self, text: str, start: int, end: int, key: str) -> bool:
        """Whether a number is not part of a longer one, and a short one follows its key."""
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
            word = self._last_word.search(before)
            if word is None:
                return False
            if word_key(word[1]) in self._vocabulary.number_words:
                return True
            before = before[: word.start()]
        return False


def _opening(text: str, start: int, end: int) -> int:
    """Include the sign that opens a telephone number: "+46", "(617)"."""
    before = text[start - 1 : start]
    opens = before in ("+", "＋") or (before in ("(", "（") and re.search("[)）]", text[start:end]))
    return start - 1 if before and opens else start


def _next_character(text: str, position: int) -> int | None:
    """The offset of the next letter or digit, if only a few separators precede it."""
    for offset in range(position, min(len(text), position + _MOST_SEPARATORS + 1)):
        if text[offset] not in _SEPARATORS:
            return offset
    return None


def _as_compared(character: str) -> str:
    if not character.isascii():
        character = unicodedata.normalize("NFKC", character)
    return character.lower()
