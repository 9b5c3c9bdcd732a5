"""Plain text: one record per file."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.document import Document, Record
from veil.core.encodings import decode, read_data
from veil.io.annotated import WrittenFormat
from veil.io.base import Item, Located, encoded
from veil.io.files import BOM, LONGEST_START, reading, refuse_nul, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import ReadLog, Source, TableOptions

# A JSON object anywhere in a text: "{"id": ...". Names in it may be written with escapes.
_JSON_OBJECT = re.compile(rb'\{\s*"(?:[^"\\\n]|\\.){0,80}"\s*:')


def holds_json(data: bytes) -> bool:
    """Whether bytes contain JSON, such as JSON lines with a damaged first line."""
    return _JSON_OBJECT.search(data) is not None


class TextFormat(WrittenFormat):
    """Plain text; spans are not stored.

    Rewriting keeps a byte order mark, and changes no line end.
    """

    name = "text"
    about = "plain text, one .txt file per record; stores no spans"
    suffixes = (".txt", ".text")
    in_folder = True

    def sniff(self, file: Path) -> bool:
        suffix = file.suffix.lower()
        if suffix and suffix not in self.suffixes:
            return False
        start = start_of(file, LONGEST_START)
        return b"\0" not in start and (suffix != "" or not holds_json(start))

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        data = read_data(source.file, source.encoding)
        text = decode(data, source.file, encoding=source.encoding)
        yield Located(Record.of(Document(source.id, text)))

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        with reading(source.file):
            data = read_data(source.file, source.encoding)
        refuse_nul(data, source.file)
        marked = data.startswith(BOM)
        # Decoded with its byte order mark, so that an error has the right byte.
        text = decode(data, source.file, encoding=source.encoding)[marked:]
        yield Item((Document(source.id, text),), is_record=bool(text.strip()))

    @contextlib.contextmanager
    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> Iterator[_Writer]:
        target.unlink(missing_ok=True)
        yield _Writer(target, options.mark(source), options.written_encoding(source))

    def render(self, record: Record) -> str:
        return record.document.text


@dataclass
class _Writer:
    """Writes the file with its only item."""

    target: Path
    mark: bytes
    encoding: str
    size: int = 0

    def write(self, item: Item, texts: Sequence[str]) -> None:
        (text,) = texts
        data = self.mark + encoded(text, item, self.encoding)
        # Not flushed to the disk, which would take longer than masking: a resumed run compares
        # existing files with its journal.
        self.size = self.target.write_bytes(data)

    def flush(self) -> int:
        return self.size


TEXT = TextFormat()
