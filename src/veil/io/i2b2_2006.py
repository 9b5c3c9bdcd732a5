"""The XML of the i2b2 2006 de-identification challenge: many records a file, PHI tagged inline.

Two dialects are read, decided record by record. Where every `&` begins a reference and every `<` a
PHI tag, the text is escaped as XML wants it; otherwise (`BP < 120 & stable`) it is taken literally.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast, get_args

from veil.core.document import Document, Part, Record
from veil.core.errors import RecordError
from veil.io.base import FORMATS, files_below, head
from veil.io.inline import TaggedText, render_tagged
from veil.io.reading import BOM, Located, pieces, read_files
from veil.io.writing import write_file
from veil.io.xml_text import (
    ATTRIBUTES,
    check_xml,
    check_xml_id,
    escape_attribute,
    escape_text,
    is_escaped,
    parse_attributes,
    unescape,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from veil.core.document import Span
    from veil.io.base import ReadLog

_RECORD_START = re.compile(r"<RECORD(?=[\s>])")
_RECORD_TAG = re.compile(rf"<RECORD({ATTRIBUTES})>\s*+<TEXT>")
_RECORD_END = re.compile(r"</TEXT>\s*+</RECORD>\Z")
_BETWEEN = re.compile(r"(?:\s++|<\?xml[^<>?]*+\?>|<!--.*?-->|</?ROOT\s*+>)*+", re.DOTALL)
_DECLARATION = re.compile(r"<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)\b")
# `<PHI TYPE="DATE">` and `</PHI>`; the last branch is a tag gone wrong, such as `<PHI TYPE=DATE>`.
_PHI_TAG = re.compile(
    rf"<PHI(?P<attributes>{ATTRIBUTES})(?P<empty>/?)>|(?P<close></PHI\s*+>)|<PHI\b"
)


class I2b2Format2006:
    """The XML of the i2b2 2006 challenge; part of a name or date in the attribute PART."""

    name = "i2b2-2006"
    about = "XML of the i2b2 2006 challenge, many records a file, PHI tagged inline"
    suffixes = (".xml",)

    def sniff(self, path: Path) -> bool:
        start = head(path).lstrip(BOM).lstrip()
        return start.startswith("<") and _RECORD_START.search(start) is not None

    def files(self, path: Path) -> Iterator[Path]:
        return files_below(path, *self.suffixes)

    def read(self, path: Path, log: ReadLog) -> Iterator[Record]:
        return read_files(self.files(path), path, log, lambda file: _read_file(file, log))

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        return write_file(
            records,
            path,
            log,
            name="records.xml",
            render=_render,
            opening='<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n',
            closing="</ROOT>\n",
        )


def _read_file(file: Path, log: ReadLog) -> Iterator[Located]:
    for piece in pieces(file, b"</RECORD>"):
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
    """Refuse declarations, and report whatever else stands between records."""
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


class _MarkupError(Exception):
    """What is wrong with the tags of a record, and where."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


def _read_record(source: str, file: Path, line: int, log: ReadLog) -> Record:
    opening, closing = _RECORD_TAG.match(source), _RECORD_END.search(source)
    if opening is None:
        raise RecordError('a record begins with <RECORD ID="..."> and <TEXT>', path=file, line=line)
    if closing is None or closing.start() < opening.end():
        raise RecordError("a record ends with </TEXT> and </RECORD>", path=file, line=line)
    record_id: str | None = None
    try:
        record_id = parse_attributes(opening[1]).get("ID")
        if record_id is None:
            raise _MarkupError("this RECORD has no ID", 0)
        tagged = _read_body(source, opening.end(), closing.start())
    except _MarkupError as error:
        reason, offset = error.reason, error.offset
    except ValueError:
        reason, offset = "a numeric reference to a character that XML lacks", 0
    else:
        log.note("PHI tags without text, left out", tagged.empty)
        return Record.of(Document(record_id, tagged.text), tagged.spans)
    raise RecordError(
        reason, record=record_id, path=file, line=line + source.count("\n", 0, offset)
    )


def _read_body(source: str, start: int, end: int) -> TaggedText:
    without_tags = _PHI_TAG.sub("\n", source[start:end])
    escaped = "<" not in without_tags and is_escaped(without_tags)
    resolve = unescape if escaped else str
    tagged = TaggedText()
    position = start
    for tag in _PHI_TAG.finditer(source, start, end):
        tagged.add(resolve(source[position : tag.start()]))
        position = tag.end()
        if tag["close"]:
            if tagged.open_label is None:
                raise _MarkupError("</PHI> without <PHI>", tag.start())
            tagged.close()
        elif tagged.open_label is not None:
            raise _MarkupError("a PHI tag inside another, or one not closed", tag.start())
        elif tag["attributes"] is None:
            raise _MarkupError('not a tag as in <PHI TYPE="DATE">', tag.start())
        else:
            tagged.open(*_type_and_part(tag))
            if tag["empty"]:
                tagged.close()
    tagged.add(resolve(source[position:end]))
    if tagged.open_label is not None:
        raise _MarkupError("a PHI tag is not closed", end)
    return tagged


def _type_and_part(tag: re.Match[str]) -> tuple[str, Part | None]:
    attributes = parse_attributes(tag["attributes"])
    label, part = attributes.get("TYPE"), attributes.get("PART")
    if not label:
        raise _MarkupError("a PHI tag without TYPE", tag.start())
    if part is not None and part not in get_args(Part):
        raise _MarkupError(f"PART must be one of {', '.join(get_args(Part))}", tag.start())
    return label, cast("Part | None", part)


def _render(record: Record) -> str:
    check_xml(record)
    check_xml_id(record)
    return (
        f'<RECORD ID="{escape_attribute(record.id)}">\n'
        f"<TEXT>{render_tagged(record, _tags, escape_text)}</TEXT>\n</RECORD>\n"
    )


def _tags(span: Span) -> tuple[str, str]:
    part = f' PART="{span.part}"' if span.part else ""
    return f'<PHI TYPE="{escape_attribute(span.label)}"{part}>', "</PHI>"


FORMATS.add(I2b2Format2006.name, I2b2Format2006())
