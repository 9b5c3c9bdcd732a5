"""Annotated records in files: reading, writing, and finding out which format a file has."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.formats import (  # noqa: F401 - each registers itself
    brat,
    conll,
    i2b2_2006,
    i2b2_2014,
    jsonl,
    mednlp,
    text,
)
from veil.formats.base import FORMATS, Format, ReadLog, whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Record

__all__ = ["FORMATS", "Format", "ReadLog", "detect_format", "names", "read", "whole_file", "write"]

_FILES_LOOKED_AT = 8


def names() -> list[str]:
    """The names of all formats."""
    return FORMATS.names()


def read(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - one word for one thing, here and on the command line
    log: ReadLog | None = None,
) -> Iterator[Record]:
    """Return an iterator over the records of a file or folder.

    Without `format` it is detected. Without `log` the first bad record is an error; with one, bad
    records are left out and listed there.
    """
    place = _existing(path)
    chosen = FORMATS.get(format) if format else detect_format(place)
    return chosen.read(place, log if log is not None else ReadLog(strict=True))


def write(
    records: Iterable[Record],
    path: str | Path,
    *,
    format: str,  # noqa: A002
) -> int:
    """Write records, all or none of them, and return how many there were.

    `path` is a folder for formats that give a record its own file. For the others it is a file, or,
    if it is there already or ends with a slash, a folder in which the file `records.*` is written.
    """
    chosen = FORMATS.get(format)
    place = Path(path)
    try:
        if os.fspath(path).endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
        return chosen.write(records, place)
    except OSError as error:
        raise InputError(f"{error.filename or place}: {error.strerror}") from error


def detect_format(path: str | Path) -> Format:
    """Return the format of a file, or of the first files in a folder, judged by their content."""
    place = _existing(path)
    found = [candidate for candidate in FORMATS if _recognises(candidate, place)]
    if len(found) > 1:  # annotated text is plain text too
        found = [candidate for candidate in found if candidate.name != text.TextFormat.name]
    if len(found) == 1:
        return found[0]
    what = f"could be {' or '.join(each.name for each in found)}" if found else "not recognised"
    raise InputError(f"{place}: format {what}; say which with --from: {', '.join(names())}")


def _recognises(candidate: Format, place: Path) -> bool:
    for file in islice(candidate.files(place), _FILES_LOOKED_AT):
        try:
            if candidate.sniff(file):
                return True
        except OSError as error:
            if file == place:
                raise InputError(f"{place}: cannot be read: {error.strerror}") from None
    return False


def _existing(path: str | Path) -> Path:
    place = Path(path)
    if not place.exists():
        raise InputError(f"{place}: no such file or folder")
    return place
