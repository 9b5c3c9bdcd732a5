"""English dummy records: American for the most part, and from four other countries.

The spans follow the guideline of i2b2 2014. A record is of one country: its dates, telephone
numbers, addresses, numbers and spelling agree. `slots.txt` and `words.toml` define most slots.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.languages.en.synth.numbers import Numbers
from veil.lexicons import lexicon
from veil.synth.patterns import word_pairs, words
from veil.synth.people import Person
from veil.synth.scenario import Request, plain_letters, respelled
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile, Sex
    from veil.synth.scenario import Parts

# Relatives whom some notes name by a role: fathers of newborns, wives of patients.
_NEAREST: dict[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "mother": (("mother", "mother", "mom"), (19, 40)),
    "father": (("father", "father", "dad"), (20, 44)),
    "partner": (("husband", "partner", "wife", "spouse"), (-8, 8)),
}
_TOWN_ENDINGS = {
    "us": re.compile(r"(?:ville|burg|boro|Heights|Springs|Falls|Lake|Beach|Park|wood)$"),
    "uk": re.compile(r"(?:ham|bury|ford|chester|wick|mouth|ley|thorpe|by|worth|combe|shire)$"),
}
_IN_FIELDS = ("", "", "", " y", "y", " years", " yrs", "Y", " yo")
_WITH_LETTER = ("{}", "{}", " {}", "yo{}", "yo {}", " y/o {}", " y {}", "yr {}", " yo {}")
_SHORT_UNITS = {"day": "d", "week": "wk", "month": "mo"}


class EnglishScenario(Numbers):
    """The slots that need more than a pattern: people, addresses, dates and ages."""

    language: ClassVar[str] = "en"

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.telegraphic = rng.random() < 0.15

    def spelled(self, text: str) -> str:
        return spelled(text, self.code, telegraphic=self.telegraphic)

    def is_fertile(self) -> bool:
        """Whether the patient may be asked for her last period."""
        return self.is_female() and 13 <= self.age_of(self.patient) < 50

    # -- people ---------------------------------------------------------------------------------

    def make_person(self, role: str) -> Person:
        if role not in _NEAREST:
            return super().make_person(role)
        relations, years = _NEAREST[role]
        patient = self.patient
        sex: Sex = "female" if role == "mother" else "male"
        if role == "partner":
            sex = "male" if patient.sex == "female" else "female"
            odd = {"female": "husband", "male": "wife"}[sex]
            relations = tuple(word for word in relations if word != odd)
        birth = patient.birth - timedelta(days=365 * self.rng.uniform(*years))
        surname = patient.surname if self.rng.random() < 0.7 else self.draw_surname()
        given, title = self.draw_given_names(sex), self.draw_title(role, sex)
        relation = self.rng.choice(relations)
        return Person(given, surname, sex, self.label_of(role), birth, title, relation, role)

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        first = self.draw_given(sex)
        return (first, self.draw_given(sex)) if self.rng.random() < 0.4 else (first,)

    def draw_title(self, role: str, sex: Sex) -> str:
        if role == "patient" and (self.today - self._birth).days // 365 < 16:
            return "Miss" if sex == "female" else "Master"
        return super().draw_title(role, sex)

    def slot_surgeon(self, request: Request) -> list[Segment]:
        """The first doctor; in Britain and Ireland surgeons are Mr or Miss."""
        view = request.view or ("surgeon" if self.code in ("uk", "ie") else "")
        return self.mention(Request("doctor", request.number, view))

    def slot_handle(self, request: Request) -> list[Segment]:
        """The patient's name in a social network."""
        return self.account(Request("handle"), "handle_form", "patient")

    def slot_host(self, request: Request) -> list[Segment]:
        """The domain of a hospital or practice."""
        name = plain_letters(self.word("nature") + self.word("features"))
        return [Segment(name + self.text("host_kind"))]

    def slot_term(self, request: Request) -> list[Segment]:
        """A medical term; many are named after people or look like names."""
        return [Segment(self.spelled(self.rng.choice(_medical_terms())))]

    # -- addresses ------------------------------------------------------------------------------

    def slot_woods(self, request: Request) -> list[Segment]:
        """A name of one word: Stonebrook."""
        return [Segment(self.word("nature") + self.word("features").lower())]

    def slot_ordinal(self, request: Request) -> list[Segment]:
        number = self.between(request)
        return [Segment(f"{number}{_ordinal_ending(number)}")]

    def home(self, number: str) -> tuple[str, str, str]:
        """Return the town, the region and the postcode of an address."""

        def make() -> list[Segment]:
            city, region = self.some_city()
            postcode = self._australian_postcode(region) if self.code == "au" else ""
            return [Segment(each) for each in (city, region, postcode or self.text("postcode"))]

        city, region, postcode = (segment.text for segment in self.kept(f"home{number}", make))
        return city, region, postcode

    def slot_city(self, request: Request) -> list[Segment]:
        return [Segment(self.home(request.number)[0], "CITY")]

    def slot_zip(self, request: Request) -> list[Segment]:
        return [Segment(self.home(request.number)[2], "ZIP")]

    def slot_state(self, request: Request) -> list[Segment]:
        """A state, province or county; with the view `long` its full name."""
        region = self.home(request.number)[1] or self._some_region()
        long = request.view == "long" or self.rng.random() < 0.3
        return [self._region(self._region_name(region) if long else region)]

    def slot_region(self, request: Request) -> list[Segment]:
        """Another state, written out."""
        return [self._region(self._region_name(self._some_region()))]

    def slot_town(self, request: Request) -> list[Segment]:
        """Another town, a new one each time."""
        return [Segment(self.some_city()[0], "CITY")]

    def slot_address(self, request: Request) -> list[Segment]:
        """A whole address on one line, or with the view `lines` on several."""
        city, region, _ = self.home(request.number)
        between = "\n" if request.view == "lines" else ", "
        street = self.slot(f"street{request.number}")
        segments = [*street, Segment(between), Segment(city, "CITY")]
        if region:
            comma = between if self.code == "uk" else self.rng.choice((", ", ", ", " "))
            segments += [Segment(comma), self._region(region)]
        if self.rng.random() < 0.93:
            wide = self.has_trait("american") and self.rng.random() < 0.1
            gap = "  " if wide else " "
            if self.code in ("uk", "ie"):
                gap = self.rng.choice((", ", between, " "))
            segments += [Segment(gap), *self.slot_zip(request)]
        if self.rng.random() < 0.05:
            segments += [Segment(between), *self.slot("country.own")]
        return segments

    def some_city(self) -> tuple[str, str]:
        """Return a town and its region in the short form of addresses, which may be empty."""
        rng = self.rng
        if self.code in ("au", "ca"):
            city, _, region = self.word("cities").partition("=")
            return city, region
        if self.code == "us":
            region = self._some_region()
            if rng.random() < 0.5:
                return self.word("cities"), region
            return self.text("village") if rng.random() < 0.2 else self._town(), region
        region = self._some_region() if rng.random() < 0.4 else ""
        rare = self.code == "uk" and rng.random() < 0.3
        return self._town() if rare else self.word("cities"), region

    def _region(self, name: str) -> Segment:
        if name in words("en", "nations_uk"):
            return Segment(name, "COUNTRY")
        return Segment(name, "LOCATION-OTHER" if self.code in ("uk", "ie") else "STATE")

    def _town(self) -> str:
        return self.rng.choice(_towns(self.code))

    def _some_region(self) -> str:
        """Return a state, province or county in the short form of addresses."""
        return self.word("regions").partition("=")[0]

    def _region_name(self, region: str) -> str:
        names = word_pairs("en", f"regions_{self.code}")[region]
        return names[0] or region

    def _australian_postcode(self, region: str) -> str:
        (first,) = word_pairs("en", "postcodes_au")[region]
        return first + self.digits(4 - len(first), first="0123456789")

    # -- dates and ages -------------------------------------------------------------------------

    def slot_date(self, request: Request) -> list[Segment]:
        if request.style != "range":
            return super().slot_date(request)
        first = self.date(request)
        last = first + timedelta(days=self.rng.randint(1, 9))
        style = self.rng.choice(("num", "short_habit"))
        between = [Segment(self.text("between_days"))]
        return [*self.write_date(first, style), *between, *self.write_date(last, style)]

    def date_parts(self, day: date) -> Parts:
        return {**super().date_parts(day), "th": _ordinal_ending(day.day)}

    def slot_stay(self, request: Request) -> list[Segment]:
        """The number of days that the patient has been in hospital."""
        admitted = self.date(Request("date", view="admission"))
        return [Segment(str((self.today - admitted).days))]

    def slot_weekdays(self, request: Request) -> list[Segment]:
        """Days of the week on which something happens: each is a separate date."""
        parts = re.findall(r"[A-Z][a-z]+|[^A-Z]+", self.word("therapy_days"))
        return [Segment(part, "DATE" if part[0].isupper() else None) for part in parts]

    def age_parts(self) -> tuple[int, str]:
        """Return the patient's age: in years, or in months, weeks or days of small children."""
        days = (self.today - self.patient.birth).days
        if days < 21:
            return max(days, 1), "day"
        if days < 100:
            return days // 7, "week"
        if days < 730:
            return int(days / 30.44), "month"
        return self.age_of(self.patient), "year"

    def slot_age(self, request: Request) -> list[Segment]:
        """The number alone, another person's (`{age.40_70}`), a decade of life, or a field."""
        number, unit = self.age_parts()
        if request.view == "decade":
            tens = max(self.age_of(self.patient) // 10 * 10, 20)
            return [Segment(f"{tens}{self.rng.choice(('s', 's', chr(39) + 's'))}", "AGE")]
        if request.view == "field":
            plural = unit if number == 1 else f"{unit}s"
            rest = self.rng.choice(_IN_FIELDS) if unit == "year" else f" {plural}"
            return [Segment(str(number), "AGE"), Segment(rest)]
        return [Segment(str(self.between(request) if request.view else number), "AGE")]

    def slot_aged(self, request: Request) -> list[Segment]:
        """The age before a noun: 72-year-old, 72 y/o, 9-month-old."""
        number, unit = self.age_parts()
        if unit == "year":
            rest = self.word("old_forms")
            worded = rest in ("-year-old", " year old") and self.rng.random() < 0.06
            return [Segment(in_words(number) if worded else str(number), "AGE"), Segment(rest)]
        rest = self.rng.choice(("-{0}-old", "-{0}-old", " {0} old", " {1} old", "-{0} old"))
        return [Segment(str(number), "AGE"), Segment(rest.format(unit, _SHORT_UNITS[unit]))]

    def slot_agesex(self, request: Request) -> list[Segment]:
        """Age and sex at the beginning of a note: 72-year-old woman, 72F, 72 y/o M."""
        number, unit = self.age_parts()
        if unit == "year" and 9 < number and self.rng.random() < 0.35:
            letter = self.text("mf")
            form = self.rng.choice(_WITH_LETTER)
            rest = form.format(letter.lower() if form == "yo{}" else letter)
            return [Segment(str(number), "AGE"), Segment(rest)]
        return [*self.slot_aged(request), Segment(" "), *self.slot("man")]


def spelled(text: str, country: str, *, telegraphic: bool) -> str:
    """Return American prose in the spelling and the words of a country, perhaps abbreviated."""
    lists = ["abbreviations"] if telegraphic else []
    if country != "us":
        lists.append("canadian_spelling" if country == "ca" else "british_spelling")
    return respelled("en", text, *lists) if lists else text


def in_words(number: int) -> str:
    """Return a number below a hundred in words."""
    ones, tens = words("en", "ones"), words("en", "tens")
    if number < 20:
        return ones[number]
    ten, one = divmod(number, 10)
    return f"{tens[ten - 2]}-{ones[one]}" if one else tens[ten - 2]


def _ordinal_ending(number: int) -> str:
    return "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


@cache
def _towns(code: str) -> tuple[str, ...]:
    """Return towns of the lexicon whose names show on which side of the Atlantic they are."""
    return tuple(town for town in lexicon("en", "city") if _TOWN_ENDINGS[code].search(town))


@cache
def _medical_terms() -> tuple[str, ...]:
    """Return terms that are not a surname alone: "Freiberg" alone is more often a person."""
    surnames = lexicon("en", "surname")
    return tuple(
        term
        for term in lexicon("en", "medical")
        if " " in term or term.islower() or not surnames.match_folded(term)
    )


SCENARIO = EnglishScenario
