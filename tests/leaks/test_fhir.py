"""FHIR that does not follow its schema: nothing in it passes without having been looked at."""

from __future__ import annotations

import base64
import json
import re
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

from veil.detect.assembly import default_pipeline
from veil.io.fhir.elements import Kind, elements
from veil.masking.plan import make_plan
from veil.masking.run import Detection, MaskJob, Summary, run_job

if TYPE_CHECKING:
    from collections.abc import Callable

    Mask = Callable[..., tuple[dict[str, Any], Summary, str]]

BASE = "http://hl7.org/fhir/StructureDefinition/"


def coded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


@pytest.fixture(scope="module")
def mask(tmp_path_factory: pytest.TempPathFactory) -> Mask:
    """Mask resources with Veil's models and rules: the lines by id, the summary, all messages."""
    pipeline = default_pipeline("en")

    def mask(
        *resources: dict[str, Any], policy: str = "tag"
    ) -> tuple[dict[str, Any], Summary, str]:
        folder = tmp_path_factory.mktemp("fhir")
        source, target = folder / "a.ndjson", folder / "b.ndjson"
        lines = [json.dumps({"language": "en", **resource}) for resource in resources]
        source.write_text("\n".join(lines), "utf-8")
        job = MaskJob(Detection(lambda: pipeline), policy)
        summary = run_job(make_plan([source], target), job)
        written = target.read_text("utf-8") if target.exists() else ""
        made = {each["id"]: each for each in map(json.loads, filter(None, written.split("\n")))}
        report = (folder / "b.ndjson.veil-report.json").read_text("utf-8")
        return made, summary, report

    return mask


def patient(**members: Any) -> dict[str, Any]:
    return {"resourceType": "Patient", "id": "p", **members}


def extension(value: dict[str, Any], url: str = "http://x.org/e") -> dict[str, Any]:
    return patient(extension=[{"url": url, **value}])


# A resource, and what must not be left of it.
HOSTILE: list[tuple[dict[str, Any], str]] = [
    (patient(birthDate="03/05/1919"), "1919"),
    (patient(birthDate="20190305103000"), "20190305"),
    (patient(birthDate=19190305), "19190305"),
    (patient(birthDate=["1919-03-05"]), "1919-03"),
    (patient(birthDate={"value": "1919-03-05"}), "1919"),
    (patient(birthDate="5 mars 1919"), "mars"),
    (patient(deceasedDateTime="May 5th, 2019 10:30"), "May"),
    (patient(_birthDate={"extension": [{"url": "u", "valueDateTime": "1919/3/5"}]}), "1919"),
    (patient(_birthDate="1919-03-05"), "1919"),
    (patient(identifier=[{"value": 48151623}]), "48151623"),
    (patient(identifier=48151623), "48151623"),
    (patient(identifier=["48151623"]), "48151623"),
    (patient(identifier=[{"value": {"number": "48151623"}}]), "48151623"),
    (patient(identifier=[[{"value": "48151623"}]]), "48151623"),
    (patient(telecom=[{"system": "phone", "value": 5551234567}]), "5551234567"),
    (patient(telecom="555-123-4567"), "4567"),
    (patient(address=[{"postalCode": 48151}]), "48151"),
    (patient(address={"city": ["Zebrowice"]}), "Zebrowice"),
    (patient(address="Zebrowice"), "Zebrowice"),
    (patient(name="Zebrowski"), "Zebrowski"),
    (patient(name=["Zebrowski"]), "Zebrowski"),
    (patient(name=[{"family": {"own": "Zebrowski"}}]), "Zebrowski"),
    (patient(name=[{"first": "Zebrowski"}]), "Zebrowski"),
    (patient(name=[{"family": "A", "prefix": ["Zebrowski"]}]), "Zebrowski"),
    (patient(contact="Zebrowski"), "Zebrowski"),
    (patient(gender="Zebrowski"), "Zebrowski"),
    (extension({"valueInteger": 481516234}), "481516234"),
    (extension({"valueString": "48-1516-234"}), "48-1516"),
    (extension({"valueId": "481516234"}), "481516234"),
    (patient(generalPractitioner="Zebrowski"), "Zebrowski"),
    (patient(ssn="123-45-6789"), "6789"),
    (patient(ssn=123456789), "123456789"),
    (patient(email="hale@example.org"), "hale"),
    (patient(number=48151623), "48151623"),
    (patient(Zebrowski=True), "Zebrowski"),
    (patient(contact=[{"nickname": "Zebrowski"}]), "Zebrowski"),
    (patient(BirthDate="1919-03-05"), "1919"),
    (patient(multipleBirthInteger="Zebrowski"), "Zebrowski"),
    (patient(gender="hale@example.org"), "hale"),
    (patient(meta={"tag": [{"code": "x", "display": "seen by Dr. Zebrowski"}]}), "Zebrowski"),
    (patient(meta={"source": "hale@example.org"}), "hale"),
    (patient(managingOrganization={"reference": "Zebrowski"}), "Zebrowski"),
    (extension({"valueInteger": 123456789}, "http://x.org/ssn"), "123456789"),
    (extension({"valueCode": "48151623"}, "http://x.org/patient-mrn"), "48151623"),
    (extension({"valueString": "Zebrowski"}, "http://x.org/nickName"), "Zebrowski"),
    (extension({"valueDate": "05.03.1919"}), "1919"),
    (extension({"valueUri": "mailto:hale@example.org"}), "hale"),
    (extension({"valueInteger": "Zebrowski"}), "Zebrowski"),
    (extension({"valueBase64Binary": coded("Zebrowski")}), coded("Zebrowski")),
    (extension({"valueContactPoint": {"value": 5551234567}}), "5551234567"),
    (extension({"valueReference": {"display": "Zebrowski", "type": "Patient"}}), "Zebrowski"),
    (extension({"value": "mail to hale@example.org"}), "hale"),
    (
        patient(extension={"url": f"{BASE}geolocation", "extension": [{"valueDecimal": 59.8581}]}),
        "59.8581",
    ),
    (patient(contained=[{"resourceType": "Person", "id": "c", "nick": "Zebrowski"}]), "Zebrowski"),
    (
        {
            "resourceType": "Parameters",
            "id": "p",
            "parameter": [{"name": "ssn", "valueString": "123456789"}],
        },
        "123456789",
    ),
    (
        {"resourceType": "Binary", "id": "p", "contentType": "text/plain", "data": ["Zebrowski"]},
        "Zebrowski",
    ),
    (
        {
            "resourceType": "Observation",
            "id": "p",
            "valueAttachment": {"url": "x", "hash": "Zebrowski", "size": "Zebrowski"},
        },
        "Zebrowski",
    ),
    (
        {"resourceType": "Observation", "id": "p", "valueSampledData": {"data": "Zebrowski"}},
        "Zebrowski",
    ),
    (
        {
            "resourceType": "AuditEvent",
            "id": "p",
            "agent": [{"altId": "zebrowski", "network": {"address": "192.0.2.17"}}],
            "entity": [{"query": coded("zebrowski")}],
        },
        "zebrowski",
    ),
    (
        {
            "resourceType": "Task",
            "id": "p",
            "for": {"reference": "Patient?subject.name=Zebrowski"},
        },
        "Zebrowski",
    ),
]


@pytest.mark.parametrize("policy", ["tag", "surrogate", "safe-harbor", "redact"])
def test_nothing_passes_that_fhir_does_not_have(mask: Mask, policy: str) -> None:
    """What identifies is replaced whatever its type, what FHIR does not have is left out."""
    resources = [{**resource, "id": f"r{n}"} for n, (resource, _) in enumerate(HOSTILE)]
    made, _, report = mask(*resources, policy=policy)
    left = [
        (number, planted)
        for number, (_, planted) in enumerate(HOSTILE)
        if planted in json.dumps(made.get(f"r{number}", ""), ensure_ascii=False)
    ]
    assert left == []
    words = re.sub(r"[0-9a-f]{16,}", "", report)  # digests contain any four digits by chance
    assert not any(planted in words for _, planted in HOSTILE)


@pytest.mark.parametrize(
    "resource",
    [
        {"resourceType": "Zebrowski", "id": "p"},
        {"resourceType": ["Patient"], "id": "p"},
        patient(contained=[{"id": "c", "name": "Zebrowski"}]),
        patient(contained=[{"resourceType": "Zebrowski"}]),
        {
            "resourceType": "Parameters",
            "id": "p",
            "parameter": [{"name": "x", "resource": {"name": "Zebrowski"}}],
        },
    ],
)
def test_resources_of_no_type_are_withheld(mask: Mask, resource: dict[str, Any]) -> None:
    """A resource without a FHIR type is not written, because its content is unknown."""
    made, summary, report = mask(resource)
    assert made == {}
    assert len(summary.withheld) == 1
    assert "Zebrowski" not in report


def test_what_is_left_out_is_reported(mask: Mask) -> None:
    """Each resource that lost something is named with position and count, without the names."""
    _, _, report = mask(patient(ssn="123-45-6789", Zebrowski=1, contact=[{"Hale": 1}]))
    assert "3 element(s)" in report
    assert "ssn" not in report
    assert "Hale" not in report


def test_what_fhir_has_stays(mask: Mask) -> None:
    """Codes, numbers, links and units of a schema-shaped resource are untouched."""
    resource = {
        "language": "en",
        "resourceType": "Observation",
        "id": "o",
        "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "8480-6", "display": "BP"}]},
        "subject": {"reference": "Patient/17"},
        "valueQuantity": {"value": 120.50, "unit": "mm Hg", "code": "mm[Hg]"},
        "component": [{"valueInteger": 250000, "valueBoolean": True}],
        "derivedFrom": [{"reference": "urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0"}],
        "extension": [{"url": "http://x.org/e", "valueCode": "a-b"}],
    }
    made, summary, _ = mask(resource)
    assert made["o"] == resource
    assert summary.is_complete


def test_old_ages(mask: Mask) -> None:
    """With safe-harbor no birth year and no number of a resource tells an age over 89."""
    note = {"contentType": "text/plain", "data": coded("DOB: 03/05/1919. Doing well.")}
    age = {"code": {"coding": [{"system": "http://loinc.org", "code": "30525-0"}]}}
    made, _, _ = mask(
        {"resourceType": "Patient", "id": "1", "birthDate": "1919-03-05"},
        {
            "resourceType": "Patient",
            "id": "2",
            "birthDate": "1919-03-05",
            "deceasedDateTime": "2012-01-05",
            "extension": [
                {"url": "http://x.org/ageAtDeath", "valueAge": {"value": 92, "code": "a"}}
            ],
        },
        {"resourceType": "Patient", "id": "3", "birthDate": "1975-03-05"},
        {"resourceType": "Condition", "id": "4", "onsetAge": {"value": 93, "unit": "years"}},
        {"resourceType": "Condition", "id": "5", "onsetAge": {"value": 89, "unit": "years"}},
        {"resourceType": "Condition", "id": "6", "onsetAge": {"value": 93, "code": "mo"}},
        {"resourceType": "Observation", "id": "7", **age, "valueQuantity": {"value": 93}},
        {"resourceType": "FamilyMemberHistory", "id": "8", "bornDate": "1912"},
        {
            "resourceType": "DocumentReference",
            "id": "9",
            "date": "2012-05-06T10:00:00Z",
            "content": [{"attachment": note}],
        },
        policy="safe-harbor",
    )
    text = base64.b64decode(made["9"]["content"][0]["attachment"]["data"]).decode()
    everything = json.dumps(made) + text
    assert [year for year in ("1919", "1912", "92") if year in everything] == []
    assert made["2"]["deceasedDateTime"] == "2012"
    assert made["3"]["birthDate"] == "1975"
    assert made["5"]["onsetAge"]["value"] == 89
    assert made["6"]["onsetAge"]["value"] == 93
    assert "value" not in made["4"]["onsetAge"]
    assert "value" not in made["7"]["valueQuantity"]


def test_names_of_elements_have_one_meaning() -> None:
    """The tables of names do not contradict each other."""
    folder = resources.files("veil.io.fhir")
    data, r4 = (
        tomllib.loads(folder.joinpath(name).read_text("utf-8"))
        for name in ("elements.toml", "r4.toml")
    )
    names = data["coded"] + data["links"] + data["free"] + r4["structures"] + r4["numbers"]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
    assert not {*r4["structures"], *r4["numbers"]} & {*data["dates"]["elements"]}
    tables = elements()
    assert tables.kind("_birthDate") is Kind.STRUCTURE
    assert tables.kind("valueQuantity") is Kind.STRUCTURE
    assert tables.kind("valueSsn") is None
