"""The country of a town, in the language of the record.

Many towns of different countries share a name. Then the countries of the record's language come
first, and of those the ones that other places of the record lie in; where that leaves more than one
country, or none, the town's country is not known.
"""

from __future__ import annotations

import lzma
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from veil.languages import base_language
from veil.lexicons.folding import base_form, fold, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.core.document import Span
    from veil.replace.base import Case

_MEMORY = "veil.replace.generalise.countries"
_FILE = "towns.tsv.xz"  # made by tools/build_town_countries.py
COLUMNS = ("en", "es", "ja", "sv")  # of the names of countries in the file
_AT_HOME = {
    "en": frozenset("US GB CA AU IE NZ ZA".split()),
    "es": frozenset("ES MX AR CO CL PE EC VE BO UY PY CR PA DO GT HN SV NI CU PR".split()),
    "ja": frozenset({"JP"}),
    "sv": frozenset("SE FI AX".split()),
}
# 神奈川県横浜市港北区 -> 神奈川県, 横浜市, 港北区
_JAPANESE_PART = re.compile("[\u3005-\u9fff]{1,6}?[都道府県市区郡町村]|[\u3005-\u9fff]+")
_BETWEEN = re.compile(r"[,/(]| kommun\b")


@dataclass(frozen=True)
class _Atlas:
    """Towns, states of the USA and names of countries."""

    names: Mapping[str, Mapping[str, str]]
    """The name of each country by language and code."""
    codes: Mapping[str, str]
    """The code of each country by its folded name in any language."""
    states: frozenset[str]
    towns: Mapping[str, frozenset[str]]


def country_of(case: Case, span: Span) -> str | None:
    """The name of the country that a town lies in, or None where it is not known."""
    language = base_language(case.language)
    countries = countries_of_town(case.text(span), language)
    if 1 < len(countries):
        countries &= _countries_of_record(case, language)
    if len(countries) != 1:
        return None
    (code,) = countries
    return _atlas().names[language][code]


def _countries_of_record(case: Case, language: str) -> frozenset[str]:
    """The countries that the record's countries, states and well-known towns tell of."""
    if _MEMORY not in case.memory:
        case.memory[_MEMORY] = frozenset(_told(case, language))
    found: frozenset[str] = case.memory[_MEMORY]
    return found


def _told(case: Case, language: str) -> Iterator[str]:
    for span in case.spans:
        name = fold(tidy(case.text(span)))
        if span.label == "COUNTRY" and name in _atlas().codes:
            yield _atlas().codes[name]
        elif span.label == "STATE" and name in _atlas().states:
            yield "US"
        elif span.label == "CITY":
            countries = countries_of_town(case.text(span), language)
            if len(countries) == 1:
                yield from countries


def code_of_country(name: str) -> str:
    """The code of a country by its name in any language; none where it is not known."""
    return _atlas().codes.get(fold(tidy(name)), "")


def countries_of_town(text: str, language: str) -> frozenset[str]:
    """The countries that a town of that name may lie in."""
    towns = _atlas().towns
    for name in _names(text, language):
        if name in towns:
            return towns[name] & _AT_HOME[language] or towns[name]
    return frozenset()


def _names(text: str, language: str) -> Iterator[str]:
    """What may be the name of the town, the whole text first: Lunds, Salem (MA), 横浜市港北区."""
    for part in (text, *_BETWEEN.split(text)[:1]):
        name = fold(tidy(part))
        yield name
        base = base_form(name, language)
        if base:
            yield base
    if language == "ja":
        for part in _JAPANESE_PART.findall(text):
            yield fold(part)
            yield fold(part[:-1])


@cache
def _atlas() -> _Atlas:
    packed = resources.files("veil.replace.generalise").joinpath(_FILE).read_bytes()
    countries, states, towns = (
        [line.split("\t") for line in section.split("\n")]
        for section in lzma.decompress(packed).decode("utf-8").split("\n\n")
    )
    return _Atlas(
        {
            language: {row[0]: row[place] for row in countries}
            for place, language in enumerate(COLUMNS, start=1)
        },
        {fold(tidy(name)): code for code, *names in countries for name in names},
        frozenset(states[0][1:]),
        {name: frozenset(codes.split()) for codes, *names in towns for name in names},
    )
