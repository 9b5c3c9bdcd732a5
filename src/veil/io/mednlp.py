"""MedNLP's inline tags: `<a>63歳</a>の<x>男性</x>`, a file a record or a `<doc id="7">` each.

Nothing but the tags is markup: `CRP<0.3` and `R&D` are text as they stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.core.document import Document, Record
from veil.core.errors import RecordError
from veil.io.annotated import AnnotatedFormat, TaggedText, render_tagged, write_folder
from veil.io.base import Located
from veil.io.files import MARK, decode, head, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from veil.core.document import Span
    from veil.io.base import ReadLog, Source
    from veil.io.files import Piece

_LABELS = {
    "a": "AGE",
    "h": "HOSPITAL",
    "x": "SEX",
    "t": "TIME",
    "p": "PERSON",
    # Veil's extension
    "l": "LOCATION",
    "i": "ID",
    "f": "PHONE",
    "e": "EMAIL",
    "o": "ORGANIZATION",
}
_TAGS = {label: tag for tag, label in _LABELS.items()}
_NAMES = "".join(_LABELS)
_DOC = r'<doc\s+id="([^"<>]*)"\s*>'
# `<c modality="negation">` is markup, `<c and d>` is text.
_COMPLAINT = r'<c(?:\s+[\w-]+="[^"<>]*")*\s*>|</c>'
_TAG = re.compile(rf"<(/?)([{_NAMES}])>|({_COMPLAINT})|{_DOC}|</doc>")
_DOC_START = re.compile(_DOC)
_SOME_PAIR = re.compile(rf"<([{_NAMES}])>[^<]*</\1>")
# <a>, <p> and <i> are HTML too; `<br>` or `<div class=...>` beside them says that it is HTML.
_HTML_OR_XML = re.compile(r"<(?:\?xml|!DOCTYPE|html|body|div|br|span|table|ROOT|RECORD)\b", re.I)


class MednlpFormat(AnnotatedFormat):
    """MedNLP's inline tags; `<l>`, `<i>`, `<f>`, `<e>` and `<o>` are Veil's extension."""

    name = "mednlp"
    about = "text with MedNLP's inline tags (<a>, <h>, <x>, <t>, <p>), a file a record"
    suffixes = (".txt", ".xml")

    def sniff(self, file: Path) -> bool:
        start = head(file)
        if file.suffix.lower() not in self.suffixes or _HTML_OR_XML.search(start):
            return False
        return _holds_docs(start) or _SOME_PAIR.search(start) is not None

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        file = source.file
        if _holds_docs(head(file)):
            yield from _read_docs(file, log)
        else:
            text = decode(file.read_bytes(), file)
            yield Located(_read_text(text, source.id, file, 1, log))

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        return write_folder(records, path, log, lambda record: {".txt": self.render(record)})

    def render(self, record: Record) -> str:
        if tag := _TAG.search(record.document.text):
            raise RecordError(
                f"its text at character {tag.start()} reads like a tag; use another format",
                record=record.id,
            )

        def tags(span: Span) -> tuple[str, str]:
            if span.label not in _TAGS:
                raise RecordError(
                    f"the label at {span.start}-{span.end} has no tag in MedNLP; convert with "
                    "--scheme mednlp",
                    record=record.id,
                )
            return f"<{_TAGS[span.label]}>", f"</{_TAGS[span.label]}>"

        return render_tagged(record, tags)


def _holds_docs(start: str) -> bool:
    return _DOC_START.match(start.removeprefix(MARK).lstrip()) is not None


def _read_docs(file: Path, log: ReadLog) -> Iterator[Located]:
    for piece in pieces(file, b"</doc>"):
        try:
            yield from _read_piece(piece, file, log)
        except RecordError as error:
            log.withhold(error)


def _read_piece(piece: Piece, file: Path, log: ReadLog) -> Iterator[Located]:
    source = piece.decode(file)
    starts = list(_DOC_START.finditer(source))
    between = source[: starts[0].start()] if starts else source
    if between.strip():
        log.withhold(RecordError("text outside a <doc>", path=file, line=piece.line))
    unclosed = starts[:-1] if piece.closed else starts
    for start in unclosed:
        line = piece.line + source.count("\n", 0, start.start())
        log.withhold(RecordError("no </doc> for this <doc>", record=start[1], path=file, line=line))
    if starts and piece.closed:
        start = starts[-1]
        line = piece.line + source.count("\n", 0, start.start())
        text = source[start.end() :].removesuffix("</doc>")
        record = _read_text(text, start[1], file, line, log)
        yield Located(record, line, before=start[0], after="</doc>\n")


def _read_text(source: str, record: str, file: Path, line: int, log: ReadLog) -> Record:
    """Read tagged text that begins on `line` of its file."""

    def error(reason: str, offset: int) -> RecordError:
        return RecordError(
            reason, record=record, path=file, line=line + source.count("\n", 0, offset)
        )

    tagged = TaggedText()
    position = complaints = 0
    for tag in _TAG.finditer(source):
        tagged.add(source[position : tag.start()])
        position = tag.end()
        closing, name, complaint = tag[1], tag[2], tag[3]
        if complaint:
            complaints += not complaint.startswith("</")
        elif name is None:
            raise error("a doc tag inside a record", tag.start())
        elif not closing:
            if tagged.open_label is not None:
                raise error("a tag inside another, or one not closed", tag.start())
            tagged.open(_LABELS[name])
        elif tagged.open_label != _LABELS[name]:
            raise error(f"</{name}> without <{name}>", tag.start())
        else:
            tagged.close()
    tagged.add(source[position:])
    if tagged.open_label is not None:
        raise error("a tag is not closed", len(source))
    log.note("complaint tags <c>, removed: they mark no PHI", complaints)
    log.note("tags without text, left out", tagged.empty)
    return Record.of(Document(record, tagged.text), tagged.spans)
