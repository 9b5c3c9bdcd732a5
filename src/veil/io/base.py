"""What every format shares: the protocol, how reading went, and files that are whole or absent."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Protocol

from veil.core.errors import InputError, RecordError
from veil.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Record


@dataclass
class ReadLog:
    """How reading went: the records that could not be read, and what was read with a remark.

    With `strict`, the first bad record ends the run. Without it the record is left out, and its
    name, place and reason are kept in `problems`. `skipped` are files of a folder that no format
    that was found in it reads. No text of a record goes in here.
    """

    strict: bool = False
    problems: list[RecordError] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    skipped: list[Path] = field(default_factory=list)

    def withhold(self, error: RecordError) -> None:
        if self.strict:
            raise error
        self.problems.append(error)

    def note(self, remark: str, count: int = 1) -> None:
        if count:
            self.notes[remark] += count


class Format(Protocol):
    """A way to keep annotated records in files."""

    @property
    def name(self) -> str:
        """What it is called, here and on the command line."""

    @property
    def about(self) -> str:
        """What it is, in a line."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of its files may end."""

    def sniff(self, path: Path) -> bool:
        """Whether a file (never a folder) looks like this format, from its first characters."""

    def files(self, path: Path) -> Iterator[Path]:
        """Yield the files of this format: the path itself, or those in the folder, sorted."""

    def read(self, path: Path, log: ReadLog) -> Iterator[Record]:
        """Yield the records of a file or folder one by one."""

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        """Write records to a file or folder, whole or not at all; return how many.

        A record that the format cannot hold is withheld by the log. Without one it is an error.
        """


FORMATS: Registry[Format] = Registry("format")


def read_text(path: Path) -> str:
    """Read a file as UTF-8, every character kept: no newline translated, no byte order mark cut."""
    try:
        return decode_text(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def decode_text(data: bytes, path: Path) -> str:
    """Decode UTF-8, or say which byte of which file is none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(
            "not UTF-8 here; convert the file to UTF-8 first, for example with iconv",
            path=path,
            byte=error.start,
        ) from None


def head(path: Path, size: int = 8192) -> str:
    """The first characters of a file, whatever it holds, to guess its format from."""
    with path.open("rb") as file:
        return file.read(size).decode("utf-8", errors="replace")


def files_below(path: Path, *suffixes: str) -> Iterator[Path]:
    """Yield the path itself if it is a file, else the files below it with one of the suffixes.

    Sorted by name, folder by folder, so that two machines read in the same order; hidden files and
    folders are left alone. A link to a folder is not followed, which might lead round in circles or
    into the output: it is yielded whatever its name, to be withheld by whoever would read it.
    """
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise InputError(f"{path}: {not_a_file(path) or 'no such file or folder'}")
    for folder, folders, names in os.walk(path, onerror=_refuse_folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = {name for name in folders if Path(folder, name).is_symlink()}
        for name in sorted([*names, *linked]):
            fits = name in linked or name.lower().endswith(suffixes)
            if fits and not name.startswith("."):
                yield Path(folder, name)


def hidden_below(path: Path) -> Iterator[Path]:
    """Yield the hidden files and folders that `files_below` leaves alone, in the same order."""
    if path.is_dir():
        for folder, folders, names in os.walk(path, onerror=_refuse_folder):
            yield from (
                Path(folder, name) for name in sorted([*folders, *names]) if name.startswith(".")
            )
            folders[:] = sorted(name for name in folders if not name.startswith("."))


def not_a_file(path: Path) -> str:
    """Why a path that is there is no file with records in it, or nothing; a pipe may never end."""
    if path.is_dir():
        if not path.is_symlink():
            return "a folder, no file"
        return "a link to a folder, which is not followed; name the folder itself as input"
    if path.exists() and not path.is_file():
        return "no regular file but a pipe, socket or device; write its records to a file first"
    return ""


def check_is_file(path: Path) -> None:
    """Withhold what is there but is no file, before anybody waits for its end."""
    reason = not_a_file(path)
    if reason:
        raise RecordError(reason, path=path)


def _refuse_folder(error: OSError) -> None:
    # os.walk would pass over it, and nobody would miss the records in it.
    raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None


def record_id(file: Path, root: Path) -> str:
    """The id of a record that has a file to itself: its path below the root, without the suffix.

    Bytes of a name that are no UTF-8 are written as escapes such as `\\xe5`.
    """
    relative = file.relative_to(root) if file != root else Path(file.name)
    return os.fsencode(relative.with_suffix("").as_posix()).decode("utf-8", "backslashreplace")


def record_file(root: Path, record: str, suffix: str) -> Path:
    """The file below `root` for a record id; an id that would lead elsewhere is an error."""
    pure = PurePosixPath(record)
    parts = pure.parts
    # "a//b" and "./a" would share the file of "a/b" and "a"; hidden files are not read again.
    unsafe = pure.is_absolute() or pure.as_posix() != record or "\0" in record
    if unsafe or not parts or any(part.startswith(".") for part in parts):
        raise RecordError(
            "this id cannot name a file; give the record an id of letters, digits, '-', '_' or '/'",
            record=record,
        )
    return root.joinpath(*parts[:-1], parts[-1] + suffix)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears under its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".veil-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)  # noqa: PTH101 - mkstemp makes private files
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)  # noqa: PTH108
        raise


class FolderWriter:
    """Writes one file a record below a folder; each is whole, and no id is written twice."""

    def __init__(self, root: Path) -> None:
        if root.exists() and not root.is_dir():
            raise InputError(f"{root}: is a file; this format writes a folder")
        self.root = root
        self._seen: set[str] = set()

    def claim(self, record: str, suffix: str) -> Path:
        """The file for a new record."""
        if record in self._seen:
            raise RecordError("this id comes twice; ids must differ", record=record)
        self._seen.add(record)
        return record_file(self.root, record, suffix)
