"""A date in the many ways in which one is written."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import TYPE_CHECKING

from veil.detect.known.resources import read_data
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_TIME = re.compile(r"[T\s]\d{1,2}:\d{2}(?::\d{2})?.*$", re.DOTALL)
_THREE_NUMBERS = re.compile(r"(\d{1,4})\s*[-/.\s]\s*(\d{1,2})\s*[-/.\s]\s*(\d{1,4})\.?")
_NAMED = re.compile(
    r"(?P<before>\d{1,4})?(?:st|nd|rd|th|:?e|º|\.)?[\s/.,-]*(?:de|of|den)?[\s/.,-]*"
    r"(?P<month>[^\W\d_]{3,})\.?[\s/.,-]*(?:del?|of)?\s*"
    r"(?P<after>\d{1,4})(?:st|nd|rd|th)?(?:[\s/.,-]+(?P<last>\d{1,4}))?"
)
_COMPACT = re.compile(r"\d{6}|\d{8}")
_LONGEST_DATE = 60
_CENTURIES = (1900, 2000, 1800)

ERAS = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
"""The first year of each Japanese era."""

ERA_LETTERS = {"m": "明治", "t": "大正", "s": "昭和", "h": "平成", "r": "令和"}

_KANJI_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")}
JAPANESE_NUMBER = r"(?:\d{1,4}|[〇一二三四五六七八九十百]{1,6}|元)"
JAPANESE_DATE = re.compile(
    r"(?=[\d〇一二三四五六七八九十百元明大昭平令mtshr])"
    rf"(?P<era>{'|'.join(ERAS)}|[mtshr](?=[\s.]?\d))?[\s.]{{0,2}}(?P<year>{JAPANESE_NUMBER})\s?"
    rf"(?:年|[-./])\s?(?P<month>{JAPANESE_NUMBER})\s?(?:月|[-./])\s?"
    rf"(?P<day>{JAPANESE_NUMBER})(?:\s?日|(?!\d))",
    re.ASCII,
)


def parse_date(value: str) -> tuple[date, ...]:
    """Return the dates that a written one may mean: two where day and month may be swapped."""
    if _LONGEST_DATE < len(value):
        return ()
    written = fold(unicodedata.normalize("NFKC", _TIME.sub("", value.strip()))).strip()
    found: dict[date, None] = {}
    for year, month, day in _readings(written):
        try:
            found[date(year, month, day)] = None
        except ValueError:
            continue
    return tuple(found)


def _readings(written: str) -> Iterator[tuple[int, int, int]]:
    japanese = JAPANESE_DATE.fullmatch(written)
    if japanese and ("年" in written or japanese["era"]):
        yield japanese_parts(japanese)
        return
    if _COMPACT.fullmatch(written):
        yield from _compact_readings(written)
        return
    numbers = _THREE_NUMBERS.fullmatch(written)
    if numbers:
        yield from _numeric_readings(*numbers.groups())
        return
    named = _NAMED.fullmatch(written)
    month = _months().get(named["month"]) if named else None
    if named is not None and month is not None:
        before, after, last = named["before"], named["after"], named["last"]
        texts = [text for text in (before, after, last) if text]
        if len(texts) == 2:
            for day, year in (texts, texts[::-1]):
                for full_year in _years(year):
                    yield full_year, month, int(day)


def _compact_readings(written: str) -> Iterator[tuple[int, int, int]]:
    if len(written) == 6:
        yield from _numeric_readings(written[:2], written[2:4], written[4:])
        return
    if 1800 <= int(written[:4]) <= 2100:
        yield int(written[:4]), int(written[4:6]), int(written[6:])
    else:
        yield from _numeric_readings(written[:2], written[2:4], written[4:])


def _numeric_readings(first: str, second: str, third: str) -> Iterator[tuple[int, int, int]]:
    if 3 <= len(first):
        yield int(first), int(second), int(third)
        return
    if len(third) <= 2:
        for year in _years(first):
            yield year, int(second), int(third)
    for year in _years(third):
        yield year, int(second), int(first)
        yield year, int(first), int(second)


def _years(written: str) -> Iterator[int]:
    if len(written) == 4:
        yield int(written)
    elif len(written) == 2:
        yield from (century + int(written) for century in _CENTURIES)


def _months() -> dict[str, int]:
    return {
        fold(form): number
        for language in ("en", "es", "sv")
        for number, forms in enumerate(read_data(language)["months"], start=1)
        for form in forms
    }


def japanese_parts(match: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day of a Japanese date; a year without an era or with two digits stays so."""
    year, month, day = (japanese_number(match[part]) for part in ("year", "month", "day"))
    era = match["era"]
    if era is not None:
        year += ERAS[ERA_LETTERS.get(era, era)] - 1
    return year, month, day


def japanese_number(written: str) -> int:
    """Read 23, 二十三, 二三 or 元, the first year of an era."""
    if written == "元":
        return 1
    if written.isdigit() and written.isascii():
        return int(written)
    if not set(written) & {"十", "百"}:
        digits = [_KANJI_DIGITS[character] for character in written]
        return int("".join(map(str, digits)))
    total = current = 0
    for character in written:
        if character in "十百":
            total += max(1, current) * (10 if character == "十" else 100)
            current = 0
        else:
            current = _KANJI_DIGITS[character]
    return total + current
