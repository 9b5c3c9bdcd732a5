"""Fits for Swedish care units, wards, organisations and occupations.

A unit counts by its proper name or number: "vårdcentralen" alone tells nothing.
"""

from __future__ import annotations

import re
from functools import partial

from veil.detect.rules.fits_sv_places import (
    PROPER,
    ROYAL,
    SPACE,
    TOWN_FOLLOWS,
    clear_town,
    is_proper,
    opens,
    with_saint,
)
from veil.detect.rules.forms_sv import (
    CLEAR,
    COMMON,
    GIVEN,
    MEDICAL,
    PLACE,
    STOP,
    Place,
    capitals_before,
    in_swedish,
    words_of,
)
from veil.detect.rules.words_sv import GENERIC_SCHOOLS, GENERIC_UNITS
from veil.lexicons.folding import fold

_VERBS = ("as", "ad", "ade", "at", "ar", "er")
# The department before its hospital is part of its name: medicinkliniken, Ekeby sjukhus.
_CLINIC = re.compile(
    r"\b(?:[^\W\d_]{3,14}iska[ ])?[^\W\d_]{0,20}(?:kliniken|klinik|mottagningen|avdelningen),?[ ]\Z"
)
_LONGEST_CLINIC = 44


def _unit(text: str, start: int, end: int) -> Place | None:
    """A proper name before the kind of its unit; words before the name are left out."""
    words = capitals_before(text, start - 1, gaps=SPACE)[-_LONGEST_UNIT:]
    for place, word in enumerate(words):
        if is_proper(word) and not (place == 0 and opens(word)):
            begun = with_saint(text, word.start)
            if 0 < place and fold(words[place - 1].form) in ROYAL:
                begun = words[place - 1].start
            clinic = _CLINIC.search(text, max(0, begun - _LONGEST_CLINIC), begun)
            return (clinic.start() if clinic else begun), _with_town(text, end)
    return None


def _with_town(text: str, end: int) -> int:
    """Where a unit ends whose town stands right behind it: Hallands sjukhus Halmstad."""
    town = TOWN_FOLLOWS.match(text, end)
    return town.end(1) if town and clear_town(text, *town.span(1)) else end


_LONGEST_UNIT = 3


def _after_head(text: str, start: int, end: int) -> Place | None:
    """A head with the name behind it: vårdcentralen Gripen. The name ends before a stop."""
    words = list(words_of(text, start, end))[1:]
    if words and words[0].form == "i":
        words = words[1:]
    kept_end = None
    for word in words:
        verb = word.kind & COMMON and word.form.endswith(_VERBS)
        if (word.kind & (STOP | MEDICAL) or verb) and not word.kind & PLACE:
            break
        kept_end = word.end
    return None if kept_end is None else (start, kept_end)


_UNIT_END = re.compile(
    r"(.+?)(?:sjukhuset|sjukhusets|sjukhus|lasarettet|kliniken|vårdcentralen|hälsocentralen"
    r"|läkarhuset|sjukhemmet|vårdhemmet|hemmet)\Z"
)


def _unit_compound(text: str, start: int, end: int) -> Place | None:
    """One word for a unit whose first part is a proper name."""
    parts = _UNIT_END.match(text[start:end].lower())
    if parts is None or parts[1].endswith(GENERIC_UNITS):
        return None
    return start, end


def _unit_field(text: str, start: int, end: int, *, any_word: bool) -> Place | None:
    """The value of a field for a unit; `any_word`: a common word may be its name."""
    words = list(words_of(text, start, end))
    if not words or fold(words[0].form) in _NO_UNITS:
        return None
    proper = any(is_proper(word) for word in words if word.form[0].isupper())
    named = proper or (any_word and not words[0].kind & (STOP | MEDICAL))
    return (start, words[-1].end) if named else None


_NO_UNITS = frozenset("avd avdelning egen eget villa lägenhet hus ja nej se ej".split())


def _ward(text: str, start: int, end: int) -> Place | None:
    """The whole word that ends in avd: ortopedavd 24."""
    begun = start
    while 0 < begun and (text[begun - 1].isalpha() or text[begun - 1] == "-"):
        begun -= 1
    apart = " " in text[start:end] or "." in text[start:end]
    return (begun, end) if begun == start or apart else None


def _ward_name(text: str, start: int, end: int) -> Place | None:
    name = list(words_of(text, start, end))[1:]
    # "avd." may end a sentence: then a common word opens the next.
    wrong = STOP | MEDICAL | (COMMON if "." in text[start:end] else 0)
    return (start, end) if name and not name[0].kind & wrong else None


def _club(text: str, start: int, end: int) -> Place | None:
    name = list(words_of(text, start, end))[1:]
    return (start, end) if name and is_proper(name[0]) else None


_NO_COMPANY = frozenset("blodgrupp grupp typ bt hb rh ab".split())
_COMPANY_FORMS = frozenset("AB HB KB Oy Ab Oyj Abp ASA AS Inc Ltd GmbH".split())
_COMPANY_GAPS = frozenset({" ", " & ", " och ", " i "})
_COMPANY = re.compile(r"[ ](?:AB|HB|KB|Oy|Ab|Oyj|Abp|ASA|AS|Inc|Ltd|GmbH)\Z")


def _organisation(text: str, start: int, end: int) -> Place | None:
    """A proper name before the kind of its organisation; a company may bear any name."""
    company = text[start:end] in _COMPANY_FORMS
    for word in capitals_before(text, start - 1, gaps=_COMPANY_GAPS):
        if fold(word.form) in _NO_COMPANY:
            return None
        if opens(word):
            continue
        if is_proper(word) or (company and not word.kind & MEDICAL):
            return word.start, end
    return None


def _school(text: str, start: int, end: int) -> Place | None:
    return None if fold(text[start:end]).startswith(GENERIC_SCHOOLS) else (start, end)


_OUTSIDE = ("bolaget", "företaget", "föreningen")


def _organisation_after_head(text: str, start: int, end: int) -> Place | None:
    """A head with a name behind it; the company is its name alone."""
    place = _after_head(text, start, end)
    if place is None:
        return None
    head = text[start:end].partition(" ")[0]
    if head.lower() in _OUTSIDE:
        return start + len(head) + 1, place[1]
    return place


def _employer(text: str, start: int, end: int) -> Place | None:
    """What may employ: no town, no drug, no ward."""
    kept_end = None
    for word in words_of(text, start, end):
        if word.kind & (STOP | MEDICAL) and not _COMPANY.search(text[start : word.end]):
            break
        elsewhere = word.kind & PLACE or (word.kind & GIVEN and word.kind & CLEAR)
        if kept_end is None and elsewhere and not _COMPANY.search(text, start, end):
            break
        kept_end = word.end
    return None if kept_end is None else (start, kept_end)


def _organisation_field(text: str, start: int, end: int) -> Place | None:
    words = list(words_of(text, start, end))
    if not words or words[0].kind & MEDICAL or opens(words[0]):
        return None
    company = _COMPANY.search(text, start, end) is not None
    named = words[0].kind & PROPER or company or is_proper(words[0])
    return (start, words[-1].end) if named else None


_NO_OCCUPATION = frozenset(
    "saknas nej ja se okänd okänt ej inget ingen inte vet ovan vid på uppges oklart".split()
)
_OCCUPATION_ENDS = re.compile(
    r"[ ](?:vid|på|i|inom|men|och|sedan|hos|för|åt|som|heltid|deltid|nu)\b"
)


def _occupation(text: str, start: int, end: int) -> Place | None:
    if fold(text[start:end]).split()[0] in _NO_OCCUPATION:
        return None
    cut = _OCCUPATION_ENDS.search(text, start, end)
    return start, cut.start() if cut else end


UNIT_FITS = {
    "sv-unit": in_swedish(_unit),
    "sv-unit-head": in_swedish(_after_head),
    "sv-unit-compound": in_swedish(_unit_compound),
    "sv-unit-field": in_swedish(partial(_unit_field, any_word=False)),
    "sv-unit-named": in_swedish(partial(_unit_field, any_word=True)),
    "sv-ward": in_swedish(_ward),
    "sv-ward-name": in_swedish(_ward_name),
    "sv-club": in_swedish(_club),
    "sv-organisation": in_swedish(_organisation),
    "sv-organisation-head": in_swedish(_organisation_after_head),
    "sv-organisation-field": in_swedish(_organisation_field),
    "sv-school": in_swedish(_school),
    "sv-employer": in_swedish(_employer),
    "sv-occupation": in_swedish(_occupation),
}
