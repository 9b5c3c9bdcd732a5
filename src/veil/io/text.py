"""Plain text: a file is a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.document import Document, Record
from veil.io.base import FORMATS, decode_text, files_below, head, record_id
from veil.io.reading import Located, read_files
from veil.io.writing import write_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from veil.io.base import ReadLog


class TextFormat:
    """Plain text without annotations: one .txt file a record; spans are not kept."""

    name = "text"
    about = "plain text, one .txt file a record (UTF-8); holds no spans"
    suffixes = (".txt",)

    def sniff(self, path: Path) -> bool:
        return path.suffix.lower() == ".txt" and "\0" not in head(path)

    def files(self, path: Path) -> Iterator[Path]:
        return files_below(path, *self.suffixes)

    def read(self, path: Path, log: ReadLog) -> Iterator[Record]:
        def read_file(file: Path) -> Iterator[Located]:
            text = decode_text(file.read_bytes(), file)
            yield Located(Record.of(Document(record_id(file, path), text)))

        return read_files(self.files(path), path, log, read_file)

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        return write_folder(records, path, log, lambda record: {".txt": record.document.text})


FORMATS.add(TextFormat.name, TextFormat())
