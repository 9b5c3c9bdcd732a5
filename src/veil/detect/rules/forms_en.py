"""What an English word may be where a name may stand, worked out once for each form.

In English prose only proper names, headings and the first words of sentences have capitals: a
capital inside a sentence says much, one after a full stop little, and a line in capitals nothing.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.detect.rules.words_en import PARTICLES, STOPS
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]

LANGUAGE = "en"
REMEMBERED = 1 << 16
WORD = re.compile(r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*")

# Plain numbers, since every capital asks for them.
GIVEN = 1
SURNAME = 2
CLEAR = 4
"""A name and no word."""
UNKNOWN = 8
PARTICLE = 16
INITIAL = 32
COMMON = 64
"""No name, but one may look like it: Dr. Room."""
STOP = 128
CLINICAL = 256
"""A clinical word, whatever else it is: Foley, Burns, Room."""
PLACE = 512
"""In a list of places, whatever else it is: Lincoln."""
MONTH = 1024
LISTED = GIVEN | SURNAME
POSSIBLE = LISTED | UNKNOWN

_GIVEN_MARKS = (Mark.GIVEN_FEMALE | Mark.GIVEN_MALE).value
_PLACE_MARKS = (Mark.CITY | Mark.REGION | Mark.COUNTRY | Mark.NATIONALITY).value
_NEVER_NAME = (
    Mark.HOSPITAL_HEAD | Mark.TITLE | Mark.DOCTOR_TITLE | Mark.RELATIVE | Mark.MONTH | Mark.WEEKDAY
).value
_SHORTEST_CLEAR = 3
_LONGEST_ABBREVIATION = 4
_KEY_FOLLOWS = re.compile(r"[ \t]*(?:\([^()\n]{0,20}\)[ \t]*)?[:=]")
_NUMBER_FOLLOWS = re.compile(r"\.?[ \t]{1,2}\d")
CREDENTIALS = re.compile(r"(?:M\.D|D\.O|R\.N|N\.P|P\.A|D\.D\.S|O\.D)(?![a-z])")


class Word(NamedTuple):
    """A word of a possible name."""

    start: int
    end: int
    form: str
    kind: int


@lru_cache(REMEMBERED)
def kind(form: str) -> int:
    """What a form may be, as the sum of the constants above."""
    folded = fold(form)
    if len(form) == 1 and form.isupper():
        return INITIAL
    if form[0].islower() and folded in PARTICLES:
        return PARTICLE
    if folded in STOPS:
        return STOP
    marks = word_marks(LANGUAGE)(form)
    found = (GIVEN if marks & _GIVEN_MARKS else 0) | (SURNAME if marks & Mark.SURNAME.value else 0)
    if found:
        if marks & Mark.MEDICAL.value or is_clinical(form):
            found |= CLINICAL
        if marks & _PLACE_MARKS:
            found |= PLACE
        if marks & Mark.MONTH.value:
            found |= MONTH
        unclear = found & (CLINICAL | MONTH) or marks & _NEVER_NAME or is_ordinary(form)
        return found if unclear or len(folded) < _SHORTEST_CLEAR else found | CLEAR
    if marks & (_NEVER_NAME | (Mark.MEDICAL | Mark.NATIONALITY).value):
        return STOP
    if is_clinical(form):
        return COMMON | CLINICAL if is_ordinary(form) else STOP
    if is_ordinary(form) or marks & (Mark.PROFESSION | Mark.STREET_HEAD).value:
        return COMMON
    if form.isupper() and len(form) <= _LONGEST_ABBREVIATION:
        return COMMON
    return UNKNOWN | PLACE if marks & _PLACE_MARKS else UNKNOWN


def is_ordinary(form: str) -> bool:
    """Whether a form is a word that prose writes small."""
    return lexicon(LANGUAGE, "ordinary").match_folded(form)


def is_clinical(form: str) -> bool:
    """Whether a form is a clinical word; a short form is one in capitals only: DOE, not Doe."""
    if fold(form) in _short_forms() and not form.isupper():
        return False
    return lexicon(LANGUAGE, "clinical").match_folded(form)


@cache
def _short_forms() -> frozenset[str]:
    return frozenset(fold(entry) for entry in lexicon(LANGUAGE, "clinical") if entry.isupper())


def words_of_name(text: str, start: int, end: int) -> Iterator[Word]:
    """The words of a possible name, up to the key of a field, a date, credentials or a new line."""
    last = start
    for match in WORD.finditer(text, start, end):
        word = Word(*match.span(), match[0], kind(match[0]))
        if word.kind & INITIAL and last != start and CREDENTIALS.match(text, word.start):
            return
        if not word.kind & (CLEAR | INITIAL | PARTICLE):
            if _KEY_FOLLOWS.match(text, word.end):
                return
            if "\n" in text[last : word.start] and last != start:
                return
        if word.kind & MONTH and _NUMBER_FOLLOWS.match(text, word.end):
            return
        yield word
        last = word.end


def names_among(words: list[Word]) -> list[Word]:
    """The words without initials and particles."""
    return [word for word in words if not word.kind & (INITIAL | PARTICLE)]
