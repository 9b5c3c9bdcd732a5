"""Stand-ins for locations of an unknown kind: each part is told by its look."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.replace.entities import japanese_addresses, swedish_names
from veil.replace.entities.institutions import institution
from veil.replace.entities.phrases import tokens
from veil.replace.entities.postcodes import postcode
from veil.replace.entities.streets import street
from veil.replace.entities.towns import find_place, is_town, place
from veil.replace.entities.words import longest_first, word_set

if TYPE_CHECKING:
    from veil.replace.entities.record import Record

_SEGMENT = re.compile(r"[^,;\n]+")
# A text over two lines without such a mark is one name: "Cangas del\nNarcea".
_ADDRESS_MARK = re.compile(r"[0-9,;/:]")
_POSTCODE = {
    "en": r"[0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}"
    r"|[A-Z][0-9][A-Z] [0-9][A-Z][0-9]",
    "es": r"(?:E-|C\.?P\.? )?[0-9]{5}",
    "sv": r"(?:SE-|S-|FI-)?(?:[0-9]{3} [0-9]{2}|[0-9]{5})",
}
_ROOM = re.compile(r"(?:rooms?|rm|bed|rum|sal|säng|cell|habitación|hab|cama)\b", re.IGNORECASE)


def location(record: Record, text: str) -> str:
    """The stand-in for an address, a town, a hospital, a room: whatever it looks like."""
    if record.language == "ja":
        return japanese_addresses.location(record, text)
    if find_place(record, text, "LOCATION") is not None:
        return place(record, text, "LOCATION")
    if "\n" in text and _ADDRESS_MARK.search(text) is None:
        return _segment(record, text)
    return _SEGMENT.sub(lambda match: _segment(record, match[0]), text)


def _segment(record: Record, text: str) -> str:
    name = text.strip()
    if not name:
        return text
    start = text.index(name)
    return text[:start] + _part(record, name) + text[start + len(name) :]


def _part(record: Record, text: str) -> str:
    match = _with_postcode(record.language).fullmatch(text)
    if match is not None and match[4]:
        return postcode(record, text)
    if match is not None and (match[1] or match[3]):
        before = postcode(record, match[1]) if match[1] else ""
        after = postcode(record, match[3]) if match[3] else ""
        middle = _part(record, match[2])
        return f"{before}{text[len(match[1] or '') : match.start(2)]}{middle}" + (
            f"{text[match.end(2) : match.start(3)]}{after}" if after else ""
        )
    if re.fullmatch(_POSTCODE[record.language], text, re.IGNORECASE):
        return postcode(record, text)
    if find_place(record, text, "LOCATION") is not None:
        return place(record, text, "LOCATION")
    return _named(record, text)


@cache
def _with_postcode(language: str) -> re.Pattern[str]:
    """A pattern for a text with a postcode before it, behind it, or nothing but one."""
    code = _POSTCODE[language]
    return re.compile(rf"(?:({code})\s+)?(.*?)(?:\s+({code}))?|({code})", re.I | re.S)


def _named(record: Record, text: str) -> str:
    keys = {token.key for token in tokens(text)} - word_set(record.language, "particles")
    language = record.language
    if _ROOM.match(text):
        return institution(record, text, "ROOM")
    if language == "es" and is_town(record, text):  # Isla Cristina, Laguna de Duero
        return place(record, text, "CITY")
    if _is_street(language, text, keys) or _is_flat(language, text):
        return street(record, text)
    if keys & word_set(language, "institution_words"):
        return institution(record, text, "HOSPITAL")
    # Spanish kinds stand first: "Sierra de Gata" is one, "Cazalla de la Sierra" a town.
    kinds = {token.key for token in tokens(text)[:1]} if language == "es" else keys
    if kinds & word_set(language, "landmark_words"):
        return institution(record, text, "LOCATION-OTHER")
    if keys & word_set(language, "department_words") or any(map(str.isdigit, text)):
        return institution(record, text, "DEPARTMENT")
    landmark = language == "sv" and not is_town(record, text)
    return (landmark and swedish_names.landmark(record, text)) or place(record, text, "CITY")


def _is_flat(language: str, text: str) -> bool:
    """Whether a part of a Swedish address is but a flat, a floor or a box: lgh 1203, 4 tr."""
    return language == "sv" and all(
        token.is_number or token.key in word_set("sv", "street_units") for token in tokens(text)
    )


def _is_street(language: str, text: str, keys: set[str]) -> bool:
    numbered = any(map(str.isdigit, text))
    kinds = keys & word_set(language, "street_kinds")
    if language == "sv":
        return any(
            key.endswith(end) and len(end) < len(key)
            for key in keys
            for end in longest_first("sv", "street_ends")
        ) or bool(kinds and numbered)
    first = tokens(text)[0].key if tokens(text) else ""
    return bool(kinds) and (numbered or (language == "es" and first in kinds))
