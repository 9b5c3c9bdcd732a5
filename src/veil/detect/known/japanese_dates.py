"""A known date of birth in Japanese text: 昭和23年3月12日, S23.3.12, 3月12日生まれ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.core.document import Span
from veil.detect.known.dates import (
    ERAS,
    JAPANESE_DATE,
    JAPANESE_NUMBER,
    japanese_number,
    japanese_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

_PART = re.compile(
    # What another part stands beside belongs to a whole date.
    rf"(?<!年)(?P<month>{JAPANESE_NUMBER})月\s?(?P<day>{JAPANESE_NUMBER})日"
    rf"|(?P<era>{'|'.join(ERAS)})?(?P<year>{JAPANESE_NUMBER})年(?!\s?{JAPANESE_NUMBER}月)",
    re.ASCII,
)
_BIRTH = re.compile("生|誕生")
_BEFORE, _BEHIND = 14, 4
_PARTIAL_SCORE = 0.8
_LONGEST_ERA = 65


def find_japanese_dates(text: str, dates: Sequence[date]) -> Iterator[Span]:
    """Yield dates in a text as it is compared; a part of one counts near a word of birth alone."""
    for match in JAPANESE_DATE.finditer(text):
        if text[max(0, match.start() - 1) : match.start()].isdigit():
            continue
        year, month, day = japanese_parts(match)
        if any(
            (month, day) == (known.month, known.day)
            and year in _year_numbers(known, has_era=match["era"] is not None)
            for known in dates
        ):
            yield Span(*match.span(), "DATE", 1.0, "known:date")
    for match in _PART.finditer(text):
        if _is_part(match, dates) and _is_near_birth(text, *match.span()):
            yield Span(*match.span(), "DATE", _PARTIAL_SCORE, "known:date/partial")


def _year_numbers(known: date, *, has_era: bool) -> set[int]:
    """The numbers that may stand for a year: all four digits, two of them, or those of an era."""
    if has_era:
        return {known.year}
    in_eras = {known.year - first + 1 for first in ERAS.values()}
    return {known.year, known.year % 100} | {
        number for number in in_eras if 0 < number < _LONGEST_ERA
    }


def _is_part(match: re.Match[str], dates: Sequence[date]) -> bool:
    if match["day"]:
        part = japanese_number(match["month"]), japanese_number(match["day"])
        return any(part == (known.month, known.day) for known in dates)
    year = japanese_number(match["year"])
    if match["era"]:
        year += ERAS[match["era"]] - 1
    return any(year == known.year for known in dates)


def _is_near_birth(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - _BEFORE) : start] + text[end : end + _BEHIND]
    return _BIRTH.search(around) is not None
