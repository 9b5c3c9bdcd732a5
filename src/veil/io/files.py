"""What the formats share: reading with clear errors, writing that can go on, ids that differ."""

from __future__ import annotations

import codecs
import contextlib
import os
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

from veil.core.errors import InputError, RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from veil.io.rewriting import Item

BOM = codecs.BOM_UTF8


class FileWriter:
    """Writes items whose payloads render themselves; `head` comes before the first one."""

    def __init__(self, target: Path, *, head: bytes = b"", resume: bool = False) -> None:
        self._file = target.open("ab" if resume else "wb")
        if self._file.tell() == 0:
            self._file.write(head)
        self.has_written = len(head) < self._file.tell()

    def write(self, item: Item, texts: Sequence[str]) -> None:
        self._file.write(encoded(item.payload.render(texts), item))
        self.has_written = True

    def flush(self) -> int:
        return settle(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


class _Buffered(Protocol):
    def flush(self) -> None: ...
    def fileno(self) -> int: ...
    def tell(self) -> int: ...


def settle(file: _Buffered) -> int:
    """Bring what was written to the disk; return the size."""
    file.flush()
    os.fsync(file.fileno())
    return file.tell()


def encoded(text: str, item: Item) -> bytes:
    """Encode as UTF-8; half a surrogate pair is an error of the item."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise RecordError(
            "half a surrogate pair, which no file can hold", record=item_name(item)
        ) from None


def item_name(item: Item) -> str | None:
    """The id of an item's first document."""
    return item.documents[0].id if item.documents else None


def has_surrogate(text: str) -> bool:
    """Whether a text holds half a surrogate pair, which is no character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def refuse_nul(data: bytes, file: Path, *, line: int | None = None, byte: int = 0) -> None:
    """Raise an error for NUL bytes: in UTF-16 every other may be one, and no name is found."""
    place = data.find(b"\0")
    if place >= 0:
        raise RecordError(
            "a NUL byte, which is no text; convert the file to UTF-8 first, for example with iconv",
            path=file,
            line=line,
            byte=byte + place,
        )


@contextlib.contextmanager
def reading(file: Path) -> Iterator[None]:
    """Say which file cannot be read, and why."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "it is damaged"  # pyarrow gives no reason for a damaged file
        raise InputError(f"{file}: cannot be read: {reason}") from None


def begins_with_bom(file: Path) -> bool:
    """Whether a file begins with the byte order mark of UTF-8."""
    with reading(file), file.open("rb") as source:
        return source.read(len(BOM)) == BOM


class Ids:
    """Gives documents ids that differ: one that came before gets its place added.

    Of every id eight bytes are kept, so that millions of them fit.
    """

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def claim(self, wanted: str, place: int) -> str:
        name = wanted
        while (digest := _digest(name)) in self._seen:
            name = f"{name}#{place}"
        self._seen.add(digest)
        return name


def _digest(name: str) -> bytes:
    # A file's name, and so an id made of it, may hold bytes that are no UTF-8.
    return blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
