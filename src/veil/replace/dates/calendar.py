"""Dates on the calendar: their units, and the missing years and months of partial dates."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from veil.replace.dates.writing import Dated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from veil.replace.dates.order import Order
    from veil.replace.dates.writing import Expression, Reading

# The units from fine to coarse; the unit of a reading is the first one that it has.
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
# The base of records without a full date, in a year without a leap day.
_SOME_DAY = date(2002, 7, 1)
_FURTHEST_YEAR = 8
# The middles of these units are in the year that names them.
_WITHIN_YEAR = frozenset(("day", "third", "month_week", "month", "quarter", "half"))
_HALF_A_MONTH = 15
_MONTHS_AROUND = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6)


def unit_of(reading: Reading) -> str:
    """Return the unit of a reading: a day, a month, a season ..., else a weekday."""
    for unit in UNITS:
        if unit in reading.values:
            return unit
    return "weekday"


def middle(reading: Reading, year: int) -> date:
    """Return the middle of a reading's unit in a year; raise ValueError if the year lacks it."""
    unit = unit_of(reading)
    if unit == "holiday" and reading.holidays:
        return reading.holidays.on(reading.values["holiday"], year)
    return _MIDDLES[unit](year, reading.values)


def season_of(when: date) -> int:
    """0 for spring to 3 for winter, which begins in December."""
    return (when.month - 3) % 12 // 3


def snapped(reading: Reading, when: date) -> date:
    """Return the day that represents a reading's unit around a day.

    A winter belongs to the year of its January, a week to the year of its Thursday, and a Japanese
    fiscal year to the year of its October.
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


def put_on_calendar(
    expression: Expression, order: Order, anchor: date | None
) -> list[Dated] | None:
    """Return each mention with its day, or None if one of them is not on the calendar."""
    if len(expression.mentions) == 1:  # as in most texts
        reading = _in_full(order.choose(expression.mentions[0]), order)
        try:
            day = _day(reading, anchor, None)
        except (ValueError, OverflowError):
            return None
        return [Dated(reading, day, anchor or _SOME_DAY, None)]
    readings = [
        _in_full(order.choose(mention, expression.weekday_of(index)), order)
        for index, mention in enumerate(expression.mentions)
    ]
    months_from: dict[int, int] = {}
    years_from: dict[int, int] = {}
    if expression.joined:
        months_from = _share(readings, expression.joined, _lacks_month, {"month", "day"})
        years_from = _share(readings, expression.joined, _lacks_year, {"year"})
    dated: list[Dated] = []
    try:
        for index, reading in enumerate(readings):
            near = dated[-1].day if dated else anchor
            day = _day(reading, near, expression.weekday_of(index))
            dated.append(Dated(reading, day, near or _SOME_DAY, months_from.get(index)))
        for index, other in years_from.items():
            dated[index] = _in_sequence(dated[index], dated[other], is_before=index < other)
    except (ValueError, OverflowError):
        return None
    for weekday, date_index in expression.weekdays.items():
        dated[weekday] = dated[weekday]._replace(day=dated[date_index].day)
    return dated


def _in_full(reading: Reading, order: Order) -> Reading:
    """Return a reading with its year in four digits."""
    year = reading.values.get("year")
    if year is None or 100 <= year:
        return reading
    return reading.with_values({**reading.values, "year": order.full_year(year)})


def _lacks_month(values: Mapping[str, int]) -> bool:
    return not {"month", "month_offset"} & values.keys() and "day" in values


def _lacks_year(values: Mapping[str, int]) -> bool:
    known = {"year", "year_offset", "month_offset", "weekday"}
    return not known & values.keys() and not _lacks_month(values)


def _share(
    readings: list[Reading],
    joined: frozenset[int],
    lacks: Callable[[Mapping[str, int]], bool],
    needed: set[str],
) -> dict[int, int]:
    """Share values of the ends of a range: the month of 3-5 May, the year of May-June 2019.

    Return the index of the source by the index of each reading that got values.
    """
    found: dict[int, int] = {}
    to_the_left = [(index, index + 1) for index in sorted(joined, reverse=True)]
    to_the_right = [(index + 1, index) for index in sorted(joined)]
    for index, other in (*to_the_left, *to_the_right):
        mine, theirs = readings[index].values, readings[other].values
        # A year alone is the other end of a range and does not date this end.
        if lacks(mine) and needed <= theirs.keys() and theirs.keys() != {"year"}:
            given = {key: theirs[key] for key in (*needed, "year") if key in theirs}
            readings[index] = readings[index].with_values({**given, **mine})
            found[index] = found.get(other, other)
    return found


def _in_sequence(dated: Dated, other: Dated, *, is_before: bool) -> Dated:
    """Move a day to the year before or after if a range crosses the new year: Dec 30-Jan 2."""
    if dated.day == other.day or (dated.day < other.day) == is_before:
        return dated
    return dated._replace(day=middle(dated.reading, dated.day.year + (-1 if is_before else 1)))


def _day(reading: Reading, near: date | None, weekday: int | None) -> date:
    """Return the day of a reading; missing values are taken from a day near it."""
    values, base = reading.values, near or _SOME_DAY
    if reading.is_full and "month_offset" not in values:  # as most dates
        return date(values["year"], values["month"], values["day"])
    if unit_of(reading) == "weekday":
        return base + timedelta((values.get("weekday", 0) - base.weekday() + 3) % 7 - 3)
    if _lacks_month(values) or "month_offset" in values:
        return _day_of_month(reading, base, weekday)
    if "year" in values:
        return middle(reading, values["year"])
    if "year_offset" in values:
        return middle(reading, base.year + values["year_offset"])
    if weekday is None and unit_of(reading) in _WITHIN_YEAR:
        nearest = _nearest(reading, base, is_near=near is not None)
        if nearest is not None:
            return nearest
    days = sorted(
        _middles_around(reading, base, _FURTHEST_YEAR),
        key=lambda day: abs((day - base).days if near else day.year - base.year),
    )
    return next((day for day in days if weekday in (None, day.weekday())), days[0])


def _nearest(reading: Reading, base: date, *, is_near: bool) -> date | None:
    """Return the middle of a unit nearest to a day; None if that year lacks it (29 February).

    The middle in the same year is at most 365 days away, so only the adjacent years can be nearer.
    """
    try:
        same_year = middle(reading, base.year)
    except ValueError:
        return None
    if not is_near:
        return same_year
    return min(_middles_around(reading, base, 1), key=lambda day: abs((day - base).days))


def _middles_around(reading: Reading, base: date, furthest: int) -> Iterator[date]:
    """Yield the middles of a unit in the years around a day; not every year has a 29 February."""
    for year in range(base.year - furthest, base.year + furthest + 1):
        try:
            yield middle(reading, year)
        except ValueError:
            continue


def _day_of_month(reading: Reading, base: date, weekday: int | None) -> date:
    """Return the day of a reading without a month: in the month of `base`, or in the next one.

    A weekday beside the reading decides between the months around them.
    """
    values = reading.values
    ahead = values.get("month_offset")
    if ahead is None:
        ahead = int(values["day"] + _HALF_A_MONTH < base.day)
    months = 12 * base.year + base.month - 1 + ahead
    nearest = (0, 1) if weekday is None else _MONTHS_AROUND
    days = list(_days_in(reading, (months + distance for distance in nearest)))
    if not days:
        raise ValueError("no such day of a month")
    return next((day for day in days if weekday in (None, day.weekday())), days[0])


def _days_in(reading: Reading, months: Iterable[int]) -> Iterator[date]:
    """Yield the days of a reading in months counted from year 0; not every month has a 31st."""
    for number in months:
        year, month = divmod(number, 12)
        try:
            yield middle(reading.with_values({**reading.values, "month": month + 1}), year)
        except ValueError:
            continue
