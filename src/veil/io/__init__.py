"""Files with records: detecting the format, reading and writing."""

from __future__ import annotations

import os
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.io.base import (
    FORMATS,
    Format,
    Item,
    ItemWriter,
    ReadLog,
    TableOptions,
    items_with_records,
    read_files,
    record_of,
)
from veil.io.brat import BratFormat
from veil.io.cda.formats import CdaFormat
from veil.io.conll import ConllFormat
from veil.io.docx.formats import DocxFormat
from veil.io.fhir.formats import FhirFormat, FhirNdjsonFormat
from veil.io.files import files_below, hidden_below, not_a_file, one_start, whole_file
from veil.io.hl7.formats import Hl7Format
from veil.io.htmlpage import HtmlFormat
from veil.io.i2b2 import I2b2Format2006, I2b2Format2014
from veil.io.inline import MednlpFormat, TaggedFormat
from veil.io.jsonl import JsonlFormat
from veil.io.parquet import ParquetFormat
from veil.io.pdf import PdfFormat
from veil.io.rtf.formats import RtfFormat
from veil.io.tables import CSV, TSV
from veil.io.text import TEXT
from veil.io.xlsx.formats import XlsxFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Record

__all__ = [
    "FORMATS",
    "Format",
    "Item",
    "ItemWriter",
    "ReadLog",
    "TableOptions",
    "detect_formats",
    "files_below",
    "find_format",
    "hidden_below",
    "items_with_records",
    "masked_name",
    "names",
    "read",
    "record_of",
    "whole_file",
    "writable_names",
    "write",
]

# In the order in which they are tried: FHIR is also JSON lines, and every file is text.
for _format in (
    BratFormat(),
    ConllFormat(),
    CdaFormat(),
    DocxFormat(),
    HtmlFormat(),
    RtfFormat(),
    PdfFormat(),
    XlsxFormat(),
    Hl7Format(),
    I2b2Format2006(),
    I2b2Format2014(),
    FhirNdjsonFormat(),
    FhirFormat(),
    JsonlFormat(),
    MednlpFormat(),
    TaggedFormat(),
    ParquetFormat(),
    CSV,
    TSV,
    TEXT,
):
    FORMATS.add(_format.name, _format)

_FILES_LOOKED_AT = 8
_XML = FORMATS.get(I2b2Format2014.name)


def names() -> list[str]:
    """Return the names of all formats."""
    return FORMATS.names()


def writable_names() -> list[str]:
    """Return the names of the formats that can store records with spans."""
    return [each.name for each in FORMATS if each.written]


def read(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - one word for one thing, here and on the command line
    options: TableOptions | None = None,
    log: ReadLog | None = None,
) -> Iterator[Record]:
    """Return an iterator over the records of a file or folder.

    Without `format` the format of each file is detected. `options` name the columns of tables.
    Without `log` the first bad record is an error; with one, bad records are left out and listed
    there. It is an error if there are no records.
    """
    root = _existing(path)
    if log is None:
        log = ReadLog(strict=True)
    files: Iterator[tuple[Path, Format]]
    if format:
        chosen = FORMATS.get(format)
        files = ((file, chosen) for file in chosen.files(root))
        log.skipped += _skipped(root, chosen, log)
    else:
        found = _Formats(root)
        files = found.files()
        log.skipped += (file for file in found.skipped() if file not in log.skipped)
    return _some(read_files(files, root, log, options), root, log)


def _skipped(root: Path, chosen: Format, log: ReadLog) -> list[Path]:
    """Return the files of a folder that the chosen format does not read."""
    if not root.is_dir():
        return []
    return [
        file
        for file in files_below(root, "")
        if file.is_file()
        and not file.name.lower().endswith(chosen.suffixes)
        and file not in log.skipped
    ]


def _some(records: Iterator[Record], root: Path, log: ReadLog) -> Iterator[Record]:
    """Yield the records; raise an error at the end if there was no record, good or bad."""
    before = len(log.problems)
    is_empty = True
    for record in records:
        is_empty = False
        yield record
    if is_empty and len(log.problems) == before:
        raise InputError(f"{root}: no record found; the file or folder is empty")


def write(
    records: Iterable[Record],
    path: str | Path,
    *,
    format: str,  # noqa: A002
    log: ReadLog | None = None,
) -> int:
    """Write records, all files or none, and return their number.

    Without `log` the first record that the format cannot represent is an error; with one, such
    records are left out and listed there.

    `path` is a folder for formats with one file per record. For others it is a file or, if it is an
    existing folder or ends with a slash, a folder in which the file `records.*` is written.
    """
    chosen = FORMATS.get(format)
    target = Path(path)
    try:
        if os.fspath(path).endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        return chosen.write(records, target, log)
    except OSError as error:
        raise InputError(f"{error.filename or target}: {error.strerror}") from error


def find_format(path: Path) -> Format:
    """Return the format of a file, by its suffix and its content."""
    if not path.is_file():
        raise InputError(f"{path}: {not_a_file(path) or 'no such file'}")
    try:
        with one_start(path):
            found = next((each for each in _candidates(path) if each.sniff(path)), None)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if found:
        return found
    if path.suffix.lower() in TEXT.suffixes:  # its reader reports what is wrong
        return TEXT
    known = "; ".join(f"{each.name} ({', '.join(each.suffixes)})" for each in FORMATS)
    raise InputError(f"{path}: not a format that Veil can read; known: {known}")


def masked_name(name: str) -> str:
    """The name of a masked file: letter.pdf.txt for letter.pdf; most other names stay the same."""
    return name + _added_suffix(os.path.splitext(name)[1].lower())  # noqa: PTH122 - a million times


@cache
def _added_suffix(suffix: str) -> str:
    found = (each.masked_suffix for each in FORMATS if suffix in each.suffixes)
    return next(filter(None, found), "")


def _candidates(path: Path) -> list[Format]:
    """Return the possible formats of a file by its suffix; all formats if the suffix is unknown."""
    suffix = path.suffix.lower()
    return [each for each in FORMATS if suffix in each.suffixes] or list(FORMATS)


def detect_formats(path: str | Path) -> list[Format]:
    """Return the formats of the files of a folder, by the content of the first files."""
    return _Formats(_existing(path)).all


class _Formats:
    """The formats of the files below a path, detected for all files of a suffix together.

    A plain text could also be a tagged text without tags, and the first tag may come late: if the
    first .txt files of a folder have one annotated format, all have it. Two such formats are an
    error. Files that cannot be plain text (`is_certain`) are recognised one by one. XML beside
    other files is read as i2b2 even if it is not recognised, so that a broken file is reported and
    not skipped.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        samples: defaultdict[str, list[Path]] = defaultdict(list)
        for file in files_below(root, ""):
            sample = samples[file.suffix.lower()]
            if len(sample) < _FILES_LOOKED_AT and file.is_file():
                sample.append(file)
        self._by_suffix = {
            suffix: self._recognised(suffix, sample) for suffix, sample in samples.items()
        }
        found = {each for formats in self._by_suffix.values() for each in formats}
        self.all = [each for each in FORMATS if each in found]
        if not self.all:
            raise _undecided(root, [])
        for suffix, formats in self._by_suffix.items():
            if not formats:
                formats += [each for each in self.all if suffix in each.suffixes][:1]
        if self._by_suffix.get(".xml") == []:
            self._by_suffix[".xml"] = [_XML]
            self.all.append(_XML)

    def _recognised(self, suffix: str, files: list[Path]) -> list[Format]:
        """Return the formats of the first files of a suffix."""
        if not files:
            return []
        candidates = [each for each in FORMATS if suffix in each.suffixes]
        if suffix in TEXT.suffixes:
            candidates.remove(TEXT)
            certain = {file: own for file in files if (own := self._certain(file))}
            files = [file for file in files if file not in certain]
            found = [each for each in candidates if any(self._recognises(each, f) for f in files)]
            if len(found) > 1:
                raise _undecided(self._root, found)
            if not found and any(self._recognises(TEXT, file) for file in files):
                found = [TEXT]
            return [*dict.fromkeys(certain.values()), *found]
        if not candidates and (suffix == "" or files == [self._root]):
            candidates = list(FORMATS)
        firsts = (
            next((each for each in candidates if self._recognises(each, file)), None)
            for file in files
        )
        return list(dict.fromkeys(filter(None, firsts)))

    def _certain(self, file: Path) -> Format | None:
        """The format of a .txt file that is certainly not plain text; never reads a pipe."""
        if not file.is_file():
            return None
        suffix = file.suffix.lower()
        certain = (each for each in FORMATS if each.is_certain and suffix in each.suffixes)
        return next((each for each in certain if self._recognises(each, file)), None)

    def _recognises(self, candidate: Format, file: Path) -> bool:
        try:
            return candidate.sniff(file)
        except OSError as error:
            if file == self._root:
                raise InputError(f"{file}: cannot be read: {error.strerror}") from None
            return False

    def files(self) -> Iterator[tuple[Path, Format]]:
        """Yield the files that Veil can read, each with its format."""
        for file in files_below(self._root, ""):
            if (found := self._format_of(file)) and (
                file == self._root or not found.is_companion(file)
            ):
                yield file, found

    def skipped(self) -> list[Path]:
        """Return the files in formats that Veil cannot read."""
        files = files_below(self._root, "")
        return [file for file in files if file.is_file() and not self._format_of(file)]

    def _format_of(self, file: Path) -> Format | None:
        found = self._by_suffix[file.suffix.lower()]
        if file.is_dir():  # a link, which is withheld
            return self.all[0]
        if file.suffix.lower() in TEXT.suffixes:
            usual = [each for each in found if not each.is_certain] or ([TEXT] if found else [])
            return self._certain(file) or (usual[0] if usual else None)
        if len(found) < 2:
            return found[0] if found else None
        return next((each for each in found if self._recognises(each, file)), found[0])


def _undecided(path: Path, found: list[Format]) -> InputError:
    what = f"could be {' or '.join(each.name for each in found)}" if found else "not recognised"
    return InputError(f"{path}: format {what}; give it with --from: {', '.join(names())}")


def _existing(path: str | Path) -> Path:
    root = Path(path)
    if not root.exists():
        raise InputError(f"{root}: no such file or folder")
    return root
