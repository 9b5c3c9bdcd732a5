from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import RecordError
from veil.io import FORMATS, TableOptions, json_raw

if TYPE_CHECKING:
    from pathlib import Path

    from tests.io.conftest import Rewrite

    from veil import Document

FHIR = FORMATS.get("fhir")
OPTIONS = TableOptions()
BUNDLE = """
{ "id" : "b1",
  "resourceType": "Bundle", "total": 3.0,
  "identifier": {"value": "B-1"},
  "entry" : [
    {"fullUrl": "urn:uuid:1", "resource": {"resourceType": "Basic", "id": "1", "comment": "Anna"}}
    ,{"resource": {"resourceType": "Basic", "id": "2", "comment": "Anna"}},
    {"resource": {"resourceType": "Basic", "id": "3", "rank": [1.50, -0.0]}}

  ] , "timestamp": "2020-01-01T00:00:00Z"
}
"""


def eva(doc: Document) -> str:
    return doc.text.replace("Anna", "Eva").replace("B-1", "B-9")


def write_some(source: Path, target: Path, withheld: set[int]) -> str:
    """Write a file without the items of these numbers."""
    with FHIR.writer(source, target, OPTIONS) as writer:
        for number, item in enumerate(FHIR.items(source, OPTIONS)):
            if number not in withheld and not isinstance(item, RecordError):
                writer.write(item, [doc.text for doc in item.documents])
    return target.read_text("utf-8") if target.exists() else ""


@pytest.mark.parametrize("chunk", [1, 5, 64, 1 << 18])
def test_all_else_stays_to_the_byte(
    rewrite: Rewrite, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle keeps its blanks, numbers and order, in entries and around them."""
    monkeypatch.setattr(json_raw, "_CHUNK", chunk)
    written = rewrite("fhir", BUNDLE, eva)
    assert written.text == BUNDLE.replace("Anna", "Eva").replace("B-1", "B-9")
    assert list(written.texts) == [
        "Bundle/b1:identifier.value",
        "Bundle/b1:timestamp",
        "Basic/1:resource.comment",
        "Basic/2:resource.comment",
    ]


@pytest.mark.parametrize(
    ("withheld", "left"),
    [({1}, ["2", "3"]), ({2}, ["1", "3"]), ({3}, ["1", "2"]), ({1, 2}, ["3"]), ({1, 2, 3}, [])],
)
def test_withheld_entries(tmp_path: Path, withheld: set[int], left: list[str]) -> None:
    """A bundle without some of its entries is JSON, and the others are in it."""
    source = tmp_path / "a.json"
    source.write_text(BUNDLE, "utf-8")
    bundle = json.loads(write_some(source, tmp_path / "b.json", withheld))
    assert [entry["resource"]["id"] for entry in bundle["entry"]] == left
    assert bundle["timestamp"] == "2020-01-01T00:00:00Z"


def test_withheld_frame(tmp_path: Path) -> None:
    """If the text around the entries is withheld, they are written into a minimal bundle."""
    source = tmp_path / "a.json"
    source.write_text(BUNDLE, "utf-8")
    bundle = json.loads(write_some(source, tmp_path / "b.json", {0, 1}))
    assert [entry["resource"]["id"] for entry in bundle.pop("entry")] == ["2", "3"]
    assert bundle == {"resourceType": "Bundle", "type": "collection"}


def test_all_withheld(tmp_path: Path) -> None:
    """If nothing is written there is no file."""
    source, target = tmp_path / "a.json", tmp_path / "b.json"
    source.write_text(BUNDLE, "utf-8")
    write_some(source, target, {0, 1, 2, 3})
    assert not target.exists()


@pytest.mark.parametrize(
    "data",
    [
        '\ufeff{"resourceType": "Basic", "comment": "Anna"}\n',
        '{"resourceType": "Bundle", "id": "Anna"}',
        '{"resourceType": "Bundle", "entry" : [ ] }',
        '{"resourceType": "List", "comment": "Anna", "entry": [ {"item": {"display": "Anna"}} ]}',
        '{"entry": [{"resource": {"resourceType": "Basic", "comment": "Anna"}}], '
        '"resourceType": "Bundle"}',
    ],
)
def test_single_resources_and_other_entries(rewrite: Rewrite, data: str) -> None:
    """A resource, a bundle without entries, and entries that are no resources stay so."""
    expected = data.replace("Anna", "Eva") if '"id"' not in data else data
    assert rewrite("fhir", data, eva).text == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ('{"resourceType": "Bundle",\n "entry": [{"a": "Zebrowski"\n', r"line 2: "),
        ('{"resourceType": "Bundle", "entry": [{},]}', "not JSON"),
        ('{"resourceType": "Bundle", "entry": [{} {}]}', "not JSON"),
        ('{"resourceType": "Bundle", "entry": [], "entry": []}', "duplicate key"),
        ('{"resourceType": "Bundle", "entry": []} "Zebrowski"', "extra text after the end"),
        ('{"entry": [{"Zebrowski": 1}]}', "no resourceType"),
        ('["Zebrowski"]', "not JSON"),
        ("", "not JSON"),
    ],
)
def test_broken_bundles_are_refused(rewrite: Rewrite, data: str, reason: str) -> None:
    """A file that is no bundle to its end gives nothing, and the error holds none of it."""
    with pytest.raises(RecordError, match=reason) as caught:
        rewrite("fhir", data)
    assert caught.value.path is not None
    assert "Zebrowski" not in str(caught.value)


def test_entry_that_is_no_object(rewrite: Rewrite) -> None:
    """A string among the entries is withheld."""
    written = rewrite(
        "fhir", '{"resourceType": "Bundle", "entry": [\n"Zebrowski", {"search": {}}]}'
    )
    assert json.loads(written.text)["entry"] == [{"search": {}}]
    assert [(error.line, "Zebrowski" in str(error)) for error in written.errors] == [(2, False)]
