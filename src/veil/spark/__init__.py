"""Veil on Spark: DataFrames of notes, masked as `veil mask` masks files; needs the extra "spark".

`mask` and `detect` send Arrow batches through the pipeline, which each Python worker loads once.
Surrogates are keyed by patient, so that they agree in all partitions without a shuffle or a shared
table. The options, with the key, travel inside the pickled function: they appear in no plan, log,
event log or page of Spark.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, VeilError, failure, require
from veil.detect.memory import MemoryCounts, memory_of
from veil.frames import FrameMasker, FrameOptions
from veil.spark.session import EXTRA, TaskError, as_input_error, loaded, moved, token_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from veil.replace.policy import Policy
    from veil.replace.secret import Key

    Batches = Iterable[pyarrow.RecordBatch]

__all__ = ["detect", "mask"]

# So much text of a partition is in memory at a time, beside the batch that Spark hands over.
_BYTES_AT_ONCE = 1 << 20
# Counts of partitions are added up on so many workers before the driver sees them.
_FEW_PARTITIONS = 16


def mask(
    df: DataFrame,
    *,
    text: str | Sequence[str] = (),
    id: str | None = None,  # noqa: A002
    patient: str | None = None,
    language: str | None = None,
    policy: str | Path | Policy = "surrogate",
    key: Key | str | Path | None = None,
    worker_key_file: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    two_pass: bool = False,
    **options: Any,
) -> DataFrame:
    """Return a DataFrame with the same columns, masked, and `veil_status` and `veil_reason`.

    The arguments are those of `FrameOptions`. Every row needs an id, which must be its own, or a
    `preset` that names the column. A row that cannot be masked is "withheld", with null texts and
    the reason. `key` is read here and sent to the workers; `worker_key_file` is a path on the
    workers, where each of them reads it. With `two_pass` all rows are read at once, and names,
    units and number formats that are certain in several rows are found in all of them.
    """
    if worker_key_file is not None and key is not None:
        raise InputError("give key or worker_key_file, not both")
    job = _job(
        worker_key_file,
        text=text,
        id=id,
        patient=patient,
        language=language,
        policy=policy,
        key=key,
        columns=columns or {},
        **options,
    )
    _require_id(job.options)
    if two_pass:
        counts = _count(df, job)
        job = _job_of(replace(job.options, memory=memory_of(counts)), worker_key_file)

    def veil_mask(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return mask_batches(job, batches)

    schema = FrameMasker(job.options).masked_schema(_arrow_schema(df))
    return df.mapInArrow(veil_mask, _spark_schema(df, schema))


def detect(
    df: DataFrame,
    *,
    text: str | Sequence[str] = (),
    id: str | None = None,  # noqa: A002
    language: str | None = None,
    **options: Any,
) -> DataFrame:
    """Return a DataFrame of ids and spans: an array of structs for each row.

    The arguments are those of `FrameOptions`. Offsets are code points of the text. The spans of a
    row that cannot be searched are null.
    """
    job = _job(None, text=text, id=id, language=language, **options)
    _require_id(job.options)

    def veil_detect(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return detect_batches(job, batches)

    schema = FrameMasker(job.options).detected_schema(_arrow_schema(df))
    return df.mapInArrow(veil_detect, _spark_schema(df, schema))


@dataclass(frozen=True)
class Job:
    """What workers need; `token` names it among what they have loaded."""

    options: FrameOptions
    token: str
    worker_key_file: str | Path | None = None

    def load(self) -> FrameMasker:
        """Make what masks tables, of files that exist on this worker."""
        options = self.options
        changed: dict[str, Any] = dict(moved(options))
        if self.worker_key_file is not None:
            changed["key"] = self.worker_key_file
        return FrameMasker(replace(options, **changed) if changed else options)


def _job(worker_key_file: str | Path | None, **options: Any) -> Job:
    require("pyspark", extra=EXTRA)
    return _job_of(FrameOptions(**options), worker_key_file)


def _job_of(options: FrameOptions, worker_key_file: str | Path | None) -> Job:
    return Job(options, token_of((options, worker_key_file)), worker_key_file)


def _require_id(options: FrameOptions) -> None:
    # Without an id, surrogates would depend on the number of a row, and so on the partitions.
    if options.id is None and options.preset is None:
        raise InputError("give id, the column of row ids: rows of a cluster have no numbers")


def _arrow_schema(df: DataFrame) -> pyarrow.Schema:
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(df.schema)


def _spark_schema(df: DataFrame, made: pyarrow.Schema) -> StructType:
    """The schema of a result; columns that are unchanged keep their own types and metadata."""
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructField, StructType

    before = _arrow_schema(df)
    fields = []
    for field, found in zip(from_arrow_schema(made), made, strict=True):
        is_kept = field.name in before.names and before.field(field.name).type == found.type
        kept = df.schema[field.name] if is_kept else field
        nullable = kept.nullable or found.nullable
        fields.append(StructField(kept.name, kept.dataType, nullable, kept.metadata))
    return StructType(fields)


# What workers do.


def mask_batches(job: Job, batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Mask the batches of a partition."""
    frame = _load(job)
    return _each(frame, batches, frame.mask, frame.withheld)


def detect_batches(job: Job, batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Find the spans of the batches of a partition."""
    frame = _load(job)
    return _each(frame, batches, frame.detect, partial(frame.withheld, detected=True))


def count_batches(job: Job, batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Count what is certain in the rows of a partition: one row with a value."""
    frame = _load(job)
    counts = MemoryCounts()
    for table in _tables(frame, batches):
        counts.merge(_safely(partial(frame.count, table)))
    yield _as_row(counts)


def merge_batches(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Add up counts: one row with a value, or none."""
    counts = None
    for more in _counts_in(batches):
        counts = more if counts is None else _merged(counts, more)
    if counts is not None:
        yield _as_row(counts)


def _load(job: Job) -> FrameMasker:
    frame: FrameMasker = loaded(job.token, lambda: _safely(job.load))
    return frame


def _each(
    frame: FrameMasker,
    batches: Batches,
    work: Callable[[pyarrow.Table], pyarrow.Table],
    withhold: Callable[[pyarrow.Table, str], pyarrow.Table],
) -> Iterator[pyarrow.RecordBatch]:
    for table in _tables(frame, batches):
        yield from _one_by_one(table, work, withhold).combine_chunks().to_batches()


def _tables(frame: FrameMasker, batches: Batches) -> Iterator[pyarrow.Table]:
    """Yield the rows of batches as small tables, bounded in bytes of text."""
    arrow = require("pyarrow", extra=EXTRA)
    compute = require("pyarrow.compute", extra=EXTRA)
    for batch in batches:
        sizes = [0] * batch.num_rows
        for name in frame.text_columns(batch.schema):
            lengths = compute.binary_length(batch.column(name)).to_pylist()
            sizes = [size + (length or 0) for size, length in zip(sizes, lengths, strict=True)]
        start = total = 0
        for row, size in enumerate(sizes):
            if start < row and _BYTES_AT_ONCE < total + size:
                yield arrow.Table.from_batches([batch.slice(start, row - start)])
                start, total = row, 0
            total += size
        if start < batch.num_rows:
            yield arrow.Table.from_batches([batch.slice(start)])


def _one_by_one(
    table: pyarrow.Table,
    work: Callable[[pyarrow.Table], pyarrow.Table],
    withhold: Callable[[pyarrow.Table, str], pyarrow.Table],
) -> pyarrow.Table:
    """Do the work on a table; if it fails, do it on halves, and withhold a row that fails alone."""
    arrow = require("pyarrow", extra=EXTRA)
    try:
        return work(table)
    except VeilError as error:  # the set-up is wrong, not a row
        message = str(error)
    except Exception as error:
        reason = failure("masking", error)
        message = ""
    if message:
        raise TaskError(message)
    if table.num_rows == 1:
        return withhold(table, reason)
    half = table.num_rows // 2
    parts = (table.slice(0, half), table.slice(half))
    return arrow.concat_tables(_one_by_one(part, work, withhold) for part in parts)


def _safely(do: Callable[[], Any]) -> Any:
    """Do something on a worker; an error that could quote a record is reported by its kind."""
    try:
        return do()
    except VeilError as error:
        message = str(error)
    except Exception as error:
        message = failure("a task", error)
    raise TaskError(message)


# Two passes.

_COUNTS = "counts"


def _count(df: DataFrame, job: Job) -> MemoryCounts:
    """Count what is certain in all rows: in each partition, then in few of them, then here."""

    def veil_count(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return count_batches(job, batches)

    def veil_merge(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return merge_batches(batches)

    schema = f"{_COUNTS} binary"
    counted = df.mapInArrow(veil_count, schema)
    merged = counted.repartition(_FEW_PARTITIONS).mapInArrow(veil_merge, schema)
    counts = MemoryCounts()
    try:
        for row in merged.toLocalIterator():
            counts.merge(pickle.loads(row[_COUNTS]))  # noqa: S301 - of our own workers
    except Exception as error:
        raised = as_input_error(error)
    else:
        return counts
    raise raised


def _merged(counts: MemoryCounts, more: MemoryCounts) -> MemoryCounts:
    counts.merge(more)
    return counts


def _as_row(counts: MemoryCounts) -> pyarrow.RecordBatch:
    arrow = require("pyarrow", extra=EXTRA)
    return arrow.record_batch({_COUNTS: arrow.array([pickle.dumps(counts)], arrow.binary())})


def _counts_in(batches: Batches) -> Iterator[MemoryCounts]:
    for batch in batches:
        for value in batch.column(0):
            yield pickle.loads(value.as_buffer())  # noqa: S301 - of our own workers
