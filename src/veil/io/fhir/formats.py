"""FHIR R4 as JSON: a bundle or a resource per file, or NDJSON with a resource per line.

The reader is large, and imported only when a file is recognised as FHIR.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from veil.core.encodings import guess_wide, opened
from veil.io.base import ItemFormat
from veil.io.files import BOM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import FileWriter, Item, Source, TableOptions

SECURITY_LABELS = {"ANONYED": "anonymized", "PSEUDED": "pseudonymized"}
"""The HL7 codes for the masking of a resource, with their displays."""
_LONGEST_FIRST_LINE = 1 << 24
_HEAD = 1 << 16


class FhirNdjsonFormat(ItemFormat):
    """Resources line by line; values of people's resources are known for all others."""

    name = "fhir-ndjson"
    about = "FHIR R4 as NDJSON, a resource per line"
    suffixes = (".ndjson", ".jsonl", ".json")
    resumable = True

    def sniff(self, file: Path) -> bool:
        with _at_start(file) as source:
            first = source.readline(_LONGEST_FIRST_LINE).removeprefix(BOM)
            while first and not first.strip():
                first = source.readline(_LONGEST_FIRST_LINE)
            second = source.read(1)
        if not first.lstrip().startswith(b"{") or b'"resourceType"' not in first:
            return False
        # A single resource in a .json file belongs to the other format.
        return file.suffix.lower() != ".json" or (first.rstrip().endswith(b"}") and second == b"{")

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.fhir.items import read_lines

        return read_lines(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        from veil.io.fhir.items import ResourceWriter

        writer = ResourceWriter(
            target,
            head=options.mark(source),
            resume=resume,
            encoding=options.written_encoding(source),
        )
        writer.label = options.security_label
        return writer


class FhirFormat(ItemFormat):
    """A bundle, whose entries are masked one by one, or a single resource."""

    name = "fhir"
    about = "FHIR R4 as JSON: a bundle or a resource per file"
    suffixes = (".json",)
    resumable = False

    def sniff(self, file: Path) -> bool:
        with _at_start(file) as source:
            beginning = source.read(_HEAD).removeprefix(BOM).lstrip()
        return beginning.startswith(b"{") and b'"resourceType"' in beginning

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.fhir.items import read_bundle

        return read_bundle(source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        from veil.io.fhir.items import BundleWriter

        encoding = options.written_encoding(source)
        mark = options.mark(source)
        writer = BundleWriter(target, head=mark, needs_item=True, encoding=encoding)
        writer.label = options.security_label
        return writer


def _at_start(file: Path) -> IO[bytes]:
    """Open a file as UTF-8 to read its start."""
    with file.open("rb") as source:
        return opened(file, guess_wide(source.read(_HEAD)))
