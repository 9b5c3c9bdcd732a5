"""Tables in text: CSV and TSV, of which some columns hold texts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from veil.core.document import PATIENT, Document
from veil.core.errors import InputError, RecordError
from veil.io.columns import Columns, choose_columns, is_harmless_name, row_documents
from veil.io.csv_rows import Row, raw_lines, read_rows, written
from veil.io.files import BOM, FileWriter, Ids, begins_with_bom, reading
from veil.io.rewriting import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.io.rewriting import TableOptions


HEADER = "header"
"""The id of a header's documents, before the number of their column."""
# These end a line for other programs: rows would stand in the header. RFC 4180 knows none of them.
_OTHER_LINE_END = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class RewritableDelimited:
    """Tables with a header; cells whose text is not changed stay to the byte.

    Column names that the user did not name are searched like texts, unless they are made of usual
    words. A header with such names is the first item.
    """

    resumable = True

    def __init__(
        self, name: str, about: str, suffixes: tuple[str, ...], delimiters: tuple[str, ...]
    ) -> None:
        self.name = name
        self.about = about
        self.suffixes = suffixes
        self._delimiters = delimiters

    def sniff(self, file: Path) -> bool:
        return file.suffix.lower() in self.suffixes

    def items(self, file: Path, options: TableOptions) -> Iterator[Item | RecordError]:
        return _items(self._table(file, options), file)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        header = _header_item(self._table(source, options), Ids())
        head = BOM if begins_with_bom(source) else b""
        if header.documents:
            return _TableWriter(target, head=head, resume=resume)
        return FileWriter(target, head=head + header.payload.raw.encode("utf-8"), resume=resume)

    def _table(self, file: Path, options: TableOptions) -> _Table:
        """Read the header, with the delimiter that the wanted columns need."""
        wanted = {*options.text_columns, options.id_column, options.patient_column} - {None}
        headers: dict[str, Row] = {}
        errors = []
        for delimiter in self._delimiters:
            try:
                headers[delimiter] = _header(file, delimiter)
            except RecordError as error:  # quotes that go with another delimiter
                errors.append(error)
        if not headers:
            raise errors[0]
        # That with which all wanted columns are there, or else most columns; the first of equals.
        delimiter = max(
            headers,
            key=lambda each: (wanted <= set(_names(headers[each])), len(headers[each].cells)),
        )
        header = headers[delimiter]
        names = _names(header)
        columns = choose_columns(names, options, file)
        for number, name in enumerate(names, start=1):
            if odd := _OTHER_LINE_END.search(name):
                raise InputError(
                    f"{file}: U+{ord(odd[0]):04X} in the name of column {number} of {len(names)}; "
                    "rows must end with LF, CRLF or CR"
                )
        return _Table(delimiter, header, columns)


class _TableWriter(FileWriter):
    """Writes a header that is an item, and its rows, which nobody could read without it."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        if not (item.payload.is_header or self.has_written):
            raise InputError("the header was withheld, so that no row can be written")
        super().write(item, texts)


@dataclass(frozen=True)
class _Table:
    """The header of a table, and where its texts stand."""

    delimiter: str
    header: Row
    columns: Columns


@dataclass(frozen=True, slots=True)
class _Cells:
    """A row and the places of its texts."""

    raw: str = field(repr=False)
    delimiter: str = ","
    old: tuple[str, ...] = field(default=(), repr=False)
    places: tuple[tuple[int, int], ...] = ()
    is_header: bool = False

    def render(self, texts: Sequence[str]) -> str:
        pieces = []
        position = 0
        changes = sorted(zip(self.places, self.old, texts, strict=True))
        for (start, end), old, new in changes:
            if old != new:
                in_quotes = self.raw.startswith('"', start)
                cell = written(new, delimiter=self.delimiter, in_quotes=in_quotes)
                pieces += [self.raw[position:start], cell]
                position = end
        return "".join([*pieces, self.raw[position:]])


def is_header(item: Item) -> bool:
    """Whether an item is the header of a table."""
    return isinstance(item.payload, _Cells) and item.payload.is_header


def _header(file: Path, delimiter: str) -> Row:
    with reading(file):
        header = next(read_rows(raw_lines(file), delimiter, file), None)
    if header is None or header.is_blank:
        raise InputError(f"{file}: no header; the first line must name the columns")
    header.check_utf8(file)
    return header


def _names(header: Row) -> list[str]:
    return [header.value(place) for place in range(len(header.cells))]


def _items(table: _Table, file: Path) -> Iterator[Item | RecordError]:
    ids = Ids()
    with reading(file):
        if (header := _header_item(table, ids)).documents:
            yield header
        rows = read_rows(raw_lines(file), table.delimiter, file)
        for row in islice(rows, 1, None):
            try:
                yield _item(row, table, file, ids)
            except RecordError as error:
                yield error


def _header_item(table: _Table, ids: Ids) -> Item:
    named = {*table.columns.texts.values(), table.columns.id, table.columns.patient}
    header = table.header
    searched = [
        place
        for place, name in enumerate(_names(header))
        if place not in named and not is_harmless_name(name)
    ]
    documents = tuple(
        Document(ids.claim(f"{HEADER}:{place + 1}", header.line), header.value(place))
        for place in searched
    )
    places = tuple(header.cells[place] for place in searched)
    old = tuple(doc.text for doc in documents)
    cells = _Cells(header.raw, table.delimiter, old, places, is_header=True)
    return Item(documents, cells, is_record=False)


def _item(row: Row, table: _Table, file: Path, ids: Ids) -> Item:
    row.check_utf8(file)
    if row.is_blank:
        return Item((), _Cells(row.raw), is_record=False)
    if len(row.cells) != len(table.header.cells):
        # With a delimiter too many, a piece of a text stands in another column.
        raise RecordError(
            f"{len(row.cells)} cells where the header has {len(table.header.cells)}; "
            "a cell with a delimiter in it must stand in quotes",
            path=file,
            line=row.line,
        )
    columns = table.columns
    texts = {name: text for name, place in columns.texts.items() if (text := row.value(place))}
    wanted = "" if columns.id is None else row.value(columns.id)
    name = ids.claim(wanted, row.line) if wanted else f"{file.stem}-{row.line}"
    patient = "" if columns.patient is None else row.value(columns.patient)
    documents = row_documents(name, texts, {PATIENT: patient} if patient else {})
    places = tuple(row.cells[columns.texts[column]] for column in texts)
    cells = _Cells(row.raw, table.delimiter, tuple(texts.values()), places)
    return Item(documents, cells, is_record=bool(documents))


CSV = RewritableDelimited(
    "csv", "tables with commas, semicolons, tabs or bars (RFC 4180)", (".csv",), tuple(",;\t|")
)
TSV = RewritableDelimited("tsv", "tables with tabs", (".tsv", ".tab"), ("\t",))
