"""Keyed draws: the same key, patient and value give the same surrogate, without a table.

Every draw is an HMAC-SHA-256 with the key over the patient, the purpose and the value. Without the
key, surrogates reveal neither the originals nor which records belong together. With the same key,
every run on every machine gives the same bytes.
"""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from veil.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from hashlib import _Hash
    from pathlib import Path

T = TypeVar("T")

_SHORTEST_KEY = 16
_KEY_BYTES = 32
_FINGERPRINT = 16
_CACHE_SIZE = 1 << 12
# HMAC (RFC 2104): the key is padded to a block, and combined with these bytes.
_BLOCK = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Key:
    """A secret key, read from a file or made for one run."""

    def __init__(self, data: bytes) -> None:
        if len(data) < _SHORTEST_KEY:
            raise InputError(f"a key needs at least {_SHORTEST_KEY} bytes; this has {len(data)}")
        self._data = data
        # Both hashes begin with the key and are copied for each code: `hmac` takes twice as long.
        block = (sha256(data).digest() if _BLOCK < len(data) else data).ljust(_BLOCK, b"\0")
        self._inner, self.outer = (sha256(block.translate(pad)) for pad in (_INNER, _OUTER))

    @classmethod
    def generate(cls) -> Key:
        """Return a new random key: surrogates are then consistent within one run only."""
        return cls(secrets.token_bytes(_KEY_BYTES))

    @classmethod
    def read(cls, file: Path) -> Key:
        """Return the key of a file: all its bytes, without white space at the ends."""
        try:
            data = file.read_bytes().strip()
        except OSError as error:
            raise InputError(f"{file}: the key cannot be read: {error.strerror}") from None
        if len(data) < _SHORTEST_KEY:
            raise InputError(
                f"{file}: a key needs at least {_SHORTEST_KEY} bytes; make one with "
                "`veil key NEW_FILE`"
            )
        return cls(data)

    @property
    def fingerprint(self) -> str:
        """A code that distinguishes keys and reveals nothing about them."""
        return self.digest("fingerprint").hex()[:_FINGERPRINT]

    def digest(self, *purpose: str) -> bytes:
        """Return 32 bytes that depend on the key and on each of the strings."""
        return self.finish(self.begin(*purpose))

    def own_patient(self, *texts: str) -> str:
        """Return a patient for a record without one: only records with the same texts share it."""
        code = self.begin("own patient")
        for text in texts:
            code.update(_frame(text))
        return self.finish(code).hex()

    def begin(self, *purpose: str) -> _Hash:
        """Return the inner hash of these strings, which can be extended before `finish`."""
        inner = self._inner.copy()
        inner.update(b"".join(map(_framed, purpose)))
        return inner

    def finish(self, inner: _Hash) -> bytes:
        """Return the code of an inner hash."""
        outer = self.outer.copy()
        outer.update(inner.digest())
        return outer.digest()

    def __repr__(self) -> str:
        return f"Key({self.fingerprint})"

    def __reduce__(self) -> tuple[type[Key], tuple[bytes]]:
        return Key, (self._data,)


def new_key() -> str:
    """The text of a new key."""
    return secrets.token_hex(_KEY_BYTES)


def write_key(file: Path, text: str) -> Key:
    """Write a key into a new file that others cannot read."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise InputError(f"{file}: exists already; a key is never overwritten") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from None
    with os.fdopen(handle, "w", encoding="ascii") as written:
        written.write(text + "\n")
        written.flush()
        os.fsync(written.fileno())
    return Key.read(file)


def _frame(text: str) -> bytes:
    """Return a string after its length, so that different lists of strings have different bytes."""
    data = text.encode(errors="surrogatepass")  # names of files need not be Unicode
    return len(data).to_bytes(4, "big") + data


_framed = lru_cache(_CACHE_SIZE)(_frame)
_FEISTEL_ROUNDS = tuple(_frame(str(turn)) for turn in range(4))


class Secret:
    """The draws of one patient."""

    def __init__(self, key: Key, patient: str) -> None:
        self.key = key
        self._patient = patient
        self._begun = key.begin("draw", patient)
        self._outer = key.outer

    def draw(self, *purpose: str) -> Draw:
        """Return a source of choices for one purpose and value: ("surname", "lindgren")."""
        inner = self._begun.copy()
        inner.update(b"".join(map(_framed, purpose)))
        outer = self._outer.copy()
        outer.update(inner.digest())
        return Draw(outer.digest())

    def mixed(self, number: int, bits: int, *purpose: str) -> int:
        """Return the image of a number of `2 * bits` bits under a secret permutation.

        The permutation is a Feistel network: each round draws `bits` bits for the purpose, the
        round and the right half.
        """
        begun = self._begun.copy()
        begun.update(b"".join(map(_framed, purpose)))
        mask = (1 << bits) - 1
        left, right = number >> bits, number & mask
        for turn in _FEISTEL_ROUNDS:
            inner, outer = begun.copy(), self._outer.copy()
            inner.update(turn + _framed(str(right)))
            outer.update(inner.digest())
            left, right = right, left ^ int.from_bytes(outer.digest(), "big") & mask
        return left << bits | right

    def code(self, *purpose: str, length: int = 12) -> str:
        """Return letters and digits for a value, from which it cannot be computed."""
        return self.key.digest("code", self._patient, *purpose).hex()[:length]

    def __repr__(self) -> str:
        return "Secret()"


class Draw:
    """An endless series of choices that depends on its seed only."""

    __slots__ = ("_blocks", "_left", "_range", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._left = int.from_bytes(seed, "big")
        self._range = 1 << (8 * len(seed))
        self._blocks = 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit - 1`."""
        # 64 bits in reserve keep the choices practically uniform.
        if self._range < limit << 64:
            self._blocks += 1
            block = sha256(self._seed + self._blocks.to_bytes(4, "big")).digest()
            self._left = int.from_bytes(block, "big")
            self._range = 1 << 256
        self._left, found = divmod(self._left, limit)
        self._range //= limit
        return found

    def between(self, lowest: int, highest: int) -> int:
        """Return a number from the lowest to the highest, both included."""
        return lowest + self.below(highest - lowest + 1)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]
