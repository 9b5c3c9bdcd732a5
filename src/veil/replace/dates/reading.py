"""Reads the dates in a text as parts that keep their format."""

from __future__ import annotations

import re
from calendar import isleap
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from veil.replace.dates.calendar import season_of
from veil.replace.dates.grammar import folded_word, grammar
from veil.replace.dates.writing import (
    Dropped,
    Expression,
    HolidayName,
    Mention,
    NumberText,
    Ordinal,
    Part,
    Reading,
    RelativeWord,
    WordText,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from veil.replace.dates.grammar import Grammar, Holidays, Pattern
    from veil.replace.dates.writing import Writing

_LONGEST = 120
"""No date is longer than this."""

_REMEMBERED = 1 << 12
_DAY_ALONE = re.compile("[0-9]{1,2}")
_YEAR_ALONE = re.compile("[0-9]{2}")
_YEAR_MARK = re.compile(r"(?<![\w.,])[-'’]")
_FURTHEST = 12


_ANY_LEAP_YEAR = 2000
_SHORTEST_COMPACT = 6
_OF_LETTER = {"d": "day", "m": "month", "y": "short"}
_DIGITS = "0123456789"
_ENDINGS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:.º°"
_NUMBER = re.compile("[0-9]+")
_LETTERS = re.compile(r"[^\W0-9_]+")
_HIGHEST = {"month": 12, "day": 31, "week": 53}
_MONTH_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_start = attrgetter("start")

# The value of each kind of part for a day.
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


@lru_cache(_REMEMBERED)
def read(text: str, language: str) -> Expression | None:
    """Read a text to its end, or return None if a part of it cannot be read."""
    if _LONGEST < len(text):
        return None
    rules, compared = grammar(language), plain(text)
    mentions: list[Mention] = []
    position = 0
    while position < len(compared):
        hour_end = _hour_end(rules, compared, position, mentions)
        if position < hour_end:
            position = hour_end
            continue
        mention = _longest_mention(rules, text, compared, position, mentions)
        end = mention.end if mention else position
        filler_end = _filler_end(rules, compared, position) if end < len(compared) else end
        if mention is not None and filler_end <= end:
            mentions.append(mention)
        elif filler_end == position:
            return None
        position = max(end, filler_end)
    return Expression(
        text,
        tuple(mentions),
        dict(_weekdays(rules, compared, mentions)),
        frozenset(_joined(rules, compared, mentions)),
    )


def _filler_end(rules: Grammar, compared: str, position: int) -> int:
    """Return the end of the longest filler at a position."""
    matches = (filler.match(compared, position) for filler in rules.fillers)
    return max((match.end() for match in matches if match), default=position)


def _hour_end(rules: Grammar, compared: str, position: int, mentions: Sequence[Mention]) -> int:
    """Return the end of an hour without a colon, which must follow a day: 5/3 10.30."""
    if not any(mention.readings[0].has_day for mention in mentions):
        return position
    gap = compared[mentions[-1].end : position]
    hour = rules.clock_behind.match(compared, position) if gap.lstrip(")").isspace() else None
    return hour.end() if hour else position


def _longest_mention(
    rules: Grammar, text: str, compared: str, position: int, mentions: Sequence[Mention]
) -> Mention | None:
    """Return the longest date at a position; the first pattern wins among equally long ones."""
    values = mentions[-1].readings[0].values if mentions else {}
    longest: Mention | None = None
    for pattern in rules.patterns:
        if pattern.after and pattern.after not in values:
            continue
        match = pattern.regex.match(compared, position)
        if match is None or match.end() <= (longest.end if longest else position):
            continue
        longest = _mention(rules, text, match, pattern) or longest
        if longest is not None and longest.end == len(compared):
            break
    return longest


def _weekdays(
    rules: Grammar, compared: str, mentions: Sequence[Mention]
) -> Iterator[tuple[int, int]]:
    """Yield the indexes of each weekday and of its date: the next mention, or else the previous."""
    for index, mention in enumerate(mentions):
        if not mention.is_weekday:
            continue
        for other in (index + 1, index - 1):
            if not 0 <= other < len(mentions) or not mentions[other].readings[0].has_day:
                continue
            left, right = sorted((mention, mentions[other]), key=lambda found: found.start)
            if rules.beside_weekday.fullmatch(compared, left.end, right.start):
                yield index, other
                break


def _joined(rules: Grammar, compared: str, mentions: Sequence[Mention]) -> Iterator[int]:
    """Yield the indexes of mentions that form a range with the next one."""
    for index, (left, right) in enumerate(pairwise(mentions)):
        if rules.connector.fullmatch(compared, left.end, right.start):
            yield index


# -- From the match of a pattern to the parts of a date -----------------------------------------


def _mention(rules: Grammar, text: str, match: re.Match[str], pattern: Pattern) -> Mention | None:
    """Return the mention of a match, or None if no order of its numbers gives a date."""
    found = []
    for order in pattern.orders:
        reading = _Builder(rules, text, match, pattern).read(order)
        if reading is not None:
            found.append(reading)
    if not found:
        return None
    form = _LETTERS.sub("w", _NUMBER.sub(_digit, match[0]))
    return Mention(*match.span(), tuple(found), form)


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
        """Return the reading in an order of day, month and year, or None if it is no date."""
        for name, written in self._match.groupdict().items():
            kind = None if written is None else _kind(name, order)
            if written is None or kind is None:
                continue
            if name == kind or kind != "short" or len(written) == 2:
                writing = self._take(name, kind, written)
                if writing is not None:
                    self._parts.append(Part(*self._match.span(name), kind, writing))
            else:
                return None
        if self._unit:
            self._values[self._unit] = 1
        if not self._parts or not self._is_possible():
            return None
        parts = tuple(sorted(self._parts, key=_start))
        return Reading(parts, self._values, order, self._width(), self._holidays)

    def _take(self, name: str, kind: str, written: str) -> Writing | None:
        """Store the value of a group and return its writing; None if it has none."""
        source = self._text[slice(*self._match.span(name))]
        if kind in _VALUES and kind not in self._rules.words:
            return self._number(kind, written, source)
        if kind in self._rules.words:
            return self._word(kind, written, source)
        if kind in self._rules.code.parts:
            read_part = self._rules.code.parts[kind]
            number = name.removeprefix(kind)
            year, writing = read_part(self._match, number, self._text, self._unit == "decade")
            self._values.setdefault("year", year)
            return writing
        if kind == "holiday":
            self._holidays = self._rules.holidays[int(name.removeprefix("holiday"))]
            self._values["holiday"] = self._holidays.keys.index(folded_word(written))
            form = self._rules.general[self._holidays.unit]
            return HolidayName(form, self._rules.month_name, source)
        if kind == "relative":
            word = self._rules.relatives[written]
            self._values["month_offset" if word.in_months else "year_offset"] = word.offset
            return RelativeWord(word.row, word.lowest, source, word.in_months)
        if kind == "flag":
            return Dropped()
        if kind == "day_off":
            rows = self._rules.words["kanji_weekday"].rows
            return WordText(_VALUES["weekday"], rows, 0, rows[0][0], rows[0][0])
        return None

    def _number(self, kind: str, written: str, source: str) -> Writing:
        numerals = self._rules.code.numerals
        digits = written if written.isdigit() else written.rstrip(_ENDINGS)
        self._values.setdefault("year" if kind == "short" else kind, numerals.read(digits))
        script = numerals.script(source)
        if kind in ("day", "month"):
            width = _width_of(digits)
            self._widths.add(width)
            if digits != written:
                return Ordinal(script, self._rules.ordinals, source[len(digits) :])
            return NumberText(_VALUES[kind], script, width)
        of = (_OF_DECADE if self._unit == "decade" else _VALUES).get(kind, _VALUES[kind])
        return NumberText(of, script, 1 if kind in ("week", "quarter") else len(digits))

    def _word(self, kind: str, written: str, source: str) -> Writing:
        words = self._rules.words[kind]
        found = words.find(written)
        rows = found.rows[::-1] if kind == "month_word" and self._is_brief() else found.rows
        name = kind.removesuffix("_word").removeprefix("kanji_")
        self._values.setdefault(name, found.value)
        return WordText(_VALUES[name], rows, words.first, source, found.canonical, words.whole)

    def _is_brief(self) -> bool:
        """Whether the months of such a date are short: 5-May-19, 05MAY2019."""
        text = self._match[0]
        has_short_year = self._match.groupdict().get("short") is not None
        return has_short_year or (text[-1].isdigit() and " " not in text)

    def _is_possible(self) -> bool:
        values = self._values
        for name, highest in _HIGHEST.items():
            if name in values and not 0 < values[name] <= highest:
                return False
        if "month" in values and "day" in values:
            month = values["month"]
            has_leap_day = month == 2 and isleap(values.get("year", _ANY_LEAP_YEAR))
            return values["day"] <= _MONTH_DAYS[month] + has_leap_day
        return True

    def _width(self) -> int:
        if self._match[0].isdigit() and _SHORTEST_COMPACT <= len(self._match[0]):
            return 2
        return min(self._widths - {0}, default=0)


def _digit(number: re.Match[str]) -> str:
    """Return 0 for a year of four digits and 9 for any other number."""
    return "0" if len(number[0]) == 4 else "9"


@cache
def _kind(name: str, order: str) -> str | None:
    """Return the kind of part of a group; the order decides the kind of a, b and c."""
    kind = name.rstrip(_DIGITS)
    index = "abc".find(kind)
    if index < 0:
        return kind
    return _OF_LETTER[order[index]] if index < len(order) else None


def _width_of(digits: str) -> int:
    """Return the minimum number of digits that a number shows: 05 -> 2, 5 -> 1, 12 -> 0 (open)."""
    if digits.startswith("0"):
        return 2
    return 0 if digits.isdigit() and 1 < len(digits) else 1


# -- Numbers alone: the year of -09, the day of 14-16 May ---------------------------------------


def read_in_context(
    text: str, start: int, end: int, language: str, *, following: tuple[int, int] | None
) -> Expression | None:
    """Read a number with the date that follows it or the mark before it.

    A span may contain only the number, without the mark or date that explains it.
    """
    if 2 < end - start or _DAY_ALONE.fullmatch(text, start, end) is None:
        return None
    if following is not None and following[0] - end <= _FURTHEST:
        day = _day_of_range(text[start : following[1]], end - start, language)
        if day is not None:
            return day
    if _YEAR_ALONE.fullmatch(text, start, end) and _YEAR_MARK.match(text, start - 1, start):
        marked = read(text[start - 1 : end], language)
        return None if marked is None else _without_mark(marked)
    return None


def _day_of_range(text: str, length: int, language: str) -> Expression | None:
    """Return the day at the beginning of a range, with the month and year of its end."""
    whole = read(text, language)
    if whole is None or len(whole.mentions) < 2 or 0 not in whole.joined:
        return None
    first, other = whole.mentions[0].readings[0], whole.mentions[1].readings[0]
    day = first.values.get("day")
    if first.values.keys() != {"day"} or day is None or not other.values.keys() >= {"month", "day"}:
        return None
    if 1 < len(whole.mentions[1].readings):  # 11-12/5: the order of its numbers is ambiguous
        return None
    values = {key: other.values[key] for key in ("year", "month") if key in other.values}
    if other.values["day"] < day:  # 30-2 May begins in April
        years, month = divmod(values["month"] - 2, 12)
        values["month"] = month + 1
        if "year" in values:
            values["year"] += years
    mention = replace(whole.mentions[0], readings=(first.with_values({**values, "day": day}),))
    return Expression(text[:length], (mention,))


def _without_mark(marked: Expression) -> Expression | None:
    """Return a year without the character before it."""
    if len(marked.mentions) != 1 or marked.mentions[0].readings[0].values.keys() != {"year"}:
        return None
    (mention,) = marked.mentions
    readings = tuple(
        replace(
            reading,
            parts=tuple(
                part._replace(start=part.start - 1, end=part.end - 1) for part in reading.parts
            ),
        )
        for reading in mention.readings
    )
    return Expression(marked.text[1:], (Mention(0, len(marked.text) - 1, readings, mention.form),))
