"""Japanese people: who they are to the patient, and how records write their names."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from veil.core.errors import InputError
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import BaseWorld, Request
from veil.synth.worlds.ja_kana import half_width
from veil.synth.worlds.ja_names import Name, foreign_name, given_name, surname
from veil.synth.worlds.ja_relations import KIN, ONLY_ONE, RELATIONS
from veil.synth.worlds.ja_titles import CHILD_TITLES, FIELD, PATIENT_TITLES, PROSE, STAFF

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from veil.synth.people import Person, Profile, Relation, Sex

_FOREIGN = 0.04


class People(BaseWorld):
    """Slots of people; a record has one way to space names and one way to read them."""

    language: ClassVar[str] = "ja"
    roles: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("patient", "relative", "other", *KIN), "PATIENT"),
        **dict.fromkeys(STAFF, "DOCTOR"),
    }
    relations: ClassVar[tuple[Relation, ...]] = RELATIONS

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._names: dict[str, Name] = {}
        self._kin_used: set[str] = set()
        self._space = rng.choice(("　", "　", " ", " ", ""))
        self._kana_form = self.draw({"katakana": 7, "half": 2, "hiragana": 1})
        self._abroad = rng.random() < _FOREIGN
        self._title = self.draw(PATIENT_TITLES)

    # -- who they are ---------------------------------------------------------------------------

    def make_person(self, role: str) -> Person:
        person = super().make_person(role)
        if role in KIN:
            kin = KIN[role]
            birth = self._birth - timedelta(days=365 * self.rng.uniform(*kin.years_older))
            person = replace(
                person, sex=kin.sex, birth=birth, relation=kin.word, surname=self.patient.surname
            )
        if self._abroad and (role == "patient" or person.surname):
            last, first = foreign_name(self.rng, person.sex)
            last = self._names.get(person.surname, last)
        else:
            last = self._names.get(person.surname) or surname(self.rng)
            first = given_name(self.rng, person.sex, person.birth.year)
        for name in (last, first):
            self._names.setdefault(name.written, name)
        return replace(person, given=(first.written,), surname=last.written)

    def _draw_relation(self) -> Relation:
        """Nobody has two wives, nor a wife and a husband."""
        for _ in range(8):
            kin = super()._draw_relation()
            role = next((group for group in ONLY_ONE if kin.word in group), (kin.word,))
            if self._kin_used.isdisjoint(role):
                break
        self._kin_used.update(role)
        return kin

    def draw_surname(self) -> str:
        """None; `make_person` names all who do not share the patient's name."""
        return ""

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        return ()

    def is_foreign(self) -> bool:
        return self._abroad

    def is_infant(self) -> bool:
        return (self.today - self._birth).days < 365

    def is_middle(self) -> bool:
        """Of an age at which people work."""
        return 20 <= self.age_of(self.patient) < 67

    # -- slots ----------------------------------------------------------------------------------

    def slot_patient(self, request: Request) -> list[Piece]:
        view = request.view
        if view in ("", "any", "mention"):
            view = self.draw(PROSE["child" if self.is_child() else "patient"])
        elif view == "field":
            view = self.draw(FIELD["patient"])
        return self._called(self.patient, view)

    def slot_mother(self, request: Request) -> list[Piece]:
        """A parent or the husband, by name; `{mother.kin}` is the word, `{mother.age}` the age."""
        person = self.person(request)
        if request.view == "age":
            return [Piece(f"{self.age_of(person)}歳", "AGE")]
        return self.slot_relative(request)

    slot_father = slot_husband = slot_mother

    def slot_relative(self, request: Request) -> list[Piece]:
        person = self.person(request)
        if request.view == "kin":
            return [Piece(person.relation, "RELATIVE")]
        if request.view in ("", "any"):
            return self._called(person, self.draw(PROSE["relative"]))
        view = self.rng.choice(("spaced", "full")) if request.view == "field" else request.view
        return self._called(person, view)

    def slot_kin(self, request: Request) -> list[Piece]:
        """A relative with the word for what they are: 長男の健一さん, 妻（山田和子）."""
        person = self.person(Request("relative", request.number))
        name = self._called(person, self.draw(PROSE["relative"]))
        before, after = self.rng.choice(
            (
                ("の", ""),
                ("の", ""),
                ("", ""),
                ("・", ""),
                ("（", "）"),
                ("(", ")"),
                ("：", ""),
                (" ", ""),
            )
        )
        end = [Piece(after)] if after else []
        return [
            Piece(person.relation, "RELATIVE"),
            *([Piece(before)] if before else []),
            *name,
            *end,
        ]

    def slot_kinafter(self, request: Request) -> list[Piece]:
        """A relative with the word behind the name: 山田 和子（妻）."""
        person = self.person(Request("relative", request.number))
        name = self._called(
            person, self.draw({"full": 3, "spaced": 3, "titled_full": 1, "first": 1})
        )
        before, after = self.rng.choice(
            (("（", "）"), ("（", "）"), ("(", ")"), ("、", ""), ("　", ""))
        )
        end = [Piece(after)] if after else []
        return [*name, Piece(before), Piece(person.relation, "RELATIVE"), *end]

    def slot_other(self, request: Request) -> list[Piece]:
        """Somebody who neither treats the patient nor is kin."""
        view = request.view or self.draw({"titled": 6, "titled_full": 4, "full": 2, "last": 0.5})
        return self._called(self.person(request), view)

    def slot_acquaintance(self, request: Request) -> list[Piece]:
        """The same with the word for what they are: 友人の木村さん."""
        word = self.rng.choice(words("ja", "relation_others"))
        between = self.rng.choice(("の", "の", "の", "・", "（"))
        person = self.slot_other(Request("other", request.number))
        return [Piece(word + between), *person, *([Piece("）")] if between == "（" else [])]

    def _slot_staff(self, request: Request) -> list[Piece]:
        view = request.view
        if view in ("", "any"):
            view = self.draw(PROSE["staff"])
        elif view == "field":
            view = self.draw(FIELD["staff"])
        person = self.person(request)
        staff = STAFF[request.name]
        if view == "before":
            title = self.rng.choice(staff.before)
            end = self.rng.choice(("", staff.after[0])) if title.endswith("の") else ""
            return [Piece(title), self._name(person, person.surname), Piece(end)]
        if view in ("after", "after_full"):
            name = person.surname if view == "after" else self._full(person, "")
            gap = self.rng.choice(("", "", "", "", " ", "　")) if view == "after_full" else ""
            return [self._name(person, name), Piece(gap + self.rng.choice(staff.after))]
        return self._called(person, view)

    slot_doctor = slot_nurse = slot_pharm = slot_pt = slot_ot = slot_st = slot_diet = _slot_staff
    slot_msw = slot_cm = slot_medic = slot_midwife = slot_engineer = slot_tech = _slot_staff
    slot_psych = slot_visitor = slot_carer = slot_public = _slot_staff

    # -- writings -------------------------------------------------------------------------------

    def latin_names(self, person: Person) -> tuple[str, str]:
        """The given name and the surname in Latin letters."""
        return self._names[person.given[0]].latin, self._names[person.surname].latin

    def _name(self, person: Person, text: str) -> Piece:
        return Piece(text, person.label)

    def _full(self, person: Person, space: str) -> str:
        if person.surname.isascii() or "ァ" <= person.surname[0] <= "ヶ":
            between = self.rng.choice(("・", "・", " ", "　"))
            order = self.rng.choice(((0, 1), (1, 0)))
            names = (person.given[0], person.surname)
            return names[order[0]] + between + names[order[1]]
        return person.surname + space + person.given[0]

    def _called(self, person: Person, view: str) -> list[Piece]:
        if view.startswith("titled"):
            rest = {"titled": "last", "titled_full": "prose", "titled_first": "first"}.get(
                view, "spaced"
            )
            gap = self.rng.choice(("", "　", " ")) if view == "titled_spaced" else ""
            return [*self._called(person, rest), Piece(gap + self._honorific(person, view))]
        if view == "pair":
            marks = self.rng.choice((("（", "）"), ("(", ")"), (" ", ""), ("　", "")))
            name = self._name(person, self._full(person, self._space))
            return [name, Piece(marks[0]), *self._called(person, "kana"), Piece(marks[1])]
        return [self._name(person, self._name_form(person, view))]

    def _honorific(self, person: Person, view: str) -> str:
        young = self.age_of(person) < 13
        if person.label == "PATIENT" and (
            young or (view == "titled_first" and self.age_of(person) < 16)
        ):
            return self.draw(CHILD_TITLES[person.sex])
        if person is self.patient:
            return self._title if self.rng.random() < 0.8 else self.draw(PATIENT_TITLES)
        return self.draw({"さん": 12, "様": 5, "氏": 4, "さま": 0.2})

    def _name_form(self, person: Person, view: str) -> str:
        """The name as one run of text."""
        rng = self.rng
        last, first = self._names[person.surname], self._names[person.given[0]]
        if view == "last":
            return person.surname
        if view == "first":
            return person.given[0]
        if view in ("full", "prose"):
            often = 0.25 if view == "full" else 0.1
            return self._full(person, self._space if rng.random() < often else "")
        if view == "spaced":
            return self._full(person, self._space)
        if view in ("kana", "full_kana"):
            return self._in_kana(f"{last.kana}{self._space or ' '}{first.kana}")
        if view == "last_kana":
            return self._in_kana(last.kana)
        if view == "first_kana":
            return self._in_kana(first.kana)
        if view == "latin":
            forms = (f"{last.latin} {first.latin}", f"{first.latin} {last.latin}")
            caps = (f"{last.latin} {first.latin}".upper(), f"{last.latin.upper()} {first.latin}")
            return rng.choice((*forms, *caps, f"{last.latin}, {first.latin}"))
        if view == "initials":
            a, b = last.latin[:1], first.latin[:1]
            return rng.choice((f"{a}.{b}.", f"{a}.{b}", f"{a}・{b}", a, f"{b}.{a}."))
        raise InputError(f"unknown view of a name '{view}'")

    def _in_kana(self, kana: str) -> str:
        if self._kana_form == "half":
            return half_width(kana).replace("　", " ")
        if self._kana_form == "hiragana":
            return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in kana)
        return kana
