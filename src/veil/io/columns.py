"""The columns of a table with texts, ids and patients, and the documents of a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import APART, HASH, KNOWN, PART, PATIENT, ROW, WHOLE, Document
from veil.core.encodings import UTF8, encoding_name, written_name
from veil.core.errors import InputError
from veil.core.labels import VEIL, scheme
from veil.core.toml import read_toml
from veil.io.base import TableOptions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
# Matches `admission_date`, `Visit 2`, `ICD-10` and `2019`, not `[NAME]` or `a@b`.
_PLAIN_NAME = re.compile(r"[\w .#-]*")
# Matches the words of `visitDate`, `HADM_ID` and `icd10`.
_NAME_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[^\W\d_]+")
_MOST_DIGITS = 3
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_KNOWN = 200
# `1948-03-12`, `12/3/1948` and `1948-03-12 00:00:00`, not `March 1948`.
_DATE = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T][\d:.+Z-]*)?|(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})"
)


class Role(NamedTuple):
    """The role of a column: its cells are identifiers with a label, or values to be hashed."""

    label: str
    part: str | None = None
    hashed: bool = False

    @classmethod
    def of(cls, written: str) -> Role:
        """Parse a role: `DATE`, or `PATIENT:first` for first names."""
        label, colon, part = written.partition(":")
        known = scheme(VEIL).labels
        if label not in known:
            raise InputError(
                f"'{label}' is not a label for columns; known: {', '.join(sorted(known))}"
            )
        if colon and part not in _PARTS:
            raise InputError(f"'{written}': the part of a name is {' or '.join(_PARTS)}")
        return cls(label, part or None)

    def __str__(self) -> str:
        return f"{self.label}:{self.part}" if self.part else self.label


_PARTS = ("first", "last")
_HASHED = Role("IDNUM", hashed=True)


@dataclass(frozen=True)
class Columns:
    """The indexes of the columns of a table."""

    texts: Mapping[str, int]
    id: int | None = None
    patient: int | None = None
    roles: Mapping[str, int] = field(default_factory=dict)
    role_of: Mapping[str, Role] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()

    @property
    def named(self) -> set[int | None]:
        """The indexes of all columns that the user named."""
        return {
            *self.texts.values(),
            *self.roles.values(),
            *self.dropped,
            self.id,
            self.patient,
        }


def choose_columns(names: Sequence[str], options: TableOptions, file: Path) -> Columns:
    """Find the columns that the user named.

    Messages quote no other column names: without a header, the first line is a record.
    """
    options = with_preset(options, names, file)
    refuse_shared_columns(options.text_columns, options, file)
    role_of = roles_of(options)
    if not (options.text_columns or role_of):
        raise InputError(
            f"{file}: choose which of the {len(names)} columns contain texts (--text-column) or "
            "identifiers (--column); `veil inspect` proposes them"
        )

    def index(name: str) -> int:
        if name not in names:
            raise InputError(f"{file}: no column '{name}'; {_hint(name, names)}")
        if names.count(name) > 1:
            raise InputError(
                f"{file}: the column '{name}' occurs {names.count(name)} times; rename the others"
            )
        return names.index(name)

    texts = {name: index(name) for name in options.text_columns}
    id_index, patient_index = (
        index(name) if name is not None else None
        for name in (options.id_column, options.patient_column)
    )
    return Columns(
        texts,
        id_index,
        patient_index,
        {name: index(name) for name in role_of},
        role_of,
        frozenset(index(name) for name in options.dropped),
    )


def roles_of(options: TableOptions) -> dict[str, Role]:
    """The roles of columns by their names."""
    return {
        **{name: Role.of(label) for name, label in options.roles},
        **dict.fromkeys(options.hashed, _HASHED),
    }


def with_preset(options: TableOptions, names: Collection[str], file: Path) -> TableOptions:
    """Return the options with the columns of a preset for a table with these names.

    Columns that the user named override the preset.
    """
    if options.preset is None:
        return options
    found = {name.casefold(): name for name in reversed(list(names))}
    for table in presets()[options.preset]:
        texts = tuple(found[name] for name in table["text"] if name in found)
        if table["text"][0] not in found or (options.id_column or table["id"]) not in {
            *found,
            *names,
        }:
            continue
        named = {*options.text_columns, *options.dropped, *options.hashed}
        roles = {
            found[name]: label
            for name, label in table.get("roles", {}).items()
            if name in found and found[name] not in named
        }
        return replace(
            options,
            preset=None,
            text_columns=options.text_columns or tuple(t for t in texts if t not in named),
            id_column=options.id_column or found[table["id"]],
            patient_column=options.patient_column or found.get(table["patient"]),
            roles=tuple({**roles, **dict(options.roles)}.items()),
        )
    wanted = " or ".join(table["text"][0] for table in presets()[options.preset])
    raise InputError(
        f"{file}: no table of the preset {options.preset}, which has a column {wanted}, and ids"
    )


@cache
def presets() -> dict[str, list[dict[str, Any]]]:
    """The tables of each preset."""
    found: dict[str, list[dict[str, Any]]] = column_roles()["presets"]
    return found


@cache
def column_roles() -> dict[str, Any]:
    """The contents of `roles.toml`."""
    return read_toml(Path(__file__).with_name("roles.toml"))


def read_columns_file(file: Path) -> dict[str, Any]:
    """Read the roles of columns from a file, as keyword arguments of `table_options`."""
    data = read_toml(file)
    known = {
        "text": "text_columns",
        "id": "id_column",
        "patient": "patient_column",
        "roles": "columns",
        "hash": "hash_columns",
        "drop": "drop_columns",
    }
    for key, value in data.items():
        if key not in known:
            raise InputError(f"{file}: unknown key '{key}'; known: {', '.join(known)}")
        wanted = str if key in ("id", "patient") else dict if key == "roles" else list
        inner = value.values() if isinstance(value, dict) else value
        if not isinstance(value, wanted) or not all(isinstance(each, str) for each in inner):
            form = {str: "a string", dict: "a table of strings", list: "an array of strings"}
            raise InputError(f"{file}: {key} must be {form[wanted]}")
    return {known[key]: value for key, value in data.items()}


def table_options(
    *,
    text_columns: Sequence[str] = (),
    id_column: str | None = None,
    patient_column: str | None = None,
    columns: Mapping[str, str] | None = None,
    hash_columns: Sequence[str] = (),
    drop_columns: Sequence[str] = (),
    columns_file: str | Path | None = None,
    preset: str | None = None,
    encoding: str = UTF8,
    output_encoding: str | None = None,
) -> TableOptions:
    """Make the options of tables; arguments override the file of columns."""
    given = read_columns_file(Path(columns_file)) if columns_file is not None else {}
    if preset is not None and preset not in presets():
        raise InputError(f"unknown preset '{preset}'; known: {', '.join(presets())}")
    options = TableOptions(
        text_columns=tuple(text_columns) or tuple(given.get("text_columns", ())),
        id_column=id_column or given.get("id_column"),
        patient_column=patient_column or given.get("patient_column"),
        roles=tuple({**given.get("columns", {}), **(columns or {})}.items()),
        hashed=tuple(dict.fromkeys([*given.get("hash_columns", ()), *hash_columns])),
        dropped=tuple(dict.fromkeys([*given.get("drop_columns", ()), *drop_columns])),
        preset=preset,
        encoding=encoding_name(encoding),
        output_encoding=written_name(output_encoding),
    )
    uses = Counter(
        [
            *options.text_columns,
            *(name for name, _ in options.roles),
            *options.hashed,
            *options.dropped,
        ]
    )
    for name, count in uses.items():
        if count > 1:
            raise InputError(f"the column '{name}' is named for two purposes; choose one")
    roles_of(options)  # raises an error for unknown labels
    return options


def refuse_shared_columns(texts: Sequence[str], options: TableOptions, file: Path) -> None:
    """Raise an error for a text column that is also an id, since reports contain the ids."""
    for option, name in (
        ("--id-column", options.id_column),
        ("--patient-column", options.patient_column),
    ):
        if name is not None and name in texts:
            raise InputError(
                f"{file}: the column '{name}' holds texts; {option} must be another one, since "
                "reports name records by their ids"
            )
    masked = {*(name for name, _ in options.roles), *options.hashed, *options.dropped}
    if options.id_column in masked:
        raise InputError(
            f"{file}: the column '{options.id_column}' is masked; --id-column must be another one, "
            "since reports name records by their ids"
        )


def is_harmless_name(name: str) -> bool:
    """Whether a column name consists only of usual words and small numbers."""
    if _YEAR.fullmatch(name):
        return True
    if not _PLAIN_NAME.fullmatch(name) or _MOST_DIGITS < sum(map(str.isdigit, name)):
        return False
    words = [word.casefold() for word in _NAME_WORD.findall(name)]
    unknown = [word for word in words if word not in _column_words()]
    return not unknown or (len(unknown) == 1 and len(unknown[0]) == 1)


@cache
def _column_words() -> frozenset[str]:
    lists = read_toml(Path(__file__).with_name("column_words.toml"))
    return frozenset(word.casefold() for words in lists.values() for word in words.split())


def _hint(wanted: str, names: Sequence[str]) -> str:
    """A hint for a missing column: the column whose name has the same letters."""
    for number, name in enumerate(names, start=1):
        if _letters(name) and _letters(name) == _letters(wanted):
            return f"column {number} of {len(names)} differs only in case, blanks or punctuation"
    return f"none of its {len(names)} columns has that name; is there a header with the names?"


def _letters(name: str) -> str:
    return _NO_LETTER_OR_DIGIT.sub("", name).casefold()


def row_documents(
    name: str,
    texts: Mapping[str, str],
    meta: Mapping[str, Any],
    language: str | None = None,
    *,
    cells: Mapping[str, str] | None = None,
    role_of: Mapping[str, Role] | None = None,
) -> tuple[Document, ...]:
    """The documents of a row: its texts, then the cells of columns with a role.

    Several documents differ in their column and share a patient. The cells are known values for the
    texts. Each row is masked independently, so that engines which split a table at different rows
    give the same result.
    """
    meta = {**meta, APART: True}
    cells, role_of = cells or {}, role_of or {}
    if len(texts) + len(cells) == 1 and texts:
        return tuple(Document(name, text, language, meta) for text in texts.values())
    # Without a patient each row is a patient of its own, identified by its texts across files.
    everything = (*texts.values(), *cells.values())
    shared = meta if PATIENT in meta else {PATIENT: name, ROW: everything, **meta}
    known = {column: values for column, values in known_values(cells, role_of).items() if values}
    of_texts = {**shared, KNOWN: _joined(shared.get(KNOWN), known)} if known else shared
    documents = [
        Document(name if len(texts) == 1 else f"{name}:{column}", text, language, of_texts)
        for column, text in texts.items()
    ]
    for column, cell in cells.items():
        role = role_of[column]
        meta = {**shared, WHOLE: role.label}
        if role.part:
            meta[PART] = role.part
        if role.hashed:
            meta[HASH] = True
        documents.append(Document(f"{name}:{column}", cell, language, meta))
    return tuple(documents)


def known_values(cells: Mapping[str, str], role_of: Mapping[str, Role]) -> dict[str, list[str]]:
    """The known values in the cells of a row, by the fields of docs/known.md."""
    fields = column_roles()["known"]
    known: dict[str, list[str]] = {}
    for column, cell in cells.items():
        role = role_of[column]
        name = fields.get(str(role), fields.get(role.label))
        value = cell.strip()
        if not name or not value or _LONGEST_KNOWN < len(value):
            continue
        if name == "birth_dates" and not _is_date(value):
            continue
        known.setdefault(name, []).append(value)
    return known


def _is_date(value: str) -> bool:
    """Whether a value is a whole date in numbers, as a birth date is."""
    found = _DATE.fullmatch(value)
    if not found:
        return False
    first, second, third = (int(part) for part in found.groups() if part)
    orders = (
        [(first, second, third)] if found[1] else [(third, second, first), (third, first, second)]
    )
    for year, month, day in orders:
        try:
            date(year, month, day)
        except ValueError:
            continue
        return True
    return False


def _joined(given: Any, known: Mapping[str, list[str]]) -> dict[str, Any]:
    """The known values of a row, merged with those that its meta already has."""
    joined: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {}
    for name, values in known.items():
        before = joined.get(name, [])
        joined[name] = [*([before] if isinstance(before, str) else before), *values]
    return joined
