"""What in a resource becomes a document, and with which label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from veil.core.labels import scheme
from veil.io.fhir.elements import elements

if TYPE_CHECKING:
    from tests.io.fhir.conftest import RewriteResource

BASE = "http://hl7.org/fhir/StructureDefinition/"
ABSENT = {"extension": [{"url": f"{BASE}data-absent-reason", "valueCode": "masked"}]}


def test_labels_exist() -> None:
    """All labels of the data file are Veil's own."""
    tables = elements()
    named = (
        tables.whole,
        tables.people,
        tables.names,
        tables.displays,
        tables.untyped,
        tables.address,
        tables.telecom,
        tables.identifier_types,
        tables.identifier_systems,
        tables.identifiers,
    )
    labels = {label for table in named for label in table.values()} | set(tables.known)
    assert labels <= set(scheme("veil").labels)


@pytest.mark.parametrize(
    ("kind", "members", "expected"),
    [
        (
            "Patient",
            {"name": [{"family": "Berg", "given": ["Anna", "Eva"], "text": "Anna Berg"}]},
            {
                "name[0].family": ("Berg", "PATIENT", "last"),
                "name[0].given[0]": ("Anna", "PATIENT", "first"),
                "name[0].given[1]": ("Eva", "PATIENT", "first"),
                "name[0].text": ("Anna Berg", "PATIENT", None),
            },
        ),
        (
            "Practitioner",
            {"name": [{"family": "Ek", "prefix": ["Dr"], "suffix": ["MD"]}]},
            {"name[0].family": ("Ek", "DOCTOR", "last")},
        ),
        (
            "Patient",
            {"contact": [{"name": {"text": "Mrs. Eva Berg"}, "telecom": [{"value": "x 1"}]}]},
            {
                "contact[0].name.text": ("Eva Berg", "PATIENT", None),
                "contact[0].telecom[0].value": ("x 1", "CONTACT", None),
            },
        ),
        (
            "Patient",
            {
                "telecom": [
                    {"system": "phone", "value": "070-1"},
                    {"system": "email", "value": "a@b.se"},
                    {"system": "fax", "value": "08-1"},
                    {"system": "url", "value": "http://a.se"},
                ]
            },
            {
                "telecom[0].value": ("070-1", "PHONE", None),
                "telecom[1].value": ("a@b.se", "EMAIL", None),
                "telecom[2].value": ("08-1", "FAX", None),
                "telecom[3].value": ("http://a.se", "URL", None),
            },
        ),
        (
            "Patient",
            {
                "address": [
                    {
                        "use": "home",
                        "line": ["Storgatan 5", "lgh 3"],
                        "city": "Lund",
                        "district": "Skåne",
                        "state": "MA",
                        "postalCode": "111 22",
                        "country": "SE",
                        "text": "Storgatan 5, Lund",
                    }
                ]
            },
            {
                "address[0].line[0]": ("Storgatan 5", "STREET", None),
                "address[0].line[1]": ("lgh 3", "STREET", None),
                "address[0].city": ("Lund", "CITY", None),
                "address[0].district": ("Skåne", "LOCATION-OTHER", None),
                "address[0].state": ("MA", "STATE", None),
                "address[0].postalCode": ("111 22", "ZIP", None),
                "address[0].country": ("SE", "COUNTRY", None),
                "address[0].text": ("Storgatan 5, Lund", "STREET", None),
            },
        ),
        (
            "Patient",
            {
                "identifier": [
                    {"type": {"coding": [{"code": "MR"}]}, "value": "123"},
                    {"system": "http://hl7.org/fhir/sid/us-ssn", "value": "999-12-3456"},
                    {"system": "urn:oid:1.2.752.129.2.1.3.1", "value": "194803121234"},
                    {"value": "x"},
                ]
            },
            {
                "identifier[0].value": ("123", "MEDICALRECORD", None),
                "identifier[1].value": ("999-12-3456", "SSN", None),
                "identifier[2].value": ("194803121234", "SSN", None),
                "identifier[3].value": ("x", "IDNUM", None),
            },
        ),
        (
            "Device",
            {"serialNumber": "SN-1", "identifier": [{"value": "D1"}], "lotNumber": "L1"},
            {
                "serialNumber": ("SN-1", "DEVICE", None),
                "identifier[0].value": ("D1", "DEVICE", None),
            },
        ),
        (
            "Coverage",
            {"subscriberId": "ABC1"},
            {"subscriberId": ("ABC1", "HEALTHPLAN", None)},
        ),
        (
            "Patient",
            {
                "extension": [
                    {"url": f"{BASE}patient-mothersMaidenName", "valueString": "Ek"},
                    {"url": f"{BASE}patient-birthPlace", "valueAddress": {"city": "Lund"}},
                ]
            },
            {
                "extension[0].valueString": ("Ek", "PATIENT", "last"),
                "extension[1].valueAddress.city": ("Lund", "CITY", None),
            },
        ),
        (
            "Observation",
            {
                "valueString": "Anna",
                "note": [{"authorString": "Bo Ek", "text": "ill"}],
                "code": {
                    "text": "pain",
                    "coding": [
                        {"system": "http://loinc.org", "code": "c", "display": "Wilson disease"},
                        {"system": "http://x.org", "code": "c", "display": "Clinic of Dr. Ek"},
                    ],
                },
                "component": [{"valueString": "-"}],
            },
            {
                "valueString": ("Anna", None, None),
                "note[0].authorString": ("Bo Ek", "NAME", None),
                "note[0].text": ("ill", None, None),
                "code.text": ("pain", None, None),
                "code.coding[1].display": ("Clinic of Dr. Ek", None, None),
            },
        ),
        (
            "DiagnosticReport",
            {
                "conclusion": "well",
                "performer": [
                    {"reference": "Practitioner/7", "display": "Dr. Bo Ek"},
                    {"reference": "Organization/2", "display": "Ward 3"},
                    {"type": "Patient", "display": "Anna"},
                    {"display": "Somebody"},
                    {"reference": "urn:uuid:1", "display": "D. Berg"},
                    {"reference": "Device/3", "display": "Pump of Anna"},
                ],
            },
            {
                "conclusion": ("well", None, None),
                "performer[0].display": ("Bo Ek", "DOCTOR", None),
                "performer[1].display": ("Ward 3", "HOSPITAL", None),
                "performer[2].display": ("Anna", "PATIENT", None),
                "performer[3].display": ("Somebody", "NAME", None),
                "performer[4].display": ("D. Berg", "NAME", None),
                "performer[5].display": ("Pump of Anna", None, None),
            },
        ),
        (
            "Communication",
            {"payload": [{"contentString": "Call Anna"}], "status": "completed"},
            {"payload[0].contentString": ("Call Anna", None, None)},
        ),
        (
            "Organization",
            {"name": "Lunds lasarett", "alias": ["SUS"]},
            {"name": ("Lunds lasarett", "HOSPITAL", None), "alias[0]": ("SUS", "HOSPITAL", None)},
        ),
        (
            "FamilyMemberHistory",
            {"name": "Karin", "bornString": "in 1920"},
            {"name": ("Karin", "PATIENT", None), "bornString": ("in 1920", "DATE", None)},
        ),
        (
            "Basic",
            {"preparation": "two words", "reason": "two words", "purpose": "oneword"},
            {
                "preparation": ("two words", None, None),
                "reason": ("two words", None, None),
                "purpose": ("oneword", None, None),
            },
        ),
        (
            "Encounter",
            {
                "period": {"start": "2020-01-02T10:00:00+01:00", "end": "2020-02"},
                "meta": {"lastUpdated": "2020-01-03T00:00:00.000Z", "versionId": "2020-01-01"},
                "length": {"value": 1.0, "unit": "2020-01-01"},
            },
            {
                "period.start": ("2020-01-02", "DATE", None),
                "period.end": ("2020-02", "DATE", None),
                "meta.lastUpdated": ("2020-01-03", "DATE", None),
            },
        ),
        (
            "Encounter",
            {
                "participant": [
                    {
                        "individual": {
                            "reference": "Practitioner?identifier="
                            "http://hl7.org/fhir/sid/us-npi|9999"
                        }
                    }
                ],
                "subject": {"reference": "http://x.org/Patient/1"},
            },
            {"participant[0].individual.reference": ("9999", "LICENSE", None)},
        ),
        (
            "DocumentReference",
            {
                "content": [
                    {"attachment": {"contentType": "text/plain", "url": "Binary/7"}},
                    {"attachment": {"contentType": "text/plain", "url": "file:///Anna.txt"}},
                ]
            },
            {"content[1].attachment.url": ("file:///Anna.txt", "URL", None)},
        ),
    ],
)
def test_documents_of_a_resource(
    resource: RewriteResource,
    kind: str,
    members: dict[str, Any],
    expected: dict[str, tuple[str, str | None, str | None]],
) -> None:
    """Texts and identifiers are documents with label and part; codes and links are none."""
    _, written = resource({"resourceType": kind, "id": "1", **members})
    assert {
        name.removeprefix(f"{kind}/1:"): (doc.text, doc.meta.get("whole"), doc.meta.get("part"))
        for name, doc in written.documents.items()
    } == expected


def test_pictures_signatures_and_positions_are_removed(resource: RewriteResource) -> None:
    """What cannot be masked and is no text leaves without a trace."""
    place = {"url": f"{BASE}geolocation", "extension": [{"url": "latitude", "valueDecimal": 1.5}]}
    other = {"url": "http://x.org/e", "valueCode": "a"}
    result, _ = resource(
        {
            "resourceType": "Patient",
            "photo": [{"contentType": "image/png", "data": "AAAA"}],
            "address": [
                {"extension": [place], "use": "home"},
                {"extension": [other, place], "use": "work"},
            ],
            "contained": [
                {"resourceType": "Location", "position": {"longitude": 1}, "status": "active"},
                {"resourceType": "Provenance", "signature": [{"data": "AAAA"}]},
            ],
        }
    )
    assert result == {
        "resourceType": "Patient",
        "address": [{"use": "home"}, {"extension": [other], "use": "work"}],
        "contained": [
            {"resourceType": "Location", "status": "active"},
            {"resourceType": "Provenance"},
        ],
    }


@pytest.mark.parametrize(
    ("kind", "member", "new", "expected"),
    [
        ("Patient", {"birthDate": "1948-03-12"}, "1949-01-01", {"birthDate": "1949-01-01"}),
        ("Patient", {"birthDate": "1948-03-12"}, "1948", {"birthDate": "1948"}),
        ("Patient", {"birthDate": "1948-03"}, "1948-05", {"birthDate": "1948-05"}),
        ("Patient", {"birthDate": "1948-03-12"}, "[DATE]", {"_birthDate": ABSENT}),
        ("Patient", {"birthDate": "1948-03-12"}, "1949-02-29", {"_birthDate": ABSENT}),
        ("Patient", {"birthDate": "1948-03-12"}, "", {"_birthDate": ABSENT}),
        (
            "Encounter",
            {"period": {"start": "2020-01-02T10:00:00Z"}},
            "2020-03-04",
            {"period": {"start": "2020-03-04T10:00:00Z"}},
        ),
        (
            "Encounter",
            {"period": {"start": "2020-01-02T10:00:00Z"}},
            "2020",
            {"period": {"start": "2020"}},
        ),
        (
            "Appointment",
            {"start": "2020-01-02T10:00:00Z", "status": "booked"},
            "2020",
            {"_start": ABSENT, "status": "booked"},
        ),
        (
            "Patient",
            {"birthDate": "1948-03-12", "_birthDate": {"id": "b"}},
            "[DATE]",
            {"_birthDate": {"id": "b"}},
        ),
        (
            "Basic",
            {"event": ["2020-01-01"]},
            "[DATE]",
            {"event": [None], "_event": [ABSENT]},
        ),
    ],
)
def test_dates_stay_dates(
    resource: RewriteResource,
    kind: str,
    member: dict[str, Any],
    new: str,
    expected: dict[str, Any],
) -> None:
    """A date becomes another date that FHIR allows there, or is marked as masked."""
    result, _ = resource({"resourceType": kind, **member}, lambda _: new)
    assert result == {"resourceType": kind, **expected}


def test_empty_values_are_marked_as_masked(resource: RewriteResource) -> None:
    """FHIR has no empty strings: what a policy removes is marked, in arrays at its place."""
    result, _ = resource(
        {"resourceType": "Patient", "name": [{"family": "Berg", "given": ["Anna", "Eva"]}]},
        lambda doc: "" if doc.text in ("Berg", "Eva") else doc.text,
    )
    assert result["name"] == [
        {"_family": ABSENT, "given": ["Anna", None], "_given": [None, ABSENT]}
    ]


def test_array_with_extensions_that_cannot_be_written(resource: RewriteResource) -> None:
    """An array whose notes have their place taken is refused: the resource is withheld."""
    data = {
        "resourceType": "Patient",
        "name": [{"given": ["Anna"], "_given": [{"id": "x"}]}],
    }
    with pytest.raises(Exception, match="neither be written nor left out"):
        resource(data, lambda _: "")


def test_narrative(resource: RewriteResource) -> None:
    """The text of the narrative changes, its tags and entities stay."""
    div = '<div xmlns="http://www.w3.org/1999/xhtml"><p>Anna &amp; <b>Bo</b></p></div>'
    result, written = resource(
        {"resourceType": "Basic", "text": {"status": "generated", "div": div}}
    )
    assert list(written.texts.values()) == ["Anna & Bo"]
    assert result["text"]["div"] == div.replace("Anna", "Eva")
