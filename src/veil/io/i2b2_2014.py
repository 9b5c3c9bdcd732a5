"""The XML of the i2b2/UTHealth 2014 track: a file a record, text in CDATA, PHI as standoff tags."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast, get_args
from xml.parsers import expat

from veil.core.document import Document, Part, Record, Span
from veil.core.errors import RecordError
from veil.core.labels import SCHEMES, family_in, scheme
from veil.io.base import FORMATS, decode_text, files_below, head, record_id
from veil.io.reading import BOM, Located, gold_record, read_files, span_inside
from veil.io.writing import write_folder
from veil.io.xml_text import check_xml, escape_attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from veil.io.base import ReadLog

_ELEMENTS = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER")
_PHI_ELEMENTS = frozenset({*_ELEMENTS, "PHI"})
_AS_SPACE = str.maketrans("\n\r\t", "   ")


class I2b2Format2014:
    """The XML of the i2b2/UTHealth 2014 track; part of a name or date in the attribute `part`."""

    name = "i2b2-2014"
    about = "XML of the i2b2/UTHealth 2014 track, a file a record, PHI as standoff tags"
    suffixes = (".xml",)

    def sniff(self, path: Path) -> bool:
        start = head(path).lstrip(BOM).lstrip()
        return start.startswith("<") and ("<deIdi2b2" in start or "<TEXT><![CDATA[" in start)

    def files(self, path: Path) -> Iterator[Path]:
        return files_below(path, *self.suffixes)

    def read(self, path: Path, log: ReadLog) -> Iterator[Record]:
        def read_file(file: Path) -> Iterator[Located]:
            data = file.read_bytes()
            decode_text(data, file)  # names the byte that is not UTF-8; expat would name a line
            parser = _Parser(file)
            text, annotations = parser.parse(data, log)
            document = Document(record_id(file, path), text)
            yield Located(gold_record(document, annotations, log))

        return read_files(self.files(path), path, log, read_file)

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        return write_folder(records, path, log, lambda record: {".xml": _render(record)})


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
            del self._expat  # it holds this object: without the circle, memory is freed at once
        if self._text is None:
            raise RecordError("no TEXT element", path=self._file)
        text = "".join(self._text)
        return text, self._spans(text, log)

    def _refuse(self, *_: object) -> None:
        raise self._error("a DOCTYPE or entity declaration is not read; remove it")

    def _error(self, reason: str, line: int | None = None) -> RecordError:
        place = self._expat.CurrentLineNumber if line is None else line
        return RecordError(reason, path=self._file, line=place)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._path) == 3:  # below a tag nothing is read, however deep it goes
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
                log.note("tags of the whole record or of no PHI, left out")
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


def _render(record: Record) -> str:
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


FORMATS.add(I2b2Format2014.name, I2b2Format2014())
