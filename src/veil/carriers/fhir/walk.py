"""The way through a resource: every string that could name somebody becomes a place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from veil.carriers.fhir.attachments import UnmaskableError, attachment_place, is_attachment
from veil.carriers.fhir.datatypes import is_coding, title_of, whole_members
from veil.carriers.fhir.elements import elements
from veil.carriers.fhir.links import identifying_part
from veil.carriers.fhir.places import DatePlace, MarkupPlace, Slot, StringPlace, is_date
from veil.carriers.fhir.references import (
    PEOPLE,
    normal,
    own_reference,
    subject_of,
    target_type,
)
from veil.carriers.markup import Markup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.carriers.fhir.datatypes import Label
    from veil.carriers.fhir.places import Place
    from veil.carriers.json_raw import Value

Path = tuple[str, ...]

_TIME = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?P<time>T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?")
_BLANK = re.compile(r"\s")
_LETTER_OR_DIGIT = re.compile(r"\w")
_NAMES = frozenset({"PATIENT", "DOCTOR", "NAME"})
_GEOLOCATION = re.compile(r"(?:^|/)geolocation$")
_PLAIN_KEY = re.compile(r"\w{1,40}")
# Taken out whatever the policy says: pictures, codes to be scanned, and signatures, which do not
# hold any more once a text has changed.
_REMOVED = frozenset({"photo", "signature", "valueSignature", "carrierAIDC"})


class Link(NamedTuple):
    """A reference to another resource: its type, where it leads, and what it shows, with label."""

    kind: str
    reference: str
    shown: str
    label: str


@dataclass(eq=False)
class Scope:
    """The resource in which a place stands: whom it is about, and who else is named in it."""

    kind: str
    reference: str
    subject: str
    language: str | None
    links: list[Link] = field(default_factory=list, repr=False)
    people: list[Value] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class Found:
    """A place, where it was found, and the label of one that is an identifier as a whole."""

    place: Place
    scope: Scope
    path: Path
    label: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the walk is: a value of an object (`owner`), some of whose members have labels."""

    scope: Scope
    path: Path
    slot: Slot
    owner: Value
    labels: Mapping[str, Label]


class Walk:
    """Goes through a resource and collects places, what is taken out, and what is withheld.

    `words` are places of single words that are codes as a rule.
    """

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.words: list[Found] = []
        self.masked: list[Slot] = []
        self.removed: list[Slot] = []
        self.problems: list[tuple[Path, str]] = []
        self._tables = elements()

    def resource(
        self, value: Value, path: Path = (), outer: Scope | None = None, full_url: str = ""
    ) -> None:
        """Go through a resource; those inside are about whom the outer one is about."""
        kind = value.string("resourceType")
        reference = own_reference(value) or full_url
        subject = reference if kind == "Patient" else subject_of(value)
        language = value.string("language").partition("-")[0].lower()
        scope = Scope(
            kind,
            reference,
            subject or (outer.subject if outer else ""),
            language or (outer.language if outer else None),
        )
        if kind in PEOPLE:
            scope.people.append(value)
            if outer:
                outer.people.append(value)
        self._object(value, path, scope)

    def _object(self, value: Value, path: Path, scope: Scope, key: str = "") -> None:
        """Go through the members of an object."""
        members = value.members
        extents = tuple(member.extent for member in members.values())
        labels = whole_members(value, key, scope.kind)
        if "reference" in members or "display" in labels:
            label = labels["display"].name if "display" in labels else ""
            reference = normal(value.string("reference"))
            scope.links.append(Link(target_type(value), reference, value.string("display"), label))
        for place, (name, member) in enumerate(members.items()):
            inner = member.value
            slot = Slot(name, inner.start, inner.end, extents, place, f"_{name}" in members)
            where = (*path, name if _PLAIN_KEY.fullmatch(name) else "?")
            spot = _Spot(scope, where, slot, value, labels)
            if name in _REMOVED or (name == "position" and scope.kind == "Location"):
                self.removed.append(slot)
            elif name == "valueBase64Binary" or (name == "data" and is_attachment(value)):
                self._data(spot)
            else:
                self._values(inner, spot)

    def _values(self, value: Value, spot: _Spot) -> None:
        """Go through the elements of an array, or to a single value."""
        if not isinstance(value.content, list):
            self._value(value, spot)
            return
        extents = tuple((each.start, each.end) for each in value.elements)
        for number, each in enumerate(value.elements):
            slot = replace(
                spot.slot, start=each.start, end=each.end, elements=extents, element=number
            )
            path = (*spot.path[:-1], f"{spot.path[-1]}[{number}]")
            if slot.key == "extension" and _GEOLOCATION.search(each.string("url")):
                self.removed.append(slot)
            else:
                self._values(each, replace(spot, slot=slot, path=path))

    def _value(self, value: Value, spot: _Spot) -> None:
        key = spot.slot.key
        if "resourceType" in value.members:
            self.resource(value, spot.path, spot.scope, spot.owner.string("fullUrl"))
        elif value.members:
            self._object(value, spot.path, spot.scope, key)
        elif not value.text:
            return
        elif key in spot.labels:
            self._whole(value.text, spot, *spot.labels[key])
        elif key in self._tables.whole:
            self._whole(value.text, spot, self._tables.whole[key])
        else:
            self._string(value.text, spot)

    def _string(self, text: str, spot: _Spot) -> None:
        """Decide what a string is: markup, a code, a date, or words to be searched."""
        key = spot.slot.key
        if key == "div":
            self._add(MarkupPlace(Markup(text), spot.slot), spot)
            return
        part = identifying_part(text, key, spot.owner)
        if part:
            place = StringPlace(part.text, spot.slot, part.before, part.after)
            self._add(place, spot, part.label)
            return
        if key in self._tables.coded or (key == "display" and is_coding(spot.owner)):
            return
        is_free = key in self._tables.free or key == "display"
        date = None if is_free else self._date(text, spot)
        if date:
            self._add(date, spot, "DATE")
        elif not _LETTER_OR_DIGIT.search(text):
            return
        elif is_free or _BLANK.search(text):
            self._add(StringPlace(text, spot.slot), spot)
        else:
            self.words.append(Found(StringPlace(text, spot.slot), spot.scope, spot.path))

    def _date(self, text: str, spot: _Spot) -> DatePlace | None:
        key = spot.slot.key
        time = _TIME.fullmatch(text)
        if time:
            needs_time = self._tables.is_instant(key, spot.scope.kind)
            return DatePlace(time["date"], spot.slot, time["time"] or "", needs_time)
        if self._tables.may_be_partial(key) and is_date(text):
            return DatePlace(text, spot.slot)
        return None

    def _data(self, spot: _Spot) -> None:
        """The data of an attachment: a text, or bytes that are withheld."""
        try:
            self._add(attachment_place(spot.owner, spot.slot), spot)
        except UnmaskableError as error:
            self.masked.append(spot.slot)
            self.problems.append((spot.path, str(error)))
            # They would tell whether somebody has the very file.
            for place, (name, member) in enumerate(spot.owner.members.items()):
                if name in ("hash", "size"):
                    start, end = member.value.start, member.value.end
                    self.removed.append(Slot(name, start, end, spot.slot.members, place))

    def _whole(self, text: str, spot: _Spot, label: str, part: str = "") -> None:
        """Add an identifier; titles before a name are none of it."""
        before = title_of(text) if label in _NAMES and not part else ""
        self._add(StringPlace(text[len(before) :], spot.slot, before), spot, label, part)

    def _add(self, place: Place, spot: _Spot, label: str = "", part: str = "") -> None:
        self.found.append(Found(place, spot.scope, spot.path, label, part))
