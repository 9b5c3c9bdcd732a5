"""A resource in a language that Veil does not know never stops a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("policy", ["surrogate", "safe-harbor", "gdpr-strict"])
def test_dates_and_names_of_resources_in_other_languages_are_replaced(
    tmp_path: Path, policy: str
) -> None:
    """Identifiers that are whole elements need no language; the run goes on to its end."""
    resources: list[dict[str, object]] = [
        {
            "resourceType": "Condition",
            "id": "c",
            "language": "fr",
            "recordedDate": "2014-03-05",
        },
        {"resourceType": "Practitioner", "id": "d", "language": "fr", "name": [{"family": "Hale"}]},
        {"resourceType": "Condition", "id": "e", "language": "en", "recordedDate": "2014-03-06"},
    ]
    source, target = tmp_path / "export.ndjson", tmp_path / "masked.ndjson"
    source.write_text("".join(json.dumps(each) + "\n" for each in resources))
    code = main(["mask", str(source), "-o", str(target), "--policy", policy, "--workers", "1"])
    written = [json.loads(line) for line in target.read_text().splitlines()]
    assert code == 0
    assert [each["id"] for each in written] == ["c", "d", "e"]
    assert "2014-03-0" not in target.read_text()
    assert "Hale" not in target.read_text()
