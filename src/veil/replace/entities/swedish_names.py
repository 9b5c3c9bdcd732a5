"""Stand-ins for the names in Swedish phrases: each word keeps the kind of thing that it tells.

Compounds keep their end (Örnskolan), adjectives of medicine become others of medicine, towns other
towns, abbreviations other abbreviations; what is left is a name, and somebody made up another.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.replace.entities.choosing import chosen, exchange
from veil.replace.entities.names import (
    abbreviation,
    invented,
    is_abbreviation,
    phrase_number,
    proper_name,
)
from veil.replace.entities.phrases import Token, tokens
from veil.replace.entities.towns import find_place, is_town, place
from veil.replace.entities.words import key_of, longest_first, word_set, words
from veil.replace.entities.writing import like, swedish_genitive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.entities.phrases import Stretch
    from veil.replace.entities.record import Record

PARTICLES = frozenset({"i", "på", "av", "vid", "för", "och"})
_FIRM_ENDS = frozenset({"ab", "hb", "kb", "co"})
_SAINT = frozenset({"st", "t", "sankt", "sankta"})
_LONGEST_PLACE = 3
# Capitals that stand among capitals are an abbreviation only if they are few.
_LONGEST_AMONG_CAPITALS = 4
_SHORTEST_STEM = 2
_OF_MEDICINE = re.compile(r".+(?:log|kirurg|atr|ped)iska?|.+medicinska?")
# What stands before these is a speciality, known or not.
_MEDICAL_ENDS = ("kliniken", "klinikens", "klinik", "mottagningen", "mottagningens", "mottagning")


def rename(record: Record, stretch: Stretch, *, all_capitals: bool) -> str:
    """The stand-in for the words of a phrase that name something."""
    text = stretch.text
    if stretch.before and stretch.before[-1] in _SAINT:
        return _saint(record, text)
    found = tokens(text)
    pieces, position, index = [], 0, 0
    while index < len(found):
        last = _end_of_place(record, text, found, index)
        whole = text[found[index].start : found[last].end]
        new = (
            place(record, whole, "LOCATION")
            if index < last
            else _by_itself(record, whole, all_capitals=all_capitals)
        )
        if new is None:
            while last + 1 < len(found) and _is_name(record, found[last + 1], all_capitals):
                last += 1
            whole = text[found[index].start : found[last].end]
            after = found[last + 1].key if last + 1 < len(found) else stretch.after
            new = _named(record, whole, after)
        pieces += [text[position : found[index].start], new]
        position, index = found[last].end, last + 1
    return "".join([*pieces, text[position:]])


def organization(record: Record, text: str) -> str | None:
    """The stand-in for an authority, or for a firm that has but its name; else None."""
    key = key_of(text)
    keys = [key_of(entry) for entry in words("sv", "authorities")]
    for name, ending in ((key, ""), (key.removesuffix("s"), "s")):
        if name in keys:
            return like(text, exchange(record, "authorities", keys.index(name)) + ending)
    found = tokens(text)
    kinds = word_set("sv", "institution_words")
    is_firm = bool(found) and all(
        token.key not in kinds and _is_name(record, token, all_capitals=False) for token in found
    )
    is_genitive = len(found) == 1 and key.endswith("s")
    if not is_firm or text.islower() or is_genitive:
        return None
    return f"{like(text, invented(record, key))} AB"


def compound(record: Record, word: str) -> str | None:
    """Another compound with the same end, or None: Örnsjukhuset, ortopedkliniken."""
    key = key_of(word)
    specialities = _stems()
    for end in words("sv", "speciality_ends"):
        stem = key.removesuffix(end)
        if stem == key or len(stem) < _SHORTEST_STEM:
            continue
        if stem not in specialities and end not in _MEDICAL_ENDS and not stem.endswith("log"):
            continue
        if end == "en" and not stem.endswith(("log", "kirurg", "ortoped")):
            continue
        options = _doctors() if end == "en" else specialities
        return like(word, chosen(record, f"speciality/{end}", stem, options) + end)
    return _with_end(record, word, words("sv", "institution_ends"))


@cache
def _stems() -> tuple[str, ...]:
    """The specialities of which compounds are made."""
    return tuple(entry for entry in words("sv", "specialities") if " " not in entry)


@cache
def _doctors() -> tuple[str, ...]:
    """Those that are doctors, too: urologen."""
    return tuple(entry for entry in _stems() if entry.endswith(("log", "kirurg")))


def landmark(record: Record, text: str) -> str | None:
    """Another name with the same end for an island, a lake or the like, or None: Granfjärden."""
    return None if " " in text else _with_end(record, text, longest_first("sv", "landmark_ends"))


def _with_end(record: Record, word: str, ends: Sequence[str]) -> str | None:
    """Another word with the first of the ends that a word has."""
    key = key_of(word)
    for end in ends:
        if key.endswith(end) and len(end) + _SHORTEST_STEM <= len(key):
            stem = chosen(record, "stem", key.removesuffix(end), words("sv", "place_heads"))
            return like(word, stem + word[len(word) - len(end) :])
    return None


def _saint(record: Record, text: str) -> str:
    saints = words("sv", "saints")
    key = key_of(text)
    is_genitive = key.endswith("s") and text not in saints
    new = chosen(record, "saints", key.removesuffix("s") if is_genitive else key, saints)
    return like(text, swedish_genitive(new) if is_genitive else new)


def _end_of_place(record: Record, text: str, found: tuple[Token, ...], first: int) -> int:
    """The last word of the listed place that begins with a word: Lilla Edet; else the word."""
    for last in range(min(first + _LONGEST_PLACE, len(found)) - 1, first, -1):
        if find_place(record, text[found[first].start : found[last].end], "CITY") is not None:
            return last
    return first


def _by_itself(record: Record, word: str, *, all_capitals: bool) -> str | None:
    """The stand-in for a word that tells its kind, or None for one that is but a name."""
    key = key_of(word)
    if key in PARTICLES:
        return word
    if len(word) == 1:
        return phrase_number(record, word)
    if is_town(record, word):
        return place(record, word, "LOCATION")
    if is_abbreviation(word) and (not all_capitals or len(word) <= _LONGEST_AMONG_CAPITALS):
        return abbreviation(record, word)
    specialities = words("sv", "specialities")
    if key in specialities:
        return like(word, exchange(record, "specialities", specialities.index(key)))
    if _OF_MEDICINE.fullmatch(key):
        other = chosen(record, "medical", _definite(key), words("sv", "speciality_adjectives"))
        return like(word, other if key == _definite(key) else other.removesuffix("a"))
    new = compound(record, word)
    if new is None and key.endswith("ska") and 5 < len(key):
        new = like(word, chosen(record, "adjective", key, words("sv", "adjectives")))
    return new


def _definite(adjective: str) -> str:
    return adjective if adjective.endswith("a") else f"{adjective}a"


def _is_name(record: Record, token: Token, all_capitals: bool) -> bool:
    return not token.is_number and (
        _by_itself(record, token.text, all_capitals=all_capitals) is None
    )


def _named(record: Record, text: str, after: str) -> str:
    """The stand-in for a name, in the genitive as before the word for a kind: Ekbros sjukhus."""
    is_one = " " not in text and (text[-1] == "s" or (text.isupper() and text[-1] == "S"))
    if is_one and after and after not in _FIRM_ENDS:
        base = text[:-1].removesuffix(":")
        return like(text, swedish_genitive(proper_name(record, base)))
    return proper_name(record, text)
