"""Walk through a CDA document to find texts and attributes that name people."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.document import KNOWN, PART, PATIENT, ROW, WHOLE, YEARS, Document
from veil.core.errors import RecordError
from veil.core.toml import read_toml
from veil.io.base import FileWriter, Item, row_of, with_context
from veil.io.fhir.datatypes import NameParts, is_east_asian, is_title, system_label
from veil.io.fhir.elements import elements as fhir_elements
from veil.io.fhir.people import NamingWords
from veil.io.fhir.walk import is_code
from veil.io.files import reading
from veil.io.weave import Canvas, RunText, Woven
from veil.io.xml_raw import (
    XmlElement,
    XmlError,
    XmlText,
    decode_xml,
    parse_xml,
    write_attribute,
    write_cdata,
    write_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from veil.core.encodings import Decoded
    from veil.io.base import Source
    from veil.io.xml_raw import Attribute, XmlSource

_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_TYPE = f"{{{_XSI}}}type"
_PLAIN_INSTRUCTION = re.compile(
    r"<\?xml(?:\s+(?:version|encoding|standalone)=[\"'][\w.\-]+[\"'])*\s*\?>"
    r"|<\?xml-stylesheet(?:\s+(?:type|href)=[\"'][\w./\-]+\.?[\w]*[\"'])*\s*\?>"
)
_TIMESTAMP = re.compile(
    r"(?P<date>\d{4}(?:(?:0[1-9]|1[0-2])(?:[0-3]\d)?)?)"
    r"(?P<rest>(?:\d{2}(?:\d{2}(?:\d{2}(?:\.\d{1,6})?)?)?)?(?:[+-]\d{4})?)"
)
_FULL_DAY = re.compile(
    r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d(?:\d{2,6}(?:\.\d+)?)?(?:[+-]\d{4})?"
)
_NUMBER = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
_OID_OR_UUID = re.compile(r"[0-2](?:\.\d+)+|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z]+):(?P<rest>.*)", re.DOTALL)
# Attributes with CDA vocabulary; their value is kept if it has this form.
_FORM = re.compile(
    r"xmlns(?::.*)?|ID|IDREF|referencedObject|styleCode|border|width|height|align|valign|char|charoff"
    r"|span|rowspan|colspan|cellpadding|cellspacing|frame|rules|scope|headers|listType"
    r"|mediaType|representation|compression|use|nullFlavor|classCode|typeCode|moodCode|determinerCode"
    r"|contextControlCode|contextConductionInd|language|partType|operator|unit|currency|qualifier"
    r"|institutionSpecified|inclusive|unsorted|independentInd|negationInd|displayable|codeSystemVersion"
)
_FORM_VALUE = re.compile(r"[^\s@]{1,80}(?: [^\s@]{1,40}){0,8}")
_LOCATION = f"{{{_XSI}}}schemaLocation"


@dataclass(frozen=True)
class _Tables:
    namespaces: frozenset[str]
    names: frozenset[str]
    address: Mapping[str, str]
    roles: Mapping[str, str]
    names_of: Mapping[str, str]
    ids_of: Mapping[str, str]
    numbers: Mapping[str, str]
    telecom: Mapping[str, str]
    inline: frozenset[str]
    cells: frozenset[str]
    systems: tuple[str, ...]


@cache
def _tables() -> _Tables:
    data = read_toml(Path(__file__).with_name("elements.toml"))
    return _Tables(
        namespaces=frozenset(data["namespaces"]),
        names=frozenset(data["names"].split()),
        address=data["address"],
        roles=data["roles"],
        names_of=data["names_of"],
        ids_of=data["ids_of"],
        numbers=data["numbers"],
        telecom=data["telecom"],
        inline=frozenset(data["narrative"]["inline"]),
        cells=frozenset(data["narrative"]["cells"]),
        systems=tuple(data["public"]["systems"]),
    )


class DocumentWriter(FileWriter):
    """Writes a document in its own encoding."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        self._file.write(item.payload.encode(texts))
        self.has_written = True


@dataclass(frozen=True)
class _Payload:
    woven: Woven = field(repr=False)
    decoded: Decoded = field(repr=False)

    def encode(self, texts: Sequence[str]) -> bytes:
        text = self.woven.render(texts)
        # Characters that the encoding lacks are written as references.
        return self.decoded.mark + text.encode(self.decoded.encoding, "xmlcharrefreplace")


def read_document(source: Source) -> Iterator[Item | RecordError]:
    """Yield the item of a document, and an error for the parts that were left out."""
    file = source.file
    with reading(file):
        data = file.read_bytes()
    try:
        decoded = decode_xml(data)
        xml = parse_xml(decoded.text)
    except XmlError as error:
        raise RecordError(str(error), path=file) from None
    walk = _Walk(xml)
    if xml.root.name != "ClinicalDocument" or xml.root.namespace not in _tables().namespaces:
        raise RecordError("XML that is not a ClinicalDocument of HL7 v3", path=file)
    walk.document()
    yield Item(
        with_context(walk.documents(source.id)),
        _Payload(walk.canvas.woven([found.text for found in walk.found]), decoded),
    )
    if walk.left_out:
        parts = ", ".join(f"{count} {what}" for what, count in sorted(walk.left_out.items()))
        yield RecordError(f"left out: {parts}", record=source.id, path=file)


@dataclass(eq=False)
class _Found:
    text: RunText
    path: str
    language: str | None
    label: str = ""
    part: str = ""


@dataclass(frozen=True)
class _Place:
    """The position of the walk: the path of names, the person of the values, and the language."""

    path: tuple[str, ...]
    role: str
    language: str | None
    is_time: bool = False

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def parent(self) -> str:
        return self.path[-2] if len(self.path) > 1 else ""


class _Walk:
    """Walks through a document and collects its texts and the parts that are left out."""

    def __init__(self, xml: XmlSource) -> None:
        self._xml = xml
        self._tables = _tables()
        self.canvas = Canvas(xml.text)
        self.found: list[_Found] = []
        self.left_out: Counter[str] = Counter()
        self._codes: list[_Found] = []
        self._known: defaultdict[str, list[str]] = defaultdict(list)
        self._patient = ""

    def document(self) -> None:
        for aside in self._xml.asides:
            raw = self._xml.text[aside.start : aside.end]
            if aside.is_comment:
                self.canvas.replace(aside.start, aside.end)
            elif not _PLAIN_INSTRUCTION.fullmatch(raw):
                self.canvas.replace(aside.start, aside.end)
                self.left_out["processing instruction(s)"] += 1
        root = self._xml.root
        self._element(root, _Place((root.name,), "", None))
        words = NamingWords(self.known)
        for code in self._codes:
            label = words.label(code.text.text)
            if label:
                code.label = label
                self.found.append(code)

    @property
    def known(self) -> dict[str, list[str]]:
        return {key: list(dict.fromkeys(filter(None, each))) for key, each in self._known.items()}

    def documents(self, name: str) -> Iterator[Document]:
        texts = [found.text.text for found in self.found]
        years = frozenset(
            int(text[:4])
            for text, found in zip(texts, self.found, strict=True)
            if found.label == "DATE" and text[:4].isdecimal()
        )
        known, counts, row = self.known, Counter[str](), row_of(texts)
        for text, found in zip(texts, self.found, strict=True):
            meta: dict[str, Any] = {PATIENT: self._patient or name}
            if not self._patient:
                meta[ROW] = row
            if found.label:
                meta[WHOLE] = found.label
                if found.part:
                    meta[PART] = found.part
            else:
                if known:
                    meta[KNOWN] = known
                if years:
                    meta[YEARS] = years
            counts[found.path] += 1
            number = f"[{counts[found.path]}]" if counts[found.path] > 1 else ""
            yield Document(f"{name}:{found.path}{number}", text, found.language, meta)

    def _element(self, element: XmlElement, place: _Place) -> None:
        tables, name = self._tables, element.name
        if element.namespace not in tables.namespaces or name not in tables.names:
            self.canvas.replace(element.start, element.end)
            self.left_out["element(s) that CDA R2 does not define"] += 1
            return
        kind = element.get(_TYPE).rpartition(":")[2]
        role = self._role(element, place)
        is_time = (
            name.endswith("Time")
            or name in ("time", "event", "useablePeriod")
            or "TS" in kind
            or (place.is_time and name in ("low", "high", "center"))
        )
        language = place.language
        for each in element.elements:
            if each.name == "languageCode" and name in ("ClinicalDocument", "section"):
                language = each.get("code").partition("-")[0].lower() or language
        place = replace(place, role=role, language=language, is_time=is_time)
        if element.get("representation") == "B64" and element.text.strip():
            self.canvas.replace(*element.inner)
            self.left_out["attachment(s) that cannot be searched"] += 1
            self._attributes(element, place)
            return
        if name == "patientRole":
            self._patient = self._patient or self._first_id(element)
        if name == "name":
            self._remember_name(element, place)
        self._attributes(element, place)
        if name == "text" and place.parent == "section":
            self._narrative(element, place)
            return
        if self._holds_one_text(element):
            self._one_text(element, place)
            return
        for part in element.content:
            if isinstance(part, XmlElement):
                self._element(part, replace(place, path=(*place.path, part.name)))
            elif isinstance(part, XmlText) and part.value.strip():
                self._text([part], place)

    def _role(self, element: XmlElement, place: _Place) -> str:
        role = self._tables.roles.get(element.name, place.role)
        if element.name == "associatedEntity" and element.get("classCode") in (
            *("PROV", "ASSIGNED", "AGNT", "QUAL", "LIC"),
        ):
            return "doctor"
        if element.name in ("associatedPerson", "subject") and place.role == "doctor":
            return "doctor"
        return role

    def _first_id(self, role: XmlElement) -> str:
        for each in role.elements:
            if each.name == "id" and (each.get("extension") or each.get("root")):
                return each.get("extension") or each.get("root")
        return ""

    def _holds_one_text(self, element: XmlElement) -> bool:
        """Whether an element contains text with markup, which is read as one text."""
        if element.name not in ("title", "desc", "originalText", "value", "text", "derivationExpr"):
            return False
        has_text = any(isinstance(each, XmlText) and each.value.strip() for each in element.content)
        return has_text and all(
            each.name in ("reference", *self._tables.inline, "br") for each in element.elements
        )

    def _one_text(self, element: XmlElement, place: _Place) -> None:
        pieces = [each for each in element.content if isinstance(each, XmlText)]
        self._text(pieces, place)
        for each in element.elements:
            self._element(each, replace(place, path=(*place.path, each.name)))

    def _narrative(self, element: XmlElement, place: _Place) -> None:
        """Add the narrative of a section as one text, and its attributes as separate texts."""
        text = RunText()
        self._narrate(element, text, place)
        if text:
            self.found.append(_Found(text, ".".join(place.path), place.language))

    def _narrate(self, element: XmlElement, text: RunText, place: _Place) -> None:
        for each in element.content:
            if isinstance(each, XmlText):
                self._run(each, text)
            elif isinstance(each, XmlElement):
                if each.name not in self._tables.names:
                    self.canvas.replace(each.start, each.end)
                    self.left_out["element(s) that CDA R2 does not define"] += 1
                    continue
                inner = replace(place, path=(*place.path, each.name))
                self._attributes(each, inner)
                mark = "\t" if each.name in self._tables.cells else "\n"
                is_inline = each.name in self._tables.inline
                if not is_inline:
                    text.part(mark)
                self._narrate(each, text, inner)
                if not is_inline:
                    text.part(mark)

    def _run(self, each: XmlText, text: RunText) -> None:
        write = write_cdata if each.is_cdata else write_text
        text.add(self.canvas.run(each.start, each.end, each.value, write))

    def _text(self, pieces: Sequence[XmlText], place: _Place) -> None:
        """Add the text of an element: a name, a part of an address, or text to search."""
        label, part = self._label(place)
        text = RunText()
        for each in pieces:
            self._run(each, text)
        value = text.text.strip()
        if place.name in ("prefix", "suffix") and is_title(value):
            return
        if label and place.name != "delimiter":
            self._remember(label, value, place)
        elif place.name in ("lotNumberText", "versionNumber") and is_code(value):
            self._codes.append(_Found(text, ".".join(place.path), place.language))
            return
        elif place.name == "delimiter":
            return
        self.found.append(_Found(text, ".".join(place.path), place.language, label, part))

    def _label(self, place: _Place) -> tuple[str, str]:
        """The label of an element that is an identifier as a whole, and the part of a name."""
        tables, name = self._tables, place.name
        if "addr" in place.path:
            return tables.address.get(name, "STREET"), ""
        if "name" in place.path and name in ("name", "given", "family", "prefix", "suffix"):
            part = {"given": "first", "family": "last"}.get(name, "")
            return tables.names_of.get(place.role, ""), part
        if name == "telecom":
            return "CONTACT", ""
        return "", ""

    def _attributes(self, element: XmlElement, place: _Place) -> None:
        for key, attribute in element.attributes.items():
            if attribute.value.strip():
                self._attribute(element, key, attribute, place)

    def _attribute(
        self, element: XmlElement, key: str, attribute: Attribute, place: _Place
    ) -> None:
        value = attribute.value
        if key == "extension":
            if place.name in ("templateId", "typeId"):
                self._code(attribute, place, re.compile(r"[\w.:\-]{1,40}"))
                return
            root = element.get("root")
            label = self._tables.numbers.get(root) or system_label(root)
            label = label or self._tables.ids_of.get(place.role, "IDNUM")
            self._remember(label, value, place)
            self._take(attribute, place, label)
        elif key in ("root", "codeSystem", "templateId", "valueSet"):
            if not _OID_OR_UUID.fullmatch(value.strip()) and not is_code(value):
                self._take(attribute, place)
        elif key == "value":
            self._value(element, attribute, place)
        elif key == "displayName" and element.get("codeSystem").startswith(self._tables.systems):
            return
        elif key == "code" and element.get("codeSystem").startswith(self._tables.systems):
            self._code(attribute, place, re.compile(r"[\w.:+/\-]{1,40}"))
        elif key == _LOCATION or key.startswith("xmlns"):
            if not re.fullmatch(r"[\w\s:./#\-]*", value):
                self._take(attribute, place)
        elif key == _TYPE:
            if not re.fullmatch(r"[\w:.\-]{1,40}", value):
                self._take(attribute, place)
        elif _FORM.fullmatch(key) and _FORM_VALUE.fullmatch(value):
            self._code(attribute, place, _FORM_VALUE)
        elif key in ("displayName", "codeSystemName", "assigningAuthorityName", "title", "href"):
            if key != "href" or not value.startswith("#"):
                self._take(attribute, place)
        else:
            self._code(attribute, place)

    def _value(self, element: XmlElement, attribute: Attribute, place: _Place) -> None:
        value = attribute.value.strip()
        scheme = _SCHEME.fullmatch(value)
        if place.name == "telecom":
            name = scheme["scheme"].lower() if scheme else ""
            label = self._tables.telecom.get(name, "CONTACT")
            start = attribute.start
            if name and attribute.value.startswith(f"{scheme['scheme'] if scheme else ''}:"):
                start += len(name) + 1
            bare = value[len(name) + 1 :] if name else value
            self._remember(label, bare, place)
            self._slot(start, attribute.end, bare, place, label)
        elif place.name == "reference":
            if not value.startswith("#"):
                self._take(attribute, place, "URL")
        elif place.is_time or _FULL_DAY.fullmatch(value):
            self._date(element, attribute, value, place)
        else:
            self._code(attribute, place, _NUMBER)

    def _date(self, element: XmlElement, attribute: Attribute, value: str, place: _Place) -> None:
        """Add a date; if no date can be written, a null flavor marks the value as masked."""
        masked = "" if "nullFlavor" in element.attributes else 'nullFlavor="MSK"'
        match = _TIMESTAMP.fullmatch(value)
        if not match and _NUMBER.fullmatch(value) and len(value) < len("2000"):
            return  # a number of a period
        day, rest = (match["date"], match["rest"]) if match else (value, "")
        shown = f"{day[:4]}-{day[4:]}" if match and len(day) == len("200001") else day
        if place.name == "birthTime" and place.role == "patient" and len(day) == len("20000101"):
            self._known["birth_dates"].append(f"{day[:4]}-{day[4:6]}-{day[6:]}")

        def write(new: str) -> str:
            bare = new.replace("-", "") if re.fullmatch(r"\d{4}-\d{2}", new) else new
            if not re.fullmatch(r"\d{4}(?:\d{2}){0,2}", bare):
                return masked
            return f'value="{bare}{rest if len(bare) == len("20000101") else ""}"'

        self._slot(*attribute.extent, shown, place, "DATE", write=write)

    def _code(
        self, attribute: Attribute, place: _Place, form: re.Pattern[str] | None = None
    ) -> None:
        """Add an attribute that is kept if it looks like a code and names no person."""
        value = attribute.value
        fits = form.fullmatch(value.strip()) if form else is_code(value.strip())
        if not fits:
            self._take(attribute, place)
            return
        text = RunText()
        text.add(self.canvas.run(attribute.start, attribute.end, value, write_attribute))
        path = f"{'.'.join(place.path)}@{attribute.name.rpartition('}')[2]}"
        self._codes.append(_Found(text, path, place.language))

    def _take(self, attribute: Attribute, place: _Place, label: str = "") -> None:
        place = replace(place, path=(*place.path[:-1], f"{place.name}@{attribute.name}"))
        self._slot(attribute.start, attribute.end, attribute.value, place, label)

    def _slot(
        self,
        start: int,
        end: int,
        value: str,
        place: _Place,
        label: str = "",
        write: Callable[[str], str] = write_attribute,
    ) -> None:
        text = RunText()
        text.add(self.canvas.run(start, end, value, write))
        path = ".".join(place.path)
        path = path if "@" in place.name else f"{path}@value"
        self.found.append(_Found(text, path, place.language, label))

    def _remember(self, label: str, value: str, place: _Place) -> None:
        """Store a value of the patient, or the name of a hospital, as known for the texts."""
        if label == "HOSPITAL":
            self._known["hospitals"].append(value)
        elif place.role == "patient":
            name = fhir_elements().known.get(label)
            if name:
                self._known[name].append(value)
        elif place.role == "relative" and label == "PHONE":
            self._known["phones"].append(value)

    def _remember_name(self, element: XmlElement, place: _Place) -> None:
        """Store the name of a person as known for the texts."""
        if place.role not in ("patient", "relative", "doctor"):
            return
        parts = list(element.elements)
        first = tuple(each.text.strip() for each in parts if each.name == "given")
        last = " ".join(each.text.strip() for each in parts if each.name == "family")
        if first or last:
            order = (last, *first) if is_east_asian(last) else (*first, last)
            full = " ".join(filter(None, order))
        else:
            full = " ".join(element.text.split())
        if not full:
            return
        if place.role == "doctor":
            self._known["doctors"].append(full)
        elif place.role == "relative":
            self._known["relatives"].append(full)
        elif NameParts(full, first, last).is_reading:
            self._known["readings"].append(full)
        else:
            self._known["names"].append(full)
            self._known["first_names"] += first
            self._known["last_names"].append(last)
