"""References between resources: to whom they lead, and whom a resource is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.io.json_raw import Value

_LITERAL = re.compile(
    r"(?:^|.*/)(?P<type>[A-Z][A-Za-z]+)/(?P<id>[A-Za-z0-9.\-]{1,64})(?:/_history/.*)?$"
)
_URN = re.compile(r"urn:(?:uuid|oid):", re.IGNORECASE)
# Elements that refer to the patient, the surest first.
_SUBJECTS = ("patient", "subject", "beneficiary", "individual", "for")
PATIENT = "Patient"
PEOPLE = frozenset({PATIENT, "Practitioner", "RelatedPerson", "Person"})
"""Resources of people."""


def normal(reference: str) -> str:
    """A reference without server and version: "Patient/17"; others stay as they are."""
    literal = _LITERAL.match(reference)
    return f"{literal['type']}/{literal['id']}" if literal else reference


def target_type(value: Value) -> str:
    """The type of the resource that a reference leads to, or nothing if it does not say."""
    literal = _LITERAL.match(value.string("reference"))
    if literal:
        return literal["type"]
    conditional = re.match(r"(?:.*/)?([A-Z][A-Za-z]+)\?", value.string("reference"))
    return conditional[1] if conditional else value.string("type")


def own_reference(resource: Value) -> str:
    """What others call a resource: "Patient/17"; nothing if it has no id."""
    kind, name = resource.string("resourceType"), resource.string("id")
    return f"{kind}/{name}" if kind and name else ""


def bare_id(reference: str) -> str:
    """The id of a patient in a reference: 17 of "Patient/17"; of a URN its last part."""
    kind, slash, name = reference.partition("/")
    if slash and kind == PATIENT:
        return name
    return _URN.sub("", reference)


def subject_of(resource: Value) -> str:
    """The reference to the patient whom a resource is about, or nothing.

    An identifier counts where there is no reference.
    """
    for candidate in _subjects(resource):
        if target_type(candidate) in (PATIENT, ""):
            found = normal(candidate.string("reference")) or _identifier(candidate)
            if found:
                return found
    return ""


def _subjects(resource: Value) -> Iterator[Value]:
    for key in _SUBJECTS:
        yield from resource.all(key)
    for participant in resource.all("participant"):
        actor = participant.get("actor")
        if actor and target_type(actor) == PATIENT:
            yield actor


def _identifier(reference: Value) -> str:
    identifier = reference.get("identifier")
    return identifier.string("value") if identifier else ""
