"""Key files: made once, for their owner's eyes only, never overwritten."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.replace.secret import Key

if TYPE_CHECKING:
    from pathlib import Path

_BYTES = 32


def new_key() -> str:
    """The text of a new key."""
    return secrets.token_hex(_BYTES)


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
