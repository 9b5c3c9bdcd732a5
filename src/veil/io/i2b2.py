"""The XML of the i2b2 challenges of 2006 and 2014."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, cast, get_args
from xml.parsers import expat

from veil.core.document import Document, Part, Record, Span
from veil.core.encodings import decode, read_data
from veil.core.errors import RecordError
from veil.core.labels import SCHEMES, family_in, scheme
from veil.core.patterns import compile_pattern
from veil.io.annotated import (
    AnnotatedFormat,
    TaggedText,
    gold_record,
    render_tagged,
    span_inside,
)
from veil.io.base import Located
from veil.io.files import MARK, head, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from veil.io.base import ReadLog, Source

# The characters that https://www.w3.org/TR/xml/#charsets excludes.
_ILLEGAL = compile_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = compile_pattern(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,9})|#x([0-9a-fA-F]{1,8}));")
_BARE_AMPERSAND = compile_pattern(
    r"&(?!(?:lt|gt|amp|quot|apos|#[0-9]{1,9}|#x[0-9a-fA-F]{1,8});)"  # AT&T, but not AT&amp;T
)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})

# Matches ` ID="7" TYPE='DATE'`, not ` ID=7`. Possessive, so that a hostile tag costs linear time.
ATTRIBUTES = r"""(?:\s++[\w:.-]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+\s*+"""
_ATTRIBUTE = compile_pattern(r"""([\w:.-]++)\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")


def check_xml(record: Record) -> None:
    """Raise an error if the text or a label has a character that XML 1.0 does not allow."""
    if illegal := _ILLEGAL.search(record.document.text):
        raise RecordError(
            f"U+{ord(illegal[0]):04X} at character {illegal.start()} cannot be written in XML; "
            "use another format, such as jsonl",
            record=record.id,
        )
    for span in record.annotations:
        if not span.label or _ILLEGAL.search(span.label):
            raise RecordError(
                f"the label at {span.start}-{span.end} cannot be written in XML", record=record.id
            )


def escape_text(text: str) -> str:
    """Escape for an element; CR becomes a reference, since parsers would turn it into LF."""
    return text.translate(_IN_TEXT)


def escape_attribute(value: str) -> str:
    """Escape for a double-quoted attribute; line breaks and tabs become references."""
    return value.translate(_IN_ATTRIBUTE)


def unescape(text: str) -> str:
    """Resolve predefined and numeric references; a ValueError if XML lacks the character."""
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    if number > 0x10FFFF or _ILLEGAL.match(chr(number)):
        raise ValueError("a reference to a character that XML lacks")
    return chr(number)


def parse_attributes(text: str) -> dict[str, str]:
    """Read the attributes of a tag; values with a bare ampersand are taken literally."""
    attributes = {}
    for name, double, single in _ATTRIBUTE.findall(text):
        value = double or single
        attributes[name] = value if _BARE_AMPERSAND.search(value) else unescape(value)
    return attributes


_RECORD_START = compile_pattern(r"<RECORD(?=[\s>])")
_RECORD_TAG = compile_pattern(rf"<RECORD({ATTRIBUTES})>\s*+<TEXT>")
_RECORD_END = compile_pattern(r"</TEXT>\s*+</RECORD>\Z")
_BETWEEN = compile_pattern(r"(?:\s++|<\?xml[^<>?]*+\?>|<!--.*?-->|</?ROOT\s*+>)*+", re.DOTALL)
_DECLARATION = compile_pattern(r"<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)\b")
# `<PHI TYPE="DATE">` and `</PHI>`; the last branch is a malformed tag, such as `<PHI TYPE=DATE>`.
_PHI_TAG = compile_pattern(
    rf"<PHI(?P<attributes>{ATTRIBUTES})(?P<empty>/?)>|(?P<close></PHI\s*+>)|<PHI\b"
)


class I2b2Format2006(AnnotatedFormat):
    """The XML of the i2b2 2006 challenge; the attribute PART is the part of a name or date.

    Two dialects are detected for each record. If every `&` begins a reference and every `<` a PHI
    tag, the text is escaped as in XML; otherwise (`BP < 120 & stable`) it is taken literally.
    """

    name = "i2b2-2006"
    about = "XML of the i2b2 2006 challenge, many records per file, PHI tagged inline"
    suffixes = (".xml",)
    opening = '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n'
    closing = "</ROOT>\n"

    def sniff(self, file: Path) -> bool:
        start = head(file).lstrip(MARK).lstrip()
        return start.startswith("<") and _RECORD_START.search(start) is not None

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        return _read_records(source, log)

    def render(self, record: Record) -> str:
        check_xml(record)
        if _ILLEGAL.search(record.id):
            raise RecordError(
                "this id cannot be written in XML; use another format", record=record.id
            )
        return (
            f'<RECORD ID="{escape_attribute(record.id)}">\n'
            f"<TEXT>{render_tagged(record, _tags, escape_text)}</TEXT>\n</RECORD>\n"
        )


def _read_records(source: Source, log: ReadLog) -> Iterator[Located]:
    file = source.file
    for piece in pieces(file, b"</RECORD>", source.encoding):
        try:
            text = piece.decode(file)
        except RecordError as error:
            log.withhold(error)
            continue
        starts = [match.start() for match in _RECORD_START.finditer(text)]
        _check_between(text[: starts[0]] if starts else text, file, piece.line, log)
        if not starts:
            continue
        *unclosed, start = starts if piece.closed else [*starts, len(text)]
        for offset in unclosed:
            line = piece.line + text.count("\n", 0, offset)
            log.withhold(RecordError("no </RECORD> for this RECORD", path=file, line=line))
        if not piece.closed:
            return
        line = piece.line + text.count("\n", 0, start)
        try:
            yield Located(_read_record(text[start:], file, line, log), line)
        except RecordError as error:
            log.withhold(error)


def _check_between(between: str, file: Path, line: int, log: ReadLog) -> None:
    """Raise an error for declarations, and report other content between records."""
    if declaration := _DECLARATION.search(between):
        raise RecordError(
            "a DOCTYPE or entity declaration is not read; remove it",
            path=file,
            line=line + between.count("\n", 0, declaration.start()),
        )
    rest = _BETWEEN.match(between)
    end = rest.end() if rest else 0
    if end < len(between):
        log.withhold(
            RecordError(
                "neither a RECORD nor white space; is a RECORD tag missing?",
                path=file,
                line=line + between.count("\n", 0, end),
            )
        )


def _read_record(source: str, file: Path, line: int, log: ReadLog) -> Record:
    record_id: str | None = None

    def error(reason: str, offset: int = 0) -> RecordError:
        number = line + source.count("\n", 0, offset)
        return RecordError(reason, record=record_id, path=file, line=number)

    opening, closing = _RECORD_TAG.match(source), _RECORD_END.search(source)
    if opening is None:
        raise error('a record begins with <RECORD ID="..."> and <TEXT>')
    if closing is None or closing.start() < opening.end():
        raise error("a record ends with </TEXT> and </RECORD>")
    try:
        record_id = parse_attributes(opening[1]).get("ID")
        if record_id is None:
            raise error("this RECORD has no ID")
        tagged = _read_body(source, opening.end(), closing.start(), error)
    except ValueError:
        raise error("a numeric reference to a character that XML lacks") from None
    log.note("PHI tags without text, left out", tagged.empty)
    return Record.of(Document(record_id, tagged.text), tagged.spans)


def _read_body(
    source: str, start: int, end: int, error: Callable[[str, int], RecordError]
) -> TaggedText:
    without_tags = _PHI_TAG.sub("\n", source[start:end])
    is_literal = "<" in without_tags or _BARE_AMPERSAND.search(without_tags)
    resolve = str if is_literal else unescape
    tagged = TaggedText()
    position = start
    for tag in _PHI_TAG.finditer(source, start, end):
        tagged.add(resolve(source[position : tag.start()]))
        position = tag.end()
        if tag["close"]:
            if tagged.open_label is None:
                raise error("</PHI> without <PHI>", tag.start())
            tagged.close()
        elif tagged.open_label is not None:
            raise error("a PHI tag inside another, or one not closed", tag.start())
        elif tag["attributes"] is None:
            raise error('not a tag as in <PHI TYPE="DATE">', tag.start())
        else:
            attributes = parse_attributes(tag["attributes"])
            label, part = attributes.get("TYPE"), attributes.get("PART")
            if not label:
                raise error("a PHI tag without TYPE", tag.start())
            if part is not None and part not in get_args(Part):
                raise error(f"PART must be one of {', '.join(get_args(Part))}", tag.start())
            tagged.open(label, cast("Part | None", part))
            if tag["empty"]:
                tagged.close()
    tagged.add(resolve(source[position:end]))
    if tagged.open_label is not None:
        raise error("a PHI tag is not closed", end)
    return tagged


def _tags(span: Span) -> tuple[str, str]:
    part = f' PART="{span.part}"' if span.part else ""
    return f'<PHI TYPE="{escape_attribute(span.label)}"{part}>', "</PHI>"


_ELEMENTS = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER")
_PHI_ELEMENTS = frozenset({*_ELEMENTS, "PHI"})
_AS_SPACE = str.maketrans("\n\r\t", "   ")


class I2b2Format2014(AnnotatedFormat):
    """The XML of the i2b2/UTHealth 2014 track; `part` is the part of a name or date."""

    name = "i2b2-2014"
    about = "XML of the i2b2/UTHealth 2014 track, a file per record, PHI as standoff tags"
    suffixes = (".xml",)
    in_folder = True

    def sniff(self, file: Path) -> bool:
        start = head(file).lstrip(MARK).lstrip()
        return start.startswith("<") and ("<deIdi2b2" in start or "<TEXT><![CDATA[" in start)

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        data = read_data(source.file, source.encoding)
        # Names the byte that is not UTF-8; expat would name a line.
        decode(data, source.file, encoding=source.encoding)
        text, annotations = _Parser(source.file).parse(data, log)
        yield Located(gold_record(Document(source.id, text), annotations, log))

    def render(self, record: Record) -> str:
        check_xml(record)
        text = record.document.text
        held = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
        tags = []
        for number, span in enumerate(sorted(record.annotations, key=lambda s: s.start)):
            shown = escape_attribute(text[span.start : span.end])
            part = f' part="{span.part}"' if span.part else ""
            tags.append(
                f'<{_element(span.label)} id="P{number}" start="{span.start}" end="{span.end}" '
                f'text="{shown}" TYPE="{escape_attribute(span.label)}" comment=""{part} />\n'
            )
        return (
            '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
            f"<TEXT><![CDATA[{held}]]></TEXT>\n<TAGS>\n{''.join(tags)}</TAGS>\n</deIdi2b2>\n"
        )


class _Parser:
    """Reads one file with expat; nothing outside the file is opened, no entity is expanded."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._path: list[str] = []
        self._too_deep = 0
        self._text: list[str] | None = None
        self._tags: list[tuple[str, dict[str, str], int]] = []
        self._expat = expat.ParserCreate("utf-8")
        self._expat.buffer_text = True
        self._expat.buffer_size = 1 << 16
        self._expat.StartDoctypeDeclHandler = self._refuse
        self._expat.EntityDeclHandler = self._refuse
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters

    def parse(self, data: bytes, log: ReadLog) -> tuple[str, list[Span]]:
        try:
            self._expat.Parse(data, True)
        except expat.ExpatError as error:
            raise RecordError(
                f"not well-formed XML: {expat.ErrorString(error.code)}",
                path=self._file,
                line=error.lineno,
            ) from None
        finally:
            del self._expat  # it refers to this object: without the cycle, memory is freed at once
        if self._text is None:
            raise RecordError("no TEXT element", path=self._file)
        text = "".join(self._text)
        return text, self._spans(text, log)

    def _refuse(self, *_: object) -> None:
        raise self._error("a DOCTYPE or entity declaration is not read; remove it")

    def _error(self, reason: str, line: int | None = None) -> RecordError:
        if line is None:
            line = self._expat.CurrentLineNumber
        return RecordError(reason, path=self._file, line=line)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._path) == 3:  # nothing below a tag is read
            self._too_deep += 1
            return
        if len(self._path) == 2 and self._path[1] == "TEXT":
            raise self._error("an element inside TEXT")
        if len(self._path) == 2 and self._path[1] == "TAGS":
            self._tags.append((name, attributes, self._expat.CurrentLineNumber))
        self._path.append(name)
        if len(self._path) == 2 and name == "TEXT":
            if self._text is not None:
                raise self._error("a second TEXT element")
            self._text = []

    def _end(self, _: str) -> None:
        if self._too_deep:
            self._too_deep -= 1
        else:
            self._path.pop()

    def _characters(self, characters: str) -> None:
        if self._path[1:] == ["TEXT"] and self._text is not None:
            self._text.append(characters)

    def _spans(self, text: str, log: ReadLog) -> list[Span]:
        spans = []
        for name, attributes, line in self._tags:
            if name not in _PHI_ELEMENTS or "start" not in attributes:
                log.note("tags of the whole record or without PHI, left out")
                continue
            span = self._span(name, attributes, text, line)
            shown = attributes.get("text", "").translate(_AS_SPACE)
            if "text" in attributes and shown != text[span.start : span.end].translate(_AS_SPACE):
                log.note("tags whose text differs from the text at their offsets")
            spans.append(span)
        return spans

    def _span(self, name: str, attributes: dict[str, str], text: str, line: int) -> Span:
        offsets = attributes["start"], attributes.get("end", "")
        if not all(value.isascii() and value.isdigit() and len(value) <= 12 for value in offsets):
            raise self._error("start and end must be numbers", line)
        start, end = map(int, offsets)
        if not span_inside(text, start, end):
            raise self._error(
                f"offsets {start}-{end} do not fit the text of {len(text)} characters", line
            )
        part = attributes.get("part")
        if part is not None and part not in get_args(Part):
            raise self._error(f"part must be one of {', '.join(get_args(Part))}", line)
        label = attributes.get("TYPE") or name
        return Span(start, end, label, part=cast("Part | None", part))


@cache
def _element(label: str) -> str:
    """The element of a label: its Veil family in the first scheme that has it, or OTHER."""
    families = (family_in(label, scheme(name)) for name in SCHEMES)
    known = next((family for family in families if family), "OTHER")
    return known if known in _ELEMENTS else "OTHER"
