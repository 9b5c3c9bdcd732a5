"""SHA-256 of files and folders."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from veil.core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_COMPILED = ".pyc"


def hash_file(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def hash_folder(root: Path, *folders: Path) -> str:
    """A hash that depends on the names below `root` and the bytes of all files of folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != _COMPILED:
                digest.update(f"{file.relative_to(root).as_posix()}\0{hash_file(file)}\n".encode())
    return digest.hexdigest()
