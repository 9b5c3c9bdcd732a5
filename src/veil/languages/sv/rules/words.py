"""What a Swedish word may be where a name or a place is possible, computed once for each form.

In Swedish only names have a capital inside a sentence, but in notes every third word begins a
sentence, and many names are also words (Hans, Inga, Bo, Axel, Berg).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.detect.rules import bits
from veil.detect.rules.adjustments import (
    CACHE_SIZE,
    KEY_FOLLOWS,
    NEVER_NAME,
    PLACE_MARKS,
    WORD,
    TextWord,
    word_lists,
)
from veil.languages.sv.words import looks_like_surname
from veil.lexicons import Mark, is_ordinary, lexicon, word_marks
from veil.lexicons.folding import base_form, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


LANGUAGE = "sv"
SETS, LISTS = word_lists(LANGUAGE)

_INITIALS = re.compile(r"[A-ZÅÄÖÉ](?:-[A-ZÅÄÖÉ])?")
_WORDS_TOO = SETS["words_too"]
ABBREVIATIONS = SETS["abbreviations"]
_TITLES = (Mark.TITLE | Mark.DOCTOR_TITLE).value
_ORDINARY = (Mark.COMMON | Mark.MEDICAL | Mark.STREET_HEAD | Mark.PROFESSION).value
_MEDICAL = Mark.MEDICAL.value
NAME_GAPS = frozenset({" ", "  ", ". ", "."})
"""The characters between the words of a name."""
_LONGEST_RUN = 60
# Other words before a colon are the key of a field.
_STANDS_BEFORE_COLON = bits.CLEAR | bits.PLACE


@cache
def folded_entries(*kinds: str) -> frozenset[str]:
    """The entries of lexicons, folded."""
    return frozenset(form for kind in kinds for form in lexicon(LANGUAGE, kind).keys.folded)


def holds(entries: frozenset[str], folded: str) -> bool:
    """Whether entries contain a word or the base form of its genitive, with å, ä and ö as written.

    Elsewhere text with å matches an entry without it; here that would make Mats of "Mäts".
    """
    return folded in entries or base_form(folded, LANGUAGE) in entries


def _is_given(folded: str, form: str) -> bool:
    entries = folded_entries("given_female", "given_male")
    if holds(entries, folded):
        return True
    parts = form.split("-") if "-" in form else ()
    capitals = bool(parts) and all(part[:1].isupper() for part in parts)
    return capitals and any(holds(entries, fold(part)) for part in parts)


def _is_surname(folded: str, form: str) -> bool:
    if holds(folded_entries("surname"), folded):
        return True
    return "-" in form and any(map(looks_like_surname, form.split("-")))


@lru_cache(CACHE_SIZE)
def kind_of(form: str) -> int:
    """The bits of a form that may have a capital of its own."""
    folded = fold(form)
    if _INITIALS.fullmatch(form):
        return bits.INITIAL
    if folded in SETS["particles"]:
        return bits.PARTICLE
    if folded in SETS["stops"] or form in ABBREVIATIONS:
        return bits.STOP
    marks = word_marks(LANGUAGE)(form)
    built = looks_like_surname(form)
    kind = (bits.PLACE if marks & PLACE_MARKS else 0) | (bits.MEDICAL if marks & _MEDICAL else 0)
    if form.isupper() and len(form) < 4:
        kind |= bits.CAPITALS
    surname = bits.SURNAME if built or _is_surname(folded, form) else 0
    if marks & _TITLES and not surname:
        return bits.STOP
    names = surname | (bits.GIVEN if _is_given(folded, form) else 0)
    if names:
        return kind | names | (bits.CLEAR if _is_clear(folded, marks, names, built=built) else 0)
    if marks & NEVER_NAME:
        return kind | bits.STOP
    common = marks & (_ORDINARY | PLACE_MARKS) or is_ordinary(LANGUAGE)(form)
    return kind | (bits.COMMON if common else bits.UNKNOWN)


def _is_clear(folded: str, marks: int, names: int, *, built: bool) -> bool:
    """Whether a word in lists of names has no other meaning."""
    base = base_form(folded, LANGUAGE)
    if marks & (_MEDICAL | PLACE_MARKS | NEVER_NAME) or folded in _WORDS_TOO or base in _WORDS_TOO:
        return False
    if is_ordinary(LANGUAGE)(folded) and not built:
        return False
    if names & bits.GIVEN:
        # Three letters are too few, except in very common names.
        return 3 < len(folded) or folded in SETS["short_given"]
    return built or (3 < len(folded) and not marks & _ORDINARY)


def words_of(text: str, start: int, end: int) -> Iterator[TextWord]:
    """The words of a possible name, up to the key of a field; a small word ends it."""
    for match in WORD.finditer(text, start, end):
        form = match[0]
        first, last = match.span()
        kind = kind_of(form)
        if not kind & _STANDS_BEFORE_COLON and KEY_FOLLOWS.match(text, last):
            return
        if not kind & bits.PARTICLE and not form[0].isupper():
            kind = bits.STOP
        yield TextWord(first, last, form, kind)


def reach(
    text: str, start: int, end: int, *, first: int = bits.POSSIBLE, others: int = bits.POSSIBLE
) -> list[TextWord]:
    """The words from the start that are of these kinds, without particles."""
    return reach_of(words_of(text, start, end), text, start, first=first, others=others)


def reach_of(
    words: Iterable[TextWord], text: str, start: int, *, first: int, others: int = bits.POSSIBLE
) -> list[TextWord]:
    """The same for words that begin there.

    One comma is allowed, between a surname and the given names after it.
    """
    kept: list[TextWord] = []
    last = start
    noble = named = 0
    for word in words:
        kind = word.kind
        if kind & bits.PARTICLE:
            noble = bits.COMMON
        else:
            wanted = others | noble | _surname_after(kept) if named else first
            if not kind & (wanted | bits.INITIAL):
                break
            noble = 0
            if "," in text[last : word.start] and not _reverses(kept, word):
                break
            kept.append(word)
            named |= kind & (bits.POSSIBLE | bits.COMMON)
            last = word.end
    return kept


def _surname_after(names: list[TextWord]) -> int:
    """Further bits that a word may have after an unambiguous given name: Åke Öst, Lena Glad."""
    alone = len(names) == 1 and names[0].kind & bits.GIVEN and names[0].kind & bits.CLEAR
    return bits.COMMON if alone and not names[0].form.isupper() else 0


def _reverses(surname: list[TextWord], word: TextWord) -> bool:
    """Whether a word after a comma is the given name of the surname before it: Holm, Lena."""
    possible = all(known.kind & bits.SURNAME or not known.kind & bits.GIVEN for known in surname)
    return possible and bool(word.kind & (bits.GIVEN | bits.INITIAL | bits.UNKNOWN))


def capitals_before(text: str, end: int, *, gaps: frozenset[str] = NAME_GAPS) -> list[TextWord]:
    """The words with a capital, and particles among them, that end here, on one line."""
    start = max(0, end - _LONGEST_RUN)
    start = max(start, text.rfind("\n", start, end) + 1)
    words: list[TextWord] = []
    border = end
    for match in reversed(list(WORD.finditer(text, start, end))):
        form = match[0]
        if match.end() != end if border == end else text[match.end() : border] not in gaps:
            break
        kind = kind_of(form)
        if not form[0].isupper() and not (kind & bits.PARTICLE and words):
            break
        words.append(TextWord(match.start(), match.end(), form, kind))
        border = match.start()
    while words and words[-1].kind & bits.PARTICLE:
        words.pop()
    return words[::-1]


def may_open_name(word: str) -> bool:
    """Whether a word in lists of names, or an initial, begins with a capital."""
    return word[0].isupper() and bool(kind_of(word) & (bits.LISTED | bits.INITIAL))
