"""Fits for English institutions: hospitals, practices, wards, schools, companies."""

from __future__ import annotations

import re
from functools import lru_cache

from veil.detect.rules.forms_en import (
    CLINICAL,
    COMMON,
    LANGUAGE,
    PLACE,
    POSSIBLE,
    REMEMBERED,
    STOP,
    WORD,
    Place,
    is_clinical,
    kind,
)
from veil.detect.rules.words_en import CONNECTORS, GENERIC, LEADING
from veil.lexicons import Mark, word_marks
from veil.lexicons.folding import fold

_PIECE = r"(?:(?:St|Mt|Ft|ST|MT)\.|[^\W\d_a-z](?:[\w'’&-]|\.(?=\w))*)"
_NAME_BEFORE_HEAD = re.compile(
    rf"(?<![\w'’.-])(?:{_PIECE}[ \n](?:(?:of|and|the|&|for|de|la|del)[ \n]){{0,2}}){{1,6}}\Z"
)
_TAIL = re.compile(r" (?:of|at|for) ")
_LONGEST_INSTITUTION = 70
_SHORTEST_BROKEN_LINE = 60
_SHORTEST_ORGANIZATION = 3
_GENERIC_MARKS = (Mark.HOSPITAL_HEAD | Mark.MEDICAL | Mark.PROFESSION).value
_PLACE_MARKS = (Mark.CITY | Mark.REGION).value
# Words that lead to an institution, where headings or whole notes have them in capitals.
_BREAKS = frozenset(
    "a an at be been by either from had has have he her his i in into is not on or per she"
    " that their they to via was we were who will with".split()
)
_NAME_MARKS = (
    Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME | Mark.CITY | Mark.REGION | Mark.COUNTRY
).value


def institution(text: str, start: int, end: int) -> Place | None:
    """An institution with something in its name that others lack: not "the Pain Clinic"."""
    words = list(WORD.finditer(text, start, end))
    begin = start
    while 1 < len(words) and (
        stands_before(words[0][0], words[1][0])
        or any(fold(word[0]) in _BREAKS for word in words if word[0][0].isupper())
    ):
        words.pop(0)
        begin = words[0].start()
    while words and words[-1][0] in CONNECTORS:
        end = words.pop().start()
    end = begin + len(text[begin:end].rstrip())
    return (begin, end) if any(_is_distinctive(word[0]) for word in words) else None


def institution_before(text: str, start: int, end: int) -> Place | None:
    """The same from its head, "Hospital", to which the words before it are added."""
    before = _NAME_BEFORE_HEAD.search(text, _look_back(text, start), start)
    if before is None:
        return None
    place = institution(text, before.start(), start)
    if place is None:
        tail = _TAIL.search(text, start, end)
        if tail is None or institution(text, tail.end(), end) is None:
            return None
        place = before.span()
    return place[0], end


def _look_back(text: str, place: int) -> int:
    """How far back a name may begin: on the same line, or on one that was broken by its width."""
    begin = max(0, place - _LONGEST_INSTITUTION)
    line = text.rfind("\n", begin, place) + 1
    if line == 0:
        return begin
    broken = text.rfind("\n", max(0, line - _SHORTEST_BROKEN_LINE), line - 1) < 0
    return begin if broken and _SHORTEST_BROKEN_LINE <= line else line


def practice_before(text: str, start: int, end: int) -> Place | None:
    """The same from a head that is a service as well: names count before it, other words do not."""
    place = institution_before(text, start, end)
    if place is None:
        return None
    forms = WORD.findall(text, place[0], start)
    return place if any(kind(form) & (POSSIBLE | PLACE) for form in forms) else None


def practice(text: str, start: int, end: int) -> Place | None:
    """An institution that begins with the name of a town."""
    place = institution(text, start, end)
    first = WORD.match(text, place[0]) if place else None
    return place if place and first and word_marks(LANGUAGE)(first[0]) & _PLACE_MARKS else None


def stands_before(form: str, following: str) -> bool:
    """Whether a word stands before the name of an institution and is not part of it."""
    folded = fold(form)
    if folded in LEADING or folded in CONNECTORS:
        return True
    common = word_marks(LANGUAGE)(form) & Mark.COMMON.value
    return folded.endswith("ed") and bool(common) and following[:1].isupper()


@lru_cache(REMEMBERED)
def _is_distinctive(form: str) -> bool:
    folded = fold(form)
    if folded in GENERIC or folded in CONNECTORS or folded in LEADING or len(folded) < 2:
        return False
    marks = word_marks(LANGUAGE)(form)
    if marks & _NAME_MARKS:
        return True
    return not marks & _GENERIC_MARKS and not is_clinical(form)


def organization(text: str, start: int, end: int) -> Place | None:
    """An institution that is neither a heading nor a short form: not AA, not PT."""
    forms = WORD.findall(text, start, end)
    if len(forms) == 1 and (kind(forms[0]) & STOP or len(forms[0]) < _SHORTEST_ORGANIZATION):
        return None
    return institution(text, start, end)


def place_of_care(text: str, start: int, end: int) -> Place | None:
    """What may be an institution although no head says so: each word may be a name."""
    last = start
    for word in WORD.finditer(text, start, end):
        if not kind(word[0]) & (POSSIBLE | PLACE | COMMON) or kind(word[0]) & CLINICAL:
            break
        if fold(word[0]) in GENERIC or fold(word[0]) in LEADING:
            break
        last = word.end()
    return organization(text, start, last) if start < last else None


def ward(text: str, start: int, end: int) -> Place | None:
    """A ward with a number, or with something in its name that others lack."""
    if any(map(str.isdigit, text[start:end])):
        return start, end
    marks = [word_marks(LANGUAGE)(form) for form in WORD.findall(text, start, end)]
    if any(mark & Mark.HOSPITAL_HEAD.value for mark in marks):
        return None
    return institution(text, start, end)


INSTITUTION_FITS = {
    "en-institution": institution,
    "en-institution-before": institution_before,
    "en-practice": practice,
    "en-practice-before": practice_before,
    "en-organization": organization,
    "en-place-of-care": place_of_care,
    "en-ward": ward,
}
