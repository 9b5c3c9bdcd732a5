"""What an English word may be where a name may stand, worked out once for each form.

In English prose only proper names, headings and the first words of sentences have capitals: a
capital inside a sentence says much, one after a full stop little, and a line in capitals nothing.
"""

from __future__ import annotations

from functools import cache, lru_cache

from veil.detect.rules.adjustments import (
    CACHE_SIZE,
    CLEAR,
    COMMON,
    GIVEN,
    GIVEN_MARKS,
    INITIAL,
    MEDICAL,
    MONTH,
    NEVER_NAME,
    PARTICLE,
    PLACE,
    PLACE_MARKS,
    STOP,
    SURNAME,
    UNKNOWN,
    Adjustments,
    word_lists,
)
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

LANGUAGE = "en"
ADJUSTMENTS = Adjustments()
WORDS = {name: frozenset(words) for name, words in word_lists(LANGUAGE).items()}

_PARTICLES = WORDS["particles"]
_STOPS = WORDS["stops"]
_PLACES = PLACE_MARKS | Mark.NATIONALITY.value
_SHORTEST_CLEAR = 3
_LONGEST_ABBREVIATION = 4


@lru_cache(CACHE_SIZE)
def kind_of(form: str) -> int:
    """Return what a word may be, as the sum of bits."""
    folded = fold(form)
    if len(form) == 1 and form.isupper():
        return INITIAL
    if form[0].islower() and folded in _PARTICLES:
        return PARTICLE
    if folded in _STOPS:
        return STOP
    marks = word_marks(LANGUAGE)(form)
    found = (GIVEN if marks & GIVEN_MARKS else 0) | (SURNAME if marks & Mark.SURNAME.value else 0)
    if found:
        if marks & Mark.MEDICAL.value or is_clinical(form):
            found |= MEDICAL
        if marks & _PLACES:
            found |= PLACE
        if marks & Mark.MONTH.value:
            found |= MONTH
        unclear = found & (MEDICAL | MONTH) or marks & NEVER_NAME or is_ordinary(form)
        return found if unclear or len(folded) < _SHORTEST_CLEAR else found | CLEAR
    if marks & (NEVER_NAME | (Mark.MEDICAL | Mark.NATIONALITY).value):
        return STOP
    if is_clinical(form):
        return COMMON | MEDICAL if is_ordinary(form) else STOP
    if is_ordinary(form) or marks & (Mark.PROFESSION | Mark.STREET_HEAD).value:
        return COMMON
    if form.isupper() and len(form) <= _LONGEST_ABBREVIATION:
        return COMMON
    return UNKNOWN | PLACE if marks & _PLACES else UNKNOWN


def is_ordinary(form: str) -> bool:
    """Whether a word is one that prose writes in lower case."""
    return lexicon(LANGUAGE, "ordinary").match_folded(form)


def is_clinical(form: str) -> bool:
    """Whether a word is clinical; an abbreviation is so in capitals only: DOE, not Doe."""
    if fold(form) in _abbreviations() and not form.isupper():
        return False
    return lexicon(LANGUAGE, "clinical").match_folded(form)


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(fold(entry) for entry in lexicon(LANGUAGE, "clinical") if entry.isupper())
