"""Fits for Swedish streets, towns, regions and countries, and what tells a proper name."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from veil.detect.rules.forms_sv import (
    CAPITALS,
    CLEAR,
    COMMON,
    LISTED,
    MEDICAL,
    PLACE,
    STOP,
    UNKNOWN,
    Place,
    Word,
    capitals_before,
    in_swedish,
    kind_of,
    words_of,
)
from veil.detect.rules.words_sv import NO_STREETS, PLACE_WORDS, PROPER_UNITS
from veil.lexicons import Mark, is_ordinary, lexicon, word_marks
from veil.lexicons.folding import fold

PROPER = LISTED | UNKNOWN | PLACE
SPACE = frozenset({" "})
ROYAL = frozenset({"drottning", "kung", "prins", "prinsessan"})
_LANGUAGE = "sv"
_COUNTRY_OR_REGION = (Mark.COUNTRY | Mark.REGION).value
_CITY = Mark.CITY.value
_DIRECTIONS = frozenset("norra södra östra västra nya gamla stora lilla mellersta inre".split())
_ADJECTIVES = ("isk", "iska", "iskt")
_LONGEST_ACRONYM = 4
_SAINT = re.compile(r"(?:S:ta?|St|Sankta?)[ ]\Z")


def is_proper(word: Word) -> bool:
    """Whether a word may be the proper name of a unit."""
    folded = fold(word.form)
    if folded in PROPER_UNITS or folded in _DIRECTIONS or word.kind & PLACE:
        return True
    if word.kind & (STOP | MEDICAL) or folded.endswith(_ADJECTIVES):
        return False
    # A genitive makes a name of a common word: Lugnets vårdcentral.
    return bool(word.kind & PROPER) or (5 < len(folded) and folded.endswith("s"))


def with_saint(text: str, start: int) -> int:
    """Where a name begins whose saint stands before it: S:t Eriksgatan."""
    saint = _SAINT.search(text, max(0, start - 7), start)
    return saint.start() if saint else start


_OPENINGS = frozenset(
    """
    till från på vid via hos åter remiss remitterad inkommer enligt enl samt och besök kontakt tid
    ring ringer söker sökt vårdad tillhör listad kallas hem hemma tidigare senast ny nya egen annan
    egna annat vanlig aktuell ordinarie lokal närmaste närmsta hennes hans deras vår sin
    """.split()
)


def opens(word: Word) -> bool:
    """Whether a word with a capital may open a sentence before a proper name."""
    return fold(word.form) in _OPENINGS


_STREET_ENDS = (
    *("gatan", "gata", "vägen", "väg", "gränd", "gränden", "stigen", "stig", "torget", "torg"),
    *("allén", "allé", "allen", "backen", "backe", "brinken", "esplanaden", "esplanad", "leden"),
    *("kajen", "platsen", "plats", "plan", "ringen", "slingan", "promenaden", "stranden", "strand"),
    *("svängen", "kroken", "höjden", "parken", "terrassen", "liden", "bron", "bågen", "gången"),
    *("vreten", "ängen", "udden", "hamnen", "åsen", "rondellen", "bulevarden", "hagen", "lunden"),
    *("gärdet", "trappan", "trappor", "boulevarden"),
)
_COUNT_FOLLOWS = re.compile(
    r"[ ]?(?:veckors?|dagars?|mån|månader|år|ggr|gånger|mg|ml|st|min|timmar|%|km|m|meter|vån)\b"
)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_STEM = 2
_NUMBERLESS = ("gatan", "vägen", "gränden", "promenaden", "esplanaden")


def _street(text: str, start: int, end: int) -> Place | None:
    """A street from its last word: a compound, or a second word after a name (Lilla torget 4)."""
    head = _FIRST_WORD.match(text, start, end)
    if head is None or _COUNT_FOLLOWS.match(text, end):
        return None
    folded = head[0].lower()
    ending = next((ending for ending in _STREET_ENDS if folded.endswith(ending)), "")
    number = head.end() < end
    if not ending or folded.startswith(NO_STREETS):
        return None
    words = capitals_before(text, start - 1, gaps=SPACE) if text[start - 1 : start] == " " else []
    while words and (opens(words[0]) or _is_ordinary_opening(words[0])):
        words = words[1:]
    if _SHORTEST_STEM <= len(folded) - len(ending):
        if not head[0][0].isupper() or not (number or ending in _NUMBERLESS):
            return None
        modified = bool(words) and _is_modifier(words[-1])
        first = next((word for word in words if _is_modifier(word)), None)
        return with_saint(text, first.start if modified and first else start), end
    # "Drottning Kristinas väg", "Lilla Torget": the street is two words or more.
    if words and (number or words[-1].form.endswith("s")):
        return with_saint(text, words[0].start), end
    return None


def _street_abbreviated(text: str, start: int, end: int) -> Place | None:
    """Åkerv. 33: a word in no list, with a capital, that v. or g. cuts short."""
    while 0 < start and text[start - 1].isalpha():
        start -= 1
    stem = text[start:end].partition(".")[0]
    street = stem[0].isupper() and 4 < len(stem) and bool(kind_of(stem) & UNKNOWN)
    return (start, end) if street else None


def _is_modifier(word: Word) -> bool:
    return fold(word.form) in _DIRECTIONS or word.form.endswith("s")


def _is_ordinary_opening(word: Word) -> bool:
    ordinary = word.kind & (COMMON | STOP) and not word.kind & PLACE
    return bool(ordinary) and fold(word.form) not in _DIRECTIONS | ROYAL


def _towns(text: str, start: int, end: int, *, others: bool) -> Place | None:
    """The place that begins here, where the context says that there is one, be it in no list."""
    listed = _entry(text, start, end, "city", "region", "country")
    if listed:
        town = others or not _entry(text, *listed, "region", "country")
        return listed if town else None
    kept_end = None
    for word in words_of(text, start, end):
        marks = word_marks(_LANGUAGE)(word.form)
        short = word.form.isupper() and len(word.form) <= _LONGEST_ACRONYM
        elsewhere = not others and marks & _COUNTRY_OR_REGION and not marks & _CITY
        if word.kind & (STOP | MEDICAL) or short or elsewhere:
            break
        if kept_end is None and not word.kind & PROPER:
            break
        kept_end = word.end
    return None if kept_end is None else (start, kept_end)


_COUNTRY_LETTERS = re.compile(r"\b(?:SE|S|FI|FIN|AX|NO|DK)[- ]\Z")
TOWN_FOLLOWS = re.compile(r"[ ]{1,2}([^\W\d_]+(?:-[^\W\d_]+)?)")


def _postcode(text: str, start: int, end: int) -> Place | None:
    """Five digits before what may be a town, with the letters of the country before them."""
    town = TOWN_FOLLOWS.match(text, end)
    if town is None or not _towns(text, town.start(1), town.end(1), others=False):
        return None
    country = _COUNTRY_LETTERS.search(text, max(0, start - 4), start)
    return (country.start() if country else start), end


def _entry(text: str, start: int, end: int, *kinds: str) -> Place | None:
    """The longest run of words from the start that is an entry of one of these lexicons."""
    for word in reversed(list(words_of(text, start, end))):
        phrase = text[start : word.end]
        if any(lexicon(_LANGUAGE, kind).match(phrase) for kind in kinds):
            return start, word.end
    return None


_PLACE_LEADS = re.compile(r"\b(?:[Ii]|[Vv]id|[Uu]tanför|[Nn]ära|[Kk]ring|[Hh]emma[ ]i)[ ]\Z")
_LOOSE_LEADS = re.compile(
    r"\b(?:[Oo]ch|[Ee]ller|[Ss]amt|[Tt]ill|[Ff]rån|[Mm]ot|[Vv]ia|[Mm]ellan)[ ]\Z"
)


def _listed_town(text: str, start: int, end: int) -> Place | None:
    """A town of the lists, as sure as what stands before it makes it.

    After "i" every entry is one; after "till", which people follow as well, those that are no
    words; elsewhere those that are neither words nor names.
    """
    place = _entry(text, start, end, "city")
    if place is None:
        return None
    following = list(words_of(text, place[1], end))
    if following and following[0].kind & CLEAR:
        return None
    begin = max(0, start - 9)
    if _PLACE_LEADS.search(text, begin, start):
        return place
    if fold(text[place[0] : place[1]]) in PLACE_WORDS:
        return None
    loose = _LOOSE_LEADS.search(text, begin, start)
    return place if loose or clear_town(text, *place) else None


def clear_town(text: str, start: int, end: int) -> Place | None:
    """A town of the lists that is neither a name nor a word."""
    form = text[start:end]
    kinds = [kind_of(part) for part in form.split()]
    if any(kind & (LISTED | MEDICAL | CAPITALS) for kind in kinds) or fold(form) in PLACE_WORDS:
        return None
    return (start, end) if lexicon(_LANGUAGE, "city").match(form) else None


def _small_town(text: str, start: int, end: int) -> Place | None:
    """A town in small letters, where a preposition stands before it."""
    return (start, end) if _is_small_town(text[start:end]) else None


@lru_cache(1 << 14)
def _is_small_town(word: str) -> bool:
    form = word.capitalize()
    return clear_town(form, 0, len(form)) is not None and not is_ordinary(_LANGUAGE)(form)


def _region(text: str, start: int, end: int) -> Place | None:
    place = _entry(text, start, end, "region")
    return None if place is None or fold(text[start : place[1]]) in PLACE_WORDS else place


def _country(text: str, start: int, end: int) -> Place | None:
    place = _entry(text, start, end, "country")
    if place and "och" not in text[start : place[1]] and _entry(text, *place, "region"):
        return None
    if place is None or (place[1] - start < 4 and text[start : place[1]] not in ("USA", "UK")):
        return None
    return None if fold(text[start : place[1]]) in PLACE_WORDS else place


PLACE_FITS = {
    "sv-street": in_swedish(_street),
    "sv-street-abbreviated": in_swedish(_street_abbreviated),
    "sv-town": in_swedish(partial(_towns, others=False)),
    "sv-place": in_swedish(partial(_towns, others=True)),
    "sv-postcode": in_swedish(_postcode),
    "sv-listed-town": in_swedish(_listed_town),
    "sv-small-town": in_swedish(_small_town),
    "sv-region": in_swedish(_region),
    "sv-country": in_swedish(_country),
}
