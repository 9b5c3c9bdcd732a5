"""Data frames: tables of Arrow, pandas and polars, masked like the tables of files.

`FrameMasker` works on tables of Arrow, so that every engine that can make one runs the same code.
`mask_frame` and `detect_frame` are for users. Rows become the same items as those of a file of
Parquet, and the same masker masks them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from veil.core.batches import in_batches
from veil.core.document import WHOLE, Record
from veil.core.errors import InputError, RecordError, require
from veil.detect.assembly import DetectionKeywords, DetectionOptions
from veil.detect.memory import MemoryCounts, load_with_memory, memory_of
from veil.io.columns import table_options
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

    import pyarrow

    from veil.core.document import Document, Span
    from veil.detect.assembly import Recall
    from veil.detect.memory import CorpusMemory
    from veil.detect.pipeline import DetectionPipeline
    from veil.io.base import Item, TableOptions
    from veil.masking.stream import Result, Together

STATUS, REASON = "veil_status", "veil_reason"
"""The columns that say whether a row was masked, and if not, why."""
MASKED, WITHHELD = "masked", "withheld"
HASH, DROP = "hash", "drop"
"""What `columns` may say of a column besides a label."""
SPANS = "spans"
_PLACE = Path("data frame")
_ROWS_AT_ONCE = 4096
# Each row counts for so many characters besides its texts.
_LEAST = 200
_SPAN_FIELDS = ("start", "end", "label", "score", "source")

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class FrameOptions:
    """How the rows of a data frame are masked; it can be pickled and sent to workers.

    `text` names the columns of texts, `id` that of ids, `patient` that of patients. `language` is
    the language of all rows; without it `language_column` names a column of language codes, or
    the language of each row is identified. `columns` are the roles of other columns: a label
    (`"DATE"`, `"PATIENT:first"`) if their cells are identifiers as a whole, `"hash"` to hash them,
    or `"drop"`. `policy` is the name of a policy, a TOML file or a policy, `key` a key or its file:
    both are read here, so that workers need no file. Without a key one is made. Rows without an id
    are named `name` and their number. `memory` is what two passes
    found certain in several rows (see `FrameMasker.count`). The other options are those of
    `DetectionOptions`; files that they name must exist on all workers.
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
                f"{self.model}: the model's labels are of no scheme that Veil knows; no policy fits"
            )
        self.detection.check()

    @property
    def detection(self) -> DetectionOptions:
        """The options of detection."""
        names = (name for name in DetectionKeywords.__annotations__ if name != "lang")
        given = {name: getattr(self, name) for name in names}
        return DetectionOptions.of({**given, "lang": self.language})

    def table(self) -> TableOptions:
        """The columns, as the options of files have them."""

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
        """Load everything that masks rows."""
        policy, key = cast("Policy", self.policy), cast("Key", self.key)
        return Masker(self.load(), policy, key=key, rescan=self.rescan)


class FrameMasker:
    """Masks tables of Arrow; made once in each process, it loads its models at the first table.

    The result of a row depends on this row alone. The masker is pickled as its options.
    """

    def __init__(self, options: FrameOptions) -> None:
        self.options = options

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options}

    @cached_property
    def masker(self) -> Masker:
        """What masks documents."""
        return self.options.masker()

    def mask(self, table: pyarrow.Table, *, workers: int = 1, first: int = 1) -> pyarrow.Table:
        """Return a table with the same rows and columns, masked, and two columns more.

        `veil_status` is "masked" or "withheld"; the texts and identifiers of a withheld row are
        null, and `veil_reason` says why. `first` is the number of the first row, for rows without
        an id. Dropped columns are left out.
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
                else:  # the columns of texts come first
                    found.append(dict(zip(item.payload.columns, spans, strict=False)))
                    reasons.append(None)
        return rows.detected(found, reasons)

    def count(self, table: pyarrow.Table, *, workers: int = 1) -> MemoryCounts:
        """Count what is certain in the rows of a table.

        The counts of several tables can be merged in any order. They contain text of records.
        """
        counts = MemoryCounts()
        first_pass = FrameMasker(replace(self.options, memory=None))
        batches = _Rows(table, self.options).batches()
        for _, more in first_pass._map(batches, _count_items, workers):
            counts.merge(more)
        return counts

    def with_memory(self, counts: MemoryCounts) -> FrameMasker:
        """Return a masker that finds in all rows what is certain in several."""
        return FrameMasker(replace(self.options, memory=memory_of(counts)))

    def _map(
        self,
        batches: Iterator[list[Item]],
        work: Callable[[Masker, list[Together]], T],
        workers: int,
    ) -> Iterator[tuple[list[Item], T]]:
        """Yield each batch of items with what `work` makes of their documents."""
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


class _Rows:
    """The rows of a table as items, and the tables that are made of the results."""

    def __init__(self, table: pyarrow.Table, options: FrameOptions) -> None:
        self._table = table
        self._options = options
        self._names = table.schema.names
        self._columns = choose_arrow_columns(table.schema, options.table(), _PLACE)
        own = options.language_column
        if own is not None and self._names.count(own) != 1:
            raise InputError(f"{_PLACE}: no column '{own}', or several of that name")
        for name in (STATUS, REASON):
            if name in self._names:
                raise InputError(f"{_PLACE}: there is a column '{name}'; is it masked already?")

    def batches(self, first: int = 1) -> Iterator[list[Item]]:
        """Yield items in batches of about the same number of characters."""
        options = self._options
        more = [options.language_column] if options.language_column else []
        used = self._table.select(used_columns(self._names, self._columns, *more))
        items = arrow_items(
            used.to_batches(max_chunksize=_ROWS_AT_ONCE),
            self._names,
            self._columns,
            options.name,
            language_column=options.language_column,
            first=first,
        )
        return in_batches(items, _size, limit=CHARACTERS_AT_ONCE)

    def masked(
        self, new: Sequence[Mapping[str, str]], reasons: Sequence[str | None]
    ) -> pyarrow.Table:
        """The table with new texts; those of withheld rows are null."""
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
        """The ids, and a column of spans for each column of texts."""
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
