"""Swedish names in phrases and streets: each word keeps the kind that its ending shows.

Compounds keep their ending (Örnskolan); medical adjectives become other medical adjectives, towns
other towns, abbreviations other abbreviations. Other words are a name, and another one is invented.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.core.document import with_changes
from veil.lexicons import lexicon
from veil.lexicons.folding import base_form
from veil.replace.entities.addresses import street_name
from veil.replace.entities.countries import places
from veil.replace.entities.language import EntityLanguage, longest_first, name_key, word_set, words
from veil.replace.entities.names import (
    invent_name,
    is_abbreviation,
    phrase_number,
    replace_abbreviation,
    replace_proper_name,
    tokens,
)
from veil.replace.entities.record import choose, exchange
from veil.replace.entities.spelling import match_case
from veil.replace.entities.towns import find_place, is_town, replace_place

if TYPE_CHECKING:
    from veil.replace.entities.names import NamePhrase, NameToken
    from veil.replace.entities.record import EntityRecord

_FIRM_ENDS = frozenset({"ab", "hb", "kb", "co"})
_SAINT = frozenset({"st", "t", "sankt", "sankta"})
_LONGEST_PLACE = 3
_CACHE_SIZE = 1 << 12
# Among words in capitals, only short ones are abbreviations.
_LONGEST_AMONG_CAPITALS = 4
_SHORTEST_STEM = 2
_OF_MEDICINE = re.compile(r".+(?:log|kirurg|atr|ped)iska?|.+medicinska?")
# The part before these is a speciality, known or not.
_MEDICAL_ENDS = ("kliniken", "klinikens", "klinik", "mottagningen", "mottagningens", "mottagning")
# Place names that only look like genitives: Alingsås, Strängnäs, Hofors.
_NO_GENITIVE = ("ås", "näs", "fors", "is", "us", "os")


class _Swedish(EntityLanguage):
    def organization(self, record: EntityRecord, text: str) -> str | None:
        key = name_key(text)
        keys = _authorities()
        for name, ending in ((key, ""), (key.removesuffix("s"), "s")):
            if name in keys:
                return match_case(text, exchange(record, "authorities", keys.index(name)) + ending)
        found = tokens(text)
        kinds = word_set("sv", "institution_words")
        is_firm = bool(found) and all(
            token.key not in kinds and _is_name(record, token, all_capitals=False)
            for token in found
        )
        is_genitive = len(found) == 1 and key.endswith("s")
        if not is_firm or text.islower() or is_genitive:
            return None
        return f"{match_case(text, invent_name(record, key))} AB"

    def rename(self, record: EntityRecord, phrase: NamePhrase, *, all_capitals: bool) -> str:
        text = phrase.text
        if phrase.before and phrase.before[-1] in _SAINT:
            return _saint(record, text)
        found = tokens(text)
        changes, index = [], 0
        while index < len(found):
            last = _end_of_place(record, text, found, index)
            whole = text[found[index].start : found[last].end]
            new = (
                replace_place(record, whole, "LOCATION")
                if index < last
                else _kind_of_word(record, whole, all_capitals=all_capitals)
            )
            if new is None:
                while last + 1 < len(found) and _is_name(record, found[last + 1], all_capitals):
                    last += 1
                whole = text[found[index].start : found[last].end]
                after = found[last + 1].key if last + 1 < len(found) else phrase.after
                new = _named(record, whole, after)
            changes.append((found[index].start, found[last].end, new))
            index = last + 1
        return with_changes(text, changes)

    def single_word(self, record: EntityRecord, text: str) -> str:
        return _compound(record, text) or match_case(text, invent_name(record, name_key(text)))

    def landmark(self, record: EntityRecord, text: str) -> str | None:
        """Return another name with the same ending for an island, a lake etc.: Granfjärden."""
        if " " in text or is_town(record, text):
            return None
        return _with_end(record, text, longest_first("sv", "landmark_ends"))

    def street_name(self, record: EntityRecord, phrase: NamePhrase) -> str:
        """Keep the ending of a compound (Storgatan -> Lärkgatan); other names become farm names."""
        text, key = phrase.text, name_key(phrase.text)
        for end in longest_first("sv", "street_ends"):
            if key.endswith(end) and len(end) < len(key):
                written_end = text[len(text) - len(end) :].lower()
                return match_case(text, street_name(record, key.removesuffix(end)) + written_end)
        farm = invent_name(record, key)
        is_before_kind = phrase.after in word_set("sv", "street_kinds")
        return match_case(text, _genitive(farm) if is_before_kind else farm)

    def is_street(self, text: str) -> bool:
        units = word_set("sv", "street_units")
        return all(token.is_number or token.key in units for token in tokens(text))

    def genitive_base(self, record: EntityRecord, name: str) -> str | None:
        if len(name) < 4 or name[-1] not in "sS":
            return None
        base = base_form(name_key(name), "sv")
        cities = lexicon("sv", "city").keys.words
        if base is None or name_key(name) in cities or name.casefold().endswith(_NO_GENITIVE):
            return None
        is_known = base in places("sv") or base in cities or base in record.originals
        return name[: len(base)] if is_known else None

    def unlisted_genitive_base(self, name: str) -> str | None:
        return name[:-1] if name[-1] in "sS" and 3 < len(name) else None

    def genitive(self, name: str, ending: str) -> str:
        return _genitive(name) if ending in ("s", "S") else name + ending


def _genitive(name: str) -> str:
    """Return the genitive of a name; one that ends in s, x or z does not change."""
    return name if name[-1:].casefold() in "sxz" else f"{name}s"


@cache
def _authorities() -> tuple[str, ...]:
    return tuple(map(name_key, words("sv", "authorities")))


def _compound(record: EntityRecord, word: str) -> str | None:
    """Return another compound with the same ending, or None: Örnsjukhuset, ortopedkliniken."""
    end = _speciality_end(name_key(word))
    if end is None:
        return _with_end(record, word, words("sv", "institution_ends"))
    options = _stems()
    if end == "en":  # endings of doctors, too: urologen
        options = tuple(each for each in options if each.endswith(("log", "kirurg")))
    stem = name_key(word).removesuffix(end)
    return match_case(word, choose(record, f"speciality/{end}", stem, options) + end)


@lru_cache(_CACHE_SIZE)
def _speciality_end(key: str) -> str | None:
    """Return the ending of a compound that begins with a speciality."""
    specialities = _stems()
    for end in words("sv", "speciality_ends"):
        stem = key.removesuffix(end)
        if stem == key or len(stem) < _SHORTEST_STEM:
            continue
        if stem not in specialities and end not in _MEDICAL_ENDS and not stem.endswith("log"):
            continue
        if end == "en" and not stem.endswith(("log", "kirurg", "ortoped")):
            continue
        return end
    return None


@cache
def _stems() -> tuple[str, ...]:
    """Return the specialities from which compounds are made."""
    return tuple(entry for entry in words("sv", "specialities") if " " not in entry)


def _with_end(record: EntityRecord, word: str, ends: tuple[str, ...]) -> str | None:
    """Return another word with the first of the endings that a word has."""
    key = name_key(word)
    end = _end_among(ends, key)
    if end is None:
        return None
    stem = choose(record, "stem", key.removesuffix(end), words("sv", "place_heads"))
    return match_case(word, stem + word[len(word) - len(end) :])


@lru_cache(_CACHE_SIZE)
def _end_among(ends: tuple[str, ...], key: str) -> str | None:
    for end in ends:
        if key.endswith(end) and len(end) + _SHORTEST_STEM <= len(key):
            return end
    return None


def _saint(record: EntityRecord, text: str) -> str:
    saints = words("sv", "saints")
    key = name_key(text)
    is_genitive = key.endswith("s") and text not in saints
    new = choose(record, "saints", key.removesuffix("s") if is_genitive else key, saints)
    return match_case(text, _genitive(new) if is_genitive else new)


def _end_of_place(record: EntityRecord, text: str, found: tuple[NameToken, ...], first: int) -> int:
    """Return the index of the last word of a listed place (Lilla Edet), or of the word itself."""
    for last in range(min(first + _LONGEST_PLACE, len(found)) - 1, first, -1):
        if find_place(record, text[found[first].start : found[last].end], "CITY") is not None:
            return last
    return first


def _kind_of_word(record: EntityRecord, word: str, *, all_capitals: bool) -> str | None:
    """Return the surrogate for a word that shows its kind, or None for a name."""
    key = name_key(word)
    if key in words("sv", "name_particles"):
        return word
    if len(word) == 1:
        return phrase_number(record, word)
    if is_town(record, word):
        return replace_place(record, word, "LOCATION")
    if is_abbreviation(word) and (not all_capitals or len(word) <= _LONGEST_AMONG_CAPITALS):
        return replace_abbreviation(record, word)
    specialities = words("sv", "specialities")
    if key in specialities:
        return match_case(word, exchange(record, "specialities", specialities.index(key)))
    if _OF_MEDICINE.fullmatch(key):
        definite = key if key.endswith("a") else f"{key}a"
        other = choose(record, "medical", definite, words("sv", "speciality_adjectives"))
        return match_case(word, other if key == definite else other.removesuffix("a"))
    new = _compound(record, word)
    if new is None and key.endswith("ska") and 5 < len(key):
        new = match_case(word, choose(record, "adjective", key, words("sv", "adjectives")))
    return new


def _is_name(record: EntityRecord, token: NameToken, all_capitals: bool) -> bool:
    return not token.is_number and (
        _kind_of_word(record, token.text, all_capitals=all_capitals) is None
    )


def _named(record: EntityRecord, text: str, after: str) -> str:
    """Return the surrogate for a name, in the genitive before a word for a kind: Ekbros sjukhus."""
    is_one = " " not in text and (text[-1] == "s" or (text.isupper() and text[-1] == "S"))
    if is_one and after and after not in _FIRM_ENDS:
        base = text[:-1].removesuffix(":")
        return match_case(text, _genitive(replace_proper_name(record, base)))
    return replace_proper_name(record, text)


ENTITIES = _Swedish("sv")
