"""Which columns of a table hold texts, ids and patients, and the documents of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.document import PATIENT, ROW, Document
from veil.core.errors import InputError
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil.io.base import TableOptions

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
# Matches `admission_date`, `Visit 2`, `ICD-10` and `2019`, not `[NAME]` or `a@b`.
_PLAIN_NAME = re.compile(r"[\w .#-]*")
# Matches the words of `visitDate`, `HADM_ID` and `icd10`.
_NAME_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[^\W\d_]+")
_MOST_DIGITS = 3
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Columns:
    """The indexes of the columns of a table."""

    texts: Mapping[str, int]
    id: int | None = None
    patient: int | None = None


def choose_columns(names: Sequence[str], options: TableOptions, file: Path) -> Columns:
    """Find the columns that the user named.

    No message quotes another name: a table without a header has a record in its first line.
    """
    refuse_shared_columns(options.text_columns, options, file)
    if not options.text_columns:
        raise InputError(
            f"{file}: say which of the {len(names)} columns hold texts (--text-column)"
        )

    def index(name: str) -> int:
        if name not in names:
            raise InputError(f"{file}: no column '{name}'; {_hint(name, names)}")
        if names.count(name) > 1:
            raise InputError(f"{file}: the column '{name}' comes {names.count(name)} times")
        return names.index(name)

    texts = {name: index(name) for name in options.text_columns}
    id_index, patient_index = (
        index(name) if name is not None else None
        for name in (options.id_column, options.patient_column)
    )
    return Columns(texts, id_index, patient_index)


def refuse_shared_columns(texts: Sequence[str], options: TableOptions, file: Path) -> None:
    """Refuse a text that would be an id or a patient too: ids are told in reports and messages."""
    for option, name in (
        ("--id-column", options.id_column),
        ("--patient-column", options.patient_column),
    ):
        if name is not None and name in texts:
            raise InputError(
                f"{file}: the column '{name}' holds texts; {option} must be another one, since "
                "reports name records by their ids"
            )


def is_harmless_name(name: str) -> bool:
    """Whether a column name is made of usual words and small numbers alone."""
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
    """What may be meant by a name that is not there: the same letters, written otherwise."""
    for number, name in enumerate(names, start=1):
        if _letters(name) and _letters(name) == _letters(wanted):
            return f"column {number} of {len(names)} differs only in case, blanks or punctuation"
    return f"none of its {len(names)} columns has that name; is there a header with the names?"


def _letters(name: str) -> str:
    return _NO_LETTER_OR_DIGIT.sub("", name).casefold()


def row_documents(
    name: str, texts: Mapping[str, str], meta: Mapping[str, Any], language: str | None = None
) -> tuple[Document, ...]:
    """The documents of a row; several are told apart by their columns and share a patient."""
    if len(texts) == 1:
        return tuple(Document(name, text, language, meta) for text in texts.values())
    # Without a patient the row is one of its own, which its texts tell from rows of other files.
    shared = meta if PATIENT in meta else {PATIENT: name, ROW: tuple(texts.values()), **meta}
    return tuple(
        Document(f"{name}:{column}", text, language, shared) for column, text in texts.items()
    )
