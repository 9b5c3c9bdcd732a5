"""Surrogates for streets and for locations of an unknown kind.

The word for the kind of a street stays; its name and numbers change. A location is split at commas,
and the words of each part decide what it is: a postcode, a street, an institution, a town.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from veil.replace.entities.countries import replace_postcode
from veil.replace.entities.institutions import replace_institution
from veil.replace.entities.language import longest_first, name_key, setting, word_set, words
from veil.replace.entities.names import NamePhrase, phrase_number, rewrite, tokens
from veil.replace.entities.record import choose
from veil.replace.entities.spelling import around_blanks, match_case
from veil.replace.entities.towns import find_place, is_town, replace_place

if TYPE_CHECKING:
    from veil.replace.entities.record import EntityRecord

_SEGMENT = re.compile(r"[^,;\n]+")
# A text of two lines without such a mark is one name: "Cangas del\nNarcea".
_ADDRESS_MARK = re.compile(r"[0-9,;/:]")


# -- Streets ----------------------------------------------------------------------------------


def replace_street(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a street, with or without its number and flat."""
    new = record.rules.street(record, text) or _rewritten(record, text)
    if name_key(new) != name_key(text):
        return new
    # The text has only the word for its kind: Broadway, Esplanaden, Stora gatan.
    suffix = setting(record.language, "street_suffix", "")
    return match_case(text, street_name(record, name_key(text)) + suffix)


def _rewritten(record: EntityRecord, text: str) -> str:
    kept = word_set(record.language, "street_units", "directions", "street_kinds")
    return rewrite(
        text,
        stays=lambda token: token.key in kept,
        particles=word_set(record.language, "particles"),
        name=partial(rename_street, record),
        number=partial(phrase_number, record),
    )


def rename_street(record: EntityRecord, phrase: NamePhrase) -> str:
    """Return the surrogate for the name of a street in an address."""
    if len(phrase.text) == 1:
        return phrase_number(record, phrase.text)
    name = record.rules.street_name(record, phrase)
    return name or match_case(phrase.text, street_name(record, name_key(phrase.text)))


def street_name(record: EntityRecord, value: str) -> str:
    """Return the name of another street for a folded name."""
    return choose(record, "street", value, words(record.language, "street_names"))


# -- Locations --------------------------------------------------------------------------------


def replace_location(record: EntityRecord, text: str) -> str:
    """Return the surrogate for an address, a town, a hospital or a room, as its form shows."""
    if find_place(record, text, "LOCATION") is not None:
        return replace_place(record, text, "LOCATION")
    if "\n" in text and _ADDRESS_MARK.search(text) is None:
        return around_blanks(text, partial(_part, record))
    return _SEGMENT.sub(lambda match: around_blanks(match[0], partial(_part, record)), text)


def _part(record: EntityRecord, text: str) -> str:
    match = _with_postcode(record.language).fullmatch(text)
    if match is not None and match[4]:
        return replace_postcode(record, text)
    if match is not None and (match[1] or match[3]):
        before = replace_postcode(record, match[1]) if match[1] else ""
        after = replace_postcode(record, match[3]) if match[3] else ""
        middle = _part(record, match[2])
        return f"{before}{text[len(match[1] or '') : match.start(2)]}{middle}" + (
            f"{text[match.end(2) : match.start(3)]}{after}" if after else ""
        )
    if re.fullmatch(_postcode(record.language), text, re.IGNORECASE):
        return replace_postcode(record, text)
    if find_place(record, text, "LOCATION") is not None:
        return replace_place(record, text, "LOCATION")
    return _named(record, text)


def _postcode(language: str) -> str:
    pattern: str = setting(language, "postcode", "[0-9]{4,6}")
    return pattern


@cache
def _with_postcode(language: str) -> re.Pattern[str]:
    """Return a pattern for a text with a postcode before or after it, or for a postcode alone."""
    code = _postcode(language)
    return re.compile(rf"(?:({code})\s+)?(.*?)(?:\s+({code}))?|({code})", re.I | re.S)


@cache
def _room(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{setting(language, 'room', '(?!)')})\b", re.IGNORECASE)


def _named(record: EntityRecord, text: str) -> str:
    language = record.language
    kind_first = setting(language, "kind_first", False)
    found = [token.key for token in tokens(text)]
    keys = set(found) - word_set(language, "particles")
    if _room(language).match(text):
        return replace_institution(record, text, "ROOM")
    if kind_first and is_town(record, text):  # Isla Cristina, Laguna de Duero
        return replace_place(record, text, "CITY")
    if _is_street(record, text, found, keys):
        return replace_street(record, text)
    if keys & word_set(language, "institution_words"):
        return replace_institution(record, text, "HOSPITAL")
    # If the kind precedes the name, "Sierra de Gata" is a landmark, "Cazalla de la Sierra" a town.
    if (set(found[:1]) if kind_first else keys) & word_set(language, "landmark_words"):
        return replace_institution(record, text, "LOCATION-OTHER")
    if keys & word_set(language, "department_words") or any(map(str.isdigit, text)):
        return replace_institution(record, text, "DEPARTMENT")
    return record.rules.landmark(record, text) or replace_place(record, text, "CITY")


def _is_street(record: EntityRecord, text: str, found: list[str], keys: set[str]) -> bool:
    language = record.language
    kinds = keys & word_set(language, "street_kinds")
    if kinds and any(map(str.isdigit, text)):
        return True
    if setting(language, "kind_first", False) and found[:1] and found[0] in kinds:
        return True
    ends = longest_first(language, "street_ends")
    has_end = any(key.endswith(end) and len(end) < len(key) for key in keys for end in ends)
    return has_end or record.rules.is_street(text)
