"""Surrogates for hospitals, departments, firms, schools, landmarks and rooms.

The words for the kind of institution stay; its name changes. Words that refer to an institution
without naming it ("the clinic", "当院") stay as they are.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from veil.lexicons import is_ordinary
from veil.replace.entities.countries import places
from veil.replace.entities.language import (
    entity_language,
    name_key,
    setting,
    shared_table,
    split_words,
    word_set,
    words,
)
from veil.replace.entities.names import (
    NameToken,
    first_words,
    invent_name,
    is_abbreviation,
    kept_words,
    phrase_number,
    rename,
    replace_abbreviation,
    replace_proper_name,
    rewrite,
    tokens,
)
from veil.replace.entities.numbers import replace_number
from veil.replace.entities.record import exchange
from veil.replace.entities.spelling import match_case
from veil.replace.entities.towns import find_place

if TYPE_CHECKING:
    from veil.replace.entities.record import EntityRecord

_WORD = re.compile(r"[^\W\d_]&?[^\W\d_]")
_HIDDEN = re.compile(r"^[Xx*_?#]{2,8}[ -]?|[ -]?[Xx*_?#]{2,8}$")
# 8-B is one number, 3ª B two.
_PIECE = re.compile(r"\S+")
# Lists whose entries are replaced as a whole by another entry.
_WHOLE = ("unit_abbreviations", "specialities", "directions")


def replace_institution(record: EntityRecord, text: str, label: str) -> str:
    """Return the surrogate for an institution, department, firm, landmark or room."""
    whole = record.rules.whole_name(record, text, label)
    if whole is not None:
        return whole
    key = name_key(text)
    # The name of "XX Hospital" has already been removed.
    if name_key(_HIDDEN.sub("", text)) in word_set(record.language, "referring"):
        return text
    if not _WORD.search(text) and any(map(str.isdigit, text)):
        return _PIECE.sub(lambda match: phrase_number(record, match[0]), text)
    whole = _exchanged_whole(record, text, key)
    if whole is None and label == "ORGANIZATION":
        whole = record.rules.organization(record, text)
    if whole is not None:
        return whole
    new = rewrite(
        text,
        stays=partial(_stays, record.language, label, _names_in(record, text)),
        particles=word_set(record.language, "particles", "name_particles"),
        name=partial(rename, record, all_capitals=text.isupper()),
        number=partial(phrase_number, record),
    )
    return new if name_key(new) != key else _with_new_name(record, text)


def _stays(language: str, label: str, names: set[int], token: NameToken) -> bool:
    """Whether a word is the word for a kind; words at the offsets of `names` never are."""
    if token.start in names or token.text in words(language, "initials"):
        return False
    return token.key in _kind_words(language, label) or token.key in kept_words()


@cache
def _kind_words(language: str, label: str) -> frozenset[str]:
    lists = split_words(shared_table("common")["kind_words"][label])
    return word_set(language, *lists, "persons", "virgin_words")


def _names_in(record: EntityRecord, text: str) -> set[int]:
    """Return the offsets of words of a name that may also be a kind: Salt Lake City."""
    found = tokens(text)
    names = record.rules.name_words(found)
    for first in range(len(found)):
        if found[first].key not in _first_words_of_places(record.language):
            continue
        before = found[first - 1].key if first else ""
        for last in range(min(first + 4, len(found)) - 1, first, -1):
            phrase = text[found[first].start : found[last].end]
            is_town = record.rules.is_town_name(record, phrase, before)
            if is_town is None:
                is_town = find_place(record, phrase, "CITY") is not None
            if is_town:
                names.update(token.start for token in found[first : last + 1])
                break
    return names


@cache
def _first_words_of_places(language: str) -> frozenset[str]:
    """Return the first words of listed places that have several words."""
    return first_words((*places(language), *entity_language(language).town_names()))


def _exchanged_whole(record: EntityRecord, text: str, key: str) -> str | None:
    if len(text) == 1:
        return replace_number(record, text)
    # In notes that are all capitals a town, a word or a kind may look like an abbreviation.
    is_name = 3 < len(text) and (
        find_place(record, text, "CITY") is not None
        or (
            setting(record.language, "ordinary_capitals", False)
            and is_ordinary(record.language)(key)
        )
    )
    is_kind = 5 < len(text) and key in word_set(record.language, "institution_words")
    if is_abbreviation(text, record.language) and not (is_name or is_kind):
        return replace_abbreviation(record, text)
    for name in _WHOLE:
        entries = words(record.language, name)
        if key in entries:
            return match_case(text, exchange(record, name, entries.index(key)))
    return None


def _with_new_name(record: EntityRecord, text: str) -> str:
    """Return a name for an institution that has only the word for its kind: University Hospital."""
    language = record.language
    articles = words(language, "articles")
    found = [token for token in tokens(text) if not (token.is_number or token.key in articles)]
    directions = words(language, "directions")
    for token in found:
        if token.key in directions:
            new = exchange(record, "directions", directions.index(token.key))
            return text[: token.start] + match_case(token.text, new) + text[token.end :]
    if len(found) <= 1:
        single = record.rules.single_word(record, text) if found else None
        return single or replace_proper_name(record, text)
    is_last = setting(language, "kind_first", False) or found[0].key.endswith(
        words(language, "kind_first_ends")
    )
    token = found[-1 if is_last else 0]
    new = match_case(token.text, invent_name(record, name_key(text)))
    return text[: token.start] + new + text[token.end :]
