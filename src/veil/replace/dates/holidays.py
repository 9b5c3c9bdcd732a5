"""Days that are known by a name, fixed or movable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from veil.replace.dates.words import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@lru_cache(maxsize=512)
def easter(year: int) -> date:
    """Easter Sunday of a year, by the computus of the Gregorian calendar."""
    century, of_century = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    moon -= (moon == 29) or (moon == 28 and 10 < year % 19)
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - moon - of_century % 4) % 7
    return date(year, 3, 22) + timedelta(moon + weekday)


def read_rule(rule: str) -> Callable[[int], date]:
    """The day of a year that a rule names.

    "12-25" is that day, "easter-2" two days before Easter, and "thu 11-22" the first Thursday from
    22 November on, which is the fourth of the month.
    """
    if rule.startswith("easter"):
        offset = timedelta(int(rule.removeprefix("easter") or 0))
        return lambda year: easter(year) + offset
    weekday, _, month_day = rule.rpartition(" ")
    month, day = map(int, month_day.split("-"))
    if not weekday:
        return lambda year: date(year, month, day)
    index = _WEEKDAYS.index(weekday)

    def from_day(year: int) -> date:
        earliest = date(year, month, day)
        return earliest + timedelta((index - earliest.weekday()) % 7)

    return from_day


@dataclass(frozen=True, slots=True)
class Holidays:
    """Holidays of one kind: those of a day, or of a week or more (`unit` is "day" or "month")."""

    unit: str
    rules: tuple[Callable[[int], date], ...]
    keys: tuple[str, ...]

    @classmethod
    def of(cls, unit: str, rules: Mapping[str, str]) -> Holidays:
        keys = tuple(map(key_of, rules))
        return cls(unit, tuple(map(read_rule, rules.values())), keys)

    def index(self, key: str) -> int:
        """The number of a holiday by its name as it is compared."""
        return self.keys.index(key)

    def on(self, index: int, year: int) -> date:
        """The day of a holiday in a year."""
        return self.rules[index](year)
