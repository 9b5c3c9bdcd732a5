"""Dates to their month, year or decade, except years that reveal an age above the limit.

HIPAA's Safe Harbor method keeps years except "all elements of dates (including year) indicative of
such age": 45 CFR 164.514(b)(2)(i)(C). The record is judged as a whole. A year reveals such an age

- if it is further before the reference year than the limit, with or without a word for birth: two
  dates that far apart reveal the age of a person who lived through both;
- if it is a birth year of two digits and one of the two centuries that it may mean does so;
- if the record states such an age and the year is too early to be that of a visit.

The reference year is the latest year of the record, birth years excluded. If that is before
`_FIRST_DATED`, or if the record has no other year, the reference is `_LATEST_REFERENCE`. The
current date is not used: the same input gives the same output on every day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from veil.core.document import YEARS
from veil.replace.dates.calendar import put_on_calendar, unit_of
from veil.replace.dates.grammar import grammar
from veil.replace.dates.order import Order, order_among
from veil.replace.dates.reading import read
from veil.replace.generalise.ages import age_language, following, oldest_age

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.dates.grammar import Grammar
    from veil.replace.dates.writing import Dated, Expression

Level = Literal["month", "year", "decade"]

_COARSENESS = {
    "month": 1,
    "season": 2,
    "quarter": 2,
    "half": 2,
    "year": 3,
    "fiscal": 3,
    "decade": 4,
}
# No record was written on a computer before this year: earlier years are births or childhoods.
_FIRST_RECORDS = 1950
# A latest year before this is probably part of the history and not the date of the record.
_FIRST_DATED = 2000
# The reference for records without a date of their own. It is in the future, so that until then no
# birth year that is kept reveals an age above 89.
_LATEST_REFERENCE = 2035
# How many characters on either side of a date are searched for a word for birth.
_BESIDE = 40


@dataclass(frozen=True)
class _Times:
    """The order of dates in a record, the years of each date, births and ages."""

    order: Order
    years: Mapping[Span, frozenset[int]]
    births: frozenset[Span]
    ages: frozenset[int]
    beside: frozenset[int] = frozenset()  # years of the record that are not in its text

    @cached_property
    def every_year(self) -> frozenset[int]:
        return frozenset().union(*self.years.values())

    @cached_property
    def reference(self) -> int:
        """The year in which the record was probably written."""
        others = (years for span, years in self.years.items() if span not in self.births)
        latest = max(map(self.order.full_year, self.beside.union(*others)), default=0)
        return latest if _FIRST_DATED <= latest else _LATEST_REFERENCE

    def reveals_old_age(self, span: Span, above: int) -> bool:
        """Whether a date may reveal an age above the limit."""
        earliest = self.reference - above
        old_ages = [age for age in self.ages if above < age]
        return any(
            full < earliest or (old_ages and full < _FIRST_RECORDS)
            for year in self.years[span]
            for full in self._full_years(year, span)
        ) or any(self._is_birth_of(old_ages, year) for year in self.years[span] if year < 100)

    def _full_years(self, year: int, span: Span) -> list[int]:
        """Return the years that a number may mean: a birth in '19 may be in 1919 or 2019."""
        if 100 <= year or span not in self.births:
            return [self.order.full_year(year)]
        return [1900 + year] + [2000 + year] * (2000 + year <= self.reference)

    def _is_birth_of(self, old_ages: list[int], year: int) -> bool:
        """Whether a year fits an old age: '21 is a birth if the record has 93 and the year '14."""
        apart = [(other - year) % 100 for other in self.every_year - {year}]
        return bool(old_ages) and (
            not apart or any(abs(age % 100 - years) <= 1 for age in old_ages for years in apart)
        )


def generalised_date(case: Case, span: Span, *, to: Level, above: int) -> str | None:
    """Return the date at a level; None if it has no year or reveals an age above the limit."""
    times = case.once(_read_times)
    if times.reveals_old_age(span, above):
        return None
    return generalised(case.text(span), case.language, to, order=times.order)


def _read_times(case: Case) -> _Times:
    expressions = {
        span: read(case.text(span), case.language) for span in case.spans if span.label == "DATE"
    }
    order = order_among([found for found in expressions.values() if found], case.language)
    return _Times(
        order,
        {span: frozenset(_years(found, order)) for span, found in expressions.items()},
        frozenset(span for span in expressions if _is_birth(case, span)),
        frozenset(
            oldest_age(case.text(span), case.language, following=following(case, span))
            for span in case.spans
            if span.label == "AGE"
        ),
        frozenset(case.document.meta.get(YEARS, ())),
    )


def _is_birth(case: Case, span: Span) -> bool:
    text = case.document.text
    before = text[max(0, span.start - _BESIDE) : span.start]
    return age_language(case.language).is_birth(before, text[span.end : span.end + _BESIDE])


def _years(expression: Expression | None, order: Order) -> Iterator[int]:
    """Yield the years of a date; those of two digits are below 100."""
    if expression is None:
        return
    for index, mention in enumerate(expression.mentions):
        values = order.choose(mention, expression.weekday_of(index)).values
        if "year" in values:
            yield values["year"]


# -- One date ----------------------------------------------------------------------------------


def generalised(
    text: str, language: str, to: Level = "year", *, order: Order | None = None
) -> str | None:
    """Return the year, month or decade of a date: "March 5, 2019" -> "2019".

    A date that is already as coarse is unchanged. None means that the year is unknown and the text
    must be removed: a date without a year, a weekday, or a text that is not a date.
    """
    expression = read(text, language)
    if expression is None:
        return None
    dated = put_on_calendar(expression, order or order_among([expression], language), None)
    dates = [found for found in dated or () if unit_of(found.reading) != "weekday"]
    if not dates or any("year" not in found.reading.values for found in dates):
        return None
    rules, level = grammar(language), _COARSENESS[to]
    if _holds_nothing_else(expression) and all(level <= _coarseness(date) for date in dates):
        return text
    written = [_written(found, level, rules) for found in dates]
    distinct = [name for name, _ in groupby(written)]
    tail = re.search(f"(?:{rules.general['tail']})*$", text)
    return rules.general["range"].join(distinct) + (tail[0] if tail else "")


def _holds_nothing_else(expression: Expression) -> bool:
    """Whether a text has no words besides its dates, unlike "late 2012"."""
    mentions = expression.mentions
    return (
        mentions[0].start == 0
        and mentions[-1].end == len(expression.text)
        and len(expression.joined) == len(mentions) - 1
    )


def _coarseness(found: Dated) -> int:
    return _COARSENESS.get(unit_of(found.reading), 0)


def _written(found: Dated, level: int, rules: Grammar) -> str:
    """Return a date at a level of coarseness, or at its own level if that is coarser."""
    year = found.reading.values["year"]
    exactness = max(level, _coarseness(found))
    if exactness == _COARSENESS["decade"]:
        decade = year - year % 10
        return rules.general["decade"].format(decade=decade, decade_end=decade + 9)
    if exactness == _COARSENESS["month"]:
        month = found.day.month
        name = rules.month_name(month)
        return rules.general["month_and_year"].format(name=name, month=month, year=year)
    return rules.general["year"].format(year=year)
