"""The journal of a run: what each batch added, and the work folder from which a run can continue.

The journal is a file in the work folder of the output, with one JSON object in each line. Whatever
ends a run, the complete lines say where it can continue. It contains names of files and records,
labels, offsets and numbers, and no text of a record.
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
MOST_DOUBTFUL = 200


class Found(NamedTuple):
    """What is counted of a span: its label, what was done with it, who found it and where."""

    label: str
    action: str
    source: str
    language: str


class Doubtful(NamedTuple):
    """A span that its finder was not sure of; the offsets are those of the output's text."""

    score: float
    place: str
    record: str
    start: int
    end: int
    label: str


class Withheld(NamedTuple):
    """A record that is not in the output and why, or a whole file (no record).

    `place` is the file of the input, in which something may have to be mended.
    """

    place: str
    record: str | None
    reason: str


class Finished(NamedTuple):
    """A file that is done: keyed hash of input, hash of output, size of the output, items in it."""

    place: str
    input: str | None
    output: str | None
    size: int
    items: int


class Position(NamedTuple):
    """How far the file that is being written has come; `size` is what of it is certain."""

    place: str
    resumable: bool
    items: int
    written: int
    withheld: int
    size: int


@dataclass
class Tally:
    """Sums over records."""

    records: int = 0
    characters: int = 0
    known: int = 0
    withheld: int = 0
    withheld_files: int = 0
    doubtful: int = 0
    spans: Counter[Found] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    lowest: list[Doubtful] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.records += other.records
        self.characters += other.characters
        self.known += other.known
        self.withheld += other.withheld
        self.withheld_files += other.withheld_files
        self.doubtful += other.doubtful
        self.spans.update(other.spans)
        self.languages.update(other.languages)
        self._drop_doubtful(other.withdrawn)
        self.add_doubtful(other.lowest)

    def withdraw(self, place: str, counted: Tally) -> None:
        """Take back what earlier sums counted of a file that is withheld after all.

        This one may fall below nothing; together they do not.
        """
        self.records -= counted.records
        self.characters -= counted.characters
        self.known -= counted.known
        self.doubtful -= counted.doubtful
        self.spans.subtract(counted.spans)
        self.languages.subtract(counted.languages)
        self.withdrawn.append(place)
        self._drop_doubtful([place])

    def _drop_doubtful(self, places: list[str]) -> None:
        if places:
            self.lowest = [each for each in self.lowest if each.place not in places]

    def add_doubtful(self, spans: list[Doubtful]) -> None:
        """Keep the lowest scores; of equal ones the first by place."""
        if spans:
            self.lowest = heapq.nsmallest(MOST_DOUBTFUL, [*self.lowest, *spans])

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
            "records": self.records,
            "characters": self.characters,
            "known": self.known,
            "withheld": self.withheld,
            "withheld_files": self.withheld_files,
            "doubtful": self.doubtful,
            "spans": [[*found, count] for found, count in sorted(self.spans.items())],
            "languages": dict(sorted(self.languages.items())),
            "lowest": self.lowest,
            "withdrawn": self.withdrawn,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Tally:
        return cls(
            **{
                **data,
                "spans": Counter({Found(*found): count for *found, count in data["spans"]}),
                "languages": Counter(data["languages"]),
                "lowest": [Doubtful(*each) for each in data["lowest"]],
            }
        )


@dataclass
class Entry:
    """What a batch added to a run: the journal holds one after the other."""

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
        return {
            "tally": self.tally.to_data(),
            "finished": self.finished,
            "withheld": self.withheld,
            "position": self.position,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Entry:
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
    """Where a run begins or goes on: after so many files, and inside the next one."""

    files: int = 0
    position: Position | None = None
    tally: Tally = field(default_factory=Tally)


class Journal:
    """A journal that this process alone may write."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self.path = path

    @classmethod
    def open(cls, folder: Path, *, create: bool = False) -> Journal:
        """Open the journal of a folder, if there is one or it may be created."""
        path = folder / NAME
        return cls(_locked(path, create=create), path)

    def begin(self, header: Mapping[str, Any]) -> None:
        """Begin anew, with the settings of the run."""
        self._file.truncate(0)
        self._write(dict(header))

    def header(self) -> dict[str, Any] | None:
        """The settings of the run, or None if not even they were written."""
        for data, _ in self._lines():
            if not isinstance(data, dict) or not isinstance(data.get(STARTED), str):
                raise self._damaged(1)
            return data
        return None

    def entries(self) -> Iterator[Entry]:
        """Yield what each batch added."""
        return (entry for entry, _ in self._entries())

    def _entries(self) -> Iterator[tuple[Entry, int]]:
        for number, (data, end) in enumerate(islice(self._lines(), 1, None), start=2):
            try:
                entry = Entry.from_data(data)
            except (TypeError, KeyError, ValueError, AttributeError):
                raise self._damaged(number) from None
            yield entry, end

    def _damaged(self, line: int) -> InputError:
        return InputError(f"{self.path}: line {line} is damaged; begin anew with --overwrite")

    def rewind(
        self, can_go_on: Callable[[Entry], bool], is_there: Callable[[Entry], bool]
    ) -> Start:
        """Forget what came after the last entry from which the run can go on; return that place.

        Of an entry whose finished files are not all there, and of those after it, nothing is kept.
        """
        _, kept = next(self._lines())
        good = 0
        for count, (entry, end) in enumerate(self._entries(), start=1):
            if not is_there(entry):
                break
            if can_go_on(entry):
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
        """Whether the file still has its name: who removes the work folder ends the run."""
        with contextlib.suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        return False

    def append(self, entry: Entry) -> None:
        """Write down what a batch added, for good."""
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
        """Yield the content of each whole line, and where it ends."""
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return
                try:
                    data = json.loads(line)
                except ValueError:  # a disk that ran full or lost its power
                    return
                yield data, file.tell()


def _locked(path: Path, *, create: bool) -> IO[bytes]:
    # Not through a link, which may lead to anything.
    flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | (os.O_CREAT if create else 0)
    try:
        file = os.fdopen(os.open(path, flags, 0o600), "r+b")
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Else it is the journal of a run that has just ended and removed it.
        is_free = os.path.samestat(os.fstat(file.fileno()), path.stat())
    except (BlockingIOError, FileNotFoundError):
        is_free = False
    if not is_free:
        file.close()
        raise InputError(f"{path.parent}: another run is at work there")
    return cast("IO[bytes]", file)


KEY = "key"
# What the facts of a run are called where two runs differ.
_NAMES = {
    "veil": "Veil's version",
    "policy": "the policy",
    "detection": "the options of detection",
    "models": "the models",
    "rules": "Veil's rules",
    "files": "the table of known patients or the own rules",
    "rescan": "--no-rescan",
    "columns": "the columns",
    "key": "the key",
    "mapping": "--mapping",
    "input": "the input",
}


@dataclass
class Work:
    """The work folder of a run that may begin: its journal, and where it starts."""

    plan: Plan
    journal: Journal
    started: str
    start: Start = field(default_factory=Start)

    def remove(self) -> None:
        """Leave nothing of the run but its output and report."""
        shutil.rmtree(self.plan.work)
        self.journal.close()  # until now no other run may begin there


def check_output(plan: Plan, *, resume: bool, overwrite: bool) -> bool:
    """Whether a run is to be taken up; refuse an output that is there already, or being made."""
    interrupted = _is_interrupted(plan)
    if interrupted:
        Journal.open(plan.work).close()  # refuses while another run is at work there
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
        raise InputError(f"{plan.output}: no interrupted run to go on with; give --overwrite")
    if interrupted:
        raise InputError(
            f"{plan.output}: holds an interrupted run; go on with --resume, or begin anew with "
            "--overwrite"
        )
    raise InputError(f"{plan.output}: exists already; choose another or give --overwrite")


def _is_used(plan: Plan) -> bool:
    return plan.folder.is_dir() and any(path != plan.work for path in plan.folder.iterdir())


def begin(
    plan: Plan, facts: Mapping[str, Any], made_key: str | None, *, overwrite: bool = False
) -> Work:
    """Make the work folder of a new run; a key that was made for it is kept there until its end."""
    plan.work.parent.mkdir(parents=True, exist_ok=True)
    plan.work.mkdir(mode=0o700, exist_ok=True)
    journal = Journal.open(plan.work, create=True)  # refuses while another run is at work there
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
    return Work(plan, journal, started)


def _check_still_free(plan: Plan, *, overwrite: bool) -> None:
    """Refuse an output that another run has filled since this one looked."""
    interrupted = _is_interrupted(plan)
    try:
        _check_free(plan, interrupted=interrupted, resume=False, overwrite=overwrite)
    except InputError:
        if not interrupted:
            shutil.rmtree(plan.work)  # made by this run
        raise


def _clear(work: Path) -> None:
    """Remove what an earlier run left in its work folder; the journal is written anew."""
    for path in work.iterdir():
        if is_folder(path):
            shutil.rmtree(path)
        elif path.name != NAME:
            path.unlink()


def take_up(plan: Plan, facts: Mapping[str, Any], key: Key) -> Work:
    """Open the work folder of an interrupted run, or say why it cannot go on."""
    journal = Journal.open(plan.work)
    try:
        header = journal.header()
        if header is None:
            raise InputError(
                f"{plan.output}: the interrupted run had not begun; begin anew with --overwrite"
            )
        _check_same(plan, header, facts)
        files = plan.files()
        start = journal.rewind(
            lambda entry: _can_go_on(plan, entry), lambda entry: _is_there(plan, key, entry, files)
        )
        if start.position:
            with contextlib.suppress(FileNotFoundError):  # nothing of it was written
                os.truncate(plan.part(start.position.place), start.position.size)
    except BaseException:
        journal.close()
        raise
    return Work(plan, journal, header[STARTED], start)


def kept_key(plan: Plan) -> Key:
    """The key that was made for an interrupted run."""
    file = plan.work / KEY
    if not file.is_file():
        raise InputError(
            f"{plan.output}: the interrupted run had a key of yours; give it with --key-file"
        )
    return Key.read(file)


def _check_same(plan: Plan, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on where the rest of the output would not fit what is there."""
    if HASHES not in before:
        raise InputError(
            f"{plan.output}: the interrupted run is of an earlier version of Veil; begin anew with "
            "--overwrite"
        )
    plain = json.loads(json.dumps(now))
    differing = [name for fact, name in _NAMES.items() if before.get(fact) != plain.get(fact)]
    if _NAMES["key"] in differing:  # with another key all keyed hashes differ
        differing = [name for name in differing if name not in (_NAMES["files"], _NAMES["input"])]
    if differing:
        raise InputError(
            f"{plan.output}: cannot go on, since this differs from the interrupted run: "
            f"{', '.join(differing)}; give the same, or begin anew with --overwrite"
        )


def _can_go_on(plan: Plan, entry: Entry) -> bool:
    position = entry.position
    if position is None:
        return True
    part = plan.part(position.place)
    if not position.resumable:
        return False
    size = part.stat().st_size if part.is_file() else 0
    return position.size <= size


def _is_there(plan: Plan, key: Key, entry: Entry, files: Iterator[PlannedFile]) -> bool:
    """Whether all files that the entry calls finished are in their places, made of what is there.

    `files` are those of the plan that come after the entries before.
    """
    return all(
        done.place == file.place
        and _has_input(key, file, done.input)
        and _has_hash(plan.folder / done.place, done.output)
        for done, file in zip(entry.finished, files, strict=False)
    )


def _has_input(key: Key, file: PlannedFile, expected: str | None) -> bool:
    return expected is None or (
        file.source.is_file() and hash_input(key, file.place, file.source) == expected
    )


def _has_hash(path: Path, expected: str | None) -> bool:
    # A machine that lost its power may have the name of a file and not its bytes.
    return expected is None or (path.is_file() and hash_file(path) == expected)


def now() -> str:
    """The time of the clock, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
