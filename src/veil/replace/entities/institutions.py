"""Stand-ins for hospitals, departments, firms, schools, landmarks and rooms.

Words that say what a thing is stay; what names it is exchanged. Words that refer to an institution
without naming one ("the clinic", "当院") stay as they are.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from veil.lexicons import is_ordinary, lexicon
from veil.replace.entities import english_names, japanese_names, swedish_names
from veil.replace.entities.choosing import exchange
from veil.replace.entities.countries import places
from veil.replace.entities.names import (
    CONJUNCTIONS,
    SAINT_WORDS,
    abbreviation,
    invented,
    is_abbreviation,
    phrase_number,
    proper_name,
    rename,
)
from veil.replace.entities.numbers import number
from veil.replace.entities.phrases import Token, rewrite, tokens
from veil.replace.entities.spanish_names import VIRGIN_WORDS
from veil.replace.entities.towns import find_place
from veil.replace.entities.words import key_of, word_set, words
from veil.replace.entities.writing import like

if TYPE_CHECKING:
    from veil.replace.entities.record import Record

_WORD = re.compile(r"[^\W\d_]&?[^\W\d_]")
_HIDDEN = re.compile(r"^[Xx*_?#]{2,8}[ -]?|[ -]?[Xx*_?#]{2,8}$")
# 8-B is one number, 3ª B two.
_PIECE = re.compile(r"\S+")
_KIND_LISTS = {
    "DEPARTMENT": ("department_words", "institution_words", "unit_abbreviations"),
    "HOSPITAL": ("institution_words", "department_words", "specialities"),
    "ORGANIZATION": ("institution_words", "specialities"),
    "LOCATION-OTHER": ("landmark_words",),
    "ROOM": ("room_words", "department_words"),
}
# What is exchanged as a whole for another entry of its list.
_WHOLE = ("unit_abbreviations", "specialities", "directions")
_ALWAYS = SAINT_WORDS | CONJUNCTIONS
_PARTICLES = {
    "en": english_names.PARTICLES,
    "sv": swedish_names.PARTICLES,
}


def institution(record: Record, text: str, label: str) -> str:
    """The stand-in for an institution, department, firm, landmark or room."""
    if record.language == "ja":
        return japanese_names.institution(record, text, label)
    key = key_of(text)
    # The name of "XX Hospital" has been taken out already.
    if key_of(_HIDDEN.sub("", text)) in word_set(record.language, "referring"):
        return text
    whole = english_names.whole(record, text, label) if record.language == "en" else None
    if whole is not None:
        return whole
    if not _WORD.search(text) and any(map(str.isdigit, text)):
        return _PIECE.sub(lambda match: phrase_number(record, match[0]), text)
    whole = _exchanged_whole(record, text, key)
    if whole is None and record.language == "sv" and label == "ORGANIZATION":
        whole = swedish_names.organization(record, text)
    if whole is not None:
        return whole
    name = swedish_names.rename if record.language == "sv" else rename
    new = rewrite(
        text,
        stays=partial(_stays, record.language, label, _names_in(record, text)),
        particles=_PARTICLES.get(record.language, word_set("es", "particles")),
        name=partial(name, record, all_capitals=text.isupper()),
        number=partial(phrase_number, record),
    )
    return new if key_of(new) != key else _named_anew(record, text)


def _stays(language: str, label: str, names: set[int], token: Token) -> bool:
    """Whether a word says what a thing is; words at the places of `names` never do."""
    key = token.key
    if token.start in names or (language == "es" and token.text == "E"):  # Luis E. Sotelo
        return False
    if key in word_set(language, *_KIND_LISTS[label]) or key in _ALWAYS:
        return True
    return language == "es" and (key in VIRGIN_WORDS or key in word_set("es", "persons"))


def _names_in(record: Record, text: str) -> set[int]:
    """Where words stand that name something though they may tell a kind: Salt Lake City."""
    found = tokens(text)
    names = english_names.name_words(found) if record.language == "en" else set()
    for first in range(len(found)):
        if found[first].key not in _first_words_of_places(record.language):
            continue
        # "Hospital San Juan" has the name of a saint, "Universidad de San Juan" that of a town.
        before = found[first - 1].key if first else ""
        saint = record.language == "es" and found[first].key in SAINT_WORDS and before != "de"
        for last in range(min(first + 4, len(found)) - 1, first, -1):
            written = text[found[first].start : found[last].end]
            if not saint and _is_town(record, written):
                names.update(token.start for token in found[first : last + 1])
                break
    return names


def _is_town(record: Record, text: str) -> bool:
    # "Arganda del Rey" holds words that elsewhere tell a kind, as do other towns that no list has.
    is_known = record.language == "es" and key_of(text) in lexicon("es", "city").keys.words
    return is_known or find_place(record, text, "CITY") is not None


@cache
def _first_words_of_places(language: str) -> frozenset[str]:
    """The words with which listed places begin that are longer than a word."""
    names = {*places(language), *(lexicon("es", "city").keys.words if language == "es" else ())}
    return frozenset(found[0].key for found in map(tokens, names) if 1 < len(found))


def _exchanged_whole(record: Record, text: str, key: str) -> str | None:
    if len(text) == 1:
        return number(record, text)
    # In notes that are all capitals a town, a word or a kind may look like an abbreviation.
    is_name = 3 < len(text) and (
        find_place(record, text, "CITY") is not None
        or (record.language == "en" and is_ordinary("en")(key))
    )
    is_kind = 5 < len(text) and key in word_set(record.language, "institution_words")
    if is_abbreviation(text, record.language) and not (is_name or is_kind):
        return abbreviation(record, text)
    for name in _WHOLE:
        entries = words(record.language, name)
        if key in entries:
            return like(text, exchange(record, name, entries.index(key)))
    return None


def _named_anew(record: Record, text: str) -> str:
    """A name for what has none but the word for its kind: University Hospital."""
    found = [token for token in tokens(text) if not token.is_number and token.key != "the"]
    directions = words(record.language, "directions")
    for token in found:
        if token.key in directions:
            new = exchange(record, "directions", directions.index(token.key))
            return text[: token.start] + like(token.text, new) + text[token.end :]
    if len(found) == 1 and record.language == "sv":
        return swedish_names.compound(record, text) or like(text, invented(record, key_of(text)))
    if len(found) <= 1:
        return proper_name(record, text)
    # The kind stands first in Spanish, last in English, and in Swedish first if it is definite.
    first = {"en": True, "sv": not found[0].key.endswith(("en", "et"))}.get(record.language, False)
    token = found[0 if first else -1]
    new = like(token.text, invented(record, key_of(text)))
    return text[: token.start] + new + text[token.end :]
