"""The file of a mapping: a header and a row of frames that only the passphrase opens.

    header  magic, version, cost of scrypt (log2 N, r, p), salt
    frame   kind, length, check of these two; nonce, encrypted payload, tag

The key comes from the passphrase by scrypt (RFC 7914); each frame is sealed with AES-256-GCM.
Header, kind and number of a frame are authenticated with it, so that no frame can be changed, left
out, moved or taken from another file unnoticed. Frame 0 is empty and tells a wrong passphrase from
damage; a closing frame ends the file and tells one that is whole from one that was cut off.

Nonces are drawn at random. Counted ones would come twice, with different payloads, where a frame
that was cut off is written again.
"""

from __future__ import annotations

import os
import secrets
import struct
import unicodedata
import zlib
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from veil.core.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC = b"VEILMAP\n"
OPENING, ENTRY, CLOSING = b"O", b"E", b"C"
LOG_N = 17
"""The cost of the key: 2 to this power rounds, 128 MiB and about a third of a second."""

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
"""The size of a file that holds no entry yet."""

# A damaged header must not ask for more memory than there is.
_HIGHEST_LOG_N = 20
_HIGHEST_R, _HIGHEST_P = 8, 16


@dataclass(frozen=True, slots=True)
class Frame:
    """An opened frame and where it stands in the file."""

    kind: bytes
    number: int
    start: int
    end: int
    payload: bytes = field(repr=False)


class Seal:
    """Closes and opens the frames of one file."""

    def __init__(self, header: bytes, passphrase: str, path: Path) -> None:
        self.header = header
        self._path = path
        self._cipher = require(
            "cryptography.hazmat.primitives.ciphers.aead", extra="mapping"
        ).AESGCM(_derive_key(header, passphrase, path))
        self._wrong = require("cryptography.exceptions", extra="mapping").InvalidTag

    @classmethod
    def new(cls, passphrase: str, path: Path, *, log_n: int = LOG_N) -> Seal:
        """A seal for a new file, with a salt of its own."""
        header = _HEADER.pack(MAGIC, _VERSION, log_n, _R, _P, secrets.token_bytes(_SALT))
        return cls(header, passphrase, path)

    @classmethod
    def read(cls, file: IO[bytes], passphrase: str, path: Path) -> Seal:
        """The seal of a file, which must be the passphrase's; the file then stands at frame 1."""
        header = file.read(_HEADER.size)
        if not header.startswith(MAGIC):
            raise InputError(f"{path}: is no mapping of Veil")
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
        """Read and open a frame; nothing where the file ends, in the middle of a frame or not."""
        start = file.tell()
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        kind, length, check = _HEAD.unpack(head)
        # A length that was damaged would let what follows pass for cut off.
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
        """Yield the whole frames after the opening one; nothing may follow a closing one."""
        number = 1
        while (frame := self.next_frame(file, number)) is not None:
            if frame.kind == CLOSING and file.read(1):
                raise self.damaged(number)
            yield frame
            number += 1

    def damaged(self, number: int) -> InputError:
        return InputError(
            f"{self._path}: damaged at entry {number}: it was changed, moved or taken out; "
            "use an undamaged copy"
        )

    def _bound(self, kind: bytes, number: int) -> bytes:
        """What is authenticated with a payload, though not a part of it."""
        return self.header + kind + _COUNT.pack(number)


def _cut_off(path: Path) -> InputError:
    return InputError(f"{path}: cut off in its first bytes; use a whole copy")


def _check(kind: bytes, length: int) -> int:
    return zlib.crc32(kind + _COUNT.pack(length))


def _derive_key(header: bytes, passphrase: str, path: Path) -> bytes:
    if len(header) < _HEADER.size:
        raise _cut_off(path)
    _, version, log_n, r, p, salt = _HEADER.unpack(header)
    if version != _VERSION:
        raise InputError(f"{path}: a mapping of version {version}, this Veil knows {_VERSION}")
    if not (1 <= log_n <= _HIGHEST_LOG_N and 1 <= r <= _HIGHEST_R and 1 <= p <= _HIGHEST_P):
        raise InputError(f"{path}: damaged in its first bytes; use an undamaged copy")
    scrypt = require("cryptography.hazmat.primitives.kdf.scrypt", extra="mapping").Scrypt
    # One passphrase may be typed as é or as e with an accent, on one keyboard and on another.
    secret = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    key: bytes = scrypt(salt=salt, length=_KEY, n=1 << log_n, r=r, p=p).derive(secret)
    return key
