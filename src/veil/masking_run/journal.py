"""The journal of a run: its settings, and after each batch what is done for good.

It lies in the work folder of the output, one JSON object a line, and holds no text of a record.
Whatever ends a run, the lines that are whole say from where it can go on.
"""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, cast

from veil.core.errors import InputError
from veil.masking_run.tally import Entry, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from veil.masking_run.tally import Position

NAME = "journal.jsonl"


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
    def create(cls, folder: Path, header: Mapping[str, Any]) -> Journal:
        """Begin a journal in a folder."""
        path = folder / NAME
        journal = cls(_locked(path, "x+b"), path)
        journal._write(dict(header))
        return journal

    @classmethod
    def reopen(cls, folder: Path) -> Journal:
        """Open the journal of a run that was interrupted."""
        path = folder / NAME
        return cls(_locked(path, "r+b"), path)

    def header(self) -> dict[str, Any] | None:
        """The settings of the run, or None if not even they were written."""
        for data, _ in self._lines():
            return data
        return None

    def entries(self) -> Iterator[Entry]:
        """Yield what each batch added."""
        lines = self._lines()
        next(lines, None)
        for data, _ in lines:
            yield Entry.from_data(data)

    def rewind(
        self, can_go_on: Callable[[Entry], bool], is_there: Callable[[Entry], bool]
    ) -> Start:
        """Forget what came after the last entry from which the run can go on; return that place.

        Of an entry whose finished files are not all there, and of those after it, nothing is kept.
        """
        lines = self._lines()
        _, kept = next(lines)
        good = 0
        for count, (data, end) in enumerate(lines, start=1):
            entry = Entry.from_data(data)
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

    def append(self, entry: Entry) -> None:
        """Write down what a batch added, for good."""
        self._write(entry.to_data())

    def close(self) -> None:
        self._file.close()

    def _write(self, data: Mapping[str, Any]) -> None:
        line = json.dumps(data, separators=(",", ":")) + "\n"
        self._file.write(line.encode("ascii"))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lines(self) -> Iterator[tuple[dict[str, Any], int]]:
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


def _locked(path: Path, mode: str) -> IO[bytes]:
    file = path.open(mode)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(f"{path.parent}: another run is at work there") from None
    return cast("IO[bytes]", file)
