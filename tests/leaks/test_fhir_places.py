"""Strings planted at every place of ordinary resources: searched, replaced, or left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from veil import RecordError
from veil.io import FORMATS, TableOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    Place = tuple[str | int, ...]

DATA = Path(__file__).parent.parent / "data" / "fhir-r4.ndjson"
RESOURCES = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
LAST = 3  # places with the same names at their ends are treated alike
FORMAT, OPTIONS = FORMATS.get("fhir-ndjson"), TableOptions()
# What docs/fhir.md says stays: ids, codes and displays of terminologies, units, measurements.
CODES = {"id", "display", "unit", "expression"}
NUMBERS = {"id", "code", "value", "total", "factor", "lowerLimit", "upperLimit", "valueDecimal"}


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Where the strings, numbers and booleans of a resource stand."""
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in members:
            yield from places(inner, (*place, key))
    elif place[-1] != "resourceType":
        yield place


def planted(resource: dict[str, Any], place: Place, plant: object) -> str:
    """A resource with another value at a place."""
    copy = value = json.loads(json.dumps(resource))
    for key in place[:-1]:
        value = value[key]
    value[place[-1]] = plant
    return json.dumps(copy, ensure_ascii=False)


def survivors(value: Any, plant: str, key: str = "") -> Iterator[str]:
    """The elements in which a planted string stands."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from survivors(inner, plant, name)
    elif isinstance(value, list):
        for inner in value:
            yield from survivors(inner, plant, key)
    elif plant in str(value):
        yield key


def test_ordinary_resources_lose_nothing() -> None:
    """Of resources that follow FHIR R4 no element is left out."""
    assert [item for item in FORMAT.items(DATA, OPTIONS) if isinstance(item, RecordError)] == []


@pytest.mark.parametrize(
    ("plant", "needle", "may_stay"),
    [
        ("Zebrowski", "Zebrowski", CODES),
        ("Marek Zebrowski", "Zebrowski", CODES - {"id"}),
        ("山田", "山田", CODES - {"id"}),
        ("418-36-5927", "418-36-5927", CODES - {"unit", "expression"}),
        ("qzeb@example.org", "qzeb", {"display"}),
        ("03/05/1919", "03/05/1919", {"display"}),
        (418365927, "418365927", NUMBERS),
        ({"Zebrowski": "Zebrowski"}, "Zebrowski", set()),
        ([["Zebrowski"]], "Zebrowski", set()),
    ],
)
def test_planted_strings(tmp_path: Path, plant: object, needle: str, may_stay: set[str]) -> None:
    """With all documents empty, a planted string is left in elements for codes alone."""
    source = tmp_path / "a.ndjson"
    lines = {
        tuple(key for key in place if isinstance(key, str))[-LAST:]: planted(resource, place, plant)
        for resource in RESOURCES
        for place in places(resource)
    }
    source.write_text("\n".join(lines.values()), "utf-8")
    left = set()
    for item in FORMAT.items(source, OPTIONS):
        if isinstance(item, RecordError):
            assert needle not in item.reason
            continue
        try:
            text = item.payload.render([""] * len(item.documents))
        except RecordError:  # withheld
            continue
        if needle in text:
            left |= set(survivors(json.loads(text), needle))
            assert "Zebrowski" not in json.loads(text)
    assert left - may_stay == set()
