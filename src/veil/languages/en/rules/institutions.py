"""English institutions and occupations: hospitals, practices, wards, schools, companies."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import CACHE_SIZE, WORD, Bounds
from veil.languages.en.rules.words import LANGUAGE, SETS, is_clinical, kind_of, stands_before
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    import re

_PIECE = r"(?:(?:St|Mt|Ft|ST|MT)\.|[^\W\d_a-z](?:[\w'’&-]|\.(?=\w))*)"
_NAME_BEFORE_HEAD = compile_pattern(
    rf"(?<![\w'’.-])(?:{_PIECE}[ \n](?:(?:of|and|the|&|for|de|la|del)[ \n]){{0,2}}){{1,6}}\Z"
)
_TAIL = compile_pattern(r" (?:of|at|for) ")
_LONGEST_INSTITUTION = 70
_SHORTEST_BROKEN_LINE = 60
_SHORTEST_ORGANIZATION = 3
_GENERIC_MARKS = (Mark.HOSPITAL_HEAD | Mark.MEDICAL | Mark.PROFESSION).value
_PLACE_MARKS = (Mark.CITY | Mark.REGION).value
_CONNECTORS = SETS["connectors"]
_LEADING = SETS["leading"]
_GENERIC = SETS["generic"]
_NO_JOBS = SETS["no_jobs"]
_NAME_MARKS = (
    Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME | Mark.CITY | Mark.REGION | Mark.COUNTRY
).value


def institution(text: str, start: int, end: int) -> Bounds | None:
    """An institution whose name has a distinctive word: not "the Pain Clinic"."""
    words = list(WORD.finditer(text, start, end))
    begin = start
    while 1 < len(words) and (
        stands_before(words[0][0], words[1][0])
        or any(fold(word[0]) in SETS["breaks"] for word in words if word[0][0].isupper())
    ):
        words.pop(0)
        begin = words[0].start()
    while words and words[-1][0] in _CONNECTORS:
        end = words.pop().start()
    end = begin + len(text[begin:end].rstrip())
    return (begin, end) if any(_is_distinctive(word[0]) for word in words) else None


def institution_before(text: str, start: int, end: int) -> Bounds | None:
    """The same, starting from its head ("Hospital") and extending to the words before it."""
    before = _NAME_BEFORE_HEAD.search(text, _look_back(text, start), start)
    if before is None:
        return None
    bounds = institution(text, before.start(), start)
    if bounds is None:
        tail = _TAIL.search(text, start, end)
        if tail is None or institution(text, tail.end(), end) is None:
            return None
        bounds = before.span()
    return bounds[0], end


def _look_back(text: str, offset: int) -> int:
    """How far back a name may begin: on the same line, or on the previous one if it was wrapped."""
    begin = max(0, offset - _LONGEST_INSTITUTION)
    line = text.rfind("\n", begin, offset) + 1
    if line == 0:
        return begin
    broken = text.rfind("\n", max(0, line - _SHORTEST_BROKEN_LINE), line - 1) < 0
    return begin if broken and _SHORTEST_BROKEN_LINE <= line else line


def practice_before(text: str, start: int, end: int) -> Bounds | None:
    """The same from a head that is also a service: names before it count, other words do not."""
    bounds = institution_before(text, start, end)
    if bounds is None:
        return None
    forms = WORD.findall(text, bounds[0], start)
    return bounds if any(kind_of(form) & (bits.POSSIBLE | bits.PLACE) for form in forms) else None


def practice(text: str, start: int, end: int) -> Bounds | None:
    """An institution that begins with the name of a town."""
    bounds = institution(text, start, end)
    first = WORD.match(text, bounds[0]) if bounds else None
    return bounds if bounds and first and word_marks(LANGUAGE)(first[0]) & _PLACE_MARKS else None


@lru_cache(CACHE_SIZE)
def _is_distinctive(form: str) -> bool:
    folded = fold(form)
    if folded in _GENERIC or folded in _CONNECTORS or folded in _LEADING or len(folded) < 2:
        return False
    marks = word_marks(LANGUAGE)(form)
    if marks & _NAME_MARKS:
        return True
    return not marks & _GENERIC_MARKS and not is_clinical(form)


def organization(text: str, start: int, end: int) -> Bounds | None:
    """An institution that is neither a heading nor a short form: not AA, not PT."""
    forms = WORD.findall(text, start, end)
    if len(forms) == 1 and (
        kind_of(forms[0]) & bits.STOP or len(forms[0]) < _SHORTEST_ORGANIZATION
    ):
        return None
    return institution(text, start, end)


def place_of_care(text: str, start: int, end: int) -> Bounds | None:
    """A possible institution without a head: each word may be a name."""
    words = list(takewhile(_may_name_care, WORD.finditer(text, start, end)))
    return organization(text, start, words[-1].end()) if words else None


def _may_name_care(word: re.Match[str]) -> bool:
    kind, folded = kind_of(word[0]), fold(word[0])
    possible = kind & (bits.POSSIBLE | bits.PLACE | bits.COMMON) and not kind & bits.MEDICAL
    return bool(possible) and folded not in _GENERIC and folded not in _LEADING


def ward(text: str, start: int, end: int) -> Bounds | None:
    """A ward with a number, or with a distinctive word in its name."""
    if any(map(str.isdigit, text[start:end])):
        return start, end
    marks = [word_marks(LANGUAGE)(form) for form in WORD.findall(text, start, end)]
    if any(mark & Mark.HOSPITAL_HEAD.value for mark in marks):
        return None
    return institution(text, start, end)


# Occupations. Endings of occupations that no list contains: coalman, lobsterman, wheelwright.
_JOB_END = compile_pattern(
    r"[a-z]{3,12}(?:man|woman|keeper|worker|smith|wright|monger|maker|fitter)"
)


def job(text: str, start: int, end: int) -> Bounds | None:
    """An occupation where one is expected; it ends before a word about something else."""
    words = WORD.finditer(text, start, end)
    kept = list(takewhile(lambda word: fold(word[0]) not in _NO_JOBS, words))
    return (start, kept[-1].end()) if kept else None


def known_job(text: str, start: int, end: int) -> Bounds | None:
    """The longest run of words that ends in an occupation of the list."""
    jobs = lexicon(LANGUAGE, "profession")
    words = list(WORD.finditer(text, start, end))
    if not words or fold(words[0][0]) in _NO_JOBS:
        return None
    for last in reversed(words):
        for first in words:
            if first.end() <= last.end() and jobs.match_folded(text[first.start() : last.end()]):
                return start, last.end()
    first = words[0]
    return first.span() if _JOB_END.fullmatch(first[0]) else None
