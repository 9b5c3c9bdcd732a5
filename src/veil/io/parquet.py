"""Tables in Parquet with texts in some columns; needs the extra "parquet"."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import PATIENT
from veil.core.errors import InputError, RecordError, require
from veil.io.base import Course, Item, ItemFormat, Place, TableSample, encoded
from veil.io.columns import Columns, choose_columns, row_documents
from veil.io.files import reading, settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from veil.io.base import Source, TableOptions

_MAGIC = b"PAR1"
_PANDAS = b"pandas"
_PANDAS_KEYS = (
    *("index_columns", "column_indexes", "columns", "partition_columns"),
    *("creator", "pandas_version"),
)
_FIELD_ID = b"PARQUET:field_id"
# Rows read and written together: enough to be fast, few enough for small memory.
_MOST_ROWS = 4096
_MOST_BYTES = 1 << 25


class Cells(NamedTuple):
    """The position of a row, and the columns with the texts of its documents."""

    batch: int
    row: int
    columns: tuple[str, ...]


class _Written(NamedTuple):
    """The columns of a table that are written, and those with new values."""

    indexes: tuple[int, ...]
    masked: frozenset[int]

    @classmethod
    def of(cls, columns: Columns, count: int) -> _Written:
        indexes = tuple(index for index in range(count) if index not in columns.dropped)
        return cls(indexes, frozenset({*columns.texts.values(), *columns.roles.values()}))


class ParquetFormat(ItemFormat):
    """Parquet; values of other columns, types and nulls are unchanged.

    Rows are written in the row groups of the source (large groups in several) and with its
    compression. Dictionaries are built from the written values, since those of the source contain
    the original texts. Metadata with unknown keys is dropped, since it may contain anything.
    """

    name = "parquet"
    about = "tables in Parquet (needs the extra parquet)"
    suffixes = (".parquet", ".pq")
    resumable = False
    is_text = False

    def sniff(self, file: Path) -> bool:
        with file.open("rb") as source:
            return source.read(len(_MAGIC)) == _MAGIC

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        table = _open(source.file)
        return _items(
            table, choose_arrow_columns(table.schema_arrow, source.options, source.file), source
        )

    def sample(self, file: Path, encoding: str, rows: int) -> TableSample:
        table = _open(file)
        names = table.schema_arrow.names
        found: list[dict[str, Any]] = []
        for batch in _batches(table):
            found += batch.slice(0, rows - len(found)).to_pylist()
            if rows <= len(found):
                break
        return TableSample(
            tuple(names), tuple(tuple(_name(row, name) for name in names) for row in found)
        )

    @contextlib.contextmanager
    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> Iterator[_Writer]:
        table = _open(source)
        columns = choose_arrow_columns(table.schema_arrow, options, source)
        written = _Written.of(columns, len(table.schema_arrow))
        parquet = require("pyarrow.parquet", extra="parquet")
        with target.open("wb") as file:
            schema = _written_schema(table.schema_arrow, written)
            compression = _compression(table, schema.names)
            sink = parquet.ParquetWriter(file, schema, compression=compression)
            try:
                writer = _Writer(_batches(table), written, schema, sink, file)
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

    def __init__(
        self, batches: Iterator[Any], written: _Written, schema: Any, sink: Any, file: BinaryIO
    ) -> None:
        self._batches = enumerate(batches)
        self._written = written
        self._schema = schema
        self._sink = sink
        self._file = file
        self._batch = 0
        self._rows: dict[int, dict[str, str]] = {}

    def write(self, item: Item, texts: Sequence[str]) -> None:
        encoded("".join(texts), item)  # raises an error for a lone surrogate
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
        """Write the collected rows of the current batch of the source."""
        if not self._rows:
            return
        arrow = require("pyarrow", extra="parquet")
        batch = next(each for number, each in self._batches if number == self._batch)
        # Not `take`, which some types do not support.
        runs = [batch.slice(start, end - start) for start, end in _runs(self._rows)]
        batch = arrow.concat_batches(runs)
        values = []
        for index, field in zip(self._written.indexes, self._schema, strict=True):
            if index in self._written.masked:
                new = new_cells(field.name, self._rows.values(), batch.column(index))
                column = new_column(new, field.type)
            else:
                column = _without_unused(batch.column(index), field.type)
            values.append(column)
        batch = arrow.RecordBatch.from_arrays(values, schema=self._schema)
        self._sink.write_batch(batch)
        self._rows = {}


def _runs(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of runs of consecutive numbers."""
    start = end = -1
    for row in rows:
        if row != end:
            if start < end:
                yield start, end
            start = row
        end = row + 1
    yield start, end


def _without_unused(column: Any, kind: Any) -> Any:
    """A column without unused values in its dictionary; their order is unchanged."""
    arrow = require("pyarrow", extra="parquet")
    compute = require("pyarrow.compute", extra="parquet")
    if not arrow.types.is_dictionary(kind):
        return column if column.type == kind else column.cast(kind)
    used = compute.unique(column.indices).drop_null().sort()
    indices = compute.index_in(column.indices, value_set=used).cast(kind.index_type)
    return arrow.DictionaryArray.from_arrays(
        indices, column.dictionary.take(used), ordered=kind.ordered
    )


def _written_schema(schema: Any, written: _Written) -> Any:
    """The schema of the output: only metadata with known keys, and no dictionaries in lists.

    Columns with a role become strings, since a label or a year is not a date.
    """
    arrow = require("pyarrow", extra="parquet")
    fields = []
    for index in written.indexes:
        field = schema.field(index)
        kind = field.type
        if index in written.masked:
            kind = masked_type(kind)
        elif not arrow.types.is_dictionary(kind):
            kind = _written_type(kind)
        fields.append(_written_field(field).with_type(kind))
    return arrow.schema(fields, metadata=kept_metadata(schema))


def masked_type(kind: Any) -> Any:
    """The type of a masked column of texts or identifiers: one of strings."""
    arrow = require("pyarrow", extra="parquet")
    if not _is_string(_plain(kind)):
        return arrow.string()
    if arrow.types.is_dictionary(kind):  # there may be more distinct texts than before
        return arrow.dictionary(arrow.int32(), kind.value_type)
    return kind


def new_cells(name: str, rows: Iterable[Mapping[str, str]], old: Any) -> list[str | None]:
    """The new texts of a column, and its old blank values."""
    new = [row.get(name) for row in rows]
    if None not in new or not _is_string(_plain(old.type)):
        return new
    return [
        before if text is None else text for text, before in zip(new, old.to_pylist(), strict=True)
    ]


def new_column(values: Sequence[str | None], kind: Any) -> Any:
    """Return a column of new texts."""
    arrow = require("pyarrow", extra="parquet")
    return arrow.array(values, type=_plain(kind)).cast(kind)


def _written_field(field: Any) -> Any:
    kept = {key: value for key, value in (field.metadata or {}).items() if key == _FIELD_ID}
    return field.with_type(_written_type(field.type)).with_metadata(kept or None)


def _written_type(kind: Any) -> Any:
    """A type without dictionaries and without the metadata of the fields in it."""
    arrow = require("pyarrow", extra="parquet")
    types = arrow.types
    if types.is_struct(kind):
        return arrow.struct([_written_field(kind.field(n)) for n in range(kind.num_fields)])
    if types.is_map(kind):
        key, item = _written_field(kind.key_field), _written_field(kind.item_field)
        return arrow.map_(key, item, keys_sorted=kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return arrow.list_(_written_field(kind.value_field), kind.list_size)
    for is_list, make in (
        (types.is_list, arrow.list_),
        (types.is_large_list, arrow.large_list),
        (types.is_list_view, arrow.list_view),
        (types.is_large_list_view, arrow.large_list_view),
    ):
        if is_list(kind):
            return make(_written_field(kind.value_field))
    return _plain(kind)


def kept_metadata(schema: Any) -> dict[bytes, bytes] | None:
    """The pandas metadata of indexes and types, without attributes, which may contain anything."""
    try:
        found = json.loads((schema.metadata or {}).get(_PANDAS) or b"")
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    kept = {key: found[key] for key in _PANDAS_KEYS if key in found}
    return {_PANDAS: json.dumps(kept).encode()}


def _open(file: Path) -> Any:
    parquet = require("pyarrow.parquet", extra="parquet")
    arrow = require("pyarrow", extra="parquet")
    with reading(file):
        try:
            # As bytes, since a file name may not be UTF-8.
            return parquet.ParquetFile(arrow.OSFile(os.fsencode(file)))
        except arrow.ArrowException:
            raise InputError(f"{file}: not Parquet, or damaged") from None


def choose_arrow_columns(schema: Any, options: TableOptions, file: Path) -> Columns:
    """Find the columns that the user named in an Arrow schema, and check their types."""
    types = require("pyarrow", extra="parquet").types
    columns = choose_columns(schema.names, options, file)
    for name in columns.texts:
        kind = _plain(schema.field(name).type)
        if not (_is_string(kind) or types.is_null(kind)):
            raise InputError(f"{file}: the column '{name}' has no strings; give another column")
    for name in columns.roles:
        if _plain(schema.field(name).type).num_fields:
            raise InputError(f"{file}: the column '{name}' has lists or structs, not single values")
    return columns


def _is_string(kind: Any) -> bool:
    types = require("pyarrow", extra="parquet").types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _plain(kind: Any) -> Any:
    """The type of the values of a dictionary, or the type itself."""
    types = require("pyarrow", extra="parquet").types
    return kind.value_type if types.is_dictionary(kind) else kind


def _compression(table: Any, written: Sequence[str]) -> dict[str, str] | str:
    """The compression of each column of the source that is written."""
    if not table.metadata.num_row_groups:
        return "snappy"
    group = table.metadata.row_group(0)
    columns = (group.column(index) for index in range(group.num_columns))
    found = {
        column.path_in_schema: column.compression.lower()
        for column in columns
        if column.path_in_schema.partition(".")[0] in written or "." in column.path_in_schema
    }
    return {path: "none" if kind == "uncompressed" else kind for path, kind in found.items()}


def _batches(
    table: Any, columns: Sequence[str] | None = None, *, skipped: int = 0
) -> Iterator[Any]:
    """Yield the rows in batches that never span two groups; some rows are skipped.

    Skipped groups are not read. The start of a batch does not depend on the skipped rows.
    """
    for number in range(table.metadata.num_row_groups):
        group = table.metadata.row_group(number)
        if group.num_rows <= skipped:
            skipped -= group.num_rows
            continue
        fitting = _MOST_BYTES * group.num_rows // max(1, group.total_byte_size)
        rows = max(1, min(_MOST_ROWS, fitting))
        for batch in table.iter_batches(rows, row_groups=[number], columns=columns):
            if skipped:
                skipped -= batch.num_rows
            else:
                yield batch


def _items(table: Any, columns: Columns, source: Source) -> Iterator[Item | RecordError]:
    arrow = require("pyarrow", extra="parquet")
    all_names = table.schema_arrow.names
    course = source.course
    number = course.place.row
    batches = _batches(table, used_columns(all_names, columns), skipped=number)
    items = arrow_items(batches, all_names, columns, source.id, course=course)
    try:
        for item in items:
            number += 1
            yield item
    except (arrow.ArrowException, OSError, UnicodeDecodeError):
        raise RecordError(f"damaged after row {number}", path=source.file) from None


def used_columns(names: Sequence[str], columns: Columns, *others: str) -> list[str]:
    """The names of the columns that are read to mask a table."""
    more = (names[index] for index in (columns.id, columns.patient) if index is not None)
    return list(dict.fromkeys([*columns.texts, *columns.roles, *more, *others]))


def arrow_items(
    batches: Iterable[Any],
    names: Sequence[str],
    columns: Columns,
    source: str,
    *,
    language_column: str | None = None,
    course: Course | None = None,
) -> Iterator[Item]:
    """Yield an item for each row of Arrow batches; rows without an id are named by `source`.

    `names` are all column names of the table. The language code of a row is in `language_column`.
    The batches begin at the place of the course.
    """
    id_name, patient_name = (
        None if index is None else names[index] for index in (columns.id, columns.patient)
    )
    course = course or Course()
    ids = course.ids
    number = course.place.row
    for batch_number, batch in enumerate(batches, start=course.place.offset):
        course.place = Place(number, number, batch_number)
        for row, cells in enumerate(batch.to_pylist()):
            number += 1
            texts = {name: cells[name] for name in columns.texts if cells[name] is not None}
            claimed = _name(cells, id_name)
            name = ids.claim(claimed, number) if claimed else f"{source}-{number}"
            patient = _name(cells, patient_name)
            values = {name: _name(cells, name) for name in columns.roles}
            values = {name: value for name, value in values.items() if value.strip()}
            meta = {PATIENT: patient} if patient else {}
            language = _name(cells, language_column) or None
            documents = row_documents(
                name, texts, meta, language, cells=values, role_of=columns.role_of
            )
            payload = Cells(batch_number, row, (*texts, *values))
            yield Item(documents, payload, is_record=bool(documents))


def _name(cells: dict[str, Any], column: str | None) -> str:
    """The text of an id; a number in its written form."""
    value = cells[column] if column else None
    return "" if value is None else str(value)
