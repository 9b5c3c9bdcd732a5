"""Dates made less exact: the year, the month or the decade alone."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from veil.replace.dates.calendar import put_on_calendar, unit_of
from veil.replace.dates.grammar import grammar
from veil.replace.dates.order import Order, order_among
from veil.replace.dates.reading import read

if TYPE_CHECKING:
    from veil.replace.dates.grammar import Grammar
    from veil.replace.dates.parts import Dated, Expression

Level = Literal["month", "year", "decade"]

_LEVELS = {"month": 1, "year": 3, "decade": 4}
_COARSENESS = {
    "month": 1,
    "season": 2,
    "quarter": 2,
    "half": 2,
    "year": 3,
    "fiscal": 3,
    "decade": 4,
}


def generalised(
    text: str, language: str, to: Level = "year", *, order: Order | None = None
) -> str | None:
    """Return the year, month or decade of a date: "March 5, 2019" -> "2019".

    A date that is as coarse already is unchanged. None means that the year is unknown and the text
    must be removed: dates without a year, weekdays, what is no date.
    """
    expression = read(text, language)
    if expression is None:
        return None
    dated = put_on_calendar(expression, order or order_among([expression], language), None)
    dates = [found for found in dated or () if unit_of(found.reading) != "weekday"]
    if not dates or any("year" not in found.reading.values for found in dates):
        return None
    rules, level = grammar(language), _LEVELS[to]
    if _holds_nothing_else(expression) and all(level <= _coarseness(date) for date in dates):
        return text
    written = [_written(found, level, rules) for found in dates]
    distinct = [name for name, _ in groupby(written)]
    tail = re.search(f"(?:{rules.general['tail']})*$", text)
    return rules.general["range"].join(distinct) + (tail[0] if tail else "")


def _holds_nothing_else(expression: Expression) -> bool:
    """Whether a text has no words beside its dates, such as "late" in "late 2012"."""
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
    if exactness == _LEVELS["decade"]:
        decade = year - year % 10
        return rules.general["decade"].format(decade=decade, decade_end=decade + 9)
    if exactness == _LEVELS["month"]:
        month = found.day.month
        name = rules.month_name(month)
        return rules.general["month_and_year"].format(name=name, month=month, year=year)
    return rules.general["year"].format(year=year)
