"""Data frames: Arrow tables, pandas and polars frames, masked like tables in files.

`FrameMasker` works on Arrow tables, so that every engine with Arrow runs the same code.
`mask_frame` and `detect_frame` are for users. Rows become the same items as those of a Parquet
file, and the same masker masks them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Required, TypedDict, TypeVar, cast

from veil.core.batches import in_batches
from veil.core.document import WHOLE, Record
from veil.core.errors import InputError, RecordError, require
from veil.detect.assembly import DetectionKeywords, DetectionOptions
from veil.detect.memory import MemoryCounts, load_with_memory, memory_of
from veil.io.base import Course, Place
from veil.io.columns import choose_columns, table_options
from veil.io.parquet import (
    arrow_items,
    choose_arrow_columns,
    kept_metadata,
    masked_type,
    new_cells,
    new_column,
    used_columns,
)
from veil.masking.masker import Masker
from veil.masking.pool import Pool
from veil.masking.stream import CHARACTERS_AT_ONCE, Refused, mask_items
from veil.replace.policy import Policy, load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    import pyarrow

    from veil.core.document import Document, Span
    from veil.detect.assembly import Recall
    from veil.detect.memory import CorpusMemory
    from veil.detect.pipeline import DetectionPipeline
    from veil.io.base import Item, TableOptions
    from veil.masking.stream import Result, Together

STATUS, REASON = "veil_status", "veil_reason"
"""The columns that show whether a row was masked, and if not, why."""
MASKED, WITHHELD = "masked", "withheld"
HASH, DROP = "hash", "drop"
"""The roles that `columns` can give to a column besides a label."""
SPANS = "spans"
_PLACE = Path("data frame")
_ROWS_AT_ONCE = 4096
# A row counts as this many characters more than its texts.
_LEAST = 200
_SPAN_FIELDS = ("start", "end", "label", "score", "source")

_BROKEN = "a lone surrogate, which Arrow cannot encode"

T = TypeVar("T")
Frame = TypeVar("Frame")


@dataclass(frozen=True, kw_only=True)
class FrameOptions:
    """How the rows of a data frame are masked; it can be pickled and sent to workers.

    `text` names the columns of texts, `id` that of ids, `patient` that of patients. `language` is
    the language of all rows; without it `language_column` names a column of language codes, or
    the language of each row is identified. `columns` are the roles of other columns: a label
    (`"DATE"`, `"PATIENT:first"`) if their cells are identifiers as a whole, `"hash"` to hash them,
    or `"drop"`. `policy` is the name of a policy, a TOML file or a policy, `key` a key or its file:
    both are read here, so that workers need no file. Without a key, a new one is made. Rows without
    an id get `name` and their number as id. `memory` holds what is certain in several rows, for two
    passes (see `FrameMasker.count`). The other options are those of `DetectionOptions`; files that
    they name must exist on all workers.
    """

    text: str | Sequence[str] = ()
    id: str | None = None
    patient: str | None = None
    language: str | None = None
    language_column: str | None = None
    policy: str | Path | Policy = "surrogate"
    key: Key | str | Path | None = field(default=None, repr=False)
    columns: Mapping[str, str] = field(default_factory=dict)
    preset: str | None = None
    name: str = "row"
    rescan: bool = True
    memory: CorpusMemory | None = None
    model: str | Path | None = None
    with_rules: bool = False
    recall: Recall | None = None
    bias: float | None = None
    own_rules: str | Path | None = None
    known: str | Path | None = None
    allow: str | Path | None = None
    deny: str | Path | None = None
    detectors: Sequence[str] = ()
    assume_language: str | None = None

    def __post_init__(self) -> None:
        names = (self.text,) if isinstance(self.text, str) else tuple(self.text)
        key = self.key
        if not isinstance(key, Key):
            key = Key.generate() if key is None else Key.read(Path(key))
        policy = self.policy if isinstance(self.policy, Policy) else load_policy(self.policy)
        made = {"text": names, "columns": dict(self.columns), "key": key, "policy": policy}
        for name, value in made.items():
            object.__setattr__(self, name, value)
        if self.language is not None and self.language_column is not None:
            raise InputError("give language or language_column, not both")
        self.table()
        if self.detection.scheme is None:
            raise InputError(
                f"{self.model}: the model's labels are in no scheme of Veil, so no policy applies"
            )
        self.detection.check()

    @property
    def detection(self) -> DetectionOptions:
        """The options of detection."""
        names = (name for name in DetectionKeywords.__annotations__ if name != "lang")
        given = {name: getattr(self, name) for name in names}
        return DetectionOptions.of({**given, "lang": self.language})

    def table(self) -> TableOptions:
        """The columns as table options."""

        def of(kind: str) -> list[str]:
            return [name for name, role in self.columns.items() if role == kind]

        return table_options(
            text_columns=self.text,
            id_column=self.id,
            patient_column=self.patient,
            columns={name: role for name, role in self.columns.items() if role not in (HASH, DROP)},
            hash_columns=of(HASH),
            drop_columns=of(DROP),
            preset=self.preset,
        )

    def load(self) -> DetectionPipeline:
        """Load the pipeline, with the memory if there is one."""
        load = partial(self.detection.load, veil_labels=True)
        return load() if self.memory is None else load_with_memory(load, self.memory)

    def masker(self) -> Masker:
        """Load the masker with its models, rules and policy."""
        policy, key = cast("Policy", self.policy), cast("Key", self.key)
        return Masker(self.load(), policy, key=key, rescan=self.rescan)


class FrameMasker:
    """Masks Arrow tables; create one per process, which loads its models at the first table.

    The result of a row depends only on that row. The masker is pickled as its options.
    """

    def __init__(self, options: FrameOptions) -> None:
        self.options = options

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options}

    @cached_property
    def masker(self) -> Masker:
        """The masker of documents."""
        return self.options.masker()

    def mask(self, table: pyarrow.Table, *, workers: int = 1, first: int = 1) -> pyarrow.Table:
        """Return a masked table with the same rows and columns, and two more columns.

        `veil_status` is "masked" or "withheld"; the texts and identifiers of a withheld row are
        null, and `veil_reason` gives the reason. `first` is the number of the first row, for rows
        without an id. Dropped columns are left out.
        """
        rows = _Rows(table, self.options)
        new: list[dict[str, str]] = []
        reasons: list[str | None] = []
        for batch, results in self._map(rows.batches(first), _mask_items, workers):
            for item, result in zip(batch, results, strict=True):
                if isinstance(result, Refused):
                    new.append({})
                    reasons.append(_reason(result.reason))
                else:
                    new.append(dict(zip(item.payload.columns, result.texts, strict=True)))
                    reasons.append(None)
        return rows.masked(new, reasons)

    def detect(self, table: pyarrow.Table, *, workers: int = 1, first: int = 1) -> pyarrow.Table:
        """Return the ids of a table and the spans that were found, in the same order of rows.

        The column `spans` has lists of `start`, `end`, `label`, `score` and `source`; if there are
        several columns of texts, there is a column `spans_NAME` for each. Offsets are code points.
        """
        rows = _Rows(table, self.options)
        found: list[dict[str, list[dict[str, Any]]]] = []
        reasons: list[str | None] = []
        for batch, results in self._map(rows.batches(first), _detect_items, workers):
            for item, spans in zip(batch, results, strict=True):
                if isinstance(spans, str):
                    found.append({})
                    reasons.append(_reason(spans))
                else:  # the text columns come first
                    found.append(dict(zip(item.payload.columns, spans, strict=False)))
                    reasons.append(None)
        return rows.detected(found, reasons)

    def count(self, table: pyarrow.Table, *, workers: int = 1) -> MemoryCounts:
        """Count what is certain in the rows of a table.

        The counts of several tables can be merged in any order. They contain text of records.
        """
        counts = MemoryCounts()
        options = self.options
        first_pass = FrameMasker(replace(options, memory=None)) if options.memory else self
        batches = _Rows(table, self.options).batches()
        for _, more in first_pass._map(batches, _count_items, workers):
            counts.merge(more)
        return counts

    def masked_schema(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The schema of a table after `mask`."""
        return _Rows(schema.empty_table(), self.options).masked([], []).schema

    def detected_schema(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The schema of a table after `detect`."""
        return _Rows(schema.empty_table(), self.options).detected([], []).schema

    def text_columns(self, schema: pyarrow.Schema) -> list[str]:
        """The text columns of a table."""
        return list(choose_arrow_columns(schema, self.options.table(), _PLACE).texts)

    def withheld(
        self, table: pyarrow.Table, reason: str, *, detected: bool = False
    ) -> pyarrow.Table:
        """The result of `mask`, or of `detect` if `detected`, for a table withheld as a whole."""
        rows = _Rows(table, self.options)
        made = rows.detected if detected else rows.masked
        return made([{}] * table.num_rows, [reason] * table.num_rows)

    def with_memory(self, counts: MemoryCounts) -> FrameMasker:
        """Return a masker that finds in all rows what is certain in several rows."""
        return FrameMasker(replace(self.options, memory=memory_of(counts)))

    def remembering(self, table: pyarrow.Table, *, workers: int = 1) -> FrameMasker:
        """Return a masker that finds in all rows what is certain in several rows of a table."""
        return self.with_memory(self.count(table, workers=workers))

    def _map(
        self,
        batches: Iterator[list[Item]],
        work: Callable[[Masker, list[Together]], T],
        workers: int,
    ) -> Iterator[tuple[list[Item], T]]:
        """Yield each batch of items with the result of `work` for their documents."""
        pool: Pool[list[Together], T] = Pool(partial(_load, self, work), workers)
        with pool:
            pool.wait()
            yield from pool.map(batches, lambda batch: [item.documents for item in batch])


def _load(
    frame: FrameMasker, work: Callable[[Masker, list[Together]], T]
) -> Callable[[list[Together]], T]:
    return partial(work, frame.masker)


def _mask_items(masker: Masker, items: list[Together]) -> list[Result]:
    return mask_items(masker, items)


def _detect_items(masker: Masker, items: list[Together]) -> list[list[list[dict[str, Any]]] | str]:
    """The spans of the texts of each item, or why it is withheld."""
    searched = [_searched(item) for item in items]
    outcomes = iter(masker.pipeline.detect_batch([doc for docs in searched for doc in docs]))
    found: list[list[list[dict[str, Any]]] | str] = []
    for docs in searched:
        own = [next(outcomes) for _ in docs]
        refused = next((each for each in own if isinstance(each, RecordError)), None)
        found.append(
            refused.reason
            if refused
            else [_span_rows(each.spans) for each in own if isinstance(each, Record)]
        )
    return found


def _count_items(masker: Masker, items: list[Together]) -> MemoryCounts:
    counts = MemoryCounts()
    for outcome in masker.pipeline.detect_batch([doc for item in items for doc in _searched(item)]):
        if isinstance(outcome, Record):
            counts.add(outcome)
    return counts


def _searched(item: Together) -> list[Document]:
    """The texts of an item, without cells that are identifiers as a whole."""
    return [doc for doc in item if WHOLE not in doc.meta]


def _span_rows(spans: Iterable[Span]) -> list[dict[str, Any]]:
    return [{name: getattr(span, name) for name in _SPAN_FIELDS} for span in spans]


def _reason(reason: str) -> str:
    return reason.removeprefix("withheld: ")


def _check_names(names: Sequence[str], options: FrameOptions) -> None:
    """Raise an error if the language column is missing, or the table is already masked."""
    own = options.language_column
    if own is not None and names.count(own) != 1:
        raise InputError(f"{_PLACE}: no column '{own}', or several of that name")
    for name in (STATUS, REASON):
        if name in names:
            raise InputError(f"{_PLACE}: column '{name}' exists; was the frame masked already?")


class _Rows:
    """The rows of a table as items, and the tables made from the results."""

    def __init__(self, table: pyarrow.Table, options: FrameOptions) -> None:
        self._table = table
        self._options = options
        self._names = table.schema.names
        self._columns = choose_arrow_columns(table.schema, options.table(), _PLACE)
        _check_names(self._names, options)

    def batches(self, first: int = 1) -> Iterator[list[Item]]:
        """Yield items in batches with about the same number of characters."""
        options = self._options
        more = [options.language_column] if options.language_column else []
        used = self._table.select(used_columns(self._names, self._columns, *more))
        items = arrow_items(
            used.to_batches(max_chunksize=_ROWS_AT_ONCE),
            self._names,
            self._columns,
            options.name,
            language_column=options.language_column,
            course=Course(Place(first - 1, first - 1)),
        )
        return in_batches(items, _size, limit=CHARACTERS_AT_ONCE)

    def masked(
        self, new: Sequence[Mapping[str, str]], reasons: Sequence[str | None]
    ) -> pyarrow.Table:
        """The table with new texts; texts of withheld rows are null."""
        table, columns = self._table, self._columns
        changed = {*columns.texts.values(), *columns.roles.values()}
        made: list[tuple[Any, Any]] = []
        for index, each in enumerate(table.schema):
            if index in columns.dropped:
                continue
            if index not in changed:
                made.append((each, table.column(index)))
                continue
            cells = new_cells(each.name, new, table.column(index))
            kept = [
                cell if reason is None else None
                for cell, reason in zip(cells, reasons, strict=True)
            ]
            kind = masked_type(each.type)
            made.append((each.with_type(kind).with_nullable(True), new_column(kept, kind)))
        return self._with_status(made, reasons)

    def detected(
        self,
        found: Sequence[Mapping[str, list[dict[str, Any]]]],
        reasons: Sequence[str | None],
    ) -> pyarrow.Table:
        """The ids, and a column of spans for each text column."""
        arrow = require("pyarrow", extra="parquet")
        columns = self._columns
        made: list[tuple[Any, Any]] = []
        if columns.id is not None:
            made.append((self._table.schema.field(columns.id), self._table.column(columns.id)))
        kind = span_type()
        for name in columns.texts:
            title = SPANS if len(columns.texts) == 1 else f"{SPANS}_{name}"
            spans = arrow.array([row.get(name) for row in found], kind)
            made.append((arrow.field(title, kind), spans))
        return self._with_status(made, reasons)

    def _with_status(
        self, made: Sequence[tuple[Any, Any]], reasons: Sequence[str | None]
    ) -> pyarrow.Table:
        arrow = require("pyarrow", extra="parquet")
        status = [MASKED if reason is None else WITHHELD for reason in reasons]
        fields = [each for each, _ in made]
        fields += [arrow.field(STATUS, arrow.string()), arrow.field(REASON, arrow.string())]
        values = [each for _, each in made]
        values += [arrow.array(each, arrow.string()) for each in (status, reasons)]
        metadata = kept_metadata(self._table.schema)
        return arrow.Table.from_arrays(values, schema=arrow.schema(fields, metadata))


def span_type() -> pyarrow.DataType:
    """The type of a column of spans: a list of structs."""
    arrow = require("pyarrow", extra="parquet")
    types = (arrow.int32(), arrow.int32(), arrow.string(), arrow.float64(), arrow.string())
    return arrow.list_(arrow.struct(list(zip(_SPAN_FIELDS, types, strict=True))))


def _size(item: Item) -> int:
    return _LEAST + sum(len(doc.text) for doc in item.documents)


class FrameKeywords(TypedDict, total=False):
    """The fields of `FrameOptions` as keyword arguments."""

    text: Required[str | Sequence[str]]
    id: str | None
    patient: str | None
    language: str | None
    language_column: str | None
    policy: str | Path | Policy
    key: Key | str | Path | None
    columns: Mapping[str, str]
    preset: str | None
    name: str
    rescan: bool
    model: str | Path | None
    with_rules: bool
    recall: Recall | None
    bias: float | None
    own_rules: str | Path | None
    known: str | Path | None
    allow: str | Path | None
    deny: str | Path | None
    detectors: Sequence[str]
    assume_language: str | None


def mask_frame(
    frame: Frame, *, two_pass: bool = False, workers: int = 1, **options: Unpack[FrameKeywords]
) -> Frame:
    """Return a masked pandas or polars data frame, or a masked Arrow table.

    Rows, their order, the index, types, nulls and all other columns are unchanged. Two columns are
    added: `veil_status` is "masked" or "withheld", and `veil_reason` tells why. Texts and
    identifiers of a withheld row are null. With `two_pass`, names, units and number formats that
    are certain in several rows are found in all of them. The other options are those of
    `FrameOptions`.
    """
    made = FrameOptions(**options)
    adapted = _adapted(frame, made)
    masker, table = FrameMasker(made), adapted.table
    if two_pass:
        masker = masker.remembering(table, workers=workers)
    result: Frame = adapted.with_masked(masker.mask(table, workers=workers))
    return result


def detect_frame(
    frame: Frame, *, two_pass: bool = False, workers: int = 1, **options: Unpack[FrameKeywords]
) -> Frame:
    """Return the ids of a data frame and the identifying spans of its texts, row by row.

    The column `spans` (`spans_NAME` for each of several columns of texts) has lists of `start`,
    `end`, `label`, `score` and `source`. The options are those of `mask_frame`.
    """
    made = FrameOptions(**options)
    adapted = _adapted(frame, made)
    masker, table = FrameMasker(made), adapted.table
    if two_pass:
        masker = masker.remembering(table, workers=workers)
    result: Frame = adapted.with_spans(masker.detect(table, workers=workers))
    return result


def _adapted(frame: Any, options: FrameOptions) -> _Adapted:
    """The adapter of a data frame; imports only the library that made the frame."""
    for module, name, make in (
        ("pyarrow", "Table", _Adapted),
        ("pandas", "DataFrame", _PandasFrame),
        ("polars", "DataFrame", _PolarsFrame),
    ):
        library = sys.modules.get(module)
        if library is not None and isinstance(frame, getattr(library, name)):
            return make(frame, options, library)
    raise InputError(
        f"{type(frame).__name__} is not a pandas or polars data frame or an Arrow table; call "
        "collect() on a lazy frame"
    )


class _Adapted:
    """An Arrow table; subclasses adapt the frames of other libraries to it."""

    def __init__(self, frame: Any, options: FrameOptions, library: Any) -> None:
        del options, library
        self.table: pyarrow.Table = frame

    def with_masked(self, masked: pyarrow.Table) -> Any:
        """The frame with the columns of a masked table."""
        return masked

    def with_spans(self, found: pyarrow.Table) -> Any:
        """The ids and spans of a table as a frame."""
        return found


class _AdaptedFrame(_Adapted):
    """A frame whose columns are converted to Arrow when they are read; others are not touched.

    `broken` are the indexes of rows with strings that Arrow cannot encode.
    """

    def __init__(self, frame: Any, options: FrameOptions, library: Any) -> None:
        arrow = require("pyarrow", extra="parquet")
        self._frame, self._library = frame, library
        names = [name if isinstance(name, str) else "" for name in frame.columns]
        self._columns = columns = choose_columns(names, options.table(), _PLACE)
        _check_names(names, options)
        self._dropped = [names[index] for index in sorted(columns.dropped)]
        self._id = None if columns.id is None else names[columns.id]
        self.broken: set[int] = set()
        own = options.language_column
        wanted = {*used_columns(names, columns, *([own] if own else []))}
        self.table = arrow.table(
            {
                name: arrow.nulls(len(frame))
                if name in self._dropped
                else self._as_arrow(name, is_text=name in columns.texts)
                for name in names
                if name in wanted or name in self._dropped
            }
        )

    def _as_arrow(self, name: str, *, is_text: bool) -> Any:
        raise NotImplementedError

    def _masked_names(self) -> list[str]:
        return [*self._columns.texts, *self._columns.roles]

    def _values(self, table: pyarrow.Table, name: str) -> list[Any]:
        """The values of a column, without those of broken rows."""
        values: list[Any] = table.column(name).to_pylist()
        for row in self.broken:
            values[row] = {STATUS: WITHHELD, REASON: _BROKEN}.get(name)
        return values


class _PandasFrame(_AdaptedFrame):
    """A pandas data frame."""

    def _as_arrow(self, name: str, *, is_text: bool) -> Any:
        arrow = require("pyarrow", extra="parquet")
        series = self._frame[name]
        try:
            column = arrow.Array.from_pandas(series)
        except UnicodeEncodeError:
            values = series.array.astype(object)
            self.broken |= {row for row, value in enumerate(values) if not _is_encodable(value)}
            column = arrow.array(
                [value if _is_encodable(value) else None for value in values], from_pandas=True
            )
        except (arrow.ArrowException, TypeError, ValueError):  # objects of several types
            if is_text:
                raise InputError(
                    f"{_PLACE}: the column '{name}' has values that are not strings; convert them"
                ) from None
            values = zip(series, series.isna(), strict=True)
            column = arrow.array([None if is_null else str(value) for value, is_null in values])
        return arrow.nulls(len(series)) if is_text and column.null_count == len(series) else column

    def with_masked(self, masked: pyarrow.Table) -> Any:
        new = {name: self._new(masked, name) for name in self._masked_names()}
        return self._frame.drop(columns=self._dropped).assign(**new, **self._status(masked))

    def with_spans(self, found: pyarrow.Table) -> Any:
        pandas, index = self._library, self._frame.index
        ids = {} if self._id is None else {self._id: self._frame[self._id]}
        spans = {
            name: pandas.Series(self._values(found, name), index, dtype=object)
            for name in found.column_names
            if name not in (self._id, STATUS, REASON)
        }
        return pandas.DataFrame({**ids, **spans, **self._status(found)}, index)

    def _status(self, table: pyarrow.Table) -> dict[str, Any]:
        index = self._frame.index
        return {
            name: self._library.Series(self._values(table, name), index, dtype="string")
            for name in (STATUS, REASON)
        }

    def _new(self, masked: pyarrow.Table, name: str) -> Any:
        """A masked column with its original type and nulls."""
        pandas, old = self._library, self._frame[name]
        values = self._values(masked, name)
        if old.isna().all():
            return old
        index, dtype = old.index, old.dtype
        if isinstance(dtype, pandas.CategoricalDtype):
            categories = list(dict.fromkeys(value for value in values if value is not None))
            if pandas.api.types.is_string_dtype(dtype.categories.dtype):
                categories = pandas.Index(categories, dtype=dtype.categories.dtype)
            return pandas.Series(pandas.Categorical(values, categories=categories), index)
        if isinstance(dtype, pandas.ArrowDtype):
            kind = masked.schema.field(name).type
            column = new_column(values, kind)
            return pandas.Series(pandas.arrays.ArrowExtensionArray(column), index)
        if isinstance(dtype, pandas.StringDtype):
            return pandas.Series(values, index, dtype=dtype)
        if not pandas.api.types.is_object_dtype(dtype):
            return pandas.Series(values, index, dtype="string")
        # None and NaN are kept; withheld rows have None.
        was_null = old.isna()
        values = [
            before if is_null else value
            for value, before, is_null in zip(values, old, was_null, strict=True)
        ]
        return pandas.Series(values, index, dtype=object)


def _is_encodable(value: Any) -> bool:
    try:
        return not isinstance(value, str) or value.encode() is not None
    except UnicodeEncodeError:
        return False


class _PolarsFrame(_AdaptedFrame):
    """A polars data frame."""

    def _as_arrow(self, name: str, *, is_text: bool) -> Any:
        arrow = require("pyarrow", extra="parquet")
        series = self._frame.get_column(name)
        if series.dtype == self._library.Object:
            raise InputError(f"{_PLACE}: the column '{name}' holds objects; convert it to strings")
        all_null = is_text and series.null_count() == len(series)
        return arrow.nulls(len(series)) if all_null else series.to_arrow()

    def with_masked(self, masked: pyarrow.Table) -> Any:
        new = [self._new(masked, name) for name in self._masked_names()]
        new += [self._strings(masked, name) for name in (STATUS, REASON)]
        return self._frame.drop(self._dropped).with_columns(new)

    def with_spans(self, found: pyarrow.Table) -> Any:
        ids = [] if self._id is None else [self._frame.get_column(self._id)]
        names = [name for name in found.column_names if name != self._id]
        return self._library.DataFrame(
            [*ids, *self._library.from_arrow(found.select(names)).get_columns()]
        )

    def _strings(self, masked: pyarrow.Table, name: str) -> Any:
        return self._library.Series(name, self._values(masked, name), self._library.String)

    def _new(self, masked: pyarrow.Table, name: str) -> Any:
        """A masked column with its original type, if that was a string type."""
        polars, old = self._library, self._frame.get_column(name)
        new = self._strings(masked, name)
        if old.null_count() == len(old):
            return old
        if old.dtype == polars.Enum:
            return new.cast(polars.Enum(new.drop_nulls().unique(maintain_order=True)))
        return new.cast(old.dtype) if old.dtype == polars.Categorical else new
