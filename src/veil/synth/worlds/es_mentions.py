# mypy: ignore-errors
"""How Spanish records write the names of people: in fields, in prose, with titles and articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request
from veil.synth.worlds.es_names import short_forms, shortened
from veil.synth.worlds.es_people import NOT_KIN, Crowd, Hispanic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.synth.people import Sex

# Titles before a name, for women and men; those without an article stand apart.
_BEFORE: dict[str, dict[tuple[str, str], float]] = {
    "doctor": {
        ("Dra", "Dr"): 12,
        ("doctora", "doctor"): 0.6,
        ("DRA", "DR"): 0.3,
        ("Profa", "Prof"): 0.2,
    },
    "nurse": {("enfermera", "enfermero"): 3, ("DUE", "DUE"): 2, ("Enf", "Enf"): 0.8, ("", ""): 3},
    "auxiliary": {("TCAE", "TCAE"): 2, ("auxiliar", "auxiliar"): 1, ("", ""): 2},
    "therapist": {
        ("fisioterapeuta", "fisioterapeuta"): 3,
        ("logopeda", "logopeda"): 1,
        ("", ""): 2,
    },
    "worker": {("trabajadora social", "trabajador social"): 3, ("TS", "TS"): 1, ("", ""): 2},
    "psychologist": {("psicóloga", "psicólogo"): 3, ("Dra", "Dr"): 1, ("", ""): 1},
    "midwife": {("matrona", "matrón"): 3, ("", ""): 2},
    "technician": {("técnico", "técnico"): 2, ("TES", "TES"): 2, ("", ""): 2},
    "pharmacist": {("farmacéutica", "farmacéutico"): 2, ("", ""): 1},
    "student": {("alumna", "alumno"): 1, ("", ""): 1},
}
_DOTTED = frozenset({"Dra", "Dr", "DRA", "DR", "Profa", "Prof", "Enf", "Sra", "Sr", "Srta"})
_AFTER = {
    "doctor": (
        *("MIR", "R1", "R2", "R3", "R4", "FEA", "adjunta", "adjunto", "FEA Medicina Interna"),
        *("MIR de Cardiología", "médico de guardia", "residente", "MAP", "UCI", "Anestesia"),
    ),
    "nurse": ("DUE", "enfermera", "enfermero", "Enf.", "supervisora", "DUE noche", "enf. UCI"),
    "auxiliary": ("TCAE", "aux.", "auxiliar de enfermería"),
    "therapist": ("fisioterapeuta", "fisio", "logopeda", "terapeuta ocupacional", "TO"),
    "worker": ("trabajadora social", "TS", "trabajador social", "UTS"),
    "psychologist": ("psicóloga clínica", "PIR", "psicólogo"),
    "midwife": ("matrona", "EIR matrona"),
    "technician": ("TES", "técnico", "TER", "conductor"),
    "pharmacist": ("farmacéutica", "FIR"),
    "student": ("alumna de enfermería", "estudiante 6º Medicina", "EIR"),
}
_PROSE: dict[str, dict[str, float]] = {
    "patient": {
        "don": 4, "sir": 5, "full": 3, "short": 1.5, "first": 3, "last": 0.8, "nick": 0.5,
        "sir_full": 1, "f_last": 0.2, "initials": 0.3, "caps": 0.4,
    },
    "child": {"first": 9, "full": 3, "short": 1.5, "nick": 1, "initials": 0.2},
    "relative": {"first": 6, "short": 3, "full": 2.5, "don": 1, "nick": 1, "sir": 0.5, "last": 0.2},
    "doctor": {
        "titled": 9, "titled_full": 4, "titled_short": 3, "titled_f_last": 1, "titled_first": 0.5,
        "last": 0.5, "full": 0.4, "after": 0.7,
    },
    "staff": {
        "titled_first": 4, "titled_full": 2, "titled_short": 2, "after": 3, "first": 2, "full": 1,
    },
}  # fmt: skip
_FIELD: dict[str, dict[str, float]] = {
    "patient": {
        "full": 6, "last_first": 5, "caps_last_first": 3.5, "caps": 2, "last_caps_first": 1,
        "surname_given": 1.2, "caps_surname_given": 1.2, "don_full": 1.5, "short": 0.7,
    },
    "doctor": {
        "titled_full": 7, "full": 5, "titled": 1.5, "titled_short": 2, "last_first": 1.5,
        "caps_last_first": 1.2, "titled_f_last": 1.2, "f_last": 0.6, "caps": 0.8, "after": 1.5,
        "short": 1, "titled_caps": 0.8, "last": 0.3, "last_caps_first": 0.5,
    },
}  # fmt: skip
# Words and endings that agree with somebody, for women and men: informad{relative.o}.
_AGREEING = {"o": ("a", "o"), "art": ("la", "el"), "a": ("a", "")}
_WITHOUT_ARTICLE = ("D.", "Dña", "Dª", "Da.", "don ", "doña", "Don ", "Doña")
_ARTICLES = {
    "mention": ("la ", "el ", ""),
    "the": ("la ", "el ", ""),
    "of": ("de la ", "del ", "de "),
    "to": ("a la ", "al ", "a "),
}


class People(Crowd):
    """Slots of people: patient, relative, mother, father, other, doctor, nurse, therapist ..."""

    def draw_title(self, role: str, sex: Sex) -> str:
        if role in _BEFORE:
            female, male = self.draw(_BEFORE[role])
            return self._dotted(female if sex == "female" else male)
        return ""

    def _dotted(self, title: str) -> str:
        return f"{title}{self.dot}" if title in _DOTTED else title

    # -- slots ----------------------------------------------------------------------------------

    def slot_patient(self, request: Request) -> list[Piece]:
        prose = _PROSE["child" if self.is_child() else "patient"]
        return self._mention(self.somebody(request), request, prose, _FIELD["patient"])

    def _relative(self, request: Request) -> list[Piece]:
        person = self.somebody(request)
        if request.view == "kin":
            return [self._kin_word(person)]
        return self._mention(person, request, _PROSE["relative"], _FIELD["patient"])

    slot_relative = slot_mother = slot_father = _relative

    def slot_other(self, request: Request) -> list[Piece]:
        """Somebody who neither treats the patient nor is kin: a teacher, a lawyer, a witness."""
        return self._mention(self.somebody(request), request, _PROSE["relative"], _FIELD["patient"])

    # A woman, for words that say so.
    slot_lady = slot_other

    def slot_doctor(self, request: Request) -> list[Piece]:
        return self._mention(self.somebody(request), request, _PROSE["doctor"], _FIELD["doctor"])

    def _staff(self, request: Request) -> list[Piece]:
        return self._mention(self.somebody(request), request, _PROSE["staff"], _FIELD["doctor"])

    slot_nurse = slot_auxiliary = slot_therapist = slot_worker = slot_psychologist = _staff
    slot_midwife = slot_technician = slot_pharmacist = slot_student = _staff

    def slot_kin(self, request: Request) -> list[Piece]:
        """A relative with the word for what they are: hija Ana, marido (Luis Gil), madre."""
        person = self.somebody(Request("relative", request.number))
        before, after = self.rng.choice(((" ", ""), (" ", ""), (" ", ""), (" (", ")")))
        name = self._called(person, self.draw(_PROSE["relative"]), "relative")
        return [self._kin_word(person), Piece(before), *name, *([Piece(after)] if after else [])]

    def slot_r(self, request: Request) -> list[Piece]:
        """Kin that is told but not named: `{r.dos_hermanas}`."""
        return [Piece(request.view.replace("_", " "), "RELATIVE")]

    def slot_child(self, request: Request) -> list[Piece]:
        """What the patient is to the parents who are told: hijo de, hija de."""
        return self._of_sex("hija", "hijo", "RELATIVE")

    def _kin_word(self, person: Hispanic) -> Piece:
        return Piece(person.relation, None if person.relation in NOT_KIN else "RELATIVE")

    # -- writings -------------------------------------------------------------------------------

    def _mention(
        self,
        person: Hispanic,
        request: Request,
        prose: Mapping[str, float],
        field: Mapping[str, float],
    ) -> list[Piece]:
        view = request.view
        if view in _AGREEING:
            return [Piece(_AGREEING[view][person.sex == "male"])]
        if view in _ARTICLES:
            return self._with_article(person, view, self.draw(prose), request.name)
        if view in ("", "any", "field"):
            view = self.draw(field if view == "field" else prose)
        return self._called(person, view, request.name)

    def _with_article(self, person: Hispanic, case: str, view: str, role: str) -> list[Piece]:
        """The name as a sentence holds it: el Dr. Gil, de la Sra. Paz, a Ana."""
        pieces = self._called(person, view, role)
        female, male, none = _ARTICLES[case]
        if pieces[0].label or pieces[0].text.startswith(_WITHOUT_ARTICLE):
            article = none
        else:
            article = female if person.sex == "female" else male
        return [Piece(article), *pieces] if article else pieces

    def _name(self, person: Hispanic, text: str) -> Piece:
        return self.name_piece(person, text, None, joins=False)

    def _called(self, person: Hispanic, view: str, role: str) -> list[Piece]:
        if view.startswith("titled"):
            rest = view.removeprefix("titled").lstrip("_") or "last"
            title = [Piece(f"{person.title} ")] if person.title else []
            return [*title, *self._called(person, rest if title else "full", role)]
        if view in ("sir", "sir_full"):
            rest = "last" if view == "sir" else "full"
            return [Piece(f"{self._sir(person)} "), *self._called(person, rest, role)]
        if view.startswith("don"):
            rest = view.removeprefix("don").lstrip("_")
            rest = rest or self.draw({"first": 3, "full": 3, "short": 2})
            return [Piece(f"{self._don(person)} "), *self._called(person, rest, role)]
        if view == "after":
            return self._with_role(person, role)
        return [self._name(person, self._form(person, view))]

    def _sir(self, person: Hispanic) -> str:
        if person.sex == "female":
            return self._dotted(self.rng.choice(("Sra", "Sra", "señora", "Srta")))
        return self._dotted(self.rng.choice(("Sr", "Sr", "Sr", "señor")))

    def _don(self, person: Hispanic) -> str:
        if person.sex == "male":
            return self.rng.choice(("D.", "D.", "D.", "don", "Don"))
        return self.rng.choice(("Dña.", "Dña.", "Dª", "doña", "Doña", "Dª.", "Da."))

    def _with_role(self, person: Hispanic, role: str) -> list[Piece]:
        after = self.rng.choice(_AFTER.get(role, _AFTER["doctor"]))
        name = self._called(
            person, self.draw({"full": 2, "short": 3, "first": 1, "f_last": 1}), role
        )
        before, behind = self.rng.choice(((" (", ")"), (", ", ""), (" - ", ""), (" (", ")")))
        return [*name, Piece(f"{before}{after}{behind}")]

    def _form(self, person: Hispanic, view: str) -> str:
        """The name as one run of text."""
        rng = self.rng
        if view.startswith("caps"):
            return self._form(person, view.removeprefix("caps").lstrip("_") or "full").upper()
        short = rng.random() < 0.18
        givens = shortened(rng, person.givens) if short else person.givens
        surnames = shortened(rng, f"- {person.surnames}")[2:] if short else person.surnames
        forms = {
            "full": f"{givens} {surnames}",
            "short": f"{givens} {person.surname}",
            "plain": f"{person.givens} {person.surnames}",
            "first": givens if " " in person.given[0] else person.given[0],
            "last": person.surname if rng.random() < 0.75 else surnames,
            "last_first": f"{surnames}{rng.choice((', ', ', ', ', ', ','))}{givens}",
            "last_caps_first": f"{surnames.upper()}{rng.choice((', ', ' '))}{givens}",
            "surname_given": f"{surnames} {givens}",
            "givens": givens,
            "surnames": surnames,
            "surname_one": person.surname,
            "surname_two": person.second or person.surname,
            "f_last": f"{self._initials_of(person)} {person.surname}",
            "first_l": f"{person.given[0]} {person.surname[0]}.",
            "initials": self._initials(person),
            "nick": self.nickname(person),
        }
        if view not in forms:
            raise InputError(f"unknown view of a name '{view}'; known: {', '.join(forms)}")
        return forms[view]

    def _initials_of(self, person: Hispanic) -> str:
        letters = [word[0] for word in person.givens.split() if word[0].isupper()]
        return self.rng.choice((". ", ".")).join(letters) + self.rng.choice((".", ".", ""))

    def _initials(self, person: Hispanic) -> str:
        words_of_name = f"{person.givens} {person.surnames}".split()
        letters = [word[0] for word in words_of_name if word[0].isupper()]
        return self.rng.choice(
            ("".join(letters), ".".join(letters) + ".", ". ".join(letters) + ".")
        )

    def nickname(self, person: Hispanic) -> str:
        """What friends call somebody."""
        first = person.given[0].split()[0]
        if first == "María" and " " in person.given[0]:
            return f"Mari {person.given[0].split()[-1]}"
        known = short_forms().get(first)
        if known:
            return self.rng.choice(known)
        if len(first) < 5 or self.rng.random() < 0.35:
            return self.rng.choice(words("es", f"bynames_{person.sex}"))
        ending = "ita" if person.sex == "female" else "ito"
        return self.rng.choice(
            (first[:3], first[:4], first[:-1] + ending if first[-1] in "ao" else first[:4])
        )
