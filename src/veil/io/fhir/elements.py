"""What the elements of FHIR resources hold: two data files, read once."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_DATE_ENDINGS = ("Date", "DateTime", "On")


class Kind(Enum):
    """What an element holds."""

    BYTES = "bytes"
    CODE = "code"
    DATE = "date"
    NUMBER = "number"
    OTHER = "other"
    STRUCTURE = "structure"
    TEXT = "text"


@dataclass(frozen=True)
class Elements:
    """The tables of elements.toml, and of r4.toml the names."""

    coded: frozenset[str]
    free: frozenset[str]
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
    hints: Mapping[str, str]
    known: Mapping[str, str]
    terminologies: tuple[str, ...]
    age_codes: frozenset[str]
    dates: frozenset[str]
    instants: Mapping[str, frozenset[str]]
    resources: frozenset[str]
    structures: frozenset[str]
    numbers: frozenset[str]
    others: frozenset[str]
    of_people: Mapping[str, frozenset[str]]
    choices: Mapping[str, Kind]

    def kind(self, key: str) -> Kind | None:
        """What an element of that name holds; None for a name that FHIR does not have."""
        if key.startswith("_"):
            return Kind.STRUCTURE if key[1:] in self._kinds else None
        return self._kinds.get(key)

    def belongs(self, key: str, resource: str) -> bool:
        """Whether a resource may have an element; those of people are known to the last one."""
        names = self.of_people.get(resource)
        return names is None or key.removeprefix("_") in names

    def is_instant(self, key: str, resource: str) -> bool:
        """Whether an element must hold a time to the second."""
        where = self.instants.get(key)
        return where is not None and (not where or resource in where)

    def hint(self, name: str) -> str:
        """The label of what the name of an extension or parameter says, or nothing."""
        return next((label for pattern, label in self._hints if pattern.search(name)), "")

    @cached_property
    def _hints(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(hint, re.IGNORECASE), label) for hint, label in self.hints.items()]

    @cached_property
    def _kinds(self) -> Mapping[str, Kind]:
        kinds = {
            name: Kind.DATE if name.endswith(_DATE_ENDINGS) else Kind.OTHER for name in self.others
        }
        kinds |= self.choices
        for kind, names in (
            (Kind.NUMBER, self.numbers),
            (Kind.STRUCTURE, self.structures),
            (Kind.DATE, self.dates),
            (Kind.TEXT, self.free),
            (Kind.CODE, self.coded | self.links),
            (Kind.OTHER, self.whole),
        ):
            kinds |= dict.fromkeys(names, kind)
        return kinds


@cache
def elements() -> Elements:
    data, names = _read("elements.toml"), _read("r4.toml")
    dates = data.pop("dates")
    every = frozenset(names["every"])
    return Elements(
        coded=frozenset(data.pop("coded")),
        free=frozenset(data.pop("free")),
        links=frozenset(data.pop("links")),
        age_codes=frozenset(data.pop("age_codes")),
        terminologies=tuple(data.pop("terminologies")),
        dates=frozenset(dates["elements"]),
        instants={key: frozenset(where) for key, where in dates["instants"].items()},
        resources=frozenset(names["resources"]),
        structures=frozenset(names["structures"]),
        numbers=frozenset(names["numbers"]),
        others=frozenset(names["others"]),
        of_people={kind: every.union(of_kind) for kind, of_kind in names["people"].items()},
        choices={
            f"{choice}{ending}": Kind(kind)
            for choice in names["choices"]
            for kind, endings in names["types"].items()
            for ending in endings
        },
        **data,
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("veil.io.fhir").joinpath(name).read_text("utf-8"))
