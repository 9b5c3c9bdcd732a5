"""Mappings: an encrypted file that leads from masked texts back to their originals.

    header  magic, version, cost of scrypt (log2 N, r, p), salt
    frame   kind, length, check of these two; nonce, encrypted payload, tag

The key comes from the passphrase by scrypt (RFC 7914); each frame is sealed with AES-256-GCM.
Header, kind and number of a frame are authenticated with it, so that no frame can be changed, left
out, moved or taken from another file unnoticed. Frame 0 is empty and distinguishes a wrong
passphrase from damage. A closing frame ends the file and distinguishes a complete file from a
truncated one.

Nonces are random. A counter would use a nonce twice, with different payloads, if a truncated frame
is written again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import struct
import unicodedata
import zlib
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import IO, TYPE_CHECKING, NamedTuple, Self

from veil.core.document import ESCAPES
from veil.core.errors import InputError, RecordError, require
from veil.replace.base import Edit, undo_edits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

    from veil.replace.base import Masked


MAGIC = b"VEILMAP\n"
OPENING, ENTRY, CLOSING = b"O", b"E", b"C"
LOG_N = 17
"""The cost of deriving the key: 2**17 rounds, 128 MiB and about a third of a second."""

_VERSION = 1
_R, _P = 8, 1
_SALT = 16
_KEY = 32
_NONCE = 12
_TAG = 16
_HEADER = struct.Struct(f">8sBBBB{_SALT}s")
_HEAD = struct.Struct(">cII")
_COUNT = struct.Struct(">Q")
OPENED = _HEADER.size + _HEAD.size + _NONCE + _TAG
"""The size of a file without entries."""

# A damaged header must not request too much memory.
_HIGHEST_LOG_N = 20
_HIGHEST_R, _HIGHEST_P = 8, 16


@dataclass(frozen=True, slots=True)
class Frame:
    """A decrypted frame and its offsets in the file."""

    kind: bytes
    number: int
    start: int
    end: int
    payload: bytes = field(repr=False)


class Seal:
    """Encrypts and decrypts the frames of one file."""

    def __init__(self, header: bytes, passphrase: str, path: Path) -> None:
        self.header = header
        self._path = path
        self._cipher = require(
            "cryptography.hazmat.primitives.ciphers.aead", extra="mapping"
        ).AESGCM(_derive_key(header, passphrase, path))
        self._wrong = require("cryptography.exceptions", extra="mapping").InvalidTag

    @classmethod
    def new(cls, passphrase: str, path: Path, *, log_n: int = LOG_N) -> Seal:
        """A seal for a new file, with a new salt."""
        header = _HEADER.pack(MAGIC, _VERSION, log_n, _R, _P, secrets.token_bytes(_SALT))
        return cls(header, passphrase, path)

    @classmethod
    def read(cls, file: IO[bytes], passphrase: str, path: Path) -> Seal:
        """The seal of a file, if the passphrase is right; the file is then at frame 1."""
        header = file.read(_HEADER.size)
        if not header.startswith(MAGIC):
            raise InputError(f"{path}: is not a mapping of Veil")
        seal = cls(header, passphrase, path)
        try:
            opening = seal.next_frame(file, 0)
        except InputError:
            raise InputError(
                f"{path}: wrong passphrase, or the file is damaged at its start"
            ) from None
        if opening is None:
            raise _cut_off(path)
        return seal

    def close_frame(self, kind: bytes, number: int, payload: bytes = b"") -> bytes:
        """The bytes of a frame."""
        nonce = secrets.token_bytes(_NONCE)
        sealed: bytes = nonce + self._cipher.encrypt(nonce, payload, self._bound(kind, number))
        return _HEAD.pack(kind, len(sealed), _check(kind, len(sealed))) + sealed

    def next_frame(self, file: IO[bytes], number: int) -> Frame | None:
        """Read and decrypt a frame; None at the end of the file, even within a frame."""
        start = file.tell()
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        kind, length, check = _HEAD.unpack(head)
        # With a damaged length, the rest of the file would seem to be missing.
        if check != _check(kind, length) or length < _NONCE + _TAG:
            raise self.damaged(number)
        end = start + _HEAD.size + length
        if os.fstat(file.fileno()).st_size < end:
            return None
        sealed = file.read(length)
        try:
            payload = self._cipher.decrypt(
                sealed[:_NONCE], sealed[_NONCE:], self._bound(kind, number)
            )
        except self._wrong:
            raise self.damaged(number) from None
        return Frame(kind, number, start, end, payload)

    def frames(self, file: IO[bytes]) -> Iterator[Frame]:
        """Yield the complete frames after the opening one; nothing may follow a closing one."""
        number = 1
        while (frame := self.next_frame(file, number)) is not None:
            if frame.kind == CLOSING and file.read(1):
                raise self.damaged(number)
            yield frame
            number += 1

    def damaged(self, number: int) -> InputError:
        return InputError(
            f"{self._path}: damaged at entry {number}: it was changed, moved or removed; "
            "use an undamaged copy"
        )

    def _bound(self, kind: bytes, number: int) -> bytes:
        """The data that is authenticated with a payload."""
        return self.header + kind + _COUNT.pack(number)


def _cut_off(path: Path) -> InputError:
    return InputError(f"{path}: truncated in its first bytes; use a complete copy")


def _check(kind: bytes, length: int) -> int:
    return zlib.crc32(kind + _COUNT.pack(length))


def _derive_key(header: bytes, passphrase: str, path: Path) -> bytes:
    if len(header) < _HEADER.size:
        raise _cut_off(path)
    _, version, log_n, r, p, salt = _HEADER.unpack(header)
    if version != _VERSION:
        raise InputError(f"{path}: a mapping of version {version}; this Veil reads {_VERSION}")
    if not (1 <= log_n <= _HIGHEST_LOG_N and 1 <= r <= _HIGHEST_R and 1 <= p <= _HIGHEST_P):
        raise InputError(f"{path}: damaged in its first bytes; use an undamaged copy")
    scrypt = require("cryptography.hazmat.primitives.kdf.scrypt", extra="mapping").Scrypt
    # Depending on the keyboard, é may be typed as one character or as e with an accent.
    secret = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    key: bytes = scrypt(salt=salt, length=_KEY, n=1 << log_n, r=r, p=p).derive(secret)
    return key


# The size of a frame is visible without the passphrase. Padding hides the lengths of names.
_STEP = 256


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit without its new text, which has `new_length` characters in the masked text."""

    start: int
    old: str = field(repr=False)
    new_length: int
    label: str
    action: str


@dataclass(frozen=True, slots=True)
class MappingEntry:
    """The id of a record, the SHA-256 of its masked text, and its edits.

    `escapes` are the escapes of the original JSON string, if they are needed.
    """

    record: str
    digest: str
    edits: tuple[Placed, ...]
    escapes: Mapping[str, str] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, record: str, masked: Masked) -> MappingEntry:
        edits = tuple(
            Placed(edit.start, edit.old, len(edit.new), edit.label, edit.action)
            for edit in masked.edits
        )
        escapes = masked.document.meta.get(ESCAPES)
        return cls(record, digest(masked.document.text), edits, escapes)

    @classmethod
    def from_bytes(cls, data: bytes) -> MappingEntry:
        record, digest, edits, *escapes = json.loads(data.decode("utf-8", "surrogatepass"))
        return cls(record, digest, tuple(Placed(*edit) for edit in edits), *escapes)

    def to_bytes(self) -> bytes:
        edits = [
            (edit.start, edit.old, edit.new_length, edit.label, edit.action) for edit in self.edits
        ]
        # Without \u escapes, which would join two separate halves of a surrogate pair.
        escapes = () if self.escapes is None else (self.escapes,)
        text = json.dumps((self.record, self.digest, edits, *escapes), ensure_ascii=False)
        data = text.encode("utf-8", "surrogatepass")
        return data + b" " * (-len(data) % _STEP)

    def original(self, text: str) -> str:
        """The original of the masked text."""
        edits = []
        shift = 0
        for each in self.edits:
            start, end = each.start, each.start + len(each.old)
            new = text[start + shift : start + shift + each.new_length]
            edits.append(Edit(start, end, each.old, new, each.label, each.action))
            shift += len(new) - len(each.old)
        return undo_edits(text, edits)


def digest(text: str) -> str:
    """The hash that identifies a masked text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_SHORTEST_PASSPHRASE = 12


class MappingWriter:
    """Appends the edits of each record; each entry is written to the file at once.

    A normal end of the context closes the mapping. After any other end it is incomplete and cannot
    be read, but `resume` continues after its last complete entry. `count` is the number of entries.
    A mapping is never overwritten, since the originals may exist nowhere else.
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
                self._resume(passphrase)
            else:
                self._file = self._begin(passphrase, log_n, resume=resume)
        except OSError as error:
            raise self._unwritable(error) from None

    def add(self, record_id: str, masked: Masked) -> None:
        """Append the edits of a record."""
        self.count += 1
        self._write(
            self._seal.close_frame(ENTRY, self.count, MappingEntry.of(record_id, masked).to_bytes())
        )

    def flush(self) -> int:
        """Flush all entries to disk; return their number."""
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
            with contextlib.suppress(OSError):  # reported when it was written
                self._file.close()

    def _begin(self, passphrase: str, log_n: int, *, resume: bool) -> IO[bytes]:
        if len(passphrase) < _SHORTEST_PASSPHRASE:
            raise InputError(
                f"the passphrase of a mapping needs at least {_SHORTEST_PASSPHRASE} characters; "
                "several words are easy to remember"
            )
        self._seal = Seal.new(passphrase, self._path, log_n=log_n)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if resume else os.O_EXCL)
        try:
            file = os.fdopen(os.open(self._path, flags, 0o600), "wb")
        except FileExistsError:
            raise InputError(
                f"{self._path}: exists already, and a mapping is never overwritten; choose "
                "another file, or continue with --resume"
            ) from None
        file.write(self._seal.header + self._seal.close_frame(OPENING, 0))
        file.flush()
        return file

    def _resume(self, passphrase: str) -> None:
        """Remove what follows the last complete entry: a partial entry, or the closing frame."""
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
    """Whether a run was stopped before the first frame of a mapping was complete."""
    with path.open("rb") as file:
        start = file.read(OPENED)
    return len(start) < OPENED and start[: len(MAGIC)] == MAGIC[: len(start)]


class _Location(NamedTuple):
    """The offset and number of an entry, and a hash of its edits."""

    start: int
    number: int
    edits: int


class MappingReader:
    """A complete mapping, opened with its passphrase; `count` is the number of its entries.

    The whole file is checked when it is opened. The memory contains offsets of entries by hashes of
    masked texts and ids, but no text.
    """

    def __init__(self, path: Path, passphrase: str) -> None:
        self.count = 0
        self._path = path
        # None where the edits of several entries differ.
        self._by_text: dict[bytes, _Location | None] = {}
        self._by_record: dict[bytes, _Location | None] = {}
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        try:
            self._seal = Seal.read(self._file, passphrase, path)
            for frame, entry in self._entries():
                self.count += 1
                location = _Location(frame.start, frame.number, hash(entry.edits))
                text = bytes.fromhex(entry.digest)
                _note(self._by_text, text, location)
                _note(self._by_record, _record_key(text, entry.record), location)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def original(self, text: str, *, record: str | None = None) -> str:
        """Return the original of a masked text, or raise an error with the reason."""
        return self.entry(text, record=record).original(text)

    def entry(self, text: str, *, record: str | None = None) -> MappingEntry:
        """Return the entry of a masked text, or raise an error with the reason.

        The text identifies the entry; the record's id is used only if several originals were masked
        to this text.
        """
        key = bytes.fromhex(digest(text))
        if key not in self._by_text:
            raise RecordError(
                "its text is not in this mapping: it was changed after it was masked, or belongs "
                "to another run",
                record=record,
            )
        location = self._by_text[key]
        if location is None and record is not None:
            location = self._by_record.get(_record_key(key, record))
        if location is None:
            raise RecordError(
                "several texts were masked to this one, and its id does not identify the original",
                record=record,
            )
        return self._entry(location)

    def edits(self, record: str) -> list[tuple[Placed, ...]]:
        """The edits of each text of a record, each text once."""
        self._file.seek(OPENED)
        found = {entry: None for _, entry in self._entries() if entry.record == record}
        if not found:
            raise RecordError("is not in this mapping", record=record)
        return [entry.edits for entry in found]

    def _entries(self) -> Iterator[tuple[Frame, MappingEntry]]:
        """Yield the entries from the current offset of the file to its end."""
        last = 0
        for frame in self._seal.frames(self._file):
            if frame.kind == CLOSING:
                return
            last = frame.number
            yield frame, MappingEntry.from_bytes(frame.payload)
        raise InputError(
            f"{self._path}: truncated after entry {last}, or its run did not end; continue with "
            "`veil mask --resume`, or use a complete copy"
        )

    def _entry(self, location: _Location) -> MappingEntry:
        self._file.seek(location.start)
        frame = self._seal.next_frame(self._file, location.number)
        if frame is None:
            raise self._seal.damaged(location.number)
        return MappingEntry.from_bytes(frame.payload)


def _note(index: dict[bytes, _Location | None], key: bytes, location: _Location) -> None:
    before = index.setdefault(key, location)
    if before is not None and before.edits != location.edits:
        index[key] = None


def _record_key(text: bytes, record: str) -> bytes:
    """The key of an entry whose masked text alone does not identify it."""
    return blake2b(text + record.encode("utf-8", "surrogatepass"), digest_size=16).digest()
