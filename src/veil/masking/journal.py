"""The journal of a run: what each batch added, and the work folder from which a run can continue.

The journal is a file in the work folder of the output, with one JSON object in each line. However a
run ends, the complete lines show where it can continue. The journal contains names of files and
records, labels, offsets and numbers, but no text of a record.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import heapq
import json
import os
import shutil
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from veil.core.errors import InputError
from veil.masking.plan import HASHES, hash_file, hash_input, is_folder
from veil.replace.secret import Key, write_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from veil.masking.plan import Plan, PlannedFile


DOUBTFUL_BELOW = 0.6
MOST_LISTED = 200


class CountedSpan(NamedTuple):
    """The attributes by which spans are counted: label, action, detector and language."""

    label: str
    action: str
    source: str
    language: str


class ListedSpan(NamedTuple):
    """A span that a report lists; the offsets are those of the masked text."""

    score: float
    path: str
    record: str
    start: int
    end: int
    label: str


class ChangedValue(NamedTuple):
    """A replacement that changed a clinical value, with its offsets in the masked text.

    `rule` is the rule that recognised the value.
    """

    path: str
    record: str
    start: int
    end: int
    label: str
    rule: str


MOST_CHANGED = 1000
"""How many changed values a report lists."""

SHOWN = 200
"""How many files and withheld records a summary and the page of a report list."""


class Withheld(NamedTuple):
    """A record that is not in the output and why, or a whole file (no record).

    `path` is that of the input file.
    """

    path: str
    record: str | None
    reason: str


class Finished(NamedTuple):
    """A finished file: the keyed hash of its input, and the hash, size and items of its output."""

    path: str
    input: str | None
    output: str | None
    size: int
    items: int


class Position(NamedTuple):
    """The progress of the open file; `size` is the part of it that is safely on disk."""

    path: str
    resumable: bool
    items: int
    written: int
    withheld: int
    size: int


# The sums from which a file is subtracted if it is withheld after all.
_WITHDRAWN = ("records", "characters", "known", "doubtful", "values", "changed_values")


@dataclass
class Tally:
    """Sums over records; `encodings` counts the files whose encoding was detected.

    `unsure` are all unsure spans of a batch. A sum over batches has none: there may be many.
    """

    records: int = 0
    characters: int = 0
    known: int = 0
    withheld: int = 0
    withheld_files: int = 0
    doubtful: int = 0
    values: int = 0
    changed_values: int = 0
    spans: Counter[CountedSpan] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    encodings: Counter[str] = field(default_factory=Counter)
    unsure: list[ListedSpan] = field(default_factory=list)
    remembered: list[ListedSpan] = field(default_factory=list)
    changed: list[ChangedValue] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    def add(self, other: Tally, *, unsure: bool = False) -> None:
        for name in (*_WITHDRAWN, "withheld", "withheld_files"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.spans.update(other.spans)
        self.languages.update(other.languages)
        self.encodings.update(other.encodings)
        self._drop_listed(other.withdrawn)
        if unsure:
            self.unsure += other.unsure
        self.add_remembered(other.remembered)
        self.add_changed(other.changed)

    def withdraw(self, path: str, counted: Tally) -> None:
        """Subtract the earlier counts of a file that is withheld after all.

        Numbers of this tally may become negative; sums over all tallies do not.
        """
        for name in _WITHDRAWN:
            setattr(self, name, getattr(self, name) - getattr(counted, name))
        self.spans.subtract(counted.spans)
        self.languages.subtract(counted.languages)
        self.withdrawn.append(path)
        self._drop_listed([path])

    def _drop_listed(self, paths: list[str]) -> None:
        if paths:
            self.unsure = [each for each in self.unsure if each.path not in paths]
            self.remembered = [each for each in self.remembered if each.path not in paths]
            self.changed = [each for each in self.changed if each.path not in paths]

    def add_remembered(self, spans: list[ListedSpan]) -> None:
        """Keep the lowest scores of spans that only the memory of the corpus found."""
        if spans:
            self.remembered = heapq.nsmallest(MOST_LISTED, [*self.remembered, *spans])

    def add_changed(self, changed: list[ChangedValue]) -> None:
        """Keep the first changed values by path."""
        if changed:
            self.changed = heapq.nsmallest(MOST_CHANGED, [*self.changed, *changed])

    @property
    def found(self) -> int:
        """How many spans were found."""
        return self.spans.total()

    def count_by(self, field_name: str) -> dict[str, int]:
        """Spans by label, action, source or language, the most frequent first."""
        counts: Counter[str] = Counter()
        for found, count in self.spans.items():
            if count:
                counts[getattr(found, field_name)] += count
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_data(self) -> dict[str, Any]:
        return {
            **vars(self),
            "spans": [[*found, count] for found, count in sorted(self.spans.items())],
            "languages": dict(sorted(self.languages.items())),
            "encodings": dict(sorted(self.encodings.items())),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Tally:
        return cls(
            **{
                **data,
                "spans": Counter({CountedSpan(*found): count for *found, count in data["spans"]}),
                "languages": Counter(data["languages"]),
                "encodings": Counter(data["encodings"]),
                "unsure": [ListedSpan(*each) for each in data["unsure"]],
                "remembered": [ListedSpan(*each) for each in data["remembered"]],
                "changed": [ChangedValue(*each) for each in data["changed"]],
            }
        )


@dataclass
class BatchEntry:
    """What a batch added to a run: one line of the journal."""

    tally: Tally = field(default_factory=Tally)
    finished: list[Finished] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    position: Position | None = None

    def withhold(self, withheld: Withheld) -> None:
        self.withheld.append(withheld)
        if withheld.record is None:
            self.tally.withheld_files += 1
        else:
            self.tally.withheld += 1

    def to_data(self) -> dict[str, Any]:
        return {**vars(self), "tally": self.tally.to_data()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> BatchEntry:
        position = data["position"]
        return cls(
            Tally.from_data(data["tally"]),
            [Finished(*each) for each in data["finished"]],
            [Withheld(*each) for each in data["withheld"]],
            None if position is None else Position(*position),
        )


NAME = "journal.jsonl"
STARTED = "started"


@dataclass
class Start:
    """Where a run starts or continues: after this number of files, inside the next one."""

    files: int = 0
    position: Position | None = None
    tally: Tally = field(default_factory=Tally)


class Journal:
    """A journal that only this process may write."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self.path = path

    @classmethod
    def open(cls, folder: Path, *, create: bool = False) -> Journal:
        """Open the journal of a folder; it must exist unless it may be created."""
        path = folder / NAME
        return cls(_locked(path, create=create), path)

    def begin(self, header: Mapping[str, Any]) -> None:
        """Start with the settings of the run, without earlier entries."""
        self._file.truncate(0)
        self._write(dict(header))

    def header(self) -> dict[str, Any] | None:
        """The settings of the run, or None if they were not written."""
        for data, _ in self._lines():
            if not isinstance(data, dict) or not isinstance(data.get(STARTED), str):
                raise self._damaged(1)
            return data
        return None

    def entries(self) -> Iterator[BatchEntry]:
        """Yield what each batch added."""
        return (entry for entry, _ in self._entries())

    def withheld(self) -> Iterator[Withheld]:
        """Yield the records that were withheld."""
        return (each for entry in self.entries() for each in entry.withheld)

    def unsure(self) -> Iterator[ListedSpan]:
        """Yield the unsure spans of all files that were not withheld after all."""
        withdrawn = {path for entry in self.entries() for path in entry.tally.withdrawn}
        for entry in self.entries():
            for each in entry.tally.unsure:
                if each.path not in withdrawn:
                    yield each

    def _entries(self) -> Iterator[tuple[BatchEntry, int]]:
        for number, (data, end) in enumerate(islice(self._lines(), 1, None), start=2):
            try:
                entry = BatchEntry.from_data(data)
            except (TypeError, KeyError, ValueError, AttributeError):
                raise self._damaged(number) from None
            yield entry, end

    def _damaged(self, line: int) -> InputError:
        return InputError(f"{self.path}: line {line} is damaged; start again with --overwrite")

    def rewind(
        self, can_resume: Callable[[BatchEntry], bool], exists: Callable[[BatchEntry], bool]
    ) -> Start:
        """Remove the entries after the last one from which the run can continue; return its start.

        An entry with a finished file that is missing is removed with all entries after it.
        """
        _, kept = next(self._lines())
        good = 0
        for count, (entry, end) in enumerate(self._entries(), start=1):
            if not exists(entry):
                break
            if can_resume(entry):
                kept, good = end, count
        self._file.seek(kept)
        self._file.truncate()
        start = Start()
        for entry in islice(self.entries(), good):
            start.tally.add(entry.tally)
            start.files += len(entry.finished)
            start.position = entry.position
        return start

    @property
    def is_there(self) -> bool:
        """Whether the file still exists; removing the work folder ends the run."""
        with contextlib.suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        return False

    def append(self, entry: BatchEntry) -> None:
        """Write an entry to disk."""
        if not self.is_there:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path))
        self._write(entry.to_data())

    def close(self) -> None:
        self._file.close()

    def _write(self, data: Mapping[str, Any]) -> None:
        line = json.dumps(data, separators=(",", ":")) + "\n"
        self._file.write(line.encode("ascii"))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lines(self) -> Iterator[tuple[Any, int]]:
        """Yield the content of each complete line, and the offset of its end."""
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return
                try:
                    data = json.loads(line)
                except ValueError:  # after a full disk or a power failure
                    return
                yield data, file.tell()


def _locked(path: Path, *, create: bool) -> IO[bytes]:
    # Links are not followed, since they may lead anywhere.
    flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | (os.O_CREAT if create else 0)
    try:
        file = os.fdopen(os.open(path, flags, 0o600), "r+b")
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Otherwise it is the journal of a run that has just ended and removed it.
        is_free = os.path.samestat(os.fstat(file.fileno()), path.stat())
    except (BlockingIOError, FileNotFoundError):
        is_free = False
    if not is_free:
        file.close()
        raise InputError(f"{path.parent}: another run is active there")
    return cast("IO[bytes]", file)


KEY = "key"
# The names of the facts of a run in messages about differences.
_NAMES = {
    "veil": "Veil's version",
    "policy": "the policy",
    "detection": "the options of detection",
    "models": "the models",
    "rules": "Veil's rules",
    "files": "the table of known patients, the rules or the terms",
    "rescan": "--no-rescan",
    "two_pass": "--two-pass",
    "columns": "the columns",
    "key": "the key",
    "mapping": "--mapping",
    "input": "the input",
}


@dataclass
class WorkFolder:
    """The work folder of a run, its journal, and where the run starts."""

    plan: Plan
    journal: Journal
    started: str
    start: Start = field(default_factory=Start)

    def remove(self) -> None:
        """Remove the work folder."""
        shutil.rmtree(self.plan.work)
        self.journal.close()  # only now may another run start there


def check_output(plan: Plan, *, resume: bool, overwrite: bool) -> bool:
    """Whether to resume a run; refuse an output that exists or is being written."""
    interrupted = _is_interrupted(plan)
    if interrupted:
        Journal.open(plan.work).close()  # fails while another run is active there
    return _check_free(plan, interrupted=interrupted, resume=resume, overwrite=overwrite)


def _is_interrupted(plan: Plan) -> bool:
    journal = plan.work / NAME
    return journal.is_file() and journal.stat().st_size > 0


def _check_free(plan: Plan, *, interrupted: bool, resume: bool, overwrite: bool) -> bool:
    if resume and interrupted:
        return True
    taken = plan.output.exists() if plan.alone else _is_used(plan)
    if overwrite or not (taken or interrupted):
        return False
    if resume:
        raise InputError(f"{plan.output}: no interrupted run to continue; give --overwrite")
    if interrupted:
        raise InputError(
            f"{plan.output}: contains an interrupted run; continue with --resume, or start again "
            "with --overwrite"
        )
    raise InputError(f"{plan.output}: exists already; choose another or give --overwrite")


def _is_used(plan: Plan) -> bool:
    return plan.folder.is_dir() and any(path != plan.work for path in plan.folder.iterdir())


def begin(
    plan: Plan, facts: Mapping[str, Any], made_key: str | None, *, overwrite: bool = False
) -> WorkFolder:
    """Create the work folder of a new run; a key that was made for the run is kept there."""
    plan.work.parent.mkdir(parents=True, exist_ok=True)
    plan.work.mkdir(mode=0o700, exist_ok=True)
    journal = Journal.open(plan.work, create=True)  # fails while another run is active there
    try:
        _check_still_free(plan, overwrite=overwrite)
        _clear(plan.work)
        for suffix in (".json", ".html"):
            plan.report(suffix).unlink(missing_ok=True)
        if made_key:
            write_key(plan.work / KEY, made_key)
        started = now()
        journal.begin({**facts, STARTED: started})
    except BaseException:
        journal.close()
        raise
    return WorkFolder(plan, journal, started)


def _check_still_free(plan: Plan, *, overwrite: bool) -> None:
    """Refuse an output that another run has written since the first check."""
    interrupted = _is_interrupted(plan)
    try:
        _check_free(plan, interrupted=interrupted, resume=False, overwrite=overwrite)
    except InputError:
        if not interrupted:
            shutil.rmtree(plan.work)  # made by this run
        raise


def _clear(work: Path) -> None:
    """Remove what an earlier run left in its work folder, except the journal file."""
    for path in work.iterdir():
        if is_folder(path):
            shutil.rmtree(path)
        elif path.name != NAME:
            path.unlink()


def resume_work(plan: Plan, facts: Mapping[str, Any], key: Key) -> WorkFolder:
    """Open the work folder of an interrupted run; raise an error if it cannot continue."""
    journal = Journal.open(plan.work)
    try:
        header = journal.header()
        if header is None:
            raise InputError(
                f"{plan.output}: the interrupted run had not started; start again with --overwrite"
            )
        _check_same(plan, header, facts)
        files = plan.files()
        start = journal.rewind(
            lambda entry: _can_resume(plan, entry), lambda entry: is_there(plan, key, entry, files)
        )
        if start.position:
            with contextlib.suppress(FileNotFoundError):  # nothing of it was written
                os.truncate(plan.part(start.position.path), start.position.size)
    except BaseException:
        journal.close()
        raise
    return WorkFolder(plan, journal, header[STARTED], start)


def kept_key(plan: Plan) -> Key:
    """The key that was made for an interrupted run."""
    file = plan.work / KEY
    if not file.is_file():
        raise InputError(
            f"{plan.output}: the interrupted run used your own key; give it with --key-file"
        )
    return Key.read(file)


def _check_same(plan: Plan, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to continue if the rest of the output would differ from an uninterrupted run."""
    if HASHES not in before:
        raise InputError(
            f"{plan.output}: the interrupted run used an earlier version of Veil; start again "
            "with --overwrite"
        )
    plain = json.loads(json.dumps(now))
    differing = [name for fact, name in _NAMES.items() if before.get(fact) != plain.get(fact)]
    if _NAMES["key"] in differing:  # with another key all keyed hashes differ
        differing = [name for name in differing if name not in (_NAMES["files"], _NAMES["input"])]
    if differing:
        raise InputError(
            f"{plan.output}: cannot continue, because this differs from the interrupted run: "
            f"{', '.join(differing)}; use the same, or start again with --overwrite"
        )


def _can_resume(plan: Plan, entry: BatchEntry) -> bool:
    position = entry.position
    if position is None:
        return True
    part = plan.part(position.path)
    if not position.resumable:
        return False
    size = part.stat().st_size if part.is_file() else 0
    return position.size <= size


def is_there(plan: Plan, key: Key, entry: BatchEntry, files: Iterator[PlannedFile]) -> bool:
    """Whether all finished files of the entry exist and were made from the current input.

    `files` are those of the plan that follow the earlier entries.
    """
    return all(
        done.path == file.path
        and _has_input(key, file, done.input)
        and _has_hash(plan.folder / done.path, done.output)
        for done, file in zip(entry.finished, files, strict=False)
    )


def _has_input(key: Key, file: PlannedFile, expected: str | None) -> bool:
    return expected is None or (
        file.source.is_file() and hash_input(key, file.path, file.source) == expected
    )


def _has_hash(path: Path, expected: str | None) -> bool:
    # After a power failure a file may exist without its bytes.
    return expected is None or (path.is_file() and hash_file(path) == expected)


def now() -> str:
    """The current time, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
