"""Stand-ins for towns, regions and countries: others of the same country and kind."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.lexicons.folding import base_form
from veil.replace.entities.choosing import chosen, exchange
from veil.replace.entities.countries import HOMES, Place, places
from veil.replace.entities.words import key_of, word_set, words
from veil.replace.entities.writing import like, possessive, swedish_genitive
from veil.replace.generalise.places import countries_of_town

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.replace.entities.record import Record

# What stands before or after the name of a place, by language.
_AROUND = {
    "en": re.compile(
        r"(?P<before>(?:(?:city|town|county|state|province|republic) of "
        r"|greater |downtown |county |co\.? )?)"
        r"(?P<name>.+?)(?P<after>(?: city| county| area| township| state)?)",
        re.IGNORECASE | re.DOTALL,
    ),
    "es": re.compile(
        r"(?P<before>(?:(?:provincia|municipio|comunidad|estado|departamento|ciudad|localidad) de "
        r"|república de )?)(?P<name>.+?)(?P<after>(?: capital| centro)?)",
        re.IGNORECASE | re.DOTALL,
    ),
    "sv": re.compile(
        r"(?P<before>)(?P<name>.+?)(?P<after>(?: kommun| stad| centrum| församling| socken| län"
        r"|-området|-trakten|trakten)?)",
        re.IGNORECASE | re.DOTALL,
    ),
}
# Which lists a label asks for first.
_LISTS = {
    "CITY": ("towns_", "capitals_", "world", "cities"),
    "STATE": ("states_", "communities", "counties", "councils", "prefectures", "regions"),
    "COUNTRY": ("countries",),
    "LOCATION": ("",),
}
# The list of towns elsewhere.
_ABROAD = "world"
_ALAND = "AX"
# Countries where a language is not at home, and yet has towns to choose from.
_OTHERS_WITH_TOWNS = {"es": ("US",)}
# Words of the lexicon that may be replaced and stand in for none: africano.
_VAGUE = "vague_nationalities"
_TOWN_LABELS = ("CITY", "LOCATION")
_ATTEMPTS = 8
_HOME_NAMES = frozenset({"USA", "UK", "España", "Sverige", "日本"})
# Names of places that only look like genitives: Alingsås, Strängnäs, Hofors.
_NO_GENITIVE = ("ås", "näs", "fors", "is", "us", "os")


def town(record: Record, text: str) -> str:
    """The stand-in for a town."""
    return place(record, text, "CITY")


def state(record: Record, text: str) -> str:
    """The stand-in for a state, province or county."""
    return place(record, text, "STATE")


def country(record: Record, text: str) -> str:
    """The stand-in for a country, or for the word of a nationality."""
    if find_place(record, text, "COUNTRY") is None:
        key = key_of(text)
        nationalities = _nationalities(record.language, key[-1:])
        if is_nationality(record.language, key):
            return like(text, chosen(record, "nationality", key, tuple(nationalities.values())))
    return place(record, text, "COUNTRY")


def is_nationality(language: str, key: str) -> bool:
    """Whether a folded word tells the nationality of somebody."""
    return key in _nationalities(language, key[-1:]) or key in word_set(language, _VAGUE)


def place(record: Record, text: str, label: str) -> str:
    """The stand-in for a place: a listed one for a listed one, else one of the record's country."""
    if find_place(record, text, label) is None and record.language in _AROUND:
        match = _AROUND[record.language].fullmatch(text)
        if match is not None and (match["before"] or match["after"]):
            name = match["name"]
            # "Ekbros kommun": a name that no list holds stands in the genitive there.
            genitive = record.language == "sv" and name[-1] in "sS" and 3 < len(name)
            if genitive and find_place(record, name, label) is None:
                new = swedish_genitive(_named(record, name[:-1], label))
                name = new.upper() if name.isupper() else new
            else:
                name = _named(record, name, label)
            return f"{match['before']}{name}{match['after']}"
    return _named(record, text, label)


def find_place(record: Record, text: str, label: str) -> Place | None:
    """The entry of a listed place; of several the one that label and country speak for."""
    found = places(record.language).get(key_of(text), ())
    if len(found) <= 1:
        return found[0] if found else None
    wanted = _LISTS.get(label, ("",))
    return min(
        found,
        key=lambda entry: (not entry.list.startswith(wanted), entry.country != record.country),
    )


def is_town(record: Record, text: str) -> bool:
    """Whether a word is a listed place or a known town at home, in the genitive or not."""
    name, _ = split_genitive(record, text, "LOCATION")
    if find_place(record, name, "LOCATION") is not None:
        return True
    is_known = key_of(name) in lexicon(record.language, "city").keys.words
    return is_known and _town_list(record, name) != _ABROAD


def split_genitive(record: Record, text: str, label: str) -> tuple[str, str]:
    """A name and the ending of its genitive: Uppsalas -> Uppsala, s; Luke's -> Luke, 's."""
    name, ending = possessive(text)
    if ending or find_place(record, text, label) is not None:
        return (text, "") if find_place(record, text, label) is not None else (name, ending)
    if record.language != "sv" or len(text) < 4 or text[-1] not in "sS":
        return text, ""
    base = base_form(key_of(text), "sv")
    cities = lexicon("sv", "city").keys.words
    if base is None or key_of(text) in cities or text.casefold().endswith(_NO_GENITIVE):
        return text, ""
    known = base in places("sv") or base in cities or base in record.originals
    return (text[: len(base)], text[len(base) :]) if known else (text, "")


def _named(record: Record, text: str, label: str) -> str:
    name, ending = split_genitive(record, text, label)
    entry = find_place(record, name, label)
    if entry is not None:
        new = exchange(record, entry.list, entry.number, entry.form)
        listed = words(record.language, entry.list)[entry.number].split("=")[entry.form]
        # "USA" is no country in capitals.
        is_short = name == listed or (name.isupper() and listed.isupper())
        new = new if is_short else like(name, new)
    else:
        new = like(name, _unlisted(record, name, label))
    if not ending:
        return new
    genitive = swedish_genitive(new) if ending in ("s", "S") else new + ending
    return genitive.upper() if text.isupper() else genitive


def _unlisted(record: Record, name: str, label: str) -> str:
    """The stand-in for a place that no list holds; none that stands for another one."""
    purpose, options = _options(record, label, name)
    key = key_of(name)
    if record.towns is None:
        record.towns = dict(_listed_towns(record))
    for attempt in range(_ATTEMPTS):
        new = chosen(record, f"{purpose}/{attempt}" if attempt else purpose, key, options)
        if record.towns.setdefault(new, key) == key:
            break
    return new


def _listed_towns(record: Record) -> Iterator[tuple[str, str]]:
    """What the listed towns of the record become, each with its own name."""
    for span in record.case.spans:
        if span.label in _TOWN_LABELS:
            name, _ = split_genitive(record, record.case.text(span).strip(), span.label)
            entry = find_place(record, name, span.label)
            if entry is not None:
                yield exchange(record, entry.list, entry.number, entry.form), key_of(name)


def _options(record: Record, label: str, name: str) -> tuple[str, tuple[str, ...]]:
    """What an unlisted place may become, and the purpose for which that is drawn."""
    language, home = record.language, record.country
    if label == "COUNTRY":
        # What no list holds may be another word for the country of the record.
        listed = (entry.split("=")[0] for entry in words(language, "countries"))
        return "country", tuple(entry for entry in listed if entry not in _HOME_NAMES)
    if label == "STATE":
        form = 0 if name.isupper() and len(name) <= 3 else -1
        entries = words(language, f"states_{home}")
        return f"state/{form}", tuple(entry.split("=")[form] for entry in entries)
    return "town", words(language, _town_list(record, name))


def _town_list(record: Record, name: str) -> str:
    """The list with the towns of the country in which an unlisted town lies."""
    countries = countries_of_town(name, record.language)
    if not countries or record.country in countries:
        return f"towns_{record.country}"
    with_towns = (*HOMES[record.language], *_OTHERS_WITH_TOWNS.get(record.language, ()))
    home = next((each for each in with_towns if each in countries), None)
    if home is None and _ALAND in countries and record.language == "sv":
        home = "FI"
    return f"towns_{home}" if home else _ABROAD


@cache
def _nationalities(language: str, ending: str) -> dict[str, str]:
    """Words of nationality by their folded forms, those with one ending: chileno, cubano."""
    return {
        key_of(word): word
        for word in lexicon(language, "nationality").entries
        if key_of(word).endswith(ending) and key_of(word) not in word_set(language, _VAGUE)
    }
