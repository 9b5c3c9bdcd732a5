"""Rules by country: the country of a record, calling codes, postcodes."""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from veil.core.patterns import compile_pattern
from veil.languages import read_language_toml
from veil.lexicons.folding import without_diacritics
from veil.replace.entities.language import (
    name_key,
    name_keys,
    shared_table,
    split_words,
    words,
)
from veil.replace.entities.spelling import core_of, fill_in, half_width, new_digits, new_number
from veil.replace.generalise.places import code_of_country, countries_of_town, home_countries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw

_INTERNATIONAL = compile_pattern(r"\(?\+\s*([0-9]{1,3})")
_FORM_LABELS = frozenset({"ZIP", "PHONE", "FAX", "CONTACT", "LOCATION"})
_PLACE_LABELS = frozenset({"CITY", "STATE", "LOCATION"})
_COUNTRY = compile_pattern(
    r"\s*(?:(?:SE|S|FI|FIN|AX|E|ES|D|DK|NO|N|US)\s?-\s?|(?:C\.?P\.?|ZIP|〒)[\s.:-]*)(?=[0-9])",
    re.IGNORECASE,
)
_BRITISH = compile_pattern("([A-Z]{1,2})([0-9][0-9A-Z]?)([0-9][A-Z]{2})")
_CANADIAN = compile_pattern("[A-Z][0-9][A-Z][0-9][A-Z][0-9]")
_IRISH = compile_pattern("([AC-FHKNPRTV-Y][0-9][0-9W])([0-9A-Z]{4})")


class Place(NamedTuple):
    """An entry of a list of places: the list, the index of the entry, and the index of its form."""

    list: str
    number: int
    form: int

    @property
    def country(self) -> str:
        return self.list.partition("_")[2]


@cache
def place_lists(label: str) -> tuple[str, ...]:
    """Return the prefixes of the names of lists with the places of a label."""
    lists = shared_table("common")["place_lists"]
    return split_words(lists.get(label, lists["LOCATION"]))


@cache
def places(language: str) -> dict[str, tuple[Place, ...]]:
    """Return the listed places of a language by their folded names."""
    found: dict[str, list[Place]] = {}
    for name in read_language_toml(language, "stand_ins.toml"):
        if name.startswith(place_lists("LOCATION")):
            entries = [entry.split("=") for entry in words(language, name)]
            keys = iter(name_keys([text for forms in entries for text in forms]))
            for number, forms in enumerate(entries):
                for form, key in enumerate(islice(keys, len(forms))):
                    for written in {key, without_diacritics(key)}:
                        found.setdefault(written, []).append(Place(name, number, form))
    return {key: tuple(entries) for key, entries in found.items()}


def code_length(digits: str) -> int:
    """Return the number of digits of the country code at the beginning of a number."""
    if digits[:1] in ("1", "7"):
        return 1
    two_digits = split_words(shared_table("common")["calling_codes"]["two_digits"])
    return 2 if digits[:2] in two_digits else 3


@cache
def countries_by_code() -> dict[str, str]:
    """Return the countries with a numbering plan by their calling codes."""
    return {"1": "US"} | {plan["code"]: country for country, plan in shared_table("phones").items()}


def guess_country(language: str, found: Iterable[tuple[str, str]]) -> str:
    """Return the country to which most of a record's places, postcodes and phones belong.

    If there are none, or equally many for several countries, the named countries decide.
    """
    homes = home_countries(language)
    if len(homes) <= 1:
        return "".join(homes)
    votes: list[str] = []
    named: list[str] = []
    for label, text in found:
        if label == "COUNTRY":
            named.append(code_of_country(text))
        if label in _PLACE_LABELS:
            of_place = {place.country for place in places(language).get(name_key(text), ())}
            if not of_place and label != "STATE":
                of_place = set(countries_of_town(text, language))
            if len(of_place) == 1:
                votes += of_place
        if label in _FORM_LABELS:
            votes += _of_form(text)
    return max(homes, key=lambda each: (votes.count(each), named.count(each), -homes.index(each)))


def _of_form(text: str) -> list[str]:
    text = half_width(text).strip()
    match = _INTERNATIONAL.match(text)
    if match is not None:
        code = match[1][: code_length(match[1])]
        return [countries_by_code().get(code, "")]
    return [country for country, form in _forms().items() if form.fullmatch(text)]


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    return {
        country: compile_pattern(data["form"], re.IGNORECASE)
        for country, data in shared_table("countries").items()
        if "form" in data
    }


# -- Postcodes ----------------------------------------------------------------------------------


def replace_postcode(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a postcode; the code of the country before it stays."""
    match = _COUNTRY.match(half_width(text))
    head = match.end() if match else 0
    core = core_of(text[head:])
    if not core:
        return text
    country = "FI" if match and match[0].strip().upper().startswith("FI") else record.country
    make = _maker(core, country)
    new = record.surrogate(
        f"postcode/{country}",
        core,
        (make, record.is_new_number),
        (make, record.is_no_number_found),
        (partial(new_number, core), record.is_no_number_found),
    )
    return text[:head] + fill_in(text[head:], new)


def _maker(core: str, country: str) -> Callable[[Draw], str]:
    for form, make in ((_BRITISH, _british), (_CANADIAN, _canadian), (_IRISH, _irish)):
        match = form.fullmatch(core)
        if match is not None:
            return partial(make, match)
    range_ = shared_table("countries").get(country, {}).get("postcodes")
    if range_ is None or len(core) not in range_["digits"] or not core.isdigit():
        return partial(new_number, core)
    lowest, highest = int(range_["lowest"]), int(range_["highest"])
    width = len(range_["lowest"])
    rest = len(core) - width
    return lambda draw: f"{draw.between(lowest, highest):0{width}}{new_digits(draw, rest)}"


def _british(match: re.Match[str], draw: Draw) -> str:
    data = shared_table("countries")["GB"]
    areas: list[str] = [
        area
        for area in data["postcode_areas"].split()
        if len(area) == len(match[1]) and area != match[1]
    ]
    district = str(draw.between(1, 9))
    if 1 < len(match[2]):
        is_digit = match[2][1].isdigit()
        district += new_digits(draw, 1) if is_digit else draw.choice(data["district_letters"])
    letters: str = data["inward_letters"]
    inward = new_digits(draw, 1) + draw.choice(letters) + draw.choice(letters)
    return draw.choice(areas) + district + inward


def _canadian(match: re.Match[str], draw: Draw) -> str:
    data = shared_table("countries")["CA"]
    alphabets = (data["first_letters"], data["letters"], data["letters"])
    return "".join(draw.choice(letters) + new_digits(draw, 1) for letters in alphabets)


def _irish(match: re.Match[str], draw: Draw) -> str:
    data = shared_table("countries")["IE"]
    unique = "".join(
        new_digits(draw, 1) if character.isdigit() else draw.choice(data["unique_letters"])
        for character in match[2]
    )
    keys: list[str] = [key for key in data["routing_keys"].split() if key != match[1]]
    return draw.choice(keys) + unique
