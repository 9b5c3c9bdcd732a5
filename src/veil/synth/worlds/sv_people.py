"""Swedish people: who they are and how records write their names."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from veil.synth.people import Person, Relation, Sex, draw_given, draw_surname
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import BaseWorld
from veil.synth.worlds.sv_names import name_pieces
from veil.synth.worlds.sv_relations import NAMED_RELATIONS, RELATIONS, definite
from veil.synth.worlds.sv_titles import TITLES, title_before

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.world import Request

_LANGUAGE = "sv"
_SWEDISH = "swedish"
_ANYWHERE = "anywhere"
_FINNISH = "finnish"
# Where families come from. Lists made by hand, but for those of anywhere: these are the lexicons'.
_ORIGINS = {
    _SWEDISH: 0.60,
    _ANYWHERE: 0.14,
    _FINNISH: 0.04,
    "arabic": 0.05,
    "balkan": 0.03,
    "persian": 0.025,
    "turkish": 0.025,
    "somali": 0.025,
    "polish": 0.025,
    "asian": 0.02,
    "african": 0.02,
    "german": 0.02,
}
# How often a Swedish surname is a frequent one, put together, or has a particle; else it is made of
# the father's name.
_FREQUENT, _COMPOSED, _PARTICLE = 0.5, 0.88, 0.92
# The years in which names of an older generation went out of use.
_OLD, _MIDDLE = 1955, 1988

_VIEWS: Mapping[str, Mapping[str, float]] = {
    "patient": {
        "full": 30,
        "first": 34,
        "titled": 10,
        "last": 7,
        "nick": 6,
        "first_l": 4,
        "f_last": 4,
        "whole": 5,
    },
    # In place of "patienten".
    "mention": {"first": 55, "full": 27, "titled": 8, "last": 6, "nick": 4},
    "relative": {"first": 50, "full": 36, "nick": 8, "first_l": 3, "f_last": 3},
    "other": {"full": 55, "first": 30, "first_l": 15},
    "doctor": {"titled": 42, "titled_full": 24, "full": 14, "last": 9, "f_last": 5, "after": 6},
    "nurse": {"titled": 38, "titled_full": 24, "full": 14, "first": 16, "first_l": 4, "after": 4},
    "staff": {"titled": 30, "titled_full": 40, "full": 14, "first": 8, "f_last": 2, "after": 6},
}


class PeopleSlots(BaseWorld):
    """Patients, relatives and staff, with the words that stand for them."""

    roles: ClassVar[Mapping[str, str]] = {
        "patient": "PATIENT",
        "relative": "PATIENT",
        "other": "PATIENT",
        **dict.fromkeys(NAMED_RELATIONS, "PATIENT"),
        "doctor": "DOCTOR",
        "nurse": "DOCTOR",
        "midwife": "DOCTOR",
        "therapist": "DOCTOR",
        "counsellor": "DOCTOR",
        "officer": "DOCTOR",
        "colleague": "DOCTOR",
    }
    relations: ClassVar[tuple[Relation, ...]] = RELATIONS

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._origin_of: dict[str, str] = {}
        self._finland = rng.random() < 0.06

    # -- who they are ---------------------------------------------------------------------------

    def make_person(self, role: str) -> Person:
        person = super().make_person(role)
        kin = NAMED_RELATIONS.get(role)
        if kin:
            age = timedelta(days=self.rng.uniform(*kin.years_older) * 365)
            person = replace(person, sex=kin.sex, relation=kin.word, birth=self.patient.birth - age)
            if self.rng.random() < 0.7:
                person = replace(person, surname=self.patient.surname)
        if role == "midwife":
            person = replace(person, sex="female")
        origin = self._origin_of.get(person.surname, _SWEDISH)
        return replace(person, given=self._given_names(person.sex, person.birth, origin))

    def draw_surname(self) -> str:
        """A surname; a record remembers its origin, so that the given names go with it."""
        origin = self.draw(_ORIGINS)
        if self.is_finland() and self.rng.random() < 0.3:
            origin = _FINNISH
        surname = self._surname(origin)
        self._origin_of.setdefault(surname, origin)
        return surname

    def draw_title(self, role: str, sex: Sex) -> str:
        titles = TITLES.get(role)
        return self.draw(titles) if titles else ""

    def is_infant(self) -> bool:
        return self.age_of(self.patient) < 1

    def is_toddler(self) -> bool:
        return self.age_of(self.patient) < 6

    def is_pupil(self) -> bool:
        return 6 <= self.age_of(self.patient)

    def is_finland(self) -> bool:
        """Whether the record comes from Swedish-speaking Finland."""
        return self._finland

    def _surname(self, origin: str) -> str:
        rng = self.rng
        if origin == _ANYWHERE:
            return draw_surname(rng, _LANGUAGE)
        if origin != _SWEDISH:
            return rng.choice(words(_LANGUAGE, f"{origin}_surnames"))
        surname = self.swedish_surname()
        kind = rng.random()
        if kind < 0.05:
            return f"{surname}-{self.swedish_surname()}"
        return f"{surname} {self.swedish_surname()}" if kind < 0.09 else surname

    def swedish_surname(self) -> str:
        """A frequent surname, or one that is put together: Lindström, Vretvik, von Essen."""
        rng = self.rng
        kind = rng.random()
        if kind < _FREQUENT:
            return rng.choice(words(_LANGUAGE, "surnames"))
        if kind < _COMPOSED:
            head, tail = (
                rng.choice(words(_LANGUAGE, f"surname_{end}")) for end in ("heads", "tails")
            )
            # No "Strandstrand", and no three letters of a kind as in "Hallling".
            if head.lower() != tail and not head.endswith(tail[0] * 2):
                return head + tail
            return f"{head}berg"
        if kind < _PARTICLE:
            return rng.choice(words(_LANGUAGE, "particle_surnames"))
        father = rng.choice(words(_LANGUAGE, "given_male_old")).split("-")[0]
        return f"{father}son" if father.endswith("s") else f"{father}sson"

    def _given_names(self, sex: Sex, birth: date, origin: str) -> tuple[str, ...]:
        count = 1 if self.rng.random() < 0.78 else 2
        return tuple(self._given_name(sex, birth, origin) for _ in range(count))

    def _given_name(self, sex: Sex, birth: date, origin: str) -> str:
        rng = self.rng
        if origin == _ANYWHERE or rng.random() < 0.06:
            return draw_given(rng, _LANGUAGE, sex)
        if origin != _SWEDISH and rng.random() < 0.85:
            return rng.choice(words(_LANGUAGE, f"{origin}_{sex}"))
        if birth.year < _MIDDLE and rng.random() < 0.06:
            heads = words(_LANGUAGE, f"compound_{sex}_heads")
            tails = words(_LANGUAGE, f"compound_{sex}_tails")
            return f"{rng.choice(heads)}-{rng.choice(tails)}"
        generation = "old" if birth.year < _OLD else "mid" if birth.year < _MIDDLE else "young"
        return rng.choice(words(_LANGUAGE, f"given_{sex}_{generation}"))

    # -- how they are written -------------------------------------------------------------------

    def _named(self, request: Request) -> list[Piece]:
        """A person in one view; the style `gen` is the genitive."""
        person = self.person(request)
        view = request.view
        if view in ("", "mention"):
            view = self.draw(_views(view or request.name))
        if view == "titled" and request.name == "patient" and self.is_child():
            view = "first"
        if view in ("titled", "titled_full"):
            title = title_before(person, request.name, self.rng)
            inner = "full" if view == "titled_full" else self._usual_name(request.name)
            return [Piece(f"{title} "), *self._written(person, inner, request)]
        if view == "after":
            name = self._written(person, "full", request)
            return [*name, Piece(f"{self.rng.choice((', ', ', ', ' ', ' / '))}{person.title}")]
        return self._written(person, view, request)

    def _usual_name(self, role: str) -> str:
        """Physicians and patients are known by the surname after a title, others by the first."""
        usual = "last" if role in ("doctor", "patient") else "first"
        other = "first" if usual == "last" else "last"
        return usual if self.rng.random() < 0.85 else other

    def _written(self, person: Person, view: str, request: Request) -> list[Piece]:
        return name_pieces(person, view, self.rng, genitive=request.style == "gen")

    slot_patient = slot_relative = slot_other = slot_doctor = slot_nurse = _named
    slot_mother = slot_father = slot_sister = slot_brother = slot_grandmother = _named
    slot_midwife = slot_therapist = slot_counsellor = slot_officer = slot_colleague = _named

    def slot_maiden(self, request: Request) -> list[Piece]:
        """A surname that the patient had before."""
        return self.kept("maiden", lambda: [Piece(self.draw_surname(), "PATIENT", "last")])

    def slot_job(self, request: Request) -> list[Piece]:
        """The title of somebody of the staff, as it stands after a name: `{job.doctor2}`."""
        return [Piece(self.person(_of_role(request)).title)]

    # -- words for them -------------------------------------------------------------------------

    def slot_kin(self, request: Request) -> list[Piece]:
        """What the relative is to the patient: dotter, with view `def` dottern, `gen` dotterns."""
        word = self.person(replace(request, name="relative", view="")).relation
        if request.view in ("def", "gen"):
            word = definite(word)
        if request.view == "gen":
            word += "s"
        return [Piece(word)]

    def slot_he(self, request: Request) -> list[Piece]:
        return [Piece(self._by_sex(request, "hon", "han"))]

    def slot_him(self, request: Request) -> list[Piece]:
        return [Piece(self._by_sex(request, "henne", "honom"))]

    def slot_his(self, request: Request) -> list[Piece]:
        return [Piece(self._by_sex(request, "hennes", "hans"))]

    def slot_man(self, request: Request) -> list[Piece]:
        """kvinna or man, flicka or pojke; with view `def` kvinnan."""
        child = self.is_child()
        if request.view == "def":
            female, male = ("flickan", "pojken") if child else ("kvinnan", "mannen")
        else:
            female, male = ("flicka", "pojke") if child else ("kvinna", "man")
        return [Piece(self._by_sex(replace(request, view=""), female, male))]

    def _by_sex(self, request: Request, female: str, male: str) -> str:
        """A word by the sex of the patient, or by that of the person in the view."""
        person = self.person(_of_role(request)) if request.view else self.patient
        return female if person.sex == "female" else male


def _views(role: str) -> Mapping[str, float]:
    """How often a role is written in which view where a template does not say."""
    return _VIEWS["relative" if role in NAMED_RELATIONS else role if role in _VIEWS else "staff"]


def _of_role(request: Request) -> Request:
    """The request for the person that a view names: doctor, doctor2, relative."""
    role = request.view.rstrip("0123456789")
    return replace(request, name=role, number=request.view.removeprefix(role), view="")
