"""Tables in text files: CSV and TSV (RFC 4180) with texts in some columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from veil.core.document import PATIENT, Document
from veil.core.encodings import UTF8, opened
from veil.core.errors import InputError, RecordError
from veil.core.patterns import compile_pattern
from veil.io.base import FileWriter, Item, ItemFormat, Place, TableSample, encoded
from veil.io.columns import Columns, choose_columns, is_harmless_name, row_documents
from veil.io.files import BOM, Ids, TextPiece, reading, refuse_nul
from veil.io.json_raw import RawEdit, apply_edits, removals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from veil.io.base import Source, TableOptions

_QUOTES = compile_pattern('"+')
_LINE_END = compile_pattern(r"\r?\n\Z|\r\Z")
# A longer row is probably a quote that is not closed, or an attack on memory.
_LONGEST_ROW = 1 << 27
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True, repr=False)
class Row:
    """The source text of a row with its line end, and the offsets of its cells with their quotes.

    Bytes that are not UTF-8 become lone surrogates; `line` and `byte` are where the row begins.
    """

    raw: str
    cells: tuple[tuple[int, int], ...]
    line: int
    byte: int

    def value(self, index: int) -> str:
        """The value of a cell."""
        start, end = self.cells[index]
        if self.raw.startswith('"', start) and start < end:
            return self.raw[start + 1 : end - 1].replace('""', '"')
        return self.raw[start:end]

    @property
    def is_blank(self) -> bool:
        return not self.raw.strip("\r\n")

    def check_text(self, file: Path, encoding: str = UTF8) -> None:
        """Raise an error with line and byte if the row is not valid in the encoding of its file."""
        data = self.raw.encode("utf-8", errors="surrogateescape")
        refuse_nul(data, file, line=self.line, byte=self.byte)
        TextPiece(data, self.line, self.byte, encoding=encoding).decode(file)


def raw_lines(
    file: Path, encoding: str = UTF8, *, line: int = 1, byte: int = 0
) -> Iterator[TextPiece]:
    """Yield the lines of a file with their ends, without a byte order mark.

    LF, CRLF and CR all end a line, even mixed in one file. `line` is the number of the first line,
    which begins at `byte`.
    """
    begun: list[bytes] = []  # the start of a line that is not complete
    number = line
    held = b""  # a carriage return, to which a line feed may belong
    with opened(file, encoding, start=byte) as source:
        while chunk := held + source.read(_CHUNK):
            held = b"\r" if held != chunk and chunk.endswith(b"\r") else b""
            chunk = chunk[: len(chunk) - len(held)]
            for data in chunk.splitlines(keepends=True):
                begun.append(data)
                if not data.endswith((b"\n", b"\r")):
                    continue
                yield _line(begun, number, byte)
                number, byte, begun = number + 1, byte + sum(map(len, begun)), []
            if _LONGEST_ROW < sum(map(len, begun)):
                raise RecordError("a line that does not end", path=file, line=number)
    if begun:
        yield _line(begun, number, byte)


def _line(parts: list[bytes], number: int, byte: int) -> TextPiece:
    data = b"".join(parts)
    if byte == 0 and data.startswith(BOM):
        return TextPiece(data[len(BOM) :], number, len(BOM))
    return TextPiece(data, number, byte)


def read_rows(lines: Iterable[TextPiece], delimiter: str, file: Path) -> Iterator[Row]:
    """Yield the rows of a file.

    Wrong quotes raise an error: the cells after them are ambiguous, and a text could end up in a
    column that is not masked.
    """
    parts: list[str] = []
    cells: list[tuple[int, int]] = []
    size = opened = 0
    in_quotes = False
    first: TextPiece | None = None
    for piece in lines:
        if first is None:
            first = piece
        text = piece.data.decode("utf-8", errors="surrogateescape")
        ending = _LINE_END.search(text)
        body_end = ending.start() if ending else len(text)
        position = 0
        while True:
            if in_quotes:
                position = _after_quotes(text, position)
                if position < 0:
                    break
                in_quotes = False
                if position < body_end and not text.startswith(delimiter, position):
                    raise RecordError(
                        "text after a closing quote; a quote inside quotes is written twice",
                        path=file,
                        line=piece.line,
                    )
                cells.append((opened, size + position))
            elif text.startswith('"', position):
                in_quotes = True
                opened = size + position
                position += 1
                continue
            else:
                found = text.find(delimiter, position, body_end)
                end = found if found >= 0 else body_end
                cells.append((size + position, size + end))
                position = end
            if body_end <= position:
                break
            position += len(delimiter)
        parts.append(text)
        size += len(text)
        if not in_quotes:
            yield Row("".join(parts), tuple(cells), first.line, first.byte)
            parts, cells, size, first = [], [], 0, None
        elif _LONGEST_ROW < size:
            break
    if in_quotes and first is not None:
        raise RecordError(
            "a quote is opened in this row and not closed", path=file, line=first.line
        )


def _after_quotes(text: str, position: int) -> int:
    """The end of a quoted cell, or -1; quotes inside it are doubled."""
    for run in _QUOTES.finditer(text, position):
        if len(run[0]) % 2:
            return run.end()
    return -1


HEADER = "header"
"""The id of a header's documents, before the number of their column."""
# Other programs end a line here, which would put rows into the header. Not in RFC 4180.
_OTHER_LINE_END = compile_pattern("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class DelimitedFormat(ItemFormat):
    """Tables with a header; cells whose text is not changed keep their bytes.

    Column names that the user did not give are searched like texts, unless they consist of usual
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

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        return _items(self._table(source.file, source.options), source)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        header = _header_item(self._table(source, options), Ids())
        head, encoding = options.mark(source), options.written_encoding(source)
        if header.documents:
            return _TableWriter(target, head=head, resume=resume, encoding=encoding)
        head += encoded(header.payload.render(()), header, encoding)
        return FileWriter(target, head=head, resume=resume, encoding=encoding)

    def sample(self, file: Path, encoding: str, rows: int) -> TableSample:
        headers = {each: _header(file, each, encoding) for each in self._delimiters}
        delimiter = max(headers, key=lambda each: len(headers[each].cells))
        count = len(headers[delimiter].cells)
        with reading(file):
            found = islice(read_rows(raw_lines(file, encoding), delimiter, file), 1, None)
            taken = islice((row for row in found if len(row.cells) == count), rows)
            values = tuple(_values(row, file, encoding) for row in taken)
        return TableSample(tuple(_names(headers[delimiter])), values)

    def _table(self, file: Path, options: TableOptions) -> _Table:
        """Read the header, with the delimiter that the wanted columns need."""
        roles = (name for name, _ in options.roles)
        wanted = {*options.text_columns, *roles, *options.hashed, *options.dropped}
        wanted |= set(filter(None, (options.id_column, options.patient_column)))
        headers: dict[str, Row] = {}
        errors = []
        for delimiter in self._delimiters:
            try:
                headers[delimiter] = _header(file, delimiter, options.encoding)
            except RecordError as error:  # the quotes may fit another delimiter
                errors.append(error)
        if not headers:
            raise errors[0]
        # The first delimiter that gives all wanted columns, else the one with most columns.
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
    """Writes a header that is an item, and its rows, which are useless without it."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        if not (item.payload.is_header or self.has_written):
            raise InputError("the header was withheld, so no row can be written")
        super().write(item, texts)


@dataclass(frozen=True)
class _Table:
    """The header of a table, and the columns of its texts."""

    delimiter: str
    header: Row
    columns: Columns


@dataclass(frozen=True, slots=True)
class _Cells:
    """A row and the offsets of its texts; `dropped` are cells that are left out."""

    raw: str = field(repr=False)
    delimiter: str = ","
    old: tuple[str, ...] = field(default=(), repr=False)
    offsets: tuple[tuple[int, int], ...] = ()
    is_header: bool = False
    dropped: tuple[RawEdit, ...] = ()

    def render(self, texts: Sequence[str]) -> str:
        edits = [
            RawEdit(start, end, self._written(new, in_quotes=self.raw.startswith('"', start)))
            for (start, end), old, new in zip(self.offsets, self.old, texts, strict=True)
            if old != new
        ]
        return apply_edits(self.raw, [*edits, *self.dropped])

    def _written(self, text: str, *, in_quotes: bool) -> str:
        """A cell with a new text, in quotes if the old one was quoted or if the text needs them."""
        must = text.startswith('"') or any(mark in text for mark in (self.delimiter, "\n", "\r"))
        if in_quotes or must:
            return '"' + text.replace('"', '""') + '"'
        return text


def is_header(item: Item) -> bool:
    """Whether an item is the header of a table."""
    return isinstance(item.payload, _Cells) and item.payload.is_header


def _header(file: Path, delimiter: str, encoding: str) -> Row:
    with reading(file):
        header = next(read_rows(raw_lines(file, encoding), delimiter, file), None)
    if header is None or header.is_blank:
        raise InputError(f"{file}: no header; the first line must name the columns")
    header.check_text(file, encoding)
    return header


def _values(row: Row, file: Path, encoding: str) -> tuple[str, ...]:
    row.check_text(file, encoding)
    return tuple(_names(row))


def _names(header: Row) -> list[str]:
    return [header.value(index) for index in range(len(header.cells))]


def _items(table: _Table, source: Source) -> Iterator[Item | RecordError]:
    course, file = source.course, source.file
    first, line, byte = course.place
    with reading(file):
        if not first and (header := _header_item(table, course.ids)).documents:
            yield header
            first = 1
        found = raw_lines(file, source.encoding, line=line or 1, byte=byte)
        rows = read_rows(found, table.delimiter, file)
        for number, row in enumerate(rows if line else islice(rows, 1, None), start=first):
            course.place = Place(number, row.line, row.byte)
            try:
                yield _item(row, table, source, course.ids)
            except RecordError as error:
                yield error


def _header_item(table: _Table, ids: Ids) -> Item:
    named = table.columns.named
    header = table.header
    searched = [
        index
        for index, name in enumerate(_names(header))
        if index not in named and not is_harmless_name(name)
    ]
    documents = tuple(
        Document(ids.claim(f"{HEADER}:{index + 1}", header.line), header.value(index))
        for index in searched
    )
    offsets = tuple(header.cells[index] for index in searched)
    old = tuple(doc.text for doc in documents)
    dropped = tuple(removals(header.cells, table.columns.dropped))
    cells = _Cells(header.raw, table.delimiter, old, offsets, is_header=True, dropped=dropped)
    return Item(documents, cells, is_record=False)


def _item(row: Row, table: _Table, source: Source, ids: Ids) -> Item:
    file = source.file
    row.check_text(file, source.encoding)
    if row.is_blank:
        return Item((), _Cells(row.raw), is_record=False)
    if len(row.cells) != len(table.header.cells):
        # With an extra delimiter, a piece of a text is in another column.
        raise RecordError(
            f"{len(row.cells)} cells where the header has {len(table.header.cells)}; "
            "a cell that contains a delimiter must be quoted",
            path=file,
            line=row.line,
        )
    columns = table.columns
    texts = {name: text for name, index in columns.texts.items() if (text := row.value(index))}
    wanted = "" if columns.id is None else row.value(columns.id)
    name = ids.claim(wanted, row.line) if wanted else f"{source.id}-{row.line}"
    patient = "" if columns.patient is None else row.value(columns.patient)
    values = {name: row.value(index) for name, index in columns.roles.items()}
    values = {name: value for name, value in values.items() if value.strip()}
    meta = {PATIENT: patient} if patient else {}
    documents = row_documents(name, texts, meta, cells=values, role_of=columns.role_of)
    indexes = [columns.texts[column] for column in texts]
    indexes += [columns.roles[column] for column in values]
    cells = _Cells(
        row.raw,
        table.delimiter,
        tuple(doc.text for doc in documents),
        tuple(row.cells[index] for index in indexes),
        dropped=tuple(removals(row.cells, columns.dropped)),
    )
    return Item(documents, cells, is_record=bool(documents))


CSV = DelimitedFormat(
    "csv", "tables with commas, semicolons, tabs or bars (RFC 4180)", (".csv",), tuple(",;\t|")
)
TSV = DelimitedFormat("tsv", "tables with tabs", (".tsv", ".tab"), ("\t",))
