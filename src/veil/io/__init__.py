"""Files with records: which format a file has, reading, writing, and masking in place."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError, RecordError
from veil.io import (  # noqa: F401 - each registers itself
    brat,
    conll,
    i2b2_2006,
    i2b2_2014,
    jsonl,
    mednlp,
    tagged,
    text,
)
from veil.io.base import FORMATS, Format, ReadLog, files_below, not_a_file, whole_file
from veil.io.delimited import CSV, TSV
from veil.io.fhir.bundle import RewritableFhir
from veil.io.fhir.ndjson import RewritableFhirNdjson
from veil.io.jsonl_rewrite import RewritableJsonl
from veil.io.parquet import RewritableParquet
from veil.io.rewriting import (
    REWRITABLE,
    Item,
    ItemWriter,
    RewritableFormat,
    TableOptions,
    items_with_records,
)
from veil.io.text_rewrite import RewritableText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.core.document import Record

__all__ = [
    "FORMATS",
    "REWRITABLE",
    "Format",
    "Item",
    "ItemWriter",
    "ReadLog",
    "RewritableFormat",
    "TableOptions",
    "detect_format",
    "detect_formats",
    "files_below",
    "find_format",
    "items_with_records",
    "names",
    "read",
    "whole_file",
    "write",
]

_FILES_LOOKED_AT = 8
# In the order in which they are tried: FHIR is JSON lines too, and everything is text.
_REWRITABLE: tuple[RewritableFormat, ...] = (
    RewritableFhirNdjson(),
    RewritableFhir(),
    RewritableJsonl(),
    RewritableParquet(),
    CSV,
    TSV,
    RewritableText(),
)
for _format in _REWRITABLE:
    REWRITABLE.add(_format.name, _format)


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
    records are left out and listed there. No record at all is an error.
    """
    place = _existing(path)
    if log is None:
        log = ReadLog(strict=True)
    chosen = [FORMATS.get(format)] if format else detect_formats(place)
    if place.is_dir():
        log.skipped += _skipped(chosen, place, log)
    if len(chosen) == 1:
        return _some(chosen[0].read(place, log), place, log)
    return _some(_read_all(chosen, place, log), place, log)


def _skipped(chosen: Sequence[Format], place: Path, log: ReadLog) -> list[Path]:
    """The files below a folder that none of these formats reads."""
    suffixes = tuple(suffix for each in chosen for suffix in each.suffixes)
    return [
        file
        for file in files_below(place, "")
        if file.is_file() and not file.name.lower().endswith(suffixes) and file not in log.skipped
    ]


def _some(records: Iterator[Record], place: Path, log: ReadLog) -> Iterator[Record]:
    """Yield the records; an error at the end if there was none, good or bad."""
    before = len(log.problems)
    is_empty = True
    for record in records:
        is_empty = False
        yield record
    if is_empty and len(log.problems) == before:
        raise InputError(f"{place}: no record found; the file or folder is empty")


def _read_all(chosen: Sequence[Format], place: Path, log: ReadLog) -> Iterator[Record]:
    seen: set[str] = set()
    for each in chosen:
        for record in each.read(place, log):
            if record.id in seen:
                reason = "this id came before; give every record its own"
                log.withhold(RecordError(reason, record=record.id, path=place))
                continue
            seen.add(record.id)
            yield record


def write(
    records: Iterable[Record],
    path: str | Path,
    *,
    format: str,  # noqa: A002
    log: ReadLog | None = None,
) -> int:
    """Write records, all files or none, and return how many there were.

    Without `log` the first record that the format cannot hold is an error; with one, such records
    are left out and listed there.

    `path` is a folder for formats that give a record its own file. For the others it is a file, or,
    if it is there already or ends with a slash, a folder in which the file `records.*` is written.
    """
    chosen = FORMATS.get(format)
    place = Path(path)
    try:
        if os.fspath(path).endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
        return chosen.write(records, place, log)
    except OSError as error:
        raise InputError(f"{error.filename or place}: {error.strerror}") from error


def detect_format(path: str | Path) -> Format:
    """Return the format of a file, or the only one in a folder, judged by content."""
    place = _existing(path)
    found = detect_formats(place)
    if len(found) == 1:
        return found[0]
    raise _undecided(place, found)


def detect_formats(path: str | Path) -> list[Format]:
    """Return the formats of the first files in a folder, judged by content.

    A folder may mix formats whose files differ in name: brat and XML, but not CoNLL and plain text
    that are both .txt. XML files beside others are taken for i2b2's even if nothing in them is
    recognised, so that a broken one is reported and not passed over.
    """
    place = _existing(path)
    found = [candidate for candidate in FORMATS if _recognises(candidate, place)]
    if len(found) > 1:  # annotated text is plain text too
        found = [each for each in found if each.name != text.TextFormat.name] or found
    xml = FORMATS.get(i2b2_2014.I2b2Format2014.name)
    claimed = [suffix for each in found for suffix in each.suffixes]
    has_xml = place.is_dir() and any(not file.is_dir() for file in xml.files(place))
    if found and ".xml" not in claimed and has_xml:
        found.append(xml)
        claimed += xml.suffixes
    if not found or len(set(claimed)) < len(claimed):
        raise _undecided(place, found)
    return found


def _undecided(place: Path, found: Sequence[Format]) -> InputError:
    what = f"could be {' or '.join(each.name for each in found)}" if found else "not recognised"
    return InputError(f"{place}: format {what}; say which with --from: {', '.join(names())}")


def _recognises(candidate: Format, place: Path) -> bool:
    for file in islice(candidate.files(place), _FILES_LOOKED_AT):
        try:
            if file.is_file() and candidate.sniff(file):
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


def find_format(path: Path) -> RewritableFormat:
    """Return the format of a file, by the end of its name and by its content."""
    if not path.is_file():
        raise InputError(f"{path}: {not_a_file(path) or 'no such file'}")
    suffix = path.suffix.lower()
    by_name = [each for each in REWRITABLE if suffix in each.suffixes]
    try:
        for each in by_name or REWRITABLE:
            if each.sniff(path):
                return each
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    known = "; ".join(f"{each.name} ({', '.join(each.suffixes)})" for each in REWRITABLE)
    raise InputError(f"{path}: no kind of file that Veil can mask; known: {known}")
