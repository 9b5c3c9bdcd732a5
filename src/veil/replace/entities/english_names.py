"""What is peculiar to the English names of institutions, firms, roads and rooms."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.replace.entities.names import invented
from veil.replace.entities.numbers import number
from veil.replace.entities.spoken import is_spoken, spoken_number
from veil.replace.entities.words import key_of, word_set
from veil.replace.entities.writing import like, possessive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.entities.phrases import Token
    from veil.replace.entities.record import Record

PARTICLES = frozenset({"of", "the", "at", "in", "for", "on"})
_NUMBER = re.compile(r"[0-9]+")
# Roads are named by their number: I-94, US 83, A92.
_ROAD = re.compile(r"(?:I|US|SR|CR|FM|[AMN])[- ]?[0-9]{1,4}(?: ?[NSEW])?", re.IGNORECASE)
_STREETS = frozenset({"street", "road", "lane", "avenue", "ave", "rd"})
# Lists of firms whose names do not say what they are, and what they are.
_FIRMS = {
    "pharmacies": "Pharmacy",
    "insurers": "Health Plan",
    "shops": "Stores",
    "laboratories": "Laboratories",
}


def whole(record: Record, text: str, label: str) -> str | None:
    """The stand-in for a road, a number in words or a firm that is known by its name alone."""
    if label == "LOCATION-OTHER" and _ROAD.fullmatch(text):
        return _NUMBER.sub(lambda match: number(record, match[0]), text)
    if is_spoken(text):
        return spoken_number(record, text)
    return _known_firm(record, text)


def _known_firm(record: Record, text: str) -> str | None:
    name, ending = possessive(text)
    for firms, kind in _FIRMS.items():
        for written, rest in ((text, ""), (name, ending)):
            if key_of(written) in word_set("en", firms):
                return like(written, f"{invented(record, key_of(written))} {kind}") + rest
    return None


def name_words(found: Sequence[Token]) -> set[int]:
    """Where words stand that belong to a name though they may tell a kind.

    "Chapel Street Surgery" is no chapel, and "Mill View" no mill; "Mill Pharmacy" has no name.
    """
    names = {token.start for token, after in pairwise(found) if after.key in _STREETS}
    if 1 < len(found) and found[0].key in word_set("en", "name_openers"):
        after = found[1]
        is_kind = after.key in word_set("en", "institution_words", "department_words")
        if not (is_kind or after.is_number or after.is_particle(PARTICLES)):
            names.add(found[0].start)
    return names
