"""Walk through a resource: every string that could name a person becomes an element to mask."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from veil.io.fhir.attachments import (
    UnmaskableError,
    attachment_element,
    is_attachment,
    is_content_type,
    well_formed,
)
from veil.io.fhir.datatypes import (
    PEOPLE,
    Label,
    holds_objects,
    identifying_part,
    is_coding,
    is_link,
    is_public_code,
    normal,
    over_89,
    own_reference,
    scalar,
    subject_of,
    target_type,
    tells_age,
    title_of,
    whole_members,
)
from veil.io.fhir.elements import Kind, elements
from veil.io.fhir.rendering import (
    DateElement,
    ElementSlot,
    MarkupElement,
    NumberElement,
    StringElement,
)
from veil.io.json_raw import JsonNumber
from veil.io.markup import Markup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.io.fhir.rendering import Element
    from veil.io.json_raw import Value

Path = tuple[str, ...]

_TIME = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?P<time>T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?")
_BLANK = re.compile(r"\s")
_LETTER_OR_DIGIT = re.compile(r"\w")
_NAMES = frozenset({"PATIENT", "DOCTOR", "NAME"})
_GEOLOCATION = re.compile(r"(?:^|/)(?:geolocation|latitude|longitude)$")
_NUMBER_OR_BOOLEAN = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false")
_FEWEST_DIGITS = 6  # shorter numbers are shared by many people, or are measurements
_LONG_NUMBER = re.compile(r"[A-Za-z]{0,3}[\d\s/\-]+[A-Za-z]?")
_CODE = re.compile(r"[a-z][a-z\d\-]*|[A-Z][A-Z\d_\-]*|[<>=!]+", re.ASCII)
_SAMPLE = r"(?:[+\-]?\d+(?:\.\d+)?|[EUL])"
# The required form of elements; FHIR's own codes do not look like names.
_FORMS = {
    "id": re.compile(r"[!-.0-?A-~]{1,255}"),
    "data": re.compile(rf"\s*{_SAMPLE}?(?:\s+{_SAMPLE})*\s*"),
    "versionId": re.compile(r"[A-Za-z\d.\-]{1,64}"),
    "hash": re.compile(r"(?!)"),  # only an attachment has a hash
    "gender": re.compile(r"[mfuox]|male|female|other|unknown", re.IGNORECASE),
    "language": re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z\d]{1,8})*"),
    "dimensions": re.compile(r"\d{1,3}"),
    **dict.fromkeys(
        ("status", "use", "intent", "mode", "comparator", "priority", "relation"), _CODE
    ),
}
# What looks like a number, address or date of a person: 418-36-5927, 19480312-1234, 03/05/1919.
_TELLING = re.compile(r"@|\d{2,}[-+]\d{2,}[-+]?\d{4}|\d{1,4}[./]\d{1,2}[./]\d{1,4}")
# A string that is a code or time of day rather than a name: in-progress, ACM, 08:00:00.
_PLAIN = re.compile(r"[a-z\d][\w.:/+\-]*|[A-Z][A-Z\d_.:/+\-]*", re.ASCII)
_NO_PUBLIC_CODE = re.compile(
    r"[@\s]|[^\x00-\x7f]|\d{2,}[-+]\d{2,}[-+]?\d{4}|\d{1,4}/\d{1,2}/\d{1,4}|^[A-Z][a-z]{4,}$"
)
_WITH_BLANKS = frozenset({"unit", "version", "expression", "path", "criteria", "payloadMimeType"})
_TIME_OF_DAY = re.compile(r"\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?")
# Elements that may hold a number of many digits.
_LARGE = frozenset(
    "code id version versionId value total factor factorOverride lowerLimit upperLimit windowStart"
    " windowEnd score readCoverage valueInteger valueDecimal".split()
)
# Removed under every policy: pictures, barcodes, and signatures, which become invalid once a text
# has changed.
_REMOVED = frozenset("photo signature carrierAIDC latitude longitude altitude".split())
_LINK_TYPES = ("Uri", "Url", "Canonical", "Oid", "Uuid")


class UndecidedError(Exception):
    """The reason why a resource cannot be searched for people; the message quotes none of it."""


class Link(NamedTuple):
    """A reference to another resource: its type, target, display, and the label of the display."""

    kind: str
    reference: str
    shown: str
    label: str


@dataclass(eq=False)
class Scope:
    """The resource of an element: its patient, and the other people named in it."""

    kind: str
    reference: str
    subject: str
    language: str | None
    links: list[Link] = field(default_factory=list, repr=False)
    people: list[Value] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class FoundElement:
    """An element, its position, and its label if it is an identifier as a whole.

    An element that looks like a code is not searched.
    """

    element: Element
    scope: Scope
    path: Path
    label: str = ""
    part: str = ""
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class _Spot:
    """The position of the walk: a value of an object (`owner`), whose members may have labels.

    `of_age` is true if numbers there are ages.
    """

    scope: Scope
    path: Path
    slot: ElementSlot
    owner: Value
    labels: Mapping[str, Label]
    kind: Kind
    of_age: bool


class Walk:
    """Walks through a resource and collects texts, removed elements and problems.

    `words` are elements of single words and numbers, which are usually codes and measurements.
    """

    def __init__(self) -> None:
        self.found: list[FoundElement] = []
        self.words: list[FoundElement] = []
        self.masked: list[ElementSlot] = []
        self.removed: list[ElementSlot] = []
        self.problems: list[tuple[Path, str]] = []
        self.unknown: list[Path] = []
        self._tables = elements()

    def resource(
        self, value: Value, path: Path = (), outer: Scope | None = None, full_url: str = ""
    ) -> None:
        """Walk through a resource; contained resources have the patient of the outer one."""
        kind = value.string("resourceType")
        if kind not in self._tables.resources and (path or "resourceType" in value.members):
            raise UndecidedError("a resource of a type that FHIR R4 does not define")
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

    def _object(
        self, value: Value, path: Path, scope: Scope, key: str = "", *, of_age: bool = False
    ) -> None:
        """Walk through the members of an object."""
        members = value.members
        extents = tuple(member.extent for member in members.values())
        labels = whole_members(value, key, scope.kind)
        if "reference" in members or "display" in labels:
            label = labels["display"].name if "display" in labels else ""
            reference = normal(value.string("reference"))
            scope.links.append(Link(target_type(value), reference, value.string("display"), label))
        of_age |= tells_age(value, key)
        with_data = is_attachment(value) and not _is_structure(value)
        for index, (name, member) in enumerate(members.items()):
            inner = member.value
            slot = ElementSlot(name, inner.start, inner.end, extents, index, f"_{name}" in members)
            kind = self._tables.kind(name)
            if kind is None or not (key or self._tables.belongs(name, scope.kind)):
                self.removed.append(slot)
                self.unknown.append((*path, "?"))
                continue
            spot = _Spot(scope, (*path, name), slot, value, labels, kind, of_age)
            if _is_removed(name, scope.kind):
                self.removed.append(slot)
            elif with_data and name in ("size", "hash"):
                if not well_formed(value, name):
                    self.removed.append(slot)
            elif (
                kind is Kind.BYTES or (with_data and name == "data") or _is_query(name, scope.kind)
            ):
                self._data(spot)
            else:
                self._values(inner, spot)

    def _values(self, value: Value, spot: _Spot) -> None:
        """Walk through the elements of an array, or visit a single value."""
        if not isinstance(value.content, list):
            self._value(value, spot)
            return
        extents = tuple((each.start, each.end) for each in value.elements)
        for number, each in enumerate(value.elements):
            slot = replace(
                spot.slot, start=each.start, end=each.end, elements=extents, element=number
            )
            inside = replace(spot, slot=slot, path=(*spot.path[:-1], f"{spot.path[-1]}[{number}]"))
            if isinstance(each.content, list):
                self._leave_out(inside, "an array in an array, which FHIR does not allow")
            else:
                self._value(each, inside)

    def _value(self, value: Value, spot: _Spot) -> None:
        key = spot.slot.key
        label = spot.labels.get(key) or _label(self._tables.whole.get(key))
        if value.members:
            self._inner(value, spot, is_single=label is not None)
            return
        text = scalar(value)
        label = label or self._label_of_scalar(spot)
        if not text:
            return
        if spot.kind is Kind.DATE:
            self._date(text, spot)
        elif label:
            self._whole(text, spot, *label)
        elif spot.of_age and key.startswith("value") and over_89(text, spot.owner):
            self._add(NumberElement(text, spot.slot), spot, "AGE")
        elif self._is_number_of_person(text, spot):
            self._whole(text, spot, "IDNUM")
        elif isinstance(value.content, JsonNumber):
            self._number(text, spot)
        else:
            self._string(text, spot)

    def _inner(self, value: Value, spot: _Spot, *, is_single: bool) -> None:
        """Walk through an object inside another object."""
        key = spot.slot.key
        if is_single or (spot.kind is Kind.DATE and key != "event"):
            self._leave_out(spot, "an object instead of a string")
        elif "resourceType" in value.members:
            self.resource(value, spot.path, spot.scope, spot.owner.string("fullUrl"))
        elif key == "contained" or (
            key == "resource" and spot.scope.kind in ("", "Bundle", "Parameters")
        ):
            raise UndecidedError("a resource without a resourceType")
        elif key == "extension" and _GEOLOCATION.search(value.string("url")):
            self.removed.append(spot.slot)
        else:
            self._object(value, spot.path, spot.scope, key, of_age=spot.of_age)

    def _label_of_scalar(self, spot: _Spot) -> Label | None:
        """The label of a string or number that stands for an object about a person."""
        key, tables = spot.slot.key, self._tables
        if key == "address" and spot.scope.kind in tables.addresses:
            return _label(tables.addresses[spot.scope.kind])
        if spot.kind is Kind.STRUCTURE and key in tables.untyped:
            return _label(tables.untyped[key])
        return _label(tables.scalars.get(key))

    def _is_number_of_person(self, text: str, spot: _Spot) -> bool:
        """Whether a value in a person's resource is a long number, so not a measurement."""
        return (
            spot.scope.kind in self._tables.people
            and spot.slot.key.startswith("value")
            and _LONG_NUMBER.fullmatch(text) is not None
            and _FEWEST_DIGITS <= sum(map(str.isdecimal, text))
        )

    def _string(self, text: str, spot: _Spot) -> None:
        """Add a string as markup, a code, a date, or text to search."""
        key = spot.slot.key
        if key == "div":
            markup = Markup(text)
            element = MarkupElement(markup.text, spot.slot, markup, altered=markup.altered)
            self._add(element, spot)
            return
        part = identifying_part(text, key, spot.owner)
        if part:
            named = StringElement(part.text, spot.slot, part.before, part.after)
            self._add(named, spot, part.label)
            return
        if spot.kind is Kind.STRUCTURE:
            self._leave_out(spot, "a string instead of an object")
            return
        if spot.kind is Kind.NUMBER:
            if _NUMBER_OR_BOOLEAN.fullmatch(text):
                self._number(text, spot)
            else:
                self._leave_out(spot, "a string instead of a number")
            return
        if spot.kind is Kind.CODE:
            self._code(text, spot)
            return
        if key == "display" and is_coding(spot.owner) and is_public_code(spot.owner):
            return
        is_free = spot.kind is Kind.TEXT or key == "display"
        if not is_free and _TIME.fullmatch(text):
            self._date(text, spot)
        elif not _LETTER_OR_DIGIT.search(text):
            return
        elif is_free or _BLANK.search(text):
            self._add(StringElement(text, spot.slot), spot)
        else:
            # Prefixes and suffixes of a name have a label unless they are titles.
            fits = key in ("prefix", "suffix") or is_code(text)
            self._word(StringElement(text, spot.slot), spot, is_code=fits)

    def _number(self, text: str, spot: _Spot) -> None:
        """Keep a number unless it may belong to a person, or is too long for its element."""
        key = spot.slot.key
        is_long = _FEWEST_DIGITS <= sum(map(str.isdecimal, text))
        if spot.kind is Kind.STRUCTURE:
            self._leave_out(spot, "a number instead of an object")
        elif key.endswith("Boolean"):
            self._leave_out(spot, "a number instead of true or false")
        elif spot.kind is Kind.CODE and (key in _LARGE or not is_long):
            self._code(text, spot)
        elif not is_long:
            return
        elif spot.kind is Kind.TEXT and key != "value":
            self._add(StringElement(text, spot.slot), spot)
        elif key in _LARGE or "." in text or spot.scope.kind == "MolecularSequence":
            self._word(NumberElement(text, spot.slot), spot)
        else:
            self._leave_out(spot, "a number with more digits than FHIR has there")

    def _code(self, text: str, spot: _Spot) -> None:
        """Keep a code or link that looks like one; add or leave out the others."""
        key = spot.slot.key
        form = _FORMS.get(key)
        if key in self._tables.links or key.endswith(_LINK_TYPES):
            fits = is_link(text, key)
        elif key == "contentType":
            fits = is_content_type(text)
        elif form:
            fits = form.fullmatch(text) is not None
        else:
            fits = True
            is_code = self._is_code(text, spot)
            if not is_code or _BLANK.search(text):
                self._word(StringElement(text, spot.slot), spot, is_code=is_code)
        if not fits:
            self._leave_out(spot, "a string in another form than FHIR has there")

    def _is_code(self, text: str, spot: _Spot) -> bool:
        """Whether a string looks like a code of its element or its terminology."""
        key = spot.slot.key
        if key == "code" and is_public_code(spot.owner):
            return not _NO_PUBLIC_CODE.search(text)
        if key in _WITH_BLANKS:
            return not _TELLING.search(text)
        return is_code(text) or text in self._tables.resources

    def _date(self, text: str, spot: _Spot) -> None:
        """Add a date in any form; the masked date is written only in a form that FHIR allows."""
        if spot.scope.kind == "MolecularSequence" and text.isdecimal():
            return  # a position in a gene
        time = _TIME.fullmatch(text)
        needs_time = self._tables.is_instant(spot.slot.key, spot.scope.kind)
        if time:
            element = DateElement(time["date"], spot.slot, time["time"] or "", needs_time)
        else:
            element = DateElement(text, spot.slot, "", needs_time)
        self._add(element, spot, "DATE")

    def _data(self, spot: _Spot) -> None:
        """Add the data of an attachment as a text, or leave them out."""
        try:
            self._add(attachment_element(spot.owner, spot.slot), spot)
        except UnmaskableError as error:
            self._leave_out(spot, str(error))
            # Hash and size would identify the file.
            for index, (name, member) in enumerate(spot.owner.members.items()):
                if name in ("hash", "size") and spot.slot.key == "data":
                    start, end = member.value.start, member.value.end
                    self.removed.append(ElementSlot(name, start, end, spot.slot.members, index))

    def _leave_out(self, spot: _Spot, reason: str) -> None:
        self.masked.append(spot.slot)
        self.problems.append((spot.path, reason))

    def _whole(self, text: str, spot: _Spot, label: str, part: str = "") -> None:
        """Add an identifier, without titles before a name."""
        before = title_of(text) if label in _NAMES and not part else ""
        self._add(StringElement(text[len(before) :], spot.slot, before), spot, label, part)

    def _word(self, element: Element, spot: _Spot, *, is_code: bool = True) -> None:
        self.words.append(FoundElement(element, spot.scope, spot.path, is_code=is_code))

    def _add(self, element: Element, spot: _Spot, label: str = "", part: str = "") -> None:
        self.found.append(FoundElement(element, spot.scope, spot.path, label, part))


def is_code(text: str) -> bool:
    """Whether a string without blanks looks like a code rather than a name or number."""
    if _TIME_OF_DAY.fullmatch(text):
        return True
    is_short = sum(map(str.isdecimal, text)) < _FEWEST_DIGITS
    return is_short and _PLAIN.fullmatch(text) is not None and not _TELLING.search(text)


def _label(name: str | None) -> Label | None:
    return Label(name) if name else None


def _is_removed(name: str, resource: str) -> bool:
    is_position = name == "position" and resource == "Location"
    return is_position or name in _REMOVED or name.endswith("Signature")


def _is_query(name: str, resource: str) -> bool:
    """Whether an element is the query of an AuditEvent, which is in base64."""
    return name == "query" and resource == "AuditEvent"


def _is_structure(value: Value) -> bool:
    """Whether the data of an object are objects and not those of an attachment."""
    return "contentType" not in value.members and holds_objects(value.get("data"))
