"""Items of FHIR R4: the entries of a bundle, a single resource, or the lines of an NDJSON file."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from io import BufferedWriter, BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import KNOWN, PART, PATIENT, WHOLE, YEARS, Document
from veil.core.encodings import UTF8, decode, opened, read_data
from veil.core.errors import RecordError
from veil.io.base import FileWriter, Item, encoded, with_context
from veil.io.fhir.datatypes import PEOPLE, own_reference
from veil.io.fhir.elements import elements
from veil.io.fhir.formats import SECURITY_LABELS
from veil.io.fhir.people import FhirPeople, NamingWords
from veil.io.fhir.rendering import Resource
from veil.io.fhir.walk import UndecidedError, Walk
from veil.io.files import MARK, Ids, has_surrogate, lines, reading
from veil.io.json_raw import JsonError, JsonStream, RawEdit, Value, apply_edits, parse, parse_at

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from veil.io.base import Source
    from veil.io.fhir.people import Known
    from veil.io.fhir.walk import FoundElement, Scope
    from veil.io.files import TextPiece
    from veil.io.json_raw import Value


# Files of people in a bulk export: Patient.ndjson, 1.Patient.ndjson, practitioner-2.ndjson.
_PEOPLE_FILE = re.compile(
    rf"(?:.*[._\-])?(?:{'|'.join(sorted(PEOPLE))})(?:[._\-].*)?\.ndjson", re.IGNORECASE
)
_PLAIN_REFERENCE = re.compile(r"[A-Za-z]{1,64}/[A-Za-z0-9.\-]{1,64}")
_QUOTED_PEOPLE = tuple(f'"{kind}"'.encode() for kind in PEOPLE)


def read_lines(source: Source) -> Iterator[Item | RecordError]:
    """Yield the resources of NDJSON; values of people's resources are known for all others."""
    ids, file = Ids(), source.file
    with reading(file):
        people = _people_around(file, source.encoding) if file.is_file() else None
        for line in lines(file, source.encoding):
            yield from _read(line, source, people, ids)


def _read(
    line: TextPiece, source: Source, people: FhirPeople | None, ids: Ids
) -> Iterator[Item | RecordError]:
    file = source.file
    try:
        raw = line.decode(file)
        if not raw.strip():
            yield Item((), Resource(raw), is_record=False)
            return
        value = _parsed(raw, file, line.line)
    except RecordError as error:
        yield error
        return
    name = ids.claim(resource_name(value, f"{source.id}-{line.line}"), line.line)
    if people is None:
        people = FhirPeople()
        people.add(value)
    yield from read_resource(RawResource(raw, value, line.line), people, name=name, file=file)


def resource_name(resource: Value, otherwise: str) -> str:
    """The name of a resource in reports; an unusual type or id may be text of a record."""
    reference = own_reference(resource)
    is_plain = resource.string("resourceType") in elements().resources
    return reference if is_plain and _PLAIN_REFERENCE.fullmatch(reference) else otherwise


def _people_around(file: Path, encoding: str) -> FhirPeople:
    """The people with a resource in a file or in the files of people beside it."""
    beside = (
        each
        for each in sorted(file.parent.iterdir())
        if each != file and _PEOPLE_FILE.fullmatch(each.name) and each.is_file()
    )
    states = tuple((each, each.stat().st_size, each.stat().st_mtime_ns) for each in beside)
    people = _people_of(states, encoding).copy()
    _take_in(people, file, encoding)
    return people


@lru_cache(maxsize=1)
def _people_of(files: tuple[tuple[Path, int, int], ...], encoding: str) -> FhirPeople:
    """The people of several files, read once for all files of a folder."""
    people = FhirPeople()
    for file, _, _ in files:
        _take_in(people, file, encoding)
    return people


def _take_in(people: FhirPeople, file: Path, encoding: str) -> None:
    """Add the people of a file; unreadable lines are reported when they are masked."""
    for line in lines(file, encoding):
        if any(kind in line.data for kind in _QUOTED_PEOPLE):
            try:
                people.add(parse(line.decode(file)))
            except (JsonError, RecordError):
                continue


class RawResource(NamedTuple):
    """The source text of a resource or an entry, and the blanks before and after it."""

    raw: str
    value: Value
    line: int = 1
    around: tuple[str, str] = ("", "")


def read_frame(
    file: Path, encoding: str = UTF8, data: bytes | None = None
) -> tuple[RawResource, int | None, FhirPeople]:
    """Read a file once, to get the text around its entries and its people.

    The number is the offset of the entries of a bundle, or None for a single resource. If `data`
    are given, they are read instead of the file.
    """
    people = FhirPeople()
    pieces = []
    for part in _parts(file, encoding, data):
        if isinstance(part, str):
            pieces.append(part)
            continue
        resource = part.value.get("resource")
        if resource:
            people.add(resource, part.value.string("fullUrl"))
    raw = "".join(pieces)
    value = _parsed(raw, file)
    if value.string("resourceType") == "Bundle" and len(pieces) == 2:
        return RawResource(raw, value), len(pieces[0]), people
    # Other resources also have entries, but these are not resources.
    whole = read_data(file, encoding) if data is None else data
    raw = decode(whole, file, encoding=encoding).removeprefix(MARK)
    value = _parsed(raw, file)
    people.add(value)
    return RawResource(raw, value), None, people


def _parsed(raw: str, file: Path, line: int | None = None) -> Value:
    try:
        value = parse(raw)
    except JsonError as error:
        raise RecordError(str(error), path=file, line=line) from None
    if not value.string("resourceType"):
        raise RecordError("not a resource: it has no resourceType", path=file, line=line)
    return value


def _parts(file: Path, encoding: str, data: bytes | None) -> Iterator[str | RawResource]:
    """Yield the text before the array of entries, the entries, and the text after them."""
    with opened(file, encoding) if data is None else BytesIO(data) as source:
        stream = JsonStream(source, file, encoding)
        if stream.next_is(MARK):
            stream.sign(MARK)
        raw = [stream.blank(), stream.sign("{"), stream.blank()]
        while not stream.next_is("}"):
            key_raw, key = stream.value()
            raw += [key_raw, stream.blank(), stream.sign(":"), stream.blank()]
            if key.text == "entry" and stream.next_is("["):
                yield "".join([*raw, stream.sign("[")])
                raw = yield from _array(stream)
            else:
                raw.append(stream.value()[0])
            raw.append(stream.blank())
            if not stream.next_is("}"):
                raw += [stream.sign(","), stream.blank()]
        yield "".join([*raw, stream.rest()])


def _array(stream: JsonStream) -> Generator[RawResource, None, list[str]]:
    """Yield the elements of an open array; return its end."""
    before = stream.blank()
    while not stream.next_is("]"):
        line = stream.line
        raw, value = stream.value()
        yield RawResource(raw, value, line, (before, stream.blank()))
        before = ""
        if not stream.next_is("]"):
            stream.sign(",")
            before = stream.blank()
            if stream.next_is("]"):
                raise stream.error("not JSON")
    return [before, stream.sign("]")]


_BARE_HEAD, _BARE_TAIL = '{"resourceType": "Bundle", "type": "collection", "entry": [', "]}\n"


def read_bundle(source: Source, data: bytes | None = None) -> Iterator[Item | RecordError]:
    """Yield the frame of a bundle and each of its entries, or a single resource.

    If `data` are given, they are read instead of the file of the source.
    """
    ids, file = Ids(), source.file
    with reading(file):
        frame, split, people = read_frame(file, source.encoding, data)
        name = ids.claim(resource_name(frame.value, source.id), 0)
        for outcome in read_resource(frame, people, name=name, file=file):
            if isinstance(outcome, Item):
                payload = _FramePayload(outcome.payload, split)
                outcome = replace(outcome, payload=payload, is_record=split is None)
            yield outcome
        if split is not None:
            parts = _parts(file, source.encoding, data)
            entries = (part for part in parts if isinstance(part, RawResource))
            for number, entry in enumerate(entries, start=1):
                yield from _entry(entry, number, people, source, ids)


@dataclass(frozen=True, slots=True)
class _FramePayload:
    """A resource, or the frame of a bundle, with its entries at offset `split`."""

    resource: Resource
    split: int | None

    def render(self, texts: Sequence[str]) -> tuple[str, str]:
        """The text before the entries and the text after them."""
        if self.split is None:
            return self.resource.render(texts), ""
        raw, split = self.resource.raw, self.split
        edits = self.resource.edits(texts)
        before = [edit for edit in edits if edit.end <= split]
        after = [
            RawEdit(start - split, end - split, new) for start, end, new in edits if split < end
        ]
        return apply_edits(raw[:split], before), apply_edits(raw[split:], after)


class ResourceWriter(FileWriter):
    """Writes resources, with a security label if one was chosen."""

    label: str | None = None

    def rendered(self, item: Item, texts: Sequence[str]) -> str:
        return self.labelled(super().rendered(item, texts))

    def labelled(self, text: str) -> str:
        """A resource, or an entry with one, with the label in its `meta.security`."""
        return with_security_label(text, self.label) if self.label and text.strip() else text


_SECURITY_SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"


def with_security_label(text: str, code: str) -> str:
    """Add a code to the security labels of a resource, unless it has it."""
    start = len(text) - len(text.lstrip())
    value = parse_at(text, start)
    resource = value if value.get("resourceType") else value.get("resource")
    if resource is None or not resource.members:
        return text
    display = SECURITY_LABELS[code]
    coding = f'{{"system": "{_SECURITY_SYSTEM}", "code": "{code}", "display": "{display}"}}'
    meta = resource.get("meta")
    if meta is None or not isinstance(meta.content, dict):
        if "meta" in resource.members:
            return text
        return _inserted(text, resource, f'"meta": {{"security": [{coding}]}}')
    security = meta.get("security")
    if security is None or not isinstance(security.content, list):
        if "security" in meta.members:
            return text
        return _inserted(text, meta, f'"security": [{coding}]')
    if any(each.string("code") == code for each in security.elements):
        return text
    return _inserted(text, security, coding)


def _inserted(text: str, value: Value, new: str) -> str:
    """Insert text at the start of an object or array."""
    start = value.start + 1
    comma = ", " if value.content else ""
    return f"{text[:start]}{new}{comma}{text[start:]}"


class BundleWriter(ResourceWriter):
    """Writes the frame and the entries; a withheld frame is replaced by a bare one."""

    has_entries = False

    def write(self, item: Item, texts: Sequence[str]) -> None:
        tail = self.tail
        is_frame = isinstance(item.payload, _FramePayload)
        if is_frame:
            text, end = item.payload.render(texts)
            if item.payload.split is None:
                text = self.labelled(text)
            tail = encoded(end, item, self.encoding)
        else:
            text = self.labelled(item.payload.render(texts))
            if self.has_entries:
                text = f",{text}"
            elif not self.has_written:
                text, tail = _BARE_HEAD + text, encoded(_BARE_TAIL, item, self.encoding)
        self._file.write(encoded(text, item, self.encoding))
        self.tail = tail
        self.has_entries |= not is_frame
        self.has_written = True


class BundleText(BundleWriter):
    """Writes a bundle or a resource to memory, in `text`."""

    def __init__(self, label: str | None = None) -> None:
        self._written = BytesIO()
        self._file = BufferedWriter(self._written)
        self.tail, self.encoding, self.has_written = b"", UTF8, False
        self.label = label

    @property
    def text(self) -> bytes:
        self._file.flush()
        return self._written.getvalue() + self.tail


def _entry(
    entry: RawResource, number: int, people: FhirPeople, source: Source, ids: Ids
) -> Iterator[Item | RecordError]:
    resource = entry.value.get("resource")
    if not entry.value.members:
        yield RecordError("an entry that is not an object", path=source.file, line=entry.line)
        return
    name = f"{source.id}-{number}"
    if resource:
        name = resource_name(resource, name)
    yield from read_resource(entry, people, name=ids.claim(name, number), file=source.file)


_YEAR = re.compile(r"\d{4}(?:-|$)")


def read_resource(
    source: RawResource, people: FhirPeople, *, name: str, file: Path
) -> Iterator[Item | RecordError]:
    """Yield the item of a resource (or of an entry), then errors for the removed elements.

    `name` is unique in the file; the ids of documents begin with it.
    """
    walk = Walk()
    try:
        walk.resource(source.value)
    except UndecidedError as error:
        yield RecordError(str(error), path=file, line=source.line)
        return

    @cache
    def about(scope: Scope) -> _Meta:
        return _Meta(scope, people, name)

    naming = (
        replace(word, label=label)
        for word in walk.words
        if (label := about(word.scope).naming_words.label(word.element.text)) or not word.is_code
    )
    all_found = sorted([*walk.found, *naming], key=lambda found: found.element.slot.start)
    years = frozenset(
        int(found.element.text[:4])
        for found in all_found
        if found.label == "DATE" and _YEAR.match(found.element.text)
    )
    documents = []
    for found in all_found:
        text = found.element.text
        path = ".".join(found.path)
        if has_surrogate(text):
            yield RecordError(
                f"a lone surrogate, which is not a character, in {path}",
                path=file,
                line=source.line,
            )
            return
        meta = about(found.scope).meta(found)
        if not found.label and years:
            meta[YEARS] = years
        documents.append(Document(f"{name}:{path}", text, found.scope.language, meta))
    resource = Resource(
        source.raw,
        tuple(found.element for found in all_found),
        tuple(walk.masked),
        tuple(walk.removed),
        source.around,
    )
    yield Item(with_context(documents), resource)
    if walk.unknown:
        where, count = walk.unknown[0], len(walk.unknown)
        walk.problems.append((where, f"{count} element(s) that FHIR R4 does not define there"))
    for where, reason in walk.problems:
        yield RecordError(
            f"left out: {reason}", record=f"{name}:{'.'.join(where)}", path=file, line=source.line
        )


class _Meta:
    """The meta of the documents of a resource."""

    def __init__(self, scope: Scope, people: FhirPeople, name: str) -> None:
        subject = scope.subject or people.only_patient
        # "#p1" is a resource inside this one; elsewhere the same name is another resource.
        inside = f"{scope.reference or name}{subject}" if subject.startswith("#") else ""
        self._patient = inside or people.patient(subject) or scope.reference or name
        self._known: Known = people.known(scope)

    @cached_property
    def naming_words(self) -> NamingWords:
        return NamingWords(self._known)

    def meta(self, found: FoundElement) -> dict[str, Any]:
        meta: dict[str, Any] = {PATIENT: self._patient}
        if found.label:
            meta[WHOLE] = found.label
            if found.part:
                meta[PART] = found.part
        elif self._known:
            meta[KNOWN] = self._known
        return meta
