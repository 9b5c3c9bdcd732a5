"""Fits for English names to which nothing leads: the words alone must say that they are one."""

from __future__ import annotations

import re

from veil.detect.rules.fits_en_people import (
    LOOK_BACK,
    is_full_name,
    is_inside_sentence,
    is_other,
    place_of,
    reach,
)
from veil.detect.rules.forms_en import (
    CLEAR,
    CLINICAL,
    GIVEN,
    LISTED,
    MONTH,
    PLACE,
    POSSIBLE,
    UNKNOWN,
    WORD,
    Place,
    kind,
    names_among,
)

_NAME_AND_COMMA = re.compile(r"(?<![\w'’-])([A-Z][a-z]+), \Z")
# Abbreviations: ROM, IgA, TIAs; not McBride, DeMarco, O'Neill.
_MIXED_CASE = re.compile(
    r"(?!(?:Mc|Mac|De|Di|La|Le|Van|Fitz|St)[A-Z])\w*[A-Z]\w*[A-Z]|[A-Z][a-z]+[A-Z]\Z"
)
_INDENT = 40


def lone_name(text: str, start: int, end: int) -> Place | None:
    """A name that is nothing else, inside a sentence."""
    first = WORD.match(text, start, end)
    if first is None or not kind(first[0]) & CLEAR or _MIXED_CASE.match(first[0]):
        return None
    words = reach(text, start, end, first=CLEAR, others=CLEAR)
    if not words or (len(words) == 1 and words[0].kind & PLACE):
        return None
    if 1 < len(words) and is_other(text, *place_of(words)):
        return None
    return (
        place_of(words) if is_inside_sentence(text, start) or _follows_name(text, start) else None
    )


def _follows_name(text: str, start: int) -> bool:
    """Whether a name and a comma stand before: "Kevin, Brittany and Terri"."""
    before = _NAME_AND_COMMA.search(text, max(0, start - LOOK_BACK), start)
    return before is not None and bool(kind(before[1]) & CLEAR)


def known_given(text: str, start: int, end: int) -> Place | None:
    """A given name that is nothing else, alone or with a surname, where a sentence may begin."""
    words = reach(text, start, end, first=CLEAR, others=CLEAR)
    if not words or not words[0].kind & GIVEN or words[-1].end != end or words[0].kind & PLACE:
        return None
    return None if words[0].form.isupper() else place_of(words)


def full_name(text: str, start: int, end: int) -> Place | None:
    """A given name and a surname in a row, which need no context to be a name."""
    first = WORD.match(text, start, end)
    if first is None or not kind(first[0]) & GIVEN:
        return None
    words = reach(text, start, end, first=GIVEN, others=POSSIBLE)
    names = names_among(words)
    return place_of(words) if is_full_name(names) and not is_other(text, *place_of(words)) else None


def surname_first(text: str, start: int, end: int) -> Place | None:
    """Surname, comma and given name: SMITH, JOHN Q."""
    comma = text.find(",", start, end)
    if comma < 0:
        return None
    surnames = reach(text, start, comma, first=POSSIBLE, others=POSSIBLE)
    given = reach(text, comma + 1, end, first=GIVEN, others=LISTED)
    if not surnames or surnames[-1].end != comma or not given or not given[0].kind & GIVEN:
        return None
    both = [*surnames, *given]
    clear = sum(1 for word in both if word.kind & CLEAR)
    doubtful = sum(1 for word in both if word.kind & (PLACE | CLINICAL | MONTH))
    if not clear or clear <= doubtful:
        return None
    if surnames[0].kind & UNKNOWN and not (given[0].kind & CLEAR and opens_line(text, start)):
        return None
    if given[0].kind & PLACE and is_other(text, start, comma):
        return None
    if is_other(text, given[0].start, given[-1].end):
        return None
    return place_of(both)


def opens_line(text: str, start: int) -> bool:
    return text[max(0, start - _INDENT) : start].rpartition("\n")[2].strip() == ""


def header_name(text: str, start: int, end: int) -> Place | None:
    """Surname, comma and given name at the head of a line, whether or not the lists hold them."""
    if not opens_line(text, start):
        return surname_first(text, start, end)
    words = reach(text, start, end, first=POSSIBLE, others=POSSIBLE)
    clear_of_doubt = all(not word.kind & (CLINICAL | MONTH | PLACE) for word in words)
    whole = words and words[-1].end == end and 1 < len(names_among(words))
    return place_of(words) if whole and clear_of_doubt else surname_first(text, start, end)


def unknown_name(text: str, start: int, end: int) -> Place | None:
    """Two or more words inside a sentence that could be a name, and can be nothing else."""
    first = WORD.match(text, start, end)
    if first is None or not kind(first[0]) & POSSIBLE:
        return None
    words = reach(text, start, end, first=POSSIBLE, others=POSSIBLE)
    names = names_among(words)
    if len(names) < 2 or any(word.kind & (CLINICAL | MONTH) for word in names):
        return None
    if is_other(text, *place_of(words)) or all(word.kind & PLACE for word in names):
        return None
    unknown = any(word.kind & (UNKNOWN | CLEAR) for word in names)
    return place_of(words) if unknown and is_inside_sentence(text, start) else None


NAME_FITS = {
    "en-lone-name": lone_name,
    "en-known-given": known_given,
    "en-full-name": full_name,
    "en-surname-first": surname_first,
    "en-header-name": header_name,
    "en-unknown-name": unknown_name,
}
