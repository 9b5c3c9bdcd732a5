"""Dates shifted by a number of days, in the very same writing."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from veil.replace.dates.order import Order, order_among
from veil.replace.dates.placing import place
from veil.replace.dates.reading import read
from veil.replace.dates.units import snapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from veil.replace.dates.parts import Expression, Part, Placed, Reading


def shifted(
    text: str,
    language: str,
    days: int,
    *,
    anchor: date | None = None,
    order: Order | None = None,
) -> str | None:
    """The text with its dates shifted, or None where it cannot be read as a date.

    A date without a year lies near the anchor. A month, season or year alone moves as its middle
    does. Without an order the text itself and the habits of its language decide.
    """
    expression = read(text, language)
    if expression is None or not expression.mentions:
        return None
    order = order or order_among([expression], language)
    placed = place(expression, order, anchor)
    return None if placed is None else shift_placed(expression, placed, order, days)


def shift_placed(
    expression: Expression, placed: Sequence[Placed], order: Order, days: int
) -> str | None:
    """As `shifted`, of what has been put on the calendar."""
    distance = timedelta(days)
    try:
        moved = [snapped(found.reading, found.day + distance) for found in placed]
        changes = [
            change
            for index in range(len(placed))
            for change in _changes(expression, placed, moved, index, order, distance)
        ]
    except (ValueError, OverflowError):
        return None
    pieces, position = [], 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        pieces += [expression.text[position:start], new]
        position = end
    return "".join([*pieces, expression.text[position:]])


def _changes(
    expression: Expression,
    placed: Sequence[Placed],
    moved: Sequence[date],
    index: int,
    order: Order,
    distance: timedelta,
) -> Iterator[tuple[int, int, str]]:
    """What to write where for one mention."""
    found, when = placed[index], moved[index]
    habit = order.habit(expression.mentions[index], found.reading)
    for part in found.reading.parts:
        old = part.writing.value(found.day, found.base)
        new = part.writing.value(when, found.base + distance)
        if old != new:
            yield part.start, part.end, part.writing.text(new, habit)
    other = found.month_from
    if other is None or (when.year, when.month) == (moved[other].year, moved[other].month):
        return
    # The ends of a range have no longer the same month: 3-5 May becomes 30 April-2 May.
    day, donor = _day_part(found.reading), placed[other].reading
    donor_day, donor_month = _day_part(donor), _month_part(donor)
    month = donor_month.writing.text(
        donor_month.writing.value(when, found.base), order.habit(expression.mentions[other], donor)
    )
    if donor_month.start < donor_day.start:
        glue = expression.text[donor_month.end : donor_day.start]
        yield day.start, day.start, month + glue
    else:
        glue = expression.text[donor_day.end : donor_month.start]
        yield day.end, day.end, glue + month


def _day_part(reading: Reading) -> Part:
    return next(part for part in reading.parts if part.kind in ("day", "day_word"))


def _month_part(reading: Reading) -> Part:
    return next(part for part in reading.parts if part.kind in ("month", "month_word"))
