"""The action "shift": all dates of a patient moved by one secret number of days.

Birth dates and visits move alike, so that ages, which are intervals, stay right by themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.replace.base import REPLACERS, SURROGATES, from_options
from veil.replace.dates.beside import read_beside
from veil.replace.dates.order import Order, order_among
from veil.replace.dates.placing import place
from veil.replace.dates.reading import read
from veil.replace.dates.shifting import shift_placed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.dates.parts import Expression, Placed

    Place = tuple[int, int]

_LABELS = ("DATE", "TIME")
_YEAR = 365.25
# A shift nearer to whole years would leave days and months as they are.
_LEAST_FROM_YEARS = 2
# With `keep_season` a shift is no further from whole years than this.
_MOST_FROM_YEARS = 30
# No shift is shorter than this, and none longer, unless the policy says so: five years.
_SHORTEST = 7
_LONGEST = 1826
# Dates that are older than the last one of a record by more say nothing of the others: births.
_OLDEST_ANCHOR = timedelta(15 * 365)
_HOUR = re.compile(r"\d{1,2}[.:]\d{2}")


@dataclass(frozen=True)
class _Calendar:
    """The dates of a record by their places, each put on the calendar with those before it."""

    order: Order
    expressions: Mapping[Place, Expression | None]
    placed: Mapping[Place, list[Placed] | None]


class DateShifter:
    """Shifts dates in their own writing.

    What is relative ("3 days later", 入院3日目) and times of day stay as they are. A date that
    cannot be read becomes its label in brackets. `days` is a fixed number of days; without it the
    number is drawn with the key for each patient out of `shifts`: at most `longest` days to either
    side, whole weeks with `keep_weekday`, near to whole years with `keep_season`.
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
        calendar = _calendar_of(case)
        text = case.text(span)
        expression = calendar.expressions.get((span.start, span.end))
        if span.label == "TIME" and _HOUR.fullmatch(text):
            return text
        if expression is not None and not expression.mentions:
            return text
        placed = calendar.placed.get((span.start, span.end))
        new = None
        if expression is not None and placed is not None:
            new = shift_placed(expression, placed, calendar.order, self.days(case))
        return f"[{span.label}]" if new is None else new

    def days(self, case: Case) -> int:
        """The number of days by which a patient's dates move."""
        if self._days:
            return self._days
        if self._memory not in case.memory:
            case.memory[self._memory] = case.secret.draw("days").choice(self.shifts)
        days: int = case.memory[self._memory]
        return days


def _from_years(days: int) -> float:
    """How far a number of days is from whole years."""
    return abs(days - _YEAR * round(days / _YEAR))


def _calendar_of(case: Case) -> _Calendar:
    """The calendar of a record, which is made once."""
    known = case.memory.get(__name__)
    if not isinstance(known, _Calendar):
        known = case.memory[__name__] = _made_calendar(case)
    return known


def _made_calendar(case: Case) -> _Calendar:
    language = case.language
    places = [(span.start, span.end) for span in case.spans if span.label in _LABELS]
    expressions = {
        (start, end): read_beside(case.document.text, start, end, language, following=following)
        or read(case.document.text[start:end], language)
        for (start, end), following in zip_longest(places, places[1:])
    }
    readable = {at: found for at, found in expressions.items() if found and found.mentions}
    order = order_among(list(readable.values()), language)
    full = [day for found in readable.values() for day in _full_days(found, order)]
    oldest = max(full) - _OLDEST_ANCHOR if full else None
    # Before the first full date the nearest one is the first.
    anchor = next((day for day in full if oldest is not None and oldest <= day), None)
    placed: dict[Place, list[Placed] | None] = {}
    for at, expression in readable.items():
        placed[at] = place(expression, order, anchor)
        for found in placed[at] or ():
            if found.reading.has_day and (oldest is None or oldest <= found.day):
                anchor = found.day
    return _Calendar(order, expressions, placed)


def _full_days(expression: Expression, order: Order) -> list[date]:
    """The days that a text tells without help."""
    if not any(mention.readings[0].is_full for mention in expression.mentions):
        return []
    placed = place(expression, order, None) or []
    return [found.day for found in placed if found.reading.is_full]


REPLACERS.add("shift", from_options("shift", DateShifter))
SURROGATES.add("DATE", DateShifter().replace)
