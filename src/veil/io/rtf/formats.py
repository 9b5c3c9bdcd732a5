"""RTF: a document per file; the reader is imported when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.io.base import ItemFormat
from veil.io.files import start_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import FileWriter, Item, Source, TableOptions


class RtfFormat(ItemFormat):
    """An RTF document, with its headers, notes, comments and properties."""

    name = "rtf"
    about = "RTF documents"
    suffixes = (".rtf", ".doc", ".txt")
    is_text = False
    is_certain = True

    def sniff(self, file: Path) -> bool:
        # RTF files often have the suffix .doc.
        return file.suffix.lower() == ".rtf" or start_of(file, 5) == b"{\\rtf"

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.rtf.documents import read_document

        return read_document(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        from veil.io.rtf.documents import RtfWriter

        return RtfWriter(target, needs_item=True)
