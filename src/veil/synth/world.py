"""The world of one record: who and what stands in it, consistent from the first line to the last.

A language makes its own world by adding methods `slot_NAME`, which give the value of `{NAME}`, and
methods `is_TRAIT`, which say whether alternatives that begin with `@TRAIT` are there:

    {doctor2.last}      the surname of the second doctor
    {date.admission/long}  the day of admission, in one way of writing
    {date.admission+3}  three days later
    {n.60_100}          a number between two others
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, ClassVar, TypeVar

from veil.core.errors import InputError
from veil.synth.people import SEXES, Person, Profile, Relation, draw_given, draw_surname
from veil.synth.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from veil.core.document import Part
    from veil.synth.people import Sex

_SLOT = re.compile(r"([a-z_]+?)(\d*)(?:\.(\w+))?(?:/(\w+))?([+-]\d+)?")
_YEAR = 365.25
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Request:
    """What a slot asks for: `{name<number>.<view>/<style><shift>}`."""

    name: str
    number: str = ""
    view: str = ""
    style: str = ""
    shift: int = 0

    @property
    def key(self) -> str:
        """What is the same thing throughout a record: doctor2, hospital."""
        return self.name + self.number


@cache
def _request(slot: str) -> Request | None:
    parsed = _SLOT.fullmatch(slot)
    if parsed is None:
        return None
    name, number, view, style, shift = parsed.groups("")
    return Request(name, number, view, style, int(shift or 0))


class BaseWorld:
    """What all languages share: people, a time line, and ages that fit it."""

    language: ClassVar[str]
    decimal_point: ClassVar[str] = "."
    relations: ClassVar[tuple[Relation, ...]] = ()
    # What a mention of somebody in this role is.
    roles: ClassVar[Mapping[str, str]] = {
        "patient": "PATIENT",
        "relative": "PATIENT",
        "doctor": "DOCTOR",
        "nurse": "DOCTOR",
    }

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        self.rng = rng
        self.profile = profile or Profile()
        self.today = date(2004, 1, 1) + timedelta(days=rng.randrange(365 * 22))
        youngest, oldest = self.profile.youngest, self.profile.oldest
        # More of the sick are old.
        age_in_days = youngest + int((oldest - youngest) * rng.random() ** 0.7)
        self._birth = self.today - timedelta(days=age_in_days)
        self._people: dict[str, Person] = {}
        self._dates = self._time_line()
        self._kept: dict[str, list[Piece]] = {}

    def slot(self, name: str) -> list[Piece]:
        """The value of a slot as pieces of text."""
        request = _request(name)
        method = getattr(self, f"slot_{request.name}", None) if request else None
        if method is None:
            raise InputError(f"unknown slot '{name}'; known: {self._known('slot_')}")
        pieces: list[Piece] = method(request)
        return pieces

    def holds(self, trait: str) -> bool:
        """Whether the record has a trait."""
        method = getattr(self, f"is_{trait}", None)
        if method is None:
            raise InputError(f"unknown trait '{trait}'; known: {self._known('is_')}")
        return bool(method())

    def spelled(self, text: str) -> str:
        """Plain text as the author of the record writes it; languages have their own."""
        return text

    def kept(self, key: str, make: Callable[[], list[Piece]]) -> list[Piece]:
        """The same value for a key throughout the record: a number, an address, a hospital."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def draw(self, weights: Mapping[_Value, float]) -> _Value:
        """One of the values, as often as its weight says."""
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def _known(self, prefix: str) -> str:
        return ", ".join(
            sorted(each.removeprefix(prefix) for each in dir(self) if each.startswith(prefix))
        )

    # -- people ---------------------------------------------------------------------------------

    def person(self, request: Request) -> Person:
        """The person of a role: the same one whenever the record asks."""
        if request.key not in self._people:
            self._people[request.key] = self.make_person(request.name)
        return self._people[request.key]

    @property
    def patient(self) -> Person:
        return self.person(Request("patient"))

    def make_person(self, role: str) -> Person:
        """Somebody new in a role."""
        rng = self.rng
        sex: Sex = rng.choice(SEXES)
        birth = self.today - timedelta(days=rng.randrange(24 * 365, 66 * 365))
        relation = ""
        shares_name = role == "relative" and rng.random() < 0.6
        surname = self.draw_surname()
        if role == "patient":
            sex = self.profile.sex or sex
            birth = self._birth
        elif role == "relative" and self.relations:
            kin = self._draw_relation()
            sex, relation = kin.sex, kin.word
            shares_name = shares_name and kin.may_share_name
            years = rng.uniform(*kin.years_older)
            birth = min(self._birth - timedelta(days=years * _YEAR), self.today)
        if shares_name:
            surname = self.patient.surname
        title = self.draw_title(role, sex)
        given = self.draw_given_names(sex)
        return Person(given, surname, sex, self.roles[role], birth, title, relation)

    def _draw_relation(self) -> Relation:
        """A relation that somebody of the patient's age may have."""
        age = (self.today - self._birth).days / _YEAR
        fitting = [
            kin
            for kin in self.relations
            if (20 <= age or not kin.of_adults)
            and 0 <= age + kin.years_older[0]
            and age + kin.years_older[1] <= 100
            and not (kin.of_sex and kin.of_sex != self.patient.sex)
        ]
        return self.rng.choice(fitting or self.relations)

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        """One given name or two."""
        count = 1 if self.rng.random() < 0.8 else 2
        return tuple(draw_given(self.rng, self.language, sex) for _ in range(count))

    def draw_surname(self) -> str:
        return draw_surname(self.rng, self.language)

    def draw_title(self, role: str, sex: Sex) -> str:
        """A title that may stand before a name; languages have their own."""
        return ""

    def name_piece(self, person: Person, text: str, part: Part | None, *, joins: bool) -> Piece:
        return Piece(text, person.label, part, joins)

    # -- traits ---------------------------------------------------------------------------------

    def is_female(self) -> bool:
        return self.patient.sex == "female"

    def is_male(self) -> bool:
        return self.patient.sex == "male"

    def is_child(self) -> bool:
        return self.age_of(self.patient) < 16

    def is_infant(self) -> bool:
        return self.age_of(self.patient) < 1

    def is_old(self) -> bool:
        return 67 <= self.age_of(self.patient)

    # -- time -----------------------------------------------------------------------------------

    def _time_line(self) -> dict[str, date]:
        """Dates in an order that makes sense: past3, past2, past, admission, today, next."""
        rng = self.rng
        admission = self._earlier(self.today, 0, 20)
        stay = (self.today - admission).days
        past = self._earlier(admission, 100, 7000)
        past2 = self._earlier(past, 30, 4000)
        return {
            "birth": self._birth,
            "today": self.today,
            "admission": admission,
            "surgery": admission + timedelta(days=rng.randint(0, min(3, stay))),
            "discharge": self.today,
            "recent": self._earlier(admission, 2, 90),
            "recent2": self._earlier(admission, 2, 300),
            "past": past,
            "past2": past2,
            "past3": self._earlier(past2, 365, 6000),
            "soon": self.today + timedelta(days=rng.randint(1, 14)),
            "next": self.today + timedelta(days=rng.randint(5, 200)),
        }

    def _earlier(self, day: date, fewest: int, most: int) -> date:
        """A day before another one, but not before the patient was born."""
        lived = (day - self._birth).days
        return day - timedelta(days=self.rng.randint(min(fewest, lived), min(most, lived)))

    def date(self, request: Request) -> date:
        """The day that a slot `{date...}` means; without a view, one of the last weeks."""
        shift = timedelta(days=request.shift)
        if not request.view:
            return self._earlier(self.today, 0, 30) + shift
        name = request.view + request.number
        if name not in self._dates:
            known = ", ".join(sorted(self._dates))
            raise InputError(f"unknown date '{name}'; known: {known}")
        return self._dates[name] + shift

    def age_of(self, person: Person) -> int:
        """Whole years on the day of the record."""
        before_birthday = (self.today.month, self.today.day) < (
            person.birth.month,
            person.birth.day,
        )
        return self.today.year - person.birth.year - before_birthday

    # -- numbers --------------------------------------------------------------------------------

    def slot_n(self, request: Request) -> list[Piece]:
        """A number: `{n.60_100}` is one from 60 to 100."""
        return [Piece(str(self.between(request)))]

    def slot_dec(self, request: Request) -> list[Piece]:
        """A number with one decimal: `{dec.35_52}` is one from 3.5 to 5.2."""
        whole, tenth = divmod(self.between(request), 10)
        return [Piece(f"{whole}{self.decimal_point}{tenth}")]

    def between(self, request: Request) -> int:
        """A number within the limits that a view such as `60_100` gives."""
        low, _, high = request.view.partition("_")
        if not (low.isdecimal() and high.isdecimal()):
            raise InputError(f"slot '{request.name}' needs two limits, such as {{n.60_100}}")
        return self.rng.randint(int(low), int(high))

    def digits(self, count: int, *, first: str = "123456789") -> str:
        """Random digits, the first of them as asked for."""
        rest = "".join(self.rng.choices("0123456789", k=count - 1))
        return self.rng.choice(first) + rest

    def fill(self, pattern: str) -> str:
        """Put a digit for each 9, a letter for each A, of a pattern such as "AA-999"."""
        of = {"9": "0123456789", "A": "ABCDEFGHJKLMNPRSTUVWXYZ"}
        return "".join(self.rng.choice(of[c]) if c in of else c for c in pattern)
