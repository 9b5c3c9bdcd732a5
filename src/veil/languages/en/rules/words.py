"""What an English word may be where a name is possible, computed once for each form.

In English prose only proper names, headings and the first words of sentences have capitals: a
capital inside a sentence is strong evidence, one after a full stop weak, and a line in capitals
none.
"""

from __future__ import annotations

from functools import cache, lru_cache

from veil.detect.rules import bits
from veil.detect.rules.adjustments import (
    CACHE_SIZE,
    GIVEN_MARKS,
    NEVER_NAME,
    PLACE_MARKS,
    word_lists,
)
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

LANGUAGE = "en"
SETS, LISTS = word_lists(LANGUAGE)

_PLACES = PLACE_MARKS | Mark.NATIONALITY.value
_SHORTEST_CLEAR = 3
_LONGEST_ABBREVIATION = 4


@lru_cache(CACHE_SIZE)
def kind_of(form: str) -> int:
    """Return what a word may be, as the sum of bits."""
    folded = fold(form)
    if len(form) == 1 and form.isupper():
        return bits.INITIAL
    if form[0].islower() and folded in SETS["particles"]:
        return bits.PARTICLE
    if folded in SETS["stops"]:
        return bits.STOP
    marks = word_marks(LANGUAGE)(form)
    found = (bits.GIVEN if marks & GIVEN_MARKS else 0) | (
        bits.SURNAME if marks & Mark.SURNAME.value else 0
    )
    if found:
        if marks & Mark.MEDICAL.value or is_clinical(form):
            found |= bits.MEDICAL
        if marks & _PLACES:
            found |= bits.PLACE
        if marks & Mark.MONTH.value:
            found |= bits.MONTH
        unclear = found & (bits.MEDICAL | bits.MONTH) or marks & NEVER_NAME or is_ordinary(form)
        return found if unclear or len(folded) < _SHORTEST_CLEAR else found | bits.CLEAR
    if marks & (NEVER_NAME | (Mark.MEDICAL | Mark.NATIONALITY).value):
        return bits.STOP
    if is_clinical(form):
        return bits.COMMON | bits.MEDICAL if is_ordinary(form) else bits.STOP
    if is_ordinary(form) or marks & (Mark.PROFESSION | Mark.STREET_HEAD).value:
        return bits.COMMON
    if form.isupper() and len(form) <= _LONGEST_ABBREVIATION:
        return bits.COMMON
    return bits.UNKNOWN | bits.PLACE if marks & _PLACES else bits.UNKNOWN


def is_ordinary(form: str) -> bool:
    """Whether a word is one that prose writes in lower case."""
    return lexicon(LANGUAGE, "ordinary").match_folded(form)


def is_clinical(form: str) -> bool:
    """Whether a word is clinical; an abbreviation only in capitals: DOE, not Doe."""
    if fold(form) in _abbreviations() and not form.isupper():
        return False
    return lexicon(LANGUAGE, "clinical").match_folded(form)


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(fold(entry) for entry in lexicon(LANGUAGE, "clinical") if entry.isupper())


def stands_before(form: str, following: str) -> bool:
    """Whether a word comes before the name of an institution and is not part of it."""
    folded = fold(form)
    if folded in SETS["leading"] or folded in SETS["connectors"]:
        return True
    common = word_marks(LANGUAGE)(form) & Mark.COMMON.value
    return folded.endswith("ed") and bool(common) and following[:1].isupper()
