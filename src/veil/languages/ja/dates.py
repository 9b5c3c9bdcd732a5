"""Japanese dates: the eras of the calendar, and numbers in kanji."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.languages.ja.eras import ERAS, KANJI_DIGITS, Era, era_of, in_kanji, kanji_number
from veil.replace.dates.writing import DateLanguage, Numerals, Script

if TYPE_CHECKING:
    import re
    from datetime import date

    from veil.replace.dates.writing import Habit

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


class _Tens(Script):
    """Kanji with a sign for ten: 二十三."""

    def write(self, number: int, width: int = 1) -> str:
        return in_kanji(number)


class _Kanji(Numerals):
    """Decimal digits and kanji."""

    pattern = "[〇零一二三四五六七八九十百]+"

    def script(self, text: str) -> Script:
        if text[0].isdecimal():
            return super().script(text)
        # A single kanji is the same with and without tens; above nine people write tens.
        return _Tens(KANJI_DIGITS) if "十" in text or len(text) == 1 else Script(KANJI_DIGITS)

    def read(self, text: str) -> int:
        return int(text) if text[0].isdecimal() else kanji_number(text)


_NUMERALS = _Kanji()


@dataclass(frozen=True, slots=True)
class EraYear:
    """The sign of an era, the characters after it, and the year: 平成23, H.23, 令和元."""

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
