"""XLSX: a workbook whose sheets are tables; the reader is imported when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.io.base import ItemFormat
from veil.io.files import is_office_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.io.base import Item, Source, TableOptions, TableSample
    from veil.io.xlsx.workbook import WorkbookWriter


class XlsxFormat(ItemFormat):
    """A workbook; only cells of named columns and possible copies of them change."""

    name = "xlsx"
    about = "Excel workbooks (XLSX), whose sheets are tables"
    suffixes = (".xlsx", ".xlsm", ".xltx")
    is_text = False

    def sniff(self, file: Path) -> bool:
        return is_office_file(file, self.suffixes, b"xl/")

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        from veil.io.xlsx.workbook import read_workbook

        return read_workbook(source)

    def sample(self, file: Path, encoding: str, rows: int) -> TableSample:
        from veil.io.xlsx.workbook import sample_workbook

        return sample_workbook(file, rows)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> WorkbookWriter:
        from veil.io.xlsx.workbook import WorkbookWriter

        return WorkbookWriter(source, target, options)
