"""How the parts of a date are written: digits of all kinds, words with their case, ordinals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol

from veil.replace.dates.eras import ERAS, era_of, sign_like
from veil.replace.dates.plain import without_accents

if TYPE_CHECKING:
    from collections.abc import Callable


class Habit(NamedTuple):
    """What a single date may leave open, and others of the record tell.

    `width` is the least number of digits of days and months, `months` the words for months: May is
    the same in full and in short.
    """

    width: int = 1
    months: tuple[str, ...] = ()


class Writing(Protocol):
    """Writes one part of a date as another date has it.

    `base` is the date to which a relative part such as 翌年 refers.
    """

    def value(self, when: date, base: date) -> int: ...

    def text(self, value: int, habit: Habit) -> str: ...


_KANJI = "〇一二三四五六七八九"
_KANJI_VALUES = {character: value for value, character in enumerate(_KANJI)} | {"零": 0, "元": 1}


@dataclass(frozen=True, slots=True)
class Script:
    """The digits of a number: 23, ２３, 二三, or with tens 二十三."""

    digits: str = "0123456789"
    has_tens: bool = False

    def write(self, number: int, width: int = 1) -> str:
        if self.has_tens:
            tens, ones = divmod(number, 10)
            high = (self.digits[tens] if 1 < tens else "") + "十" if tens else ""
            return high + (self.digits[ones] if ones or not tens else "")
        text = str(number).zfill(width)
        return text if self.digits[0] == "0" else "".join(self.digits[int(c)] for c in text)


_ASCII = Script()
_TENS = Script(_KANJI, has_tens=True)


def script_of(text: str) -> Script:
    """The script of a number."""
    first = text[0]
    if first.isdecimal():
        if first.isascii():
            return _ASCII
        zero = ord(first) - int(first)
        return Script("".join(map(chr, range(zero, zero + 10))))
    # A single kanji is the same with tens and without; above nine people write tens.
    return _TENS if "十" in text or len(text) == 1 else Script(_KANJI)


def read_number(text: str) -> int:
    """The value of a number in any script; 元 is the first year of an era."""
    if text[0].isdecimal():
        return int(text)
    if "十" not in text:
        return int("".join(str(_KANJI_VALUES[character]) for character in text))
    tens, _, ones = text.partition("十")
    return 10 * (_KANJI_VALUES[tens] if tens else 1) + (_KANJI_VALUES[ones] if ones else 0)


@dataclass(frozen=True, slots=True)
class Number:
    """A number; without a width of its own it has the usual one."""

    of: Callable[[date], int]
    script: Script
    width: int = 0

    def value(self, when: date, base: date) -> int:
        return self.of(when)

    def text(self, value: int, habit: Habit) -> str:
        return self.script.write(value, self.width or habit.width)


def _english_suffix(day: int) -> str:
    if 10 < day % 100 < 14:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A day with its ending: 3rd, 3:e, 1º. Spanish has one on the first of the month alone."""

    script: Script
    language: str
    suffix: str

    def value(self, when: date, base: date) -> int:
        return when.day

    def text(self, value: int, habit: Habit) -> str:
        number = self.script.write(value, habit.width)
        if self.language == "es":
            return number + (self.suffix if value == 1 else "")
        if self.language == "sv":
            ending = "a" if value % 10 in (1, 2) and value not in (11, 12) else "e"
            ending = self.suffix[:-1] + ending
        else:
            ending = _english_suffix(value)
        return number + (ending.upper() if self.suffix.isupper() else ending)


@dataclass(frozen=True, slots=True)
class Word:
    """A word out of a row, in the case, with the accents and the dot of the one it stands for."""

    of: Callable[[date], int]
    rows: tuple[tuple[str, ...], ...]
    first: int
    source: str
    canonical: str
    # Words that stand without the dot of an abbreviation, because they are none.
    whole: frozenset[str] = frozenset()

    def value(self, when: date, base: date) -> int:
        return self.of(when)

    def text(self, value: int, habit: Habit) -> str:
        row = habit.months if habit.months in self.rows else self.rows[0]
        form = row[value - self.first]
        bare = self.source.removesuffix(".")
        dot = "." if bare != self.source and form not in self.whole else ""
        return as_written(form, bare, self.canonical) + dot


@dataclass(frozen=True, slots=True)
class HolidayName:
    """The name of a holiday, for which on other days the day or the month is written.

    Another holiday near by would not be as far away as the shift is, and so would tell it.
    """

    form: str
    months: tuple[str, ...]
    source: str

    def value(self, when: date, base: date) -> int:
        return when.toordinal()

    def text(self, value: int, habit: Habit) -> str:
        when = date.fromordinal(value)
        name = self.months[when.month - 1]
        text = self.form.format(name=name, month=when.month, day=when.day)
        if self.source.isupper():
            return text.upper()
        return text.lower() if self.source.islower() else text


@dataclass(frozen=True, slots=True)
class EraYear:
    """The sign of an era, what stands behind it, and the year: 平成23, H.23, 令和元."""

    sign: str
    gap: str
    script: Script
    width: int
    is_decade: bool = False

    def value(self, when: date, base: date) -> int:
        index = era_of(when)
        number = when.year - ERAS[index].first_year + 1
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


@dataclass(frozen=True, slots=True)
class RelativeWord:
    """A word that tells the year, or with `in_months` the month, by another date: 翌年, 同月."""

    words: tuple[str, ...]
    lowest: int
    source: str
    in_months: bool = False

    def value(self, when: date, base: date) -> int:
        years = when.year - base.year
        return 12 * years + when.month - base.month if self.in_months else years

    def text(self, value: int, habit: Habit) -> str:
        index = value - self.lowest
        return self.words[index] if 0 <= index < len(self.words) else self.source


@dataclass(frozen=True, slots=True)
class Dropped:
    """What is true of one day alone and left out on any other: the 祝 of （月・祝）."""

    def value(self, when: date, base: date) -> int:
        return when.toordinal()

    def text(self, value: int, habit: Habit) -> str:
        return ""


def as_written(form: str, source: str, canonical: str) -> str:
    """A form with the case and the accents of the source, whose usual form is `canonical`."""
    if source == canonical:
        return form
    if without_accents(source) == source and without_accents(canonical) != canonical:
        form = without_accents(form)
    if source.isupper() and 1 < len(source):
        return form.upper()
    if source.islower():
        return form.lower()
    return form[0].upper() + form[1:] if source[0].isupper() else form
