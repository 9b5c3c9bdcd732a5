"""Writing a mapping: record by record, so that a run that was stopped can go on."""

from __future__ import annotations

import contextlib
import os
from typing import IO, TYPE_CHECKING, Self

from veil.core.errors import InputError
from veil.masking.mapping.entries import Entry
from veil.masking.mapping.sealed import CLOSING, ENTRY, LOG_N, MAGIC, OPENED, OPENING, Seal

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from veil.replace.base import Masked

_SHORTEST_PASSPHRASE = 12


class MappingWriter:
    """Appends what masking did to each record; what was added is in the file at once.

    A clean end of the context closes the mapping. After any other end it is not whole: it cannot be
    read, but `resume` goes on after its last whole entry, or begins it where there is none. `count`
    is the number of entries. A mapping is never overwritten: what it leads back to may be gone.
    """

    def __init__(
        self, path: Path, passphrase: str, *, resume: bool = False, log_n: int = LOG_N
    ) -> None:
        self.count = 0
        self._path = path
        self._file: IO[bytes]
        try:
            if resume and path.exists() and not _is_unopened(path):
                self._file = path.open("r+b")
                self._go_on(passphrase)
            else:
                self._file = self._begin(passphrase, log_n, resume=resume)
        except OSError as error:
            raise self._unwritable(error) from None

    def add(self, record_id: str, masked: Masked) -> None:
        """Append what leads from the masked text of a record back to its original."""
        self.count += 1
        self._write(
            self._seal.close_frame(ENTRY, self.count, Entry.of(record_id, masked).to_bytes())
        )

    def flush(self) -> int:
        """Make what was added outlast a failure of the machine; return the number of entries."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._unwritable(error) from None
        return self.count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._write(self._seal.close_frame(CLOSING, self.count + 1))
                self.flush()
        finally:
            with contextlib.suppress(OSError):  # said when it was written
                self._file.close()

    def _begin(self, passphrase: str, log_n: int, *, resume: bool) -> IO[bytes]:
        if len(passphrase) < _SHORTEST_PASSPHRASE:
            raise InputError(
                f"the passphrase of a mapping needs at least {_SHORTEST_PASSPHRASE} characters; "
                "several words are easy to keep in mind"
            )
        self._seal = Seal.new(passphrase, self._path, log_n=log_n)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if resume else os.O_EXCL)
        try:
            file = os.fdopen(os.open(self._path, flags, 0o600), "wb")
        except FileExistsError:
            raise InputError(
                f"{self._path}: exists already, and a mapping is never overwritten; choose "
                "another file, or go on with --resume"
            ) from None
        file.write(self._seal.header + self._seal.close_frame(OPENING, 0))
        file.flush()
        return file

    def _go_on(self, passphrase: str) -> None:
        """Find the last whole entry and cut off what follows: a torn one, or the closing frame."""
        try:
            self._seal = Seal.read(self._file, passphrase, self._path)
            end = OPENED
            for frame in self._seal.frames(self._file):
                if frame.kind == ENTRY:
                    self.count, end = frame.number, frame.end
            self._file.seek(end)
            self._file.truncate()
        except BaseException:
            self._file.close()
            raise

    def _write(self, data: bytes) -> None:
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"{self._path}: the mapping cannot be written: {error.strerror}")


def _is_unopened(path: Path) -> bool:
    """Whether a run was stopped before the first frame of a mapping was whole."""
    with path.open("rb") as file:
        start = file.read(OPENED)
    return len(start) < OPENED and start[: len(MAGIC)] == MAGIC[: len(start)]
