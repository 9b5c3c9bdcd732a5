"""The contents of FHIR elements: two data files, read once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

_DATE_ENDINGS = ("Date", "DateTime", "On")


class Kind(Enum):
    """The kind of content of an element."""

    BYTES = "bytes"
    CODE = "code"
    DATE = "date"
    NUMBER = "number"
    OTHER = "other"
    STRUCTURE = "structure"
    TEXT = "text"


@dataclass(frozen=True)
class Elements:
    """The tables of elements.toml, and the kinds of the names in r4.toml."""

    links: frozenset[str]
    whole: Mapping[str, str]
    scalars: Mapping[str, str]
    addresses: Mapping[str, str]
    people: Mapping[str, str]
    names: Mapping[str, str]
    displays: Mapping[str, str]
    untyped: Mapping[str, str]
    address: Mapping[str, str]
    telecom: Mapping[str, str]
    identifier_types: Mapping[str, str]
    identifier_systems: Mapping[str, str]
    identifiers: Mapping[str, str]
    hints: Mapping[re.Pattern[str], str]
    known: Mapping[str, str]
    terminologies: tuple[str, ...]
    age_codes: frozenset[str]
    instants: Mapping[str, list[str]]
    resources: frozenset[str]
    of_people: Mapping[str, set[str]]
    kinds: Mapping[str, Kind]

    def kind(self, key: str) -> Kind | None:
        """The kind of an element by its name; None if FHIR does not define the name."""
        if key.startswith("_"):
            return Kind.STRUCTURE if key[1:] in self.kinds else None
        return self.kinds.get(key)

    def belongs(self, key: str, resource: str) -> bool:
        """Whether a resource may have an element; always true for resources not about people."""
        names = self.of_people.get(resource)
        return names is None or key.removeprefix("_") in names

    def is_instant(self, key: str, resource: str) -> bool:
        """Whether an element must hold a time to the second."""
        where = self.instants.get(key)
        return where is not None and (not where or resource in where)

    def hint(self, name: str) -> str:
        """The label that the name of an extension or parameter suggests, or nothing."""
        return next((label for pattern, label in self.hints.items() if pattern.search(name)), "")


@cache
def elements() -> Elements:
    data, names = _read("elements.toml"), _read("r4.toml")
    dates = data.pop("dates")
    kinds = {
        name: Kind.DATE if name.endswith(_DATE_ENDINGS) else Kind.OTHER for name in names["others"]
    }
    for kind, endings in names["types"].items():
        kinds |= {f"{name}{end}": Kind(kind) for name in names["choices"] for end in endings}
    for special, of_kind in (
        (Kind.NUMBER, names["numbers"]),
        (Kind.STRUCTURE, names["structures"]),
        (Kind.DATE, dates["elements"]),
        (Kind.TEXT, data.pop("free")),
        (Kind.CODE, data.pop("coded") + data["links"]),
        (Kind.OTHER, data["whole"]),
    ):
        kinds |= dict.fromkeys(of_kind, special)
    return Elements(
        links=frozenset(data.pop("links")),
        age_codes=frozenset(data.pop("age_codes")),
        terminologies=tuple(data.pop("terminologies")),
        hints={re.compile(hint, re.I): label for hint, label in data.pop("hints").items()},
        instants=dates["instants"],
        resources=frozenset(names["resources"]),
        of_people={kind: {*names["every"], *own} for kind, own in names["people"].items()},
        kinds=kinds,
        **data,
    )


def _read(name: str) -> dict[str, Any]:
    return read_toml(Path(__file__).with_name(name))
