"""The journal of a run: its settings, and after each batch what is done for good.

It lies in the work folder of the output, one JSON object a line, and holds no text of a record.
Whatever ends a run, the lines that are whole say from where it can go on.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, cast

from veil.core.errors import InputError
from veil.masking.tally import Entry, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from veil.masking.tally import Position

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
