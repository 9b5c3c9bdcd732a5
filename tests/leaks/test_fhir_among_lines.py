"""FHIR resources are never masked as JSON lines, of which only one key is searched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil.cli import main

if TYPE_CHECKING:
    from pathlib import Path

RESOURCE = {
    "resourceType": "Observation",
    "id": "a",
    "language": "en",
    "text": "BP 120/80, seen today.",
    "valueString": "Mr. Okafor was seen. SSN 321-45-6789",
}


@pytest.mark.parametrize(
    ("first", "code"),
    [("", 0), (json.dumps({"outer": RESOURCE}), 1), (json.dumps({"id": "x", "text": "BP 1"}), 1)],
)
def test_resources_after_another_first_line_are_masked_or_withheld(
    tmp_path: Path, first: str, code: int
) -> None:
    """A blank line changes nothing; after any other line a resource is withheld."""
    source, target = tmp_path / "export.ndjson", tmp_path / "masked.ndjson"
    source.write_text(f"{first}\n{json.dumps(RESOURCE)}\n")
    assert main(["mask", str(source), "-o", str(target), "--workers", "1"]) in (code, code * 2)
    if target.exists():
        assert "321-45-6789" not in target.read_text()
        assert "Okafor" not in target.read_text()
