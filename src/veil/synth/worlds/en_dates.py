# mypy: ignore-errors
"""Dates in English, in all their writings."""

from __future__ import annotations

import re
from datetime import date, timedelta

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.world import Request
from veil.synth.worlds.en_country import English

_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_SHORT_DAYS = (
    *(("Mon",), ("Tue", "Tues"), ("Wed", "Weds"), ("Thu", "Thurs"), ("Fri",), ("Sat",), ("Sun",)),
)
_MONTHS_OF_YEAR = {
    "{month} {yyyy}": 6,
    "{mon} {yyyy}": 3,
    "{m}/{yyyy}": 2,
    "{mm}/{yyyy}": 2,
    "{month} of {yyyy}": 2,
    "{mon} '{yy}": 0.3,
    "{mon}-{yyyy}": 0.3,
    "{month}, {yyyy}": 0.5,
    "{mon}. {yyyy}": 0.4,
}
_AMERICAN_WEEKDAYS = {
    "{weekday}, {month} {d}": 3,
    "{weekday} {m}/{d}": 2,
    "{wd} {m}/{d}": 2,
    "{weekday} {month} {d}{th}": 1,
    "{weekday} the {d}{th}": 0.5,
}
_BRITISH_WEEKDAYS = {
    "{weekday} {d} {month}": 3,
    "{weekday} {d}{th} {month}": 2,
    "{wd} {d}/{m}": 1,
    "{weekday} the {d}{th}": 1,
}
_AMERICAN_HOLIDAYS = (
    *("Thanksgiving", "Christmas", "Christmas Eve", "Easter", "Labor Day", "Memorial Day", "Xmas"),
    *("Halloween", "New Year's Day", "Valentine's Day", "July 4th", "Mother's Day", "Ramadan"),
    *("New Year's Eve", "Veterans Day", "Diwali", "Passover", "Super Bowl Sunday", "Father's Day"),
)
_BRITISH_HOLIDAYS = (
    *("Christmas", "Christmas Day", "Boxing Day", "Easter", "Easter Sunday", "Good Friday", "Eid"),
    *("New Year's Eve", "St. Patrick's Day", "Bonfire Night", "Anzac Day", "Australia Day", "Xmas"),
    *("Ramadan", "Diwali", "Mother's Day", "Hogmanay", "St Stephen's Day", "Whit Monday"),
)
_DAYS_OF_THERAPY = (
    *("Mon/Wed/Fri", "Tue/Thu/Sat", "Tues, Thurs, Sat", "Monday, Wednesday and Friday", "Wed"),
    *("Tuesdays and Thursdays", "Mondays", "Wednesdays", "Monday-Friday", "Saturday and Sunday"),
    *("Monday to Friday", "Tuesday/Thursday", "Fridays", "Sun", "Mon, Wed, Fri", "Saturday"),
)
# How the dates of a view are written where the template does not say.
_STAY = {"num": 5, "long": 2, "short": 2, "other": 0.4}
_PAST = {"year": 4, "month": 3, "long": 1.5, "num": 1.5, "decade": 0.3, "season": 0.3}
_RECENT = {"num": 4, "long": 2, "short": 3, "month": 1, "monthname": 0.7, "weekdate": 0.4}
_HABITS = {
    "today": {"num": 7, "long": 2, "other": 0.6},
    "birth": {"num": 8, "long": 2, "other": 0.5, "compact": 0.2},
    "admission": _STAY,
    "discharge": _STAY,
    "surgery": _STAY,
    "past": _PAST,
    "recent": _RECENT,
    "soon": {"num": 4, "long": 2, "short": 2, "weekday": 2, "weekdate": 1.5},
    "next": {"num": 4, "long": 3, "short": 1, "month": 1, "monthname": 1, "weekdate": 0.5},
    "": {"num": 4, "long": 1.5, "short": 4, "weekday": 0.8, "weekdate": 0.4, "other": 0.4},
}


class Dates(English):
    """Slots `{date}`, `{holiday}`, `{weekdays}`."""

    def slot_date(self, request: Request) -> list[Piece]:
        """A date in the style asked for, or in one that such dates often have."""
        day = self.date(request)
        style = request.style or self.draw(_HABITS[request.view.rstrip("23")])
        if style == "range":
            return self._range(day)
        return self._written(day, self._pattern(style, day))

    def slot_stay(self, request: Request) -> list[Piece]:
        """How many days the patient has been in hospital."""
        admitted = self.date(Request("date", view="admission"))
        return [Piece(str((self.today - admitted).days))]

    def slot_holiday(self, request: Request) -> list[Piece]:
        holidays = _AMERICAN_HOLIDAYS if self.is_american() else _BRITISH_HOLIDAYS
        return [Piece(self.rng.choice(holidays), "DATE")]

    def slot_weekdays(self, request: Request) -> list[Piece]:
        """Days of the week on which something happens: each is a date of its own."""
        parts = re.findall(r"[A-Z][a-z]+|[^A-Z]+", self.rng.choice(_DAYS_OF_THERAPY))
        return [Piece(part, "DATE" if part[0].isupper() else None) for part in parts]

    def _pattern(self, style: str, day: date) -> str:
        american = self.is_american()
        if style == "short":
            return self.draw(self.country.short_dates)
        if style == "other":
            return self.draw({**self.country.dates, **self.country.worded_dates})
        if style == "month":
            old = {"{m}/{yy}": 1.0} if day.year < 2000 and american else {}
            return self.draw({**_MONTHS_OF_YEAR, **old})
        if style == "season":
            seasons = ("winter", "spring", "summer", "fall" if american else "autumn")
            season = seasons[day.month % 12 // 3]
            return self.rng.choice((f"{season} of {{yyyy}}", f"{season} {{yyyy}}"))
        if style == "weekdate":
            return self.draw(_AMERICAN_WEEKDAYS if american else _BRITISH_WEEKDAYS)
        alike = {
            "num": (self.house_date,),
            "long": (self.house_worded_date,),
            "iso": ("{yyyy}-{mm}-{dd}",),
            "compact": ("{yyyy}{mm}{dd}", "{mm}{dd}{yyyy}" if american else "{dd}{mm}{yyyy}"),
            "year": (*("{yyyy}",) * 20, "'{yy}"),
            "monthname": ("{month}",),
            "weekday": (*("{weekday}",) * 6, "{wd}"),
            "ordinal": ("{d}{th}",),
            "decade": ("{decade}s", "{decade}s", "{decade}'s"),
        }
        if style not in alike:
            raise InputError(f"unknown style of dates '{style}'; known: {', '.join(alike)}")
        return self.rng.choice(alike[style])

    def _written(self, day: date, pattern: str) -> list[Piece]:
        """Write a date by a pattern."""
        month = _MONTHS[day.month - 1]
        short = self.rng.choice(("Sep", "Sept")) if month == "September" else month[:3]
        th = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
        written = pattern.format(
            d=day.day,
            dd=f"{day.day:02}",
            m=day.month,
            mm=f"{day.month:02}",
            yy=f"{day.year % 100:02}",
            yyyy=day.year,
            decade=day.year // 10 * 10,
            month=month,
            mon=short,
            MON=short.upper(),
            MONTH=month.upper(),
            th=th,
            weekday=_DAYS[day.weekday()],
            wd=self.rng.choice(_SHORT_DAYS[day.weekday()]),
        )
        return [Piece(written, "DATE")]

    def _range(self, first: date) -> list[Piece]:
        last = first + timedelta(days=self.rng.randint(1, 9))
        pattern = self.rng.choice((self.house_date, self.draw(self.country.short_dates)))
        between = self.rng.choice(("-", " - ", " to ", " – ", " through "))
        return [*self._written(first, pattern), Piece(between), *self._written(last, pattern)]
