"""Fits for English names before what a pattern found: credentials or an age."""

from __future__ import annotations

import re

from veil.detect.rules.fits_en_people import is_full_name, is_other, place_of
from veil.detect.rules.forms_en import (
    CLEAR,
    CLINICAL,
    CREDENTIALS,
    GIVEN,
    INITIAL,
    MONTH,
    PARTICLE,
    POSSIBLE,
    SURNAME,
    WORD,
    Place,
    Word,
    kind,
    names_among,
)

_NAME_BEFORE_AGE = re.compile(r"(?<![\w'’-])([A-Z][a-z]+),?[ ]\(?\Z")
_BETWEEN_NAMES = re.compile(r"[ \t]{1,2}|\.[ \t]?")
_BEFORE_CREDENTIALS = re.compile(r"\.?,?[ \t]{0,2}\Z")
_BEFORE_AGE = re.compile(
    r"(?:,|[ \n](?:\([^()\n]{1,20}\)[ ])?(?:is|was))?[ \n](?:an?[ ])?(?:[a-z-]{3,12},?[ ]){0,2}"
    r"(?:\(|aged?[ ])?\Z"
)
_LONGEST_NAME = 60


def age_after_name(text: str, start: int, end: int) -> Place | None:
    """An age behind a given name: "Ethan 12, Chloe (9)"."""
    before = _NAME_BEFORE_AGE.search(text, max(0, start - _LONGEST_NAME), start)
    if before is None or not kind(before[1]) & GIVEN or not kind(before[1]) & CLEAR:
        return None
    return start, end


def name_before_credentials(text: str, start: int, end: int) -> Place | None:
    """The name before the letters that stand here: "Rachel K. Whitford, MD"."""
    words = _words_before(text, start, _BEFORE_CREDENTIALS)
    return place_of(words) if names_among(words) else None


def full_name_before_credentials(text: str, start: int, end: int) -> Place | None:
    """The same before letters that mean other things as well: "Arlo Finch, DO"."""
    words = _words_before(text, start, _BEFORE_CREDENTIALS)
    names = names_among(words)
    return place_of(words) if is_full_name(names) and not is_other(text, *place_of(words)) else None


def name_before_age(text: str, start: int, end: int) -> Place | None:
    """The name before the age that stands here: "Martha Collins is a 50-year-old"."""
    words = _words_before(text, start, _BEFORE_AGE)
    names = names_among(words)
    known = any(word.kind & CLEAR for word in names) or is_full_name(names)
    possible = [word for word in names if not word.kind & (CLINICAL | MONTH)]
    return place_of(words) if known or 1 < len(possible) == len(names) else None


def _words_before(text: str, end: int, between: re.Pattern[str]) -> list[Word]:
    """The words of the name that stands before a place, with no more than this between them."""
    begin = max(0, end - _LONGEST_NAME)
    gap = between.search(text, begin, end)
    if gap is None:
        return []
    kept: list[Word] = []
    border = gap.start()
    for match in reversed(list(WORD.finditer(text, begin, border))):
        word = Word(*match.span(), match[0], kind(match[0]))
        between_names = text[word.end : border]
        if kept and _BETWEEN_NAMES.fullmatch(between_names) is None:
            if _is_comma_of_surname(between_names, word, kept):
                kept.append(word)
            break
        if (not kept and between_names) or not word.kind & (POSSIBLE | INITIAL | PARTICLE):
            break
        if word.form[0].islower() and not word.kind & PARTICLE:
            break
        kept.append(word)
        border = word.start
    kept.reverse()
    while kept and kept[0].kind & PARTICLE:
        kept.pop(0)
    for place, word in enumerate(kept):
        if word.kind & INITIAL and CREDENTIALS.match(text, word.start):
            return kept[:place]
    return kept


def _is_comma_of_surname(between: str, word: Word, given: list[Word]) -> bool:
    """Whether a comma stands between surname and given name: "ZHANG, WEI MD"."""
    return (
        between in (",", ", ")
        and bool(word.kind & SURNAME and word.kind & CLEAR)
        and bool(given[-1].kind & GIVEN)
    )


BEFORE_FITS = {
    "en-name-before-credentials": name_before_credentials,
    "en-full-name-before-credentials": full_name_before_credentials,
    "en-name-before-age": name_before_age,
    "en-age-after-name": age_after_name,
}
