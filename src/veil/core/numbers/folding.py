"""One writing of a number: half width, upper case, no separators, kanji numerals as digits."""

from __future__ import annotations

import re
import unicodedata

# What people put inside numbers: spaces, hyphens and dashes (in Japanese also the long vowel mark),
# points, slashes, brackets, apostrophes; and the invisible characters that copying leaves behind.
_SEPARATORS = dict.fromkeys(
    map(ord, " \t\r\n\f\v-./\\_()'’·・‐‒–—―−ー\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
)

_KANJI_DIGITS = {digit: str(value) for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": "0"
}
_KANJI_NUMERAL = re.compile("[〇零一二三四五六七八九十]+")
_RUN = re.compile("[0-9]+")


def fold(text: str) -> str:
    """Return the text in half width and upper case."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).upper()


def compact(text: str) -> str:
    """Return the folded text without separators; whatever else it holds stays in."""
    return fold(text).translate(_SEPARATORS)


def digits_of(text: str) -> str:
    """Return the digits of a number, or nothing where it holds more than digits and separators."""
    number = compact(text)
    return number if number.isascii() and number.isdigit() else ""


def digit_values(digits: str, *, length: int | None = None) -> list[int]:
    """Return the value of each digit, or raise ValueError where these are not such digits."""
    if not (digits.isascii() and digits.isdigit()) or (
        length is not None and len(digits) != length
    ):
        raise ValueError(f"expected {'only' if length is None else length} digits")
    return [int(digit) for digit in digits]


def number_runs(text: str) -> list[str]:
    """Return the runs of digits in a text in order, kanji numerals up to 99 among them."""
    folded = fold(text)
    if not folded.isascii():
        folded = _KANJI_NUMERAL.sub(lambda match: _kanji_number(match[0]), folded)
    return _RUN.findall(folded)


def _kanji_number(numeral: str) -> str:
    """Return 二〇一一 as 2011 and 二十三 as 23; what is written otherwise stays as it is."""
    tens, ten, units = numeral.partition("十")
    if not ten:
        return "".join(_KANJI_DIGITS[digit] for digit in numeral)
    if 1 < len(tens) or 1 < len(units) or units == "十":
        return numeral
    return f"{_KANJI_DIGITS.get(tens, '1')}{_KANJI_DIGITS.get(units, '0')}"
