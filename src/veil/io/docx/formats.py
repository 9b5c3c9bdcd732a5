"""DOCX: a document per file; the reader is imported when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.io.base import ItemFormat
from veil.io.files import is_office_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import Item, Source, TableOptions
    from veil.io.package import PackageWriter

LINKS = ("hyperlink", "attachedTemplate", "mailMergeSource", "mailMergeHeaderSource")
"""External references that are masked, or replaced by one without a target."""


class DocxFormat(ItemFormat):
    """A Word file, with its headers, notes, comments, text boxes and properties."""

    name = "docx"
    about = "Word documents (DOCX)"
    suffixes = (".docx", ".docm", ".dotx")
    is_text = False

    def sniff(self, file: Path) -> bool:
        return is_office_file(file, self.suffixes, b"word/")

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.docx.documents import read_document

        return read_document(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> PackageWriter:
        from veil.io.package import PackageWriter

        return PackageWriter(source, target, links=LINKS)
