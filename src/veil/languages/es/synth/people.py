"""People and towns of Spanish dummy records: shared surnames of relatives, articles, addresses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.synth.patterns import word_pairs, words
from veil.synth.people import Person
from veil.synth.scenario import Request, Scenario, plain_letters
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile, Sex
    from veil.synth.scenario import Parts

_WITHOUT_ARTICLE = ("D.", "Dña", "Dª", "Da.", "don ", "doña", "Don ", "Doña")
_ARTICLES = {
    "mention": ("la ", "el ", ""),
    "the": ("la ", "el ", ""),
    "of": ("de la ", "del ", "de "),
    "to": ("a la ", "al ", "a "),
}
# The record's own hospital and health centre have addresses in its town.
_OF_INSTITUTIONS = ("8", "9")


@dataclass(frozen=True)
class Hispanic(Person):
    """A person with one surname or two."""

    second: str = ""

    @property
    def surnames(self) -> str:
        return f"{self.surname} {self.second}".strip()

    @property
    def givens(self) -> str:
        return " ".join(self.given)


@dataclass(frozen=True)
class Town:
    """A town with its region, the start of its postcodes and its area code.

    The other name of a region is its short form, in Spain the autonomous community.
    """

    name: str
    region: str
    other_region: str
    postcode: str
    area: str


class PeopleSlots(Scenario):
    """All people in a record, and where they live."""

    language: ClassVar[str] = "es"
    shortest_initials: ClassVar[int] = 3
    more_variants: ClassVar[frozenset[str]] = frozenset(
        {"plain", "regional", "latin", "migrant", "word"}
    )

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self.origin = self.draw(self.country["origins"])
        self._home_town: Town | None = None

    # -- who they are ---------------------------------------------------------------------------

    def somebody_of(self, view: str, number: str = "") -> Hispanic:
        """Return the person that a view names: "doctor2"; without a view, the patient."""
        person = self.person_of(view, number)
        if not isinstance(person, Hispanic):
            raise TypeError(f"no such person: {view}{number}")
        return person

    def make_person(self, role: str) -> Hispanic:
        outer = self.origin
        if self.label_of(role) == "DOCTOR":
            self.origin = self.draw(self.country["origins"])
        person = super().make_person(role)
        second = self.draw_surname() if self.rng.random() < self.country["two_surnames"] else ""
        self.origin = outer
        made = Hispanic(**vars(person), second=second)
        if role == "lady":
            made = replace(made, sex="female", given=self.draw_given_names("female"))
        if role in ("mother", "father"):
            made = self._parent(made, role)
        if not made.relation:
            return made
        if made.relation not in words("es", "not_kin"):
            made = replace(made, label="RELATIVE")
        return self._with_shared_surnames(made)

    def _parent(self, person: Hispanic, role: str) -> Hispanic:
        """Return a parent of the patient, old enough to be one."""
        sex: Sex = "female" if role == "mother" else "male"
        years = self.rng.uniform(19, 41)
        born = self._birth.replace(year=self._birth.year - int(years), day=1)
        relation = "madre" if role == "mother" else "padre"
        given = self.draw_given_names(sex)
        return replace(person, given=given, sex=sex, relation=relation, birth=born)

    def _with_shared_surnames(self, person: Hispanic) -> Hispanic:
        """Return a relative with the right surnames: the father's first, then the mother's."""
        patient = self.somebody_of("patient")
        relation = person.relation
        if relation in words("es", "same_surnames"):
            return replace(person, surname=patient.surname, second=patient.second)
        if relation in words("es", "fathers_side"):
            return replace(person, surname=patient.surname)
        if relation in words("es", "mothers_side"):
            return replace(person, surname=patient.second or person.surname)
        if relation in words("es", "children"):
            if patient.sex == "male":
                return replace(person, surname=patient.surname)
            second = patient.surname if person.second else ""
            return replace(person, surname=self.draw_surname(), second=second)
        return person

    def draw_given_names(self, sex: Sex) -> tuple[str, ...]:
        first = self.draw_given(sex)
        two = self.rng.random() < (0.06 if self.code == "es" else 0.45)
        if not two or " " in first or "-" in first:
            return (first,)
        return (first, self.draw_given(sex))

    def draw_given(self, sex: Sex) -> str:
        with self.with_parts({}, self.origin):
            return super().draw_given(sex)

    def draw_surname(self) -> str:
        with self.with_parts({}, self.origin):
            return super().draw_surname()

    def draw_title(self, role: str, sex: Sex) -> str:
        female, _, male = super().draw_title(role, sex).partition("/")
        return female if sex == "female" else male or female

    def is_kin(self) -> bool:
        """Whether the person to be written is a relative, not a friend or carer."""
        relation = (self._named_person or self.patient).relation
        return relation not in words("es", "not_kin")

    # -- how they are written -------------------------------------------------------------------

    def slot_kin(self, request: Request) -> list[Segment]:
        """A relative with a name: one span if the name is right after the word for kin."""
        *before, word = self.slot(f"relative{request.number}.kin")
        name, *after = self.slot(f"relative{request.number}")
        if request.view != "named" and self.rng.random() < 0.25:
            return [*before, word, Segment(" ("), name, *after, Segment(")")]
        if word.label == name.label == "RELATIVE":
            return [*before, Segment(f"{word.text} {name.text}", "RELATIVE"), *after]
        return [*before, word, Segment(" "), name, *after]

    def mention(self, request: Request, person: Person | None = None) -> list[Segment]:
        """Write a name, perhaps as in a sentence: el Dr. Gil, de la Sra. Paz, a Ana."""
        if request.view not in _ARTICLES:
            return super().mention(request, person)
        segments = super().mention(replace(request, view=""), person)
        female, male, none = _ARTICLES[request.view]
        if segments[0].label or segments[0].text.startswith(_WITHOUT_ARTICLE):
            article = none
        else:
            article = female if self.person(request).sex == "female" else male
        return [Segment(article), *segments] if article else segments

    def name_parts(self, person: Person) -> Parts:
        parts = super().name_parts(person)
        if not isinstance(person, Hispanic):
            return parts
        givens, surnames = person.givens, person.surnames
        if self.rng.random() < 0.18:
            givens, surnames = self._shortened(givens, True), self._shortened(surnames, False)
        first = person.given[0].split()[0]
        given_letters = [word[0] for word in person.givens.split() if word[0].isupper()]
        surname_letters = [word[0] for word in person.surnames.split() if word[0].isupper()]
        letters = [*given_letters, *surname_letters]
        after = self.rng.choice((". ", "."))
        last_mark = self.rng.choice((".", ".", ""))
        ending = "ita" if person.sex == "female" else "ito"
        return {
            **parts,
            "givens": givens,
            "surnames": surnames,
            "whole_givens": person.givens,
            "whole_surnames": person.surnames,
            "first": givens if " " in person.given[0] else person.given[0],
            "first_given": person.given[0],
            "second": person.second or person.surname,
            "given_initials": after.join(given_letters) + last_mark,
            "initials": self.rng.choice(
                ("".join(letters), ".".join(letters) + ".", ". ".join(letters) + ".")
            ),
            "stem": first[:3],
            "stem4": first[:4],
            "diminutive": first[:-1] + ending if first[-1] in "ao" else first[:4],
        }

    def _shortened(self, name: str, given: bool) -> str:
        """Return a name with some of its words abbreviated: Mª Carmen Fdez. Gª."""
        made = []
        for index, word in enumerate(name.split(" ")):
            firsts = word_pairs("es", "short_given").get(word) if given and not index else None
            lasts = word_pairs("es", "short_surnames").get(word)
            if firsts:
                word = self.rng.choice(firsts[0].split("/"))
            elif lasts and self.rng.random() < 0.6:
                word = lasts[0]
            made.append(word)
        return " ".join(made)

    def nickname(self, person: Person) -> str:
        first, *others = person.given[0].split()
        if first == "María" and others:
            return f"Mari {others[-1]}"
        return super().nickname(person)

    def account_parts(self, person: Person) -> Parts:
        parts = super().account_parts(person)
        first, last = plain_letters(person.given[0].split()[0]), plain_letters(person.surname)
        short = {"last3": last[:3], "last4": last[:4], "last5": last[:5], "first2": first[:2]}
        return {**parts, **short, "first": first}

    def slot_hometown(self, request: Request) -> list[Segment]:
        """The town of the hospital in letters that Internet addresses use."""
        return [Segment(plain_letters(self.home_town().name))]

    def slot_domain(self, request: Request) -> list[Segment]:
        return [Segment(self.country["domain"])]

    def slot_public_domain(self, request: Request) -> list[Segment]:
        return [Segment(self.country["public_domain"])]

    # -- where they live ------------------------------------------------------------------------

    def home_town(self) -> Town:
        """Return the town of the hospital, where most of the record takes place."""
        if self._home_town is None:
            self._home_town = self.rng.choice(_towns(self.code))
        return self._home_town

    def some_town(self) -> Town:
        """Return the town of the hospital, or another one of its country."""
        return self.home_town() if self.rng.random() < 0.4 else self.rng.choice(_towns(self.code))

    def town_of(self, number: str) -> tuple[Town, str]:
        """Return the town and the postcode of an address."""

        def make() -> list[Segment]:
            town = self.home_town() if number in _OF_INSTITUTIONS else self.some_town()
            index = _towns(self.code).index(town)
            return [Segment(str(index)), Segment(self._postcode(town))]

        index, postcode = self.kept(f"home{number}", make)
        return _towns(self.code)[int(index.text)], postcode.text

    def _postcode(self, town: Town) -> str:
        plain = town.postcode + self.digits(self.country["postcode_rest"], first="0123456789")
        if self.code == "ar" and self.rng.random() < 0.3:
            return ("C" if town.region == "CABA" else "B") + plain + self.fill("AAA")
        return plain

    def view_plain(self, text: str) -> str:
        """Return the name of a street in the form used in other names."""
        return text.removeprefix("de ")

    def view_headed(self, text: str) -> str:
        """Return the name of a street with or without the word for its kind."""
        head = self.word("street_heads")
        if head:
            return head + text
        return text.removeprefix("de la ").removeprefix("del ").removeprefix("de ")

    def slot_somewhere(self, request: Request) -> list[Segment]:
        return [Segment(self.some_town().name)]

    def slot_anytown(self, request: Request) -> list[Segment]:
        return [Segment(self.rng.choice(_towns(self.code)).name)]

    def slot_province(self, request: Request) -> list[Segment]:
        return [Segment(self.home_town().region)]

    def slot_countryname(self, request: Request) -> list[Segment]:
        return [Segment(self.country["name"])]

    def slot_city(self, request: Request) -> list[Segment]:
        """Where the patient lives; `home` is where the hospital is."""
        home = request.view == "home"
        town = self.home_town() if home else self.town_of(request.number)[0]
        return [Segment(town.name, "CITY")]

    def slot_zip(self, request: Request) -> list[Segment]:
        return [Segment(self.town_of(request.number)[1], "ZIP")]

    def slot_region(self, request: Request) -> list[Segment]:
        """The patient's province or state, or with `some` another one."""
        some = request.view == "some"
        town = self.some_town() if some else self.town_of(request.number)[0]
        wide = self.code == "es" and some and self.rng.random() < 0.4
        return [Segment(town.other_region if wide else town.region, "STATE")]

    def slot_birthplace(self, request: Request) -> list[Segment]:
        """A town with its region, or one abroad with its country."""
        if self.rng.random() < 0.3:
            return [*self.slot("town"), Segment(" ("), *self.slot("country"), Segment(")")]
        town = self.rng.choice(_towns(self.code))
        region = [Segment(" ("), Segment(town.region, "STATE"), Segment(")")]
        return [Segment(town.name, "CITY"), *region]

    def slot_address(self, request: Request) -> list[Segment]:
        """A whole address on one line, or with the view `lines` on several."""
        rng = self.rng
        town, code = self.town_of(request.number)
        gap = "\n" if request.view == "lines" else rng.choice((", ", ". ", ", ", " - "))
        segments = self.slot(f"street{request.number}")
        if self.code == "mx" and rng.random() < 0.7:
            segments = [*segments, Segment(rng.choice((", ", " "))), *self.slot("quarter")]
        segments = [*segments, Segment(gap)]
        postcode = Segment(code, "ZIP")
        after = rng.random()
        if self.code in ("es", "mx", "pe") and after < 0.85:
            key = "C.P. "
            if self.code == "es":
                key = rng.choice(("", "", "", "CP ", "C.P. ", "CP: "))
            segments += [Segment(key), postcode, Segment(rng.choice((" ", " ", ", ")))]
        segments.append(Segment(town.name, "CITY"))
        if self.code in ("ar", "cl", "co") and after < 0.4:
            segments += [Segment(" (CP "), postcode, Segment(")")]
        if rng.random() < 0.45:
            segments += self._region_after(town)
        if rng.random() < 0.12:
            before, behind = rng.choice(((", ", ""), (". ", ""), (" (", ")")))
            segments += [Segment(before), *self.slot("country.own"), Segment(behind)]
        return [segment for segment in segments if segment.text]

    def _region_after(self, town: Town) -> list[Segment]:
        if self.code != "es":
            region = self.rng.choice((town.region, town.other_region))
            return [Segment(", "), Segment(region, "STATE")]
        if town.region == town.name:
            return []
        before, after = self.rng.choice(((" (", ")"), (" (", ")"), (", ", "")))
        return [Segment(before), Segment(town.region, "STATE"), Segment(after)]


@cache
def _towns(code: str) -> tuple[Town, ...]:
    if code != "es":
        return tuple(Town(*entry.split("/")) for entry in words("es", f"towns_{code}"))
    provinces = {}
    for entry in words("es", "provinces_es"):
        name, postcode, area, community = entry.split("/")
        provinces[postcode] = (name, community, postcode, area)
    pairs = (entry.split("/") for entry in words("es", "towns_es"))
    return tuple(Town(name, *provinces[postcode]) for name, postcode in pairs)
