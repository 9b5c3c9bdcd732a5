"""The contents of HL7 v2 fields: two data files, read once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = frozenset({"XPN", "PN", "XCN", "PPN", "CNN", "CN", "CN_SIMPLE", "NDL", "FN"})
"""Data types of people."""
CODES = frozenset({"CWE", "CE", "CNE", "CF"})
"""Data types of codes with texts: code, text and system, up to three times."""


@dataclass(frozen=True)
class Fields:
    """The tables of fields.toml and v2.toml."""

    segments: Mapping[str, tuple[str, ...]]
    types: Mapping[str, tuple[str, ...]]
    primitives: Mapping[str, str]
    components: Mapping[str, Mapping[str, str]]
    fields: Mapping[str, Mapping[str, str]]
    people: Mapping[str, str]
    patient_segments: frozenset[str]
    relatives: frozenset[str]
    charsets: Mapping[str, str]
    systems: frozenset[str]
    system_pattern: re.Pattern[str]

    def field_type(self, segment: str, number: int) -> str | None:
        """The data type of a field, or None if HL7 does not define it."""
        types = self.segments[segment]
        return types[number - 1] if number <= len(types) else None

    def field_treatment(self, segment: str, number: int) -> str:
        return self.fields.get(segment, {}).get(str(number), "")

    def component_treatment(self, kind: str, number: int) -> str:
        return self.components.get(kind, {}).get(str(number), "")

    def is_public(self, system: str) -> bool:
        """Whether a code system is a terminology, whose texts do not name people."""
        return system.upper() in self.systems or self.system_pattern.fullmatch(system) is not None


@cache
def hl7_fields() -> Fields:
    data, names = _read("fields.toml"), _read("v2.toml")
    return Fields(
        segments={name: tuple(kinds.split()) for name, kinds in names["segments"].items()},
        types={name: tuple(kinds.split()) for name, kinds in names["types"].items()},
        primitives=data["primitives"],
        components=data["components"],
        fields=data["fields"],
        people=data["people"],
        patient_segments=frozenset(data["patient"]["segments"]),
        relatives=frozenset(data["patient"]["relatives"]),
        charsets=data["charsets"],
        systems=frozenset(data["terminologies"]["systems"]),
        system_pattern=re.compile(data["terminologies"]["pattern"]),
    )


def _read(name: str) -> dict[str, Any]:
    return read_toml(Path(__file__).with_name(name))
