"""The scenario of one dummy record: its people and facts, consistent throughout.

A template gets the values of its slots from the scenario:

    {doctor2.last}         the surname of the second doctor
    {date.admission/long}  the day of admission, in one format
    {date.admission+3}     three days later
    {n.60_100}             a number between two others

A slot is defined by a block of the language's `slots.txt` (see `veil.synth.patterns`), by a method
`slot_NAME` of the language's subclass, or by a block of `slots.txt` beside this module, which is
enough for a language in Latin script. The default blocks use these lists of `words.toml`:
given_female, given_male, surnames, months (12), weekdays (7), cities, streets, hospitals,
organizations, professions, titles_doctor; and these optional keys:

    country     tables by code with `share`, `variants` and whatever the subclass needs: a record
                is of one country, and its blocks and lists may have variants for it
    roles       role = [label, variant ...]: people beside patient, relative, doctor and nurse
    relations   tables with the fields of `veil.synth.people.Relation`, and `times`
    literal_slots       slot = label: slots whose view is the text of the span, such as {dept.IVA}
    account_slots       slot = [block, role]: addresses and user names made from a person's name
    age_traits          trait = [youngest, oldest]: traits of patients below the age `oldest`
    short_name  a regular expression for the words that short names of institutions lack
    patient_mention     a regular expression for words that may stand for the patient's name
    foreign_languages   languages from whose lexicons some of the names come

Methods `is_TRAIT` tell whether alternatives that begin with `@TRAIT` exist; a variant of the record
is a trait as well.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from veil.core.errors import InputError, UnknownNameError
from veil.languages import language_folder, read_language_toml
from veil.lexicons import lexicon
from veil.lexicons.folding import fold, without_diacritics
from veil.synth.patterns import (
    Block,
    Slot,
    Writer,
    parse,
    random_form,
    read_blocks,
    word_lists,
    word_pairs,
)
from veil.synth.people import SEXES, Person, Profile, Relation, draw_given, draw_surname
from veil.synth.segments import Segment, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from veil.core.document import Part
    from veil.synth.patterns import Choice, Node, WordList
    from veil.synth.people import Sex

    Parts = Mapping[str, str | Callable[[], str]]

_SLOT = re.compile(r"([a-z_]+?)(\d*)(?:\.(\w+))?(?:/(\w+))?([+-]\d+)?")
_YEAR = 365.25
# The optional tables of `words.toml` that every language has.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "age_traits": {"child": (0, 16), "infant": (0, 1), "old": (67, 150)},
    "account_slots": {"email": ("email_form", "patient"), "username": ("username_form", "doctor")},
}
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Request:
    """The parts of a slot: `{name<number>.<view>/<style><shift>}`."""

    name: str
    number: str = ""
    view: str = ""
    style: str = ""
    shift: int = 0

    @property
    def key(self) -> str:
        """The name with the number, which is the same value throughout a record: doctor2."""
        return self.name + self.number


@cache
def _request(slot: str) -> Request | None:
    parsed = _SLOT.fullmatch(slot)
    if parsed is None:
        return None
    name, number, view, style, shift = parsed.groups("")
    return Request(name, number, view, style, int(shift or 0))


@cache
def _default_blocks() -> dict[str, Block]:
    return read_blocks(Path(__file__).with_name("slots.txt"))


@cache
def _own_blocks(language: str) -> dict[str, Block]:
    file = language_folder(language) / "synth" / "slots.txt"
    return read_blocks(file) if file.is_file() else {}


def _data(language: str, key: str) -> Any:
    own = read_language_toml(language, "synth/words.toml").get(key, {})
    return {**_DEFAULTS[key], **own} if key in _DEFAULTS else own


@cache
def _relations(language: str) -> tuple[Relation, ...]:
    made: list[Relation] = []
    for table in _data(language, "relations"):
        fields = {**table, "years_older": tuple(table["years_older"])}
        times = fields.pop("times", 1)
        made += [Relation(**fields)] * times
    return tuple(made)


class Scenario:
    """People, a time line, ages that agree with it, and the slots of `slots.txt`."""

    language: ClassVar[str]
    decimal_point: ClassVar[str] = "."
    # The text between two sentences.
    sentence_space: ClassVar[str] = " "
    shortest_initials: ClassVar[int] = 2
    # Variants that a subclass adds to those of countries, roles and sexes.
    more_variants: ClassVar[frozenset[str]] = frozenset()
    # The label of a mention of a person in this role.
    roles: ClassVar[Mapping[str, str]] = {
        "patient": "PATIENT",
        "relative": "PATIENT",
        "doctor": "DOCTOR",
        "nurse": "DOCTOR",
    }

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        self.rng = rng
        self.profile = profile or Profile()
        self.today = dt.date(2004, 1, 1) + timedelta(days=rng.randrange(365 * 22))
        youngest, oldest = self.profile.youngest, self.profile.oldest
        # Patients are more often old.
        age_in_days = youngest + int((oldest - youngest) * rng.random() ** 0.7)
        self._birth = self.today - timedelta(days=age_in_days)
        self._people: dict[str, Person] = {}
        self._dates = self._time_line()
        self._kept_values: dict[str, list[Segment]] = {}
        self._habits_of_author: dict[str, Sequence[Node]] = {}
        self._named_person: Person | None = None
        self._pattern_parts: Parts = {}
        self._pattern_number = ""
        self._minutes_of_day: int | None = None
        self.country: Any = {}
        self.code = ""
        self.variants: tuple[str, ...] = ()
        countries: dict[str, Any] = _data(self.language, "country")
        if countries:
            shares = {code: each["share"] for code, each in countries.items()}
            self.code = self.draw(shares)
            self.country = countries[self.code]
            self.variants = (self.code, *self.country["variants"])

    # -- slots ----------------------------------------------------------------------------------

    @property
    def _own_slots(self) -> Mapping[str, Block]:
        return _own_blocks(self.language)

    def slot(self, name: str) -> list[Segment]:
        """Return the value of a slot."""
        if name in self._pattern_parts:
            part = self._pattern_parts[name]
            return [Segment(part if isinstance(part, str) else part())]
        request = _request(name)
        if request is None:
            raise InputError(f"unknown slot '{name}'; known: {self._known('slot_')}")
        if self._pattern_number and not request.number:
            request = replace(request, number=self._pattern_number)
        if request.name == "name":
            return self.write_name(self._named_person or self.patient, request.view)
        exact = f"{request.name}.{request.view}" if request.view else request.name
        method = getattr(self, f"slot_{request.name}", None)
        if self._find(exact, self._own_slots):
            return self.expand(exact, request.number)
        if method is not None:
            segments: list[Segment] = method(request)
            return segments
        if request.name in self.roles or request.name in _data(self.language, "roles"):
            return self.mention(request)
        if request.name in _data(self.language, "account_slots"):
            return self.account(request, *_data(self.language, "account_slots")[request.name])
        if request.name in _data(self.language, "literal_slots"):
            return [Segment(request.view, _data(self.language, "literal_slots")[request.name])]
        if self._find(exact, _default_blocks()):
            return self.expand(exact, request.number)
        return self._viewed(request)

    def _viewed(self, request: Request) -> list[Segment]:
        """Return a value changed by a method `view_NAME`: its initials, in capitals."""
        change = getattr(self, f"view_{request.view}", None)
        for base in (f"{request.name}.full", request.name):
            if change and self.has_block(base):
                value = self.expand(base, request.number)
                return [Segment(change(text_of(value)), value[0].label if value else None)]
        name = f"{request.name}.{request.view}".rstrip(".")
        raise InputError(f"unknown slot '{name}'; known: {self._known('slot_')}")

    def expand(self, name: str, number: str = "") -> list[Segment]:
        """Return the value of a block of `slots.txt`; a kept one is the same for a number."""
        found = self._find(name, self._own_slots) or self._find(name, _default_blocks())
        if not found:
            raise InputError(f"unknown slot '{name}'; known: {self._known('slot_')}")
        block = self._own_slots.get(found) or _default_blocks()[found]
        if block.kept or (block.numbered and number):
            return self.kept(name + number, lambda: self._expand(found, block, number))
        return self._expand(found, block, number)

    def _expand(self, name: str, block: Block, number: str) -> list[Segment]:
        outer, self._pattern_number = self._pattern_number, number
        writer = _SlotWriter(self)
        if block.habit:
            if name not in self._habits_of_author:
                self._habits_of_author[name] = writer.choose(block.choice)
            segments = writer.write(*self._habits_of_author[name])
        else:
            segments = writer.write(block.choice)
        self._pattern_number = outer
        if block.spelled:
            segments = [replace(each, text=self.spelled(each.text)) for each in segments]
        return [Segment(text_of(segments), block.label)] if block.label else segments

    def text(self, name: str) -> str:
        """Return the text of a block of `slots.txt`."""
        return text_of(self.expand(name, self._pattern_number))

    def has_block(self, name: str) -> bool:
        """Tell whether a block of `slots.txt` has this name."""
        return bool(self._find(name, self._own_slots) or self._find(name, _default_blocks()))

    def word_list(self, name: str) -> WordList:
        """Return a list of words, or its variant for this record."""
        lists = word_lists(self.language)
        found = self._find(name, lists)
        if not found:
            raise UnknownNameError("list of words", name, lists)
        return lists[found]

    def word(self, name: str) -> str:
        """Return a random entry of a list of words."""
        return self.word_list(name).draw(self.rng)

    def _find(self, name: str, table: Mapping[str, object]) -> str:
        """Return the name of the variant of a block or list for the record, or "" if none."""
        for variant in self.variants:
            if f"{name}_{variant}" in table:
                return f"{name}_{variant}"
        return name if name in table else ""

    @contextmanager
    def with_parts(self, parts: Parts, *variants: str) -> Iterator[None]:
        """Add slots and variants for the expansion of a pattern: the parts of a date, of a name."""
        outer = self._pattern_parts, self.variants
        self._pattern_parts = {**self._pattern_parts, **parts}
        self.variants = (*variants, *self.variants)
        try:
            yield
        finally:
            self._pattern_parts, self.variants = outer

    def has_trait(self, trait: str) -> bool:
        """Tell whether the record has a trait."""
        method = getattr(self, f"is_{trait}", None)
        if method is not None:
            return bool(method())
        if trait in self.variants:
            return True
        if trait in _data(self.language, "age_traits"):
            youngest, oldest = _data(self.language, "age_traits")[trait]
            return bool(youngest <= self.age_of(self.patient) < oldest)
        known = _known_variants(self.language, *self.roles)
        if trait not in known and trait not in self.more_variants:
            raise InputError(f"unknown trait '{trait}'; known: {self._known('is_')}")
        return False

    def spelled(self, text: str) -> str:
        """Return plain text in the spelling of the record's author; languages override it."""
        return text

    def kept(self, key: str, make: Callable[[], list[Segment]]) -> list[Segment]:
        """Return the same value for a key throughout the record: a number, a hospital."""
        if key not in self._kept_values:
            self._kept_values[key] = make()
        return self._kept_values[key]

    def draw(self, weights: Mapping[_Value, float]) -> _Value:
        """Return one of the values, with the probability of its weight."""
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def _known(self, prefix: str) -> str:
        keys = ("literal_slots", "account_slots") if prefix == "slot_" else ("age_traits",)
        names = {each.removeprefix(prefix) for each in dir(self) if each.startswith(prefix)}
        names |= {name for key in keys for name in _data(self.language, key)}
        names |= set(self._own_slots) if prefix == "slot_" else set()
        return ", ".join(sorted(names))

    def view_caps(self, text: str) -> str:
        return text.upper()

    def view_short(self, text: str) -> str:
        """Return a name without the words that `short_name` in words.toml matches."""
        pattern = _data(self.language, "short_name")
        return re.sub(pattern, "", text).strip('"') or text if pattern else text

    def view_initials(self, text: str) -> str:
        """Return the initials of a name, or the name if they are too few or too many."""
        small = word_lists(self.language).get("small_words")
        words = [word for word in re.findall(r"[\w.'’]+", text) if word[0].isalpha()]
        letters = "".join(word[0] for word in words if not small or word not in small.entries)
        usable = self.shortest_initials <= len(letters) <= 6
        return letters.upper() if usable else text

    # -- people ---------------------------------------------------------------------------------

    def person(self, request: Request) -> Person:
        """Return the person of a role, the same throughout the record."""
        if request.key not in self._people:
            self._people[request.key] = self.make_person(request.name)
        return self._people[request.key]

    @property
    def patient(self) -> Person:
        return self.person(Request("patient"))

    def person_of(self, view: str, number: str = "", *, default: str = "patient") -> Person:
        """Return the person whom a view names: "doctor2", or else the default role."""
        role = view.rstrip("0123456789")
        return self.person(Request(role or default, view.removeprefix(role) or number))

    def label_of(self, role: str) -> str:
        """Return the label of a mention of a person in a role."""
        roles = _data(self.language, "roles")
        label: str = roles[role][0] if role in roles else self.roles[role]
        return label

    def make_person(self, role: str) -> Person:
        """Create a new person in a role."""
        rng = self.rng
        sex: Sex = rng.choice(SEXES)
        birth = self.today - timedelta(days=rng.randrange(24 * 365, 66 * 365))
        relation = ""
        shares_name = role == "relative" and rng.random() < 0.6
        surname = self.draw_surname()
        if role == "patient":
            sex = self.profile.sex or sex
            birth = self._birth
        elif role == "relative" and _relations(self.language):
            kin = self._draw_relation()
            sex, relation = kin.sex, kin.word
            shares_name = shares_name and kin.may_share_name
            years = rng.uniform(*kin.years_older)
            birth = min(self._birth - timedelta(days=years * _YEAR), self.today)
        if shares_name:
            surname = self.patient.surname
        title = self.draw_title(role, sex)
        given = self.draw_given_names(sex)
        return Person(given, surname, sex, self.label_of(role), birth, title, relation, role)

    def _draw_relation(self) -> Relation:
        """Return a relation that is possible at the patient's age."""
        age = (self.today - self._birth).days / _YEAR
        relations = _relations(self.language)
        possible = [
            kin
            for kin in relations
            if (20 <= age or not kin.of_adults)
            and 0 <= age + kin.years_older[0]
            and age + kin.years_older[1] <= 100
            and not (kin.of_sex and kin.of_sex != self.patient.sex)
        ]
        return self.rng.choice(possible or relations)

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        """Return one given name or two."""
        count = 1 if self.rng.random() < 0.8 else 2
        return tuple(self.draw_given(sex) for _ in range(count))

    def draw_given(self, sex: Sex) -> str:
        """Return a given name: by the block or from the list `given_SEX`, or from the lexicon."""
        name = f"given_{sex}"
        if name in self._own_slots:
            return self.text(name)
        if name in word_lists(self.language):
            return self.word(name)
        return draw_given(self.rng, self.language, sex)

    def draw_surname(self) -> str:
        """Return a surname: by the block `surname`, from the list `surnames` or the lexicon."""
        if "surname" in self._own_slots:
            return self.text("surname")
        if "surnames" in word_lists(self.language):
            return self.word("surnames")
        return draw_surname(self.rng, self.language)

    def draw_title(self, role: str, sex: Sex) -> str:
        """Return a title that may stand before a name, from the list `titles` and its variants."""
        with self.with_parts({}, *self._variants_of(role), sex):
            found = self._find("titles", word_lists(self.language))
            return self.word("titles") if found else ""

    def _variants_of(self, role: str) -> Sequence[str]:
        return (role, *_data(self.language, "roles").get(role, ())[1:])

    def mention(self, request: Request, person: Person | None = None) -> list[Segment]:
        """Return a mention of a person: by the view, or as is usual in prose or in fields."""
        person = person or self.person(request)
        with self.about(person, request.name):
            view = request.view
            if view in ("", "any", "mention"):
                view = self.text("prose")
            elif view == "field":
                view = self.text("field")
            return self.write_name(person, view)

    @contextmanager
    def about(self, person: Person, role: str, parts: Parts | None = None) -> Iterator[None]:
        """Add the parts of a person's name as slots, and the role and the sex as variants."""
        outer, self._named_person = self._named_person, person
        parts = self.name_parts(person) if parts is None else parts
        try:
            with self.with_parts(parts, *self._variants_of(role), person.sex):
                yield
        finally:
            self._named_person = outer

    def write_name(self, person: Person, view: str) -> list[Segment]:
        """Write the name of the current person by the block `person.VIEW` or `name.VIEW`.

        A block `name.VIEW` is the text of one span; a block `person.VIEW` has text around
        `{name.VIEW}`, such as a title.
        """
        if self.has_block(f"person.{view}"):
            return self.expand(f"person.{view}")
        if view.startswith("caps"):
            name = self.write_name(person, view.removeprefix("caps").lstrip("_") or "full")
            return [replace(segment, text=segment.text.upper()) for segment in name]
        if not self.has_block(f"name.{view}"):
            raise InputError(f"unknown view of a name '{view}'")
        part: Part | None = "first" if view == "first" else "last" if view == "last" else None
        return [Segment(self.text(f"name.{view}"), person.label, part)]

    def name_parts(self, person: Person) -> Parts:
        """Return the parts of a name that blocks `name.VIEW` are made of."""
        first, last = person.given[0], person.surname
        middle = person.given[1] if 1 < len(person.given) else ""
        return {
            "title": person.title,
            "relation": person.relation,
            "first": first,
            "middle": middle,
            "last": last,
            "f": first[0],
            "mi": middle[:1],
            "l": last[0],
            "stem": first[:3],
            "nick": lambda: self.nickname(person),
            "years": str(max(self.age_of(person), 1)),
        }

    def account_parts(self, person: Person) -> Parts:
        """Return the parts of a name in the form of e-mail addresses."""
        first, last = plain_letters(person.given[0]), plain_letters(person.surname)
        year = str(person.birth.year)
        return {
            "first": first,
            "last": last,
            "f": first[0],
            "l": last[0],
            "year": year,
            "yy": year[2:],
        }

    def nickname(self, person: Person) -> str:
        """Return a nickname, from the lists `nicknames` or `bynames` or made up."""
        first = person.given[0].split()[0]
        lists = word_lists(self.language)
        known = word_pairs(self.language, "nicknames").get(first) if "nicknames" in lists else None
        if known:
            return self.rng.choice(known)
        if self._find("bynames", lists) and (len(first) < 5 or self.rng.random() < 0.3):
            return self.word("bynames")
        return self.text("nick_form")

    def account(self, request: Request, block: str, default: str) -> list[Segment]:
        """Write an address or a user name from a person's name; the view selects the person."""
        person = self.person_of(request.view, request.number, default=default)

        def make() -> list[Segment]:
            with self.about(person, person.role, self.account_parts(person)):
                return self.expand(block)

        return self.kept(f"{block}.{request.view}{request.number}", make)

    def slot_lexicon(self, request: Request) -> list[Segment]:
        """An entry of a lexicon of the language: {lexicon.surname}, {lexicon.city}."""
        if request.view == "surname":
            return [Segment(draw_surname(self.rng, self.language))]
        if request.view in ("female", "male"):
            sex: Sex = "female" if request.view == "female" else "male"
            return [Segment(draw_given(self.rng, self.language, sex))]
        return [Segment(self.rng.choice(_entries(self.language, request.view)))]

    # -- traits ---------------------------------------------------------------------------------

    def is_female(self) -> bool:
        return self.patient.sex == "female"

    def is_male(self) -> bool:
        return self.patient.sex == "male"

    def is_woman(self) -> bool:
        """The person whose name is written is a woman."""
        return (self._named_person or self.patient).sex == "female"

    def is_man(self) -> bool:
        return not self.is_woman()

    def is_titled(self) -> bool:
        """The person whose name is written has a title."""
        return bool((self._named_person or self.patient).title)

    def is_dotted(self) -> bool:
        """The title of the person whose name is written is an abbreviation."""
        title = (self._named_person or self.patient).title
        return title in self.word_list("dotted_titles").entries

    def is_two_given(self) -> bool:
        """The person whose name is written has two given names."""
        return 1 < len((self._named_person or self.patient).given)

    # -- time -----------------------------------------------------------------------------------

    def _time_line(self) -> dict[str, dt.date]:
        """Return dates in a possible order: past3, past2, past, admission, today, next."""
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

    def _earlier(self, day: dt.date, fewest: int, most: int) -> dt.date:
        """Return a day before another one, but not before the patient was born."""
        lived = (day - self._birth).days
        return day - timedelta(days=self.rng.randint(min(fewest, lived), min(most, lived)))

    def date(self, request: Request) -> dt.date:
        """Return the day of a slot `{date...}`; without a view, one of the last weeks."""
        shift = timedelta(days=request.shift)
        if not request.view:
            return self._earlier(self.today, 0, 30) + shift
        name = request.view + request.number
        if name not in self._dates:
            known = ", ".join(sorted(self._dates))
            raise InputError(f"unknown date '{name}'; known: {known}")
        return self._dates[name] + shift

    def slot_date(self, request: Request) -> list[Segment]:
        """A date in the style of the slot, or in one that is usual for its view."""
        day = self.date(request)
        view = request.view.rstrip("23")
        usual = f"date_style.{view}" if self.has_block(f"date_style.{view}") else "date_style"
        return self.write_date(day, request.style or self.text(usual))

    def write_date(self, day: dt.date, style: str) -> list[Segment]:
        """Write a date by the block `day.STYLE`."""
        if not self.has_block(f"day.{style}"):
            raise InputError(f"unknown style of dates '{style}'")
        with self.with_parts(self.date_parts(day)):
            return self.expand(f"day.{style}")

    def date_parts(self, day: dt.date) -> Parts:
        """Return the parts of a date that blocks `day.STYLE` are made of."""
        lists = word_lists(self.language)

        def entry(name: str, index: int, default: str = "") -> str:
            found = self._find(name, lists)
            return self.rng.choice(lists[found].entries[index].split("/")) if found else default

        month = entry("months", day.month - 1)
        weekday = entry("weekdays", day.weekday())
        return {
            "d": str(day.day),
            "dd": f"{day.day:02}",
            "m": str(day.month),
            "mm": f"{day.month:02}",
            "yy": f"{day.year % 100:02}",
            "yyyy": str(day.year),
            "month": month,
            "mon": lambda: entry("short_months", day.month - 1, month[:3]),
            "weekday": weekday,
            "wd": lambda: entry("short_weekdays", day.weekday(), weekday[:3]),
            "season": lambda: entry("seasons", day.month % 12 // 3),
            "decade": str(day.year // 10 * 10),
        }

    def slot_clock(self, request: Request) -> list[Segment]:
        """A time of day, which does not identify anyone and is later at each mention."""
        if self._minutes_of_day is None:
            self._minutes_of_day = 5 * self.rng.randrange(12 * 20)
        self._minutes_of_day += self.rng.choice((1, 2, 3, 5, 5, 7, 10, 10, 12, 15, 20, 30, 45))
        return self.write_time(self._minutes_of_day)

    def slot_time(self, request: Request) -> list[Segment]:
        return self.slot_clock(request)

    def write_time(self, minutes: int) -> list[Segment]:
        """Write a time of day by the block `clock_form`."""
        hour, minute = divmod(minutes % (24 * 60), 60)
        parts = {"h": str(hour), "hh": f"{hour:02}", "min": f"{minute:02}"}
        with self.with_parts(
            {**parts, "h12": str((hour - 1) % 12 + 1)}, "morning" if hour < 12 else "afternoon"
        ):
            return self.expand("clock_form")

    def age_of(self, person: Person) -> int:
        """Return the whole years on the day of the record."""
        before_birthday = (self.today.month, self.today.day) < (
            person.birth.month,
            person.birth.day,
        )
        return self.today.year - person.birth.year - before_birthday

    def slot_year(self, request: Request) -> list[Segment]:
        """The year of the record, with view `short` in two digits."""
        year = str(self.today.year)
        return [Segment(year[2:] if request.view == "short" else year)]

    def slot_age(self, request: Request) -> list[Segment]:
        """The patient's age, or a number between two others."""
        years = self.between(request) if request.view else self.age_of(self.patient)
        return [Segment(str(years), "AGE")]

    # -- numbers --------------------------------------------------------------------------------

    def slot_n(self, request: Request) -> list[Segment]:
        """A number: `{n.60_100}` is one from 60 to 100."""
        return [Segment(str(self.between(request)))]

    def slot_dec(self, request: Request) -> list[Segment]:
        """A number with one decimal: `{dec.35_52}` is one from 3.5 to 5.2."""
        whole, tenth = divmod(self.between(request), 10)
        country = _data(self.language, "country").get(self.code, {})
        point = country.get("decimal_point", self.decimal_point)
        return [Segment(f"{whole}{point}{tenth}")]

    def between(self, request: Request) -> int:
        """Return a number within the limits that a view such as `60_100` gives."""
        low, _, high = request.view.partition("_")
        if not (low.isdecimal() and high.isdecimal()):
            raise InputError(f"slot '{request.name}' needs two limits, such as {{n.60_100}}")
        return self.rng.randint(int(low), int(high))

    def digits(self, count: int, *, first: str = "123456789") -> str:
        """Return random digits, the first of them one of `first`."""
        rest = "".join(self.rng.choices("0123456789", k=count - 1))
        return self.rng.choice(first) + rest

    def fill(self, pattern: str) -> str:
        """Return a form such as "AA-999" with a digit for each 9 and a letter for each A."""
        return re.sub("[9A]", lambda match: random_form(match[0], self.rng), pattern)


@cache
def _known_variants(language: str, *roles_of_class: str) -> frozenset[str]:
    countries = _data(language, "country")
    roles = _data(language, "roles")
    return frozenset(
        {
            *SEXES,
            *("morning", "afternoon"),
            *countries,
            *(variant for country in countries.values() for variant in country["variants"]),
            *roles_of_class,
            *roles,
            *(variant for role in roles.values() for variant in role[1:]),
        }
    )


class _SlotWriter(Writer):
    """Expands the patterns of `slots.txt` and of lists of words."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__({}, scenario, scenario.rng)
        self._scenario = scenario

    def line(self, name: str) -> Sequence[Node]:
        return parse(self._scenario.word(name)).nodes

    def use(self, name: str) -> list[Segment]:
        return self._scenario.expand(name)

    def choose(self, choice: Choice) -> Sequence[Node]:
        """Return an alternative; for a list of words, one of its entries."""
        possible = self.possible(choice)
        nodes = possible[self.draw(choice, possible)].nodes
        if len(nodes) == 1 and isinstance(nodes[0], Slot) and nodes[0].kind == "~":
            return self.line(nodes[0].name)
        return nodes


@cache
def _entries(language: str, name: str) -> tuple[str, ...]:
    return tuple(lexicon(language, name))


@cache
def by_four(number: str, separator: str = " ") -> str:
    """Return a number in groups of four characters."""
    return separator.join(number[start : start + 4] for start in range(0, len(number), 4))


def plain_letters(name: str) -> str:
    """Return a name in the letters of e-mail addresses."""
    plain = without_diacritics(fold(name))
    return "".join(c for c in plain if c.isascii() and c.isalpha()) or "x"


# -- spelling -------------------------------------------------------------------------------------


@cache
def respelled(language: str, text: str, *lists: str) -> str:
    """Return a text with the words of lists such as "color=colour, anemi-=anaemi" replaced.

    Capitals are kept. An entry in capitals matches only capitals, one with a hyphen at its end
    matches the start and the inside of words.
    """
    for name in lists:
        table, pattern = _replacements(language, name)
        text = pattern.sub(lambda match, table=table: _in_case(match[0], table), text)  # type: ignore[misc]
    return text


def _in_case(found: str, table: Mapping[str, str]) -> str:
    if found in table:
        return table[found]
    new = table.get(found.lower(), found)
    if found.isupper() and 1 < len(found):
        return new.upper()
    return new[0].upper() + new[1:] if found[0].isupper() else new


@cache
def _replacements(language: str, name: str) -> tuple[dict[str, str], re.Pattern[str]]:
    pairs = [entry.partition("=") for entry in word_lists(language)[name].entries]
    stems = {old[:-1]: new for old, _, new in pairs if old.endswith("-")}
    words = {old: new for old, _, new in pairs if not old.endswith("-")}

    def either(table: Mapping[str, str]) -> str:
        longest_first = sorted(table, key=len, reverse=True)
        return "|".join(
            re.escape(word) if word.isupper() else f"(?i:{re.escape(word)})"
            for word in longest_first
        )

    whole = rf"(?<![\w/@.-])(?:{either(words)})(?![\w/@-]|'\w)" if words else ""
    return {**stems, **words}, re.compile("|".join(filter(None, (whole, either(stems)))))
