"""Which country a place, a number or a record belongs to."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons.folding import without_diacritics
from veil.replace.entities.words import key_of, table, words
from veil.replace.entities.writing import half_width
from veil.replace.generalise.places import code_of_country, countries_of_town

if TYPE_CHECKING:
    from collections.abc import Iterable

# The countries in which a language's records are written; the first is taken failing all else.
HOMES = {
    "en": ("US", "GB", "CA", "AU", "IE", "NZ"),
    "es": tuple("ES MX AR CL CO PE UY PY BO EC VE CR PA DO GT HN SV NI CU PR".split()),
    "sv": ("SE", "FI"),
    "ja": ("JP",),
}
_TWO_DIGIT_CODES = frozenset(
    """
    20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65
    66 81 82 84 86 90 91 92 93 94 95 98
    """.split()
)
_INTERNATIONAL = re.compile(r"\(?\+\s*([0-9]{1,3})")
_FORMS = {
    "GB": re.compile(r"[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|0(?:7|20|1[0-9])[0-9 ]{8,10}", re.I),
    "CA": re.compile(r"[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]", re.I),
    "IE": re.compile(r"[AC-FHKNPRTV-Y][0-9]{2} ?[0-9A-Z]{4}|08[35679][ -]?[0-9][0-9 ]{6,7}", re.I),
    "AU": re.compile(r"04[0-9]{2} ?[0-9]{3} ?[0-9]{3}|\(?0[2378]\)? ?[0-9]{4} ?[0-9]{4}"),
    "FI": re.compile(r"FI-[0-9]{5}", re.I),
}
_FORM_LABELS = frozenset({"ZIP", "PHONE", "FAX", "CONTACT", "LOCATION"})
_PLACE_LABELS = frozenset({"CITY", "STATE", "LOCATION"})


class Place(NamedTuple):
    """An entry of a list of places: the list, the number of the entry, and which of its forms."""

    list: str
    number: int
    form: int

    @property
    def country(self) -> str:
        return self.list.partition("_")[2]


@cache
def places(language: str) -> dict[str, tuple[Place, ...]]:
    """The listed places of a language by their folded names."""
    found: dict[str, list[Place]] = {}
    for name in table(language):
        if name.startswith(("towns_", "states_", "world", "countries", *_OTHER_LISTS)):
            for number, entry in enumerate(words(language, name)):
                for form, text in enumerate(entry.split("=")):
                    key = key_of(text)
                    for written in {key, without_diacritics(key)}:
                        found.setdefault(written, []).append(Place(name, number, form))
    return {key: tuple(entries) for key, entries in found.items()}


_OTHER_LISTS = (
    "capitals_",
    "communities",
    "counties",
    "councils",
    "prefectures",
    "cities",
    "large_cities",
    "wards",
    "townships",
    "villages",
    "regions",
)


def code_length(digits: str) -> int:
    """How many digits the country code has with which a number begins (ITU-T E.164)."""
    if digits[:1] in ("1", "7"):
        return 1
    return 2 if digits[:2] in _TWO_DIGIT_CODES else 3


@cache
def countries_by_code() -> dict[str, str]:
    """The countries with a plan of numbers by their calling codes."""
    return {"1": "US"} | {plan["code"]: country for country, plan in table("phones").items()}


def guess_country(language: str, found: Iterable[tuple[str, str]]) -> str:
    """The country that most of a record's places, postcodes and phones speak for.

    Where they are silent or at odds, countries that are named decide.
    """
    homes = HOMES[language]
    if len(homes) == 1:
        return homes[0]
    votes: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for label, text in found:
        if label == "COUNTRY":
            named[code_of_country(text)] += 1
        if label in _PLACE_LABELS:
            of_place = {place.country for place in places(language).get(key_of(text), ())}
            if not of_place and label != "STATE":
                of_place = set(countries_of_town(text, language))
            if len(of_place) == 1:
                votes.update(of_place)
        if label in _FORM_LABELS:
            votes.update(_of_form(text))
    return max(homes, key=lambda each: (votes[each], named[each], -homes.index(each)))


def _of_form(text: str) -> list[str]:
    text = half_width(text).strip()
    match = _INTERNATIONAL.match(text)
    if match is not None:
        code = match[1][: code_length(match[1])]
        return [countries_by_code().get(code, "")]
    return [country for country, form in _FORMS.items() if form.fullmatch(text)]
