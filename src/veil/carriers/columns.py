"""Which columns of a table hold texts, ids and patients, and the documents of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veil.core.document import PATIENT, Document
from veil.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from veil.carriers.base import CarrierOptions

_PLAIN_NAME = re.compile(r"\w[\w .:/()\-]{0,39}")


@dataclass(frozen=True)
class Columns:
    """The places of a table's columns, counted from 0."""

    texts: Mapping[str, int]
    id: int | None = None
    patient: int | None = None


def choose_columns(names: Sequence[str], options: CarrierOptions, file: Path) -> Columns:
    """Find the columns that the user named, or say which there are."""
    if not options.text_columns:
        raise InputError(
            f"{file}: say which columns hold texts (--text-column); columns: {_shown(names)}"
        )

    def place(name: str) -> int:
        if name not in names:
            raise InputError(f"{file}: no column '{name}'; columns: {_shown(names)}")
        if names.count(name) > 1:
            raise InputError(f"{file}: the column '{name}' comes {names.count(name)} times")
        return names.index(name)

    texts = {name: place(name) for name in options.text_columns}
    id_place, patient_place = (
        place(name) if name is not None else None
        for name in (options.id_column, options.patient_column)
    )
    return Columns(texts, id_place, patient_place)


def _shown(names: Sequence[str]) -> str:
    """Names of columns for a message; one of unusual form may be a piece of a record."""
    return ", ".join(
        name if _PLAIN_NAME.fullmatch(name) else f"(column {number}, of unusual form)"
        for number, name in enumerate(names, start=1)
    )


def row_documents(
    name: str, texts: Mapping[str, str], meta: Mapping[str, Any], language: str | None = None
) -> tuple[Document, ...]:
    """The documents of a row; several are told apart by their columns and share a patient."""
    if len(texts) == 1:
        return tuple(Document(name, text, language, meta) for text in texts.values())
    shared = {PATIENT: name, **meta}
    return tuple(
        Document(f"{name}:{column}", text, language, shared) for column, text in texts.items()
    )
