"""Security labels of masked resources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from veil import InputError, mask_files
from veil.io.fhir.items import with_security_label

if TYPE_CHECKING:
    from pathlib import Path

SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
LABEL = {"system": SYSTEM, "code": "PSEUDED", "display": "pseudonymized"}


@pytest.mark.parametrize(
    "meta",
    [
        None,
        {},
        {"versionId": "1"},
        {"security": []},
        {"security": [{"code": "R"}], "versionId": "1"},
        {"security": [LABEL]},
    ],
)
def test_label_is_added_once(meta: dict[str, Any] | None) -> None:
    """The label stands in `meta.security` beside others, and everything else stays."""
    resource = {"resourceType": "Patient", "id": "1"} | ({} if meta is None else {"meta": meta})
    text = with_security_label(json.dumps(resource), "PSEUDED")
    made = json.loads(text)
    assert made["meta"]["security"].count(LABEL) == 1
    assert with_security_label(text, "PSEUDED") == text
    others = {key: value for key, value in made.items() if key != "meta"}
    assert others == {key: value for key, value in resource.items() if key != "meta"}
    entry = json.loads(with_security_label(json.dumps({"resource": resource}), "PSEUDED"))
    assert entry == {"resource": made}


@pytest.mark.parametrize("name", ["a.ndjson", "a.json", "b.json"])
def test_masked_resources_are_labelled(name: str, tmp_path: Path) -> None:
    """On request all masked resources of a file have the label, those of a bundle each."""
    patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Berg"}]}
    entry = {"fullUrl": "urn:uuid:1", "resource": patient}
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [entry, {}]}
    data = json.dumps(bundle if name == "b.json" else patient) + "\n"
    (tmp_path / name).write_text(data, "utf-8")
    mask_files(tmp_path / name, tmp_path / f"out-{name}", security_label="pseuded", lang="en")
    made = json.loads((tmp_path / f"out-{name}").read_text("utf-8"))
    resource = made["entry"][0]["resource"] if name == "b.json" else made
    assert resource["meta"]["security"] == [LABEL]
    assert resource["name"] != patient["name"]


def test_unknown_label_is_refused(tmp_path: Path) -> None:
    """Only the two codes for masked data are labels of masked data."""
    (tmp_path / "a.json").write_text('{"resourceType": "Patient"}', "utf-8")
    with pytest.raises(InputError, match="known: ANONYED, PSEUDED"):
        mask_files(tmp_path / "a.json", tmp_path / "b.json", security_label="secret")
