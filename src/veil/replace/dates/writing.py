"""The parts of dates and how they are written: digits of all kinds, words with their case."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import re

    from veil.replace.dates.grammar import Holidays


# -- Text in the form used for comparison, with the offsets of the original -------------------


def _base(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0]


# Latin letters only: in kana a mark makes another syllable.
_ACCENTS = {
    code: base
    for code in range(0xC0, 0x250)
    if (base := _base(chr(code))) != chr(code) and base.isascii()
}
_PLAIN = (
    _ACCENTS
    | {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys(map(ord, "\u3000\xa0\u2002\u2003\u2009\u202f\t\n\r"), " ")
    | dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
    | dict.fromkeys(map(ord, "\u2018\u2019\u02bc\xb4`′"), "'")
    | dict.fromkeys(map(ord, "〜～"), "~")
)


def plain(text: str) -> str:
    """Return text without accents, with ordinary digits, letters, spaces and hyphens."""
    return text.translate(_PLAIN)


def without_accents(text: str) -> str:
    """Return text without the accents of Latin letters: miércoles -> miercoles."""
    return text if text.isascii() else text.translate(_ACCENTS)


# -- Writings ----------------------------------------------------------------------------------


class Habit(NamedTuple):
    """What a single date may leave open, and other dates of the record show.

    `width` is the minimum number of digits of days and months. `months` are the words for months,
    because May is the same in full and abbreviated.
    """

    width: int = 1
    months: tuple[str, ...] = ()


class Writing(Protocol):
    """Writes one part of a date for another date.

    `base` is the date to which a relative part such as 翌年 refers.
    """

    def value(self, when: date, base: date) -> int: ...

    def text(self, value: int, habit: Habit) -> str: ...


@dataclass(frozen=True, slots=True)
class Script:
    """The ten digits with which a number is written: 23, ２３, ٢٣."""

    digits: str = "0123456789"

    def write(self, number: int, width: int = 1) -> str:
        text = str(number).zfill(width)
        return text if self.digits[0] == "0" else "".join(self.digits[int(c)] for c in text)


_ASCII = Script()


class Numerals:
    """Reads and writes numbers in decimal digits; a language with other numerals overrides it."""

    pattern = ""
    """A pattern for numerals that are not decimal digits."""

    def script(self, text: str) -> Script:
        """Return the script of a number."""
        first = text[0]
        if first.isascii():
            return _ASCII
        zero = ord(first) - int(first)
        return Script("".join(map(chr, range(zero, zero + 10))))

    def read(self, text: str) -> int:
        """Return the value of a number."""
        return int(text)


PartReader = Callable[["re.Match[str]", str, str, bool], tuple[int, "Writing"]]
"""Reads a part of a language's own kind. The arguments are the match, the number of its group, the
text, and whether it is a decade; the result is the year and how the part is written."""


@dataclass(frozen=True)
class DateLanguage:
    """What a language cannot express in `dates.toml`: its numerals, and kinds of parts."""

    numerals: Numerals = field(default_factory=Numerals)
    parts: Mapping[str, PartReader] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number; without its own width it has the width of the habit."""

    of: Callable[[date], int]
    script: Script
    width: int = 0

    def value(self, when: date, base: date) -> int:
        return self.of(when)

    def text(self, value: int, habit: Habit) -> str:
        return self.script.write(value, self.width or habit.width)


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A day with its ending: 3rd, 3:e, 1º.

    `endings` has the endings by the last two digits, else by the last one, else "other". In them
    {written} is the old ending and {stem} the old ending without its last letter.
    """

    script: Script
    endings: Mapping[str, str]
    suffix: str

    def value(self, when: date, base: date) -> int:
        return when.day

    def text(self, value: int, habit: Habit) -> str:
        keys = (str(value % 100), str(value % 10), "other")
        form = next((self.endings[key] for key in keys if key in self.endings), "{written}")
        ending = form.format(written=self.suffix, stem=self.suffix[:-1])
        number = self.script.write(value, habit.width)
        return number + (ending.upper() if self.suffix.isupper() else ending)


@dataclass(frozen=True, slots=True)
class WordText:
    """A word of a row, with the case, accents and dot of the old word."""

    of: Callable[[date], int]
    rows: tuple[tuple[str, ...], ...]
    first: int
    source: str
    canonical: str
    # Words that never take a dot, because they are not abbreviations.
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
    """The name of a holiday, which becomes a day or a month.

    Another holiday nearby would not be as far away as the shift, and so would reveal it.
    """

    form: str
    month_name: Callable[[int], str]
    source: str

    def value(self, when: date, base: date) -> int:
        return when.toordinal()

    def text(self, value: int, habit: Habit) -> str:
        when = date.fromordinal(value)
        name = self.month_name(when.month)
        text = self.form.format(name=name, month=when.month, day=when.day)
        if self.source.isupper():
            return text.upper()
        return text.lower() if self.source.islower() else text


@dataclass(frozen=True, slots=True)
class RelativeWord:
    """A word for a year (with `in_months`, a month) relative to another date: 翌年, 同月."""

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
    """A mark of one day that is omitted on any other: the 祝 of （月・祝）."""

    def value(self, when: date, base: date) -> int:
        return when.toordinal()

    def text(self, value: int, habit: Habit) -> str:
        return ""


def as_written(form: str, source: str, canonical: str) -> str:
    """Return a form in the case and with the accents of the source (usual form: `canonical`)."""
    if source == canonical:
        return form
    if without_accents(source) == source and without_accents(canonical) != canonical:
        form = without_accents(form)
    if source.isupper() and 1 < len(source):
        return form.upper()
    if source.islower():
        return form.lower()
    return form[0].upper() + form[1:] if source[0].isupper() else form


# -- What is read: parts of dates, mentions and whole texts ------------------------------------


class Part(NamedTuple):
    """A part of the text that changes with the date."""

    start: int
    end: int
    kind: str
    writing: Writing


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention.

    `values` contains year (below 100 where two digits are written), month, day, weekday,
    week, season ..., and `order` is the order of its numbers: "dmy", "md" ... `width` is the
    minimum number of digits of its days and months, 0 if the text does not show it.
    """

    parts: tuple[Part, ...]
    values: Mapping[str, int] = field(repr=False)
    order: str = ""
    width: int = 0
    holidays: Holidays | None = None

    def part(self, kind: str) -> Part | None:
        return next((part for part in self.parts if part.kind == kind), None)

    def with_values(self, values: Mapping[str, int]) -> Reading:
        """Return a copy with other values; `dataclasses.replace` takes several times as long."""
        return Reading(self.parts, values, self.order, self.width, self.holidays)

    @property
    def has_day(self) -> bool:
        return "day" in self.values

    @property
    def is_full(self) -> bool:
        """Whether it has year, month and day."""
        values = self.values
        return "year" in values and "month" in values and "day" in values


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text, full or partial.

    `form` is its format: the text with w for each word, 0 for each year in full and 9 for each
    other number.
    """

    start: int
    end: int
    readings: tuple[Reading, ...]
    form: str = ""

    @property
    def is_weekday(self) -> bool:
        """Whether it is a weekday alone, which may belong to the date beside it."""
        return self.readings[0].values.keys() <= {"weekday"}


@dataclass(frozen=True, slots=True)
class Expression:
    """A text that was read to its end; without mentions it contains no calendar date.

    `weekdays` maps the index of each weekday beside a date to the index of that date. `joined` has
    the index of each mention that forms a range with the next one.
    """

    text: str = field(repr=False)
    mentions: tuple[Mention, ...]
    weekdays: Mapping[int, int] = field(default_factory=dict)
    joined: frozenset[int] = frozenset()

    def weekday_of(self, index: int) -> int | None:
        """Return the weekday that is written beside a date."""
        for weekday, date_index in self.weekdays.items():
            if date_index == index:
                return self.mentions[weekday].readings[0].values.get("weekday")
        return None


class Dated(NamedTuple):
    """A reading with its day: the middle of a month, year, week or season.

    `base` is the date to which a relative word such as 翌年 refers. `month_from` is the index of
    the mention that gave the month: in 3-5 May, 5 gives it to 3.
    """

    reading: Reading
    day: date
    base: date
    month_from: int | None
