"""Known values of many records, read from a table."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import ROW
from veil.core.encodings import UTF8, decode, read_data
from veil.core.errors import InputError, RecordError
from veil.detect.known.values import Known, column_names, field_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from veil.core.document import Document

RECORD, PATIENT = "record", "patient"
PATIENT_META = ("patient", "patient_id")
"""The keys of a document's meta that may contain the id of its patient."""

_DELIMITERS = (",", ";", "\t")
_BETWEEN_VALUES = "|"
_MOST_SHOWN = 5


class _Row(NamedTuple):
    line: int
    keys: tuple[tuple[str, str], ...]
    values: dict[str, list[str]]


class KnownTable:
    """Known values of records, by the id of the record or of its patient.

    Calling it with a document returns the known values of that document, or None. `unasked` lists
    the ids that have matched no document: they may be written differently in table and records.
    """

    def __init__(self, known: Mapping[tuple[str, str], Known] | None = None) -> None:
        """Store known values by pairs such as ("record", "note-1") and ("patient", "17")."""
        self._known = dict(known or {})
        self._matched: set[tuple[str, str]] = set()

    @classmethod
    def read(cls, path: Path, encoding: str = UTF8) -> KnownTable:
        """Read a table: CSV with commas, semicolons or tabs, and a header in its first line.

        A column `record` or `patient` contains ids; several rows may have the same id. Several
        values in a cell are separated by `|`.
        """
        found: dict[tuple[str, str], Known] = {}
        wrong: list[str] = []
        for row in _rows(path, encoding, wrong):
            try:
                known = Known.of(row.values)
            except InputError as error:
                wrong.append(f"line {row.line}: {error}")
                continue
            for key in row.keys:
                found[key] = found[key] | known if key in found else known
        if wrong:
            more = len(wrong) - _MOST_SHOWN
            shown = "; ".join(wrong[:_MOST_SHOWN]) + (f"; and {more} more" if 0 < more else "")
            raise InputError(f"{path}: {shown}")
        return cls(found)

    def __call__(self, doc: Document) -> Known | None:
        """Return the known values of a document, and mark its ids as matched."""
        keys = [(RECORD, doc.id)]
        if ROW in doc.meta:  # a part of a record, whose id is stored as the patient's
            keys.append((RECORD, str(doc.meta.get(PATIENT, doc.id))))
        keys += [(PATIENT, str(doc.meta[name])) for name in PATIENT_META if name in doc.meta]
        found: Known | None = None
        for key in keys:
            known = self._known.get(key)
            if known is not None:
                self._matched.add(key)
                found = known if found is None else found | known
        return found

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return f"KnownTable({len(self)} ids)"

    @property
    def unasked(self) -> list[str]:
        """The ids of the table that have matched no document so far, in the order of the table."""
        return [key for kind, key in self._known if (kind, key) not in self._matched]


def _rows(path: Path, encoding: str, wrong: list[str]) -> Iterator[_Row]:
    """Yield the rows of a table; errors are added to `wrong`."""
    text = _read(path, encoding)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        header = next(reader, [])
        columns = _columns(path, header)
        line = reader.line_num
        for cells in reader:
            first, line = line + 1, reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(columns):
                wrong.append(f"line {first}: {len(cells)} cells, the header has {len(columns)}")
                continue
            row = _row(first, columns, cells)
            if row.keys:
                yield row
            else:
                wrong.append(f"line {first}: no id of a record or patient")
    except csv.Error:
        # The reader's message may quote the table.
        raise InputError(
            f"{path}, line {reader.line_num}: no CSV: a quote is not closed, or a cell is huge"
        ) from None


def _read(path: Path, encoding: str) -> str:
    try:
        data = read_data(path, encoding)
        if b"\0" in data:
            line = data.count(b"\n", 0, data.index(b"\0")) + 1
            raise InputError(f"{path}, line {line}: a NUL character; save the table as CSV")
        return decode(data, path, line=1, encoding=encoding).removeprefix("\ufeff")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except RecordError as error:
        place = f"{path}, line {error.line}" if error.line else path
        raise InputError(f"{place}: {error.reason}") from None


def _delimiter(text: str) -> str:
    """The separator of the cells: the most frequent one in the first line."""
    header = text.lstrip("\r\n").partition("\n")[0]
    return max(_DELIMITERS, key=header.count)


def _columns(path: Path, header: list[str]) -> list[str]:
    """The field or the kind of key of each column."""
    if not any(cell.strip() for cell in header):
        raise InputError(f"{path}, line 1: no header; name the columns, such as record,name")
    columns = []
    for number, column in enumerate(header, start=1):
        found = field_of(column, "keys") or field_of(column)
        if found is None:
            # Not quoted: without a header, the first line contains a patient's data.
            raise InputError(
                f"{path}, line 1: column {number} has an unknown name, or the header is missing; "
                f"known: {', '.join(column_names())}"
            )
        columns.append(found)
    if not {RECORD, PATIENT} & set(columns):
        raise InputError(f"{path}, line 1: no column '{RECORD}' or '{PATIENT}' with ids")
    return columns


def _row(line: int, columns: list[str], cells: list[str]) -> _Row:
    keys: list[tuple[str, str]] = []
    values: dict[str, list[str]] = {}
    for column, cell in zip(columns, cells, strict=True):
        parts = [part.strip() for part in cell.split(_BETWEEN_VALUES) if part.strip()]
        if column in (RECORD, PATIENT):
            keys += [(column, part) for part in parts]
        else:
            values.setdefault(column, []).extend(parts)
    return _Row(line, tuple(keys), values)
