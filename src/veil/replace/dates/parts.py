"""What is read from a text: the parts of dates, their offsets and how they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from veil.replace.dates.grammar import Holidays
    from veil.replace.dates.writing import Writing


class Part(NamedTuple):
    """A part of the text that changes with the date."""

    start: int
    end: int
    kind: str
    writing: Writing


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention.

    `values` contains year (below 100 where two digits are written), month, day, weekday,
    week, season ..., and `order` how numbers were taken: "dmy", "md" ... `width` is the least
    number of digits of its days and months, 0 if the text does not show it.
    """

    parts: tuple[Part, ...]
    values: Mapping[str, int] = field(repr=False)
    order: str = ""
    width: int = 0
    holidays: Holidays | None = None

    def part(self, kind: str) -> Part | None:
        return next((part for part in self.parts if part.kind == kind), None)

    def with_values(self, values: Mapping[str, int]) -> Reading:
        """Return the same with other values; `dataclasses.replace` takes several times as long."""
        return Reading(self.parts, values, self.order, self.width, self.holidays)

    @property
    def has_day(self) -> bool:
        return "day" in self.values

    @property
    def is_full(self) -> bool:
        """Whether it has year, month and day."""
        return {"year", "month", "day"} <= self.values.keys()


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text, full or partial.

    `form` is the text with w for each word, 0 for each year in full and 9 for each other number:
    what mentions have in common that are written in the same way.
    """

    start: int
    end: int
    readings: tuple[Reading, ...]
    form: str = ""

    @property
    def is_weekday(self) -> bool:
        """Whether it is a weekday alone, which may belong to the date beside it."""
        return self.readings[0].values.keys() <= {"weekday"}


@dataclass(frozen=True, slots=True)
class Expression:
    """A text that was read to its end; without mentions it contains no calendar date.

    `weekdays` has, for each weekday that stands beside a date, the numbers of both mentions;
    `joined` the number of each mention that the next one continues: the ends of a range.
    """

    text: str = field(repr=False)
    mentions: tuple[Mention, ...]
    weekdays: Mapping[int, int] = field(default_factory=dict)
    joined: frozenset[int] = frozenset()

    def weekday_of(self, index: int) -> int | None:
        """Return the weekday that is written beside a date."""
        for weekday, of in self.weekdays.items():
            if of == index:
                return self.mentions[weekday].readings[0].values.get("weekday")
        return None


class Dated(NamedTuple):
    """A reading with its day: the middle of a month, year, week or season.

    `base` is the date to which a relative word such as 翌年 refers, and `month_from` the mention
    out of which the month was taken: 3 has it from 5 in 3-5 May.
    """

    reading: Reading
    day: date
    base: date
    month_from: int | None
