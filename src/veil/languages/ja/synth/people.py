"""People of Japanese dummy records: names with readings, relations, and how records write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.languages import read_language_toml
from veil.languages.ja.kana import half_width, hepburn, hiragana, katakana
from veil.lexicons import lexicon
from veil.synth.patterns import words
from veil.synth.people import Relation
from veil.synth.scenario import Request, Scenario
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Person, Profile, Sex
    from veil.synth.scenario import Parts

_LANGUAGE = "ja"
_FOREIGN = 0.04
# Kana that Latin names omit.
_UNSPELLED = re.compile("[ぁぃぅぇぉゔ]")
_KANJI = re.compile(r"[\u3005\u3400-\u9fff\uf900-\ufaff]+")
# Years of birth at which the names in use change.
_OLD, _YOUNG = 1952, 1984


def latin(reading: str) -> str:
    """Return small Latin letters with every long vowel short: さとう is sato, いのうえ inoe."""
    letters = hepburn(_UNSPELLED.sub("", reading))
    return letters.replace("ou", "o").replace("oo", "o").replace("uu", "u")


@dataclass(frozen=True)
class Name:
    """A surname or a given name: in its usual form, in katakana and in Latin letters."""

    written: str
    kana: str
    latin: str


def surname(rng: Random) -> Name:
    """A frequent surname, a rarer one of the lexicon, or one that may not exist."""
    luck = rng.random()
    if luck < 0.52:
        made = rng.choice(_pairs("surnames"))
    elif luck < 0.88:
        made = rng.choice(_readable_surnames())
    else:
        made = _composed(rng, "surname_heads", "surname_tails")
    return _named(_with_variants(rng, made[0]), made[1])


def given_name(rng: Random, sex: Sex, birth_year: int) -> Name:
    """A given name that is usual for people of that age."""
    luck = rng.random()
    age = "old" if birth_year < _OLD else "young" if _YOUNG <= birth_year else "mid"
    if luck < 0.5:
        return _named(*rng.choice(_pairs(f"{sex}_{age}")))
    if luck < 0.8:
        if sex == "female":
            return _named(*_composed(rng, "female_heads", "female_tails"))
        kind = rng.choice(("kun", "on"))
        return _named(*_composed(rng, f"male_{kind}_heads", f"male_{kind}_tails"))
    written = rng.choice(_lexicon_names(f"given_{sex}", kanji=True))
    kana = rng.choice(_lexicon_names(f"given_{sex}", kanji=False))
    return Name(written, kana, latin(hiragana(kana)).title())


def foreign_name(rng: Random, sex: Sex) -> tuple[Name, Name]:
    """The surname and the given name of a person from abroad, in katakana or kanji."""
    if rng.random() < 0.25:
        written, _, kana = rng.choice(words(_LANGUAGE, "chinese_names")).partition("=")
        made = [
            Name(each, reading, latin(hiragana(reading)).title() or reading)
            for each, reading in zip(written.split(), kana.split(), strict=True)
        ]
        return made[0], made[1]
    last, first = (rng.choice(_pairs(kind)) for kind in ("foreign_surnames", f"foreign_{sex}"))
    return Name(last[0], last[0], last[1]), Name(first[0], first[0], first[1])


def _named(written: str, reading: str) -> Name:
    return Name(written, katakana(reading), latin(reading).title())


def _composed(rng: Random, heads: str, tails: str) -> tuple[str, str]:
    head, tail = rng.choice(_pairs(heads)), rng.choice(_pairs(tails))
    while head[0] == tail[0]:
        tail = rng.choice(_pairs(tails))
    return head[0] + tail[0], head[1] + tail[1]


def _with_variants(rng: Random, written: str) -> str:
    """Sometimes replace a character by its old form: 髙橋, 渡邉."""
    if rng.random() < 0.88:
        return written
    old = [pair for pair in _pairs("variants") if pair[0] in written]
    return written.replace(*rng.choice(old)) if old else written


@cache
def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    split = (entry.partition("=") for entry in words(_LANGUAGE, name))
    return tuple((written, reading) for written, _, reading in split)


@cache
def _readable_surnames() -> tuple[tuple[str, str], ...]:
    """The surnames of the lexicon in which each character has a reading."""
    heads, tails = dict(_pairs("surname_heads")), dict(_pairs("surname_tails"))
    listed = dict(_pairs("surnames"))
    return tuple(
        (name, heads[name[0]] + tails[name[1]])
        for name in lexicon(_LANGUAGE, "surname")
        if len(name) == 2 and name not in listed and name[0] in heads and name[1] in tails
    )


@cache
def _lexicon_names(kind: str, *, kanji: bool) -> tuple[str, ...]:
    kana = re.compile("[ァ-ヴー]{2,5}")
    wanted = _KANJI if kanji else kana
    return tuple(name for name in lexicon(_LANGUAGE, kind) if wanted.fullmatch(name))


@cache
def _table(name: str) -> Any:
    return read_language_toml(_LANGUAGE, "synth/words.toml")[name]


class People(Scenario):
    """Names, relations and titles; a record uses one space between names and one form of kana."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._names: dict[str, Name] = {}
        self._used_relations: set[str] = set()
        self._space = self.text("name_space")
        self._abroad = rng.random() < _FOREIGN
        self._usual_title = self.text("title_of_patient")

    # -- who they are ---------------------------------------------------------------------------

    def make_person(self, role: str) -> Person:
        person = super().make_person(role)
        if role in _table("named_relations"):
            kin = Relation(**_table("named_relations")[role])
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
        """A patient has at most one wife or husband."""
        for _ in range(8):
            kin = super()._draw_relation()
            role = next((each for each in _table("only_relatives") if kin.word in each), [kin.word])
            if self._used_relations.isdisjoint(role):
                break
        self._used_relations.update(role)
        return kin

    def draw_surname(self) -> str:
        """None; `make_person` sets the surname of people who do not share the patient's."""
        return ""

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        return ()

    def slot_surname(self, request: Request) -> list[Segment]:
        """A surname in the name of an institution."""
        return [Segment(surname(self.rng).written)]

    def is_foreign(self) -> bool:
        return self._abroad

    def is_infant(self) -> bool:
        return (self.today - self._birth).days < 365

    # -- how they are written -------------------------------------------------------------------

    def mention(self, request: Request, person: Person | None = None) -> list[Segment]:
        """A mention of a person; of relatives, `kin` is the relation and `age` the age."""
        person = person or self.person(request)
        if request.view == "kin":
            return [Segment(person.relation, "RELATIVE")]
        if request.view == "age":
            return [Segment(f"{self.age_of(person)}歳", "AGE")]
        return super().mention(request, person)

    def name_parts(self, person: Person) -> Parts:
        return {}

    def account_parts(self, person: Person) -> Parts:
        first, last = (re.sub("[ -]", "", name.lower()) for name in self.latin_names(person))
        year = f"{person.birth.year % 100:02}"
        return {"first": first, "last": last, "f": first[:1], "l": last[:1], "yy": year}

    def latin_names(self, person: Person) -> tuple[str, str]:
        """The given name and the surname in Latin letters."""
        return self._names[person.given[0]].latin, self._names[person.surname].latin

    def write_name(self, person: Person, view: str) -> list[Segment]:
        """Write a name by the block `person.VIEW`, or as one span."""
        if self.has_block(f"person.{view}"):
            return self.expand(f"person.{view}")
        return [Segment(self._name_form(person, view), person.label)]

    def slot_honorific(self, request: Request) -> list[Segment]:
        """The title after the name of the current person; view `first` after a given name."""
        person = self._named_person or self.patient
        oldest_child = 16 if request.view == "first" else 13
        if person.label == "PATIENT" and self.age_of(person) < oldest_child:
            return self.expand("title_of_child")
        if person is not self.patient:
            return self.expand("title_of_other")
        if self.rng.random() < 0.8:
            return [Segment(self._usual_title)]
        return self.expand("title_of_patient")

    def _full(self, person: Person, space: str) -> str:
        if person.surname.isascii() or "ァ" <= person.surname[0] <= "ヶ":
            names = self.rng.sample((person.given[0], person.surname), 2)
            return self.rng.choice(("・", "・", " ", "　")).join(names)
        return person.surname + space + person.given[0]

    def _name_form(self, person: Person, view: str) -> str:
        """The name as one run of text."""
        rng = self.rng
        last, first = self._names[person.surname], self._names[person.given[0]]
        if view == "last":
            return person.surname
        if view == "first":
            return person.given[0]
        if view in ("full", "prose", "spaced", "joined"):
            spaced = {"full": 0.25, "prose": 0.1, "spaced": 1, "joined": 0}[view]
            return self._full(person, self._space if rng.random() < spaced else "")
        if view in ("kana", "full_kana"):
            return self._in_kana(last, first)
        if view in ("last_kana", "first_kana"):
            return self._in_kana(last if view == "last_kana" else first)
        if view == "latin":
            names = f"{last.latin} {first.latin}"
            more = (f"{last.latin.upper()} {first.latin}", f"{last.latin}, {first.latin}")
            return rng.choice((names, f"{first.latin} {last.latin}", names.upper(), *more))
        if view == "initials":
            a, b = last.latin[:1], first.latin[:1]
            return rng.choice((f"{a}.{b}.", f"{a}.{b}", f"{a}・{b}", a, f"{b}.{a}."))
        raise InputError(f"unknown view of a name '{view}'")

    def _in_kana(self, *names: Name) -> str:
        form, space = self.text("kana_form"), self._space or " "
        if form == "hiragana":
            return space.join(hiragana(name.kana) for name in names)
        kana = space.join(name.kana for name in names)
        return half_width(kana).replace("　", " ") if form == "half" else kana
