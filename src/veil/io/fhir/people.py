"""The people of a file: the values in their resources, and the words that name them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from veil.io.fhir.datatypes import (
    PATIENT,
    PEOPLE,
    NameParts,
    address_parts,
    bare_id,
    contact_label,
    identifier_label,
    is_east_asian,
    name_parts,
    own_reference,
    scalar,
    subject_of,
    title_of,
)
from veil.io.fhir.elements import elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.io.fhir.walk import Scope
    from veil.io.json_raw import Value

    Known = dict[str, list[str]]
    """Values by the fields of `veil.detect.known.Known`."""


_FULL_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST = 200  # a longer value is not a name, number or address
_FEW = 100  # up to this many practitioners are known in a whole file
# The field of known values for the display of a reference, by its label.
_SHOWN = {"PATIENT": "names", "DOCTOR": "doctors", "NAME": "doctors", "HOSPITAL": "hospitals"}


class FhirPeople:
    """The people with a resource in a file, by reference.

    The values are stored as bytes, some hundred for each person.
    """

    def __init__(self) -> None:
        self._patients: dict[str, bytes] = {}
        self._doctors: dict[str, bytes] = {}
        self._relatives: defaultdict[str, list[str]] = defaultdict(list)
        self._aliases: dict[str, str] = {}

    def copy(self) -> FhirPeople:
        """A copy, to which other people can be added."""
        people = FhirPeople()
        people._patients.update(self._patients)
        people._doctors.update(self._doctors)
        people._aliases.update(self._aliases)
        for patient, names in self._relatives.items():
            people._relatives[patient] += names
        return people

    def add(self, resource: Value, full_url: str = "") -> None:
        """Add the people of a resource, or of the resources in a bundle."""
        kind = resource.string("resourceType")
        reference = own_reference(resource) or full_url
        if kind in PEOPLE and reference:
            if full_url:
                self._aliases[full_url] = reference
            self._add_person(kind, reference, resource)
        for entry in resource.all("entry") if kind == "Bundle" else ():
            inner = entry.get("resource")
            if inner:
                self.add(inner, entry.string("fullUrl"))

    def _add_person(self, kind: str, reference: str, person: Value) -> None:
        known = known_of(person)
        if kind == PATIENT:
            self._patients[reference] = _packed(known)
        elif kind == "Practitioner":
            self._doctors[reference] = _packed(known)
        elif subject := subject_of(person):
            self._relatives[subject] += known.get("relatives", [])

    def patient(self, reference: str) -> str:
        """The id of the patient that a reference points to."""
        return bare_id(self._aliases.get(reference, reference))

    @property
    def only_patient(self) -> str:
        """The reference to the patient if the file has exactly one, or nothing."""
        return next(iter(self._patients)) if len(self._patients) == 1 else ""

    def known(self, scope: Scope) -> Known:
        """The known values for the texts of a resource."""
        subject = scope.subject or self.only_patient
        alias = self._aliases.get(subject, subject)
        known = [_unpacked(self._patients.get(alias))]
        known += [{"relatives": self._relatives.get(name, [])} for name in (subject, alias)]
        if len(self._doctors) <= _FEW:
            known += map(_unpacked, self._doctors.values())
        for link in scope.links:
            field = "relatives" if link.kind == "RelatedPerson" else _SHOWN.get(link.label)
            if field:
                known.append({field: [link.shown[len(title_of(link.shown)) :]]})
            reference = self._aliases.get(link.reference, link.reference)
            known.append(_unpacked(self._doctors.get(reference)))
        known += map(known_of, scope.people)
        return _joined(known)


def known_of(person: Value) -> Known:
    """The values in the resource of a person, by the fields of known values."""
    kind = person.string("resourceType")
    if kind == PATIENT:
        return _known_of_patient(person)
    field = "doctors" if kind == "Practitioner" else "relatives"
    return _joined([{field: [parts.full for parts in _names(person)]}])


def _known_of_patient(patient: Value) -> Known:
    known = defaultdict[str, list[str]](list)
    for parts in _names(patient):
        if parts.is_reading:
            known["readings"].append(parts.full)
        else:
            known["names"].append(parts.full)
            known["first_names"] += parts.first
            known["last_names"].append(parts.last)
    if _FULL_DATE.fullmatch(patient.string("birthDate")):
        known["birth_dates"].append(patient.string("birthDate"))
    for label, text in _labelled(patient):
        field = elements().known.get(label)
        if field:
            known[field].append(text)
    for contact in patient.all("contact"):
        known["relatives"] += [parts.full for parts in _names(contact)]
        known["phones"] += [text for label, text in _labelled(contact) if label == "PHONE"]
    return _joined([known])


def _names(person: Value) -> Iterator[NameParts]:
    for name in person.all("name"):
        if name.members:
            yield name_parts(name)
        elif scalar(name):
            yield NameParts(scalar(name), (), "")


def _labelled(person: Value) -> Iterator[tuple[str, str]]:
    """Numbers and addresses of a person with their labels."""
    kind = person.string("resourceType")
    for identifier in person.all("identifier"):
        yield identifier_label(identifier, kind), scalar(identifier.get("value"))
    for contact in person.all("telecom"):
        yield contact_label(contact), scalar(contact.get("value"))
    for address in person.all("address"):
        yield from address_parts(address)


def _joined(values: Iterable[Known]) -> Known:
    """Merge several known values, without duplicates."""
    joined = defaultdict[str, dict[str, None]](dict)
    for known in values:
        for field, texts in known.items():
            joined[field].update(dict.fromkeys(filter(_is_usable, texts)))
    return {field: list(texts) for field, texts in joined.items() if texts}


def _is_usable(text: str) -> bool:
    return 0 < len(text) <= _LONGEST


def _packed(known: Known) -> bytes:
    return json.dumps(known, ensure_ascii=False).encode("utf-8", errors="replace")


def _unpacked(packed: bytes | None) -> Known:
    known: Known = json.loads(packed) if packed else {}
    return known


_NAMES = {
    "names": "PATIENT",
    "first_names": "PATIENT",
    "last_names": "PATIENT",
    "readings": "PATIENT",
    "relatives": "PATIENT",
    "doctors": "DOCTOR",
}
_LETTERS = re.compile(r"[^\W\d_]+")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_SHORTEST = 3  # shorter words are more often codes than names
_SHORTEST_EAST_ASIAN = 2
_SHORTEST_NUMBER_INSIDE = 6  # shorter numbers occur in other numbers by chance


class NamingWords:
    """The words and numbers that name the people of a resource, with their labels."""

    def __init__(self, known: Known) -> None:
        self._words: dict[str, str] = {}
        self._short: dict[str, str] = {}  # in their exact case: Ek
        self._values: dict[str, str] = {}
        for field, label in _NAMES.items():
            for name in known.get(field, ()):
                for word in filter(_is_telling, _words(name)):
                    self._words.setdefault(word, label)
                for word in _LETTERS.findall(name):
                    if word.istitle() and 1 < len(word) < _SHORTEST:
                        self._short.setdefault(word, label)
        for label, field in elements().known.items():
            for value in known.get(field, ()):
                if _is_telling(plain := _plain(value)):
                    self._values.setdefault(plain, label)

    def label(self, text: str) -> str:
        """The label of a string that is or contains such a word or number, else nothing."""
        words = [word for word in _words(text) if word in self._words]
        words += [word for word in self._words if is_east_asian(word) and word in text]
        if words:
            return self._words[words[0]]
        plain = _plain(text)
        label = self._short.get(text) or self._values.get(plain)
        if label:
            return label
        for value, label in self._values.items():
            is_number = any(character.isdecimal() for character in value)
            if is_number and _SHORTEST_NUMBER_INSIDE <= len(value) and value in plain:
                return label
        return ""


def _words(text: str) -> Iterator[str]:
    """The words of a text, including the parts of `LindgrenStudy`."""
    for letters in _LETTERS.findall(text):
        start = 0
        for index in range(1, len(letters)):
            if letters[index - 1].islower() and letters[index].isupper():
                yield letters[start:index].casefold()
                start = index
        yield letters[start:].casefold()
        if start:
            yield letters.casefold()  # McDonald is one word


def _is_telling(word: str) -> bool:
    return (_SHORTEST_EAST_ASIAN if is_east_asian(word) else _SHORTEST) <= len(word)


def _plain(text: str) -> str:
    return _NO_LETTER_OR_DIGIT.sub("", text).casefold()
