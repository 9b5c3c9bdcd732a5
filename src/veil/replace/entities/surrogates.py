"""Realistic stand-ins for all labels but those of people and dates.

The same thing gets the same stand-in in every writing and record of a patient; the stand-in is
written like the original, never equals it or anything else that was found in the record, and a
number stands nowhere in the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from veil.core.numbers import is_ipv4, is_ipv6
from veil.replace.base import SURROGATES
from veil.replace.entities import japanese_addresses, network
from veil.replace.entities.institutions import institution
from veil.replace.entities.locations import location
from veil.replace.entities.numbers import number
from veil.replace.entities.phones import phone
from veil.replace.entities.postcodes import postcode
from veil.replace.entities.professions import profession
from veil.replace.entities.record import Record
from veil.replace.entities.streets import street
from veil.replace.entities.towns import country, state, town
from veil.replace.entities.words import key_of

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

Maker = Callable[[Record, str], str]

# What a policy decides about by itself: there is nothing to put in their place.
KEPT = frozenset({"AGE", "SEX", "RELATIVE", "TIME"})
_ROUNDS = 4
_URL = re.compile(r"[a-z]+://|www\.|[^\s@/]+\.[a-z]{2,}(?:/|$)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_A-Z]{3}")
_OTHER = "[OTHER]"


class EntitySurrogates:
    """Makes stand-ins for numbers, contacts, places, institutions and professions."""

    def replace(self, case: Case, span: Span) -> str:
        """The stand-in for a span; what only a policy can decide about stays as it is.

        Raises `RecordError` where none can be made.
        """
        text = case.text(span)
        if span.label in KEPT:
            return text
        record = Record.of(case)
        make = _MAKERS.get(span.label)
        if make is None:
            raise record.error(f"no stand-in can be made for the label {span.label} here")
        bare = text.strip()
        if not bare:
            return text
        start = text.index(bare)
        return text[:start] + _make(record, make, bare) + text[start + len(bare) :]


def _make(record: Record, make: Maker, text: str) -> str:
    try:
        for attempt in range(_ROUNDS):
            record.round = attempt
            new = make(record, text)
            if new == text or key_of(new) not in record.originals:
                return new
    finally:
        record.round = 0
    raise record.error("no stand-in could be made: all that were drawn stand in the record")


def _contact(record: Record, text: str) -> str:
    """A contact of an unknown kind, told by its look."""
    if "@" in text:
        name = text.rpartition("@")[0]
        return f"{number(record, name, key_words=False)}@example.org"
    if is_ipv4(text) or is_ipv6(text):
        return network.ip_address(record, text)
    return network.url(record, text) if _URL.match(text) else phone(record, text)


def _identifier(record: Record, text: str) -> str:
    """A number or code; the address of a machine stays one."""
    is_address = text.count(".") == 3 and is_ipv4(text)
    return network.ip_address(record, text) if is_address else number(record, text)


def _other(record: Record, text: str) -> str:
    """Anything else: a number or code has a stand-in, words have a tag."""
    is_number = any(map(str.isdigit, text)) and not _WORD.search(text)
    return number(record, text) if is_number else _OTHER


def _in_japan(make: Maker) -> Maker:
    """Japanese addresses are one kind of thing, whichever part of them a label names."""
    return lambda record, text: (
        japanese_addresses.location(record, text) if record.language == "ja" else make(record, text)
    )


_BY_LABEL: dict[str, Maker] = {
    "LOCATION": location,
    "CITY": _in_japan(town),
    "STATE": _in_japan(state),
    "COUNTRY": country,
    "ZIP": postcode,
    "STREET": _in_japan(street),
    "CONTACT": _contact,
    "PHONE": phone,
    "FAX": phone,
    "URL": network.url,
    "IPADDR": network.ip_address,
    "VEHICLE": partial(number, key_words=False),
    "PROFESSION": profession,
    "BIOID": _other,
    "OTHER": _other,
}
_INSTITUTIONS = ("ROOM", "DEPARTMENT", "HOSPITAL", "ORGANIZATION", "LOCATION-OTHER")
_NUMBERS = ("ID", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "DEVICE", "IDNUM")
_MAKERS: dict[str, Maker] = {
    **_BY_LABEL,
    **{label: partial(institution, label=label) for label in _INSTITUTIONS},
    **dict.fromkeys(_NUMBERS, _identifier),
}

for _label in (*_MAKERS, *KEPT):
    SURROGATES.add(_label, EntitySurrogates().replace)
