"""Plain text: a file is one item and one document."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.document import Document
from veil.io.base import decode_text
from veil.io.files import BOM, encoded, reading, refuse_nul
from veil.io.rewriting import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.rewriting import TableOptions


# An object of JSON, wherever it stands: "{"id": ...". Names in it may be written with escapes.
_JSON_OBJECT = re.compile(rb'\{\s*"(?:[^"\\\n]|\\.){0,80}"\s*:')
_HEAD = 1 << 16


def holds_json(data: bytes) -> bool:
    """Whether bytes hold JSON, such as JSON lines whose first line is damaged."""
    return _JSON_OBJECT.search(data) is not None


class RewritableText:
    """Plain text in UTF-8; a byte order mark is kept, and no line end changes."""

    name = "text"
    about = "plain text (UTF-8), a record a file"
    suffixes = (".txt", ".text")
    resumable = False

    def sniff(self, file: Path) -> bool:
        suffix = file.suffix.lower()
        if suffix:
            return suffix in self.suffixes
        with file.open("rb") as source:
            head = source.read(_HEAD)
        return b"\0" not in head and not holds_json(head)

    def items(self, file: Path, options: TableOptions) -> Iterator[Item | RecordError]:
        with reading(file):
            data = file.read_bytes()
        refuse_nul(data, file)
        marked = data.startswith(BOM)
        # Decoded with its mark, so that an error names the right byte.
        text = decode_text(data, file)[marked:]
        yield Item((Document(file.stem, text),), payload=marked, is_record=bool(text.strip()))

    @contextlib.contextmanager
    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> Iterator[_Writer]:
        target.unlink(missing_ok=True)
        yield _Writer(target)


@dataclass
class _Writer:
    """Makes the file with its only item."""

    target: Path
    size: int = 0

    def write(self, item: Item, texts: Sequence[str]) -> None:
        (text,) = texts
        data = (BOM if item.payload else b"") + encoded(text, item)
        # Not forced to the disk, which would take longer than masking: a run that goes on compares
        # what is there with its journal.
        self.size = self.target.write_bytes(data)

    def flush(self) -> int:
        return self.size
