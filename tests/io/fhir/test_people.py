from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from veil import RecordError
from veil.core.document import KNOWN, PATIENT, WHOLE
from veil.detect.known import Known
from veil.io import FORMATS, TableOptions

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Document

ANNA = {
    "resourceType": "Patient",
    "id": "p1",
    "identifier": [
        {"system": "urn:oid:1.2.752.129.2.1.3.1", "value": "19480312-1234"},
        {"type": {"coding": [{"code": "MR"}]}, "value": "MR-77"},
    ],
    "name": [{"family": "Lindgren", "given": ["Anna", "Karin"]}, {"text": "Anna Ek"}],
    "telecom": [{"system": "phone", "value": "070-123 45 67"}],
    "birthDate": "1948-03-12",
    "address": [{"line": ["Storgatan 5"], "city": "Lund", "postalCode": "111 22"}],
    "contact": [{"name": {"text": "Erik Lindgren"}}],
}
EK = {"resourceType": "Practitioner", "id": "d1", "name": [{"family": "Ek", "given": ["Bo"]}]}
SON = {
    "resourceType": "RelatedPerson",
    "id": "r1",
    "patient": {"reference": "Patient/p1"},
    "name": [{"text": "Olle Lindgren"}],
}


def note(subject: Any, **members: Any) -> dict[str, Any]:
    return {"resourceType": "Observation", "id": "o", "subject": subject, **members} | {
        "valueString": "text"
    }


def documents(file: Path) -> dict[str, Document]:
    file_format = FORMATS.get("fhir" if file.suffix == ".json" else "fhir-ndjson")
    items = file_format.items(file, TableOptions())
    return {
        doc.id: doc for item in items if not isinstance(item, RecordError) for doc in item.documents
    }


def ndjson(file: Path, *resources: dict[str, Any]) -> Path:
    file.write_text("".join(f"{json.dumps(each)}\n" for each in resources), "utf-8")
    return file


def test_what_is_known_of_a_patient(tmp_path: Path) -> None:
    """The values of a Patient anywhere in the file are known for texts about it, and sound."""
    file = ndjson(tmp_path / "a.ndjson", note({"reference": "Patient/p1"}), ANNA, SON)
    known = documents(file)["Observation/o:valueString"].meta[KNOWN]
    assert known == {
        "names": ["Anna Karin Lindgren", "Anna Ek"],
        "first_names": ["Anna", "Karin"],
        "last_names": ["Lindgren"],
        "birth_dates": ["1948-03-12"],
        "national_ids": ["19480312-1234"],
        "medical_records": ["MR-77"],
        "phones": ["070-123 45 67"],
        "addresses": ["Storgatan 5"],
        "cities": ["Lund"],
        "zips": ["111 22"],
        "relatives": ["Erik Lindgren", "Olle Lindgren"],
    }
    assert Known.of(known)


def test_known_of_one_patient_are_not_those_of_another(tmp_path: Path) -> None:
    """What is known of one patient is not looked for in texts about another."""
    other = {"resourceType": "Patient", "id": "p2", "name": [{"family": "Ruiz"}]}
    file = ndjson(tmp_path / "a.ndjson", ANNA, other, note({"reference": "Patient/p2"}))
    doc = documents(file)["Observation/o:valueString"]
    assert doc.meta == {PATIENT: "p2", KNOWN: {"names": ["Ruiz"], "last_names": ["Ruiz"]}}


def test_practitioners_and_shown_names(tmp_path: Path) -> None:
    """Practitioners that a resource refers to, and names that it shows, are known in it."""
    file = ndjson(
        tmp_path / "a.ndjson",
        EK,
        note(
            {"reference": "Patient/p9", "display": "Ana Ruiz"},
            performer=[
                {"reference": "Practitioner/d1"},
                {"reference": "Practitioner/d2", "display": "Dr. Eva Lund"},
                {"reference": "Organization/o", "display": "Lunds lasarett"},
                {"reference": "RelatedPerson/r", "display": "Olle Ruiz"},
                {"display": "Ulla Berg"},
            ],
        ),
    )
    assert documents(file)["Observation/o:valueString"].meta[KNOWN] == {
        "names": ["Ana Ruiz"],
        "doctors": ["Bo Ek", "Eva Lund", "Ulla Berg"],
        "relatives": ["Olle Ruiz"],
        "hospitals": ["Lunds lasarett"],
    }


def test_bulk_exports_have_people_in_files_of_their_own(tmp_path: Path) -> None:
    """Files named after people beside a file are looked into, and only those."""
    ndjson(tmp_path / "1.Patient.ndjson", ANNA)
    ndjson(tmp_path / "Practitioner-000.ndjson", EK)
    ndjson(tmp_path / "Inpatients.ndjson", {**ANNA, "name": [{"text": "Nobody"}]})
    file = ndjson(tmp_path / "Observation.ndjson", note({"reference": "Patient/p1"}))
    known = documents(file)["Observation/o:valueString"].meta[KNOWN]
    assert known["names"] == ["Anna Karin Lindgren", "Anna Ek"]
    assert known["doctors"] == ["Bo Ek"]


def test_changed_files_of_people_are_read_again(tmp_path: Path) -> None:
    """What was read of the people beside a file is not kept when their file changes."""
    file = ndjson(tmp_path / "Observation.ndjson", note({"reference": "Patient/p1"}))
    for name in ("Ana Ruiz", "Eva Mora Gil"):
        ndjson(tmp_path / "Patient.ndjson", {**ANNA, "name": [{"text": name}]})
        assert documents(file)["Observation/o:valueString"].meta[KNOWN]["names"] == [name]


def test_japanese_names(tmp_path: Path) -> None:
    """The family name comes first, and a name in kana is a reading."""
    patient = {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"family": "山田", "given": ["花子"]}, {"text": "ヤマダ ハナコ"}],
    }
    file = ndjson(tmp_path / "a.ndjson", patient, note({"reference": "Patient/p1"}))
    known = documents(file)["Observation/o:valueString"].meta[KNOWN]
    assert known["names"] == ["山田 花子"]
    assert known["readings"] == ["ヤマダ ハナコ"]


@pytest.mark.parametrize(
    ("subject", "patient"),
    [
        ({"reference": "Patient/p1"}, "p1"),
        ({"reference": "https://x.org/fhir/Patient/p1/_history/3"}, "p1"),
        ({"reference": "urn:uuid:aaaa"}, "aaaa"),
        ({"identifier": {"value": "19480312-1234"}}, "19480312-1234"),
        ({"reference": "#in"}, "Observation/o#in"),
        ({"reference": "Group/g"}, "Observation/o"),
        ({}, "Observation/o"),
    ],
)
def test_whom_a_resource_is_about(tmp_path: Path, subject: dict[str, Any], patient: str) -> None:
    """The patient is the one of the reference, without server and version, or the resource."""
    file = ndjson(tmp_path / "a.ndjson", note(subject))
    assert documents(file)["Observation/o:valueString"].meta[PATIENT] == patient


@pytest.mark.parametrize(
    "member",
    [
        {"patient": {"reference": "Patient/p1"}},
        {"beneficiary": {"reference": "Patient/p1"}},
        {"subject": [{"reference": "Patient/p1"}]},
        {"for": {"reference": "Patient/p1"}},
        {
            "participant": [
                {"actor": {"reference": "Practitioner/x"}},
                {"actor": {"reference": "Patient/p1"}},
            ]
        },
    ],
)
def test_elements_that_refer_to_the_patient(tmp_path: Path, member: dict[str, Any]) -> None:
    """Resources name their patient in different elements."""
    file = ndjson(
        tmp_path / "a.ndjson", {"resourceType": "Basic", "id": "1", "comment": "a"} | member
    )
    assert documents(file)["Basic/1:comment"].meta[PATIENT] == "p1"


def test_people_inside_a_resource(tmp_path: Path) -> None:
    """Contained people are known in their resource alone."""
    inside = [{**ANNA, "id": "in"}, {**EK, "id": "doc"}]
    first = note({"reference": "#in"}, contained=inside)
    second = {**note({"reference": "#in"}), "id": "o2"}
    file = ndjson(tmp_path / "a.ndjson", first, second)
    found = documents(file)
    known = found["Observation/o:valueString"].meta[KNOWN]
    assert known["names"] == ["Anna Karin Lindgren", "Anna Ek"]
    assert known["doctors"] == ["Bo Ek"]
    assert KNOWN not in found["Observation/o2:valueString"].meta


def test_bundle_of_one_patient(tmp_path: Path) -> None:
    """In a bundle with one patient, all resources are about that patient, whatever their names."""
    anna = {key: value for key, value in ANNA.items() if key != "id"}
    entries = [
        {"fullUrl": "urn:uuid:dd", "resource": EK},
        {"fullUrl": "urn:uuid:aa", "resource": anna},
        {"resource": note({"reference": "urn:uuid:aa"})},
    ]
    file = tmp_path / "b.json"
    file.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    found = documents(file)
    assert {doc.meta[PATIENT] for doc in found.values()} == {"aa"}
    known = found["Observation/o:resource.valueString"].meta[KNOWN]
    assert known["names"] == ["Anna Karin Lindgren", "Anna Ek"]
    assert known["doctors"] == ["Bo Ek"]


def test_two_patients_of_a_bundle_are_told_apart(tmp_path: Path) -> None:
    """With several patients, a practitioner's resource is about nobody else."""
    entries = [{"resource": each} for each in (ANNA, {**ANNA, "id": "p2"}, EK)]
    file = tmp_path / "b.json"
    file.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    patients = {name.partition(":")[0]: doc.meta[PATIENT] for name, doc in documents(file).items()}
    assert patients == {
        "Patient/p1": "p1",
        "Patient/p2": "p2",
        "Practitioner/d1": "Practitioner/d1",
    }


def test_values_that_cannot_be_known_are_left_out(tmp_path: Path) -> None:
    """Partial birth dates and values of unusual length do not reach the detector."""
    patient = {**ANNA, "birthDate": "1948", "name": [{"text": "x" * 5000}]}
    file = ndjson(tmp_path / "a.ndjson", patient, note({"reference": "Patient/p1"}))
    known = documents(file)["Observation/o:valueString"].meta[KNOWN]
    assert "birth_dates" not in known
    assert "names" not in known
    assert Known.of(known)


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("Lindgren", "PATIENT"),
        ("lindgren-anna", "PATIENT"),
        ("LindgrenStudy2020", "PATIENT"),
        ("LINDGREN_KARIN", "PATIENT"),
        ("194803121234", "SSN"),
        ("x-19480312-1234", "SSN"),
        ("Lund", "CITY"),
        ("Lindgrenska", None),
        ("planned", None),
        ("Ek", "PATIENT"),
        ("EK", None),
        ("Bo", "DOCTOR"),
        ("Lundby", None),
    ],
)
def test_one_word_that_names_a_known_person(tmp_path: Path, word: str, label: str | None) -> None:
    """A string that would pass for a code is an identifier if it holds a name or number."""
    group = {"resourceType": "Group", "id": "g", "name": word, "actual": True}
    found = documents(ndjson(tmp_path / "a.ndjson", ANNA, EK, group))
    doc = found.get("Group/g:name")
    assert (doc.meta.get(WHOLE) if doc else None) == label


def test_japanese_names_are_found_without_blanks(tmp_path: Path) -> None:
    """Family and given name written together are a known person's."""
    yamada = {"resourceType": "Patient", "id": "p", "name": [{"text": "山田 太郎"}]}
    group = {"resourceType": "Group", "id": "g", "name": "山田太郎群"}
    found = documents(ndjson(tmp_path / "a.ndjson", yamada, group))
    assert found["Group/g:name"].meta[WHOLE] == "PATIENT"


def test_words_are_not_those_of_others(tmp_path: Path) -> None:
    """Where the file knows nobody of that name, a word is searched unless it looks like a code."""
    study = {"resourceType": "ResearchStudy", "id": "s", "phase": "phase-1", "name": "Berg"}
    found = documents(ndjson(tmp_path / "a.ndjson", ANNA, study))
    assert [name for name in found if name.startswith("ResearchStudy")] == ["ResearchStudy/s:name"]
    assert WHOLE not in found["ResearchStudy/s:name"].meta


def test_whom_to_contact(tmp_path: Path) -> None:
    """The name in a ContactDetail is a person's, known or not."""
    study = {"resourceType": "ResearchStudy", "id": "s", "contact": [{"name": "Berg"}]}
    found = documents(ndjson(tmp_path / "a.ndjson", study))
    assert found["ResearchStudy/s:contact[0].name"].meta[WHOLE] == "NAME"
