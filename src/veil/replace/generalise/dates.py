"""Dates to their month, year or decade, but for years that tell an age above the limit.

HIPAA's Safe Harbor method lets years stand but for "all elements of dates (including year)
indicative of such age": 45 CFR 164.514(b)(2)(i)(C). A year counts as such if it lies further back
from the latest year of the record than the limit, or if the record states such an age and the year
is too early to be the one of a visit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from veil.replace.dates.generalising import generalised
from veil.replace.dates.order import order_among
from veil.replace.dates.reading import read
from veil.replace.generalise.ages import following, oldest_age

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.dates.generalising import Level
    from veil.replace.dates.order import Order
    from veil.replace.dates.parts import Expression

# No record is written by computer before this year: what is earlier is a birth or a childhood.
_FIRST_RECORDS = 1950


@dataclass(frozen=True)
class _Times:
    """How a record writes its dates, the years of each as they are written, and old ages."""

    order: Order
    years: Mapping[Span, frozenset[int]]
    ages: frozenset[int]

    @cached_property
    def every_year(self) -> frozenset[int]:
        return frozenset().union(*self.years.values())

    @cached_property
    def latest(self) -> int:
        return max(map(self.order.full_year, self.every_year), default=0)

    def tell_old_age(self, year: int, above: int) -> bool:
        """Whether a year may tell an age above the limit."""
        full = self.order.full_year(year)
        old_ages = [age for age in self.ages if above < age]
        if full < self.latest - above or (old_ages and full < _FIRST_RECORDS):
            return True
        if not old_ages or 100 <= year:
            return False
        # Beside an age of 93, '21 is a year of birth where another date is of '14.
        apart = [(other - year) % 100 for other in self.every_year - {year}]
        return not apart or any(abs(age % 100 - years) <= 1 for age in old_ages for years in apart)


def generalised_date(case: Case, span: Span, *, to: Level, above: int) -> str | None:
    """Return the date at that level; None where it has no year or tells an age above the limit."""
    times = _times(case)
    if any(times.tell_old_age(year, above) for year in times.years[span]):
        return None
    return generalised(case.text(span), case.language, to, order=times.order)


def _times(case: Case) -> _Times:
    if __name__ not in case.memory:
        case.memory[__name__] = _read_times(case)
    times: _Times = case.memory[__name__]
    return times


def _read_times(case: Case) -> _Times:
    expressions = {
        span: read(case.text(span), case.language) for span in case.spans if span.label == "DATE"
    }
    order = order_among([found for found in expressions.values() if found], case.language)
    return _Times(
        order,
        {span: frozenset(_years(found, order)) for span, found in expressions.items()},
        frozenset(
            oldest_age(case.text(span), case.language, following=following(case, span))
            for span in case.spans
            if span.label == "AGE"
        ),
    )


def _years(expression: Expression | None, order: Order) -> Iterator[int]:
    """The years of a date, in two digits where it has no more."""
    if expression is None:
        return
    for index, mention in enumerate(expression.mentions):
        values = order.choose(mention, expression.weekday_of(index)).values
        if "year" in values:
            yield values["year"]
