"""Days, months, seasons, years: the middle of each, and the one in which a day lies."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from veil.replace.dates.parts import Reading

# The first of these that a reading has is its unit, the finest first.
UNITS = (
    *("day", "third", "month_week", "month", "week", "holiday", "season", "quarter", "half"),
    *("fiscal", "decade", "year"),
)
_SEASON_MONTHS = (4, 7, 10, 1)
_MIDDLES: dict[str, Callable[[int, Mapping[str, int]], date]] = {
    "day": lambda year, values: date(year, values["month"], values["day"]),
    "third": lambda year, values: date(year, values["month"], 5 + 10 * values["third"]),
    "month_week": lambda year, values: date(
        year, values["month"], min(28, 7 * values["month_week"] - 3)
    ),
    "month": lambda year, values: date(year, values["month"], 15),
    "week": lambda year, values: date.fromisocalendar(year, values["week"], 4),
    "season": lambda year, values: date(year, _SEASON_MONTHS[values["season"]], 15),
    "quarter": lambda year, values: date(year, 3 * values["quarter"] - 1, 15),
    "half": lambda year, values: date(year, (4, 10)[values["half"]], 1),
    "fiscal": lambda year, values: date(year, 10, 1),
    "decade": lambda year, values: date(year + 5, 1, 1),
    "year": lambda year, values: date(year, 7, 2),
}


def unit_of(reading: Reading) -> str:
    """What a reading tells: a day, a month, a season ...; what is left is a weekday."""
    for unit in UNITS:
        if unit in reading.values:
            return unit
    return "weekday"


def middle(reading: Reading, year: int) -> date:
    """The middle of what a reading tells, in a year; a ValueError where the year lacks it."""
    unit = unit_of(reading)
    if unit == "holiday" and reading.holidays:
        return reading.holidays.on(reading.values["holiday"], year)
    return _MIDDLES[unit](year, reading.values)


def season_of(when: date) -> int:
    """0 for spring to 3 for winter, which begins in December."""
    return (when.month - 3) % 12 // 3


def snapped(reading: Reading, when: date) -> date:
    """The day that stands for a reading's unit around a day.

    A winter counts to the year of its January, a week to that of its Thursday, the year of
    Japanese schools and budgets to that of its October.
    """
    unit = unit_of(reading)
    if unit == "season":
        season = season_of(when)
        return date(when.year + (when.month == 12), _SEASON_MONTHS[season], 15)
    if unit == "week":
        return when + timedelta(3 - when.weekday())
    if unit == "fiscal":
        return date(when.year - (when.month < 4), 10, 1)
    return when
