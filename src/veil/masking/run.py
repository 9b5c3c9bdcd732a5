"""A run over files: its settings, and the run itself, with a journal and a report."""

from __future__ import annotations

import errno
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veil
from veil.core.document import WHOLE
from veil.core.errors import InputError, RecordError
from veil.detect.memory import MemoryCounts, load_with_memory, memory_counter, memory_of
from veil.io import find_format
from veil.io.base import TableOptions, items_with_records
from veil.masking.file_names import renamed_file
from veil.masking.journal import SHOWN, begin, check_output, kept_key, resume_work
from veil.masking.masker import Masker
from veil.masking.plan import HASHES, KEYED, hash_file, hash_folder, keyed_hash
from veil.masking.pool import Pool
from veil.masking.stream import End, Output, Take, event_batches, mask_items, read_events
from veil.models import describe
from veil.replace.policy import Policy, load_policy
from veil.replace.secret import Key, new_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from veil.core.document import Document
    from veil.detect.assembly import DetectionOptions
    from veil.detect.memory import CorpusMemory
    from veil.detect.pipeline import DetectionPipeline
    from veil.masking.corrections import Corrections
    from veil.masking.journal import Tally, Withheld, WorkFolder
    from veil.masking.mapping import MappingWriter
    from veil.masking.plan import Plan, PlannedFile, Survey
    from veil.masking.stream import Event, Result, Together
    from veil.replace.policy import Action


# How many documents, and how much of each, are masked before workers are forked.
_SAMPLED, _SAMPLED_CHARACTERS = 8, 2000


@dataclass(frozen=True)
class Detection:
    """How identifying spans are found.

    `load` makes the pipeline, whose labels are Veil's, once in each process; with several workers
    it must be picklable. `settings` are the options that the user chose, `files` the files among
    them (a table, a folder of rules): both go into the report, the files as a keyed hash.
    `is_known` says whether something is known about a document's patient. `options` are the ones
    from which `load` was made, for engines whose workers have other paths.
    """

    load: Callable[[], DetectionPipeline]
    settings: Mapping[str, Any] = field(default_factory=dict)
    models: tuple[Path, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    is_known: Callable[[Document], bool] | None = None
    options: DetectionOptions | None = None


@dataclass(frozen=True)
class MappingFile:
    """The file of the mapping and its passphrase."""

    path: Path
    passphrase: str = field(repr=False)


@dataclass(frozen=True)
class MaskJob:
    """What a run does to every record; without a key one is made for the run.

    Without a `report` nothing is written except the output, and the run cannot be resumed. With
    `two_pass` the records are read twice: what is certain in some of them is found in all others.
    `corrections` come from a review.
    """

    detection: Detection
    policy: str | Path = "tag"
    key: Key | None = None
    rescan: bool = True
    options: TableOptions = field(default_factory=TableOptions)
    mapping: MappingFile | None = None
    report: bool = True
    two_pass: bool = False
    rename: bool = False
    corrections: Corrections | None = None


@dataclass(frozen=True)
class MaskerPlan:
    """How a worker process makes its masker."""

    load_pipeline: Callable[[], DetectionPipeline]
    policy: str | Path | Policy
    key: Key
    rescan: bool
    with_masked: bool = False
    corrections: Corrections | None = None

    def load(self) -> Callable[[list[Together]], list[Result]]:
        """Make the function that masks items."""
        return partial(mask_items, self.make(), with_masked=self.with_masked)

    def make(self) -> Masker:
        policy = self.policy if isinstance(self.policy, Policy) else load_policy(self.policy)
        return Masker(
            self.load_pipeline(),
            policy,
            key=self.key,
            rescan=self.rescan,
            corrections=self.corrections,
        )


def masker_plan(job: MaskJob, key: Key, memory: CorpusMemory | None = None) -> MaskerPlan:
    """The part of a job that workers need."""
    load = job.detection.load
    return MaskerPlan(
        partial(load_with_memory, load, memory) if memory else load,
        job.policy,
        key,
        job.rescan,
        job.mapping is not None,
        job.corrections,
    )


def facts_of(job: MaskJob, survey: Survey, key: Key) -> dict[str, Any]:
    """Everything on which the output depends: runs with the same facts write the same bytes.

    Without a report only the input is described: hashing models and word lists takes time.
    """
    read = {**asdict(survey), "digest": keyed_hash(key, "survey", "", survey.digest)}
    if not job.report:
        return {"input": read}
    detection = job.detection
    return {
        "veil": veil.__version__,
        "policy": policy_table(load_policy(job.policy)),
        "detection": dict(detection.settings),
        "models": [model_facts(folder) for folder in detection.models],
        "rules": rules_version(),
        "files": {
            name: keyed_hash(key, "given", name, _hash(path))
            for name, path in detection.files.items()
        },
        "rescan": job.rescan,
        "two_pass": job.two_pass,
        "rename": job.rename,
        "columns": job.options.to_data(),
        "key": key.fingerprint,
        "mapping": job.mapping is not None,
        "input": read,
        HASHES: KEYED,
        **({"applied_review": job.corrections.name} if job.corrections else {}),
    }


def policy_table(policy: Policy) -> dict[str, Any]:
    """A policy as it is written to a report."""
    return {
        "name": policy.name,
        "about": policy.about,
        "default": _action(policy.default),
        "labels": {label: _action(action) for label, action in policy.labels.items()},
    }


def _action(action: Action) -> dict[str, Any]:
    return {"action": action.name, **action.options}


def model_facts(folder: Path) -> dict[str, Any]:
    """The name of a model and the hashes of its files."""
    info = describe(folder)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {
        "name": info.name,
        "language": info.language,
        "files": {file.relative_to(folder).as_posix(): hash_file(file) for file in files},
    }


@cache
def rules_version() -> str:
    """A hash of the rules and word lists that come with Veil."""
    package = Path(veil.__file__).parent
    folders = ("languages", "detect/rules")
    return hash_folder(package, *(package / folder for folder in folders))


def _hash(path: Path) -> str:
    return hash_folder(path, path) if path.is_dir() else hash_file(path)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run: records, spans found, and the share of all bytes.

    `total` are the number and size of all files, `before` the records and the share of the
    interrupted run. In the `first_of_two` passes records are only read.
    """

    records: int
    spans: int
    share: float
    before: tuple[int, float]
    first_of_two: bool = False
    total: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Summary:
    """What a run did; the `verdict` is that of its report, if it has one."""

    tally: Tally
    withheld: Sequence[Withheld]
    facts: dict[str, Any]
    verdict: Mapping[str, Any] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether nothing had to be withheld."""
        return not (self.tally.withheld or self.tally.withheld_files)

    @property
    def is_empty(self) -> bool:
        """Whether no record was found, or every file was withheld as a whole."""
        files = self.facts["input"]["files"]
        return not self.tally.withheld and self.tally.withheld_files >= files


def run_job(
    plan: Plan,
    job: MaskJob,
    *,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    watch: Callable[[Progress], None] = lambda _: None,
    announce: Callable[[Progress], None] = lambda _: None,
) -> Summary:
    """Mask the files of a plan and write a report beside them, if the job has one.

    Records and files that cannot be masked are withheld and named in the report; any other error
    ends the run. `announce` is called with the number and size of all files before
    anything is loaded, `watch` after each batch. `resume` continues an interrupted run and writes
    the same bytes as a run that was not interrupted.
    """
    if resume and not job.report:
        raise InputError("a run without a report cannot be resumed")
    interrupted = check_output(plan, resume=resume, overwrite=overwrite)
    announce(Progress(0, 0, 0.0, (0, 0.0), total=total_of(plan)))
    check_columns(plan, job)
    if job.corrections:
        job.corrections.check(_all_documents(plan, job))
    made = None if job.key or interrupted else new_key()
    key = job.key or (kept_key(plan) if made is None else Key(made.encode()))
    plan = plan.renamed(key) if job.rename else plan
    work: WorkFolder | None = None
    try:
        memory = _remember(plan, job, key, workers, watch) if job.two_pass else None
        with Pool(masker_plan(job, key, memory).load, workers) as pool:
            survey = plan.survey()
            facts = facts_of(job, survey, key)
            # The journal is opened afterwards: no worker may inherit its lock.
            pool.wait(partial(_sample, plan, job, key))
            work = resume_work(plan, facts, key) if interrupted else None
            with _mapping(job, resume=interrupted) as mapping:
                if job.rename and mapping and not interrupted:
                    _add_names(plan, mapping)
                work = work or begin(plan, facts, made, overwrite=overwrite)
                meter = _Meter(plan, survey, work, watch)
                tally = _mask(job, key, work, mapping, pool, meter)
        check_finished(plan, work)
        withheld = list(islice(work.journal.withheld(), SHOWN))
        verdict = None
        if job.report:
            from veil.masking.report import write_report  # its pages need a template engine

            verdict = write_report(work, facts, tally, job, memory)
        work.remove()
    except OSError as error:
        raise InputError(message_of(error, plan, work)) from None
    finally:
        if work:
            work.journal.close()
    return Summary(tally, withheld, facts, verdict)


def total_of(plan: Plan) -> tuple[int, int]:
    """The number and size of all files."""
    count = size = 0
    for file in plan.files():
        count, size = count + 1, size + file.size
    return count, size


def _add_names(plan: Plan, mapping: MappingWriter) -> None:
    """Write the names of all files into the mapping, by their keyed paths."""
    original = replace(plan, naming_key=None)
    for old, new in zip(original.files(), plan.files(), strict=True):
        mapping.add(new.path, renamed_file(old.name, new.path))


def _remember(
    plan: Plan, job: MaskJob, key: Key, workers: int, watch: Callable[[Progress], None]
) -> CorpusMemory:
    """Read all records once, and return what is certain in some of them.

    Records that cannot be read or searched are reported by the second pass.
    """
    survey = plan.survey()
    total = survey.files, survey.size
    counts = MemoryCounts()
    records = size = 0
    with Pool(partial(memory_counter, job.detection.load), workers) as pool:
        pool.wait(lambda: [doc for item in _sample(plan, job, key) for doc in item])
        batches = event_batches(read_events(_files_to_reread(plan), job.options, key))
        for batch, more in pool.map(batches, searched):
            counts.merge(more)
            records += sum(isinstance(event, Take) and event.item.is_record for event in batch)
            size += sum(event.file.size for event in batch if isinstance(event, End))
            share = size / survey.size if survey.size else 1.0
            watch(Progress(records, 0, share, (0, 0.0), first_of_two=True, total=total))
    return memory_of(counts)


def searched(events: Sequence[Event]) -> list[Document]:
    """The documents that detectors search, each of them once."""
    items = (event.item for event in events if isinstance(event, Take))
    return [
        doc for item in items for doc in item.documents if not item.repeat and WHOLE not in doc.meta
    ]


def _all_documents(plan: Plan, job: MaskJob) -> Iterator[Document]:
    """The documents that will be masked; what cannot be read is reported by the run."""
    events = read_events(_files_to_reread(plan), job.options, Key.generate())
    return (doc for event in events if isinstance(event, Take) for doc in event.item.documents)


def _files_to_reread(plan: Plan) -> Iterator[PlannedFile]:
    """The files that can be read several times: a pipe is read only once."""
    return (file for file in plan.files() if file.source.is_file())


def _sample(plan: Plan, job: MaskJob, key: Key) -> list[Together]:
    """The start of the first documents."""
    events = read_events(_files_to_reread(plan), job.options, key)
    items = (event.item for event in events if isinstance(event, Take))
    docs = islice((doc for item in items for doc in item.documents), _SAMPLED)
    return [(replace(doc, text=doc.text[:_SAMPLED_CHARACTERS]),) for doc in docs]


def check_finished(plan: Plan, work: WorkFolder) -> None:
    """Refuse an output from which a file was removed during the run."""
    for entry in work.journal.entries():
        for file in entry.finished:
            path = plan.folder / file.path
            if file.output and (not path.is_file() or path.stat().st_size != file.size):
                raise FileNotFoundError(
                    errno.ENOENT, "was removed or changed during the run", str(path)
                )


def check_columns(plan: Plan, job: MaskJob) -> None:
    """Refuse a single file that cannot be read with these options; one of many is withheld."""
    if plan.alone:
        (source,) = plan.sources
        with suppress(RecordError):
            items_with_records(find_format(source), source, job.options)


def _mapping(job: MaskJob, *, resume: bool) -> AbstractContextManager[MappingWriter | None]:
    if job.mapping is None:
        return nullcontext()
    from veil.masking.mapping import MappingWriter  # most runs write none

    return MappingWriter(job.mapping.path, job.mapping.passphrase, resume=resume)


def _mask(
    job: MaskJob,
    key: Key,
    work: WorkFolder,
    mapping: MappingWriter | None,
    pool: Pool[list[Together], list[Result]],
    meter: _Meter,
) -> Tally:
    plan, start = work.plan, work.start
    tally = start.tally
    files = islice(plan.files(), start.files, None)
    events = read_events(files, job.options, key, start.position)
    keep = mapping.add if mapping else None
    output = Output(plan, job.options, is_known=job.detection.is_known, keep=keep)
    try:
        for batch, results in pool.map(event_batches(events), _documents):
            entry = output.write(batch, results)
            if mapping:
                mapping.flush()  # the mapping is never behind the journal
            work.journal.append(entry)
            tally.add(entry.tally)
            meter.step(batch, tally)
    finally:
        output.abandon()
    return tally


def _documents(events: Sequence[Event]) -> list[tuple[Document, ...]]:
    return [event.item.documents for event in events if isinstance(event, Take)]


class _Meter:
    """Reports the progress of a run: sizes of finished files, and of texts in the open file."""

    def __init__(
        self, plan: Plan, survey: Survey, work: WorkFolder, watch: Callable[[Progress], None]
    ) -> None:
        self._all = survey.size
        self._total = survey.files, survey.size
        self._watch = watch
        self._done = sum(file.size for file in islice(plan.files(), work.start.files))
        self._inside = 0
        self._before = (work.start.tally.records, self._share)

    def step(self, events: Sequence[Event], tally: Tally) -> None:
        for event in events:
            if isinstance(event, End):
                self._done += event.file.size
                self._inside = 0
            elif isinstance(event, Take):
                self._inside += sum(
                    len(doc.text.encode(errors="replace")) for doc in event.item.documents
                )
        self._watch(
            Progress(tally.records, tally.found, self._share, self._before, total=self._total)
        )

    @property
    def _share(self) -> float:
        return min(1.0, (self._done + self._inside) / self._all) if self._all else 1.0


def message_of(error: OSError, plan: Plan, work: WorkFolder | None) -> str:
    """The message for an error of the operating system, which contains no text of a record."""
    message = f"{error.filename2 or error.filename or plan.output}: {error.strerror}"
    if work is None:
        return message
    if not work.journal.is_there:
        return (
            f"{plan.work}: was removed during the run, which cannot continue without it; start "
            "again with --overwrite"
        )
    return f"{message}; everything written is complete: correct this, and continue with --resume"
