"""Stand-ins for towns, regions and countries: others of the same country and kind."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.lexicons.folding import base_form
from veil.replace.things.choosing import chosen, exchange
from veil.replace.things.countries import Place, places
from veil.replace.things.words import key_of, words
from veil.replace.things.writing import like, possessive, swedish_genitive

if TYPE_CHECKING:
    from veil.replace.things.record import Record

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
    "CITY": ("towns_", "world", "cities"),
    "STATE": ("states_", "communities", "counties", "councils", "prefectures", "regions"),
    "COUNTRY": ("countries",),
    "LOCATION": ("",),
}
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
        if key in nationalities:
            return like(text, chosen(record, "nationality", key, tuple(nationalities.values())))
    return place(record, text, "COUNTRY")


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
        new = new if name == listed else like(name, new)
    else:
        purpose, options = _options(record, label, name)
        new = like(name, chosen(record, purpose, key_of(name), options))
    if not ending:
        return new
    genitive = swedish_genitive(new) if ending in ("s", "S") else new + ending
    return genitive.upper() if text.isupper() else genitive


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
    return "town", words(language, f"towns_{home}")


@cache
def _nationalities(language: str, ending: str) -> dict[str, str]:
    """Words of nationality by their folded forms, those with one ending: chileno, cubano."""
    return {
        key_of(word): word
        for word in lexicon(language, "nationality").entries
        if key_of(word).endswith(ending)
    }
