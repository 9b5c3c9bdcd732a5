"""CDA R2 and C-CDA as XML: a document per file; the reader is imported when needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.io.base import ItemFormat
from veil.io.files import LONGEST_START, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import FileWriter, Item, Source, TableOptions

_ROOT = re.compile(rb"<(?:[A-Za-z_][\w.\-]*:)?ClinicalDocument[\s>]")


class CdaFormat(ItemFormat):
    """A clinical document; its people are known values for its narrative."""

    name = "cda"
    about = "CDA R2 and C-CDA documents as XML"
    suffixes = (".xml", ".cda", ".ccda", ".ccd")
    is_text = False

    def sniff(self, file: Path) -> bool:
        # Also in UTF-16, where ASCII letters are separated by zero bytes.
        return _ROOT.search(start_of(file, LONGEST_START).replace(b"\0", b"")) is not None

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.cda.documents import read_document

        return read_document(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        from veil.io.cda.documents import DocumentWriter

        return DocumentWriter(target, needs_item=True)
