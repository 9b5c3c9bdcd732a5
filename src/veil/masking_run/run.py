"""A run: files are read, masked by workers, and written, with a journal and a report."""

from __future__ import annotations

import errno
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, RecordError
from veil.io import find_format
from veil.io.rewriting import items_with_records
from veil.mapping import MappingWriter
from veil.masking_run.job import facts_of, masker_plan
from veil.masking_run.keys import new_key
from veil.masking_run.reading import End, Take, in_batches, read_events
from veil.masking_run.report import write_report
from veil.masking_run.work import begin, check_output, kept_key, take_up
from veil.masking_run.workers import Workers
from veil.masking_run.writing import Output
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from veil.core.document import Document
    from veil.io.rewriting import RewritableFormat
    from veil.masking_run.job import MaskJob
    from veil.masking_run.plan import Plan, Survey
    from veil.masking_run.reading import Event
    from veil.masking_run.tally import Tally, Withheld
    from veil.masking_run.work import Work


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: records, spans found, and the share of all bytes.

    `before` are the records and the share that an interrupted run had reached.
    """

    records: int
    spans: int
    share: float
    before: tuple[int, float]


@dataclass(frozen=True)
class Summary:
    """What a run did."""

    tally: Tally
    withheld: Sequence[Withheld]
    facts: dict[str, Any]

    @property
    def is_complete(self) -> bool:
        """Whether nothing had to be withheld."""
        return not (self.tally.withheld or self.tally.withheld_files)

    @property
    def is_empty(self) -> bool:
        """Whether no record was found, or every file was withheld as a whole."""
        files = self.facts["input"]["files"]
        return not self.tally.withheld and self.tally.withheld_files >= files


def mask_files(
    plan: Plan,
    job: MaskJob,
    *,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    find: Callable[[Path], RewritableFormat] = find_format,
    watch: Callable[[Progress], None] = lambda _: None,
) -> Summary:
    """Mask the files of a plan and write a report beside them.

    What cannot be masked is withheld and named in the report; all else that goes wrong ends the run
    with an error. `resume` goes on with a run that was interrupted and gives the same bytes as one
    that was not.
    """
    interrupted = check_output(plan, resume=resume, overwrite=overwrite)
    _check_columns(plan, job, find)
    made = None if job.key or interrupted else new_key()
    key = job.key or (kept_key(plan) if made is None else Key(made.encode()))
    work: Work | None = None
    try:
        with Workers(masker_plan(job, key), workers, with_masked=job.mapping is not None) as pool:
            survey = plan.survey()
            facts = facts_of(job, survey, key)
            work = take_up(plan, facts, key) if interrupted else None
            pool.wait()
            with _mapping(job, resume=interrupted) as mapping:
                work = work or begin(plan, facts, made, overwrite=overwrite)
                meter = _Meter(plan, survey, work, watch)
                tally = _mask(_Run(plan, job, key, work, find, mapping), pool, meter)
        _check_finished(plan, work)
        withheld = write_report(work, facts, tally, job)
        work.remove()
    except OSError as error:
        raise InputError(_told(error, plan, work)) from None
    finally:
        if work:
            work.journal.close()
    return Summary(tally, withheld, facts)


def _check_finished(plan: Plan, work: Work) -> None:
    """Refuse an output that somebody removed a file from during the run."""
    for entry in work.journal.entries():
        for file in entry.finished:
            path = plan.folder / file.place
            if file.output and (not path.is_file() or path.stat().st_size != file.size):
                raise FileNotFoundError(
                    errno.ENOENT, "was removed or changed during the run", str(path)
                )


def _check_columns(plan: Plan, job: MaskJob, find: Callable[[Path], RewritableFormat]) -> None:
    """Refuse a single file that cannot be read as the user said; of many files it is withheld."""
    if plan.alone:
        (source,) = plan.sources
        with suppress(RecordError):
            items_with_records(find(source), source, job.options)


def _mapping(job: MaskJob, *, resume: bool) -> AbstractContextManager[MappingWriter | None]:
    if job.mapping is None:
        return nullcontext()
    return MappingWriter(job.mapping.path, job.mapping.passphrase, resume=resume)


@dataclass(frozen=True)
class _Run:
    """What belongs to a run while it lasts."""

    plan: Plan
    job: MaskJob
    key: Key
    work: Work
    find: Callable[[Path], RewritableFormat]
    mapping: MappingWriter | None


def _mask(run: _Run, pool: Workers, meter: _Meter) -> Tally:
    job, start = run.job, run.work.start
    tally = start.tally
    files = islice(run.plan.files(), start.files, None)
    events = read_events(files, job.options, run.find, run.key, start.position)
    keep = run.mapping.add if run.mapping else None
    output = Output(run.plan, job.options, is_known=job.detection.is_known, keep=keep)
    try:
        for batch, results in pool.mask(in_batches(events), _documents):
            entry = output.write(batch, results)
            if run.mapping:
                run.mapping.flush()  # the journal never knows of more than the mapping
            run.work.journal.append(entry)
            tally.add(entry.tally)
            meter.step(batch, tally)
    finally:
        output.abandon()
    return tally


def _documents(events: Sequence[Event]) -> list[tuple[Document, ...]]:
    return [event.item.documents for event in events if isinstance(event, Take)]


class _Meter:
    """Tells a watcher how far the run is: of the file at work its texts are counted."""

    def __init__(
        self, plan: Plan, survey: Survey, work: Work, watch: Callable[[Progress], None]
    ) -> None:
        self._all = survey.size
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
        self._watch(Progress(tally.records, tally.found, self._share, self._before))

    @property
    def _share(self) -> float:
        return min(1.0, (self._done + self._inside) / self._all) if self._all else 1.0


def _told(error: OSError, plan: Plan, work: Work | None) -> str:
    """What the disk or its rights refused; no message of a system error holds a record."""
    message = f"{error.filename2 or error.filename or plan.output}: {error.strerror}"
    if work is None:
        return message
    if not work.journal.is_there:
        return (
            f"{plan.work}: was removed during the run, which cannot go on without it; begin anew "
            "with --overwrite"
        )
    return f"{message}; all that was written is whole: mend this, and go on with --resume"
