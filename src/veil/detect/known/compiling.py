"""From the values of a record to what is looked for: words, numbers, strings, dates."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from veil.detect.known.dates import parse_date
from veil.detect.known.entities import (
    Name,
    organisation,
    parse_name,
    person,
    pieces_of,
    place,
    split_address,
    street,
)
from veil.detect.known.japanese import Literal as JapaneseLiteral
from veil.detect.known.japanese import name_literals
from veil.detect.known.japanese_names import (
    JapaneseName,
    compared,
    parse_japanese_address,
    parse_japanese_name,
)
from veil.detect.known.numbers import Number, id_forms, phone_forms, plain, record_forms
from veil.detect.known.words import Literal
from veil.lexicons.lexicon import is_japanese

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from veil.detect.known.entities import Entity
    from veil.detect.known.values import Known
    from veil.detect.known.vocabulary import Vocabulary

_PATIENT, _DOCTOR = "PATIENT", "DOCTOR"
_ID_LABELS = {
    "national_ids": "SSN",
    "health_plans": "HEALTHPLAN",
    "accounts": "ACCOUNT",
    "licenses": "LICENSE",
    "vehicles": "VEHICLE",
    "devices": "DEVICE",
    "ids": "IDNUM",
}
# The time to walk over a number grows with its length.
_LONGEST_NUMBER = 128
_SHORTEST_USER = 5
_SHORTEST_PHRASE = 6
# 東京 is 東京都, 新宿 is 新宿区.
_WITHOUT_UNIT = re.compile("(?<=..)[都府県市区]$")


class Compiled(NamedTuple):
    """What is looked for; entities in the order in which they are preferred."""

    entities: list[Entity]
    numbers: list[tuple[str, Number]]
    literals: list[Literal]
    dates: list[date]
    japanese: list[JapaneseLiteral]


def compile_known(known: Known, words: Vocabulary) -> Compiled:
    """Make what is looked for of the values of a record."""
    return Compiled(
        [*_people(known, words), *_places(known, words)],
        list(_numbers(known, words)),
        list(_literals(known, words)),
        list(dict.fromkeys(date for value in known.birth_dates for date in parse_date(value))),
        list(_japanese(known)),
    )


def _latin(values: Iterable[str]) -> list[str]:
    return [value for value in values if not is_japanese(value)]


def _in_japanese(values: Iterable[str]) -> list[str]:
    return [value for value in values if is_japanese(value)]


def _people(known: Known, words: Vocabulary) -> Iterator[Entity]:
    names = [parse_name(value, words) for value in _latin((*known.names, *known.readings))]
    given, surnames = _latin(known.first_names), _latin(known.last_names)
    if given or surnames:
        names.append(
            Name(
                tuple(word for value in given for word in value.split()),
                tuple(word for value in surnames for word in value.split()),
            )
        )
    people = [(names, _PATIENT, "name")]
    people += [
        ([parse_name(value, words)], _PATIENT, "relative") for value in _latin(known.relatives)
    ]
    people += [([parse_name(value, words)], _DOCTOR, "doctor") for value in _latin(known.doctors)]
    for each, label, what in people:
        made = person(tuple(each), label, what, words)
        if made.words:
            yield made


def _places(known: Known, words: Vocabulary) -> Iterator[Entity]:
    parts = [split_address(value, words) for value in _latin(known.addresses)]
    found = [street(part.street, words) for part in parts]
    towns = [*known.cities, *(town for part in parts for town in part.towns)]
    for values, label, what in (
        (towns, "CITY", "city"),
        (known.states, "STATE", "state"),
        (known.countries, "COUNTRY", "country"),
    ):
        found += [place(value, label, what, words) for value in _latin(values)]
    for values, label, what in (
        (known.hospitals, "HOSPITAL", "hospital"),
        (known.employers, "ORGANIZATION", "employer"),
    ):
        found += [organisation(value, label, what, words) for value in _latin(values)]
    yield from (entity for entity in found if entity is not None)


def _numbers(known: Known, words: Vocabulary) -> Iterator[tuple[str, Number]]:
    language = words.language
    addresses = (split_address(value, words) for value in _latin(known.addresses))
    japanese = (parse_japanese_address(value).postcode for value in _in_japanese(known.addresses))
    postcodes = [*known.zips, *(code for part in addresses for code in part.postcodes), *japanese]
    found = [
        (form, label, field)
        for field, label in _ID_LABELS.items()
        for value in getattr(known, field)
        for form in id_forms(value, language)
    ]
    found += [
        (form, "MEDICALRECORD", "medical_records")
        for value in known.medical_records
        for form in record_forms(value)
    ]
    found += [
        (form, label, field)
        for field, label in (("phones", "PHONE"), ("faxes", "FAX"))
        for value in getattr(known, field)
        for form in phone_forms(value, language)
    ]
    found += [
        (form, "ZIP", "zips") for value in postcodes for form in _postcode_forms(value, language)
    ]
    for form, label, field in found:
        if 0 < len(form) <= _LONGEST_NUMBER:
            yield form, Number(label, field.removesuffix("s"))


def _postcode_forms(value: str, language: str) -> list[str]:
    key = plain(value)
    # 02139-4307 is also known by its first five digits.
    return [key, key[:5]] if language == "en" and len(key) == 9 and key.isdigit() else [key]


def _literals(known: Known, words: Vocabulary) -> Iterator[Literal]:
    names = {piece for value in (*known.names, *known.first_names) for piece in pieces_of(value)}
    for value in known.emails:
        yield Literal(value, "EMAIL", "email")
        user = value.partition("@")[0]
        telling = user.lower() not in names and not words.is_word(user.lower())
        if _SHORTEST_USER <= len(user) and telling:
            yield Literal(user, "USERNAME", "email/user")
    yield from _phrases(known, words)
    yield from (Literal(value, "URL", "url") for value in known.urls)
    yield from (Literal(value, "USERNAME", "username") for value in known.usernames)


def _phrases(known: Known, words: Vocabulary) -> Iterator[Literal]:
    """Yield values of several words as they stand: whatever their words, they are found whole."""
    streets = [value for value in known.addresses if split_address(value, words).is_street_alone]
    for values, label, what in (
        (streets, "STREET", "street"),
        (known.cities, "CITY", "city"),
        (known.hospitals, "HOSPITAL", "hospital"),
        (known.employers, "ORGANIZATION", "employer"),
    ):
        for value in _latin(values):
            if _SHORTEST_PHRASE <= len(value) and 1 < len(pieces_of(value)):
                yield Literal(value, label, f"{what}/exact")


def _japanese(known: Known) -> Iterator[JapaneseLiteral]:
    names = [
        name
        for value in _in_japanese((*known.names, *known.readings))
        for name in parse_japanese_name(value)
    ]
    yield from name_literals([*names, *_joined_japanese(known)], _PATIENT, "name")
    for values, label, what in (
        (known.relatives, _PATIENT, "relative"),
        (known.doctors, _DOCTOR, "doctor"),
    ):
        for value in _in_japanese(values):
            yield from name_literals(parse_japanese_name(value), label, what)
    for value in _in_japanese(known.addresses):
        address = parse_japanese_address(value)
        yield from _place_literals((address.state,), "STATE", "state")
        yield from _place_literals((address.city,), "CITY", "city")
        if 1 < len(address.town):
            yield JapaneseLiteral(address.town, "STREET", "street", numbers=address.numbers)
    for values, label, what in (
        (known.cities, "CITY", "city"),
        (known.states, "STATE", "state"),
        (known.countries, "COUNTRY", "country"),
        (known.hospitals, "HOSPITAL", "hospital"),
        (known.employers, "ORGANIZATION", "employer"),
    ):
        yield from _place_literals(_in_japanese(values), label, what)


def _joined_japanese(known: Known) -> list[JapaneseName]:
    """The names of which the table has family and given name in two columns."""
    families, given = (
        [compared("".join(value.split())) for value in _in_japanese(values)]
        for values in (known.last_names, known.first_names)
    )
    return [JapaneseName(*pair) for pair in product(families or [""], given or [""])]


def _place_literals(values: Iterable[str], label: str, what: str) -> Iterator[JapaneseLiteral]:
    for value in values:
        key = compared("".join(value.split()))
        for form in dict.fromkeys((key, _WITHOUT_UNIT.sub("", key))):
            if 1 < len(form):
                yield JapaneseLiteral(form, label, what)
