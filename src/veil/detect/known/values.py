"""Known values: what is known of the people of a record before its text is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Self

from veil.core.errors import InputError
from veil.core.toml import read_toml
from veil.detect.known.dates import parse_date
from veil.lexicons.folding import fold, without_diacritics

LONGEST_VALUE = 1000
"""A longer value is a mistake, such as the note itself in a cell of the table."""

# Values that mark an empty cell.
_NOTHING = frozenset(
    """
    n/a n.a. nil null none nan unknown unspecified anonymous not_available not_known desconocido
    desconocida ninguno ninguna s/d okänd okänt saknas ingen 不明 なし 無し
    """.split()
)
_WORD_CHARACTER = re.compile(r"\w")
_BETWEEN_WORDS = re.compile(r"[\s_.\-]+")


@dataclass(frozen=True, repr=False)
class Known:
    """Values of one record's structured part, each a string or several.

    Names may be written "Anna Lindgren" or "Lindgren, Anna"; a Japanese name should have a space
    between family and given name. `readings` are Japanese names in kana. `relatives` and `doctors`
    are names of other people. Blank values and values such as "n/a" are ignored.
    """

    names: Sequence[str] = ()
    first_names: Sequence[str] = ()
    last_names: Sequence[str] = ()
    readings: Sequence[str] = ()
    relatives: Sequence[str] = ()
    doctors: Sequence[str] = ()
    birth_dates: Sequence[str] = ()
    national_ids: Sequence[str] = ()
    medical_records: Sequence[str] = ()
    health_plans: Sequence[str] = ()
    accounts: Sequence[str] = ()
    licenses: Sequence[str] = ()
    vehicles: Sequence[str] = ()
    devices: Sequence[str] = ()
    ids: Sequence[str] = ()
    phones: Sequence[str] = ()
    faxes: Sequence[str] = ()
    emails: Sequence[str] = ()
    urls: Sequence[str] = ()
    usernames: Sequence[str] = ()
    addresses: Sequence[str] = ()
    cities: Sequence[str] = ()
    states: Sequence[str] = ()
    countries: Sequence[str] = ()
    zips: Sequence[str] = ()
    hospitals: Sequence[str] = ()
    employers: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in field_names():
            object.__setattr__(self, name, _clean(name, getattr(self, name)))
        if not all(map(parse_date, self.birth_dates)):
            raise InputError("birth_dates: a value is no date; write it like 1948-03-12")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Make one from a mapping whose keys are fields or names of columns: `{"dob": ...}`."""
        found: dict[str, list[str]] = {}
        for number, (key, value) in enumerate(values.items(), start=1):
            name = field_of(key)
            if name is None:  # named by its number: a key may be text of a record
                raise InputError(
                    f"key {number} of {len(values)} of the known values is unknown; known: "
                    f"{', '.join(column_names())}"
                )
            if value is None:
                continue
            items = [value] if isinstance(value, str) else value
            if not isinstance(items, list | tuple):
                raise InputError(f"{name}: a value must be a string or a list of strings")
            found.setdefault(name, []).extend(items)
        return cls(**found)

    def __or__(self, other: Known) -> Known:
        """The values of both."""
        return Known(
            **{name: (*getattr(self, name), *getattr(other, name)) for name in field_names()}
        )

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in field_names())

    def __repr__(self) -> str:
        """Show the number of values, but not the values."""
        counts = ((name, len(getattr(self, name))) for name in field_names())
        return f"Known({', '.join(f'{name}: {count}' for name, count in counts if count)})"


@cache
def field_names() -> tuple[str, ...]:
    """The names of the fields of `Known`."""
    return tuple(field.name for field in fields(Known))


def field_of(column: str, section: str = "fields") -> str | None:
    """Return the field that a column or a key stands for.

    With the section "keys" it is "record" or "patient", if the column contains their ids.
    """
    return _names_by_column(section).get(_column_key(column))


@cache
def _read_columns() -> dict[str, Any]:
    """Read the names of columns in tables of patients."""
    return read_toml(Path(__file__).with_name("columns.toml"))


def column_names() -> tuple[str, ...]:
    """The preferred name of each column, those of ids first."""
    data = _read_columns()
    fields = (aliases[0].replace(" ", "_") for aliases in data["fields"].values())
    return (*data["keys"], *fields)


@cache
def _names_by_column(section: str) -> dict[str, str]:
    columns = _read_columns()[section]
    return {
        _column_key(alias): name for name, aliases in columns.items() for alias in (name, *aliases)
    }


def _column_key(column: str) -> str:
    return _BETWEEN_WORDS.sub("", without_diacritics(fold(column)))


def _clean(name: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str):
        values = (values,)
    kept: dict[str, None] = {}
    for value in values if isinstance(values, Sequence) else (values,):
        if not isinstance(value, str):
            raise InputError(f"{name}: a value must be a string")
        if LONGEST_VALUE < len(value):
            raise InputError(f"{name}: a value is longer than {LONGEST_VALUE} characters")
        value = " ".join(value.split())
        if _WORD_CHARACTER.search(value) and value.lower() not in _NOTHING:
            kept[value] = None
    return tuple(kept)
