"""Fits for English institutions and places."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from veil.detect.rules.forms_en import (
    CLINICAL,
    COMMON,
    LANGUAGE,
    LISTED,
    MONTH,
    PLACE,
    POSSIBLE,
    REMEMBERED,
    STOP,
    WORD,
    Place,
    is_clinical,
    is_ordinary,
    kind,
)
from veil.detect.rules.words_en import (
    CONNECTORS,
    GENERIC,
    LEADING,
    NAMES_OF_COUNTRIES,
    STREET_ENDS,
)
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

_PIECE = r"(?:(?:St|Mt|Ft|ST|MT)\.|[^\W\d_a-z](?:[\w'’&-]|\.(?=\w))*)"
_NAME_BEFORE_HEAD = re.compile(
    rf"(?<![\w'’.-])(?:{_PIECE}[ \n](?:(?:of|and|the|&|for|de|la|del)[ \n]){{0,2}}){{1,6}}\Z"
)
_TAIL = re.compile(r" (?:of|at|for) ")
# Words that lead to an institution, where headings or whole notes have them in capitals.
_BREAKS = frozenset(
    "a an at be been by either from had has have he her his i in into is not on or per she"
    " that their they to via was we were who will with".split()
)
_LONGEST_INSTITUTION = 70
_SHORTEST_BROKEN_LINE = 60
_TOWN = r"((?:(?:St|Ft|Mt|ST|FT|MT)\.?[ ])?[A-Z][\w'’-]+(?:[ ](?:[A-Z][\w'’-]+|of|on|de|la)){0,3})"
_TOWN_BEFORE = re.compile(_TOWN + r",?\s{1,2}\Z")
_KEY_BEFORE = re.compile(r"[:=][ \t]{0,3}\Z")
_POSTCODE = re.compile(r"[A-Z]{1,2}\d")
_POSTCODE_FOLLOWS = re.compile(r",?\s{1,2}(?:\d{4,5}|[A-Z]{1,2}\d)")
_LONGEST_TOWN = 40
_SHORTEST_TOWN_IN_CAPITALS = 5
_SHORTEST_ORGANIZATION = 3
_GENERIC_MARKS = (Mark.HOSPITAL_HEAD | Mark.MEDICAL | Mark.PROFESSION).value
_PLACE_MARKS = (Mark.CITY | Mark.REGION).value
_NAME_MARKS = (
    Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.SURNAME | Mark.CITY | Mark.REGION | Mark.COUNTRY
).value


def institution(text: str, start: int, end: int) -> Place | None:
    """An institution with something in its name that others lack: not "the Pain Clinic"."""
    words = list(WORD.finditer(text, start, end))
    begin = start
    while 1 < len(words) and (
        _stands_before(words[0][0], words[1][0])
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
    begin = max(0, start - _LONGEST_INSTITUTION, _line_of(text, start))
    before = _NAME_BEFORE_HEAD.search(text, begin, start)
    if before is None:
        return None
    place = institution(text, before.start(), start)
    if place is None:
        tail = _TAIL.search(text, start, end)
        if tail is None or institution(text, tail.end(), end) is None:
            return None
        place = before.span()
    return place[0], end


def _line_of(text: str, place: int) -> int:
    """Where the line of a place begins; one broken by width goes on from the line before."""
    begin = text.rfind("\n", 0, place) + 1
    if 0 < begin:
        line_before = text.rfind("\n", 0, begin - 1) + 1
        if _SHORTEST_BROKEN_LINE <= begin - line_before:
            return line_before
    return begin


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


def _stands_before(form: str, following: str) -> bool:
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


def city(text: str, start: int, end: int) -> Place | None:
    """A town in its field: a known one, or words that could be one."""
    return known_city(text, start, end) or _possible_city(text, start, end, certain=False)


def known_city(text: str, start: int, end: int) -> Place | None:
    """The longest end of these words that is a town of the list."""
    for word in WORD.finditer(text, start, end):
        if lexicon(LANGUAGE, "city").match(text[word.start() : end]):
            return word.start(), end
    return None


def _possible_city(text: str, start: int, end: int, *, certain: bool) -> Place | None:
    """Words that could be a town; where one must stand, all but headings and streets."""
    words = list(WORD.finditer(text, start, end))
    while 1 < len(words) and _stands_before(words[0][0], words[1][0]):
        words.pop(0)
    streets = [place for place, word in enumerate(words) if fold(word[0]) in STREET_ENDS]
    words = words[streets[-1] + 1 :] if streets else words
    if not words:
        return None
    fits = all(not kind(word[0]) & STOP if certain else _may_be_town(word[0]) for word in words)
    return (words[0].start(), end) if fits else None


def city_before(text: str, start: int, end: int) -> Place | None:
    """The town before what stands here: a state, a country or a postcode."""
    before = _TOWN_BEFORE.search(text, max(0, start - _LONGEST_TOWN), start)
    if before is None:
        return None
    certain = _POSTCODE.match(text, start) or _POSTCODE_FOLLOWS.match(text, end)
    possible = _possible_city(text, *before.span(1), certain=True) if certain else None
    return possible or known_city(text, *before.span(1))


def city_before_country(text: str, start: int, end: int) -> Place | None:
    """The town before a comma and the country that stands here."""
    if text[max(0, start - 2) : start] != ", " or country_after_word(text, start, end) is None:
        return None
    before = _TOWN_BEFORE.search(text, max(0, start - _LONGEST_TOWN), start)
    return known_city(text, *before.span(1)) if before else None


def lone_city(text: str, start: int, end: int) -> Place | None:
    """A town inside a sentence that is no name and no word."""
    cities = lexicon(LANGUAGE, "city")
    for word in reversed(list(WORD.finditer(text, start, end))):
        found = text[start : word.end()]
        if cities.match(found):
            others = kind(found) & (LISTED | STOP | CLINICAL)
            return None if others or is_ordinary(found) else (start, word.end())
    return None


def city_of_residence(text: str, start: int, end: int) -> Place | None:
    """Where somebody lives: a town of the list, or words that can be nothing else."""
    words = list(WORD.finditer(text, start, end))
    for word in reversed(words):
        if lexicon(LANGUAGE, "city").match(text[start : word.end()]):
            return start, word.end()
    last = start
    for word in words:
        if not _may_be_town(word[0]):
            break
        last = word.end()
    return (start, last) if start < last and text[start].isupper() else None


def small_city(text: str, start: int, end: int) -> Place | None:
    """A town in lower case that is no word."""
    cities = lexicon(LANGUAGE, "city")
    for word in reversed(list(WORD.finditer(text, start, end))):
        found = text[start : word.end()]
        if cities.match_folded(found) and not is_ordinary(found) and not is_clinical(found):
            return start, word.end()
    return None


@lru_cache(REMEMBERED)
def _may_be_town(form: str) -> bool:
    if form[0].islower():
        return fold(form) in CONNECTORS
    short = form.isupper() and len(form) < _SHORTEST_TOWN_IN_CAPITALS
    return (
        bool(kind(form) & (POSSIBLE | PLACE)) and not kind(form) & (CLINICAL | MONTH) and not short
    )


def state(text: str, start: int, end: int) -> Place | None:
    """A state by its name or code, after a town or a key."""
    if text[start:end].istitle() and not lexicon(LANGUAGE, "region").match(text[start:end]):
        return None
    if city_before(text, start, end) or _KEY_BEFORE.search(text[:start][-4:]):
        return start, end
    return None


def country(text: str, start: int, end: int) -> Place | None:
    """A country that is nothing else: not Jordan, not Chad."""
    place = country_after_word(text, start, end)
    if place is None or fold(text[slice(*place)]) in NAMES_OF_COUNTRIES:
        return None
    return place


def country_after_word(text: str, start: int, end: int) -> Place | None:
    """The longest country that begins here."""
    first = WORD.match(text, start, end)
    if first is None:
        return None
    longest = _longest_countries().get(fold(first[0]))
    if longest is None:
        return None
    countries = lexicon(LANGUAGE, "country")
    line_end = text.find("\n", start, start + longest)
    words = WORD.finditer(text, start, line_end if 0 <= line_end else start + longest)
    for word in reversed(list(words)):
        found = text[start : word.end()]
        whole = not text[word.end() : word.end() + 1].isalnum()
        if whole and found != "US" and countries.match(found):
            return start, word.end()
    return None


@cache
def _longest_countries() -> dict[str, int]:
    """How long countries are, by their first words."""
    longest: dict[str, int] = {}
    for entry in lexicon(LANGUAGE, "country"):
        first = WORD.match(entry)
        if first:
            word = fold(first[0])
            longest[word] = max(longest.get(word, 0), len(entry) + 1)
    return longest


PLACE_FITS = {
    "en-institution": institution,
    "en-institution-before": institution_before,
    "en-practice": practice,
    "en-practice-before": practice_before,
    "en-organization": organization,
    "en-place-of-care": place_of_care,
    "en-ward": ward,
    "en-city": city,
    "en-city-before": city_before,
    "en-city-before-country": city_before_country,
    "en-lone-city": lone_city,
    "en-city-of-residence": city_of_residence,
    "en-small-city": small_city,
    "en-state": state,
    "en-country": country,
    "en-country-after-word": country_after_word,
}
