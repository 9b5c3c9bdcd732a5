"""Spanish names: how far they reach among titles, departments, addresses and headings.

Spanish records write two surnames, drop accents, abbreviate (Mª, Fco., Gª), and put department,
hospital and street right behind a signature, without a comma.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from veil.detect.rules.adjustments import (
    CACHE_SIZE,
    CLEAR,
    COMMON,
    GIVEN,
    GIVEN_MARKS,
    INITIAL,
    KEY_FOLLOWS,
    LISTED,
    MEDICAL,
    NEVER_NAME,
    PARTICLE,
    PLACE_MARKS,
    POSSIBLE,
    STOP,
    SURNAME,
    UNKNOWN,
    Adjustments,
    Bounds,
    word_lists,
)
from veil.lexicons import Mark, is_ordinary, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator


LANGUAGE = "es"
WORD = re.compile(r"[^\W\d_]+(?:['’´`\u2010\u2011-][^\W\d_]+)*")
GOES_ON = re.compile(r"[ \t]+[a-zñáéíóú]")
LONGEST_ACRONYM = 5

# Bits that only Spanish has, beside the common ones.
AND = 4096
PATRONYMIC = 8192  # a surname by its ending, whatever the lists say: López, García
IN_CONTEXT = POSSIBLE | COMMON

ADJUSTMENTS = Adjustments()
_WORDS = {name: frozenset(words) for name, words in word_lists(LANGUAGE).items()}
_PARTICLES = _WORDS["particles"]
_PLAIN_NAMES = _WORDS["plain_names"]
_NAME_ENDS = _WORDS["name_ends"]
_CLINICAL_NAMES = _WORDS["clinical_names"]
NO_PLACES = _WORDS["no_places"]
NO_COUNTRIES = _WORDS["no_countries"]
# How clinical nouns end: no name does, but for those in the lists (Concepción, Natividad).
_CLINICAL_WORD = re.compile(
    r"\w{2,30}(?:log[ioa]a?s?|iatria|iatras?|grafias?|scopias?|tomias?|patias?|plastias?|terapias?"
    r"|metria|itis|osis|cion|ciones|sion|siones|mientos?|mente|atic[oa]|ogic[oa]|urgia)"
)
_SAINT_BEFORE = re.compile(r".*\b(?:San|Santa|Santo|Sant|SAN|SANTA|St[ao]\.?)\s\Z")
_INSIDE = re.compile(r"(?!.*\b(?:de|tipo|lo|del|San|por)\s\Z).*[a-zñáéíóú),:][ (]\Z", re.DOTALL)
_TITLE_CASE = re.compile(r"[A-ZÁÉÍÓÚÑ][a-zñáéíóúü]{3,}")
_ADJECTIVE = re.compile(r"(?:ic|os|ad|id|iv|ens)[oa]s?\Z|(?:ante|ente|al)(?:e?s)?\Z")
_DIMINUTIVE = re.compile(r"(\w{3,})it([oa])\Z")
_PATRONYMIC = re.compile(r"(?:[aeiou]z|garcia)\Z")
_SURNAME_MARK = Mark.SURNAME.value
_MEDICAL_MARK = Mark.MEDICAL.value
_PLACES = PLACE_MARKS | Mark.NATIONALITY.value
_OTHER_THINGS = ("medical", "country", "region", "city")


@lru_cache(CACHE_SIZE)
def kind_of(form: str) -> int:
    """Return what a word may be, as bits of the numbers above."""
    folded = fold(form)
    if len(form) == 1 and form.isupper():
        return INITIAL
    if folded in _PARTICLES:
        return PARTICLE | (AND if folded in ("y", "e") else 0)
    marks = word_marks(LANGUAGE)(form)
    kind = _name_bits(folded, marks)
    if folded in _NAME_ENDS:
        return kind | STOP
    if kind:
        clear = folded in _PLAIN_NAMES or not (
            marks & ~(GIVEN_MARKS | _SURNAME_MARK | _PLACES)
            or folded in _CLINICAL_NAMES
            or is_ordinary(LANGUAGE)(form)
        )
        medical = marks & _MEDICAL_MARK or folded in _CLINICAL_NAMES
        return kind | (CLEAR if clear else MEDICAL if medical else 0)
    if marks & NEVER_NAME or _CLINICAL_WORD.fullmatch(folded):
        return STOP
    ordinary = marks & ~_PLACES or form.islower() or is_ordinary(LANGUAGE)(form)
    return COMMON if ordinary else UNKNOWN


def _name_bits(folded: str, marks: int) -> int:
    kind = (GIVEN if marks & GIVEN_MARKS else 0) | (SURNAME if marks & _SURNAME_MARK else 0)
    if kind & SURNAME and _PATRONYMIC.search(folded):
        kind |= PATRONYMIC
    diminutive = None if kind else _DIMINUTIVE.match(folded)
    if diminutive and word_marks(LANGUAGE)(diminutive[1] + diminutive[2]) & GIVEN_MARKS:
        kind = GIVEN  # Amparito, Juanita
    return kind


def is_country(name: str) -> bool:
    """Whether a name is that of a country, and not of a town or a person first of all."""
    return lexicon(LANGUAGE, "country").match(name) and fold(name) not in NO_COUNTRIES


def _words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The end and the kind of each word, up to the key of a field."""
    for word in WORD.finditer(text, start, end):
        kind = kind_of(word[0])
        # A greeting ends in a colon as well: "Estimada Ana Ruiz:".
        if KEY_FOLLOWS.match(text, word.end()) and not kind & CLEAR:
            return
        yield word.end(), kind


def reach(text: str, start: int, end: int, *, first: int, others: int) -> tuple[int, list[int]]:
    """How far a name reaches whose words are of these kinds, and the kinds of its words."""
    kept_end = start
    kinds: list[int] = []
    joined = False
    for word_end, kind in _words(text, start, end):
        if kind & PARTICLE:
            joined = kind & AND != 0
            continue
        # "Ana y Luis" are two people, "Ortega y Gasset" is one.
        if joined and kind & GIVEN and not kind & PATRONYMIC:
            break
        joined = False
        wanted = others if kinds else first
        if not kind & (wanted | INITIAL) or (kind & STOP and not wanted & STOP):
            break
        kinds.append(kind)
        kept_end = word_end
    return kept_end, kinds


def name(text: str, start: int, end: int, *, first: int, others: int) -> Bounds | None:
    """A name whose first and other words are of these kinds."""
    kept_end, kinds = reach(text, start, end, first=first, others=others)
    return (start, kept_end) if kinds else None


@ADJUSTMENTS.named("es-name")
def possible_name(text: str, start: int, end: int) -> Bounds | None:
    """A name where a sentence may stand as well: one unknown word must not lead into one."""
    kept_end, kinds = reach(text, start, end, first=IN_CONTEXT, others=IN_CONTEXT)
    if not any(kind & POSSIBLE for kind in kinds):
        return None
    if len(kinds) == 1 and kinds[0] & UNKNOWN and GOES_ON.match(text, kept_end):
        return None
    return start, kept_end


@ADJUSTMENTS.named("es-named")
def named(text: str, start: int, end: int) -> Bounds | None:
    """A name where nothing else can stand: what begins it may be any word but a title."""
    first = WORD.match(text, start, end)
    listed_end = first is not None and kind_of(first[0]) & LISTED
    ends = STOP if listed_end else 0
    return name(text, start, end, first=POSSIBLE | COMMON | ends, others=IN_CONTEXT)


@ADJUSTMENTS.named("es-known-name")
def known_name(text: str, start: int, end: int) -> Bounds | None:
    """A name that begins with one of the lists, in a context that proves little."""
    kept_end, kinds = reach(text, start, end, first=LISTED, others=POSSIBLE)
    initial_first = 1 < len(kinds) and kinds[0] & INITIAL
    if (
        not (initial_first or any(kind & LISTED for kind in kinds))
        or (len(kinds) == 1 and kinds[0] & MEDICAL)
        or _is_acronym(text, start, kept_end)
    ):
        return None
    return start, kept_end


@ADJUSTMENTS.named("es-kin-name")
def kin_name(text: str, start: int, end: int) -> Bounds | None:
    """A name behind a word of kin, also one that no list holds and that is built like no other."""
    known = known_name(text, start, end)
    first = WORD.match(text, start, end)
    if known or first is None or first[0].isupper() or _ADJECTIVE.search(fold(first[0])):
        return known
    return name(text, start, end, first=UNKNOWN, others=POSSIBLE)


def _is_acronym(text: str, start: int, end: int) -> bool:
    """Whether the first word is a few capitals among other words: ANA, PIO, ELISA."""
    words = [word for word in WORD.findall(text, start, end) if not kind_of(word) & PARTICLE]
    return (
        words[0].isupper()
        and 1 < len(words[0]) <= LONGEST_ACRONYM
        and not any(
            word.isupper() and (fold(word) in _PLAIN_NAMES or LONGEST_ACRONYM < len(word))
            for word in words[1:]
        )
    )


@ADJUSTMENTS.named("es-full-name")
def full_name(text: str, start: int, end: int) -> Bounds | None:
    """A given name and a surname in a row, which need no context to be a name."""
    first = WORD.match(text, start, end)
    if first is None or not kind_of(first[0]) & GIVEN:
        return None
    if _SAINT_BEFORE.match(text[max(0, start - 9) : start]):
        return None
    kept_end, kinds = reach(text, start, end, first=GIVEN, others=POSSIBLE)
    names = [kind for kind in kinds if not kind & INITIAL]
    listed = sum(1 for kind in names if kind & LISTED)
    clear = sum(1 for kind in names if kind & CLEAR)
    begins_clear = clear and (2 <= listed or names[0] & CLEAR)
    if len(names) < 2 or not (begins_clear or 3 <= listed) or _is_acronym(text, start, kept_end):
        return None
    found = text[start:kept_end]
    if any(lexicon(LANGUAGE, kind).match(found) for kind in _OTHER_THINGS):
        return None
    return None if is_country(WORD.findall(found)[-1]) else (start, kept_end)


@ADJUSTMENTS.named("es-surname-first")
def surname_first(text: str, start: int, end: int) -> Bounds | None:
    """Surnames, a comma and a given name: GARCÍA LÓPEZ, ANA."""
    comma = text.find(",", start, end)
    if comma < 0:
        return None
    surnames_end, surnames = reach(text, start, comma, first=SURNAME, others=LISTED)
    kept_end, given_names = reach(text, comma + 1, end, first=GIVEN, others=LISTED)
    clear = any(kind & CLEAR for kind in surnames)
    if text[surnames_end:comma].strip() or not given_names or not clear:
        return None
    if is_country(text[comma + 1 : kept_end].strip()):
        return None
    return None if _is_acronym(text, start, surnames_end) else (start, kept_end)


def given(text: str, start: int, end: int, *, clear: bool) -> Bounds | None:
    """Given names; `clear`: the first of them is nothing else."""
    kept_end, kinds = reach(text, start, end, first=GIVEN, others=GIVEN)
    if (
        not kinds
        or kinds[0] & MEDICAL
        or (clear and not kinds[0] & CLEAR)
        or _is_acronym(text, start, kept_end)
    ):
        return None
    return start, kept_end


@ADJUSTMENTS.named("es-given-inside")
def given_inside(text: str, start: int, end: int) -> Bounds | None:
    """Given names that are nothing else, inside a sentence; after "de" stands an eponym mostly."""
    before = text[max(0, start - 6) : start]
    first = WORD.match(text, start, end)
    if first is None or not _INSIDE.match(before) or not _TITLE_CASE.fullmatch(first[0]):
        return None
    return given(text, start, end, clear=True)


ADJUSTMENTS["es-given"] = partial(given, clear=True)
ADJUSTMENTS["es-given-name"] = partial(given, clear=False)
