"""HL7 version 2 in the encoding with delimiters; the reader is imported when needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.io.base import ItemFormat
from veil.io.files import BOM, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import FileWriter, Item, Source, TableOptions

# A header with its delimiters: `MSH|^~\&|`, with the byte that begins an MLLP frame before it.
_HEADER = re.compile(rb"\s*\x0b?\s*(?:MSH|FHS|BHS)([!-/:-@\[-`{-~])[!-/:-@\[-`{-~]{1,5}\1")


class Hl7Format(ItemFormat):
    """Messages one after the other, plain, in MLLP frames, or in batches."""

    name = "hl7"
    about = "HL7 v2 messages: plain, in MLLP frames, or in batches"
    suffixes = (".hl7", ".hl7v2", ".mllp", ".er7", ".oru", ".adt", ".mdm", ".txt")
    resumable = True
    is_text = False
    is_certain = True

    def sniff(self, file: Path) -> bool:
        return _HEADER.match(start_of(file, 1024).removeprefix(BOM)) is not None

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.hl7.messages import read_messages

        return read_messages(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        from veil.io.hl7.messages import MessageWriter

        return MessageWriter(target, resume=resume)
