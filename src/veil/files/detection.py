"""Find identifying spans in records."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.core.document import WHOLE, Document, Record, Span, Spans
from veil.core.errors import InputError, RecordError
from veil.core.labels import VEIL, Converter
from veil.core.labels import scheme as scheme_of
from veil.detect.assembly import RULES, DetectionKeywords, DetectionOptions, names_pipeline
from veil.detect.known import KnownTable
from veil.detect.memory import MemoryCounts, load_with_memory, memory_counter, memory_of
from veil.detect.names import NameMemory, NameModules
from veil.detect.pipeline import batches
from veil.files.reading import FilesResult, Reader, Reading, paths_of
from veil.files.schemes import scheme_name
from veil.io.outputs import check_output
from veil.learn.recipe import METHODS, method_pipeline
from veil.masking.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from veil.detect.memory import CorpusMemory
    from veil.detect.pipeline import DetectionPipeline, Outcome
    from veil.files.reading import FilePath
    from veil.io import ReadLog

    # The result of a worker for a document: its language and spans, or the reason to withhold it.
    Found = tuple[str | None, tuple[Span, ...]] | str


class DetectKeywords(DetectionKeywords, Reading, total=False):
    """The keyword arguments of `detect_files` for detection and for reading."""


def detect_files(
    sources: FilePath | Sequence[FilePath],
    output: FilePath,
    *,
    to: str = "jsonl",
    scheme: str | None = None,
    method: str | None = None,
    order: str | None = None,
    memory: FilePath | None = None,
    corpus: FilePath | None = None,
    dictionary: FilePath | None = None,
    two_pass: bool = False,
    workers: int = 1,
    overwrite: bool = False,
    **options: Unpack[DetectKeywords],
) -> FilesResult:
    """Find identifying spans in records, and write the records with these spans.

    `to` is the format of the output and `scheme` its label scheme. Instead of a model and rules,
    `method` names a method of a paper, and `order` the name modules of carlsson-2010, which keep
    the names they learn in the file `memory`. `corpus` are the records in which a two-stage model
    counts majorities. `dictionary` is a user dictionary for a method or a model of a language with
    a morphological analyser. With `two_pass` the input is read twice, and names, units and number
    formats that are certain in several records are found in all of them. The other keywords are
    those of `DetectionOptions` and `Reading`.
    """
    paths = paths_of(sources)
    for path in paths:
        check_output(path, Path(output), overwrite=overwrite)
    reader = Reader(options)
    detection = DetectionOptions.of(options)
    words = None if dictionary is None else Path(dictionary)
    if words and method is None and detection.model in (None, RULES):
        raise InputError("a user dictionary needs a method or a model; give one of them")
    load, labels = _loader(detection, reader, paths, method, order, memory, corpus, words)
    named = detection.models()[0].scheme if detection.model not in (None, RULES) else None
    if labels is None and scheme is not None:
        raise InputError(
            f"{detection.model}: the model's labels are not in a scheme of Veil; leave out --scheme"
        )
    source, wanted = labels or VEIL, scheme_name(scheme) or named or labels or VEIL
    converter = None if wanted == source else Converter(scheme_of(source), scheme_of(wanted))
    if two_pass:
        if source != VEIL or labels is None:
            raise InputError("--two-pass needs Veil's labels; with --model, also give --with-rules")
        load = partial(load_with_memory, load, _remember(reader.apart(), paths, load, workers))
    table = detection.known_table() or KnownTable()
    # Each document is looked up, so that unused ids of the table can be reported.
    docs = (doc for doc in reader.documents(paths) if table(doc) or True)
    found = map(_with_whole, _kept(detect_documents(docs, load, workers=workers), reader.log))
    if converter:
        found = map(converter.convert_record, found)
    result = FilesResult(io.write(found, output, format=to, log=reader.log))
    if converter:
        result.add_conversion(converter)
    if table.unasked:
        result.notes.append(f"{len(table.unasked)} id(s) of {detection.known} belong to no record")
    result.add(reader.log)
    return result


def _loader(
    detection: DetectionOptions,
    reader: Reader,
    paths: Sequence[Path],
    method: str | None,
    order: str | None,
    memory: FilePath | None,
    corpus: FilePath | None,
    dictionary: Path | None,
) -> tuple[Callable[[], DetectionPipeline], str | None]:
    """Return a function that makes the pipeline, and the scheme of its labels, if Veil has it."""
    if method is not None:
        code = METHODS.get(method).language
        if detection.lang not in (None, code):
            raise InputError(f"{method} is a method for '{code}', not for '{detection.lang}'")
        return partial(method_pipeline, method, dictionary), VEIL
    if order is not None:
        if detection.lang is None:
            raise InputError("name modules need a language: give lang")
        learnt = _learn_names(detection.lang, order.upper(), reader, paths, memory)
        return partial(names_pipeline, detection.lang, order, learnt), VEIL
    docs = [] if corpus is None else list(reader.documents([corpus]))
    return partial(detection.load, corpus=docs, dictionary=dictionary), detection.scheme


def _remember(
    reader: Reader, paths: Sequence[Path], load: Callable[[], DetectionPipeline], workers: int
) -> CorpusMemory:
    """The names that are certain in several records; the second pass reports unreadable records."""
    counts = MemoryCounts()
    docs = (doc for doc in reader.documents(paths) if WHOLE not in doc.meta)
    with Pool(partial(memory_counter, load), workers) as pool:
        pool.wait()
        for _, more in pool.map(batches(docs), list):
            counts.merge(more)
    return memory_of(counts)


def _learn_names(
    lang: str, order: str, reader: Reader, paths: Sequence[Path], memory: FilePath | None
) -> NameMemory | None:
    """The names that the learning module learns from the input, with those of the memory file."""
    if "L" not in order:
        return None
    file = None if memory is None else Path(memory)
    learner = NameModules(lang, order)
    kept = NameMemory.load(file) if file is not None and file.exists() else None
    # Unreadable records are reported when the input is read again.
    learnt = learner.learn(reader.apart().documents(paths), kept)
    if file is not None:
        learnt.save(file)
    return learnt


def detect_documents(
    docs: Iterable[Document], load: Callable[[], DetectionPipeline], *, workers: int = 1
) -> Iterator[Outcome]:
    """Yield a record or an error for each document, in order.

    `load` makes the pipeline, once in each process; with several workers it must be picklable.
    """
    with Pool(partial(_detector, load), workers) as pool:
        pool.wait()
        for batch, results in pool.map(batches(docs), list):
            for doc, found in zip(batch, results, strict=True):
                if isinstance(found, str):
                    yield RecordError(found, record=doc.id)
                else:
                    named = replace(doc, language=found[0])
                    yield Record(named, Spans(named, found[1]))


def _detector(load: Callable[[], DetectionPipeline]) -> Callable[[list[Document]], list[Found]]:
    pipeline = load()

    def detect(docs: list[Document]) -> list[Found]:
        return [
            outcome.reason
            if isinstance(outcome, RecordError)
            else (outcome.document.language, tuple(outcome.spans))
            for outcome in pipeline.detect_batch(docs)
        ]

    return detect


def _kept(outcomes: Iterable[Outcome], log: ReadLog) -> Iterator[Record]:
    """Yield the records of outcomes; errors are added to the log."""
    for outcome in outcomes:
        if isinstance(outcome, RecordError):
            log.withhold(outcome)
        else:
            yield outcome


def _with_whole(record: Record) -> Record:
    """Return a record; if the text is an identifier as a whole, it becomes one span."""
    doc = record.document
    return io.record_of(doc) if WHOLE in doc.meta else record
