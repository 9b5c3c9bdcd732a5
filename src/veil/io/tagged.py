"""Labels as inline tags: `Seen by Dr. <DOCTOR>Ek</DOCTOR>`, a file a record; made to be typed.

A tag is a label of one of Veil's schemes, in capitals; nothing else is markup: `<HR>` and `CRP<5`
are text as they stand. A file that begins with `=== name` holds several records, each after such a
line.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, cast

from veil.core.document import Document, Part, Record
from veil.core.errors import RecordError
from veil.io.annotated import (
    AnnotatedFormat,
    TaggedText,
    known_labels,
    render_tagged,
    write_folder,
)
from veil.io.base import Located
from veil.io.files import decode, head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from veil.core.document import Span
    from veil.io.base import ReadLog, Source

_HEADING = "=== "
_NAMED = re.compile(r"^=== .*\n", re.MULTILINE)


class TaggedFormat(AnnotatedFormat):
    """Text with labels as inline tags."""

    name = "tagged"
    about = "text with labels as inline tags (<DOCTOR>...</DOCTOR>), a file a record"
    suffixes = (".txt",)

    def sniff(self, file: Path) -> bool:
        start = head(file)
        opening = next((tag for tag in _tag().finditer(start) if not tag[1]), None)
        return opening is not None and f"</{opening[2]}>" in start[opening.end() :]

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        file = source.file
        text = decode(file.read_bytes(), file)
        if not text.startswith(_HEADING):
            yield Located(_read_text(text, source.id, file, log))
            return
        for heading, line, body in _records_of(text):
            name = heading.removeprefix(_HEADING).strip()
            try:
                record = _read_text(body, f"{source.id}/{name}", file, log, first_line=line)
            except RecordError as error:
                log.withhold(error)
            else:
                yield Located(record, line, before=heading)

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        return write_folder(records, path, log, lambda record: {".txt": self.render(record)})

    def render(self, record: Record) -> str:
        if record.document.text.startswith(_HEADING):
            raise RecordError(
                f"its text begins with '{_HEADING}', which reads like a heading; use another "
                "format",
                record=record.id,
            )
        if tag := _tag().search(record.document.text):
            raise RecordError(
                f"its text at character {tag.start()} reads like a tag; use another format",
                record=record.id,
            )

        def tags(span: Span) -> tuple[str, str]:
            opening = f'<{span.label} part="{span.part}">' if span.part else f"<{span.label}>"
            if not _tag().fullmatch(opening):
                raise RecordError(
                    f"the label at {span.start}-{span.end} is in none of Veil's schemes; use "
                    "another format",
                    record=record.id,
                )
            return opening, f"</{span.label}>"

        return render_tagged(record, tags)


def _records_of(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield the heading, the line below it and the text of each record of a file."""
    headings = list(_NAMED.finditer(source))
    ends = [heading.start() for heading in headings[1:]] + [len(source)]
    for heading, end in zip(headings, ends, strict=True):
        line = source.count("\n", 0, heading.end()) + 1
        yield heading[0], line, source[heading.end() : end]


@cache
def _tag() -> re.Pattern[str]:
    labels = sorted(known_labels(), key=len)
    names = "|".join(map(re.escape, reversed(labels)))
    return re.compile(rf'<(/?)({names})(?: part="(first|last|full|partial)")?>')


def _read_text(
    source: str, record: str, file: Path, log: ReadLog, *, first_line: int = 1
) -> Record:
    def error(reason: str, offset: int) -> RecordError:
        line = source.count("\n", 0, offset) + first_line
        return RecordError(reason, record=record, path=file, line=line)

    tagged = TaggedText()
    position = 0
    for tag in _tag().finditer(source):
        tagged.add(source[position : tag.start()])
        position = tag.end()
        closing, label, part = tag.groups()
        if not closing:
            if tagged.open_label is not None:
                raise error("a tag inside another, or one not closed", tag.start())
            tagged.open(label, cast("Part | None", part))
        elif tagged.open_label != label:
            raise error(f"</{label}> without <{label}>", tag.start())
        else:
            tagged.close()
    tagged.add(source[position:])
    if tagged.open_label is not None:
        raise error("a tag is not closed", len(source))
    log.note("tags without text, left out", tagged.empty)
    return Record.of(Document(record, tagged.text), tagged.spans)
