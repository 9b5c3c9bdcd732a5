"""Spanish places: which words are a town, a region or a country, and which are people or words."""

from __future__ import annotations

import re
from functools import partial

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import Bounds, longest_run
from veil.languages.es.rules.words import (
    IN_CONTEXT,
    LANGUAGE,
    LONGEST_ACRONYM,
    NO_COUNTRIES,
    NO_PLACES,
    WORD,
    is_country,
    kind_of,
    reach,
)
from veil.lexicons import is_ordinary, lexicon
from veil.lexicons.folding import fold

_POSTCODE = compile_pattern(r"((?:[A-Z]{1,2}-)?\d{4,5})\W{1,5}")
_SENTENCE_GOES_ON = compile_pattern(r"[ \t]+[a-zñáéíóú][^\s@]*(?:\s|\Z)")
_HOUSE_FOLLOWS = compile_pattern(r",?[ ](?:\d{1,4}\b|[sS]/[nN])")
_PLACE_DUE = compile_pattern(
    r"(?:.*\b(?:en|de|del|a|desde|hacia|por)\s|.*[,(\d/–—-]\s?)\Z", re.DOTALL
)


def _place(kind: str, text: str, start: int, end: int) -> Bounds | None:
    """The longest entry of a list of places from the start, unless it is a word or a person."""
    words = list(WORD.finditer(text, start, end))
    for last in reversed(words):
        found = text[start : last.end()]
        if not lexicon(LANGUAGE, kind).match(found):
            continue
        if kind != "country" and is_country(found):
            return None
        alone = last is words[0]
        if alone and (_is_no_place(found, kind) or _is_surname_of(text, words)):
            return None
        # After a full stop a capital is no evidence; an address is not part of a sentence.
        if alone and text[start - 2 : start] == ". " and _SENTENCE_GOES_ON.match(text, last.end()):
            return None
        due = _PLACE_DUE.match(text[max(0, start - 8) : start])
        if alone and not due and is_ordinary(LANGUAGE)(found):
            return None
        return start, last.end()
    return None


def town(text: str, start: int, end: int) -> Bounds | None:
    """A place where nothing else is possible: a listed one, or words that no list contains."""
    for kind in ("city", "region"):
        if found := _place(kind, text, start, end):
            return found
    kept_end, kinds = reach(text, start, end, first=bits.POSSIBLE, others=IN_CONTEXT)
    if not kinds or kinds[0] & bits.INITIAL or text[start:kept_end].isupper():
        return None
    return None if is_country(text[start:kept_end]) else (start, kept_end)


def town_in_small_letters(text: str, start: int, end: int) -> Bounds | None:
    """The longest run of words in lower case that is a town, a region or a country."""
    return longest_run(text, start, end, _is_place_in_small_letters, word=WORD)


def _is_place_in_small_letters(found: str) -> bool:
    folded = fold(found)
    kinds = ("city", "region", "country")
    return folded not in NO_PLACES and any(
        folded in lexicon(LANGUAGE, kind).keys.words for kind in kinds
    )


def _is_no_place(word: str, kind: str) -> bool:
    folded = fold(word)
    return (
        folded in NO_PLACES
        or (kind == "country" and folded in NO_COUNTRIES)
        or (word.isupper() and len(word) < LONGEST_ACRONYM)
    )


def _is_surname_of(text: str, words: list[re.Match[str]]) -> bool:
    """Whether a town's name is a person's, because a name follows it: de León Altamirano."""
    if not kind_of(words[0][0]) & bits.LISTED or len(words) == 1:
        return False
    gap = text[words[0].end() : words[1].start()]
    return gap == " " and kind_of(words[1][0]) & (bits.CLEAR | bits.STOP) == bits.CLEAR


def institution(text: str, start: int, end: int) -> Bounds | None:
    """The name of an institution without the town or the street directly after it."""
    words = list(WORD.finditer(text, start, end))
    kept = len(words)
    if _HOUSE_FOLLOWS.match(text, end):
        kept -= 2 if 4 < kept and kind_of(words[-2][0]) & bits.GIVEN else 1
    while 3 < kept and _is_town_behind(text, words[kept - 2], words[kept - 1]):
        kept -= 1
    return (start, end) if kept in (0, len(words)) else (start, words[kept - 1].end())


def _is_town_behind(text: str, before: re.Match[str], last: re.Match[str]) -> bool:
    """Whether a word is the name of a region and separate: La Paz Madrid, not de Madrid."""
    return (
        text[before.end() : last.start()] == " "
        and not kind_of(before[0]) & bits.PARTICLE
        and lexicon(LANGUAGE, "region").match(last[0])
        and not is_ordinary(LANGUAGE)(last[0])
    )


def nationality(text: str, start: int, end: int) -> Bounds | None:
    """A word for people's origin, in the singular or plural."""
    word = text[start:end]
    forms = (word, word.removesuffix("s"), word.removesuffix("es"))
    return (start, end) if any(map(lexicon(LANGUAGE, "nationality").match, forms)) else None


def postcode(text: str, start: int, end: int) -> Bounds | None:
    """The digits before the name of a town or region."""
    code = _POSTCODE.match(text, start, end)
    if code is None:
        return None
    town = any(_place(kind, text, code.end(), end) for kind in ("city", "region"))
    return code.span(1) if town else None


city = partial(_place, "city")
region = partial(_place, "region")
country = partial(_place, "country")
