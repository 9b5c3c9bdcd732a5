"""From the values of a record to search terms: words, numbers, strings, dates."""

from __future__ import annotations

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
from veil.detect.known.numbers import (
    KnownNumber,
    id_forms,
    phone_forms,
    postcode_forms,
    record_forms,
)
from veil.detect.known.vocabulary import known_part
from veil.detect.known.words import ExactString
from veil.languages import language_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from veil.detect.known.entities import Entity
    from veil.detect.known.values import Known
    from veil.detect.known.vocabulary import Finder, Vocabulary

_PATIENT, _DOCTOR = "PATIENT", "DOCTOR"
# The label of each field of numbers, and the function that makes the forms of its values.
_NUMBERS = {
    "national_ids": ("SSN", id_forms),
    "health_plans": ("HEALTHPLAN", id_forms),
    "accounts": ("ACCOUNT", id_forms),
    "licenses": ("LICENSE", id_forms),
    "vehicles": ("VEHICLE", id_forms),
    "devices": ("DEVICE", id_forms),
    "ids": ("IDNUM", id_forms),
    "medical_records": ("MEDICALRECORD", record_forms),
    "phones": ("PHONE", phone_forms),
    "faxes": ("FAX", phone_forms),
    "zips": ("ZIP", postcode_forms),
}
# Matching a number takes time in proportion to its length.
_LONGEST_NUMBER = 128
_SHORTEST_USER = 5
_SHORTEST_PHRASE = 6


class Compiled(NamedTuple):
    """The search terms of a record; entities in order of preference.

    `finders` search for values in scripts without spaces.
    """

    entities: list[Entity]
    numbers: list[tuple[str, KnownNumber]]
    literals: list[ExactString]
    dates: list[date]
    finders: list[Finder]


def compile_known(known: Known, words: Vocabulary) -> Compiled:
    """Make the search terms for the known values of a record."""
    dates = list(dict.fromkeys(date for value in known.birth_dates for date in parse_date(value)))
    return Compiled(
        [*_people(known, words), *_places(known, words)],
        list(_numbers(known, words)),
        list(_literals(known, words)),
        dates,
        list(_finders(known, dates, words)),
    )


def _finders(known: Known, dates: Sequence[date], words: Vocabulary) -> Iterator[Finder]:
    """Yield the finders of all languages with a script of their own: any text may quote it."""
    for code in language_codes():
        finder = known_part(code).finder(known, dates if code == words.language else ())
        if finder:
            yield finder


def _spaced(values: Iterable[str]) -> list[str]:
    """The values that are not in a script without spaces."""
    parts = [known_part(code) for code in language_codes()]
    return [value for value in values if not any(part.is_own_script(value) for part in parts)]


def _people(known: Known, words: Vocabulary) -> Iterator[Entity]:
    names = [parse_name(value, words) for value in _spaced((*known.names, *known.readings))]
    given, surnames = _spaced(known.first_names), _spaced(known.last_names)
    if given or surnames:
        names.append(
            Name(
                tuple(word for value in given for word in value.split()),
                tuple(word for value in surnames for word in value.split()),
            )
        )
    people = [(names, _PATIENT, "name")]
    people += [
        ([parse_name(value, words)], _PATIENT, "relative") for value in _spaced(known.relatives)
    ]
    people += [([parse_name(value, words)], _DOCTOR, "doctor") for value in _spaced(known.doctors)]
    for each, label, what in people:
        made = person(tuple(each), label, what, words)
        if made.words:
            yield made


def _places(known: Known, words: Vocabulary) -> Iterator[Entity]:
    parts = [split_address(value, words) for value in _spaced(known.addresses)]
    found = [street(part.street, words) for part in parts]
    towns = [*known.cities, *(town for part in parts for town in part.towns)]
    for values, label, what in (
        (towns, "CITY", "city"),
        (known.states, "STATE", "state"),
        (known.countries, "COUNTRY", "country"),
    ):
        found += [place(value, label, what, words) for value in _spaced(values)]
    for values, label, what in (
        (known.hospitals, "HOSPITAL", "hospital"),
        (known.employers, "ORGANIZATION", "employer"),
    ):
        found += [organisation(value, label, what, words) for value in _spaced(values)]
    yield from (entity for entity in found if entity is not None)


def _numbers(known: Known, words: Vocabulary) -> Iterator[tuple[str, KnownNumber]]:
    addresses = (split_address(value, words) for value in _spaced(known.addresses))
    others = (code for each in language_codes() for code in known_part(each).postcodes(known))
    more = {"zips": [*(code for part in addresses for code in part.postcodes), *others]}
    for field, (label, forms_of) in _NUMBERS.items():
        for value in (*getattr(known, field), *more.get(field, ())):
            for form in forms_of(value, words):
                if 0 < len(form) <= _LONGEST_NUMBER:
                    yield form, KnownNumber(label, field.removesuffix("s"))


def _literals(known: Known, words: Vocabulary) -> Iterator[ExactString]:
    names = {piece for value in (*known.names, *known.first_names) for piece in pieces_of(value)}
    for value in known.emails:
        yield ExactString(value, "EMAIL", "email")
        user = value.partition("@")[0]
        is_distinctive = user.lower() not in names and not words.is_word(user.lower())
        if _SHORTEST_USER <= len(user) and is_distinctive:
            yield ExactString(user, "USERNAME", "email/user")
    yield from _phrases(known, words)
    yield from (ExactString(value, "URL", "url") for value in known.urls)
    yield from (ExactString(value, "USERNAME", "username") for value in known.usernames)


def _phrases(known: Known, words: Vocabulary) -> Iterator[ExactString]:
    """Yield values of several words, which are also found as a whole, whatever their words."""
    streets = [value for value in known.addresses if split_address(value, words).is_street_alone]
    for values, label, what in (
        (streets, "STREET", "street"),
        (known.cities, "CITY", "city"),
        (known.hospitals, "HOSPITAL", "hospital"),
        (known.employers, "ORGANIZATION", "employer"),
    ):
        for value in _spaced(values):
            if _SHORTEST_PHRASE <= len(value) and 1 < len(pieces_of(value)):
                yield ExactString(value, label, f"{what}/exact")
