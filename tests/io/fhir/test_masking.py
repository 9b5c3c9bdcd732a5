"""A bundle masked as a whole: detection, policy and format together."""

from __future__ import annotations

import base64
import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from veil import RecordError
from veil.detect.assembly import default_pipeline
from veil.io import FORMATS, TableOptions
from veil.masking.masker import Masker
from veil.replace.policy import load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "Anna Lindgren sökte 2020-03-05. Hon bor på Storgatan 5. Personnummer 19480312-1234. Dr Ek."
DIV = "<div><p>Lindgren, <b>Anna</b></p><table><tr><td>070-123 45 67</td></tr></table></div>"
BUNDLE = {
    "resourceType": "Bundle",
    "type": "collection",
    "entry": [
        {
            "resource": {
                "resourceType": "DocumentReference",
                "id": "d1",
                "language": "sv",
                "subject": {"reference": "Patient/p1", "display": "Anna Lindgren"},
                "author": [{"reference": "Practitioner/x", "display": "Dr. Bo Ek"}],
                "date": "2020-03-05T10:00:00Z",
                "text": {"status": "additional", "div": DIV},
                "content": [
                    {
                        "attachment": {
                            "contentType": "text/plain",
                            "data": base64.b64encode(NOTE.encode()).decode(),
                        }
                    }
                ],
            }
        },
        {
            "resource": {
                "resourceType": "Patient",
                "id": "p1",
                "language": "sv",
                "identifier": [{"system": "urn:oid:1.2.752.129.2.1.3.1", "value": "19480312-1234"}],
                "name": [{"family": "Lindgren", "given": ["Anna"]}],
                "telecom": [{"system": "phone", "value": "070-123 45 67"}],
                "address": [{"line": ["Storgatan 5"]}],
                "birthDate": "1948-03-12",
                "multipleBirthInteger": 1,
            }
        },
    ],
}
SECRETS = ("Lindgren", "Anna", "Ek", "19480312", "070-123", "Storgatan", "2020-03-05", "1948-03-12")


@pytest.fixture(scope="module")
def masked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The bundle, masked with the policy that a test asks for."""
    folder: Path = tmp_path_factory.mktemp("fhir")
    source, target = folder / "a.json", folder / "b.json"
    source.write_text(json.dumps(BUNDLE), "utf-8")
    file_format, options = FORMATS.get("fhir"), TableOptions()
    key = Key(bytes(range(32)))
    masker = Masker(default_pipeline("sv"), load_policy(request.param), key=key)
    with file_format.writer(source, target, options) as writer:
        for item in file_format.items(source, options):
            assert not isinstance(item, RecordError)
            texts = [masker.mask(doc).document.text for doc in item.documents]
            writer.write(item, texts)
    return json.loads(target.read_text("utf-8"))


@pytest.mark.parametrize("masked", ["tag", "surrogate", "safe-harbor", "redact"], indirect=True)
def test_no_original_is_left(masked: Any) -> None:
    """No name, number, address or date of the patient is anywhere in the masked bundle."""
    document = masked["entry"][0]["resource"]
    attachment = document["content"][0]["attachment"]["data"]
    everything = json.dumps(masked, ensure_ascii=False) + base64.b64decode(attachment).decode()
    assert [secret for secret in SECRETS if secret in everything] == []
    assert masked["entry"][1]["resource"]["multipleBirthInteger"] == 1


@pytest.mark.parametrize("masked", ["surrogate"], indirect=True)
def test_structure_and_text_agree(masked: Any) -> None:
    """The patient has one new name and one shift of dates in elements, narrative and note."""
    document, patient = (entry["resource"] for entry in masked["entry"])
    family = patient["name"][0]["family"]
    note = base64.b64decode(document["content"][0]["attachment"]["data"]).decode()
    assert family in note
    assert family in document["text"]["div"]
    assert document["subject"]["display"].endswith(family)
    visit = document["date"].removesuffix("T10:00:00Z")
    assert visit in note
    days = date.fromisoformat(visit) - date.fromisoformat(patient["birthDate"])
    assert days == date(2020, 3, 5) - date(1948, 3, 12)
