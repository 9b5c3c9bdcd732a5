# mypy: ignore-errors
"""Dates in Spanish, in all their writings; prepositions and weekdays are no part of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.worlds.es_country import Spanish

if TYPE_CHECKING:
    from datetime import date
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

_MONTHS = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre"),
    *("octubre", "noviembre", "diciembre"),
)
_SHORT_MONTHS = "ene feb mar abr may jun jul ago sep oct nov dic".split()
_DAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_SEASONS = ("invierno", "primavera", "verano", "otoño")
_DAY_WORDS = (
    *"uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince".split(),
    *"dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés".split(),
    *"veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta".split(),
    "treinta y uno",
)
_LONG = {
    "{d} de {month} de {yyyy}": 12,
    "{d} de {month} del {yyyy}": 2,
    "{dd} de {month} de {yyyy}": 1.5,
    "{d} {month} {yyyy}": 0.8,
    "{d} {mon} {yyyy}": 0.7,
    "{d}-{month}-{yyyy}": 0.5,
    "{d} de {Month} de {yyyy}": 1.5,
    "{d} de {month} del año {yyyy}": 0.3,
    "{d} de {MONTH} de {yyyy}": 0.2,
    "{word} de {month} de {yyyy}": 0.2,
    "{d} de {month}, {yyyy}": 0.2,
}
_SHORT = {
    "{d}/{m}": 5,
    "{dd}/{mm}": 3,
    "{d} de {month}": 4,
    "{d}-{m}": 0.4,
    "{d} {mon}": 0.4,
    "{d} de {Month}": 0.4,
    "{d}.{m}": 0.2,
    "{d}-{mon}": 0.3,
}
_OF_MONTH = {
    "{month} de {yyyy}": 8,
    "{month} del {yyyy}": 2,
    "{Month} de {yyyy}": 1,
    "{month} {yyyy}": 1.5,
    "{mm}/{yyyy}": 1.5,
    "{m}/{yyyy}": 0.7,
    "{mon}/{yyyy}": 0.3,
    "{mon}-{yy}": 0.3,
    "{month} {yy}": 0.2,
    "{month}/{yyyy}": 0.3,
}
_OF_YEAR = {"{yyyy}": 12, "año {yyyy}": 3}
_HOLIDAYS = (
    *("Navidad", "Nochebuena", "Nochevieja", "Semana Santa", "Reyes", "Todos los Santos"),
    *("el Día de la Madre", "Año Nuevo", "Fiestas Patrias", "Día de Muertos", "Carnaval"),
)
# How a day is written where the template does not say: in fields, and in sentences.
_IN_PROSE = {"num": 10, "other": 1.5, "long": 4, "short": 4}
_FAR_IN_PROSE = {"num": 9, "other": 1.5, "long": 5}
_NEAR = frozenset({"today", "admission", "surgery", "discharge", "soon", ""})


class Dates(Spanish):
    """Slots `{date}`, `{when}`, `{range}`, `{weekday}`, `{holiday}`, `{time}`, `{clock}`."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._minutes: int | None = None

    def slot_date(self, request: Request) -> list[Piece]:
        """A day, as it stands after "el" or in a field; `/month` and others after "en"."""
        day = self.date(request)
        near = request.view in _NEAR and abs((day - self.today).days) < 120
        style = request.style or self.draw(_IN_PROSE if near else _FAR_IN_PROSE)
        if style == "field":
            style = self.draw({"num": 16, "other": 1.5, "long": 1})
        return self._written(day, self._pattern(style))

    def slot_when(self, request: Request) -> list[Piece]:
        """When something was, with its preposition: en mayo de 2015, a finales de 2009, el 3/4."""
        day = self.date(request)
        style = request.style or self.draw(
            {"day": 5, "month": 6, "year": 5, "part": 1.2, "season": 0.5, "decade": 0.3}
        )
        if style == "day":
            before = self.rng.choice(("el ", "el ", "el día ", "con fecha ", "el pasado "))
            return [Piece(before), *self.slot_date(replace(request, style=""))]
        if style == "month":
            before = self.rng.choice(("en ", "en ", "en ", "en el mes de "))
            return [Piece(before), *self._written(day, self.draw(_OF_MONTH))]
        if style == "part":
            before = self.rng.choice(("a finales de ", "a principios de ", "a mediados de "))
            return [Piece(before), *self._written(day, self.rng.choice(("{yyyy}", "{month}")))]
        if style == "season":
            return [Piece("en "), *self._written(day, "{season} de {yyyy}")]
        if style == "decade":
            return [Piece("en los "), *self._written(day, "años {tens}")]
        pattern = self.draw(_OF_YEAR)
        before = "en el " if pattern.startswith("año") else "en "
        return [Piece(before), *self._written(day, pattern)]

    def slot_range(self, request: Request) -> list[Piece]:
        """From a day, or a month, to a later one: del 3 al 5 de mayo is one date."""
        first = self.date(request)
        if request.style == "months":
            months = self._written(first, "{month} a ")[0].text
            later = first + timedelta(days=self.rng.randint(32, 140))
            return [Piece("de "), *self._written(later, months + "{month} de {yyyy}")]
        last = self.today if request.view == "admission" else first + timedelta(days=6)
        if first.month == last.month and first.day < last.day and self.rng.random() < 0.35:
            days = self.rng.choice((f"{first.day} al {last.day}", f"{first.day}-{last.day}"))
            tail = self.rng.choice(
                (" de {month} de {yyyy}", " de {month}", " de {month} del {yyyy}")
            )
            return [Piece("del "), *self._written(last, days + tail)]
        pattern = self._pattern(self.draw({"num": 5, "short": 2, "long": 1}))
        before, between = self.rng.choice(
            (("del ", " al "), ("", " - "), ("desde el ", " hasta el "))
        )
        start = [Piece(before)] if before else []
        return [
            *start,
            *self._written(first, pattern),
            Piece(between),
            *self._written(last, pattern),
        ]

    def slot_weekday(self, request: Request) -> list[Piece]:
        return [Piece(self.rng.choice(_DAYS))]

    def slot_holiday(self, request: Request) -> list[Piece]:
        """A feast, as it stands after "en" or "desde"."""
        name = self.rng.choice(_HOLIDAYS)
        article = "el " if name.startswith("el ") else ""
        return [*([Piece(article)] if article else []), Piece(name.removeprefix(article), "DATE")]

    def slot_time(self, request: Request) -> list[Piece]:
        """A time of day, which identifies nobody."""
        by_day = self.rng.random() < 0.7
        hour = self.rng.randint(8, 20) if by_day else self.rng.randrange(24)
        minute = self.rng.choice((0, 0, 5, 10, 15, 20, 30, 35, 45, 50))
        return [Piece(self.house_time.format(hour, minute))]

    def slot_clock(self, request: Request) -> list[Piece]:
        """A time of day that is later than the one before it."""
        first = self.rng.randint(7 * 60, 19 * 60)
        self._minutes = first if self._minutes is None else self._minutes + self.rng.randint(4, 75)
        return [Piece(self.house_time.format(self._minutes // 60 % 24, self._minutes % 60))]

    def _pattern(self, style: str) -> str:
        if style == "num":
            return self.house_date
        many = {
            "long": _LONG,
            "short": _SHORT,
            "month": _OF_MONTH,
            "other": self.country.dates,
            "yearword": _OF_YEAR,
            "year": {"{yyyy}": 1.0},
            "monthname": {"{month}": 1.0},
            "compact": {"{dd}{mm}{yyyy}": 2.0, "{yyyy}{mm}{dd}": 1.0, "{dd}{mm}{yy}": 1.0},
            "iso": {"{yyyy}-{mm}-{dd}": 1.0},
        }
        if style not in many:
            raise InputError(f"unknown style of dates '{style}'; known: num, {', '.join(many)}")
        return self.draw(many[style])

    def _written(self, day: date, pattern: str) -> list[Piece]:
        month = _MONTHS[day.month - 1]
        short = _SHORT_MONTHS[day.month - 1]
        if month == "septiembre" and self.is_peru():
            month, short = "setiembre", "set"
        name = month.capitalize() if self.capital_months else month
        ordinal = day.day == 1 and "de {" in pattern and self.rng.random() < 0.3
        written = pattern.format(
            d="1º" if ordinal else day.day,
            dd=f"{day.day:02}",
            m=day.month,
            mm=f"{day.month:02}",
            yy=f"{day.year % 100:02}",
            yyyy=day.year,
            month=name,
            Month=month.capitalize(),
            MONTH=month.upper(),
            mon=short,
            MON=short.upper(),
            word=_DAY_WORDS[day.day - 1],
            season=_SEASONS[day.month % 12 // 3],
            tens=day.year // 10 * 10 % 100 or f"{day.year // 10 * 10}",
        )
        return [Piece(written, "DATE")]
