"""Full names that need no context: the lists hold the surname, the analyser reads the rest so."""

from __future__ import annotations

import re

from veil.detect.rules.japanese.name_words import NO_GIVEN_NAMES, PARTICLES, SPACE
from veil.detect.rules.japanese.words import (
    HIRAGANA,
    KANJI,
    Place,
    begins_with_surname,
    is_given,
    is_listed_full_name,
    is_listed_surname,
    is_ordinary,
    is_other,
)
from veil.languages.ja import JAPANESE

_CONTEXT = 4
_GAP = re.compile(f",?[{SPACE}]")
_SURNAME_IN_KANJI = re.compile(f"([{KANJI}]{{2,3}})[{HIRAGANA}]+")
_HIRAGANA = re.compile(f"[{HIRAGANA}]")
_HONORIFICS = ("さん", "さま", "くん", "ちゃん")


def full_name(text: str, start: int, end: int) -> Place | None:
    """A surname and a given name, in a row or with a space; in Latin letters in either order."""
    if not begins_with_surname(text, start):
        return None
    name = text[start:end]
    surname, space, given = _GAP.sub(" ", name).partition(" ")
    if space:
        known = _is_pair(surname, given) or (given.isascii() and _is_pair(given, surname))
        return (start, end) if known else None
    if _HIRAGANA.match(name[-1]):
        return _full_name_in_hiragana(text, start, name)
    known = not is_ordinary(name) and _reads_as_full_name(text, start, end)
    return (start, end) if known else None


def _is_pair(surname: str, given: str) -> bool:
    known = is_listed_surname(surname) and is_given(given)
    return known and 2 < len(surname + given) and not is_other(given)


def _full_name_in_hiragana(text: str, start: int, name: str) -> Place | None:
    """A surname in kanji and the longest given name in hiragana behind it."""
    surname = _SURNAME_IN_KANJI.fullmatch(name)
    if surname is None or not is_listed_surname(surname[1]):
        return None
    for length in range(len(name), len(surname[1]) + 1, -1):
        given, stop = name[len(surname[1]) : length], start + length
        if given.startswith(_HONORIFICS):
            return None
        ended = not _HIRAGANA.match(text, stop) or text[stop] in PARTICLES
        if ended and is_given(given) and given not in NO_GIVEN_NAMES:
            whole = length == len(name)
            return (start, stop) if whole or any(_persons(text, start, stop)) else None
    return None


def _reads_as_full_name(text: str, start: int, end: int) -> bool:
    """Whether the analyser agrees with the lists, which hold the name or its surname."""
    name = text[start:end]
    if is_listed_full_name(name):
        return any(_persons(text, start, end))
    if not is_listed_surname(name[:2]):
        return False
    persons = _persons(text, start, end)
    return 2 <= len(persons) and all(persons) and is_listed_surname(persons[0])


def _persons(text: str, start: int, end: int) -> list[str]:
    """The words of a stretch of text; those that the analyser does not take for names are empty."""
    first = max(0, start - _CONTEXT)
    window = text[first : end + _CONTEXT].replace("\n", "。")
    return [
        window[morpheme.start : morpheme.end] if morpheme.pos_fine.startswith("人名-") else ""
        for morpheme in JAPANESE.morphemes(window)
        if start - first <= morpheme.start and morpheme.end <= end - first
    ]
