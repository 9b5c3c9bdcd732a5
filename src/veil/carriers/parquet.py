"""Tables in Parquet, of which some columns hold texts; needs the extra "parquet"."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.carriers.base import Item
from veil.carriers.columns import Columns, choose_columns, row_documents
from veil.carriers.files import Ids, has_surrogate, item_name, reading, settle
from veil.core.document import PATIENT
from veil.core.errors import InputError, RecordError
from veil.core.extras import require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from veil.carriers.base import CarrierOptions

_MAGIC = b"PAR1"
# What is read and written together: much enough to be fast, little enough for any memory.
_MOST_ROWS = 4096
_MOST_BYTES = 1 << 25


class Cells(NamedTuple):
    """Where a row stands, and which of its columns hold the texts of its documents."""

    batch: int
    row: int
    columns: tuple[str, ...]


class ParquetCarrier:
    """Parquet; other columns, types, nulls and metadata stay as they are.

    Rows are written in the groups of the source, large ones in several, and with its compression.
    """

    name = "parquet"
    about = "tables in Parquet (needs the extra parquet)"
    suffixes = (".parquet", ".pq")
    resumable = False

    def sniff(self, file: Path) -> bool:
        with file.open("rb") as source:
            return source.read(len(_MAGIC)) == _MAGIC

    def items(self, file: Path, options: CarrierOptions) -> Iterator[Item | RecordError]:
        table = _open(file)
        return _items(table, _columns(table, options, file), file)

    @contextlib.contextmanager
    def writer(
        self, source: Path, target: Path, options: CarrierOptions, *, resume: bool = False
    ) -> Iterator[_Writer]:
        table = _open(source)
        columns = _columns(table, options, source)
        parquet = require("pyarrow.parquet", extra="parquet")
        with target.open("wb") as file:
            sink = parquet.ParquetWriter(file, table.schema_arrow, compression=_compression(table))
            try:
                writer = _Writer(_batches(table), columns, sink, file)
                yield writer
                writer.finish()
                settle(file)
            except BaseException:
                with contextlib.suppress(Exception):  # the first error counts
                    sink.close()
                target.unlink(missing_ok=True)
                raise


class _Writer:
    """Collects the new texts of a batch of rows and writes them when the next one begins."""

    def __init__(self, batches: Iterator[Any], columns: Columns, sink: Any, file: BinaryIO) -> None:
        self._batches = enumerate(batches)
        self._columns = columns
        self._sink = sink
        self._file = file
        self._batch = 0
        self._rows: dict[int, dict[str, str]] = {}

    def write(self, item: Item, texts: Sequence[str]) -> None:
        if any(map(has_surrogate, texts)):
            raise RecordError(
                "half a surrogate pair, which no file can hold", record=item_name(item)
            )
        batch, row, columns = item.payload
        if batch != self._batch:
            self._write_batch()
            self._batch = batch
        self._rows[row] = dict(zip(columns, texts, strict=True))

    def flush(self) -> int:
        return settle(self._file)

    def finish(self) -> None:
        self._write_batch()
        self._sink.close()

    def _write_batch(self) -> None:
        """Write the rows that came, out of the batch of the source that they stand in."""
        if not self._rows:
            return
        arrow = require("pyarrow", extra="parquet")
        batch = next(each for number, each in self._batches if number == self._batch)
        # Not `take`, which some types do not know.
        runs = [batch.slice(start, end - start) for start, end in _runs(self._rows)]
        batch = arrow.concat_batches(runs)
        for column in self._columns.texts:
            place = batch.schema.get_field_index(column)
            new = [row.get(column) for row in self._rows.values()]
            if new == batch.column(place).to_pylist():
                continue
            field = batch.schema.field(place)
            values = arrow.array(new, type=_plain(field.type))
            batch = batch.set_column(place, field, values.cast(field.type))
        self._sink.write_batch(batch)
        self._rows = {}


def _runs(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield where unbroken runs of ascending numbers start and end."""
    start = end = -1
    for row in rows:
        if row != end:
            if start < end:
                yield start, end
            start = row
        end = row + 1
    yield start, end


def _open(file: Path) -> Any:
    parquet = require("pyarrow.parquet", extra="parquet")
    arrow = require("pyarrow", extra="parquet")
    with reading(file):
        try:
            return parquet.ParquetFile(file)
        except arrow.ArrowException:
            raise InputError(f"{file}: no Parquet, or damaged") from None


def _columns(table: Any, options: CarrierOptions, file: Path) -> Columns:
    schema = table.schema_arrow
    columns = choose_columns(schema.names, options, file)
    types = require("pyarrow", extra="parquet").types
    for name in columns.texts:
        kind = _plain(schema.field(name).type)
        if not (types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)):
            raise InputError(f"{file}: the column '{name}' holds no text but {kind}")
    return columns


def _plain(kind: Any) -> Any:
    """The type of the values of a dictionary, or the type itself."""
    types = require("pyarrow", extra="parquet").types
    return kind.value_type if types.is_dictionary(kind) else kind


def _compression(table: Any) -> dict[str, str] | str:
    """The compression of each column of the source."""
    if not table.metadata.num_row_groups:
        return "snappy"
    group = table.metadata.row_group(0)
    columns = (group.column(place) for place in range(group.num_columns))
    found = {column.path_in_schema: column.compression.lower() for column in columns}
    return {path: "none" if kind == "uncompressed" else kind for path, kind in found.items()}


def _batches(table: Any, columns: Sequence[str] | None = None) -> Iterator[Any]:
    """Yield the rows in batches, none of which goes over two groups."""
    for number in range(table.metadata.num_row_groups):
        group = table.metadata.row_group(number)
        fitting = _MOST_BYTES * group.num_rows // max(1, group.total_byte_size)
        rows = max(1, min(_MOST_ROWS, fitting))
        yield from table.iter_batches(rows, row_groups=[number], columns=columns)


def _items(table: Any, columns: Columns, file: Path) -> Iterator[Item | RecordError]:
    arrow = require("pyarrow", extra="parquet")
    names = table.schema_arrow.names
    id_name, patient_name = (
        None if place is None else names[place] for place in (columns.id, columns.patient)
    )
    wanted = list(dict.fromkeys(filter(None, (*columns.texts, id_name, patient_name))))
    ids = Ids()
    number = 0
    try:
        for batch_number, batch in enumerate(_batches(table, wanted)):
            for row, cells in enumerate(batch.to_pylist()):
                number += 1
                texts = {name: cells[name] for name in columns.texts if cells[name] is not None}
                claimed = _name(cells, id_name)
                name = ids.claim(claimed, number) if claimed else f"{file.stem}-{number}"
                patient = _name(cells, patient_name)
                documents = row_documents(name, texts, {PATIENT: patient} if patient else {})
                yield Item(documents, Cells(batch_number, row, tuple(texts)))
    except (arrow.ArrowException, OSError, UnicodeDecodeError):
        raise RecordError(f"damaged after row {number}", path=file) from None


def _name(cells: dict[str, Any], column: str | None) -> str:
    """What an id says; a number counts as it is written."""
    value = cells[column] if column else None
    return "" if value is None else str(value)
