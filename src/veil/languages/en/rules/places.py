"""English places: towns, states, countries."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import takewhile

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import CACHE_SIZE, WORD, Bounds, longest_run
from veil.languages.en.rules.words import (
    LANGUAGE,
    SETS,
    is_clinical,
    is_ordinary,
    kind_of,
    stands_before,
)
from veil.lexicons import lexicon
from veil.lexicons.folding import fold

_TOWN = r"((?:(?:St|Ft|Mt|ST|FT|MT)\.?[ ])?[A-Z][\w'’-]+(?:[ ](?:[A-Z][\w'’-]+|of|on|de|la)){0,3})"
_TOWN_BEFORE = compile_pattern(_TOWN + r",?\s{1,2}\Z")
_KEY_BEFORE = compile_pattern(r"[:=][ \t]{0,3}\Z")
_POSTCODE = compile_pattern(r"[A-Z]{1,2}\d")
_POSTCODE_FOLLOWS = compile_pattern(r",?\s{1,2}(?:\d{4,5}|[A-Z]{1,2}\d)")
_LONGEST_TOWN = 40
_SHORTEST_TOWN_IN_CAPITALS = 5


def city(text: str, start: int, end: int) -> Bounds | None:
    """A town in its field: a known one, or words that could be one."""
    return _known_city(text, start, end) or _possible_city(text, start, end, certain=False)


def _known_city(text: str, start: int, end: int) -> Bounds | None:
    """The longest ending of these words that is a town of the list."""
    for word in WORD.finditer(text, start, end):
        if lexicon(LANGUAGE, "city").match(text[word.start() : end]):
            return word.start(), end
    return None


def _possible_city(text: str, start: int, end: int, *, certain: bool) -> Bounds | None:
    """Words that could be a town; if one is certain, any words except headings and streets."""
    words = list(WORD.finditer(text, start, end))
    while 1 < len(words) and stands_before(words[0][0], words[1][0]):
        words.pop(0)
    streets = [index for index, word in enumerate(words) if fold(word[0]) in SETS["street_ends"]]
    words = words[streets[-1] + 1 :] if streets else words
    if not words:
        return None
    fits = all(
        not kind_of(word[0]) & bits.STOP if certain else _may_be_town(word[0]) for word in words
    )
    return (words[0].start(), end) if fits else None


def city_before(text: str, start: int, end: int) -> Bounds | None:
    """The town before the match, which is a state, a country or a postcode."""
    before = _TOWN_BEFORE.search(text, max(0, start - _LONGEST_TOWN), start)
    if before is None:
        return None
    certain = _POSTCODE.match(text, start) or _POSTCODE_FOLLOWS.match(text, end)
    possible = _possible_city(text, *before.span(1), certain=True) if certain else None
    return possible or _known_city(text, *before.span(1))


def city_before_country(text: str, start: int, end: int) -> Bounds | None:
    """The town before a comma and the matched country."""
    if text[max(0, start - 2) : start] != ", " or country_after_word(text, start, end) is None:
        return None
    before = _TOWN_BEFORE.search(text, max(0, start - _LONGEST_TOWN), start)
    return _known_city(text, *before.span(1)) if before else None


def lone_city(text: str, start: int, end: int) -> Bounds | None:
    """A town inside a sentence that is neither a personal name nor a word."""
    bounds = longest_run(text, start, end, lexicon(LANGUAGE, "city").match)
    if bounds is None:
        return None
    found = text[slice(*bounds)]
    others = kind_of(found) & (bits.LISTED | bits.STOP | bits.MEDICAL)
    return None if others or is_ordinary(found) else bounds


def city_of_residence(text: str, start: int, end: int) -> Bounds | None:
    """Where a person lives: a town of the list, or words that can only be a town."""
    bounds = longest_run(text, start, end, lexicon(LANGUAGE, "city").match)
    if bounds or not text[start].isupper():
        return bounds
    words = list(takewhile(lambda word: _may_be_town(word[0]), WORD.finditer(text, start, end)))
    return (start, words[-1].end()) if words else None


def small_city(text: str, start: int, end: int) -> Bounds | None:
    """A town in lower case that is not a word."""
    return longest_run(text, start, end, _is_small_city)


def _is_small_city(found: str) -> bool:
    listed = lexicon(LANGUAGE, "city").match_folded(found)
    return listed and not is_ordinary(found) and not is_clinical(found)


@lru_cache(CACHE_SIZE)
def _may_be_town(form: str) -> bool:
    if form[0].islower():
        return fold(form) in SETS["connectors"]
    short = form.isupper() and len(form) < _SHORTEST_TOWN_IN_CAPITALS
    return (
        bool(kind_of(form) & (bits.POSSIBLE | bits.PLACE))
        and not kind_of(form) & (bits.MEDICAL | bits.MONTH)
        and not short
    )


def state(text: str, start: int, end: int) -> Bounds | None:
    """A state by its name or code, after a town or a key."""
    if text[start:end].istitle() and not lexicon(LANGUAGE, "region").match(text[start:end]):
        return None
    if city_before(text, start, end) or _KEY_BEFORE.search(text[max(0, start - 4) : start]):
        return start, end
    return None


def country(text: str, start: int, end: int) -> Bounds | None:
    """An unambiguous country: not Jordan, not Chad."""
    bounds = country_after_word(text, start, end)
    if bounds is None or fold(text[slice(*bounds)]) in SETS["names_of_countries"]:
        return None
    return bounds


def country_after_word(text: str, start: int, end: int) -> Bounds | None:
    """The longest country that begins here."""
    first = WORD.match(text, start, end)
    if first is None:
        return None
    longest = _longest_countries().get(fold(first[0]))
    if longest is None:
        return None
    countries = lexicon(LANGUAGE, "country")
    line_end = text.find("\n", start, start + longest)

    def is_country(found: str) -> bool:
        whole = not text[start + len(found) : start + len(found) + 1].isalnum()
        return whole and found != "US" and countries.match(found)

    return longest_run(text, start, line_end if 0 <= line_end else start + longest, is_country)


@cache
def _longest_countries() -> dict[str, int]:
    """The lengths of countries, by their first words."""
    longest: dict[str, int] = {}
    for entry in lexicon(LANGUAGE, "country"):
        first = WORD.match(entry)
        if first:
            word = fold(first[0])
            longest[word] = max(longest.get(word, 0), len(entry) + 1)
    return longest
