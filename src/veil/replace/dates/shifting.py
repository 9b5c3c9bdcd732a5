"""The action "shift": all dates of a patient moved by one secret number of days.

Birth dates and visits move by the same number of days, so ages stay correct.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING

from veil.core.document import with_changes
from veil.core.errors import InputError
from veil.replace.base import REPLACERS, SURROGATES, from_options
from veil.replace.dates.calendar import put_on_calendar, snapped
from veil.replace.dates.order import Order, order_among
from veil.replace.dates.reading import read, read_in_context

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.dates.writing import Dated, Expression, Part, Reading

    Offsets = tuple[int, int]

_LABELS = ("DATE", "TIME")
_YEAR = 365.25
# A shift nearer to whole years would leave days and months unchanged.
_LEAST_FROM_YEARS = 2
# With `keep_season` a shift is no further from whole years than this.
_MOST_FROM_YEARS = 30
# The shortest shift, and the default of the longest: five years.
_SHORTEST = 7
_LONGEST = 1826
# Dates that precede the last one of a record by more than this are births and the like.
_OLDEST_ANCHOR = timedelta(15 * 365)
_HOUR = re.compile(r"\d{1,2}[.:]\d{2}")


def shifted(
    text: str,
    language: str,
    days: int,
    *,
    anchor: date | None = None,
    order: Order | None = None,
) -> str | None:
    """Return the text with its dates shifted, or None if it cannot be read as a date.

    A date without a year is placed near the anchor. A month, season or year alone moves like its
    middle. Without an order, the text itself and the language decide.
    """
    expression = read(text, language)
    if expression is None or not expression.mentions:
        return None
    order = order or order_among([expression], language)
    dated = put_on_calendar(expression, order, anchor)
    return None if dated is None else shift_dated(expression, dated, order, days)


def shift_dated(
    expression: Expression, dated: Sequence[Dated], order: Order, days: int
) -> str | None:
    """Return the same as `shifted` for dates that have been put on the calendar."""
    distance = timedelta(days)
    try:
        moved = [snapped(found.reading, found.day + distance) for found in dated]
        changes = [
            change
            for index in range(len(dated))
            for change in _changes(expression, dated, moved, index, order, distance)
        ]
    except (ValueError, OverflowError):
        return None
    return with_changes(expression.text, sorted(changes, key=lambda change: change[:2]))


def _changes(
    expression: Expression,
    dated: Sequence[Dated],
    moved: Sequence[date],
    index: int,
    order: Order,
    distance: timedelta,
) -> Iterator[tuple[int, int, str]]:
    """Yield the offsets and the new text of each change in one mention."""
    found, when = dated[index], moved[index]
    habit = order.habit(expression.mentions[index], found.reading)
    for part in found.reading.parts:
        old = part.writing.value(found.day, found.base)
        new = part.writing.value(when, found.base + distance)
        if old != new:
            yield part.start, part.end, part.writing.text(new, habit)
    other = found.month_from
    if other is None or (when.year, when.month) == (moved[other].year, moved[other].month):
        return
    # The ends of a range no longer have the same month: 3-5 May becomes 30 April-2 May.
    day, donor = _part(found.reading, "day"), dated[other].reading
    donor_day, donor_month = _part(donor, "day"), _part(donor, "month")
    month = donor_month.writing.text(
        donor_month.writing.value(when, found.base), order.habit(expression.mentions[other], donor)
    )
    if donor_month.start < donor_day.start:
        glue = expression.text[donor_month.end : donor_day.start]
        yield day.start, day.start, month + glue
    else:
        glue = expression.text[donor_day.end : donor_month.start]
        yield day.end, day.end, glue + month


def _part(reading: Reading, kind: str) -> Part:
    return next(part for part in reading.parts if part.kind in (kind, f"{kind}_word"))


# -- The dates of a record ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Calendar:
    """The dates of a record by their offsets, on the calendar."""

    order: Order
    expressions: Mapping[Offsets, Expression | None]
    dated: Mapping[Offsets, list[Dated] | None]


class DateShifter:
    """Shifts dates in their own format.

    Relative dates ("3 days later", 入院3日目) and times of day are unchanged. A date that cannot be
    read becomes its label in brackets. `days` is a fixed number of days. Without it, the number is
    drawn from `shifts` for each patient with the key: at most `longest` days in either direction,
    whole weeks with `keep_weekday`, near to whole years with `keep_season`.
    """

    def __init__(
        self,
        *,
        days: int = 0,
        longest: int = _LONGEST,
        keep_weekday: bool = False,
        keep_season: bool = False,
    ) -> None:
        if longest < _SHORTEST:
            raise InputError(f"the option 'longest' must be at least {_SHORTEST} days")
        self._days = days
        self.shifts = [
            shift
            for shift in range(-longest, longest + 1)
            if _SHORTEST <= abs(shift)
            and _LEAST_FROM_YEARS <= _from_years(shift)
            and (not keep_weekday or shift % 7 == 0)
            and (not keep_season or _from_years(shift) <= _MOST_FROM_YEARS)
        ]
        self._memory = f"{__name__}/{days}/{longest}/{keep_weekday}/{keep_season}"

    def replace(self, case: Case, span: Span) -> str:
        calendar = case.once(_calendar)
        text = case.text(span)
        expression = calendar.expressions.get((span.start, span.end))
        if span.label == "TIME" and _HOUR.fullmatch(text):
            return text
        if expression is not None and not expression.mentions:
            return text
        dated = calendar.dated.get((span.start, span.end))
        new = None
        if expression is not None and dated is not None:
            new = shift_dated(expression, dated, calendar.order, self.days(case))
        return f"[{span.label}]" if new is None else new

    def days(self, case: Case) -> int:
        """Return the number of days by which a patient's dates move."""
        if self._days:
            return self._days
        if self._memory not in case.memory:
            case.memory[self._memory] = case.secret.draw("days").choice(self.shifts)
        days: int = case.memory[self._memory]
        return days


def _from_years(days: int) -> float:
    """Return the distance of a number of days from whole years."""
    return abs(days - _YEAR * round(days / _YEAR))


def _calendar(case: Case) -> _Calendar:
    """Return the calendar of a record."""
    language = case.language
    places = [(span.start, span.end) for span in case.spans if span.label in _LABELS]
    expressions = {
        (start, end): read_in_context(case.document.text, start, end, language, following=following)
        or read(case.document.text[start:end], language)
        for (start, end), following in zip_longest(places, places[1:])
    }
    readable = {at: found for at, found in expressions.items() if found and found.mentions}
    order = order_among(list(readable.values()), language)
    full = [day for found in readable.values() for day in _full_days(found, order)]
    oldest = max(full) - _OLDEST_ANCHOR if full else None
    # Dates before the first full date are placed near it.
    anchor = next((day for day in full if oldest is not None and oldest <= day), None)
    dated: dict[Offsets, list[Dated] | None] = {}
    for at, expression in readable.items():
        dated[at] = put_on_calendar(expression, order, anchor)
        for found in dated[at] or ():
            if found.reading.has_day and (oldest is None or oldest <= found.day):
                anchor = found.day
    return _Calendar(order, expressions, dated)


def _full_days(expression: Expression, order: Order) -> list[date]:
    """Return the days of the full dates of a text."""
    if not any(mention.readings[0].is_full for mention in expression.mentions):
        return []
    dated = put_on_calendar(expression, order, None) or []
    return [found.day for found in dated if found.reading.is_full]


REPLACERS.add("shift", from_options("shift", DateShifter))
SURROGATES.add("DATE", DateShifter().replace)
