"""English people: who they are to the patient, and how records write their names."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from veil.core.errors import InputError
from veil.synth.people import Person
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.en_country import English
from veil.synth.worlds.en_names import english_given, english_surname, short_forms
from veil.synth.worlds.en_relations import NEAREST, RELATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.core.document import Part
    from veil.synth.people import Relation, Sex
    from veil.synth.world import Request

_BEFORE: dict[str, dict[str, float]] = {
    "doctor": {"Dr": 9, "Doctor": 0.5, "Prof": 0.4, "Professor": 0.2, "DR": 0.3},
    "nurse": {"Nurse": 4, "RN": 3, "Sister": 0.5, "LPN": 0.5, "Charge Nurse": 0.5, "": 3},
    "therapist": {"": 6, "PT": 1, "OT": 1, "SLP": 0.5, "Mr": 0.3, "Ms": 0.5},
    "worker": {"": 6, "SW": 1, "Ms": 1, "Mr": 0.5, "CM": 0.4},
    "medic": {"Paramedic": 3, "EMT": 2, "Medic": 1, "": 2},
    "pharmacist": {"": 5, "Pharmacist": 1},
    "student": {"": 5},
}
_AFTER = {
    "nurse": ("RN", "RN", "RN", "R.N.", "BSN", "LPN", "RN, BSN", "CNS", "RGN", "EN", "RPN", "CRNA"),
    "therapist": ("PT", "DPT", "OTR/L", "OT", "PTA", "SLP", "CCC-SLP", "RRT", "RT", "RD", "LDN"),
    "worker": ("LCSW", "LICSW", "MSW", "SW", "CM", "RN CM", "LMSW", "LPC", "Psy.D.", "PhD"),
    "medic": ("EMT-P", "EMT-B", "EMT", "NREMT-P", "Paramedic"),
    "pharmacist": ("PharmD", "RPh", "Pharm.D.", "MRPharmS"),
    "student": ("MS3", "MS4", "medical student", "MS-III", "RN student", "CC4", "PA-S"),
}
_AMERICAN_LETTERS = frozenset({"PharmD", "Pharm.D.", "LICSW", "LCSW", "DPT", "OTR/L"})
# How a role is written where the template does not say.
_PROSE = {
    "patient": {"titled": 11, "full": 3, "titled_full": 2, "first": 1.5, "last": 1.3, "nick": 0.3},
    "child": {"first": 10, "full": 4, "last_first": 0.3, "nick": 1, "titled_full": 0.3},
    "relative": {"first": 7, "full": 5, "titled": 2, "titled_full": 1, "nick": 0.5, "last": 0.2},
    "other": {"full": 6, "first": 2, "titled": 2, "titled_full": 1, "f_last": 0.3},
    "doctor": {
        "titled": 10,
        "titled_full": 4,
        "degree": 3,
        "f_last_degree": 0.7,
        "titled_f_last": 1,
        "last": 0.8,
        "full": 0.6,
    },
    "nurse": {
        "titled": 3,
        "degree": 5,
        "first": 1,
        "f_last_degree": 1.5,
        "full": 0.7,
        "first_l": 0.5,
    },
}
_FIELD = {
    "patient": {
        "full": 5,
        "last_first": 5,
        "caps_last_first": 3,
        "caps": 1,
        "last_caps_first": 1,
        "titled_full": 0.7,
    },
    "doctor": {
        "degree": 6,
        "titled_full": 3,
        "last_first_degree": 2,
        "titled": 1.5,
        "f_last": 1,
        "caps_last_first": 1,
        "full": 2,
        "f_last_degree": 1,
        "caps": 0.4,
        "last": 0.5,
        "last_first": 1,
    },
}


class People(English):
    """Slots of people: patient, relative, other, doctor, nurse, therapist, worker, medic ..."""

    roles: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("patient", "relative", "other", *NEAREST), "PATIENT"),
        **dict.fromkeys(_AFTER, "DOCTOR"),
        "doctor": "DOCTOR",
    }
    relations: ClassVar[tuple[Relation, ...]] = RELATIONS

    def make_person(self, role: str) -> Person:
        if role not in NEAREST:
            return super().make_person(role)
        relations, years = NEAREST[role]
        patient = self.patient
        sex: Sex = "female" if role == "mother" else "male"
        if role == "partner":
            sex = "male" if patient.sex == "female" else "female"
            odd = {"female": "husband", "male": "wife"}[sex]
            relations = tuple(word for word in relations if word != odd)
        birth = patient.birth - timedelta(days=365 * self.rng.uniform(*years))
        surname = patient.surname if self.rng.random() < 0.7 else self.draw_surname()
        return Person(
            self.draw_given_names(sex),
            surname,
            sex,
            self.roles[role],
            birth,
            self.draw_title(role, sex),
            self.rng.choice(relations),
        )

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        first = english_given(self.rng, sex)
        return (first, english_given(self.rng, sex)) if self.rng.random() < 0.4 else (first,)

    def draw_surname(self) -> str:
        return english_surname(self.rng)

    def draw_title(self, role: str, sex: Sex) -> str:
        if role in _BEFORE:
            return self.draw(_BEFORE[role])
        if role == "patient" and self.age_in_years < 16:
            return "Miss" if sex == "female" else "Master"
        if sex == "male":
            return self.draw({"Mr": 30, "Rev": 0.4, "Fr": 0.2, "Sir": 0.1, "Sgt": 0.2, "Capt": 0.2})
        return self.draw({"Mrs": 12, "Ms": 12, "Miss": 3, "Sr": 0.2, "Lady": 0.1, "Rev": 0.1})

    @property
    def age_in_years(self) -> int:
        return (self.today - self._birth).days // 365

    # -- slots ----------------------------------------------------------------------------------

    def slot_patient(self, request: Request) -> list[Piece]:
        prose = _PROSE["child" if self.is_child() else "patient"]
        return self._mention(request, prose, _FIELD["patient"])

    def slot_relative(self, request: Request) -> list[Piece]:
        person = self.person(request)
        if request.view == "kin":
            return [Piece(self.spelled(person.relation))]
        if request.view == "age":
            return [Piece(str(max(self.age_of(person), 1)), "AGE")]
        return self._mention(request, _PROSE["relative"], _FIELD["patient"])

    def slot_other(self, request: Request) -> list[Piece]:
        """Somebody who neither treats the patient nor is kin: a teacher, a lawyer, a witness."""
        return self._mention(request, _PROSE["other"], _FIELD["patient"])

    def slot_doctor(self, request: Request) -> list[Piece]:
        return self._mention(request, _PROSE["doctor"], _FIELD["doctor"])

    def slot_surgeon(self, request: Request) -> list[Piece]:
        """The first doctor, who in Britain and Ireland is Mr or Miss as a surgeon."""
        person = self.person(type(request)("doctor", request.number))
        if self.code in ("uk", "ie") and not request.view:
            before = f"Mr{self.dot}" if person.sex == "male" else "Miss"
            return [Piece(f"{before} "), self._name(person, person.surname, "last")]
        return self._mention(request, _PROSE["doctor"], _FIELD["doctor"], person)

    def slot_kin(self, request: Request) -> list[Piece]:
        """A relative with the word for what they are: daughter Ann, wife (Ruth Hale)."""
        person = self.person(type(request)("relative", request.number))
        before, after = self.rng.choice(((" ", ""), (" ", ""), (", ", ""), (" (", ")"), (" ", "")))
        name = self._called(person, self.draw(_PROSE["relative"]))
        return [
            Piece(self.spelled(person.relation) + before),
            *name,
            *([Piece(after)] if after else []),
        ]

    def _staff(self, request: Request) -> list[Piece]:
        return self._mention(request, _PROSE["nurse"], _FIELD["doctor"])

    slot_mother = slot_father = slot_partner = slot_relative
    slot_nurse = slot_therapist = slot_worker = slot_medic = slot_pharmacist = slot_student = _staff

    # -- writings -------------------------------------------------------------------------------

    def _mention(
        self,
        request: Request,
        prose: Mapping[str, float],
        field: Mapping[str, float],
        person: Person | None = None,
    ) -> list[Piece]:
        view = request.view
        if view in ("", "any", "mention", "field"):
            view = self.draw(field if view == "field" else prose)
        return self._called(person or self.person(request), view, request.name)

    def _name(self, person: Person, text: str, part: Part | None = None) -> Piece:
        return self.name_piece(person, text, part, joins=False)

    def _called(self, person: Person, view: str, role: str = "") -> list[Piece]:
        first, last = person.given[0], person.surname
        if view == "first":
            return [self._name(person, first, "first")]
        if view == "last":
            return [self._name(person, last, "last")]
        if view == "nick":
            return [self._name(person, self.nickname(person), "first")]
        if view in ("titled", "titled_full", "titled_f_last"):
            rest = {"titled": "last", "titled_full": "full", "titled_f_last": "f_last"}[view]
            return self._titled(person, rest)
        if view.endswith("degree"):
            return self._with_degree(
                person, view.removesuffix("degree").rstrip("_") or "full", role
            )
        return [self._name(person, self._form(person, view))]

    def _titled(self, person: Person, rest: str) -> list[Piece]:
        if not person.title:
            return self._called(person, "full")
        plain = person.title not in (
            "Dr",
            "DR",
            "Mr",
            "Mrs",
            "Ms",
            "Prof",
            "Rev",
            "Fr",
            "Sgt",
            "Capt",
        )
        dot = "" if plain else self.dot
        return [Piece(f"{person.title}{dot} "), *self._called(person, rest)]

    def _with_degree(self, person: Person, view: str, role: str) -> list[Piece]:
        """A name and the letters after it."""
        letters = self.country.degrees
        if role in _AFTER:
            letters = tuple(
                each for each in _AFTER[role] if self.is_american() or each not in _AMERICAN_LETTERS
            )
        comma = self.rng.choice((", ", ", ", " ") if self.is_american() else (" ", " ", ", "))
        after = self.rng.choice(letters)
        if self.rng.random() < 0.08:
            comma, after = " (", f"{after})"
        return [*self._called(person, view), Piece(comma + after)]

    def _form(self, person: Person, view: str) -> str:
        """The name as one run of text."""
        first, last = person.given[0], person.surname
        middle = person.given[1] if 1 < len(person.given) else ""
        initial = self.rng.choice((f"{middle[0]}.", middle[0], middle)) if middle else ""
        firsts = f"{first} {initial}".strip()
        letters = [name[0] for name in (*person.given, last)]
        if view == "full":
            return f"{firsts} {last}"
        if view == "plain":
            return f"{first} {last}"
        if view == "caps":
            return f"{firsts} {last}".upper()
        if view == "last_first":
            return f"{last}{self.rng.choice((', ', ', ', ', ', ','))}{firsts}"
        if view == "caps_last_first":
            return f"{last}{self.rng.choice((', ', ', ', ','))}{firsts}".upper()
        if view == "last_caps_first":
            return f"{last.upper()}{self.rng.choice((', ', ' ', ', '))}{firsts}"
        if view == "f_last":
            return self.rng.choice(
                (f"{first[0]}. {last}", f"{first[0]} {last}", f"{first[0]}. {last}")
            )
        if view == "first_l":
            return f"{first} {last[0]}{self.rng.choice(('.', ''))}"
        if view == "initials":
            return self.rng.choice(("".join(letters), ".".join(letters) + "."))
        raise InputError(f"unknown view of a name '{view}'")

    def nickname(self, person: Person) -> str:
        """What friends call somebody."""
        known = short_forms().get(person.given[0])
        if known:
            return self.rng.choice(known)
        if len(person.given[0]) < 5 or self.rng.random() < 0.3:
            return self.rng.choice(words("en", "bynames"))
        return person.given[0][:3] + self.rng.choice(("", "y", "ie", "o"))
