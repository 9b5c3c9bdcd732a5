"""Tables: data computed from files of the package, stored when Veil is released.

A table begins with a digest of the files that it was made from. It is used only while they are
unchanged; otherwise, or if it is missing, its content is computed from the files. In a `Store` each
value has a digest of its own source. `make tables` writes the tables.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FOLDER = Path(__file__).parent.parent / "tables"

_FORMAT = b"veil table 1\n\0\0\0"
_DIGEST_SIZE = 32
# The content begins at a multiple of 64 bytes, so that numbers of any size can be read in place.
_HEADER_SIZE = 64
_SOURCE_SIZE = 16
_NUMBER_SIZE = 8


class Table(NamedTuple):
    """A table that `make tables` writes.

    `inputs` are all files on which the content depends, including the Python module that computes
    it; `key` is what else it depends on, such as the version of Python. Numbers in the content have
    the byte order of the machine.
    """

    name: str
    inputs: Sequence[Path]
    build: Callable[[], bytes]
    key: str = ""

    @property
    def path(self) -> Path:
        """Where the table is stored."""
        return FOLDER / self.name

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
    contents = (part for path in inputs for part in (path.name.encode(), path.read_bytes()))
    for part in (sys.byteorder.encode(), key.encode(), *contents):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return _FORMAT + digest.digest() + size.to_bytes(16, "little")


class Store:
    """A table of values, each found by the source that it was computed from.

    A value is never out of date: a changed source is not found. `key` is what else all values
    depend on. The content is the number of values, their bounds, the sorted digests of their
    sources, and the values.
    """

    def __init__(self, name: str, *, key: str = "") -> None:
        self.name = name
        self.key = key

    def table(self, build: Callable[[], Mapping[bytes, bytes]]) -> Table:
        """Return the table to be written; `build` returns the values by their sources."""
        return Table(self.name, (), lambda: _packed(build()), self.key)

    def get(self, source: bytes) -> memoryview | None:
        """Return the value of a source, or None if it is not stored."""
        places, bounds, values = self._parts
        place = places.get(_source_digest(source))
        return None if place is None else values[bounds[place] : bounds[place + 1]]

    @cached_property
    def _parts(self) -> tuple[dict[bytes, int], memoryview, memoryview]:
        """The index of each value by the digest of its source, the offsets, and the values."""
        data = read_table(self.name, (), key=self.key)
        if data is None:
            return {}, memoryview(b""), memoryview(b"")
        count = int.from_bytes(data[:_NUMBER_SIZE], sys.byteorder)
        digests = _NUMBER_SIZE * (count + 2)
        values = digests + _SOURCE_SIZE * count
        each = struct.iter_unpack(f"{_SOURCE_SIZE}s", data[digests:values])
        places = {digest: place for place, (digest,) in enumerate(each)}
        return places, data[_NUMBER_SIZE:digests].cast("Q"), data[values:]


def _packed(values: Mapping[bytes, bytes]) -> bytes:
    entries = sorted((_source_digest(source), value) for source, value in values.items())
    bounds = accumulate((len(value) for _, value in entries), initial=0)
    numbers = [len(entries), *bounds]
    return b"".join(
        (
            *(number.to_bytes(_NUMBER_SIZE, sys.byteorder) for number in numbers),
            *(digest for digest, _ in entries),
            *(value for _, value in entries),
        )
    )


def _source_digest(source: bytes) -> bytes:
    return blake2b(source, digest_size=_SOURCE_SIZE).digest()
