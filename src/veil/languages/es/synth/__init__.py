"""Spanish dummy records: from Spain for the most part, and from five other countries.

The spans follow the guideline of MEDDOCAN. A record is of one country: its numbers, telephones,
postcodes, streets and words agree. `slots.txt` and `words.toml` define most slots.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from veil.languages.es.synth.numbers import Numbers
from veil.synth.patterns import word_pairs, words
from veil.synth.scenario import Request, respelled
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.scenario import Parts

_HASTE = {"none": 66, "some": 26, "great": 8}
_NEAR = frozenset({"today", "admission", "surgery", "discharge", "soon", ""})


class SpanishScenario(Numbers):
    """The slots that need more than a pattern: dates, ages, weights, words that agree."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._capital_months = rng.random() < 0.15
        self._haste = self.draw(_HASTE)
        self._clock: int | None = None

    def spelled(self, text: str) -> str:
        """Return text with the country's own words, and with abbreviations for some writers."""
        return spelled(text, self.code, self._haste)

    def is_hurried(self) -> bool:
        return self._haste != "none"

    # -- words that agree -----------------------------------------------------------------------

    def slot_r(self, request: Request) -> list[Segment]:
        """Relatives without a name: `{r.dos_hermanas}`."""
        return [Segment(request.view.replace("_", " "), "RELATIVE")]

    def slot_nationality(self, request: Request) -> list[Segment]:
        """Marroquí, búlgara: an adjective, which is not annotated; the country itself is."""
        female = {"f": True, "m": False}.get(request.view, self.is_female())
        key = f"{request.key}.{request.view}"
        return self.kept(key, lambda: [Segment(self._agreeing("nationalities", female))])

    def slot_trade(self, request: Request) -> list[Segment]:
        american = self.code != "es" and self.rng.random() < 0.5
        name = "professions_american" if american else "professions"
        return [Segment(self._agreeing(name, self.is_female()))]

    def _agreeing(self, name: str, female: bool) -> str:
        """Return the feminine or masculine form of an entry of a list: médico/médica."""
        entry, _, feminine = self.rng.choice(words("es", name)).partition("/")
        return (feminine or entry) if female else entry

    # -- dates and times ------------------------------------------------------------------------

    def slot_date(self, request: Request) -> list[Segment]:
        """A day, as it is written after "el" or in a field; `/month` and others after "en"."""
        day = self.date(request)
        near = request.view in _NEAR and abs((day - self.today).days) < 120
        style = request.style or self.text("date_style.near" if near else "date_style.far")
        return self.write_date(day, self.text("date_style.field") if style == "field" else style)

    def date_parts(self, day: date) -> Parts:
        parts = dict(super().date_parts(day))
        if self._capital_months:
            parts["month"] = str(parts["month"]).capitalize()
        first = day.day == 1 and self.rng.random() < 0.3
        decade = day.year // 10 * 10
        return {
            **parts,
            "day": "1º" if first else str(day.day),
            "word": (*words("es", "numbers"), "treinta", "treinta y uno")[day.day],
            "tens": str(decade % 100 or decade),
        }

    def slot_when(self, request: Request) -> list[Segment]:
        """When something was, with its preposition: en mayo de 2015, a finales de 2009, el 3/4."""
        style = request.style or self.text("when_style")
        if style == "day":
            before = [Segment(self.text("when.before_day"))]
            return [*before, *self.slot_date(replace(request, style=""))]
        with self.with_parts(self.date_parts(self.date(request))):
            return self.expand(f"when.{style}")

    def slot_range(self, request: Request) -> list[Segment]:
        """From a day, or a month, to a later one; each is a date: del 3 al 5 de mayo."""
        first = self.date(request)
        if request.style == "months":
            last = first + timedelta(days=self.rng.randint(32, 140))
            start = str(self.date_parts(first)["month"])
            end = self.date_parts(last)
            later = Segment(f"{end['month']} de {end['yyyy']}", "DATE")
            return [Segment("de "), Segment(start, "DATE"), Segment(" a "), later]
        last = self.today if request.view == "admission" else first + timedelta(days=6)
        if first.month == last.month and first.day < last.day and self.rng.random() < 0.35:
            between = self.rng.choice((" al ", "-"))
            with self.with_parts(self.date_parts(last)):
                tail = self.text("range_tail")
            ends = Segment(str(first.day), "DATE"), Segment(f"{last.day}{tail}", "DATE")
            return [Segment("del "), ends[0], Segment(between), ends[1]]
        style = self.text("range_style")
        forms = (("del ", " al "), ("", " - "), ("desde el ", " hasta el "))
        before, between = self.rng.choice(forms)
        start_segments = [Segment(before)] if before else []
        dates = self.write_date(first, style), self.write_date(last, style)
        return [*start_segments, *dates[0], Segment(between), *dates[1]]

    def slot_time(self, request: Request) -> list[Segment]:
        """A time of day, which is not an identifier."""
        by_day = self.rng.random() < 0.7
        hour = self.rng.randint(8, 20) if by_day else self.rng.randrange(24)
        return self.write_time(60 * hour + self.rng.choice((0, 0, 5, 10, 15, 20, 30, 35, 45, 50)))

    def slot_clock(self, request: Request) -> list[Segment]:
        """A time of day that is later than the one before it."""
        first = self.rng.randint(7 * 60, 19 * 60)
        self._clock = first if self._clock is None else self._clock + self.rng.randint(4, 75)
        return self.write_time(self._clock)

    def slot_yy(self, request: Request) -> list[Segment]:
        return [Segment(f"{self.today.year % 100:02}")]

    # -- ages -----------------------------------------------------------------------------------

    def slot_age(self, request: Request) -> list[Segment]:
        """The patient's age with its unit: in a sentence, in a field, short, or as a decade."""
        if request.view == "decade":
            return self._decade()
        if request.view == "field":
            age = self._with_unit((" años", " años", " años", "", "", " a", "a", " AÑOS"))
        elif request.view == "short":
            age = self._short_age()
        elif "_" in request.view:
            number, unit = self.between(request), request.style or "años"
            worded = 1 < number and self.rng.random() < 0.2
            age = f"{in_words(number) if worded else number} {unit}"
        else:
            person = self.somebody_of(request.view)
            label = "RELATIVE" if person.label == "RELATIVE" else "AGE"
            return [Segment(self._age_on(person.birth), label)]
        return [Segment(age, "AGE")]

    def _age_on(self, born: date) -> str:
        """Return an age: years, or months, weeks, days or hours of small children."""
        days = max((self.today - born).days, 0)
        if days < 2:
            return f"{self.rng.randint(3, 47)} horas"
        if days < 21:
            return self._counted(days, "día")
        if days < 75:
            return self._counted(days // 7, "semana")
        if days < 730:
            months = int(days / 30.44)
            if 12 < months and self.rng.random() < 0.3:
                return f"1 año y {self._counted(months - 12, 'mes')}"
            half = " y medio" if self.rng.random() < 0.12 else ""
            return f"{self._counted(months, 'mes')}{half}"
        years, months = int(days / 365.25), int(days % 365.25 / 30.44)
        if days < 2190 and months and self.rng.random() < 0.4:
            between = self.rng.choice((" y ", " ", " y "))
            return f"{years} años{between}{self._counted(months, 'mes')}"
        return self._counted(years, "año")

    def _counted(self, number: int, unit: str) -> str:
        if number != 1:
            unit = f"{unit}es" if unit == "mes" else f"{unit}s"
        worded = number < 100 and self.rng.random() < (0.04 if 20 < number else 0.12)
        shown = in_words(number, feminine=unit.startswith("semana")) if worded else number
        return f"{shown} {unit}"

    def _with_unit(self, units: tuple[str, ...]) -> str:
        if (self.today - self.patient.birth).days < 730:
            return self._age_on(self.patient.birth)
        return f"{self.age_of(self.patient)}{self.rng.choice(units)}"

    def _short_age(self) -> str:
        days = (self.today - self.patient.birth).days
        if days < 60:
            return f"{max(days, 1)}{self.rng.choice(('d', ' d', ' días'))}"
        if days < 730:
            return f"{int(days / 30.44)}{self.rng.choice(('m', ' m', ' meses'))}"
        return self._with_unit(("a", " a", "a.", " a.", " años", " AÑOS"))

    def _decade(self) -> list[Segment]:
        tens = str(self.age_of(self.patient) // 10 * 10)
        ordinal = word_pairs("es", "ordinals").get(tens)
        if ordinal and self.rng.random() < 0.3:
            age = Segment(f"{ordinal[0]} década", "AGE")
            return [Segment("en la "), age, Segment(" de la vida")]
        decade = word_pairs("es", "decades").get(tens)
        if decade:
            return [Segment(decade[0] + self.text("o"), "AGE")]
        return [Segment("de "), Segment(self._age_on(self.patient.birth), "AGE")]

    # -- weight and height ----------------------------------------------------------------------

    def slot_weight(self, request: Request) -> list[Segment]:
        """A possible weight at the patient's age, the same throughout."""
        grams = int(self.kept("weight", lambda: [Segment(str(self._grams()))])[0].text)
        if grams < 6000 and self.rng.random() < 0.5:
            return [Segment(f"{grams:,} g".replace(",", "."))]
        kilograms, tenth = divmod(grams // 100, 10)
        decimal = f"{self.country['decimal_point']}{tenth}" if kilograms < 40 else ""
        return [Segment(f"{kilograms}{decimal} kg")]

    def _grams(self) -> int:
        years = (self.today - self.patient.birth).days / 365.25
        if years < 1:
            usual = 3300 + 6700 * years**0.7
        elif years < 14:
            usual = 8000 + 2200 * years
        else:
            usual = self.rng.uniform(48_000, 98_000)
        return int(usual * self.rng.uniform(0.85, 1.15))

    def slot_height(self, request: Request) -> list[Segment]:
        """A possible height at the patient's age."""
        years = (self.today - self.patient.birth).days / 365.25
        if years < 2:
            usual = 50 + 18 * years
        elif years < 15:
            usual = 75 + 6.2 * years
        else:
            usual = self.rng.uniform(154, 186)
        centimetres = int(usual * self.rng.uniform(0.96, 1.04))
        return self.kept("height", lambda: [Segment(f"{centimetres} cm")])


def spelled(text: str, country: str, haste: str) -> str:
    """Return plain text as people of a country write it, more or less abbreviated."""
    lists = [f"words_{country}"] if country != "es" else []
    if haste != "none":
        lists.append(f"abbreviations_{haste}")
    return respelled("es", text, *lists) if lists else text


def in_words(number: int, *, feminine: bool = False) -> str:
    """Return a number below a hundred in words, as it is written before a noun."""
    numbers, tens = words("es", "numbers"), words("es", "tens")
    if number < len(numbers):
        word = numbers[number]
    else:
        ten, one = divmod(number, 10)
        word = f"{tens[ten - 3]} y {numbers[one]}" if one else tens[ten - 3]
    if number == 21 and not feminine:
        return "veintiún"
    if word.endswith("uno"):
        return f"{word[:-1]}a" if feminine else word[:-1]
    return word


SCENARIO = SpanishScenario
