"""Spanish people: who they are to the patient and how their surnames go together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from veil.synth.people import Person, Relation
from veil.synth.world import Request
from veil.synth.worlds.es_country import Spanish
from veil.synth.worlds.es_names import draw_origin, spanish_given, spanish_surname

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from veil.synth.people import Profile, Sex

_STAFF = (
    *("doctor", "nurse", "auxiliary", "therapist", "worker", "psychologist", "midwife"),
    *("technician", "pharmacist", "student"),
)
# Relatives of whom the patient, or who of the patient, has which surname.
_SAME_SURNAMES = ("hermano", "hermana", "hermana mayor", "hermano menor", "hermano gemelo")
_FATHERS_SIDE = ("padre", "abuelo", "tía", "tío", "prima", "primo", "abuela paterna", "tío paterno")
_MOTHERS_SIDE = ("madre", "abuela", "abuelo materno", "tía materna", "mamá")
_CHILDREN = ("hijo", "hija", "hija mayor", "hijo menor", "nieta", "nieto", "sobrina", "sobrino")
# Friends and carers: their names are protected, the words for them are not.
NOT_KIN = frozenset(
    {
        *("amiga", "amigo", "vecina", "vecino", "cuidadora", "cuidador", "compañera de piso"),
        *("tutora legal", "compañero de trabajo"),
    }
)


@dataclass(frozen=True)
class Hispanic(Person):
    """Somebody with one surname or two."""

    second: str = ""

    @property
    def surnames(self) -> str:
        return f"{self.surname} {self.second}".strip()

    @property
    def givens(self) -> str:
        return " ".join(self.given)


def _kin(word: str, sex: Sex, low: float, high: float, *, adult: bool = False) -> Relation:
    return Relation(word, sex, (low, high), of_adults=adult)


def _spouse(word: str, sex: Sex) -> Relation:
    other: Sex = "male" if sex == "female" else "female"
    return Relation(word, sex, (-10, 10), of_adults=True, of_sex=other, may_share_name=False)


def _close(word: str, sex: Sex) -> Relation:
    return Relation(word, sex, (-15, 12), of_adults=True, may_share_name=False)


def _in_law(word: str, sex: Sex, low: float, high: float) -> Relation:
    return Relation(word, sex, (low, high), of_adults=True, may_share_name=False)


class Crowd(Spanish):
    """Everybody in a record: the patient, kin, friends and staff."""

    roles: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("patient", "relative", "mother", "father", "other", "lady"), "PATIENT"),
        **dict.fromkeys(_STAFF, "DOCTOR"),
    }
    relations: ClassVar[tuple[Relation, ...]] = (
        *(_spouse("marido", "male"), _spouse("marido", "male"), _spouse("esposo", "male")),
        *(_spouse("mujer", "female"), _spouse("esposa", "female"), _spouse("esposa", "female")),
        *(_spouse("exmarido", "male"), _spouse("exmujer", "female"), _spouse("novia", "female")),
        *(_spouse("novio", "male"), _close("pareja", "female"), _close("pareja", "male")),
        *(_kin("hija", "female", -40, -19, adult=True),) * 4,
        *(_kin("hijo", "male", -40, -19, adult=True),) * 3,
        _kin("hija mayor", "female", -34, -19, adult=True),
        _kin("hijo menor", "male", -40, -26, adult=True),
        _kin("nieta", "female", -62, -42, adult=True),
        _kin("nieto", "male", -62, -42, adult=True),
        _kin("sobrina", "female", -38, -12, adult=True),
        _kin("sobrino", "male", -38, -12, adult=True),
        *(_in_law("nuera", "female", -38, -18), _in_law("yerno", "male", -38, -18)),
        *(_close("cuñada", "female"), _close("cuñado", "male"), _close("amiga", "female")),
        _in_law("suegra", "female", 18, 38),
        *(_close("amigo", "male"), _close("vecina", "female"), _close("vecino", "male")),
        *(_close("cuidadora", "female"), _close("compañero de trabajo", "male")),
        *(_kin("madre", "female", 19, 40),) * 3,
        *(_kin("padre", "male", 20, 44),) * 3,
        _kin("abuela", "female", 42, 64),
        _kin("abuelo materno", "male", 44, 66),
        _kin("tía", "female", 12, 38),
        _kin("tío paterno", "male", 12, 38),
        *(_kin("hermana", "female", -10, 14), _kin("hermano", "male", -10, 14)),
        *(_kin("hermana mayor", "female", 1, 14), _kin("hermano menor", "male", -10, -1)),
        *(_kin("prima", "female", -10, 14), _kin("primo", "male", -10, 14)),
    )

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._origin = draw_origin(rng, self.code)

    def somebody(self, request: Request) -> Hispanic:
        """The person of a role, who is the same one whenever the record asks."""
        person = self.person(request)
        if not isinstance(person, Hispanic):
            raise TypeError(f"no such person: {request.key}")
        return person

    def make_person(self, role: str) -> Hispanic:
        kept = self._origin
        if role in _STAFF:
            self._origin = draw_origin(self.rng, self.code)
        person = super().make_person(role)
        second = self.draw_surname() if self.rng.random() < self.country.surnames else ""
        made = Hispanic(**vars(person), second=second)
        self._origin = kept
        if role == "lady":
            made = replace(made, sex="female", given=self.draw_given_names("female"))
        if role in ("mother", "father"):
            made = self._parent(made, role)
        return self._related(made) if made.relation else made

    def _parent(self, person: Hispanic, role: str) -> Hispanic:
        """A parent of the patient, old enough to be one."""
        sex: Sex = "female" if role == "mother" else "male"
        years = self.rng.uniform(19, 41)
        born = self._birth.replace(year=self._birth.year - int(years), day=1)
        word = "madre" if role == "mother" else "padre"
        given = self.draw_given_names(sex)
        return replace(person, given=given, sex=sex, relation=word, birth=born)

    def _related(self, person: Hispanic) -> Hispanic:
        """The surnames that kin has: the father's first, then the mother's."""
        patient = self.somebody(Request("patient"))
        word = person.relation
        if word in _SAME_SURNAMES:
            return replace(person, surname=patient.surname, second=patient.second)
        if word in _FATHERS_SIDE:
            return replace(person, surname=patient.surname)
        if word in _MOTHERS_SIDE:
            return replace(person, surname=patient.second or person.surname)
        if word in _CHILDREN:
            if patient.sex == "male":
                return replace(person, surname=patient.surname)
            second = patient.surname if person.second else ""
            return replace(person, surname=self.draw_surname(), second=second)
        return person

    def is_infant(self) -> bool:
        """Below two years of age."""
        return self.age_of(self.patient) < 2

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        first = spanish_given(self.rng, sex, self._origin)
        two = self.rng.random() < (0.06 if self.is_spain() else 0.45)
        if not two or " " in first or "-" in first:
            return (first,)
        return (first, spanish_given(self.rng, sex, self._origin))

    def draw_surname(self) -> str:
        return spanish_surname(self.rng, self._origin)
