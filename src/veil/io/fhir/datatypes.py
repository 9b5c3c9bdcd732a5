"""The data types of FHIR R4 about people: references, names, identifiers, ages, links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.io.fhir.attachments import is_attachment
from veil.io.fhir.elements import Kind, elements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.io.json_raw import Value


_LITERAL = re.compile(
    r"(?:^|.*/)(?P<type>[A-Z][A-Za-z]+)/(?P<id>[A-Za-z0-9.\-]{1,64})(?:/_history/.*)?$"
)
_URN = re.compile(r"urn:(?:uuid|oid):", re.IGNORECASE)
# Elements that refer to the patient, the most reliable first.
_SUBJECTS = ("patient", "subject", "beneficiary", "individual", "for")
PATIENT = "Patient"
PEOPLE = frozenset({PATIENT, "Practitioner", "RelatedPerson", "Person"})
"""Resources of people."""


def normal(reference: str) -> str:
    """A reference without server and version: "Patient/17"; others are unchanged."""
    literal = _LITERAL.match(reference)
    return f"{literal['type']}/{literal['id']}" if literal else reference


def target_type(value: Value) -> str:
    """The type of the resource that a reference points to, or "" if it is not given."""
    literal = _LITERAL.match(value.string("reference"))
    if literal:
        return literal["type"]
    conditional = re.match(r"(?:.*/)?([A-Z][A-Za-z]+)\?", value.string("reference"))
    return conditional[1] if conditional else value.string("type")


def own_reference(resource: Value) -> str:
    """The reference to a resource: "Patient/17"; empty if it has no id."""
    kind, name = resource.string("resourceType"), resource.string("id")
    return f"{kind}/{name}" if kind and name else ""


def bare_id(reference: str) -> str:
    """The id of a patient in a reference: 17 of "Patient/17"; of a URN its last part."""
    kind, slash, name = reference.partition("/")
    if slash and kind == PATIENT:
        return name
    return _URN.sub("", reference)


def subject_of(resource: Value) -> str:
    """The reference to the patient of a resource, or nothing.

    An identifier is used if there is no reference.
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


_KANA = re.compile(r"[\u3040-\u30ff\uff66-\uff9f\s・ー]+")
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_NAME_KEYS = frozenset({"family", "given", "text", "prefix", "suffix"})
_TITLE = re.compile(
    r"(?:(?:Dr|Dra|Prof|Mr|Mrs|Ms|Miss|Sr|Sra|Srta|Dña|Doktor|Doctor|Professor|Herr|Fru)\b\.?\s+)+"
    r"(?=\S|$)"
)
_AFFIXES = ("prefix", "suffix")
_DEGREES = re.compile(r"(?:[A-Za-z\u00c0-\u00ff]{1,5}\b[.,\-()/]*\s*)*|[様殿氏君]|先生|さん")
# The values that get the label of an extension's name; objects have their own labels.
_SINGLE = (Kind.TEXT, Kind.NUMBER, Kind.DATE, Kind.CODE)
# Extensions that contain the name of a person.
_NAME_EXTENSION = re.compile(r"mothersMaidenName$|/humanname-")


class Label(NamedTuple):
    """A label, and the part of a name."""

    name: str
    part: str = ""


class NameParts(NamedTuple):
    """A person's name in its parts."""

    full: str
    first: tuple[str, ...]
    last: str

    @property
    def is_reading(self) -> bool:
        """Whether the name is in kana, the reading of a name in kanji."""
        return _KANA.fullmatch(self.full) is not None


def whole_members(value: Value, key: str, resource: str) -> dict[str, Label]:
    """The members of an object that are identifiers as a whole, by its datatype.

    `key` is the element whose value is the object; empty for a resource.
    """
    tables = elements()
    person = tables.people.get(resource, "NAME")
    labels: dict[str, Label] = {}
    if not key and resource in tables.names:
        labels = {name: Label(tables.names[resource]) for name in ("name", "alias")}
    elif is_human_name(key, value):
        labels = {
            "family": Label(person, "last"),
            "given": Label(person, "first"),
            "text": Label(person),
        }
        labels |= {name: Label(person) for name in _AFFIXES if not _are_titles(value.all(name))}
    elif key == "contact" and not holds_objects(value.get("name")):
        labels = {"name": Label(person)}  # a ContactDetail, whose name is a string
    elif is_address(key):
        labels = {name: Label(label) for name, label in tables.address.items()}
    elif is_contact_point(key):
        labels = {"value": Label(contact_label(value))}
    elif is_identifier(key, value):
        labels = {"value": Label(identifier_label(value, resource))}
    elif _NAME_EXTENSION.search(value.string("url")):
        labels = {"valueString": Label(person, "last")}
    elif hint := _hint(key, value):
        values = (name for name in value.members if name.startswith("value"))
        labels = {name: Label(hint) for name in values if tables.kind(name) in _SINGLE}
    if not key and resource in tables.people and not holds_objects(value.get("name")):
        labels["name"] = Label(person)
    if "display" in value.members and not is_coding(value):
        target = target_type(value)
        shown = tables.displays.get(target) if target else tables.untyped.get(key)
        if shown:
            labels["display"] = Label(shown)
    return labels


def _are_titles(values: list[Value]) -> bool:
    """Whether the prefixes or suffixes of a name have the form of titles and degrees."""
    return all(is_title(scalar(value)) for value in values)


def is_title(text: str) -> bool:
    """Whether a string has the form of titles and degrees."""
    return bool(_TITLE.fullmatch(f"{text} ") or _DEGREES.fullmatch(text))


def _hint(key: str, value: Value) -> str:
    """The label of a value by the url of its extension or the name of its parameter."""
    named = {"extension": "url", "modifierExtension": "url", "parameter": "name", "part": "name"}
    name = value.string(named.get(key, ""))
    return elements().hint(re.split("[/#:]", name)[-1]) if name else ""


def holds_objects(value: Value | None) -> bool:
    """Whether a value is an object, or an array with one."""
    return value is not None and any(isinstance(each.content, dict) for each in value.elements)


def scalar(value: Value | None) -> str:
    """The text of a string or the written form of a number; empty for other values."""
    return value.content if value and isinstance(value.content, str) else ""


def is_human_name(key: str, value: Value) -> bool:
    return (key == "name" or key.endswith("HumanName")) and bool(_NAME_KEYS & value.members.keys())


def is_address(key: str) -> bool:
    return key == "address" or key.endswith("Address")


def is_contact_point(key: str) -> bool:
    return key == "telecom" or key.endswith("ContactPoint")


def is_identifier(key: str, value: Value) -> bool:
    named = key.endswith(("dentifier", "dentifiers")) or key in ("requisition", "reference")
    return named and "value" in value.members


def is_coding(value: Value) -> bool:
    """Whether a value with a display is a code, not a reference."""
    return bool({"code", "system"} & value.members.keys())


def is_public_code(value: Value) -> bool:
    """Whether a value is a code of a terminology, whose displays do not name people."""
    system = value.string("system").replace("https://", "http://", 1)
    return system.startswith(elements().terminologies)


def is_east_asian(text: str) -> bool:
    """Whether there is kanji or kana in a text."""
    return _EAST_ASIAN.search(text) is not None


def name_parts(value: Value) -> NameParts:
    """The parts of a HumanName; the full name is composed if it is not given."""
    first = tuple(filter(None, map(scalar, value.all("given"))))
    last = scalar(value.get("family"))
    full = scalar(value.get("text"))
    if not full:
        family_first = is_east_asian(last)
        full = " ".join(filter(None, (last, *first) if family_first else (*first, last)))
    return NameParts(full, first, last)


def title_of(name: str) -> str:
    """The title before a name: "Dr. " of "Dr. Bo Ek"."""
    title = _TITLE.match(name)
    return title[0] if title else ""


def address_parts(value: Value) -> Iterator[tuple[str, str]]:
    """The labels and texts of an Address."""
    for key, label in elements().address.items():
        yield from ((label, scalar(part)) for part in value.all(key))


def contact_label(value: Value) -> str:
    return elements().telecom.get(value.string("system"), "CONTACT")


def identifier_label(value: Value, resource: str) -> str:
    """The label of an Identifier: by its type, its system, or its resource."""
    tables = elements()
    for code in _codes(value, "type"):
        if label := tables.identifier_types.get(code):
            return label
    return system_label(value.string("system")) or tables.identifiers.get(resource, "IDNUM")


def _codes(value: Value, key: str) -> list[str]:
    """The codes of a CodeableConcept."""
    concept = value.get(key)
    return [coding.string("code") for coding in concept.all("coding")] if concept else []


def system_label(system: str) -> str:
    """The label of identifiers in a system, or nothing."""
    found = (label for key, label in elements().identifier_systems.items() if key in system)
    return next(found, "")


_OLDEST = 89
_RANGES = frozenset("ageRange onsetRange abatementRange deceasedRange performedRange".split())
_AGE = re.compile(r"(?:^|[/\-_.#])age(?![a-z])|[a-z]Age(?![a-z])")
_NUMBER = re.compile(r"\s*(\d{1,6}(?:\.\d+)?)")
_PER_YEAR = ((re.compile(r"mo", re.IGNORECASE), 12), (re.compile(r"w", re.IGNORECASE), 52.18))
_DAYS = re.compile(r"d|h|min|s", re.IGNORECASE)


def tells_age(value: Value, key: str) -> bool:
    """Whether the numbers of an object are ages: by its element, extension or code."""
    if key.endswith("Age") or key in _RANGES:
        return True
    if key in ("extension", "modifierExtension") and _AGE.search(value.string("url")):
        return True
    if key == "parameter" and _AGE.search(value.string("name")):
        return True
    return not elements().age_codes.isdisjoint(_codes(value, "code"))


def over_89(text: str, quantity: Value) -> bool:
    """Whether a number, in the unit of its quantity, is an age of more than 89 years."""
    number = _NUMBER.match(text)
    if not number:
        return False
    years = float(number[1])
    unit = quantity.string("code") or quantity.string("unit")
    if _DAYS.match(unit):
        years /= 365.25
    for pattern, per_year in _PER_YEAR:
        if pattern.match(unit):
            years /= per_year
    return _OLDEST < int(years)


_LINKS = frozenset({"reference", "url", "uri", "fullUrl", "ifNoneExist", "location", "criteria"})
# A search parameter; those for codes, ids and the form of results do not name people.
_SEARCH = re.compile(
    r"(?:^|[?&])(?!(?:_id|_count|_sort|_format|_summary|_elements|_include|_revinclude|_profile|_total"
    r"|_type|_pretty|_getpages\w*|_bundletype|page|code|status|type|class|category|intent|gender|active"
    r"|patient|subject|encounter|performer|practitioner|organization|location|kind|url|version|intent"
    r"|clinical-status|verification-status)(?::[\w\-]+)?=)"
    r"[\w:.\-]+=(?P<system>[^&|]*\|)?(?P<value>[^&]+)"
)
_NO_LINK = re.compile(r"[\s@]|^(?:mailto|tel|data|javascript):", re.IGNORECASE)
# With a scheme or a path; other links can also be one word: ombCategory, phone.
_REFERENCE = re.compile(r"#.*|[A-Za-z/].*[/:?].*")
_LINK = re.compile(rf"{_REFERENCE.pattern}|[a-z][\w.\-]*", re.ASCII)
_BINARY = re.compile(r"(?:.*/)?Binary/[A-Za-z0-9.\-]+(?:/_history/.*)?")


def is_link(text: str, key: str) -> bool:
    """Whether a string has the form of a link."""
    form = _REFERENCE if key == "reference" else _LINK
    return not _NO_LINK.search(text) and form.fullmatch(text) is not None


class LinkPart(NamedTuple):
    """The identifier in a link, its label, and the text around it."""

    before: str
    text: str
    after: str
    label: str


def identifying_part(text: str, key: str, owner: Value) -> LinkPart | None:
    """The part of a link that names a person, if there is one.

    If a search has several such parts, everything from the first to the end is one part.
    """
    if key not in _LINKS:
        return None
    searches = list(_SEARCH.finditer(text)) if "?" in text or key == "ifNoneExist" else []
    if searches:
        start, end = searches[0].span("value")
        if len(searches) > 1:
            end = len(text)
        label = system_label(searches[0]["system"] or "") or "IDNUM"
        return LinkPart(text[:start], text[start:end], text[end:], label)
    if key == "url" and is_attachment(owner) and not _BINARY.fullmatch(text):
        return LinkPart("", text, "", "URL")
    return None
