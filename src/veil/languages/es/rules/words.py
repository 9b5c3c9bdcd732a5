"""What a Spanish word may be where a name is possible, and how far names extend."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import (
    CACHE_SIZE,
    GIVEN_MARKS,
    KEY_FOLLOWS,
    NEVER_NAME,
    PLACE_MARKS,
    alternatives,
    word_lists,
)
from veil.lexicons import Mark, is_ordinary, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator


LANGUAGE = "es"
WORD = compile_pattern(r"[^\W\d_]+(?:['’´`\u2010\u2011-][^\W\d_]+)*")
LONGEST_ACRONYM = 5

# Bits that only Spanish has, in addition to the common ones.
AND = 4096
PATRONYMIC = 8192  # a surname by its ending, whatever the lists say: López, García
IN_CONTEXT = bits.POSSIBLE | bits.COMMON

SETS, LISTS = word_lists(LANGUAGE)
PLAIN_NAMES = SETS["plain_names"]
_CLINICAL_NAMES = SETS["clinical_names"]
NO_PLACES = SETS["no_places"]
NO_COUNTRIES = SETS["no_countries"]
# Endings of clinical nouns: no name has them, except those in the lists (Concepción, Natividad).
_CLINICAL_WORD = compile_pattern(rf"\w{{2,30}}(?:{alternatives(LISTS['clinical_endings'])})")
_DIMINUTIVE = compile_pattern(r"(\w{3,})it([oa])\Z")
_PATRONYMIC = compile_pattern(r"(?:[aeiou]z|garcia)\Z")
_SURNAME_MARK = Mark.SURNAME.value
_MEDICAL_MARK = Mark.MEDICAL.value
_PLACES = PLACE_MARKS | Mark.NATIONALITY.value


@lru_cache(CACHE_SIZE)
def kind_of(form: str) -> int:
    """Return what a word may be, as bits of the numbers above."""
    folded = fold(form)
    if len(form) == 1 and form.isupper():
        return bits.INITIAL
    if folded in SETS["particles"]:
        return bits.PARTICLE | (AND if folded in ("y", "e") else 0)
    marks = word_marks(LANGUAGE)(form)
    kind = _name_bits(folded, marks)
    if folded in SETS["name_ends"]:
        return kind | bits.STOP
    if kind:
        clear = folded in PLAIN_NAMES or not (
            marks & ~(GIVEN_MARKS | _SURNAME_MARK | _PLACES)
            or folded in _CLINICAL_NAMES
            or is_ordinary(LANGUAGE)(form)
        )
        medical = marks & _MEDICAL_MARK or folded in _CLINICAL_NAMES
        return kind | (bits.CLEAR if clear else bits.MEDICAL if medical else 0)
    if marks & NEVER_NAME or _CLINICAL_WORD.fullmatch(folded):
        return bits.STOP
    ordinary = marks & ~_PLACES or form.islower() or is_ordinary(LANGUAGE)(form)
    return bits.COMMON if ordinary else bits.UNKNOWN


def _name_bits(folded: str, marks: int) -> int:
    kind = (bits.GIVEN if marks & GIVEN_MARKS else 0) | (
        bits.SURNAME if marks & _SURNAME_MARK else 0
    )
    if kind & bits.SURNAME and _PATRONYMIC.search(folded):
        kind |= PATRONYMIC
    diminutive = None if kind else _DIMINUTIVE.match(folded)
    if diminutive and word_marks(LANGUAGE)(diminutive[1] + diminutive[2]) & GIVEN_MARKS:
        kind = bits.GIVEN  # Amparito, Juanita
    return kind


def is_country(name: str) -> bool:
    """Whether a name is primarily that of a country, and not of a town or a person."""
    return lexicon(LANGUAGE, "country").match(name) and fold(name) not in NO_COUNTRIES


def _words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The end and the kind of each word, up to the key of a field."""
    for word in WORD.finditer(text, start, end):
        kind = kind_of(word[0])
        # A greeting ends in a colon as well: "Estimada Ana Ruiz:".
        if KEY_FOLLOWS.match(text, word.end()) and not kind & bits.CLEAR:
            return
        yield word.end(), kind


def reach(text: str, start: int, end: int, *, first: int, others: int) -> tuple[int, list[int]]:
    """The end of a name whose words are of these kinds, and the kinds of its words."""
    kept_end = start
    kinds: list[int] = []
    joined = False
    for word_end, kind in _words(text, start, end):
        if kind & bits.PARTICLE:
            joined = kind & AND != 0
            continue
        # "Ana y Luis" are two people, "Ortega y Gasset" is one.
        if joined and kind & bits.GIVEN and not kind & PATRONYMIC:
            break
        joined = False
        wanted = others if kinds else first
        if not kind & (wanted | bits.INITIAL) or (kind & bits.STOP and not wanted & bits.STOP):
            break
        kinds.append(kind)
        kept_end = word_end
    return kept_end, kinds
