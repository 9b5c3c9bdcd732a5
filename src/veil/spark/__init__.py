"""Veil on Spark: masks DataFrames of notes like `veil mask`; needs the extra "spark".

`mask` and `detect` send Arrow batches through the pipeline, which each Python worker loads once.
Surrogates are keyed by patient, so that they agree in all partitions without a shuffle or a shared
table. The options, including the key, are sent in the pickled function and do not appear in plans,
logs, event logs or pages of Spark.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from veil.core.document import Document
from veil.core.errors import InputError, VeilError, failure, require
from veil.detect.assembly import names_pipeline
from veil.detect.memory import MemoryCounts, memory_of
from veil.detect.two_stage import TwoStageDetector
from veil.frames import FrameMasker, FrameOptions
from veil.spark.session import EXTRA, TaskError, after_use, as_input_error, loaded, moved, token_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from veil.detect.names import NameMemory, NameModules
    from veil.detect.pipeline import DetectionPipeline
    from veil.features.consistency import Majorities, MajorityCounts
    from veil.replace.policy import Policy
    from veil.replace.secret import Key

    Batches = Iterable[pyarrow.RecordBatch]

__all__ = ["detect", "mask"]

# The amount of text of a partition in memory at a time, besides the batch from Spark.
_BYTES_AT_ONCE = 1 << 20
# The number of workers that add up the counts of partitions before the driver gets them.
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

    The arguments are those of `FrameOptions`. Every row needs a unique id, or a `preset` that names
    the id column. A row that cannot be masked is "withheld", with null texts and the reason. `key`
    is read here and sent to the workers; `worker_key_file` is a path that each worker reads. With
    `two_pass` all rows are read at once, and names, units and number formats that are certain in
    several rows are found in all of them.
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
        counts = _merge(df, partial(count_batches, job)) or MemoryCounts()
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
    order: str | None = None,
    corpus: bool = False,
    **options: Any,
) -> DataFrame:
    """Return a DataFrame of ids and spans: an array of structs for each row.

    The arguments are those of `FrameOptions`. Offsets are code points of the text. The spans of a
    row that cannot be searched are null. `order` are name modules of carlsson-2010, such as "TCDL",
    instead of a model and rules: the learning module first learns from all rows. With `corpus` a
    two-stage `model` (aramaki-2006) counts majorities in all rows.
    """
    if order is not None:
        options |= {"order": order.upper(), "model": "rules"}
        if language is None:
            raise InputError("name modules need a language: give language")
    job = _job(None, text=text, id=id, language=language, **options)
    _require_id(job.options)
    if order is not None and "L" in order.upper():
        job = _job_of(replace(job.options, learnt=_merge(df, partial(learn_batches, job))), None)
    if corpus:
        counts = _merge(df, partial(majority_batches, job))
        majorities = counts.majorities() if counts else None
        job = _job_of(replace(job.options, majorities=majorities), None)

    def veil_detect(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return detect_batches(job, batches)

    schema = FrameMasker(job.options).detected_schema(_arrow_schema(df))
    return df.mapInArrow(veil_detect, _spark_schema(df, schema))


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(FrameOptions):
    """The options of a data frame, and the counts of a first pass over all its rows."""

    order: str | None = None
    learnt: NameMemory | None = field(default=None, repr=False)
    majorities: Majorities | None = field(default=None, repr=False)

    def load(self) -> DetectionPipeline:
        """Load the pipeline, with the counts."""
        if self.order is not None and self.language is not None:
            return names_pipeline(self.language, self.order, self.learnt)
        if self.majorities is not None:
            return self.detection.load(corpus=self.majorities, veil_labels=True)
        return super().load()


@dataclass(frozen=True)
class Job:
    """The data that workers need; `token` is its key among the objects that they have loaded."""

    options: CorpusOptions
    token: str
    worker_key_file: str | Path | None = None

    def load(self) -> FrameMasker:
        """Create the masker of tables, with paths that exist on this worker."""
        options = self.options
        changed: dict[str, Any] = dict(moved(options))
        if self.worker_key_file is not None:
            changed["key"] = self.worker_key_file
        return FrameMasker(replace(options, **changed) if changed else options)


def _job(worker_key_file: str | Path | None, **options: Any) -> Job:
    require("pyspark", extra=EXTRA)
    return _job_of(CorpusOptions(**options), worker_key_file)


def _job_of(options: CorpusOptions, worker_key_file: str | Path | None) -> Job:
    return Job(options, token_of((options, worker_key_file)), worker_key_file)


def _require_id(options: FrameOptions) -> None:
    # Without an id, surrogates would depend on the number of a row, and so on the partitions.
    if options.id is None and options.preset is None:
        raise InputError("give id, the column of row ids: rows on a cluster have no numbers")


def _arrow_schema(df: DataFrame) -> pyarrow.Schema:
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(df.schema)


def _spark_schema(df: DataFrame, made: pyarrow.Schema) -> StructType:
    """The schema of a result; unchanged columns keep their types and metadata."""
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructField, StructType

    before = _arrow_schema(df)
    fields = []
    for new, found in zip(from_arrow_schema(made), made, strict=True):
        is_kept = new.name in before.names and before.field(new.name).type == found.type
        kept = df.schema[new.name] if is_kept else new
        nullable = kept.nullable or found.nullable
        fields.append(StructField(kept.name, kept.dataType, nullable, kept.metadata))
    return StructType(fields)


# Functions that run on workers.


def mask_batches(job: Job, batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Mask the batches of a partition."""
    frame = _load(job)

    def mask_table(table: pyarrow.Table) -> pyarrow.Table:
        masked = frame.mask(table)
        after_use(job.token)
        return masked

    return _each(frame, batches, mask_table, frame.withheld)


def detect_batches(job: Job, batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Find the spans of the batches of a partition."""
    frame = _load(job)
    return _each(frame, batches, frame.detect, partial(frame.withheld, detected=True))


def count_batches(job: Job, batches: Batches) -> Iterator[MemoryCounts]:
    """Count what is certain in the rows of a partition."""
    frame = _load(job)
    for table in _tables(frame, batches):
        yield frame.count(table)


def learn_batches(job: Job, batches: Batches) -> Iterator[NameMemory]:
    """Count the names that the modules before the learning one find in a partition."""
    frame = _load(job)
    modules = cast("NameModules", frame.masker.pipeline.detectors[0])
    for texts in _texts(frame, batches):
        yield modules.learn(Document("row", text) for text in texts)


def majority_batches(job: Job, batches: Batches) -> Iterator[MajorityCounts]:
    """Count the labels of the first of two models in the rows of a partition."""
    frame = _load(job)
    detector = frame.masker.pipeline.detectors[0]
    detector = getattr(detector, "detector", detector)  # in Veil's labels
    if not isinstance(detector, TwoStageDetector):
        raise InputError("a corpus is for two-stage models")
    for texts in _texts(frame, batches):
        yield detector.count(texts)


def _texts(frame: FrameMasker, batches: Batches) -> Iterator[list[str]]:
    for table in _tables(frame, batches):
        for name in frame.text_columns(table.schema):
            yield [text for text in table.column(name).to_pylist() if text is not None]


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
    """Process a table; if it fails, process its halves, and withhold a single row that fails."""
    arrow = require("pyarrow", extra=EXTRA)
    try:
        return work(table)
    except VeilError as error:  # an error of the configuration, not of a row
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
    """Call a function on a worker; an error that could quote a record is reported by type."""
    try:
        return do()
    except VeilError as error:
        message = str(error)
    except Exception as error:
        message = failure("a task", error)
    raise TaskError(message)


# First passes over all rows.

_COUNTS = "counts"


def _merge(df: DataFrame, count: Callable[[Batches], Iterator[Any]]) -> Any:
    """Add up counts: in each partition, then on a few workers, then here."""
    if df.isStreaming:
        raise InputError("a stream cannot be read twice; mask it in one pass")

    def veil_count(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return _as_row(_safely(lambda: _sum(count(batches))))

    def veil_merge(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return _as_row(_sum(_counts_in(batches)))

    schema = f"{_COUNTS} binary"
    counted = df.mapInArrow(veil_count, schema)
    merged = counted.repartition(_FEW_PARTITIONS).mapInArrow(veil_merge, schema)
    try:
        # Pickles from Veil's own workers.
        return _sum(pickle.loads(row[_COUNTS]) for row in merged.toLocalIterator())  # noqa: S301
    except Exception as error:
        raised = as_input_error(error)
    raise raised


def _sum(counts: Iterable[Any]) -> Any:
    """The sum of counts, or None if there are none."""
    total = None
    for more in counts:
        if total is None:
            total = more
        else:
            total.merge(more)
    return total


def _as_row(counts: Any) -> Iterator[pyarrow.RecordBatch]:
    arrow = require("pyarrow", extra=EXTRA)
    if counts is not None:
        yield arrow.record_batch({_COUNTS: arrow.array([pickle.dumps(counts)], arrow.binary())})


def _counts_in(batches: Batches) -> Iterator[Any]:
    for batch in batches:
        for value in batch.column(0):
            yield pickle.loads(value.as_buffer())  # noqa: S301 - of our own workers
