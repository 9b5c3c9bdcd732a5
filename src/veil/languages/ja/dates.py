"""Japanese dates: the eras of the calendar, and numbers in kanji."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from veil.replace.dates.writing import DateLanguage, Numerals, Script

if TYPE_CHECKING:
    import re

    from veil.replace.dates.writing import Habit

_KANJI = "〇一二三四五六七八九"
_KANJI_VALUES = {character: value for value, character in enumerate(_KANJI)} | {"零": 0, "元": 1}


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
_STYLES = ("name", "short", "letter", "square")
_BY_SIGN = {getattr(era, style): (era, style) for era in ERAS for style in _STYLES}
# The distance of a full-width letter from the ordinary one.
_WIDE = 0xFEE0


def era_by_sign(sign: str) -> Era:
    """Return the era of a sign in half width: 平成, 平, H, h or ㍻."""
    return _BY_SIGN[sign.upper()][0]


def sign_like(sign: str, index: int) -> tuple[str, str]:
    """Return the sign of an era in the style of another sign, and the name of that style."""
    is_wide = _WIDE < ord(sign[0])
    narrow = chr(ord(sign) - _WIDE) if is_wide else sign
    style = _BY_SIGN[narrow.upper()][1]
    made: str = getattr(ERAS[index], style)
    if narrow.islower():
        made = made.lower()
    return (chr(ord(made) + _WIDE) if is_wide else made), style


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


class _Tens(Script):
    """Kanji with a sign for ten: 二十三."""

    def write(self, number: int, width: int = 1) -> str:
        tens, ones = divmod(number, 10)
        high = (self.digits[tens] if 1 < tens else "") + "十" if tens else ""
        return high + (self.digits[ones] if ones or not tens else "")


class _Kanji(Numerals):
    """Decimal digits and kanji."""

    pattern = "[〇零一二三四五六七八九十百]+"

    def script(self, text: str) -> Script:
        if text[0].isdecimal():
            return super().script(text)
        # A single kanji is the same with tens and without; above nine people write tens.
        return _Tens(_KANJI) if "十" in text or len(text) == 1 else Script(_KANJI)

    def read(self, text: str) -> int:
        return int(text) if text[0].isdecimal() else kanji_number(text)


_NUMERALS = _Kanji()


@dataclass(frozen=True, slots=True)
class EraYear:
    """The sign of an era, what follows it, and the year: 平成23, H.23, 令和元."""

    sign: str
    gap: str
    script: Script
    width: int
    is_decade: bool

    def value(self, when: date, base: date) -> int:
        index = era_of(when)
        number = when.year - ERAS[index].first_day.year + 1
        if self.is_decade:
            number -= number % 10
            if not number:
                raise ValueError("the first years of an era are no decade")
        return 1000 * index + number

    def text(self, value: int, habit: Habit) -> str:
        index, number = divmod(value, 1000)
        sign, style = sign_like(self.sign, index)
        year = "元" if number == 1 and style != "letter" else self.script.write(number, self.width)
        return sign + self.gap + year


def _read_era(match: re.Match[str], number: str, text: str, is_decade: bool) -> tuple[int, EraYear]:
    sign, year = f"era_sign{number}", f"era_year{number}"
    source = text[slice(*match.span(year))]
    writing = EraYear(
        text[slice(*match.span(sign))],
        text[match.end(sign) : match.start(year)],
        # The first year is written with digits unless another script can be seen.
        _NUMERALS.script("1" if source == "元" else source),
        len(source) if source.startswith(("0", "０")) else 1,
        is_decade,
    )
    return era_by_sign(match[sign]).first_day.year + _NUMERALS.read(match[year]) - 1, writing


DATES = DateLanguage(numerals=_NUMERALS, parts={"era": _read_era})
