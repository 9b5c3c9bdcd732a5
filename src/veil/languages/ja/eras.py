"""The eras of the Japanese calendar, and numbers in kanji."""

from __future__ import annotations

from bisect import bisect_right
from datetime import date
from typing import NamedTuple

KANJI_DIGITS = "〇一二三四五六七八九"
_KANJI_VALUES = {character: value for value, character in enumerate(KANJI_DIGITS)} | {
    "零": 0,
    "元": 1,
}


class Era(NamedTuple):
    """An era with its first day and the signs that stand for it."""

    first_day: date
    name: str
    short: str
    letter: str
    square: str


ERAS = (
    Era(date(1868, 1, 25), "明治", "明", "M", "㍾"),
    Era(date(1912, 7, 30), "大正", "大", "T", "㍽"),
    Era(date(1926, 12, 25), "昭和", "昭", "S", "㍼"),
    Era(date(1989, 1, 8), "平成", "平", "H", "㍻"),
    Era(date(2019, 5, 1), "令和", "令", "R", "㋿"),
)
_FIRST_DAYS = [era.first_day for era in ERAS]


def era_of(when: date) -> int:
    """Return the index of the era of a day; raise ValueError before the first one."""
    index = bisect_right(_FIRST_DAYS, when) - 1
    if index < 0:
        raise ValueError("a day before the first era")
    return index


def kanji_number(numeral: str) -> int:
    """Return the value of a numeral in kanji: 八十二 and 八二 are 82, 元 is the first year."""
    total = value = 0
    for character in numeral:
        if character in "十百":
            total += max(value, 1) * (10 if character == "十" else 100)
            value = 0
        else:
            value = 10 * value + _KANJI_VALUES[character]
    return total + value


def in_kanji(number: int) -> str:
    """Return a number below one hundred in kanji: 二十三."""
    tens, ones = divmod(number, 10)
    high = (KANJI_DIGITS[tens] if 1 < tens else "") + "十" if tens else ""
    return high + (KANJI_DIGITS[ones] if ones or not tens else "")
