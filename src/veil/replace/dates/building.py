"""From the match of a pattern to the parts of a date, with their values and writings."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import cache
from typing import TYPE_CHECKING

from veil.replace.dates.eras import era_by_sign
from veil.replace.dates.parts import Mention, Part, Reading
from veil.replace.dates.units import season_of
from veil.replace.dates.words import key_of
from veil.replace.dates.writing import (
    Dropped,
    EraYear,
    HolidayName,
    Number,
    Ordinal,
    RelativeWord,
    Word,
    read_number,
    script_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from veil.replace.dates.grammar import Grammar, Pattern
    from veil.replace.dates.holidays import Holidays
    from veil.replace.dates.writing import Writing

_ANY_LEAP_YEAR = 2000
_SHORTEST_COMPACT = 6
_OF_LETTER = {"d": "day", "m": "month", "y": "short"}
_DIGITS = "0123456789"
_ENDINGS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:.º°"
_NUMBER = re.compile("[0-9]+")
_LETTERS = re.compile(r"[^\W0-9_]+")
_HIGHEST = {"month": 12, "day": 31, "week": 53}

_WORD_VALUES = {
    "day_word": "day",
    "month_word": "month",
    "year_word": "year",
    "kanji_weekday": "weekday",
    "quarter_word": "quarter",
    "half_word": "half",
}

# What each kind of part says of a day.
_VALUES: dict[str, Callable[[date], int]] = {
    "year": lambda when: when.year,
    "short": lambda when: when.year % 100,
    "winter": lambda when: when.year - 1,
    "month": lambda when: when.month,
    "day": lambda when: when.day,
    "weekday": lambda when: when.weekday(),
    "week": lambda when: when.isocalendar().week,
    "season": season_of,
    "quarter": lambda when: (when.month + 2) // 3,
    "half": lambda when: int(6 < when.month),
    "third": lambda when: min(2, (when.day - 1) // 10),
    "month_week": lambda when: (when.day + 6) // 7,
}
_OF_DECADE: dict[str, Callable[[date], int]] = {
    "year": lambda when: when.year - when.year % 10,
    "short": lambda when: when.year % 100 - when.year % 10,
}


def mention_of(rules: Grammar, text: str, match: re.Match[str], pattern: Pattern) -> Mention | None:
    """The mention that a pattern found, or None where no order of its numbers gives a date."""
    readings = (_Builder(rules, text, match, pattern).read(order) for order in pattern.orders)
    found = tuple(reading for reading in readings if reading is not None)
    if not found:
        return None
    form = _LETTERS.sub("w", _NUMBER.sub(_digit, match[0]))
    return Mention(*match.span(), found, form)


class _Builder:
    """Builds one reading out of the groups of a match."""

    def __init__(self, rules: Grammar, text: str, match: re.Match[str], pattern: Pattern) -> None:
        self._rules = rules
        self._text = text
        self._match = match
        self._unit = pattern.unit
        self._parts: list[Part] = []
        self._values: dict[str, int] = {}
        self._widths: set[int] = set()
        self._holidays: Holidays | None = None

    def read(self, order: str) -> Reading | None:
        """The reading in an order of day, month and year, or None where it is no date."""
        for name, plain in self._match.groupdict().items():
            kind = _kind(name, order)
            if plain is None or kind is None:
                continue
            if name == kind or kind != "short" or len(plain) == 2:
                writing = self._take(name, kind, plain)
                if writing is not None:
                    self._parts.append(Part(*self._match.span(name), kind, writing))
            else:
                return None
        if self._unit:
            self._values[self._unit] = 1
        if not self._parts or not self._is_possible():
            return None
        parts = tuple(sorted(self._parts, key=lambda part: part.start))
        return Reading(parts, self._values, order, self._width(), self._holidays)

    def _take(self, name: str, kind: str, plain: str) -> Writing | None:
        """Note the value of a group and return its writing, None for a group without one."""
        source = self._text[slice(*self._match.span(name))]
        if kind in _VALUES and kind not in self._rules.words:
            return self._number(kind, plain, source)
        if kind in self._rules.words:
            return self._word(kind, plain, source)
        if kind == "era":
            return self._era(name.removeprefix("era"))
        if kind == "holiday":
            self._holidays = self._rules.holidays[int(name.removeprefix("holiday"))]
            self._values["holiday"] = self._holidays.index(key_of(plain))
            names = self._rules.words["month_word"].rows[0]
            return HolidayName(self._rules.general[self._holidays.unit], names, source)
        if kind == "relative":
            word = self._rules.relatives[plain]
            self._values["month_offset" if word.in_months else "year_offset"] = word.offset
            return RelativeWord(word.row, word.lowest, source, word.in_months)
        if kind == "flag":
            return Dropped()
        if kind == "day_off":
            rows = self._rules.words["kanji_weekday"].rows
            return Word(_VALUES["weekday"], rows, 0, rows[0][0], rows[0][0])
        return None

    def _number(self, kind: str, plain: str, source: str) -> Writing:
        digits = plain if plain.isdigit() else plain.rstrip(_ENDINGS)
        self._values.setdefault("year" if kind == "short" else kind, read_number(digits))
        script = script_of(source)
        if kind in ("day", "month"):
            width = _width_of(digits)
            self._widths.add(width)
            if digits != plain:
                return Ordinal(script, self._rules.language, source[len(digits) :])
            return Number(_VALUES[kind], script, width)
        of = (_OF_DECADE if self._unit == "decade" else _VALUES).get(kind, _VALUES[kind])
        return Number(of, script, 1 if kind in ("week", "quarter") else len(digits))

    def _word(self, kind: str, plain: str, source: str) -> Writing:
        words = self._rules.words[kind]
        found = words.find(plain)
        rows = found.rows[::-1] if kind == "month_word" and self._is_brief() else found.rows
        name = _WORD_VALUES.get(kind, kind)
        self._values.setdefault(name, found.value)
        return Word(_VALUES[name], rows, words.first, source, found.canonical, words.whole)

    def _era(self, number: str) -> Writing:
        sign, year = f"era_sign{number}", f"era_year{number}"
        first_year = era_by_sign(self._match[sign]).first_year
        self._values.setdefault("year", first_year + read_number(self._match[year]) - 1)
        source = self._text[slice(*self._match.span(year))]
        return EraYear(
            self._text[slice(*self._match.span(sign))],
            self._text[self._match.end(sign) : self._match.start(year)],
            # The first year is written with digits unless another script can be seen.
            script_of("1" if source == "元" else source),
            len(source) if source.startswith(("0", "０")) else 1,
            is_decade=self._unit == "decade",
        )

    def _is_brief(self) -> bool:
        """Whether the months of such a date are short: 5-May-19, 05MAY2019."""
        text = self._match[0]
        has_short_year = self._match.groupdict().get("short") is not None
        return has_short_year or (text[-1].isdigit() and " " not in text)

    def _is_possible(self) -> bool:
        values = self._values
        if any(not 0 < values.get(name, highest) <= highest for name, highest in _HIGHEST.items()):
            return False
        if "month" in values and "day" in values:
            return (
                values["day"] <= monthrange(values.get("year", _ANY_LEAP_YEAR), values["month"])[1]
            )
        return True

    def _width(self) -> int:
        if self._match[0].isdigit() and _SHORTEST_COMPACT <= len(self._match[0]):
            return 2
        return min(self._widths - {0}, default=0)


def _digit(number: re.Match[str]) -> str:
    """One digit for a number, and another one for years in full."""
    return "0" if len(number[0]) == 4 else "9"


@cache
def _kind(name: str, order: str) -> str | None:
    """The kind of part that a group holds; a, b and c take theirs from the order."""
    kind = name.rstrip(_DIGITS)
    place = "abc".find(kind)
    if place < 0:
        return kind
    return _OF_LETTER[order[place]] if place < len(order) else None


def _width_of(digits: str) -> int:
    """The least number of digits that a number shows: 05 -> 2, 5 -> 1, 12 -> 0, which is none."""
    if digits.startswith("0"):
        return 2
    return 0 if digits.isdigit() and 1 < len(digits) else 1
