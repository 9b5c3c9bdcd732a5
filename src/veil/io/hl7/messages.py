"""HL7 v2 messages: reading their segments and fields, finding people, and rewriting."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import ENCODING, KNOWN, PART, PATIENT, ROW, WHOLE, YEARS, Document
from veil.core.encodings import (
    UTF8,
    CharsetError,
    declared_encoding,
    decode,
    decode_checked,
    exact_encoding,
)
from veil.core.errors import RecordError
from veil.io.base import FileWriter, Item, row_of, with_context
from veil.io.fhir.datatypes import NameParts, is_east_asian, is_title
from veil.io.fhir.elements import elements
from veil.io.fhir.people import NamingWords
from veil.io.fhir.walk import is_code
from veil.io.files import BOM, MARK, Ids, reading
from veil.io.hl7.fields import CODES, NAMES, hl7_fields
from veil.io.weave import Run, RunText, Woven

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from veil.io.base import Source

_CHUNK = 1 << 18
_LONGEST = 1 << 27
# The end of a segment; a file separator ends an MLLP frame.
_END = re.compile(r"\x1c\r?\n?|\r\n?|\n")
_END_BYTES = re.compile(_END.pattern.encode())
_FRAME = "\x0b"
_HEADERS = ("MSH", "FHS", "BHS")
_ENVELOPE = ("FHS", "BHS", "BTS", "FTS")
_SEGMENT = re.compile(r"[A-Z][A-Z\d]{2}")
_CONTROL_ID = re.compile(r"[A-Za-z\d][A-Za-z\d._\-]{0,49}")
_NULL = '""'  # in HL7: delete this value
_LINE_BREAK = re.compile(r"\.(?:br|sp|ce)")
_CHARSET = 18
_LANGUAGE = 19


class MessageWriter(FileWriter):
    """Writes messages in the character sets in which they were read."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        self._file.write(item.payload.encode(item, texts))
        self.has_written = True


def read_messages(source: Source) -> Iterator[Item | RecordError]:
    """Yield the messages of a file, and the headers and trailers of its batches."""
    ids, file = Ids(), source.file
    delimiters = None
    with reading(file):
        for number, block in enumerate(_blocks(file), start=1):
            try:
                text, encoding = _decoded(block, file, source.encoding)
                reader = _Reader(text, encoding, block.line, delimiters, file)
            except RecordError as error:
                yield error
                continue
            delimiters = reader.delimiters
            name = ids.claim(reader.control_id or f"{source.id}-{number}", number)
            yield from reader.read(name)


class _Block(NamedTuple):
    """A message, or a header or trailer of a batch, as bytes, and the line on which it begins."""

    data: bytes
    line: int
    byte: int


def _blocks(file: Path) -> Iterator[_Block]:
    parts: list[bytes] = []
    line = first_line = 1
    size = first_byte = 0
    for data in _segments(file):
        start = data.removeprefix(BOM).lstrip(b"\x0b \t")[:3].decode("latin-1")
        if parts and start in (*_HEADERS, *_ENVELOPE) and any(map(bytes.strip, parts)):
            yield _Block(b"".join(parts), first_line, first_byte)
            parts, first_line, first_byte = [], line, size
        parts.append(data)
        size += len(data)
        line += 1
        if _LONGEST < size - first_byte:
            raise RecordError("a message of more than 128 MB; split it", path=file, line=first_line)
    if parts:
        yield _Block(b"".join(parts), first_line, first_byte)


def _segments(file: Path) -> Iterator[bytes]:
    """Yield the segments of a file with their terminators."""
    buffer = b""
    with file.open("rb") as source:
        while True:
            chunk = source.read(_CHUNK)
            searched = max(0, len(buffer) - 3)
            buffer += chunk
            start = 0
            while end := _END_BYTES.search(buffer, max(start, searched)):
                if chunk and end.end() == len(buffer):
                    break  # a line feed may follow
                yield buffer[start : end.end()]
                start = end.end()
            buffer = buffer[start:]
            if _LONGEST < len(buffer):
                raise RecordError("a segment of more than 128 MB; split it", path=file)
            if not chunk:
                break
    if buffer:
        yield buffer


def _decoded(block: _Block, file: Path, otherwise: str) -> tuple[str, str]:
    """The text of a message and its encoding, from MSH-18 or else the given one."""
    if b"\0" in block.data:
        raise RecordError(
            "a NUL byte: UTF-16 or not text; convert the file to UTF-8 first",
            path=file,
            line=block.line,
        )
    head = block.data.removeprefix(BOM).lstrip(b"\x0b \t\r\n")
    first = _END_BYTES.split(head, maxsplit=1)[0]
    fields = first.split(first[3:4])[: _CHARSET + 1] if first[:3] == b"MSH" else []
    declared = fields[_CHARSET - 1].decode("latin-1") if len(fields) >= _CHARSET else ""
    names = [name.strip().upper() for name in re.split(r"[^\w /\-]", declared) if name.strip()]
    exact = UTF8 if names else exact_encoding(file, otherwise)
    if not names and exact == UTF8:
        return decode(block.data, file, line=block.line, byte=block.byte), UTF8
    charsets = hl7_fields().charsets
    if any(name not in charsets for name in names):
        raise RecordError(
            "a character set in MSH-18 that Veil cannot search; convert the message to UTF-8",
            path=file,
            line=block.line,
        )
    encodings = [charsets[name] for name in names] or [exact]
    encoding = next((each for each in encodings if each.startswith("iso2022")), encodings[-1])
    mark = BOM if encoding == "utf-8" and block.data.startswith(BOM) else b""
    try:
        text = decode_checked(block.data[len(mark) :], declared_encoding(encoding)).text
    except CharsetError as error:
        raise RecordError(f"a message {error}", path=file, line=block.line) from None
    if text.encode(encoding) != block.data[len(mark) :]:
        raise RecordError(
            "a message whose bytes could not be written back unchanged", path=file, line=block.line
        )
    return (MARK if mark else "") + text, encoding


class _Delimiters(NamedTuple):
    field: str
    component: str
    repetition: str
    escape: str
    subcomponent: str

    @classmethod
    def of(cls, header: str) -> _Delimiters:
        """The delimiters of a header segment; missing ones do not occur in the message."""
        signs = header[4:].partition(header[3:4])[0]
        if not signs or len(set(signs + header[3])) <= len(signs):
            raise ValueError
        return cls(header[3], *(signs[:4] + "\x01\x02\x03\x04"[len(signs[:4]) :]))


class _EscapeError(ValueError):
    """The reason why an escape cannot be read."""


class _Escapes:
    """The escapes of a message: decoding values and encoding new texts."""

    def __init__(self, delimiters: _Delimiters, encoding: str) -> None:
        sign = re.escape(delimiters.escape)
        self.pattern = re.compile(f"{sign}([^{sign}]*){sign}")
        self._encoding = encoding
        self._escape = delimiters.escape
        self._letters = {
            "F": delimiters.field,
            "S": delimiters.component,
            "R": delimiters.repetition,
            "E": delimiters.escape,
            "T": delimiters.subcomponent,
        }

    def letter(self, escape: str) -> str | None:
        """The character of an escape; None for an escape of formatting."""
        if escape in self._letters:
            return self._letters[escape]
        if re.fullmatch("X(?:[0-9A-Fa-f]{2})+", escape):
            try:
                return bytes.fromhex(escape[1:]).decode(self._encoding)
            except UnicodeDecodeError:
                raise _EscapeError("an escape with bytes that are not text") from None
        if escape in ("", "H", "N") or escape.startswith("."):
            return None
        raise _EscapeError("an escape that Veil cannot read")

    def plain(self, raw: str) -> str:
        """A value without escapes."""
        return self.pattern.sub(self._shown, raw)

    def _shown(self, escape: re.Match[str]) -> str:
        found = self.letter(escape[1])
        if found is None:
            return "\n" if _LINE_BREAK.match(escape[1]) else ""
        return found

    def written(self, new: str) -> str:
        """A text with escapes for the delimiters and for line breaks."""
        escape = self._escape
        if escape < " ":  # the message has no escapes
            if any(sign in new for sign in self._letters.values()) or "\n" in new or "\r" in new:
                raise RecordError("a new text with a delimiter, which the message cannot escape")
            return new
        codes = {ord(sign): f"{escape}{code}{escape}" for code, sign in self._letters.items()}
        codes |= {ord("\r"): f"{escape}X0D{escape}", ord("\n"): f"{escape}.br{escape}"}
        return new.translate(codes)


@dataclass(eq=False)
class _Scope:
    """A patient of a message, with the known values of related people."""

    patient: str = ""
    known: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(eq=False)
class _Found:
    """A text of a message: its position, and its label if it is an identifier."""

    text: RunText
    path: str
    scope: _Scope
    label: str = ""
    part: str = ""


class _Place(NamedTuple):
    """The position of the reader: a field, with the settings for all of it."""

    segment: str
    path: str
    number: int
    scope: _Scope
    label: str
    person: str

    def at(self, number: int) -> _Place:
        return self._replace(path=f"{self.path}.{number}")


@dataclass(frozen=True)
class Message:
    """A message with its texts, to be written in its character set."""

    woven: Woven = field(repr=False)
    encoding: str

    def encode(self, item: Item, texts: Sequence[str]) -> bytes:
        try:
            return self.woven.render(texts).encode(self.encoding)
        except UnicodeEncodeError:
            raise RecordError(
                f"the character set {self.encoding} of the message lacks letters of the new text",
                record=item.documents[0].id,
            ) from None


class _Reader:
    """Reads the segments of a message and extracts its texts."""

    def __init__(
        self, text: str, encoding: str, line: int, delimiters: _Delimiters | None, file: Path
    ) -> None:
        self._file, self._line = file, line
        self._tables = hl7_fields()
        contents = _END.split(text)
        ends = [*_END.findall(text), ""]
        self._segments = list(zip(contents, ends, strict=True))
        header = next((each for each in contents if each.strip(f"{_FRAME}{MARK} \t")), "")
        header = header.removeprefix(MARK).lstrip(f"{_FRAME} \t")
        if header.startswith(_HEADERS):
            try:
                delimiters = _Delimiters.of(header)
            except (ValueError, IndexError):
                raise self._error("a header without its delimiters") from None
        if delimiters is None or not header.startswith((*_HEADERS, *_ENVELOPE)):
            raise self._error("not a message: it does not begin with MSH, FHS or BHS")
        self.delimiters = delimiters
        self.is_message = header.startswith("MSH")
        self._header = header.split(delimiters.field) if self.is_message else []
        self._escapes = _Escapes(delimiters, encoding)
        self._encoding = encoding
        self._pieces: list[str | Run] = []
        self._found: list[_Found] = []
        self._codes: list[_Found] = []
        self._left_out: Counter[str] = Counter()
        self._scopes: list[_Scope] = [_Scope()]
        self._doctors: list[str] = []
        self._counts: Counter[str] = Counter()
        self._open: tuple[tuple[str, str], RunText] | None = None

    def _error(self, reason: str, offset: int = 0) -> RecordError:
        return RecordError(reason, path=self._file, line=self._line + offset)

    @property
    def control_id(self) -> str:
        """The control id (MSH-10), if it is well-formed."""
        value = self._header[9] if len(self._header) > 9 else ""
        return value if _CONTROL_ID.fullmatch(value) else ""

    @property
    def _language(self) -> str | None:
        """MSH-19 as a code of two letters."""
        value = self._header[_LANGUAGE - 1] if len(self._header) >= _LANGUAGE else ""
        code = value.partition(self.delimiters.component)[0].strip().lower()
        return code if re.fullmatch("[a-z]{2}", code) else None

    def read(self, name: str) -> Iterator[Item | RecordError]:
        """Yield the item of the message, and an error for the parts that were left out."""
        try:
            for number, (content, end) in enumerate(self._segments):
                self._segment(content, end, number)
        except RecordError as error:
            yield error
            return
        except _EscapeError as error:
            yield self._error(str(error))
            return
        self._add_naming_codes()
        woven = Woven(self._pieces, [found.text for found in self._found])
        yield Item(
            with_context(self._documents(name)),
            Message(woven, self._encoding),
            is_record=self.is_message,
        )
        if self._left_out:
            parts = ", ".join(f"{count} {what}" for what, count in sorted(self._left_out.items()))
            yield RecordError(f"left out: {parts}", record=name, path=self._file, line=self._line)

    def _documents(self, name: str) -> Iterator[Document]:
        texts = [found.text.text for found in self._found]
        years = frozenset(
            int(text[:4])
            for text, found in zip(texts, self._found, strict=True)
            if found.label == "DATE" and text[:4].isdecimal()
        )
        row = row_of(texts)
        known = {id(scope): self._known(scope) for scope in self._scopes}
        for text, found in zip(texts, self._found, strict=True):
            scope = found.scope
            meta: dict[str, Any] = {PATIENT: scope.patient or name}
            if self._encoding != UTF8:
                meta[ENCODING] = self._encoding
            if not scope.patient:
                meta[ROW] = row
            if found.label:
                meta[WHOLE] = found.label
                if found.part:
                    meta[PART] = found.part
            else:
                if known[id(scope)]:
                    meta[KNOWN] = known[id(scope)]
                if years:
                    meta[YEARS] = years
            yield Document(f"{name}:{found.path}", text, self._language, meta)

    def _known(self, scope: _Scope) -> dict[str, list[str]]:
        known = {key: list(dict.fromkeys(values)) for key, values in scope.known.items() if values}
        if self._doctors:
            known["doctors"] = list(dict.fromkeys(self._doctors))
        return known

    def _add_naming_codes(self) -> None:
        """Replace codes and numbers that contain a word or number of a known person."""
        words = {id(scope): NamingWords(self._known(scope)) for scope in self._scopes}
        for code in self._codes:
            label = words[id(code.scope)].label(code.text.text)
            if label:
                code.label = label
                self._found.append(code)

    def _segment(self, content: str, end: str, number: int) -> None:
        bare = content.removeprefix(MARK).lstrip(f"{_FRAME} \t")
        lead = content[: len(content) - len(bare)]
        self._pieces.append(lead)
        if not bare:
            self._pieces.append(end)
            return
        segment = bare[:3]
        delimiter = self.delimiters.field
        if not _SEGMENT.fullmatch(segment) or bare[3:4] not in ("", delimiter):
            raise self._error("a line that is not a segment", number)
        if segment in _HEADERS and number and self._counts:
            raise self._error("a header inside a message", number)
        if segment not in self._tables.segments:
            self._left_out["segment(s) that HL7 v2 does not define"] += 1
            if "\x1c" in end:
                self._pieces.append(end)
            return
        self._counts[segment] += 1
        if segment == "PID" and self._counts["PID"] > 1:
            self._scopes.append(_Scope())
        fields = bare.split(delimiter)
        self._pieces.append(segment)
        first = 1
        if segment in _HEADERS:
            self._pieces += [delimiter, fields[1]]
            first = 2
        for index in range(first, len(fields)):
            self._pieces.append(delimiter)
            self._field(segment, index + first - 1, fields[index], fields)
        if segment == "PID":
            self._scopes[-1].patient = self._patient(fields)
        self._pieces.append(end)

    def _patient(self, fields: Sequence[str]) -> str:
        for number in (3, 2, 4, 18):
            if len(fields) > number:
                value = fields[number].split(self.delimiters.repetition)[0]
                found = self._escapes.plain(value.split(self.delimiters.component)[0]).strip()
                if found and found != _NULL:
                    return found
        return ""

    def _field(self, segment: str, number: int, raw: str, fields: Sequence[str]) -> None:
        if raw in ("", _NULL):
            self._pieces.append(raw)
            return
        count = self._counts[segment]
        path = f"{segment}{f'[{count}]' if count > 1 else ''}-{number}"
        kind = self._tables.field_type(segment, number)
        treatment = self._tables.field_treatment(segment, number)
        if segment == "OBX" and number == 5:
            kind, treatment = self._observation(fields, raw)
        if kind is None:
            self._left_out["field(s) that HL7 v2 does not define"] += 1
            return
        if treatment == "keep":
            self._pieces.append(raw)
            return
        person = self._tables.people.get(segment, "NAME")
        if kind not in ("XPN", "PN") and not segment.startswith("QR"):
            person = "DOCTOR"
        place = _Place(segment, path, number, self._scopes[-1], treatment, person)
        if (treatment or self._tables.primitives.get(kind)) == "text":
            self._free_text(raw, place, fields)
            return
        for index, value in enumerate(raw.split(self.delimiters.repetition)):
            at = place._replace(path=f"{path}[{index + 1}]") if index else place
            if index:
                self._pieces.append(self.delimiters.repetition)
            if kind in NAMES:
                self._remember_name(value, kind, at)
            self._value(value, kind, at, self.delimiters.component)

    def _observation(self, fields: Sequence[str], raw: str) -> tuple[str | None, str]:
        """The type and treatment of OBX-5, according to OBX-2."""
        kind = fields[2].strip().upper() if len(fields) > 2 else ""
        tables = self._tables
        if kind in ("", "ST", "TX", "FT"):
            return "TX", ""
        code = fields[3].split(self.delimiters.component)[0] if len(fields) > 3 else ""
        if kind in ("NM", "SN") and code in elements().age_codes:
            number = re.search(r"\d+", raw)
            return kind, "AGE" if number and int(number[0]) > 89 else ""
        return (kind, "") if kind in tables.types or kind in tables.primitives else (None, "")

    def _free_text(self, raw: str, place: _Place, fields: Sequence[str]) -> None:
        """Add a field of free text; consecutive segments are read as one text."""
        name = fields[3] if place.segment == "OBX" and len(fields) > 3 else ""
        lines = place.segment in ("OBX", "NTE", "DSP")
        key = (f"{place.segment}-{place.number}", name)
        last = self._open
        text = RunText()
        if lines and last and last[0] == key and self._follows(place.segment):
            text = last[1]
            text.part()
        else:
            self._found.append(_Found(text, place.path, place.scope))
            self._open = (key, text) if lines else None
        before = 0
        separators = "".join(
            {self.delimiters.repetition, self.delimiters.component, self.delimiters.subcomponent}
        )
        for separator in re.finditer(f"[{re.escape(separators)}]", raw):
            self._runs(raw[before : separator.start()], text)
            self._pieces.append(separator[0])
            text.part("\n" if separator[0] == self.delimiters.repetition else "\t")
            before = separator.end()
        self._runs(raw[before:], text)
        self._last_text = place.segment, self._counts[place.segment], sum(self._counts.values())

    _last_text: tuple[str, int, int] = ("", 0, 0)

    def _follows(self, segment: str) -> bool:
        """Whether the segment directly follows the one with the last free text."""
        return self._last_text == (
            segment,
            self._counts[segment] - 1,
            sum(self._counts.values()) - 1,
        )

    def _runs(self, raw: str, text: RunText) -> None:
        """Add free text; escapes of formatting separate or join the runs around them."""
        start = 0
        for escape in self._escapes.pattern.finditer(raw):
            what = self._escapes.letter(escape[1])
            if what is not None:
                continue
            self._run(raw[start : escape.start()], text)
            start = escape.end()
            self._pieces.append(escape[0])
            if _LINE_BREAK.match(escape[1]):
                text.part()
        self._run(raw[start:], text)

    def _run(self, raw: str, text: RunText) -> None:
        if raw:
            self._pieces.append(text.add(Run(raw, self._escapes.plain(raw), self._escapes.written)))

    def _value(self, raw: str, kind: str, place: _Place, separator: str) -> None:
        """Add a repetition of a field, a component, or a subcomponent."""
        types = self._tables.types.get(kind)
        if types is None:
            self._leaves(raw, place.label or self._tables.primitives.get(kind, "text"), place)
            return
        if kind == "NDL" and separator == self.delimiters.subcomponent:
            raise self._error("a name in a subcomponent")
        parts = raw.split(separator)
        treatments = self._treatments(parts, kind, place)
        for number, part in enumerate(parts, start=1):
            if number > 1:
                self._pieces.append(separator)
            if number > len(types):
                if part:
                    self._left_out["component(s) that HL7 v2 does not define"] += 1
                continue
            at = place.at(number)
            treatment = treatments.get(number, "")
            if treatment:
                self._leaves(part, treatment, at)
            elif separator == self.delimiters.subcomponent:
                self._leaves(part, self._simple(types[number - 1]), at)
            else:
                inner = at._replace(label="")
                self._value(part, types[number - 1], inner, self.delimiters.subcomponent)

    def _simple(self, kind: str) -> str:
        """The treatment of a composite type without a delimiter for its parts."""
        while kind in self._tables.types:
            treatment = self._tables.component_treatment(kind, 1)
            if treatment:
                return treatment
            kind = self._tables.types[kind][0]
        return self._tables.primitives.get(kind, "text")

    def _treatments(self, parts: Sequence[str], kind: str, place: _Place) -> dict[int, str]:
        """The treatments of components; a label of the field applies to the first one."""
        tables, label = self._tables, place.label
        found = {
            number: treatment
            for number in range(1, len(parts) + 1)
            if (treatment := tables.component_treatment(kind, number))
        }
        if kind in CODES:
            for text, system in ((2, 3), (5, 6), (11, 12)):
                if len(parts) >= system and tables.is_public(parts[system - 1].strip()):
                    found |= {text - 1: "public", text: "keep"}
            if label:
                found |= {1: label, 2: label}
        elif kind == "CX":
            code = parts[4].strip() if len(parts) > 4 else ""
            found[1] = elements().identifier_types.get(code) or label or "IDNUM"
        elif kind == "XTN":
            if len(parts) > 2 and parts[2].strip() == "FX":
                found |= dict.fromkeys((1, 6, 7, 8, 12), "FAX")
            if "@" in parts[0]:
                found[1] = "EMAIL"
            elif len(parts) > 3 and "@" not in parts[3] and "/" in parts[3]:
                found[4] = "URL"
        elif kind == "XAD":
            # In Japan this component has the whole address.
            if len(parts) > 7 and any(map(str.isdecimal, parts[7])):
                found[8] = "STREET"
        elif kind == "ED":
            if len(parts) > 3 and parts[3].strip().upper() == "A":
                found[5] = "text"
        elif label:
            if kind == "SN":
                found |= dict.fromkeys((2, 4), label)
            elif label != "keep":
                found[1] = label
        return found

    def _leaves(self, raw: str, treatment: str, place: _Place) -> None:
        """Add a value; unexpected parts all get the same treatment."""
        signs = f"{self.delimiters.component}{self.delimiters.subcomponent}"
        before, number = 0, 1
        for separator in re.finditer(f"[{re.escape(signs)}]", raw):
            self._leaf(raw[before : separator.start()], treatment, place.at(number))
            self._pieces.append(separator[0])
            before, number = separator.end(), number + 1
        self._leaf(raw[before:], treatment, place.at(number) if number > 1 else place)

    def _leaf(self, raw: str, treatment: str, place: _Place) -> None:
        if raw in ("", _NULL) or treatment == "keep":
            self._pieces.append(raw)
            return
        if treatment == "drop":
            self._left_out["value(s) that cannot be searched"] += 1
            return
        text = self._escapes.plain(raw)
        if not text.strip():
            self._pieces.append(raw)
        elif treatment == "date":
            self._date(raw, text, place)
        elif treatment in ("code", "public", "number", "range", "time"):
            self._code(raw, text, treatment, place)
        elif treatment == "text":
            self._take(raw, text, place)
        elif treatment == "affix":
            if is_title(text):
                self._pieces.append(raw)
            else:
                self._take(raw, text, place, place.person)
        elif treatment in ("first", "last"):
            self._take(raw, text, place, place.person, treatment)
        else:
            self._remember(treatment, text, place)
            self._take(raw, text, place, treatment)

    def _take(
        self,
        raw: str,
        text: str,
        place: _Place,
        label: str = "",
        part: str = "",
        write: Callable[[str], str] | None = None,
    ) -> None:
        runs = RunText()
        self._pieces.append(runs.add(Run(raw, text, write or self._escapes.written)))
        self._found.append(_Found(runs, place.path, place.scope, label, part))

    def _code(self, raw: str, text: str, treatment: str, place: _Place) -> None:
        """Add a code or number; a value that does not look like one is searched."""
        forms = {
            "number": re.compile(r"\s*[<>=]*[-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?%?\s*"),
            "range": re.compile(
                r"\s*[<>=]*\d{1,3}(?:[.,]\d{1,3})?(?:\s*[-–]\s*\d{1,3}(?:[.,]\d{1,3})?)?\s*"
            ),
            "public": re.compile(r"[A-Za-z\d][A-Za-z\d.:/+\-]{0,19}"),
            "time": re.compile(r"\d{2}(?:\d{2}(?:\d{2}(?:\.\d+)?)?)?(?:[+-]\d{4})?"),
        }
        form = forms.get(treatment)
        fits = form.fullmatch(text) if form else is_code(text.strip())
        if not fits:
            self._take(raw, text, place)
            return
        runs = RunText()
        self._pieces.append(runs.add(Run(raw, text, self._escapes.written)))
        self._codes.append(_Found(runs, place.path, place.scope))

    def _date(self, raw: str, text: str, place: _Place) -> None:
        """Add a date; a time after it is kept as long as the date is complete."""
        match = _TIMESTAMP.fullmatch(text)
        if not match:
            self._take(raw, text, place, "DATE", write=lambda _: "")
            return
        day, rest = match["date"], match["rest"]
        shown = f"{day[:4]}-{day[4:]}" if len(day) == len("200001") else day
        if place.segment == "PID" and place.number == 7 and len(day) == len("20000101"):
            place.scope.known["birth_dates"].append(f"{day[:4]}-{day[4:6]}-{day[6:]}")

        def write(new: str) -> str:
            bare = new.replace("-", "") if re.fullmatch(r"\d{4}-\d{2}", new) else new
            if not re.fullmatch(r"\d{4}(?:\d{2}){0,2}", bare):
                return ""  # HL7 allows nothing else here
            return bare + rest if len(bare) == len("20000101") else bare

        self._take(raw, shown, place, "DATE", write=write)

    def _remember(self, label: str, text: str, place: _Place) -> None:
        """Store a value of the patient as known for the free text of the message."""
        tables = self._tables
        where = f"{place.segment}.{place.number}"
        if label == "HOSPITAL":
            place.scope.known["hospitals"].append(text)
        elif place.segment in tables.patient_segments and where not in tables.relatives:
            name = elements().known.get(label)
            if name:
                place.scope.known[name].append(text)
        elif label == "PHONE" and place.segment in tables.people:
            place.scope.known["phones"].append(text)
        elif place.segment in ("IN1", "IN2") and label in ("SSN", "HEALTHPLAN"):
            place.scope.known[elements().known[label]].append(text)

    def _remember_name(self, raw: str, kind: str, place: _Place) -> None:
        """Store the name of a person as known for the free text of the message."""
        signs = self.delimiters
        outer = raw.split(signs.component)
        if kind == "NDL":
            outer = outer[0].split(signs.subcomponent)
        offset = 0 if kind in ("XPN", "PN") else 1
        values = [
            self._escapes.plain(each.partition(signs.subcomponent)[0]).strip() for each in outer
        ]
        values = [value if value != _NULL else "" for value in values]
        last, *given = [*values[offset : offset + 3], "", ""][:3]
        first = tuple(filter(None, given))
        order = (last, *first) if is_east_asian(last) else (*first, last)
        full = " ".join(filter(None, order))
        if not full:
            return
        known = place.scope.known
        where = f"{place.segment}.{place.number}"
        if place.person == "DOCTOR":
            self._doctors.append(full)
        elif place.segment in self._tables.patient_segments and where not in self._tables.relatives:
            name = NameParts(full, first, last)
            if name.is_reading:
                known["readings"].append(full)
            else:
                known["names"].append(full)
                known["first_names"] += first
                known["last_names"] += filter(None, [last])
        else:
            known["relatives"].append(full)


_TIMESTAMP = re.compile(
    r"(?P<date>\d{4}(?:(?:0[1-9]|1[0-2])(?:[0-3]\d)?)?)"
    r"(?P<rest>(?:\d{2}(?:\d{2}(?:\d{2}(?:\.\d{1,6})?)?)?)?(?:[+-]\d{4})?)"
)
