"""The eras of the Japanese calendar."""

from __future__ import annotations

from bisect import bisect_right
from datetime import date
from typing import NamedTuple


class Era(NamedTuple):
    """An era with its first day and the characters that stand for it."""

    first_day: date
    name: str
    short: str
    letter: str
    square: str

    @property
    def first_year(self) -> int:
        return self.first_day.year


ERAS = (
    Era(date(1868, 1, 25), "明治", "明", "M", "㍾"),
    Era(date(1912, 7, 30), "大正", "大", "T", "㍽"),
    Era(date(1926, 12, 25), "昭和", "昭", "S", "㍼"),
    Era(date(1989, 1, 8), "平成", "平", "H", "㍻"),
    Era(date(2019, 5, 1), "令和", "令", "R", "㋿"),
)
_FIRST_DAYS = [era.first_day for era in ERAS]
_STYLES = ("name", "short", "letter", "square")
_BY_SIGN = {getattr(era, style): (era, style) for era in ERAS for style in _STYLES}
_WIDE = 0xFEE0
"""How far a full-width letter lies from the ordinary one."""


def era_by_sign(sign: str) -> Era:
    """The era of a sign: 平成, 平, H, h or ㍻; full-width letters are made narrow before."""
    return _BY_SIGN[sign.upper()][0]


def sign_like(sign: str, index: int) -> tuple[str, str]:
    """The sign of an era in the style of another sign, and the name of that style."""
    is_wide = _WIDE < ord(sign[0])
    narrow = chr(ord(sign) - _WIDE) if is_wide else sign
    style = _BY_SIGN[narrow.upper()][1]
    made: str = getattr(ERAS[index], style)
    if narrow.islower():
        made = made.lower()
    return (chr(ord(made) + _WIDE) if is_wide else made), style


def era_of(when: date) -> int:
    """The number of the era in which a day lies; a ValueError before the first one."""
    index = bisect_right(_FIRST_DAYS, when) - 1
    if index < 0:
        raise ValueError("a day before the first era")
    return index
