"""Each route of the service answers as it is described."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import veil
from veil.core.labels import SCHEMES
from veil.languages import language_codes
from veil.replace.policy import policies
from veil.serve.engine import examples

from .conftest import PLANTED

if TYPE_CHECKING:
    from pathlib import Path

NOTE = f"Discharge summary. Patient: {PLANTED}, seen by Dr. Anna Smith on 10/02/2021. BP 145/85."


def post(client: httpx.Client, path: str, **body: Any) -> Any:
    response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_detect_finds_what_the_library_finds(client: httpx.Client) -> None:
    """The spans of /detect are those of `veil.Veil`."""
    answer = post(client, "/detect", text=NOTE)
    expected = veil.Veil().detect(NOTE)
    assert [(each["start"], each["end"], each["label"]) for each in answer["spans"]] == [
        span.key for span in expected
    ]
    assert answer["language"] == "en"


@pytest.mark.parametrize("policy", ["tag", "surrogate", "safe-harbor"])
def test_mask_masks_as_the_library(client: httpx.Client, key_file: Path, policy: str) -> None:
    """The masked text is that of `veil.mask` with the same key and patient."""
    answer = post(client, "/mask", text=NOTE, policy=policy, patient="p1")
    assert answer["text"] == veil.mask(NOTE, policy=policy, key=key_file, patient="p1")
    assert answer["policy"] == policy


def test_spans_of_mask_lead_to_both_texts(client: httpx.Client) -> None:
    """With the replacements of the spans, the original becomes the masked text."""
    text = f"🙂 {NOTE}"
    answer = post(client, "/mask", text=text, policy="surrogate", patient="p2", language="en")
    made, position = "", 0
    for span in answer["spans"]:
        made += text[position : span["start"]]
        kept = span["replacement"] is None
        assert kept == (span["action"] == "keep")
        assert span["new_start"] == len(made)
        made += text[span["start"] : span["end"]] if kept else span["replacement"]
        assert span["new_end"] == len(made)
        position = span["end"]
    assert made + text[position:] == answer["text"]
    assert PLANTED not in answer["text"]


def test_patients_keep_their_surrogates(client: httpx.Client) -> None:
    """A patient's texts have the same surrogates; those of another patient have others."""
    first, again, other = (
        post(client, "/mask", text=NOTE, policy="surrogate", patient=patient)["text"]
        for patient in ("p1", "p1", "p2")
    )
    assert first == again != other


def test_known_values_are_found(client: httpx.Client) -> None:
    """What a request says about its patient is looked for in the text."""
    text = "A sample of Kvasthilda was lost today."
    plain = post(client, "/detect", text=text, language="en")
    told = post(client, "/detect", text=text, language="en", known={"first_name": "Kvasthilda"})
    assert not any(each["source"].startswith("known") for each in plain["spans"])
    assert [(each["start"], each["end"]) for each in told["spans"]] == [(12, 22)]


@pytest.mark.parametrize("code", language_codes())
def test_every_language_is_identified(client: httpx.Client, code: str) -> None:
    """The note of the landing page in each language is masked in that language."""
    note = examples()[code]["text"]
    answer = post(client, "/mask", text=note)
    assert answer["language"] == code
    assert len(answer["spans"]) > 4


def test_explain_names_reasons(client: httpx.Client) -> None:
    """Each span of /explain has sentences about its detector, and the strongest features."""
    answer = post(client, "/explain", text=NOTE, top=3)
    found = post(client, "/detect", text=NOTE)
    assert [each["start"] for each in answer["spans"]] == [each["start"] for each in found["spans"]]
    assert all(each["sentences"] for each in answer["spans"])
    assert all(len(each["features"]) <= 3 for each in answer["spans"])
    assert any(each["features"] for each in answer["spans"])
    assert answer["asked"] is None


def test_explain_says_why_something_was_missed(client: httpx.Client) -> None:
    """A stretch that was not found has causes; one outside the text is refused."""
    start = NOTE.index("BP")
    asked = post(client, "/explain", text=NOTE, start=start, end=start + 9)["asked"]
    assert asked["causes"][0] == "clinical value"
    assert asked["sentences"]
    for wrong in ({"start": 5}, {"start": 5, "end": 5}, {"start": 0, "end": 5000}):
        assert client.post("/explain", json={"text": NOTE, **wrong}).status_code == 422


def test_lists_name_what_there_is(client: httpx.Client) -> None:
    """The lists have all models, policies and schemes; one policy is the default."""
    models = client.get("/models").json()
    assert {each["language"] for each in models} == set(language_codes())
    listed = client.get("/policies").json()
    assert {each["name"] for each in listed} == set(policies())
    assert [each["name"] for each in listed if each["default"]] == ["tag"]
    assert [each["name"] for each in client.get("/schemes").json()] == list(SCHEMES)


def test_probes_answer(client: httpx.Client) -> None:
    """The process is healthy and ready."""
    assert client.get("/health").json()["status"] == "ok"
    assert client.get("/ready").json()["status"] == "ready"


def test_metrics_count_labels_and_routes(client: httpx.Client) -> None:
    """Metrics have counters by label and a histogram of latency, and no text."""
    post(client, "/mask", text=NOTE)
    response = client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = response.text
    assert 'veil_spans_total{label="PATIENT"}' in text
    assert 'veil_request_seconds_bucket{route="/mask",le="+Inf"}' in text
    assert 'veil_requests_total{method="POST",route="/mask",status="200"}' in text
    assert PLANTED.split()[0] not in text


def test_batch_answers_line_by_line(client: httpx.Client) -> None:
    """Each line has its answer in order; a line that fails is withheld, and no other."""
    lines = [
        json.dumps({"id": "a", "text": NOTE, "patient": "p1"}).encode(),
        b"{broken " + PLANTED.encode(),
        b"",
        b'{"text": "\xff"}',
        json.dumps({"id": "b", "text": "Seen by Dr. Anna Smith."}).encode(),
        json.dumps({"id": "c", "text": "x", "language": "tlh"}).encode(),
        json.dumps({"id": "d", PLANTED: 1}).encode(),
        b'{"text": "' + b"x" * 1_100_000 + b'"}',
        b"[" * 100_000,
        json.dumps({"id": "e", "text": ""}).encode(),
    ]
    response = client.post("/batch", params={"policy": "surrogate"}, content=b"\n".join(lines))
    assert response.status_code == 200
    answers = [json.loads(line) for line in response.text.splitlines()]
    assert [each["line"] for each in answers] == [1, 2, 4, 5, 6, 7, 8, 9, 10]
    done = {each["line"] for each in answers if "withheld" not in each}
    assert done == {1, 5, 10}
    alone = post(client, "/mask", text=NOTE, policy="surrogate", patient="p1")
    assert answers[0] == {"line": 1, "id": "a", **alone}
    assert not any(PLANTED in json.dumps(each) for each in answers[1:])


def test_batch_can_detect(client: httpx.Client) -> None:
    """With action=detect the lines have spans and no text."""
    line = json.dumps({"text": NOTE})
    answer = client.post("/batch", params={"action": "detect"}, content=line).json()
    assert answer == {"line": 1, **post(client, "/detect", text=NOTE)}


def test_fhir_resource_is_masked(client: httpx.Client) -> None:
    """A resource stays a resource, without the name of the patient in structure and text."""
    family = PLANTED.split()[1]
    resource = {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"family": family, "given": [PLANTED.split()[0]]}],
        "birthDate": "1950-02-01",
        "text": {"status": "generated", "div": f"<div>Mr. {family} is well.</div>"},
    }
    response = client.post(
        "/fhir/$deidentify",
        params={"policy": "surrogate", "language": "en", "security_label": "PSEUDED"},
        json=resource,
    )
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/fhir+json"
    assert response.headers["veil-withheld"] == "0"
    masked = response.json()
    assert masked["resourceType"] == "Patient"
    assert family not in response.text
    assert masked["name"][0]["family"] in masked["text"]["div"]
    assert masked["birthDate"] != "1950-02-01"
    assert masked["meta"]["security"][0]["code"] == "PSEUDED"


def test_fhir_bundle_is_masked_entry_by_entry(client: httpx.Client) -> None:
    """An entry that cannot be masked is left out, and the others are masked."""
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {"resource": {"resourceType": "Patient", "id": "p1", "name": [{"text": PLANTED}]}},
            {"resource": {"resourceType": "Nonsense", "id": "x", "note": PLANTED}},
            {
                "resource": {
                    "resourceType": "Observation",
                    "id": "o1",
                    "status": "final",
                    "subject": {"reference": "Patient/p1"},
                    "note": [{"text": f"Patient {PLANTED} is well and takes his medication."}],
                }
            },
        ],
    }
    response = client.post("/fhir/$deidentify", json=bundle)
    assert response.status_code == 200, response.text
    kinds = [each["resource"]["resourceType"] for each in response.json()["entry"]]
    assert kinds == ["Patient", "Observation"]
    assert response.headers["veil-withheld"] == "1"
    assert PLANTED not in response.text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"resourceType": "Nonsense", "name": "Zebulon"}',
        b'{"resourceType": "Patient", "id": "\xff"}',
        b'{"a":' * 5000,
        b'{"resourceType": "Patient", "name": "Zebulon", "name": "Zebulon"}',
    ],
)
def test_fhir_errors_are_outcomes_without_text(client: httpx.Client, body: bytes) -> None:
    """What is no resource gives an OperationOutcome that repeats nothing."""
    response = client.post(
        "/fhir/$deidentify", content=body, headers={"content-type": "application/fhir+json"}
    )
    assert response.status_code == 422
    assert response.json()["resourceType"] == "OperationOutcome"
    assert "Zebulon" not in response.text


def test_pages_load_nothing_from_elsewhere(client: httpx.Client) -> None:
    """The pages name no other host, have no inline script or style, and refuse to be framed."""
    for path in ("/", "/docs"):
        response = client.get(path)
        assert response.status_code == 200
        assert "://" not in response.text
        assert "<style" not in response.text
        assert " style=" not in response.text
        assert "<script>" not in response.text
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
        assert response.headers["x-frame-options"] == "DENY"
    landing = client.get("/").text
    assert all(f'data-example="{code}"' in landing for code in language_codes())
    assert all(f'data-policy="{name}"' in landing for name in policies())
    for name in ("page.css", "serve.js"):
        assert client.get(f"/static/{name}").status_code == 200
    assert client.get("/static/..%2fserver.py").status_code == 404


def test_api_page_names_every_route(client: httpx.Client) -> None:
    """The page of the routes has each route of the OpenAPI description."""
    page = client.get("/docs").text
    for path in client.get("/openapi.json").json()["paths"]:
        assert f"<code>{path}</code>" in page
