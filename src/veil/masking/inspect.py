"""Inspects a table before it is masked: what its columns contain, and the command to run.

Cells are never kept or shown, and column names only if they consist of usual words.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.document import Document, Record
from veil.core.encodings import UTF8, encoding_name, exact_encoding
from veil.core.errors import InputError
from veil.core.toml import write_toml
from veil.detect.assembly import default_pipeline
from veil.detect.known.dates import parse_date
from veil.detect.known.values import field_of
from veil.io import find_format
from veil.io.columns import column_roles, is_harmless_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.detect.pipeline import DetectionPipeline

TEXT, ID, PATIENT, KEPT = "text", "id", "patient", "kept"
_OF_A_PATIENT = ("SSN", "MEDICALRECORD")
_ROWS = 200
_MOST_SEARCHED = 60
_SHARE = 0.6
_LONG_TEXT, _MANY_WORDS = 60, 7
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_LONG_NUMBER = re.compile(r"[A-Za-z]{0,3}[-\s]?\d[\d\s/-]{4,}[A-Za-z]?")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class ColumnProposal:
    """The probable role of a column (text, id, patient, kept, or a label), and the reason.

    `name` is empty if the name of the column is unusual: it may be text of a record.
    """

    number: int
    name: str
    role: str
    reason: str
    filled: int


@dataclass(frozen=True)
class Inspection:
    """The columns of a table; `rows` is the number of rows that were looked at."""

    file: Path
    rows: int
    columns: tuple[ColumnProposal, ...]
    encoding: str = UTF8
    warnings: tuple[str, ...] = field(default=())

    def names(self, role: str) -> list[str]:
        return [each.name for each in self.columns if each.role == role and each.name]

    @property
    def roles(self) -> dict[str, str]:
        """The labels of columns by their names."""
        kinds = (TEXT, ID, PATIENT, KEPT)
        return {
            each.name: each.role for each in self.columns if each.role not in kinds and each.name
        }

    @property
    def ids(self) -> str | None:
        """The column of ids of records, if there is one."""
        return next(iter(self.names(ID)), None)

    @property
    def patients(self) -> str | None:
        """The column that distinguishes patients: their ids, or else another number."""
        numbers = (name for label in _OF_A_PATIENT for name in self.names(label))
        return next(iter([*self.names(PATIENT), *numbers]), None)

    def arguments(self) -> list[str]:
        """The arguments of `veil mask` for this table."""
        pairs = [("--text-column", name) for name in self.names(TEXT)]
        pairs += [("--id-column", self.ids)] if self.ids else []
        pairs += [("--patient-column", self.patients)] if self.patients else []
        pairs += [("--column", f"{name}={label}") for name, label in self.roles.items()]
        pairs += [("--encoding", self.encoding)] if self.encoding != UTF8 else []
        return [word for pair in pairs for word in pair]

    def command(self) -> str:
        """The command to run, for a shell."""
        target = self.file.with_stem(f"{self.file.stem}-masked").name
        return shlex.join(["veil", "mask", str(self.file), "-o", target, *self.arguments()])

    def save(self, file: Path) -> None:
        """Write the proposals as a file for `veil mask --columns`."""
        data: dict[str, Any] = {
            "text": self.names(TEXT),
            "id": self.ids,
            "patient": self.patients,
            "roles": self.roles,
        }
        write_toml(file, {key: value for key, value in data.items() if value})


def inspect_file(file: str | Path, *, encoding: str = UTF8, lang: str | None = None) -> Inspection:
    """Propose the roles of the columns of a table, from their names and the values of some rows."""
    path = Path(file)
    file_format = find_format(path)
    exact = exact_encoding(path, encoding_name(encoding)) if file_format.is_text else UTF8
    names, rows = file_format.sample(path, exact, _ROWS)
    if not rows:
        raise InputError(f"{path}: no row to inspect; the table is empty, or has only a header")
    inspector = _Inspector(lang)
    columns = tuple(
        inspector.column(number, name, [row[number - 1].strip() for row in rows])
        for number, name in enumerate(names, start=1)
    )
    warnings = []
    if copied := [each.name for each in columns if each.role in (ID, PATIENT) and each.name]:
        warnings.append(
            f"ids are copied ({', '.join(copied)}); if others know them, give --hash-column for "
            "ids of patients, and --drop-column for other ids"
        )
    if not any(each.name for each in columns):
        warnings.append("no column has a usual name; is the first line a header?")
    elif unusual := [str(each.number) for each in columns if not each.name]:
        warnings.append(
            f"column(s) {', '.join(unusual)} have unusual names, which are not shown; look at them "
            "and name them yourself"
        )
    if sum(each.role == PATIENT for each in columns) > 1:
        warnings.append("several columns may hold ids of patients; choose one")
    return Inspection(path, len(rows), columns, exact, tuple(warnings))


class _Inspector:
    """Decides the role of a column; the detectors are loaded when they are needed."""

    def __init__(self, lang: str | None) -> None:
        self._lang = lang
        self._pipeline: DetectionPipeline | None = None

    def column(self, number: int, name: str, cells: Sequence[str]) -> ColumnProposal:
        values = [cell for cell in cells if cell]
        by_name = _by_name(name)
        role, reason = self._role(by_name, values)
        is_usual = bool(by_name) or is_harmless_name(name)
        return ColumnProposal(number, name if is_usual else "", role, reason, len(values))

    def _role(self, by_name: str, values: Sequence[str]) -> tuple[str, str]:
        if not values:
            return by_name or KEPT, "name of the column" if by_name else "empty"
        if _is_long(values):
            return TEXT, "long texts"
        if by_name == TEXT:
            return TEXT, "name of the column"
        if by_name == ID and len(set(values)) < len(values):
            return KEPT, "name of the column, but values repeat"
        if by_name:
            return by_name, "name of the column"
        by_form = _by_form(values)
        if by_form:
            return by_form, "form of the values"
        if not any(map(_LETTER.search, values)):
            return KEPT, "numbers"
        if label := self._found(values):
            return label, "found in the values"
        return KEPT, "nothing identifying was recognised"

    def _found(self, values: Sequence[str]) -> str:
        """The label that the detectors give to most values, or an empty string."""
        if self._pipeline is None:
            self._pipeline = default_pipeline(self._lang, assume_language=self._lang)
        distinct = list(dict.fromkeys(values))[:_MOST_SEARCHED]
        labels: Counter[str] = Counter()
        for outcome in self._pipeline.detect_batch(
            [Document(str(number), value) for number, value in enumerate(distinct)]
        ):
            if isinstance(outcome, Record):
                labels.update({span.label for span in outcome.spans})
        label, count = labels.most_common(1)[0] if labels else ("", 0)
        return label if _SHARE * len(distinct) <= count else ""


def _by_name(name: str) -> str:
    """The role of a column by its name, or an empty string."""
    plain = name.strip().casefold()
    for role, patterns in column_roles()["names"].items():
        if plain in patterns:
            return str(role)
    if key := field_of(name, "keys"):
        return {"record": ID, "patient": PATIENT}[key]
    if known := field_of(name):
        return _label_of_field().get(known, "")
    for role, patterns in column_roles()["names"].items():
        if any("*" in pattern and fnmatchcase(plain, pattern) for pattern in patterns):
            return str(role)
    return ""


@cache
def _label_of_field() -> dict[str, str]:
    """The label of each field of known values; the first one counts."""
    labels: dict[str, str] = {}
    for label, known in column_roles()["known"].items():
        labels.setdefault(known, label)
    return {**labels, "readings": "PATIENT", "relatives": "NAME"}


def _is_long(values: Sequence[str]) -> bool:
    length = sum(map(len, values)) / len(values)
    words = sum(len(value.split()) for value in values) / len(values)
    return _LONG_TEXT <= length or _MANY_WORDS <= words


def _by_form(values: Sequence[str]) -> str:
    """The label of values that have a distinctive form, or an empty string."""

    def most(matches: int) -> bool:
        return _SHARE * len(values) <= matches

    if most(sum(_EMAIL.fullmatch(value) is not None for value in values)):
        return "EMAIL"
    if most(sum(bool(parse_date(value)) for value in values if not _NUMBER.fullmatch(value))):
        return "DATE"
    numbers = [value for value in values if _LONG_NUMBER.fullmatch(value)]
    # Long numbers that hardly repeat identify people.
    if most(len(numbers)) and _SHARE * len(numbers) <= len(set(numbers)):
        return "IDNUM"
    return ""
