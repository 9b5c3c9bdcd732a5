"""What the elements of FHIR resources hold: a data file, read once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_PARTIAL_ENDINGS = ("Date", "DateTime", "On")


@dataclass(frozen=True)
class Elements:
    """The tables of elements.toml."""

    coded: frozenset[str]
    free: frozenset[str]
    whole: Mapping[str, str]
    people: Mapping[str, str]
    names: Mapping[str, str]
    displays: Mapping[str, str]
    untyped: Mapping[str, str]
    address: Mapping[str, str]
    telecom: Mapping[str, str]
    identifier_types: Mapping[str, str]
    identifier_systems: Mapping[str, str]
    identifiers: Mapping[str, str]
    known: Mapping[str, str]
    partial_dates: frozenset[str]
    instants: Mapping[str, frozenset[str]]

    def may_be_partial(self, key: str) -> bool:
        """Whether an element may hold a year alone."""
        return key in self.partial_dates or key.endswith(_PARTIAL_ENDINGS)

    def is_instant(self, key: str, resource: str) -> bool:
        """Whether an element must hold a time to the second."""
        where = self.instants.get(key)
        return where is not None and (not where or resource in where)


@cache
def elements() -> Elements:
    data = tomllib.loads(
        resources.files("veil.carriers.fhir").joinpath("elements.toml").read_text("utf-8")
    )
    dates = data.pop("dates")
    coded, free = (frozenset(data.pop(name)) for name in ("coded", "free"))
    return Elements(
        coded=coded,
        free=free,
        partial_dates=frozenset(dates["partial"]),
        instants={key: frozenset(where) for key, where in dates["instants"].items()},
        **data,
    )
