"""Surrogates for towns, regions and countries: others of the same country and kind."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.languages import read_language_toml
from veil.lexicons import lexicon
from veil.replace.entities.countries import Place, place_lists, places
from veil.replace.entities.language import name_key, name_keys, setting, word_set, words
from veil.replace.entities.record import choose, exchange
from veil.replace.entities.spelling import match_case, possessive
from veil.replace.generalise.places import countries_of_town, home_countries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.replace.entities.record import EntityRecord

# The list of towns elsewhere.
_ABROAD = "world"
# Words of the lexicon that may be replaced but are never surrogates: africano.
_VAGUE = "vague_nationalities"
_TOWN_LABELS = ("CITY", "LOCATION")
_ATTEMPTS = 8
_REMEMBERED = 1 << 10


def replace_country(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a country or a nationality."""
    if name_key(text) not in places(record.language):
        key = name_key(text)
        nationalities = _nationalities(record.language, key[-1:])
        if is_nationality(record.language, key):
            return match_case(
                text, choose(record, "nationality", key, tuple(nationalities.values()))
            )
    return replace_place(record, text, "COUNTRY")


def is_nationality(language: str, key: str) -> bool:
    """Whether a folded word is a nationality."""
    return key in _nationalities(language, key[-1:]) or key in word_set(language, _VAGUE)


def replace_place(record: EntityRecord, text: str, label: str) -> str:
    """Return the surrogate for a place, listed or not, with the words around its name."""
    if name_key(text) not in places(record.language):
        match = _around_place(record.language).fullmatch(text)
        if match is not None and (match["before"] or match["after"]):
            name = match["name"]
            known = name_key(name) in places(record.language)
            base = None if known else record.rules.unlisted_genitive_base(name)
            if base is None:
                new = _named(record, name, label)
            else:
                new = record.rules.genitive(_named(record, base, label), name[-1])
                new = new.upper() if name.isupper() else new
            return f"{match['before']}{new}{match['after']}"
    return _named(record, text, label)


@cache
def _around_place(language: str) -> re.Pattern[str]:
    """Return a pattern for the name of a place with the words before and after it."""
    return re.compile(setting(language, "around_place", "(?!)"), re.IGNORECASE | re.DOTALL)


def find_place(record: EntityRecord, text: str, label: str) -> Place | None:
    """Return the entry of a listed place, or the one that fits label and country best."""
    found = places(record.language).get(name_key(text), ())
    if len(found) <= 1:
        return found[0] if found else None
    return _best_place(found, label, record.country)


@lru_cache(_REMEMBERED)
def _best_place(found: tuple[Place, ...], label: str, country: str) -> Place:
    wanted = place_lists(label)
    return min(
        found, key=lambda entry: (not entry.list.startswith(wanted), entry.country != country)
    )


def is_town(record: EntityRecord, text: str) -> bool:
    """Whether a word is a listed place or a known town at home, in the genitive or not."""
    name, _ = split_genitive(record, text, "LOCATION")
    if find_place(record, name, "LOCATION") is not None:
        return True
    is_known = name_key(name) in lexicon(record.language, "city").keys.words
    return is_known and _town_list(record, name) != _ABROAD


def split_genitive(record: EntityRecord, text: str, label: str) -> tuple[str, str]:
    """Split a name and the ending of its genitive: Uppsalas -> Uppsala, s; Luke's -> Luke, 's."""
    if name_key(text) in places(record.language):
        return text, ""
    name, ending = possessive(text)
    if ending:
        return name, ending
    base = record.rules.genitive_base(record, text)
    return (text, "") if base is None else (base, text[len(base) :])


def _named(record: EntityRecord, text: str, label: str) -> str:
    name, ending = split_genitive(record, text, label)
    entry = find_place(record, name, label)
    if entry is not None:
        new = exchange(record, entry.list, entry.number, entry.form)
        listed = words(record.language, entry.list)[entry.number].split("=")[entry.form]
        # "USA" is listed in capitals, which are therefore not copied.
        is_short = name == listed or (name.isupper() and listed.isupper())
        new = new if is_short else match_case(name, new)
    else:
        new = match_case(name, _unlisted(record, name, label))
    if not ending:
        return new
    genitive = record.rules.genitive(new, ending)
    return genitive.upper() if text.isupper() else genitive


def _unlisted(record: EntityRecord, name: str, label: str) -> str:
    """Return the surrogate for an unlisted place, which no other place has."""
    purpose, options = _options(record, label, name)
    key = name_key(name)
    if record.towns is None:
        record.towns = dict(_listed_towns(record))
    for attempt in range(_ATTEMPTS):
        new = choose(record, f"{purpose}/{attempt}" if attempt else purpose, key, options)
        if record.towns.setdefault(new, key) == key:
            break
    return new


def _listed_towns(record: EntityRecord) -> Iterator[tuple[str, str]]:
    """Yield the surrogate of each listed town of the record, and its folded name."""
    for span in record.case.spans:
        if span.label in _TOWN_LABELS:
            name, _ = split_genitive(record, record.case.text(span).strip(), span.label)
            entry = find_place(record, name, span.label)
            if entry is not None:
                yield exchange(record, entry.list, entry.number, entry.form), name_key(name)


def _options(record: EntityRecord, label: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the purpose of a draw for an unlisted place, and the options."""
    language, home = record.language, record.country
    if label == "COUNTRY":
        # An unlisted name may be another word for the country of the record.
        listed = (entry.split("=")[0] for entry in words(language, "countries"))
        return "country", tuple(
            entry for entry in listed if entry not in words(language, "home_names")
        )
    if label == "STATE":
        form = 0 if name.isupper() and len(name) <= 3 else -1
        entries = words(language, f"states_{home}")
        return f"state/{form}", tuple(entry.split("=")[form] for entry in entries)
    towns = words(language, _town_list(record, name))
    return "town", towns or words(language, _ABROAD)


def _town_list(record: EntityRecord, name: str) -> str:
    """Return the name of the list of towns for the country of an unlisted town."""
    language = record.language
    countries = countries_of_town(name, language)
    if not countries or record.country in countries:
        return f"towns_{record.country}"
    lists = [f"towns_{country}" for country in home_countries(language)]
    lists += [each for each in lists_of_towns(language) if each not in lists]
    aliases = dict(entry.split("=") for entry in words(language, "country_aliases"))
    found = {f"towns_{country}" for country in countries}
    aliased = {f"towns_{aliases[country]}" for country in countries if country in aliases}
    return next((each for each in lists if each in found), "") or min(aliased, default=_ABROAD)


@cache
def lists_of_towns(language: str) -> tuple[str, ...]:
    """Return the names of the lists of towns in the `stand_ins.toml` of a language."""
    names = read_language_toml(language, "stand_ins.toml")
    return tuple(name for name in names if name.startswith("towns_"))


@cache
def _nationalities(language: str, ending: str) -> dict[str, str]:
    """Return nationalities with an ending by their folded forms: chileno, cubano."""
    entries, vague = lexicon(language, "nationality").entries, word_set(language, _VAGUE)
    return {
        key: word
        for word, key in zip(entries, name_keys(entries), strict=True)
        if key.endswith(ending) and key not in vague
    }
