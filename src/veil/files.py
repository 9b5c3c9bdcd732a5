"""Functions over files: one for each command of the command line."""

from __future__ import annotations

import json as json_format
import re
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import veil.learn.experiments  # noqa: F401 - adds experiments of papers
from veil import io
from veil.bench.systems import model_system, run_system, veil_systems
from veil.core.document import WHOLE, Document, Record, Span, Spans
from veil.core.errors import InputError, RecordError, printable
from veil.core.labels import VEIL, Converter, guess_scheme
from veil.core.labels import scheme as scheme_of
from veil.core.values import split_values
from veil.detect.assembly import (
    RULES,
    DetectionKeywords,
    DetectionOptions,
    names_pipeline,
    rules_pipeline,
)
from veil.detect.crf import dictionary_of, with_vectors
from veil.detect.known import KnownTable
from veil.detect.linear.explain import explain, merged
from veil.detect.memory import MemoryCounts, load_with_memory, memory_counter, memory_of
from veil.detect.names import AS_PUBLISHED, NameMemory, NameModules, NameOptions
from veil.detect.pipeline import batches
from veil.detect.rules import RuleDetector
from veil.detect.why import explain_missed, parts_of
from veil.evaluate import evaluate, html_report
from veil.evaluate.compare import SystemOutput, compare, comparison_page
from veil.evaluate.guideline import check_record, guideline
from veil.io import ReadLog
from veil.io.columns import table_options
from veil.io.outputs import check_free, check_output, check_pages, write_text
from veil.languages import base_language, identify, language
from veil.learn.model import TrainingData, check_model_folder, train_model
from veil.learn.name_study import all_orders, run_orders
from veil.learn.name_study_report import study_csv, study_page
from veil.learn.recipe import METHODS, for_language, method_pipeline
from veil.learn.recipe import recipe as recipe_of
from veil.learn.reproduce import Material, paper, reproduce, reproduction_page
from veil.learn.training import SHARES, cross_validate, epochs
from veil.learn.vectors import VectorSettings, learn_vectors, vector_lines
from veil.masking.pool import Pool
from veil.models import find_model
from veil.render import record_view, render_page
from veil.render.highlight import span_family
from veil.synth.inject import inject
from veil.synth.notes import dummy_records
from veil.synth.swap import MentionPool, swap_mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from veil.bench.systems import System
    from veil.core.labels import Scheme
    from veil.detect.assembly import Recall
    from veil.detect.crf import LinearDetector, LinearRecipe
    from veil.detect.linear.explain import Explanation
    from veil.detect.memory import CorpusMemory
    from veil.detect.pipeline import DetectionPipeline, Outcome
    from veil.detect.why import Why
    from veil.evaluate import Evaluation
    from veil.evaluate.compare import Comparison
    from veil.evaluate.guideline import Finding
    from veil.learn.model import TrainedModel
    from veil.learn.name_study import Study
    from veil.learn.reproduce import Paper, Reproduction
    from veil.learn.training import CrossValidation

    FilePath = str | Path
    Progress = Callable[[Iterable[Record], int | None], Iterable[Record]]
    # The result of a worker for a document: its language and spans, or the reason to withhold it.
    Found = tuple[str | None, tuple[Span, ...]] | str

_RECORDS_TO_GUESS_FROM = 200
_REVIEWED = "reviewed records"
_SHOWN = 5
_CHARACTERS_TO_IDENTIFY = 20_000


class TableKeywords(TypedDict, total=False):
    """The columns of a table, or keys of JSON lines, with texts, ids and patients.

    `encoding` is that of text files, or "auto" to detect it.
    """

    text_columns: Sequence[str]
    id_column: str | None
    patient_column: str | None
    encoding: str


class RoleKeywords(TypedDict, total=False):
    """The labels of columns whose cells are identifiers, and columns of values to be hashed."""

    columns: Mapping[str, str]
    hash_columns: Sequence[str]
    columns_file: FilePath | None
    preset: str | None


class Reading(TableKeywords, total=False):
    """Keyword arguments of every function that reads annotated records.

    `from_format` is the name of the format; by default it is identified from the content. With
    `strict` the first record that cannot be read is an error. `progress` is called with the records
    and their number, if known, and returns an iterator over the same records.
    """

    from_format: str | None
    strict: bool
    progress: Progress | None


class DetectKeywords(DetectionKeywords, Reading, total=False):
    """The keyword arguments of `detect_files` for detection and for reading."""


@dataclass
class FilesResult:
    """The result of a function over files.

    `count` is the number of records that were written, `problems` are the records that were
    withheld, `warnings` and `notes` are messages about the whole input.
    """

    count: int = 0
    problems: list[RecordError] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, reader: Reader) -> FilesResult:
        """Return a result with the log of a reader."""
        result = FilesResult()
        result.add(reader.log)
        return result

    def add(self, log: ReadLog, *converters: Converter | None) -> None:
        """Add the losses of conversions, and the contents of a reader's log."""
        for converter in filter(None, converters):
            self.add_conversion(converter)
        self.problems += log.problems
        if log.skipped:
            self.warnings.append(
                f"warning: {len(log.skipped)} file(s) of another format were not read: "
                f"{_first(map(str, log.skipped), len(log.skipped), 3)}; name them as input, or "
                "give --from"
            )
        self.notes += [f"{count} {remark}" for remark, count in sorted(log.notes.items())]

    def add_conversion(self, converter: Converter) -> None:
        """Add what the target scheme of a conversion could not represent exactly."""
        source, target = converter.source, converter.target.name
        for label, count in sorted(converter.unmapped.items()):
            if label in source.labels:
                self.warnings.append(
                    f"{count} span(s) of {label} have no place in {target} and were left out"
                )
        # Not by name: a label that is in no scheme may be a word of a record.
        unknown = [
            count for label, count in converter.unmapped.items() if label not in source.labels
        ]
        if unknown:
            self.warnings.append(
                f"{sum(unknown)} span(s) with {len(unknown)} label(s) that are not in "
                f"{source.name} were left out"
            )
        self.notes += [
            f"{count} span(s) of {label} became {guess}, the nearest in {target}"
            for (label, guess), count in sorted(converter.approximate.items())
        ]


class Reader:
    """Reads records; those that could not be read are kept in `log`."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.log = ReadLog(strict=options.get("strict", False))
        self._options = options
        self._format = options.get("from_format")
        self._progress = options.get("progress")
        names = TableKeywords.__annotations__
        given = {name: value for name, value in options.items() if name in names}
        self._columns = table_options(**given)

    def read(self, path: FilePath) -> Iterator[Record]:
        """Yield the records of a file or folder."""
        path = Path(path)
        records = io.read(path, format=self._format, options=self._columns, log=self.log)
        if self._progress is None:
            return records
        total = None
        if path.is_dir():
            chosen = [io.FORMATS.get(self._format)] if self._format else io.detect_formats(path)
            total = sum(1 for each in chosen for _ in each.files(path))
        return iter(self._progress(records, total))

    def read_all(self, paths: Iterable[FilePath]) -> Iterator[Record]:
        """Yield the records of several files and folders; a repeated id is withheld."""
        seen: set[str] = set()
        for path in paths:
            for record in self.read(path):
                if record.id in seen:
                    reason = (
                        "duplicate id; give every record its own id, or read one folder per run"
                    )
                    self.log.withhold(RecordError(reason, record=record.id, path=Path(path)))
                    continue
                seen.add(record.id)
                yield record

    def documents(self, paths: Iterable[FilePath]) -> Iterator[Document]:
        return (record.document for record in self.read_all(paths))

    def apart(self) -> Reader:
        """A reader with the same options and a separate log."""
        return Reader(self._options)


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
    paths = _paths(sources)
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
    source, wanted = labels or VEIL, _scheme_name(scheme) or named or labels or VEIL
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


def convert_files(
    source: FilePath,
    target: FilePath,
    *,
    to: str,
    scheme: str | None = None,
    from_scheme: str | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> FilesResult:
    """Convert annotated records to another format and, with `scheme`, to another label scheme."""
    if from_scheme is not None and scheme is None:
        raise InputError("--from-scheme needs --scheme, the label scheme of the output")
    check_output(Path(source), Path(target), overwrite=overwrite)
    reader = Reader(reading)
    records = reader.read(source)
    converter = None
    if scheme is not None:
        records, converter = _converted(records, scheme, from_scheme, reader.log)
    result = FilesResult(io.write(records, target, format=to, log=reader.log))
    result.add(reader.log, converter)
    return result


def _converted(
    records: Iterable[Record], target: str, source: str | None, log: ReadLog
) -> tuple[Iterator[Record], Converter]:
    """Convert records from a scheme, which is guessed if it is not given.

    Labels that are not in the scheme are an error, since their spans would be lost; once output
    has been written, records with such labels are withheld instead.
    """
    records = iter(records)
    first = list(islice(records, _RECORDS_TO_GUESS_FROM))
    wanted = scheme_of(target)
    known = _known_scheme(first, source) or wanted
    converter = Converter(known, wanted)

    def convert() -> Iterator[Record]:
        for record in chain(first, records):
            unknown = _labels([record]) - set(known.labels)
            if unknown:
                reason = f"{len(unknown)} label(s) are not in the scheme {known.name}"
                log.withhold(RecordError(reason, record=record.id))
            else:
                yield converter.convert_record(record)

    return convert(), converter


def with_known_scheme(records: Iterable[Record]) -> tuple[Iterator[Record], Scheme | None]:
    """Return the records and a guess of their scheme from the first labels."""
    records = iter(records)
    first = list(islice(records, _RECORDS_TO_GUESS_FROM))
    return chain(first, records), _guess(first)


def _known_scheme(records: Iterable[Record], name: str | None = None) -> Scheme | None:
    """Return the named scheme, or a guess; labels that it lacks are an error."""
    labels = _labels(records)
    known = guess_scheme(labels) if name is None else scheme_of(name)
    unknown = labels - set(known.labels if known else ())
    if unknown:
        # Not by name: a label that is in no scheme may be a word of a record.
        scheme = f"the scheme {known.name}" if known else "any scheme"
        raise InputError(
            f"{len(unknown)} of {len(labels)} label(s) are not in {scheme}; write a scheme file "
            "that maps them to Veil's labels and give its path (see docs/schemes.md)"
        )
    return known


def _scheme_name(given: str | None) -> str | None:
    """Return the name of a scheme that is given by its name or its file."""
    return None if given is None else scheme_of(given).name


def _labels(records: Iterable[Record]) -> set[str]:
    return {span.label for record in records for span in record.annotations}


def _guess(records: Iterable[Record]) -> Scheme | None:
    return guess_scheme(_labels(records))


@dataclass
class EvaluationResult(FilesResult):
    """The evaluation of predicted against gold records."""

    evaluation: Evaluation = field(kw_only=True)


def evaluate_files(
    gold: FilePath,
    predicted: FilePath,
    *,
    scheme: str | None = None,
    baseline: FilePath | None = None,
    sentences: FilePath | None = None,
    json: FilePath | None = None,
    html: FilePath | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> EvaluationResult:
    """Score predicted records against gold, after converting both to `scheme` if one is given.

    `baseline` is the output of another system to compare with, `sentences` a folder of MEDDOCAN's
    files with one line for each sentence. `json` and `html` are files to write.
    """
    paths = {"gold": gold, "predicted": predicted, **({"baseline": baseline} if baseline else {})}
    check_pages([html, json], [*paths.values(), sentences], overwrite=overwrite)
    reader = Reader(reading)
    sides = {side: list(reader.read(path)) for side, path in paths.items()}
    if not set.intersection(*({record.id for record in each} for each in sides.values())):
        names = ", ".join(f"{len(records)} {side}" for side, records in sides.items())
        unread = _first(map(str, reader.log.problems), len(reader.log.problems), _SHOWN)
        raise InputError(
            f"{gold}, {predicted}: no record has the same id on all sides ({names} records), so "
            f"that nothing can be compared{f'; withheld: {unread}' if unread else ''}"
        )
    conversions = []
    if scheme is not None:
        for side, records in sides.items():
            converted, converter = _converted(records, scheme, None, reader.log)
            sides[side] = list(converted)
            conversions.append(converter)
    evaluation = evaluate(
        sides["gold"],
        sides["predicted"],
        scheme=_guess(sides["gold"]) if scheme is None else scheme_of(scheme),
        sentences=_sentence_counts(sides["gold"], sentences),
        baseline=sides.get("baseline"),
        values=_clinical_values(sides["gold"]),
    )
    result = EvaluationResult(len(sides["gold"]), evaluation=evaluation)
    for converter in conversions:
        result.add_conversion(converter)
    for ids, there, lacking in (
        (evaluation.missing_predictions, "GOLD", "PREDICTED"),
        (evaluation.missing_gold, "PREDICTED", "GOLD"),
    ):
        if ids:
            result.warnings.append(
                f"warning: {len(ids)} record(s) of {there} are not in {lacking} and were not "
                f"counted: {_first(ids, len(ids), _SHOWN)}"
            )
    result.add(reader.log)
    if json is not None:
        numbers = json_format.dumps(evaluation.to_json(), indent=2, ensure_ascii=False)
        write_text(json, [numbers, "\n"])
    if html is not None:
        title = f"Evaluation of {predicted}"
        page = html_report(evaluation, sides["gold"], sides["predicted"], title=title)
        write_text(html, [page])
    return result


@dataclass
class ComparisonResult(FilesResult):
    """A comparison of systems on the same records; `count` is the number of records read."""

    comparison: Comparison = field(kw_only=True)


def compare_files(
    corpus: FilePath | Sequence[FilePath],
    *,
    lang: str | None = None,
    models: Sequence[FilePath] = (),
    train: FilePath | Sequence[FilePath] = (),
    recipes: Sequence[FilePath] = (),
    scheme: str | None = None,
    json: FilePath | None = None,
    html: FilePath | None = None,
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> ComparisonResult:
    """Compare all systems of a language on annotated records with its default pipeline.

    The systems are those of Veil, your own `models` with and without the rules, and `recipes`
    trained on the records of `train`. Annotations are compared in `scheme`, or in the scheme of
    the corpus. `json` and `html` are files to write; neither contains text of a record. `step` is
    called after each system with the total number of systems.
    """
    paths, train_paths = _paths(corpus), _paths(train)
    if bool(train_paths) != bool(recipes):
        raise InputError("give --train and --recipe together: the records and how to train on them")
    check_pages([json, html], [*paths, *train_paths], overwrite=overwrite)
    folders = [find_model(model) for model in models]
    for name in recipes:
        recipe_of(name)
    reader = Reader(reading)
    records = _read_corpus(paths, reader)
    if not records:
        raise InputError("no records to compare systems on")
    code = lang or _language(records)
    result_warnings = []
    own = [record for record in records if record.document.language in (None, code)]
    if len(own) < len(records):
        result_warnings.append(
            f"warning: {len(records) - len(own)} record(s) name another language than {code} and "
            "were left out; compare them with --lang"
        )
    gold, labels = _gold_in(own, scheme, paths)
    with tempfile.TemporaryDirectory(prefix="veil-") as made:
        systems = veil_systems(code) + _model_systems(folders, code)
        total = len(systems) + len(recipes)
        if recipes:
            # Unreadable records are reported by the training.
            training = _read_corpus(train_paths, reader.apart())
            _known_scheme(training)
            trained, log = _train_systems(train_paths, recipes, code, Path(made), reading)
            systems += trained
            result_warnings += log.warnings + _warn_of_common_texts(gold, training)
            reader.log.problems += log.problems
        outputs = []
        for system in systems:
            outputs.append(_run_system(system, gold, labels, reader.log))
            step(total)
    found = compare(gold, outputs, language=code, scheme=labels.name)
    result = ComparisonResult(len(records), comparison=found)
    result.warnings += result_warnings
    if found.documents < len(gold):
        result.warnings.append(
            f"warning: {len(gold) - found.documents} record(s) that a system withheld were not "
            "compared"
        )
    result.add(reader.log)
    if json is not None:
        write_text(json, [json_format.dumps(found.to_json(), indent=2, ensure_ascii=False), "\n"])
    if html is not None:
        title = f"Systems compared on {', '.join(path.resolve().name for path in paths)}"
        write_text(html, [comparison_page(found, title=title)])
    return result


def _gold_in(
    records: Sequence[Record], name: str | None, paths: Sequence[Path]
) -> tuple[list[Record], Scheme]:
    """Return the records in the given scheme, or in their own, and that scheme."""
    source = _known_scheme(records)
    if source is None:
        raise InputError(f"{_first(map(str, paths), len(paths), _SHOWN)}: no annotated records")
    target = source if name is None else scheme_of(name)
    converter = Converter(source, target)
    return [converter.convert_record(record) for record in records], target


def _model_systems(folders: Sequence[Path], code: str) -> list[System]:
    """The user's models, with and without the rules; models with the same name get their path."""
    bundled = {model.folder for model in DetectionOptions(lang=code).models()}
    own = [folder for folder in dict.fromkeys(folders) if folder not in bundled]
    names = Counter(folder.name for folder in own)
    systems = []
    for folder in own:
        name = folder.name if names[folder.name] == 1 else folder.as_posix()
        systems.append(model_system(folder, code, name=name))
        systems.append(model_system(folder, code, name=f"{name} with rules", with_rules=True))
    return systems


def _train_systems(
    paths: Sequence[Path],
    recipes: Sequence[FilePath],
    code: str,
    folder: Path,
    reading: Reading,
) -> tuple[list[System], FilesResult]:
    """Train the recipes; unreadable records are reported once, since all read the same records."""
    systems, log = [], FilesResult()
    for number, name in enumerate(recipes):
        model = folder / str(number) / Path(name).stem
        log = train_files(name, paths, model, lang=code, **reading)
        about = f"the recipe {log.recipe}, trained on {log.count} record(s), alone"
        systems.append(model_system(model, code, name=f"{log.recipe}, trained", about=about))
    return systems, log


def _warn_of_common_texts(gold: Sequence[Record], training: Sequence[Record]) -> list[str]:
    texts = {record.document.text for record in training}
    common = sum(record.document.text in texts for record in gold)
    if not common:
        return []
    return [
        f"warning: {common} record(s) have texts that are also in the training records: the scores "
        "of the trained systems are too high"
    ]


def _run_system(
    system: System, gold: Sequence[Record], target: Scheme, log: ReadLog
) -> SystemOutput:
    """The spans of a system in the scheme of gold; withheld records are added to the log."""
    run = run_system(system, [record.document for record in gold])
    converter = Converter(scheme_of(system.scheme), target)
    found = []
    for outcome in run.outcomes:
        if isinstance(outcome, RecordError):
            log.withhold(RecordError(f"{system.name}: {outcome.reason}", record=outcome.record))
        else:
            found.append(converter.convert_record(outcome))
    return SystemOutput(system.name, system.about, system.scheme, found, run.speed, system.size)


@dataclass
class CheckResult(FilesResult):
    """Violations of the labelling guideline; `count` is the number of records."""

    findings: list[Finding] = field(default_factory=list)

    @property
    def violations(self) -> list[Finding]:
        """The findings without the hints."""
        return [each for each in self.findings if not each.is_hint]


def check_files(
    sources: FilePath | Sequence[FilePath],
    *,
    lang: str | None = None,
    hints: bool = False,
    show_text: bool = False,
    json: FilePath | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> CheckResult:
    """Check annotated records against the labelling guideline of their language.

    `hints` adds findings that are less often right. `show_text` adds the mentions to the findings,
    which otherwise contain no text of a record. `json` is a file to write.
    """
    paths = _paths(sources)
    check_pages([json], paths, overwrite=overwrite)
    reader = Reader(reading)
    result = CheckResult()
    foreign = 0
    for record in chain.from_iterable(map(reader.read, paths)):
        doc = record.document
        code = lang or doc.language or identify(doc.text[:_CHARACTERS_TO_IDENTIFY])
        known = scheme_of(guideline(code).scheme).labels
        foreign += sum(span.label not in known for span in record.annotations)
        file, line = reader.log.place or (None, None)
        found = check_record(
            record, code, file=str(file or ""), line=line or 1, show_text=show_text
        )
        result.findings += [each for each in found if hints or not each.is_hint]
        result.count += 1
    if foreign:
        result.warnings.append(
            f"warning: {foreign} span(s) have labels that are not in the scheme of the guideline; "
            "only the rules for all labels were checked there (see docs/labelling.md)"
        )
    result.add(reader.log)
    if json is not None:
        found_json = [asdict(each) for each in result.findings]
        write_text(json, [json_format.dumps(found_json, indent=2, ensure_ascii=False), "\n"])
    return result


def _sentence_counts(gold: Sequence[Record], folder: FilePath | None) -> Mapping[str, int]:
    counts = {}
    for record in gold:
        text = record.document.text
        if folder is None:
            spoken = language(record.document.language or identify(text))
            counts[record.id] = len(spoken.sentences(text))
            continue
        file = Path(folder, f"{Path(record.id).name}.ann")
        if not file.is_file():
            raise InputError(f"{file}: no such file; --sentences needs one for every gold record")
        counts[record.id] = len(file.read_bytes().splitlines())
    return counts


def _clinical_values(records: Iterable[Record]) -> dict[str, list[Span]]:
    """The clinical values that the rules of each record's language recognise, by record."""
    detector = cache(RuleDetector)
    values = {}
    for record in records:
        doc = record.document
        found = detector(base_language(doc.language or identify(doc.text))).detect(doc)
        values[record.id] = split_values(found)[1]
    return values


def show_files(
    source: FilePath, page: FilePath, *, overwrite: bool = False, **reading: Unpack[Reading]
) -> FilesResult:
    """Write an HTML page that shows records with their spans highlighted."""
    check_pages([page], [source], overwrite=overwrite)
    reader = Reader(reading)
    views = map(record_view, reader.read(source))
    title = Path(source).name
    write_text(page, render_page("records", title=title, paragraphs=(), records=views))
    return FilesResult.of(reader)


def synth_files(
    lang: str,
    output: FilePath,
    *,
    count: int = 100,
    seed: int = 0,
    kinds: Sequence[str] = (),
    base: FilePath | None = None,
    swap: FilePath | None = None,
    to: str = "jsonl",
    scheme: str | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> FilesResult:
    """Write dummy records with gold spans.

    With `base`, identities are inserted into the texts of that folder, which have none; with
    `swap`, the spans of annotated records are replaced by others with the same label.
    """
    if scheme is not None and swap is not None:
        raise InputError("--scheme, with --swap: leave out --scheme, labels are not converted")
    check_free(Path(output), overwrite=overwrite)
    reader = Reader(reading)
    source = base or swap
    if source is not None:
        check_output(Path(source), Path(output), overwrite=overwrite)
    if base is not None:
        silver = rules_pipeline(lang).detect
        docs = (record.document for record in reader.read(base))
        records = inject(docs, lang, silver=silver, seed=seed)
    elif swap is not None:
        annotated = list(reader.read(swap))
        records = swap_mentions(annotated, MentionPool.of(annotated), seed=seed)
    else:
        records = dummy_records(lang, count, seed=seed, only=kinds)
        progress = reading.get("progress")
        records = iter(progress(records, count)) if progress else records
    converter = None
    if scheme not in (None, VEIL):
        converter = Converter(scheme_of(VEIL), scheme_of(scheme))
        records = map(converter.convert_record, records)
    result = FilesResult(io.write(records, output, format=to))
    result.add(reader.log, converter)
    return result


@dataclass
class ExplanationResult(FilesResult):
    """Explanations of the spans that a model finds, and of texts that it missed."""

    explanations: list[tuple[Document, Explanation]] = field(default_factory=list)
    missed: list[tuple[Document, Why]] = field(default_factory=list)


def explain_files(
    source: FilePath,
    *,
    model: FilePath | None = None,
    missed: Sequence[tuple[int, int] | str] = (),
    record: str | None = None,
    lang: str | None = None,
    recall: Recall | None = None,
    bias: float | None = None,
    top: int = 8,
    html: FilePath | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> ExplanationResult:
    """Explain the spans that a model finds, or why texts were `missed`.

    `model` is by default Veil's model of each record's language; misses are then explained together
    with the rules. `missed` are start and end offsets in a record, or texts to search for in all
    records. `record` is the id of one record of the file. `html` is a page to write with the `top`
    features.
    """
    if top < 1:
        raise InputError("--top must be at least 1")
    check_pages([html], [source], overwrite=overwrite)
    pipeline = DetectionOptions(model=model, lang=lang, recall=recall, bias=bias).load()
    reader = Reader(reading)
    result = ExplanationResult()
    docs = [each.document for each in reader.read(source) if record in (None, each.id)]
    if record is not None and not docs:
        raise InputError(f"{source}: no record has the id '{record}'")
    for doc, start, end in _stretches(docs, missed, source):
        result.missed.append((doc, explain_missed(doc, start, end, pipeline=pipeline)))
    for doc in docs if not missed else ():
        linear = _linear_of(pipeline, doc)
        result.explanations += [(doc, found) for found in explain(linear, doc)]
    result.add(reader.log)
    if html is not None:
        names = {explained.span.source for _, explained in result.explanations}
        title = "Why this was missed" if missed else f"Why {_listed(names) or 'nothing'} found this"
        views = [
            *(_explanation_view(doc, found, top) for doc, found in result.explanations),
            *(_missed_view(doc, why, top) for doc, why in result.missed),
        ]
        write_text(html, render_page("explanation", title=title, explanations=views))
    return result


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _linear_of(pipeline: DetectionPipeline, doc: Document) -> LinearDetector:
    """The linear model of a document's language."""
    language = pipeline.language_of(doc)
    if isinstance(language, RecordError):
        raise RecordError(language.reason, record=doc.id)
    linear = parts_of(pipeline, language or "")[0]
    if linear is None:
        raise InputError(f"{doc.id}: no model with a single linear pass (crf or window-svm)")
    return linear


def _stretches(
    docs: Sequence[Document], missed: Sequence[tuple[int, int] | str], source: FilePath
) -> Iterator[tuple[Document, int, int]]:
    """Yield the documents and offsets of missed texts."""
    for each in missed:
        if isinstance(each, str):
            found = [
                (doc, match.start(), match.end())
                for doc in docs
                for match in re.finditer(re.escape(each), doc.text)
                if each
            ]
            if not found:
                raise InputError(f"{source}: no record contains the missed text")
            yield from found
        elif len(docs) != 1:
            raise InputError(
                f"{source}: has {len(docs):,} records; say with --record ID to which of them the "
                "offsets belong"
            )
        else:
            yield (docs[0], *each)


_EXCERPT = 120


def _cut_start(text: str, *, is_all: bool) -> str:
    """The text before an excerpt, starting at a word if words are separated by blanks."""
    if is_all:
        return text.lstrip()
    _, blank, rest = text.partition(" ")
    return f"… {(rest if blank else text).lstrip()}"


def _cut_end(text: str, *, is_all: bool) -> str:
    """The text after an excerpt, ending at a word."""
    if is_all:
        return text.rstrip()
    rest, blank, _ = text.rpartition(" ")
    return f"{(rest if blank else text).rstrip()} …"


def _excerpt(doc: Document, start: int, end: int) -> dict[str, object]:
    return {
        "record": printable(doc.id),
        "language": doc.language,
        "before": _cut_start(doc.text[max(0, start - _EXCERPT) : start], is_all=start <= _EXCERPT),
        "text": doc.text[start:end],
        "after": _cut_end(doc.text[end:][:_EXCERPT], is_all=len(doc.text) <= end + _EXCERPT),
    }


def _explanation_view(doc: Document, found: Explanation, top: int) -> dict[str, object]:
    """An explanation for the page template."""
    span = found.span
    reasons = merged(found.reasons)
    return {
        **_excerpt(doc, span.start, span.end),
        "family": span_family(span).lower(),
        "label": span.label,
        "sentences": [found.title],
        "ahead": span.label,
        "behind": found.runner_up,
        "reasons": reasons[:top],
        "others": len(reasons[top:]),
    }


def _missed_view(doc: Document, why: Why, top: int) -> dict[str, object]:
    """The reasons for a miss, for the page template."""
    reasons = merged(why.reasons)
    return {
        **_excerpt(doc, why.start, why.end),
        "family": span_family(why.span).lower() if why.span else "missed",
        "label": why.span.label if why.span else "missed",
        "sentences": why.sentences,
        "ahead": why.candidates[0].label if why.candidates else "the label",
        "behind": "no identifier",
        "reasons": reasons[:top],
        "others": len(reasons[top:]),
    }


@dataclass
class NameStudyResult(FilesResult):
    """Scores of the name modules of carlsson-2010 in several orders."""

    study: Study = field(kw_only=True)


def study_name_modules(
    corpus: FilePath,
    *,
    order: str | None = None,
    modules: str = "TCDL",
    lang: str | None = None,
    labels: Sequence[str] = (),
    dictionaries: Sequence[str] = (),
    as_published: bool = False,
    html: FilePath | None = None,
    table: FilePath | None = None,
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> NameStudyResult:
    """Measure the name modules in one order, or in every order of every combination."""
    check_pages([html, table], [corpus], overwrite=overwrite)
    reader = Reader(reading)
    records = list(reader.read(corpus))
    if not records:
        raise InputError(f"{corpus}: no records to measure")
    options = AS_PUBLISHED if as_published else NameOptions()
    if dictionaries:
        options = replace(options, dictionaries=tuple(dictionaries))
    orders = [order] if order else all_orders(modules)
    study = run_orders(
        records,
        lang or _language(records),
        orders,
        options=options,
        labels=labels,
        step=partial(step, len(orders)),
    )
    result = NameStudyResult(study=study)
    result.add(reader.log)
    if table is not None:
        write_text(table, [study_csv(study)])
    if html is not None:
        title = f"Orders of name modules on {Path(corpus).name}"
        write_text(html, [study_page(study, title=title)])
    return result


def _language(records: Sequence[Record]) -> str:
    """The language given by the first records, or identified from their text."""
    named = next((each.document.language for each in records if each.document.language), None)
    text = ""
    for record in records if named is None else ():
        text += record.document.text[:_CHARACTERS_TO_IDENTIFY]
        if _CHARACTERS_TO_IDENTIFY <= len(text):
            break
    return named or identify(text)


@dataclass
class TrainingResult(FilesResult):
    """A trained model, or only the cross-validation of a recipe; `recipe` is the recipe's name."""

    recipe: str = field(kw_only=True)
    dev_records: int = field(kw_only=True)
    model: TrainedModel | None = field(kw_only=True, default=None)
    validation: CrossValidation | None = field(kw_only=True, default=None)


def train_files(
    recipe: FilePath,
    corpus: FilePath | Sequence[FilePath],
    output: FilePath | None = None,
    *,
    dev: FilePath | Sequence[FilePath] = (),
    folds: int = 0,
    curve: bool = False,
    seed: int | None = None,
    vectors: FilePath | None = None,
    dictionary: FilePath | None = None,
    scheme: str | None = None,
    lang: str | None = None,
    data_name: str | None = None,
    licence: str = "",
    workers: int = 1,
    checkpoint: FilePath | None = None,
    reviewed: Sequence[Record] = (),
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> TrainingResult:
    """Train a model on annotated records with a recipe; without `output`, only cross-validate.

    The training of a network writes the file `checkpoint` after each epoch, and resumes from it.
    `reviewed` are more records to train on (`veil.review.files.reviewed_records`). `step` is called
    at each step of training with the total number of steps, if known.
    """
    paths, dev_paths = _paths(corpus), _paths(dev)
    if output is None and not folds:
        raise InputError("give -o MODEL to train a model, or --folds N to cross-validate only")
    if curve and not dev_paths:
        raise InputError("--curve needs --dev: the learning curve is measured there")
    if output is not None:
        check_model_folder(Path(output), overwrite=overwrite)
    made = recipe_of(recipe)
    if lang:
        made = for_language(made, lang)
    if vectors is not None:
        made = with_vectors(made, Path(vectors))
    if dictionary is not None:
        made = replace(made, dictionary=Path(dictionary))
        dictionary_of(made)
    reader = Reader(reading)
    records, held_out = _read_corpus(paths, reader), _read_corpus(dev_paths, reader)
    if reviewed:
        records = _with_reviewed(records, reviewed, paths)
        paths = [*paths, Path(_REVIEWED)]
    wanted = _scheme_name(scheme) or made.scheme
    source = _known_scheme([*records, *held_out]) if wanted else _guess([*records, *held_out])
    converter = None
    if source is not None and wanted not in (None, source.name):
        converter = Converter(source, scheme_of(wanted))
        records = [converter.convert_record(record) for record in records]
        held_out = [converter.convert_record(record) for record in held_out]
    elif source is None or _labels(records) - set(source.labels):
        wanted = None  # not in a scheme: the model can detect, but not mask
    else:
        wanted = source.name
    if checkpoint is not None:
        made = _with_checkpoint(
            made, Path(checkpoint), is_one=bool(output) and not (folds or curve)
        )
    made = replace(made, scheme=wanted, workers=workers)
    result = TrainingResult(len(records), recipe=made.name, dev_records=len(held_out))
    trainings = folds if output is None else 1 + folds + (len(SHARES) - 1 if curve else 0)
    steps = epochs(made)
    total = steps * trainings if steps else None

    def report(*_: object) -> None:
        step(total)

    sources = _source_names(records, paths)
    if output is None:
        result.validation = cross_validate(
            made, records, folds=folds, seed=seed, sources=sources, report=report
        )
    else:
        result.model = train_model(
            made,
            TrainingData(records, _data_names(paths, data_name), licence, sources),
            dev=TrainingData(held_out, _data_names(dev_paths, None)) if held_out else None,
            seed=seed,
            folds=folds,
            curve=curve,
            report=report,
        )
        result.model.save(Path(output), overwrite=overwrite)
        result.validation = result.model.validation
    result.add(reader.log, converter)
    return result


@dataclass
class ReproductionResult(FilesResult):
    """The measured and the published tables of a paper."""

    reproduction: Reproduction = field(kw_only=True)


def reproduce_files(
    name: str,
    corpus: FilePath | None = None,
    *,
    fast: bool = False,
    json: FilePath | None = None,
    html: FilePath | None = None,
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> ReproductionResult:
    """Run the experiments of a paper on its corpus, or on dummy records in its scheme.

    `fast` uses fewer records, folds and iterations, to check that everything runs.
    """
    check_pages([json, html], [corpus] if corpus else [], overwrite=overwrite)
    made = paper(name)
    reader = Reader(reading)
    material = (
        _dummy_material(made, fast=fast)
        if corpus is None
        else _material(made, Path(corpus), reader, fast=fast)
    )
    found = reproduce(name, material, fast=fast, report=lambda *_: step(None))
    result = ReproductionResult(len(material.train) + len(material.test), reproduction=found)
    result.add(reader.log)
    if json is not None:
        write_text(json, [json_format.dumps(found.to_json(), indent=2, ensure_ascii=False), "\n"])
    if html is not None:
        write_text(html, [reproduction_page(found)])
    return result


def _dummy_material(made: Paper, *, fast: bool) -> Material:
    size = made.fast if fast else made.dummy
    converter = Converter(scheme_of(VEIL), scheme_of(made.scheme))
    records = [
        converter.convert_record(record)
        for record in dummy_records(made.language, size.records + size.test)
    ]
    if made.sources:
        records = _in_sources(records, len(made.sources))
    parts = f"{size.records} to train on, {size.test} to test on" if size.test else ""
    source = f"{len(records)} dummy records" + (f" ({parts})" if parts else "")
    # Kinds of notes alternate, so that both parts have all of them.
    return Material(records[: size.records], records[size.records :], source, is_dummy=True)


def _in_sources(records: Sequence[Record], count: int) -> list[Record]:
    """Use kinds of notes as sources of records: the first kinds are the first source."""
    kinds = sorted({record.id.rpartition("-")[0] for record in records})
    source = {kind: 1 + place * count // len(kinds) for place, kind in enumerate(kinds)}
    return [
        replace(
            record,
            document=replace(
                record.document, id=f"{source[record.id.rpartition('-')[0]]}/{record.id}"
            ),
        )
        for record in records
    ]


def _material(made: Paper, corpus: Path, reader: Reader, *, fast: bool) -> Material:
    if not made.has_test_part:
        paths = [corpus]
        if made.sources and corpus.is_dir():
            paths = sorted(path for path in corpus.iterdir() if path.is_dir()) or paths
        train, test = _read_corpus(paths, reader), []
    else:
        train, test = (_read_corpus(_parts(corpus, part), reader) for part in ("train", "test"))
    wanted = scheme_of(made.scheme)
    if _labels([*train, *test]) - set(wanted.labels):
        converter = Converter(_known_scheme([*train, *test]) or wanted, wanted)
        train = [converter.convert_record(record) for record in train]
        test = [converter.convert_record(record) for record in test]
    if fast:
        # Every nth record, so that all sources are included.
        train = train[:: max(1, len(train) // made.fast.records)][: made.fast.records]
        test = test[: made.fast.test]
    if not train or (made.has_test_part and not test):
        raise InputError(f"{corpus}: no records to train or test on")
    records = f"{len(train)} records" + (f" and {len(test)} to test on" if test else "")
    return Material(train, test, f"{records} of {corpus.name}", is_dummy=False)


def _parts(corpus: Path, part: str) -> list[Path]:
    """The subfolders of a corpus whose names begin with "train" or "test"."""
    found = (
        sorted(path for path in corpus.iterdir() if path.name.lower().startswith(part))
        if corpus.is_dir()
        else []
    )
    if not found:
        raise InputError(
            f"{corpus}: this paper trains on one part of its corpus and tests on another; put them "
            "into subfolders whose names begin with 'train' and 'test'"
        )
    return found


def vectors_of_files(
    corpus: FilePath | Sequence[FilePath],
    output: FilePath,
    *,
    lang: str | None = None,
    settings: VectorSettings | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> FilesResult:
    """Learn word vectors from the texts of records, and write them in the format of word2vec."""
    paths = _paths(corpus)
    check_pages([output], paths, overwrite=overwrite)
    reader = Reader(reading)
    records = _read_corpus(paths, reader)
    if not records:
        raise InputError("no records to learn word vectors from")
    texts = [record.document.text for record in records]
    words, vectors = learn_vectors(texts, lang or _language(records), settings)
    write_text(output, vector_lines(words, vectors))
    result = FilesResult(len(words))
    result.add(reader.log)
    return result


def _with_checkpoint(made: LinearRecipe, file: Path, *, is_one: bool) -> LinearRecipe:
    if made.network is None or not is_one:
        raise InputError(
            "--checkpoint is for one training of a recipe with a network, without --folds and "
            "--curve"
        )
    if not file.parent.is_dir():
        raise InputError(f"{file}: the folder of the checkpoint does not exist")
    return replace(made, checkpoint=file)


def _read_corpus(paths: Sequence[Path], reader: Reader) -> list[Record]:
    """Read all records; with several corpora, ids are numbered to keep them unique."""
    records = []
    for number, path in enumerate(paths, start=1):
        for record in reader.read(path):
            if len(paths) > 1:
                document = replace(record.document, id=f"{number}/{record.id}")
                record = replace(record, document=document)
            records.append(record)
    return records


def _with_reviewed(
    records: Sequence[Record], reviewed: Sequence[Record], paths: Sequence[Path]
) -> list[Record]:
    """Add reviewed records as another corpus, with the labels of the other corpora."""
    own, theirs = _guess(reviewed), _guess(records)
    if own is not None and theirs is not None and own.name != theirs.name:
        converter = Converter(own, theirs)
        reviewed = list(map(converter.convert_record, reviewed))
    if not paths:
        return list(reviewed)
    corpora = [(1, records)] if len(paths) == 1 else [(0, records)]
    corpora.append((len(paths) + 1, reviewed))
    return [
        replace(record, document=replace(record.document, id=f"{number}/{record.id}"))
        if number
        else record
        for number, of_corpus in corpora
        for record in of_corpus
    ]


def _source_names(records: Sequence[Record], paths: Sequence[Path]) -> tuple[str, ...]:
    """The corpus name of each record, if there are several (see `_read_corpus`)."""
    if len(paths) < 2:
        return ()
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        names = [f"{number} {name}" for number, name in enumerate(names, start=1)]
    return tuple(names[int(record.id.partition("/")[0]) - 1] for record in records)


def _data_names(paths: Iterable[Path], given: str | None) -> tuple[str, ...]:
    """Names for the card: as given, but of an absolute path only the last part."""
    if given:
        return (given,)
    return tuple(
        path.resolve().name
        if path.is_absolute() or ".." in path.parts or not path.name
        else path.as_posix()
        for path in paths
    )


def _paths(given: FilePath | Sequence[FilePath]) -> list[Path]:
    return [Path(given)] if isinstance(given, (str, Path)) else list(map(Path, given))


def _first(names: Iterable[str], count: int, shown: int) -> str:
    return ", ".join(islice(names, shown)) + (", …" if shown < count else "")
