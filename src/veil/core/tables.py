"""Tables: what is computed from files of the package, stored when Veil is released.

A table begins with a digest of the files that it was made from. It is used only while they are the
same; without it, or if one of them was changed, all is computed from the files. `make tables`
writes the tables.
"""

from __future__ import annotations

import mmap
import os
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOLDER = Path(__file__).parent.parent / "tables"

_FORMAT = b"veil table 1\n\0\0\0"
_DIGEST_SIZE = 32
# The content begins at a multiple of 64 bytes, so that numbers of any size can be read in place.
_HEADER_SIZE = 64


class Table(NamedTuple):
    """A table that `make tables` writes.

    `inputs` are all files on which the content depends, the Python module that computes it
    included; `key` is what else it depends on, such as the version of Python.
    """

    name: str
    inputs: Sequence[Path]
    build: Callable[[], bytes]
    key: str = ""

    def read(self) -> memoryview | None:
        """Return the stored content, or None if there is none or it is out of date."""
        return read_table(self.name, self.inputs, key=self.key)

    def write(self) -> None:
        """Compute the content and store it."""
        write_table(self.name, self.inputs, self.build(), key=self.key)


def read_table(name: str, inputs: Sequence[Path], *, key: str = "") -> memoryview | None:
    """Return the content of a table, mapped into memory, or None if it is absent or out of date."""
    try:
        with (FOLDER / name).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if file.read(_HEADER_SIZE) != _header(inputs, key, size):
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return memoryview(mapped)[_HEADER_SIZE:]


def write_table(name: str, inputs: Sequence[Path], data: bytes, *, key: str = "") -> None:
    """Store a table; the same inputs and content give the same bytes."""
    FOLDER.mkdir(exist_ok=True)
    new = FOLDER / f"{name}.new"
    new.write_bytes(_header(inputs, key, _HEADER_SIZE + len(data)) + data)
    # A process that has the old table mapped into memory keeps it.
    new.replace(FOLDER / name)


def _header(inputs: Sequence[Path], key: str, size: int) -> bytes:
    """Return the header of a table; `size` is that of the whole file."""
    digest = blake2b(digest_size=_DIGEST_SIZE)
    for part in (key.encode(), *(part for path in inputs for part in _parts(path))):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return _FORMAT + digest.digest() + size.to_bytes(16, "little")


def _parts(path: Path) -> tuple[bytes, bytes]:
    return path.name.encode(), path.read_bytes()
