"""Realistic surrogates for all labels except those of people and dates.

An entity gets the same surrogate in every spelling and in all records of a patient. A surrogate is
spelled like the original and never equals it or another original of the record; a new number does
not occur anywhere in the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.core.numbers import is_ipv4, is_ipv6
from veil.replace.base import SURROGATES
from veil.replace.entities.addresses import replace_location, replace_street
from veil.replace.entities.contacts import replace_ip_address, replace_phone, replace_url
from veil.replace.entities.countries import replace_postcode
from veil.replace.entities.institutions import replace_institution
from veil.replace.entities.language import name_key
from veil.replace.entities.numbers import replace_number
from veil.replace.entities.professions import replace_profession
from veil.replace.entities.record import EntityRecord, NoEntriesError
from veil.replace.entities.spelling import around_blanks
from veil.replace.entities.towns import replace_country, replace_place

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

Maker = Callable[[EntityRecord, str], str]

# Labels without surrogates: a policy decides about them.
KEPT = frozenset({"AGE", "SEX", "RELATIVE", "TIME"})
_ROUNDS = 4
_URL = re.compile(r"[a-z]+://|www\.|[^\s@/]+\.[a-z]{2,}(?:/|$)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_A-Z]{3}")
_OTHER = "[OTHER]"


def replace_entity(case: Case, span: Span) -> str:
    """Return the surrogate for a number, contact, place, institution or profession.

    The labels in `KEPT` are unchanged. Raise `RecordError` if no surrogate can be made.
    """
    if span.label in KEPT:
        return case.text(span)
    record = EntityRecord.of(case)
    if span.label not in _MAKERS:
        raise record.error(f"no surrogate can be made for the label {span.label} here")
    # No two places get the same surrogate, so spans are replaced in the order of the text.
    for earlier in record.spans_before(span):
        if earlier.label in _MAKERS:
            with suppress(RecordError):  # raised again when this span is replaced
                _replace(record, earlier)
    return _replace(record, span)


def _replace(record: EntityRecord, span: Span) -> str:
    text = record.case.text(span)
    known = (span.label, text)
    if known not in record.replaced:  # records repeat their places and institutions
        try:
            make = partial(_make, record, _MAKERS[span.label])
            record.replaced[known] = around_blanks(text, make)
        except NoEntriesError:  # the language has no list for this
            record.replaced[known] = f"[{span.label}]"
    return record.replaced[known]


def _make(record: EntityRecord, make: Maker, text: str) -> str:
    try:
        for attempt in range(_ROUNDS):
            record.round = attempt
            new = make(record, text)
            if new == text or name_key(new) not in record.originals:
                return new
    finally:
        record.round = 0
    raise record.error("no surrogate could be made: all that were drawn occur in the record")


def _contact(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a contact, whose form shows its kind."""
    if "@" in text:
        name = text.rpartition("@")[0]
        return f"{replace_number(record, name, key_words=False)}@example.org"
    if is_ipv4(text) or is_ipv6(text):
        return replace_ip_address(record, text)
    return replace_url(record, text) if _URL.match(text) else replace_phone(record, text)


def _identifier(record: EntityRecord, text: str) -> str:
    """Return another number or code; an IP address becomes an IP address."""
    is_address = text.count(".") == 3 and is_ipv4(text)
    return replace_ip_address(record, text) if is_address else replace_number(record, text)


def _other(record: EntityRecord, text: str) -> str:
    """Return another number or code for one; words become a tag."""
    is_number = any(map(str.isdigit, text)) and not _WORD.search(text)
    return replace_number(record, text) if is_number else _OTHER


def _in_address(make: Maker) -> Maker:
    """Return a maker for a part of an address: some languages replace addresses as a whole."""
    return lambda record, text: record.rules.address(record, text) or make(record, text)


_INSTITUTIONS = ("ROOM", "DEPARTMENT", "HOSPITAL", "ORGANIZATION", "LOCATION-OTHER")
_NUMBERS = ("ID", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "DEVICE", "IDNUM")
_MAKERS: dict[str, Maker] = {
    "LOCATION": _in_address(replace_location),
    "CITY": _in_address(partial(replace_place, label="CITY")),
    "STATE": _in_address(partial(replace_place, label="STATE")),
    "COUNTRY": replace_country,
    "ZIP": replace_postcode,
    "STREET": _in_address(replace_street),
    "CONTACT": _contact,
    "PHONE": replace_phone,
    "FAX": replace_phone,
    "URL": replace_url,
    "IPADDR": replace_ip_address,
    "VEHICLE": partial(replace_number, key_words=False),
    "PROFESSION": replace_profession,
    "BIOID": _other,
    "OTHER": _other,
    **{label: partial(replace_institution, label=label) for label in _INSTITUTIONS},
    **dict.fromkeys(_NUMBERS, _identifier),
}

for _label in (*_MAKERS, *KEPT):
    SURROGATES.add(_label, replace_entity)
