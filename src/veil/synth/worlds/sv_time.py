"""Days and ages of a Swedish record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.world import Request
from veil.synth.worlds.sv_date_habits import FINLAND_HOUSES, HOUSES, PROSE, PROSE_OF
from veil.synth.worlds.sv_dates import WRITINGS
from veil.synth.worlds.sv_people import PeopleSlots

if TYPE_CHECKING:
    from datetime import date
    from random import Random

    from veil.synth.people import Person, Profile

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
