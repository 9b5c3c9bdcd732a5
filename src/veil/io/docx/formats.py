"""DOCX: a document a file; what reads it is imported when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.io.base import ItemFormat
from veil.io.files import start_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import Item, Source, TableOptions
    from veil.io.package import PackageWriter

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


class DocxFormat(ItemFormat):
    """A Word file, with its headers, notes, comments, text boxes and properties."""

    name = "docx"
    about = "Word documents (DOCX)"
    suffixes = (".docx", ".docm", ".dotx")
    is_text = False

    def sniff(self, file: Path) -> bool:
        # An encrypted file is no zip archive; the reader says what to do with it.
        start = start_of(file, LONGEST)
        if file.suffix.lower() in self.suffixes:
            return start.startswith((_ZIP, _OLE))
        return start.startswith(_ZIP) and b"word/" in start and b"[Content_Types].xml" in start

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.docx.documents import read_document

        return read_document(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> PackageWriter:
        from veil.io.package import PackageWriter

        return PackageWriter(source, target, links=LINKS)


LONGEST = 1 << 16
LINKS = ("hyperlink", "attachedTemplate", "mailMergeSource", "mailMergeHeaderSource")
"""References to the outside that are masked, or replaced by one that leads nowhere."""
