"""Spanish names among titles, departments, addresses and headings.

Spanish records have two surnames, drop accents, abbreviate (Mª, Fco., Gª), and put department,
hospital and street directly after a signature, without a comma.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.languages.es.rules.words import (
    IN_CONTEXT,
    LANGUAGE,
    LONGEST_ACRONYM,
    PLAIN_NAMES,
    WORD,
    is_country,
    kind_of,
    reach,
)
from veil.lexicons import lexicon
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from veil.detect.rules.adjustments import Bounds

_GOES_ON = compile_pattern(r"[ \t]+[a-zñáéíóú]")
_SAINT_BEFORE = compile_pattern(r".*\b(?:San|Santa|Santo|Sant|SAN|SANTA|St[ao]\.?)\s\Z")
_INSIDE = compile_pattern(
    r"(?!.*\b(?:de|tipo|lo|del|San|por)\s\Z).*[a-zñáéíóú),:][ (]\Z", re.DOTALL
)
_TITLE_CASE = compile_pattern(r"[A-ZÁÉÍÓÚÑ][a-zñáéíóúü]{3,}")
_ADJECTIVE = compile_pattern(r"(?:ic|os|ad|id|iv|ens)[oa]s?\Z|(?:ante|ente|al)(?:e?s)?\Z")
_OTHERS = ("medical", "country", "region", "city")


def _name(text: str, start: int, end: int, *, first: int, others: int) -> Bounds | None:
    """A name whose first and other words are of these kinds."""
    kept_end, kinds = reach(text, start, end, first=first, others=others)
    return (start, kept_end) if kinds else None


def name(text: str, start: int, end: int) -> Bounds | None:
    """A name where a sentence is also possible: it must not begin with just one unknown word."""
    kept_end, kinds = reach(text, start, end, first=IN_CONTEXT, others=IN_CONTEXT)
    if not any(kind & bits.POSSIBLE for kind in kinds):
        return None
    if len(kinds) == 1 and kinds[0] & bits.UNKNOWN and _GOES_ON.match(text, kept_end):
        return None
    return start, kept_end


def named(text: str, start: int, end: int) -> Bounds | None:
    """A name where nothing else is possible: it may begin with any word but a title."""
    first = WORD.match(text, start, end)
    listed_end = first is not None and kind_of(first[0]) & bits.LISTED
    ends = bits.STOP if listed_end else 0
    return _name(text, start, end, first=bits.POSSIBLE | bits.COMMON | ends, others=IN_CONTEXT)


def known_name(text: str, start: int, end: int) -> Bounds | None:
    """A name that begins with a listed word, in a context that is weak evidence."""
    kept_end, kinds = reach(text, start, end, first=bits.LISTED, others=bits.POSSIBLE)
    initial_first = 1 < len(kinds) and kinds[0] & bits.INITIAL
    if (
        not (initial_first or any(kind & bits.LISTED for kind in kinds))
        or (len(kinds) == 1 and kinds[0] & bits.MEDICAL)
        or _is_acronym(text, start, kept_end)
    ):
        return None
    return start, kept_end


def kin_name(text: str, start: int, end: int) -> Bounds | None:
    """A name after a word for a relative, also an unlisted one whose form is unlike other words."""
    known = known_name(text, start, end)
    first = WORD.match(text, start, end)
    if known or first is None or first[0].isupper() or _ADJECTIVE.search(fold(first[0])):
        return known
    return _name(text, start, end, first=bits.UNKNOWN, others=bits.POSSIBLE)


def _is_acronym(text: str, start: int, end: int) -> bool:
    """Whether the first word is a few capitals among other words: ANA, PIO, ELISA."""
    words = [word for word in WORD.findall(text, start, end) if not kind_of(word) & bits.PARTICLE]
    return (
        words[0].isupper()
        and 1 < len(words[0]) <= LONGEST_ACRONYM
        and not any(
            word.isupper() and (fold(word) in PLAIN_NAMES or LONGEST_ACRONYM < len(word))
            for word in words[1:]
        )
    )


def full_name(text: str, start: int, end: int) -> Bounds | None:
    """A given name followed by a surname, which is a name in any context."""
    first = WORD.match(text, start, end)
    if first is None or not kind_of(first[0]) & bits.GIVEN:
        return None
    if _SAINT_BEFORE.match(text[max(0, start - 9) : start]):
        return None
    kept_end, kinds = reach(text, start, end, first=bits.GIVEN, others=bits.POSSIBLE)
    names = [kind for kind in kinds if not kind & bits.INITIAL]
    listed = sum(1 for kind in names if kind & bits.LISTED)
    clear = sum(1 for kind in names if kind & bits.CLEAR)
    begins_clear = clear and (2 <= listed or names[0] & bits.CLEAR)
    if len(names) < 2 or not (begins_clear or 3 <= listed) or _is_acronym(text, start, kept_end):
        return None
    found = text[start:kept_end]
    if any(lexicon(LANGUAGE, kind).match(found) for kind in _OTHERS):
        return None
    return None if is_country(WORD.findall(found)[-1]) else (start, kept_end)


def surname_first(text: str, start: int, end: int) -> Bounds | None:
    """Surnames, a comma and a given name: GARCÍA LÓPEZ, ANA."""
    comma = text.find(",", start, end)
    if comma < 0:
        return None
    surnames_end, surnames = reach(text, start, comma, first=bits.SURNAME, others=bits.LISTED)
    kept_end, given_names = reach(text, comma + 1, end, first=bits.GIVEN, others=bits.LISTED)
    clear = any(kind & bits.CLEAR for kind in surnames)
    if text[surnames_end:comma].strip() or not given_names or not clear:
        return None
    if is_country(text[comma + 1 : kept_end].strip()):
        return None
    return None if _is_acronym(text, start, surnames_end) else (start, kept_end)


def _given(text: str, start: int, end: int, *, clear: bool) -> Bounds | None:
    """Given names; `clear`: the first of them is unambiguous."""
    kept_end, kinds = reach(text, start, end, first=bits.GIVEN, others=bits.GIVEN)
    if (
        not kinds
        or kinds[0] & bits.MEDICAL
        or (clear and not kinds[0] & bits.CLEAR)
        or _is_acronym(text, start, kept_end)
    ):
        return None
    return start, kept_end


def given_inside(text: str, start: int, end: int) -> Bounds | None:
    """Unambiguous given names inside a sentence; after "de" they are mostly eponyms."""
    before = text[max(0, start - 6) : start]
    first = WORD.match(text, start, end)
    if first is None or not _INSIDE.match(before) or not _TITLE_CASE.fullmatch(first[0]):
        return None
    return _given(text, start, end, clear=True)


given = partial(_given, clear=True)
given_name = partial(_given, clear=False)
