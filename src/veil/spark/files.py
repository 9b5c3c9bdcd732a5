"""Masking of files on Spark: tasks share a file system, and the output is the same as that of
`veil mask`.

A file is masked by one task or, if it is long, in pieces by several tasks; a last task joins the
pieces. Tasks store their results in the work folder of the output, so that a resumed run does not
mask a finished piece or file again. Results get their final names only when they are complete, so
that a task can be repeated, even concurrently.
"""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import Record
from veil.core.errors import InputError, VeilError
from veil.detect.memory import MemoryCounts, memory_of
from veil.io import find_format, whole_file
from veil.io.base import Course, Place
from veil.io.files import Ids
from veil.masking.files import mask_files
from veil.masking.journal import (
    SHOWN,
    BatchEntry,
    ChangedValue,
    CountedSpan,
    ListedSpan,
    Tally,
    begin,
    check_output,
    is_there,
    kept_key,
    resume_work,
)
from veil.masking.plan import Plan
from veil.masking.run import (
    Progress,
    Summary,
    check_columns,
    check_finished,
    facts_of,
    masker_plan,
    message_of,
    searched,
    total_of,
)
from veil.masking.stream import (
    Done,
    Output,
    Refused,
    Take,
    event_batches,
    mask_items,
    read_events,
    read_takes,
)
from veil.replace.policy import load_policy
from veil.replace.secret import Key, new_key
from veil.spark.session import (
    NAMED_FILES,
    after_use,
    forget,
    loaded,
    merge_tasks,
    moved,
    run_tasks,
    token_of,
)
from veil.spark.session import ship as ship_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from veil.core.document import Document
    from veil.detect.assembly import DetectionOptions
    from veil.detect.memory import CorpusMemory
    from veil.detect.pipeline import DetectionPipeline
    from veil.io.base import TableOptions
    from veil.masking.files import FilePath, MaskResult
    from veil.masking.journal import WorkFolder
    from veil.masking.masker import Masker
    from veil.masking.plan import PlannedFile
    from veil.masking.run import MaskerPlan, MaskJob
    from veil.masking.stream import Event, Result, Together

PIECE_CHARACTERS = 4_000_000
"""The part of a long file that one task masks: about ten seconds of work."""

LONG_FILE = 1 << 20
"""Files of at least this size are scanned for pieces; smaller files are one piece."""

_DONE, _PIECES = "done", "pieces"
_FORMATS = ("parquet", "csv", "tsv", "jsonl")


def mask_files_on_spark(
    sources: FilePath | Sequence[FilePath],
    output: FilePath,
    *,
    session: SparkSession,
    ship: bool = False,
    **keywords: Any,
) -> MaskResult:
    """Mask files and folders on Spark; the output and the report are those of `mask_files`.

    All workers must have access to the input and the output under the same paths. With `ship` Veil
    and the model, rules and lists named by keywords are copied to the workers. The keywords are
    those of `mask_files`, except the mapping and the number of workers.
    """
    for name in ("mapping", "passphrase", "workers", "apart"):
        if keywords.get(name):
            raise InputError(f"{name}: not possible on Spark; use `veil mask`")
    paths = [sources] if isinstance(sources, (str, Path)) else sources
    # Workers have a working folder of their own.
    keywords |= {
        name: _absolute(given)
        for name in NAMED_FILES
        if (given := keywords.get(name)) and Path(given).exists()
    }
    if ship:
        ship_files(session, keywords)
    return mask_files(
        list(map(_absolute, paths)),
        _absolute(output) + os.sep * str(output).endswith(os.sep),
        run=partial(run_on_spark, session),
        **keywords,
    )


def _absolute(path: FilePath) -> str:
    if "://" in str(path):
        raise InputError(
            f"{path}: not a path; veil spark needs folders that all workers have mounted. Use "
            "veil.spark.mask with a DataFrame for other storage"
        )
    return os.path.abspath(path)  # noqa: PTH100 - links keep their names


class Piece(NamedTuple):
    """A piece of a file: its start, the number of items to skip there, and the number to read.

    `repeated` are digests of ids in the piece that already occur before it in the file.
    """

    number: int
    place: Place
    skipped: int
    length: int | None
    repeated: frozenset[bytes]


class Task(NamedTuple):
    """A file to mask, or one piece of it."""

    file: PlannedFile
    piece: Piece | None = None


@dataclass(frozen=True)
class Work:
    """The data of a run for its tasks; `token` differs for different masking options."""

    plan: Plan
    options: TableOptions
    key: Key
    masker: MaskerPlan
    token: str
    piece_characters: int = PIECE_CHARACTERS
    is_known: Callable[[Document], bool] | None = None

    def done(self, file: PlannedFile) -> Path:
        """The path where a task stores the counts of a finished file."""
        return self.plan.work / _DONE / f"{_digest(file.path)}.json"

    def piece(self, task: Task) -> Path:
        """The path of the results of a piece until its file is written."""
        number = task.piece.number if task.piece else 0
        return self.plan.work / _PIECES / f"{_digest(task.file.path)}-{number}.jsonl"


def _digest(path: str) -> str:
    return sha256(os.fsencode(path)).hexdigest()


def run_on_spark(
    session: SparkSession,
    plan: Plan,
    job: MaskJob,
    *,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    watch: Callable[[Progress], None] = lambda _: None,
    announce: Callable[[Progress], None] = lambda _: None,
) -> Summary:
    """Mask the files of a plan on Spark, as `run_job` does in this process."""
    del workers  # Spark has its own
    interrupted = check_output(plan, resume=resume, overwrite=overwrite)
    announce(Progress(0, 0, 0.0, (0, 0.0), total=total_of(plan)))
    check_columns(plan, job)
    made = None if job.key or interrupted else new_key()
    key = job.key or (kept_key(plan) if made is None else Key(made.encode()))
    plan = plan.renamed(key) if job.rename else plan
    _check_formats(plan)
    folder: WorkFolder | None = None
    try:
        survey = plan.survey()
        facts = facts_of(job, survey, key)
        folder = resume_work(plan, facts, key) if interrupted else None
        folder = folder or begin(plan, facts, made, overwrite=overwrite)
        if folder.start.position:
            raise InputError(
                f"{plan.output}: `veil mask` started the interrupted run; continue it with that"
            )
        for name in (_DONE, _PIECES):
            (plan.work / name).mkdir(exist_ok=True)
        files = list(islice(plan.files(), folder.start.files, None))
        work = _work(plan, job, key)
        done = {file: entry for file in files if (entry := _kept_entry(work, file))}
        memory = None
        if job.two_pass:
            memory = _remember(session, work, _cut(session, work, list(plan.files())))
            work = _work(plan, job, key, memory)
        tasks = _cut(session, work, [file for file in files if file not in done])
        before = _sum(done.values())
        total = survey.files, survey.size

        def step(share: float, records: int, spans: int) -> None:
            records, spans = before.records + records, before.found + spans
            watch(Progress(records, spans, share, (before.records, 0.0), total=total))

        done |= _mask(session, work, tasks, step)
        tally = folder.start.tally
        for file in files:
            folder.journal.append(done[file])
            tally.add(done[file].tally)
        check_finished(plan, folder)
        withheld = list(islice(folder.journal.withheld(), SHOWN))
        if job.report:
            from veil.masking.report import write_report  # its pages need a template engine

            write_report(folder, facts, tally, job, memory)
        folder.remove()
    except OSError as error:
        raise InputError(message_of(error, plan, folder)) from None
    finally:
        if folder:
            folder.journal.close()
    return Summary(tally, withheld, facts)


def _check_formats(plan: Plan) -> None:
    """Raise an error for formats where all records of a patient must be masked together."""
    for file in plan.files():
        name = _FORMATS[0]
        with suppress(VeilError, OSError):  # such a file is withheld
            name = find_format(file.source).name
        if name not in _FORMATS:
            raise InputError(
                f"{file.source}: veil spark masks {', '.join(_FORMATS)}, and not {name}; use "
                "`veil mask`"
            )


def _work(plan: Plan, job: MaskJob, key: Key, memory: CorpusMemory | None = None) -> Work:
    options = job.detection.options
    if options:
        load = partial(load_on_worker, options)
        job = replace(job, detection=replace(job.detection, load=load))
    # Workers do not need the file of a policy.
    masker = replace(masker_plan(job, key, memory), policy=load_policy(job.policy))
    return Work(
        plan,
        job.options,
        key,
        masker,
        token_of(masker),
        PIECE_CHARACTERS,
        job.detection.is_known,
    )


def _sum(entries: Iterable[BatchEntry]) -> Tally:
    tally = Tally()
    for entry in entries:
        tally.add(entry.tally)
    return tally


def _kept_entry(work: Work, file: PlannedFile) -> BatchEntry | None:
    """The counts of an interrupted run for a file, if the file is finished."""
    try:
        entry = BatchEntry.from_data(json.loads(work.done(file).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return entry if is_there(work.plan, work.key, entry, iter([file])) else None


def _cut(session: SparkSession, work: Work, files: Sequence[PlannedFile]) -> list[list[Task]]:
    """The tasks of each file, by the amount of its text."""
    long = [Task(file) for file in files if LONG_FILE <= file.size]
    pieces = {
        task.file: found
        for task, found in zip(long, run_tasks(session, find_pieces, work, long), strict=True)
    }
    return [[Task(file, piece) for piece in pieces.get(file, [None])] for file in files]


def _mask(
    session: SparkSession,
    work: Work,
    tasks: Sequence[list[Task]],
    step: Callable[[float, int, int], None],
) -> dict[PlannedFile, BatchEntry]:
    """Mask the files of tasks, and return the counts of each file."""
    alone = [task for (task, *more) in tasks if not more]
    in_pieces = [pieces for pieces in tasks if pieces[1:]]
    to_do = [*alone]
    to_do += [task for pieces in in_pieces for task in pieces if not work.piece(task).is_file()]
    # The longest first, so that no long task runs alone at the end.
    to_do.sort(key=lambda task: (task.piece is None, -task.file.size))
    results = run_tasks(session, mask_task, work, to_do, step)
    entries = {
        task.file: entry
        for task, (entry, _, _) in zip(to_do, results, strict=True)
        if entry is not None
    }
    joined = run_tasks(session, join_pieces, work, in_pieces)
    entries |= {pieces[0].file: entry for pieces, entry in zip(in_pieces, joined, strict=True)}
    return {file: BatchEntry.from_data(json.loads(data)) for file, data in entries.items()}


def _remember(session: SparkSession, work: Work, tasks: Sequence[list[Task]]) -> CorpusMemory:
    """The memory of two passes; the counts of tasks are added up on the workers."""
    pieces = [task for each in tasks for task in each]
    return memory_of(merge_tasks(session, count_task, work, pieces, _merged) or MemoryCounts())


def _merged(counts: MemoryCounts, more: MemoryCounts) -> MemoryCounts:
    counts.merge(more)
    return counts


# Functions of tasks that run on workers.


def load_on_worker(options: DetectionOptions) -> DetectionPipeline:
    """Load the pipeline, with paths that exist on this worker."""
    return replace(options, **moved(options)).load(veil_labels=True)


class _RepeatedIds(Ids):
    """Collects the ids of a piece that already occur before it."""

    def __init__(self) -> None:
        super().__init__()
        self._before: set[bytes] = set()
        self._repeated: set[bytes] = set()

    def is_seen(self, digest: bytes) -> bool:
        if digest in self._before:
            self._repeated.add(digest)
        return digest in self._before or super().is_seen(digest)

    def next_piece(self) -> frozenset[bytes]:
        """Begin a piece, and return the repeated ids of the last one."""
        repeated, self._repeated = self._repeated, set()
        self._before |= self._seen
        self._seen = set()
        return frozenset(repeated)


def find_pieces(work: Work, task: Task) -> Sequence[Piece | None]:
    """The pieces of a long file, by amount of text, or None for a file of one piece."""
    ids = _RepeatedIds()
    course = Course(ids=ids)
    starts = [(0, Place())]
    repeated: list[frozenset[bytes]] = []
    characters = 0
    for number, take in enumerate(_takes(work, task, course)):
        if work.piece_characters <= characters:
            starts.append((number, course.place))
            characters = 0
        characters += sum(len(doc.text) for doc in take.item.documents)
        if work.piece_characters <= characters:  # the next item, if any, begins a piece
            repeated.append(ids.next_piece())
    if len(starts) == 1:
        return [None]
    repeated.append(ids.next_piece())
    ends = [*(number for number, _ in starts[1:]), None]
    return [
        # Before a batch of Parquet all rows are items; in other tables a place is that of its item.
        Piece(index, place, max(0, number - place.item), end and end - number, repeated[index])
        for index, ((number, place), end) in enumerate(zip(starts, ends, strict=True))
    ]


def count_task(work: Work, task: Task) -> MemoryCounts:
    """Count what is certain in the records of a task."""
    pipeline = loaded(work.token, work.masker.make).pipeline
    counts = MemoryCounts()
    for batch in event_batches(_takes(work, task)):
        for outcome in pipeline.detect_batch(searched(batch)):
            if isinstance(outcome, Record):
                counts.add(outcome)
        after_use(work.token)
    return counts


def mask_task(work: Work, task: Task) -> tuple[str | None, int, int]:
    """Mask a file or a piece; return the counts, the records and the spans."""
    masker = loaded(work.token, work.masker.make)
    if task.piece is None:
        return _write_file(work, task.file, partial(_masked, work.token, masker))
    spans = records = 0
    with whole_file(work.piece(task)) as file:
        for batch in event_batches(_takes(work, task)):
            for result in _masked(work.token, masker, _documents(batch)):
                file.write(_to_line(result))
                if isinstance(result, Done):
                    records, spans = records + 1, spans + result.found.total()
    return None, records, spans


def _masked(token: str, masker: Masker, items: list[Together]) -> list[Result]:
    results = mask_items(masker, items)
    after_use(token)
    return results


def join_pieces(work: Work, pieces: Sequence[Task]) -> str:
    """Write a file from the results of its pieces, keeping them for other attempts."""
    forget(work.token)  # masking is finished; the rows of a file need memory
    results = (result for task in pieces for result in _results(work.piece(task)))
    entry, _, _ = _write_file(work, pieces[0].file, lambda items: list(islice(results, len(items))))
    return entry


def _write_file(
    work: Work, file: PlannedFile, mask: Callable[[list[Together]], list[Result]]
) -> tuple[str, int, int]:
    """Write a masked file, and its counts beside it."""
    _check_visible(file)
    plan = _AttemptPlan(
        work.plan.sources,
        work.plan.folder,
        work.plan.alone,
        work.plan.naming_key,
        attempt=uuid.uuid4().hex,
    )
    output = Output(plan, work.options, is_known=work.is_known)
    whole = BatchEntry()
    try:
        for batch in event_batches(read_events([file], work.options, work.key)):
            entry = output.write(batch, mask(_documents(batch)))
            whole.tally.add(entry.tally, unsure=True)
            whole.finished += entry.finished
            whole.withheld += entry.withheld
    except BaseException:
        output.abandon()
        plan.part(file.path).unlink(missing_ok=True)
        raise
    data = json.dumps(whole.to_data())
    with whole_file(work.done(file)) as done:
        done.write(data.encode())
    return data, whole.tally.records, whole.tally.found


def _takes(work: Work, task: Task, course: Course | None = None) -> Iterator[Take]:
    """The items of a task; those of a piece are read from its start."""
    _check_visible(task.file)
    if task.piece is None:
        return read_takes(task.file, work.options, course)
    _, place, skipped, length, repeated = task.piece
    takes = read_takes(task.file, work.options, Course(place, Ids(repeated)))
    return islice(takes, skipped, length and skipped + length)


def _documents(events: Sequence[Event]) -> list[Together]:
    return [event.item.documents for event in events if isinstance(event, Take)]


def _check_visible(file: PlannedFile) -> None:
    if not file.source.exists():
        raise InputError(
            f"{file.source}: not found on the worker {socket.gethostname()}; all workers must have "
            "access to the input and the output under the same paths"
        )


@dataclass(frozen=True)
class _AttemptPlan(Plan):
    """A plan whose incomplete files belong to one attempt, since attempts can run concurrently."""

    attempt: str = ""

    def part(self, path: str) -> Path:
        part = super().part(path)
        return part.with_name(f"{part.name}-{self.attempt}")


def _to_line(result: Result) -> bytes:
    """A result as a line of JSON: masked texts, names of records, labels, offsets and numbers."""
    if isinstance(result, Refused):
        data: dict[str, Any] = result._asdict()
    else:
        found = [[*each, count] for each, count in result.found.items()]
        data = {**result._asdict(), "found": found, "masked": ()}
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def _results(file: Path) -> Iterator[Result]:
    """Yield the results of a piece."""
    with file.open("rb") as lines:
        for line in lines:
            data = json.loads(line)
            if "reason" in data:
                yield Refused(**data)
                continue
            yield Done(
                tuple(data["texts"]),
                tuple(data["languages"]),
                Counter({CountedSpan(*each): count for *each, count in data["found"]}),
                [ListedSpan(*each) for each in data["doubtful"]],
                [ListedSpan(*each) for each in data["remembered"]],
                data["values"],
                [ChangedValue(*each) for each in data["changed"]],
                (),
            )
