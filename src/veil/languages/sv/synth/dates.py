"""Dates and ages of Swedish dummy records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.languages.sv.synth.people import PeopleSlots
from veil.synth.pieces import Piece
from veil.synth.world import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from random import Random

    from veil.core.document import Part
    from veil.synth.people import Person, Profile

# What a record writes at the heads of its notes.
HOUSES = {
    "iso": 34,
    "compact": 22,
    "slash_year": 10,
    "compact8": 5,
    "short_iso": 6,
    "long": 6,
    "iso_slash": 2,
    "iso_dots": 1,
    "dashed": 2,
    "slashed": 2,
    "caps": 1,
    "dash_month": 1,
    "day_month_minus": 3,
    "dotted": 2,
}
FINLAND_HOUSES = {"dotted": 70, "dotted0": 15, "dotted_short": 15}

# How days, near and far, are told in prose.
PROSE = {
    "past": {
        "year": 26,
        "year_short": 11,
        "month_year": 16,
        "month_year_short": 7,
        "season": 9,
        "long": 7,
        "slash_year": 6,
        "iso": 6,
        "compact": 5,
        "year_month": 4,
        "decade": 3,
        "month_slash_year": 1,
        "day_month_minus": 3,
        "ordinal_year": 1,
        "years": 2,
        "year_span": 1,
    },
    "recent": {
        "slash": 26,
        "day_month": 14,
        "ordinal": 6,
        "month": 8,
        "iso": 7,
        "compact": 7,
        "weekday_date": 4,
        "week": 5,
        "slash_year": 5,
        "month_year": 3,
        "holiday": 4,
        "month_short": 2,
        "month_span": 2,
        "day_span": 2,
        "ordinal_word": 2,
        "dotted_day": 1,
        "long": 3,
    },
    "near": {
        "slash": 30,
        "weekday_past": 16,
        "day_month": 10,
        "weekday_time": 3,
        "weekday_date": 6,
        "ordinal": 5,
        "day": 5,
        "iso": 6,
        "compact": 6,
        "weekday_the": 4,
        "holiday": 2,
        "day_span": 1,
    },
    "coming": {
        "slash": 24,
        "weekday": 13,
        "weekday_short": 3,
        "week": 12,
        "day_month": 10,
        "weekday_date": 8,
        "month": 6,
        "iso": 6,
        "compact": 5,
        "ordinal": 4,
        "day": 4,
        "slash_year": 3,
        "long": 2,
        "dotted_day": 1,
    },
}
PROSE_OF = {
    "birth": "past",
    "past": "past",
    "past2": "past",
    "past3": "past",
    "recent": "recent",
    "recent2": "recent",
    "admission": "near",
    "surgery": "near",
    "today": "near",
    "discharge": "near",
    "": "near",
    "soon": "coming",
    "next": "coming",
}


_MONTHS = (
    "januari februari mars april maj juni juli augusti september oktober november december"
).split()
_SHORT = "jan feb mars april maj juni juli aug sept okt nov dec".split()
_THREE = "jan feb mar apr maj jun jul aug sep okt nov dec".split()
_WEEKDAYS = "måndag tisdag onsdag torsdag fredag lördag söndag".split()
_WEEKDAYS_SHORT = "mån tis ons tors fre lör sön".split()
_ORDINALS = (
    "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde elfte tolfte trettonde "
    "fjortonde femtonde sextonde sjuttonde artonde nittonde tjugonde tjugoförsta tjugoandra "
    "tjugotredje tjugofjärde tjugofemte tjugosjätte tjugosjunde tjugoåttonde tjugonionde "
    "trettionde trettioförsta"
).split()
_SEASONS = (
    "vintern vintern våren våren våren sommaren sommaren sommaren hösten hösten hösten vintern"
).split()
_HOLIDAYS = {
    1: ("nyårsdagen", "trettondagen", "nyår"),
    3: ("påsk", "påskafton", "långfredagen"),
    4: ("påskhelgen", "påskdagen", "valborg", "skärtorsdagen"),
    5: ("pingst", "Kristi himmelsfärd", "pingstafton"),
    6: ("midsommarafton", "midsommar", "nationaldagen", "midsommarhelgen"),
    11: ("allhelgonahelgen", "fars dag"),
    12: ("julafton", "juldagen", "lucia", "nyårsafton", "julen", "andra advent", "annandag jul"),
}


@dataclass(frozen=True)
class Writing:
    """A way to write a day: the text, what stands before it in prose, whether it tells the year."""

    write: Callable[[date, Random], str]
    lead: tuple[str, ...] = ("",)
    full: bool = False

    def part(self) -> Part:
        return "full" if self.full else "partial"


def _short_year(day: date) -> str:
    return f"{day.year % 100:02}"


def _minus_year(day: date, rng: Random) -> str:
    return f"{rng.choice(('-', '-', '-', '–', '’', chr(39)))}{_short_year(day)}"


def _ordinal(day: date) -> str:
    ending = "a" if day.day in (1, 2, 21, 22, 31) else "e"
    return f"{day.day}:{ending}"


def _week(day: date) -> int:
    return day.isocalendar().week


def _slash_year(day: date, rng: Random) -> str:
    year = rng.choice((f"-{_short_year(day)}", f" -{_short_year(day)}", f" {day.year}"))
    return f"{day.day}/{day.month}{year}"


def _long(day: date, rng: Random) -> str:
    month = rng.choice((_MONTHS[day.month - 1],) * 4 + (_SHORT[day.month - 1],))
    return f"{day.day} {month} {day.year}"


def _day_month(day: date, rng: Random) -> str:
    names = rng.choice((_MONTHS, _MONTHS, _SHORT, _THREE))
    return f"{day.day} {names[day.month - 1]}"


def _month_year(day: date, rng: Random) -> str:
    year = rng.choice((f" {day.year}", f" {day.year}", f" {_minus_year(day, rng)}"))
    return f"{_MONTHS[day.month - 1]}{year}"


def _short_month_year(day: date, rng: Random) -> str:
    between = rng.choice((" ", " -", "-", "  "))
    year = str(day.year) if between.isspace() else _short_year(day)
    return f"{rng.choice((_SHORT, _THREE))[day.month - 1]}{between}{year}"


def _week_written(day: date, rng: Random) -> str:
    word = rng.choice(("v ", "v ", "vecka ", "v.", "v", "v. "))
    tail = rng.choice(("",) * 8 + (f" {day.year}", f"-{min(_week(day) + 1, 53)}"))
    return f"{word}{_week(day)}{tail}"


def _season(day: date, rng: Random) -> str:
    season = _SEASONS[day.month - 1]
    year = rng.choice((f" {day.year}", f" {day.year}", f" {_minus_year(day, rng)}"))
    return f"{season}{year}"


def _weekday_date(day: date, rng: Random) -> str:
    short = _WEEKDAYS_SHORT[day.weekday()]
    name = _WEEKDAYS[day.weekday()]
    return rng.choice(
        (
            f"{short} {day.day}/{day.month}",
            f"{name} {day.day}/{day.month}",
            f"{name} den {day.day} {_MONTHS[day.month - 1]}",
            f"{name}en den {day.day} {_MONTHS[day.month - 1]}",
            f"{name} {day.day} {_SHORT[day.month - 1]}",
        )
    )


def _weekday_time(day: date, rng: Random) -> str:
    ending = rng.choice(("kväll", "morgon", "eftermiddag", "natten", "kvällen", "förmiddag"))
    return f"{_WEEKDAYS[day.weekday()]}s{ending}"


def _holiday(day: date, rng: Random) -> str:
    """A holiday of the month; months without one have their days."""
    if day.month not in _HOLIDAYS:
        return f"{day.day} {_MONTHS[day.month - 1]}"
    return rng.choice(_HOLIDAYS[day.month]) + rng.choice(("", "", "", f" {day.year}"))


def _decade(day: date, rng: Random) -> str:
    decade = day.year // 10 * 10
    if 2000 <= decade:
        return f"{decade}-talet"
    return rng.choice((f"{decade}-talet", f"{decade % 100}-talet"))


def _month_span(day: date, rng: Random) -> str:
    months = rng.choice((_MONTHS, _SHORT))
    between = rng.choice(("-", "/", " till "))
    following = months[day.month % 12]
    return f"{months[day.month - 1]}{between}{following}"


WRITINGS: dict[str, Writing] = {
    # days
    "iso": Writing(lambda day, rng: day.isoformat(), full=True),
    "compact": Writing(lambda day, rng: f"{day:%y%m%d}", full=True),
    "compact8": Writing(lambda day, rng: f"{day:%Y%m%d}", full=True),
    "short_iso": Writing(lambda day, rng: f"{day:%y-%m-%d}", full=True),
    "iso_slash": Writing(lambda day, rng: f"{day:%Y/%m/%d}", full=True),
    "iso_dots": Writing(lambda day, rng: f"{day:%Y.%m.%d}", full=True),
    "dotted": Writing(lambda day, rng: f"{day.day}.{day.month}.{day.year}", ("", "den "), True),
    "dotted0": Writing(lambda day, rng: f"{day:%d.%m.%Y}", ("", "den "), full=True),
    "dotted_short": Writing(
        lambda day, rng: f"{day.day}.{day.month}.{_short_year(day)}", full=True
    ),
    "dashed": Writing(lambda day, rng: f"{day:%d-%m-%Y}", full=True),
    "slashed": Writing(lambda day, rng: f"{day.day}/{day.month}/{day.year}", full=True),
    "slash": Writing(lambda day, rng: f"{day.day}/{day.month}", ("", "", "", "den ")),
    "slash_year": Writing(_slash_year, ("", "", "den "), full=True),
    "long": Writing(_long, ("den ", "den ", ""), full=True),
    "day_month": Writing(_day_month, ("den ", "")),
    "day_month_minus": Writing(
        lambda day, rng: f"{_day_month(day, rng)} {_minus_year(day, rng)}", ("den ", ""), full=True
    ),
    "ordinal": Writing(lambda day, rng: f"{_ordinal(day)} {_MONTHS[day.month - 1]}", ("den ", "")),
    "ordinal_year": Writing(
        lambda day, rng: f"{_ordinal(day)} {_MONTHS[day.month - 1]} {day.year}", ("den ",), True
    ),
    "ordinal_word": Writing(
        lambda day, rng: f"{_ORDINALS[day.day - 1]} {_MONTHS[day.month - 1]}", ("den ",)
    ),
    "caps": Writing(
        lambda day, rng: f"{day.day:02} {_THREE[day.month - 1].upper()} {day.year}", full=True
    ),
    "dash_month": Writing(
        lambda day, rng: f"{day.day:02}-{_THREE[day.month - 1]}-{day.year}", full=True
    ),
    "dotted_day": Writing(lambda day, rng: f"{day.day}.{day.month}", ("den ",)),
    "day": Writing(lambda day, rng: _ordinal(day), ("den ",)),
    "day_span": Writing(
        lambda day, rng: (
            f"{day.day}-{min(day.day + 2, 28)}/{day.month}"
            if day.day < 26
            else f"{day.day}/{day.month}"
        )
    ),
    # weekdays, weeks, holidays
    "weekday": Writing(lambda day, rng: _WEEKDAYS[day.weekday()], ("på ", "nu på ", "på ")),
    "weekday_short": Writing(lambda day, rng: _WEEKDAYS_SHORT[day.weekday()], ("på ",)),
    "weekday_past": Writing(lambda day, rng: f"{_WEEKDAYS[day.weekday()]}s", ("i ",)),
    "weekday_the": Writing(
        lambda day, rng: f"{_WEEKDAYS[day.weekday()]}en", ("på ", "under ", "förra ")
    ),
    "weekday_date": Writing(_weekday_date),
    "weekday_time": Writing(_weekday_time, ("på ",)),
    "week": Writing(_week_written, ("", "", "under ")),
    "holiday": Writing(_holiday, ("på ", "under ", "")),
    # months, years
    "month": Writing(
        lambda day, rng: _MONTHS[day.month - 1], ("i ", "i ", "i slutet av ", "i början av ")
    ),
    "month_short": Writing(lambda day, rng: _THREE[day.month - 1], ("i ",)),
    "month_span": Writing(_month_span, ("under ", "i ")),
    "month_year": Writing(_month_year, ("i ", "i ", "")),
    "month_year_short": Writing(_short_month_year, ("i ", "", "")),
    "year_month": Writing(lambda day, rng: f"{day:%Y-%m}"),
    "month_slash_year": Writing(lambda day, rng: f"{day:%m/%Y}"),
    "season": Writing(_season, ("", "", "", "under ")),
    "year": Writing(lambda day, rng: str(day.year), ("", "", "", "år ")),
    "year_short": Writing(_minus_year),
    "year_span": Writing(
        lambda day, rng: f"{day.year}{rng.choice('-–/')}{(day.year + 1) % 100:02}"
    ),
    "years": Writing(lambda day, rng: f"{day.year}-{day.year + rng.randint(1, 4)}", ("", "under ")),
    "decade": Writing(_decade, ("på ",)),
}


# What nothing can have lasted since, and what stands in its place.
_SINCE = {"years": "year", "year_span": "year", "day_span": "slash", "month_span": "month"}
_TENS = "tio tjugo trettio fyrtio femtio sextio sjuttio åttio nittio".split()
_ONES = "ett två tre fyra fem sex sju åtta nio".split()


class TimeSlots(PeopleSlots):
    """Dates in the house's writing or as prose tells them, and ages that fit the birth."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._house = self.draw(FINLAND_HOUSES if self.is_finland() else HOUSES)

    # -- days -----------------------------------------------------------------------------------

    def slot_date(self, request: Request) -> list[Piece]:
        """A day as in heads and lists: mostly in the writing of the house."""
        style = request.style or (self._house if self.rng.random() < 0.85 else self.draw(HOUSES))
        return self._day(self.date(request), style, lead=False)

    def slot_when(self, request: Request) -> list[Piece]:
        """A day as prose has it, with its preposition outside: "i mars", "den 3 maj", "2012"."""
        return self._day(self.date(request), request.style or self._prose_style(request), lead=True)

    def slot_since(self, request: Request) -> list[Piece]:
        """A day after "sedan", where no other preposition stands but in "sedan i måndags"."""
        style = request.style or self._prose_style(request)
        style = _SINCE.get(style, style)
        pieces = self._day(self.date(request), style, lead=style == "weekday_past")
        return [Piece("sedan "), *pieces]

    def slot_period(self, request: Request) -> list[Piece]:
        """From admission to discharge, two days with a dash or a word between."""
        style = request.style or self.rng.choice((self._house, self._house, "slash"))
        between = self.rng.choice(("-", " - ", "–", " – ", " till ", " t o m ", " tom "))
        return [
            *self._day(self._dates["admission"], style, lead=False),
            Piece(between),
            *self._day(self._dates["discharge"], style, lead=False),
        ]

    def _prose_style(self, request: Request) -> str:
        if self.rng.random() < 0.12:
            return self._house
        return self.draw(PROSE[PROSE_OF[request.view]])

    def _day(self, day: date, style: str, *, lead: bool) -> list[Piece]:
        if style not in WRITINGS:
            raise InputError(f"unknown writing '{style}' of a day; known: {', '.join(WRITINGS)}")
        writing = WRITINGS[style]
        pieces = [Piece(writing.write(day, self.rng), "DATE", writing.part())]
        before = self.rng.choice(writing.lead) if lead else ""
        return [Piece(before), *pieces] if before else pieces

    # -- ages -----------------------------------------------------------------------------------

    def slot_age(self, request: Request) -> list[Piece]:
        """The patient's age: `years` 73 år, `adj` 73-årig, `the` 73-åriga, `noun` 73-åring.

        `num` is 73, `at` 73 års (ålder), `about` 70-årsåldern.
        """
        return self._age(self.patient, request.view)

    def slot_relage(self, request: Request) -> list[Piece]:
        """The age of a relative, with the same views."""
        return self._age(self.person(Request("relative", request.number)), request.view)

    def slot_ages(self, request: Request) -> list[Piece]:
        """The ages of children in a row: 3, 5 och 8 år."""
        ages = sorted(self.rng.sample(range(2, 18), self.rng.randint(2, 3)))
        pieces: list[Piece] = []
        for place, age in enumerate(ages[:-1]):
            pieces += [Piece(", ")] * (0 < place) + [Piece(str(age), "AGE")]
        between = self.rng.choice((" och ", " och ", " o ", " resp ", " & "))
        return [*pieces, Piece(between), Piece(f"{ages[-1]} år", "AGE")]

    def slot_someage(self, request: Request) -> list[Piece]:
        """An age between two others: `{someage.40_70}` 55 år, with style `at` 55 års."""
        unit = "års" if request.style == "at" else "år"
        return [Piece(f"{self.between(request)} {unit}", "AGE")]

    def slot_who(self, request: Request) -> list[Piece]:
        """The patient as a sentence of history begins: 73-årig kvinna, kvinna född -52.

        What follows is taken to go on; at the end of a sentence the view is `end`.
        """
        noun = self.slot_man(Request("man"))[0]
        comma = "" if request.view == "end" else ","
        kind = self.draw(
            {"adj": 50, "years": 20, "on": 5, "born": 8, "about": 5, "noun": 8, "num": 4}
        )
        age = self.age_of(self.patient)
        if kind == "noun" and 3 <= age:
            return self._age(self.patient, "noun")
        if kind == "num" and 3 <= age:
            return [noun, Piece(", "), Piece(str(age), "AGE"), Piece(comma)]
        if kind == "about" and 20 <= age:
            return [noun, Piece(" i "), *self._age(self.patient, "about")]
        if kind == "born":
            style = self.rng.choice(("year", "year", "year_short", "iso"))
            born = self.rng.choice(
                ("född ", "f ", "f. ", "född år " if style == "year" else "född ")
            )
            return [noun, Piece(f" {born}"), *self._day(self._dates["birth"], style, lead=False)]
        if kind in ("on", "years"):
            joiner = " på " if kind == "on" else self.rng.choice((", ", " "))
            comma = comma if joiner == ", " else ""
            return [noun, Piece(joiner), *self._age(self.patient, "years"), Piece(comma)]
        return [*self._age(self.patient, "adj"), Piece(" "), noun]

    def _age(self, person: Person, view: str) -> list[Piece]:
        rng = self.rng
        years = self.age_of(person)
        if years < 2:
            return self._infant_age(person, view)
        if view == "adj":
            text = rng.choice(("-årig", "-årig", "-årig", "-årig", " årig", "årig"))
            if 20 <= years < 100 and rng.random() < 0.05:
                return [Piece(f"{_spelled_out(years)}årig", "AGE")]
            return [Piece(f"{years}{text}", "AGE")]
        if view == "the":
            return [Piece(f"{years}-åriga", "AGE")]
        if view == "noun":
            return [Piece(f"{years}{rng.choice(('-åring', '-åring', ' åring'))}", "AGE")]
        if view == "num":
            return [Piece(str(years), "AGE")]
        if view == "about":
            step = 10 if 20 <= years else 5
            return [Piece(f"{years // step * step}-årsåldern", "AGE")]
        if view == "at":
            return [Piece(f"{years} års", "AGE"), Piece(" ålder")]
        unit = self.draw({" år": 90, "år": 6, " å": 4})
        return [Piece(f"{years}{unit}", "AGE")]

    def _infant_age(self, person: Person, view: str) -> list[Piece]:
        """Days, weeks or months, and "gammal" where an adjective is asked for."""
        rng = self.rng
        days = max((self.today - person.birth).days, 1)
        count, unit, short = (
            (days, "dagar" if 1 < days else "dag", "dygn")
            if days < 14
            else (days // 7, "veckor", "v")
            if days < 84
            else (int(days / 30.44), "månader", "mån")
        )
        if view == "at":
            return [Piece(f"{count} {unit}s", "AGE"), Piece(" ålder")]
        text = f"{count} {rng.choice((unit, short))}"
        if 13 <= count and rng.random() < 0.3:
            text = f"1 år {count - 12} mån"
        after = {"adj": " gammal", "the": " gamla", "noun": " gammal"}.get(view, "")
        return [Piece(text, "AGE"), Piece(after)] if after else [Piece(text, "AGE")]


def _spelled_out(years: int) -> str:
    tens, ones = divmod(years, 10)
    return _TENS[tens - 1] + (_ONES[ones - 1] if ones else "")
