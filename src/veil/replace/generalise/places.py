"""Towns to their country, in the language of the record, and ZIP codes to their first digits.

Many towns of different countries share a name. The countries of the record's language have
priority, then the countries of other places in the record. If more than one country remains, or
none, the country of the town is unknown.
"""

from __future__ import annotations

import lzma
import re
from dataclasses import dataclass
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.toml import read_toml
from veil.languages import base_language, read_language_toml
from veil.lexicons.folding import base_form, fold, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.core.document import Span
    from veil.replace.base import Case

_DATA = Path(__file__).parent
_TOWNS = "towns.tsv.xz"  # made by tools/build_town_countries.py
_ZIP = re.compile(r"([0-9]{3})[0-9]{2}(?:[ -]?[0-9]{4})?")


@dataclass(frozen=True)
class _Atlas:
    """Towns, states of the USA and names of countries."""

    names: Mapping[str, Mapping[str, str]]
    """The name of each country by language and code."""
    codes: Mapping[str, str]
    """The code of each country by its folded name in any language."""
    states: frozenset[str]
    towns: Mapping[str, frozenset[str]]


def home_countries(language: str) -> tuple[str, ...]:
    """Return the countries in which records of a language are written, the most frequent first."""
    return _country_codes(language, "home_countries")


@cache
def _country_codes(language: str, key: str) -> tuple[str, ...]:
    codes: str = read_language_toml(language, "stand_ins.toml").get(key, "")
    return tuple(codes.replace(",", " ").split())


def country_of(case: Case, span: Span) -> str | None:
    """Return the name of the country of a town, or None if it is unknown."""
    countries = countries_of_town(case.text(span), case.language)
    if 1 < len(countries):
        countries &= case.once(_countries_of_record)
    if len(countries) != 1:
        return None
    (code,) = countries
    return _atlas().names.get(case.language, {}).get(code)


def _countries_of_record(case: Case) -> frozenset[str]:
    """Return the countries that a record names, and those of its states and unambiguous towns."""
    found = set()
    for span in case.spans:
        name = fold(tidy(case.text(span)))
        if span.label == "COUNTRY" and name in _atlas().codes:
            found.add(_atlas().codes[name])
        elif span.label == "STATE" and name in _atlas().states:
            found.add("US")
        elif span.label == "CITY":
            countries = countries_of_town(case.text(span), case.language)
            if len(countries) == 1:
                found |= countries
    return frozenset(found)


def code_of_country(name: str) -> str:
    """Return the code of a country by its name in any language; empty if it is unknown."""
    return _atlas().codes.get(fold(tidy(name)), "")


def countries_of_town(text: str, language: str) -> frozenset[str]:
    """Return the countries that may be meant by the name of a town."""
    towns = _atlas().towns
    for name in _names(text, language):
        if name in towns:
            homes = home_countries(language) + _country_codes(language, "other_home_countries")
            return towns[name].intersection(homes) or towns[name]
    return frozenset()


def _names(text: str, language: str) -> Iterator[str]:
    """Yield possible names of the town, the whole text first: Lunds, Salem (MA), 横浜市港北区."""
    data = read_language_toml(language, "stand_ins.toml")
    end = rf"|(?:{data['town_ends']})\b" if "town_ends" in data else ""
    for part in (text, *re.split(f"[,/(]{end}", text)[:1]):
        name = fold(tidy(part))
        yield name
        base = base_form(name, language)
        if base:
            yield base
    if "address_part" in data:
        for part in re.findall(data["address_part"], text):
            yield fold(part)
            yield fold(part[:-1])


@cache
def _atlas() -> _Atlas:
    packed = (_DATA / _TOWNS).read_bytes()
    (header, *countries), states, towns = (
        [line.split("\t") for line in section.split("\n")]
        for section in lzma.decompress(packed).decode("utf-8").split("\n\n")
    )
    return _Atlas(
        {
            language: {row[0]: row[column] for row in countries}
            for column, language in enumerate(header)
            if column
        },
        {fold(tidy(name)): code for code, *names in countries for name in names},
        frozenset(states[0][1:]),
        # Each row has all towns of the same countries.
        dict(chain.from_iterable(zip(row[1:], repeat(frozenset(row[0].split()))) for row in towns)),
    )


@cache
def restricted_prefixes() -> frozenset[str]:
    """Return the first three digits of ZIP codes that HIPAA's Safe Harbor method does not allow."""
    listed = read_toml(_DATA / "zip_codes.toml").values()
    prefixes = set()
    for entry in " ".join(listed).split():
        first, _, last = entry.partition("-")
        prefixes |= {f"{number:03}" for number in range(int(first), int(last or first) + 1)}
    return frozenset(prefixes)


def first_digits(text: str, language: str) -> str | None:
    """Return the first three digits of a ZIP code; None for the postcodes of other countries."""
    # Spain, Sweden and Mexico also have five digits, with other areas.
    if home_countries(base_language(language))[:1] != ("US",):
        return None
    match = _ZIP.fullmatch(text.strip())
    if match is None:
        return None
    return "000" if match[1] in restricted_prefixes() else match[1]
