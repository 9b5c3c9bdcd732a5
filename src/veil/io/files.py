"""Files: listing them, decoding them with clear errors, and writing them completely."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import tempfile
import threading
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple

from veil.core.encodings import AUTO, UTF8, as_utf8, decode, guess_wide, opened
from veil.core.errors import InputError, RecordError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MARK = "\ufeff"
"""The byte order mark as a character."""
BOM = codecs.BOM_UTF8
_CHUNK = 1 << 18
# A longer record is probably not closed, or an attack on memory.
_LONGEST_PIECE = 1 << 27


def files_below(path: Path, *suffixes: str) -> Iterator[Path]:
    """Yield the path itself if it is a file, else the files below it with one of the suffixes.

    Files are sorted by name, folder by folder, so that every machine reads in the same order.
    Hidden files and folders are skipped. A link to a folder is not followed, since it could form a
    cycle or lead into the output; it is yielded whatever its name, so that the reader can withhold
    it.
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
            is_wanted = name in linked or name.lower().endswith(suffixes)
            if is_wanted and not name.startswith("."):
                yield Path(folder, name)


def hidden_below(path: Path) -> Iterator[Path]:
    """Yield the hidden files and folders that `files_below` skips, in the same order."""
    if path.is_dir():
        for folder, folders, names in os.walk(path, onerror=_refuse_folder):
            yield from (
                Path(folder, name) for name in sorted([*folders, *names]) if name.startswith(".")
            )
            folders[:] = sorted(name for name in folders if not name.startswith("."))


def _refuse_folder(error: OSError) -> None:
    # os.walk would skip it, and its records would be lost without notice.
    raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None


def not_a_file(path: Path) -> str:
    """Return why a path is not a file with records, or "" if it is; a pipe may never end."""
    if path.is_dir():
        if not path.is_symlink():
            return "a folder, not a file"
        return "a link to a folder, which is not followed; name the folder itself as input"
    if path.exists() and not path.is_file():
        return "a pipe, socket or device, not a regular file; write its records to a file first"
    return ""


def check_is_file(path: Path) -> None:
    """Raise an error for a path that exists but is not a file."""
    reason = not_a_file(path)
    if reason:
        raise RecordError(reason, path=path)


def file_id(file: Path, root: Path) -> str:
    """Return the id of a file: its path below the root without the suffix.

    It is the id of a record if the file has only one. Bytes of a name that are not UTF-8 are
    written as escapes such as `\\xe5`.
    """
    relative = file.relative_to(root) if file != root else Path(file.name)
    return os.fsencode(relative.with_suffix("").as_posix()).decode("utf-8", "backslashreplace")


class Ids:
    """Makes the ids of documents in a file unique: the line number is added to a duplicate id.

    Only eight bytes of each id are kept, so that millions of ids fit into memory.
    """

    def __init__(self, seen: Iterable[bytes] = ()) -> None:
        self._seen = set(seen)

    def claim(self, wanted: str, line: int) -> str:
        name = wanted
        while self.is_seen(digest := _digest(name)):
            name = f"{name}#{line}"
        self._seen.add(digest)
        return name

    def is_seen(self, digest: bytes) -> bool:
        return digest in self._seen


def _digest(name: str) -> bytes:
    # File names, and ids made from them, may contain bytes that are not UTF-8.
    return blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()


@contextlib.contextmanager
def reading(file: Path) -> Iterator[None]:
    """Convert system errors into errors that name the file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "it is damaged"  # pyarrow gives no reason for a damaged file
        raise InputError(f"{file}: cannot be read: {reason}") from None


def head(path: Path, size: int = 8192) -> str:
    """Return the first characters of any file, to detect its format."""
    return start_of(path, size).decode("utf-8", errors="replace")


def start_of(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, at most `LONGEST_START`; UTF-16 is returned as UTF-8."""
    if path != _kept.path:
        return _read_start(path, size)
    if _kept.start is None:
        _kept.start = _read_start(path, LONGEST_START)
    return _kept.start[:size]


_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


def is_office_file(path: Path, suffixes: Collection[str], part: bytes) -> bool:
    """Whether a file is a zip package with this folder, or may be one by its suffix.

    An encrypted package is not a zip archive; its reader reports what to do.
    """
    start = start_of(path, LONGEST_START)
    if path.suffix.lower() in suffixes:
        return start.startswith((_ZIP, _OLE))
    return start.startswith(_ZIP) and part in start and b"[Content_Types].xml" in start


@contextlib.contextmanager
def one_start(path: Path) -> Iterator[None]:
    """Read the start of a file only once for all formats."""
    _kept.path = path
    try:
        yield
    finally:
        _kept.path = _kept.start = None


LONGEST_START = 1 << 16


class _KeptStart(threading.local):
    path: Path | None = None
    start: bytes | None = None


_kept = _KeptStart()


def _read_start(path: Path, size: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        start = file.read(size)
    wide = guess_wide(start)
    return start if wide == UTF8 else as_utf8(io.BytesIO(start), wide).read()


def refuse_nul(data: bytes, path: Path, *, line: int | None = None, byte: int = 0) -> None:
    """Raise an error for NUL bytes: they suggest UTF-16, in which no name would be found."""
    offset = data.find(b"\0")
    if offset >= 0:
        raise RecordError(
            f"a NUL byte, which is not text; if this is UTF-16, give --encoding {AUTO}",
            path=path,
            line=line,
            byte=byte + offset,
        )


def bom_of(file: Path, encoding: str = UTF8) -> bytes:
    """Return the byte order mark of a file as UTF-8, or nothing."""
    with reading(file), opened(file, encoding) as source:
        return BOM if source.read(len(BOM)) == BOM else b""


def has_surrogate(text: str) -> bool:
    """Whether a text contains a lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


class TextPiece(NamedTuple):
    """A part of a file, with the line and byte where it begins."""

    data: bytes
    line: int
    byte: int
    closed: bool = True
    encoding: str = UTF8

    def decode(self, path: Path) -> str:
        """Decode the piece, without a byte order mark at the start of the file."""
        text = decode(self.data, path, line=self.line, byte=self.byte, encoding=self.encoding)
        return text.removeprefix(MARK) if self.byte == 0 else text


def lines(path: Path, encoding: str = UTF8, *, line: int = 1, byte: int = 0) -> Iterator[TextPiece]:
    """Yield the lines of a file with their line feeds; nothing else ends a line.

    `line` is the number of the first one, which begins at `byte`.
    """
    with opened(path, encoding, start=byte) as file:
        for number, data in enumerate(file, start=line):
            yield TextPiece(data, number, byte, encoding=encoding)
            byte += len(data)


def pieces(path: Path, delimiter: bytes, encoding: str = UTF8) -> Iterator[TextPiece]:
    """Yield the pieces that end with the delimiter, then the rest as an unclosed piece."""
    buffer = bytearray()
    line, byte, searched = 1, 0, 0
    with opened(path, encoding) as file:
        while chunk := file.read(_CHUNK):
            buffer += chunk
            while (found := buffer.find(delimiter, searched)) >= 0:
                end = found + len(delimiter)
                data = bytes(buffer[:end])
                del buffer[:end]
                yield TextPiece(data, line, byte, encoding=encoding)
                line += data.count(b"\n")
                byte += end
                searched = 0
            searched = max(0, len(buffer) - len(delimiter) + 1)
            if len(buffer) > _LONGEST_PIECE:
                raise RecordError(
                    f"no {delimiter.decode()} within {_LONGEST_PIECE} bytes; close the record, "
                    "or split the file",
                    path=path,
                    line=line,
                )
    if buffer:
        yield TextPiece(bytes(buffer), line, byte, closed=False, encoding=encoding)


def settle(file: IO[bytes]) -> int:
    """Flush the file to the disk; return its size."""
    file.flush()
    os.fsync(file.fileno())
    return file.tell()


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that gets its final name only when it is complete."""
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
    """Assigns a file below a folder to each record; a duplicate id is an error."""

    def __init__(self, root: Path) -> None:
        if root.exists() and not root.is_dir():
            raise InputError(f"{root}: is a file; this format needs a folder")
        self.root = root
        self._seen: set[str] = set()

    def claim(self, record: str, suffix: str) -> Path:
        """Return the file for a new record; an id that leads outside the folder is an error."""
        if record in self._seen:
            raise RecordError("duplicate id; ids must be unique", record=record)
        self._seen.add(record)
        path = PurePosixPath(record)
        parts = path.parts
        # "a//b" and "./a" would use the files of "a/b" and "a"; hidden files would not be read.
        is_unsafe = path.is_absolute() or path.as_posix() != record or "\0" in record
        if is_unsafe or not parts or any(part.startswith(".") for part in parts):
            raise RecordError(
                "this id cannot be a file name; give the record an id of letters, digits, '-', '_' "
                "or '/'",
                record=record,
            )
        return self.root.joinpath(*parts[:-1], parts[-1] + suffix)
