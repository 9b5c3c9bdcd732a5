"""SHA-256 of files and folders; that of an input is keyed, since it would confirm guesses."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from veil.core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from veil.replace.secret import Key

KEYED = "hmac-sha256"
"""How hashes of what the user gave are protected: nobody without the key can compute them."""

HASHES = "hashes"
"""The fact that says how inputs are hashed; runs of earlier versions lack it."""

_COMPILED = ".pyc"


def hash_file(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def keyed_hash(key: Key, purpose: str, name: str, digest: str) -> str:
    """An HMAC-SHA-256 of a file's SHA-256: it proves to the owner of the key which file it was.

    It depends on the name, too: two files with the same content cannot be recognised.
    """
    return key.digest(KEYED, purpose, name, digest).hex()


def hash_input(key: Key, place: str, path: Path) -> str:
    """The keyed hash of an input file that goes to a place of the output."""
    return keyed_hash(key, "input", place, hash_file(path))


def hash_folder(root: Path, *folders: Path) -> str:
    """A hash that depends on the names below `root` and the bytes of all files of folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != _COMPILED:
                digest.update(f"{file.relative_to(root).as_posix()}\0{hash_file(file)}\n".encode())
    return digest.hexdigest()
