"""Text with inline tags, where only the tags are markup: `CRP<0.3` and `R&D` are text.

`tagged` has labels as tags, and is easy to type: `Seen by Dr. <DOCTOR>Ek</DOCTOR>`. A tag is a
label of one of Veil's schemes, in capitals. A file that begins with `=== name` contains several
records, each after such a line. `mednlp` has MedNLP's tags: `<a>63歳</a>の<x>男性</x>`, with a file
or a `<doc id="7">` for each record.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from functools import cache
from typing import TYPE_CHECKING, cast

from veil.core.document import Document, Part, Record
from veil.core.encodings import decode, read_data
from veil.core.errors import RecordError
from veil.core.patterns import compile_pattern
from veil.io.annotated import (
    AnnotatedFormat,
    TaggedText,
    known_labels,
    render_tagged,
)
from veil.io.base import Located
from veil.io.files import MARK, head, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.document import Span
    from veil.io.base import ReadLog, Source
    from veil.io.files import TextPiece

_HEADING = "=== "
_HEADING_LINE = compile_pattern(r"^=== .*\n", re.MULTILINE)
_MEDNLP_LABELS = {
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
_MEDNLP_TAGS = {label: tag for tag, label in _MEDNLP_LABELS.items()}
_NAMES = "".join(_MEDNLP_LABELS)
_DOC = r'<doc\s+id="([^"<>]*)"\s*>'
_DOC_START = compile_pattern(_DOC)
# `<c modality="negation">` is markup, `<c and d>` is text.
_COMPLAINT = r'<c(?:\s+[\w-]+="[^"<>]*")*\s*>|</c>'
_MEDNLP_TAG = compile_pattern(
    rf"<(?P<closing>/?)(?P<name>[{_NAMES}])>|(?P<complaint>{_COMPLAINT})|{_DOC}|</doc>"
)
_MEDNLP_PAIR = compile_pattern(rf"<([{_NAMES}])>[^<]*</\1>")
# <a>, <p> and <i> are also HTML; a file that also has `<br>` or `<div class=...>` is HTML.
_HTML_OR_XML = compile_pattern(
    r"<(?:\?xml|!DOCTYPE|html|body|div|br|span|table|ROOT|RECORD)\b", re.I
)


class InlineFormat(AnnotatedFormat):
    """Text with inline tags; each record is written to its own file."""

    in_folder = True
    keeps_lines = True

    @property
    @abstractmethod
    def pattern(self) -> re.Pattern[str]:
        """The pattern of a tag, with the groups `closing` and `name`, and optional others."""

    @abstractmethod
    def tags(self, span: Span, record: Record) -> tuple[str, str]:
        """Return the opening and the closing tag of a span."""

    def label(self, tag: str) -> str:
        """Return the label of a tag."""
        return tag

    def render(self, record: Record) -> str:
        if tag := self.pattern.search(record.document.text):
            raise RecordError(
                f"its text at character {tag.start()} looks like a tag; use another format",
                record=record.id,
            )
        return render_tagged(record, lambda span: self.tags(span, record))

    def read_record(self, text: str, name: str, file: Path, line: int, log: ReadLog) -> Record:
        """Read tagged text that begins on a line of its file."""

        def error(reason: str, offset: int) -> RecordError:
            number = line + text.count("\n", 0, offset)
            return RecordError(reason, record=name, path=file, line=number)

        tagged = TaggedText()
        position = complaints = 0
        for match in self.pattern.finditer(text):
            tagged.add(text[position : match.start()])
            position = match.end()
            groups = match.groupdict()
            tag = groups["name"]
            if complaint := groups.get("complaint"):
                complaints += not complaint.startswith("</")
            elif tag is None:
                raise error("a doc tag inside a record", match.start())
            elif not groups["closing"]:
                if tagged.open_label is not None:
                    raise error("a tag inside another, or one not closed", match.start())
                tagged.open(self.label(tag), cast("Part | None", groups.get("part")))
            elif tagged.open_label != self.label(tag):
                raise error(f"</{tag}> without <{tag}>", match.start())
            else:
                tagged.close()
        tagged.add(text[position:])
        if tagged.open_label is not None:
            raise error("a tag is not closed", len(text))
        log.note("complaint tags <c>, removed: they mark no PHI", complaints)
        log.note("tags without text, left out", tagged.empty)
        return Record.of(Document(name, tagged.text), tagged.spans)


class TaggedFormat(InlineFormat):
    """Text with labels as inline tags."""

    name = "tagged"
    about = "text with labels as inline tags (<DOCTOR>...</DOCTOR>), a file per record"
    suffixes = (".txt",)

    @property
    def pattern(self) -> re.Pattern[str]:
        return _label_tag()

    def sniff(self, file: Path) -> bool:
        start = head(file)
        tags = self.pattern.finditer(start)
        opening = next((tag for tag in tags if not tag["closing"]), None)
        return opening is not None and f"</{opening['name']}>" in start[opening.end() :]

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        file = source.file
        text = decode(read_data(file, source.encoding), file, encoding=source.encoding)
        if not text.startswith(_HEADING):
            yield Located(self.read_record(text, source.id, file, 1, log))
            return
        headings = list(_HEADING_LINE.finditer(text))
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        for heading, end in zip(headings, ends, strict=True):
            line = text.count("\n", 0, heading.end()) + 1
            name = f"{source.id}/{heading[0].removeprefix(_HEADING).strip()}"
            try:
                record = self.read_record(text[heading.end() : end], name, file, line, log)
            except RecordError as error:
                log.withhold(error)
            else:
                yield Located(record, line, before=heading[0])

    def render(self, record: Record) -> str:
        if record.document.text.startswith(_HEADING):
            raise RecordError(
                f"its text begins with '{_HEADING}', which looks like a heading; use another "
                "format",
                record=record.id,
            )
        return super().render(record)

    def tags(self, span: Span, record: Record) -> tuple[str, str]:
        opening = f'<{span.label} part="{span.part}">' if span.part else f"<{span.label}>"
        if not self.pattern.fullmatch(opening):
            raise RecordError(
                f"the label at {span.start}-{span.end} is not in a scheme of Veil; use another "
                "format",
                record=record.id,
            )
        return opening, f"</{span.label}>"


@cache
def _label_tag() -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(known_labels(), key=len, reverse=True)))
    return compile_pattern(
        rf'<(?P<closing>/?)(?P<name>{names})(?: part="(?P<part>first|last|full|partial)")?>'
    )


class MednlpFormat(InlineFormat):
    """MedNLP's inline tags; `<l>`, `<i>`, `<f>`, `<e>` and `<o>` are Veil's extension."""

    name = "mednlp"
    about = "text with MedNLP's inline tags (<a>, <h>, <x>, <t>, <p>), a file per record"
    suffixes = (".txt", ".xml")
    pattern = _MEDNLP_TAG

    def sniff(self, file: Path) -> bool:
        start = head(file)
        if file.suffix.lower() not in self.suffixes or _HTML_OR_XML.search(start):
            return False
        return _holds_docs(start) or _MEDNLP_PAIR.search(start) is not None

    def label(self, tag: str) -> str:
        return _MEDNLP_LABELS[tag]

    def tags(self, span: Span, record: Record) -> tuple[str, str]:
        if span.label not in _MEDNLP_TAGS:
            raise RecordError(
                f"the label at {span.start}-{span.end} has no tag in MedNLP; convert with --scheme "
                "mednlp",
                record=record.id,
            )
        return f"<{_MEDNLP_TAGS[span.label]}>", f"</{_MEDNLP_TAGS[span.label]}>"

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        file = source.file
        if not _holds_docs(head(file)):
            text = decode(read_data(file, source.encoding), file, encoding=source.encoding)
            yield Located(self.read_record(text, source.id, file, 1, log))
            return
        for piece in pieces(file, b"</doc>", source.encoding):
            try:
                yield from self._read_doc(piece, file, log)
            except RecordError as error:
                log.withhold(error)

    def _read_doc(self, piece: TextPiece, file: Path, log: ReadLog) -> Iterator[Located]:
        source = piece.decode(file)
        starts = list(_DOC_START.finditer(source))
        between = source[: starts[0].start()] if starts else source
        if between.strip():
            log.withhold(RecordError("text outside a <doc>", path=file, line=piece.line))
        for start in starts:
            line = piece.line + source.count("\n", 0, start.start())
            if start is starts[-1] and piece.closed:
                text = source[start.end() :].removesuffix("</doc>")
                record = self.read_record(text, start[1], file, line, log)
                yield Located(record, line, before=start[0], after="</doc>\n")
            else:
                reason = "no </doc> for this <doc>"
                log.withhold(RecordError(reason, record=start[1], path=file, line=line))


def _holds_docs(start: str) -> bool:
    return _DOC_START.match(start.removeprefix(MARK).lstrip()) is not None
