"""Everything that can be read can be detected in, shown, converted, evaluated and masked."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from veil.cli.main import main
from veil.io import read

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Seen by Dr. Anna Berg on 3/18/2001."
RULES = ["--rules-only", "--lang", "en", "-q"]
COLUMNS = ["--text-column", "note", "--id-column", "id"]
CONTENT = {
    "a.csv": f"id;note;ward\nr1;{TEXT};4\n",
    "a.tsv": f"id\tnote\tward\nr1\t{TEXT}\t4\n",
    "a.jsonl": json.dumps({"id": "r1", "note": TEXT, "ward": 4}) + "\n",
}


@pytest.fixture(params=[*CONTENT, "a.parquet"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A table with one record in each kind of file."""
    file = tmp_path / str(request.param)
    if file.suffix == ".parquet":
        arrow: Any = pytest.importorskip("pyarrow")
        parquet: Any = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table({"id": ["r1"], "note": [TEXT], "ward": [4]}), file)
    else:
        file.write_text(CONTENT[file.name], "utf-8")
    return file


def labels(path: Path) -> dict[str, list[str]]:
    return {each.id: [span.label for span in each.spans] for each in read(path)}


def test_tables_are_detected_converted_and_evaluated(table: Path, tmp_path: Path) -> None:
    """A column of a table is detected in, converted, and its result evaluated against itself."""
    found, brat = tmp_path / "found.jsonl", tmp_path / "brat"
    assert main(["detect", str(table), "-o", str(found), *COLUMNS, *RULES]) == 0
    assert labels(found) == {"r1": ["DOCTOR", "DATE"]}
    assert main(["convert", str(table), str(brat), "--to", "brat", *COLUMNS, "-q"]) == 0
    assert (brat / "r1.txt").read_text("utf-8") == TEXT
    assert main(["evaluate", str(found), str(table), *COLUMNS, "-q"]) == 0


def test_tables_are_shown(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The texts of a table are shown under the ids of its rows."""
    assert main(["show", str(table), *COLUMNS, "-q"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("── r1 ")
    assert "Anna Berg" in shown


def test_a_column_must_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table without the name of a column is refused with what to do."""
    (tmp_path / "a.csv").write_text(CONTENT["a.csv"], "utf-8")
    command = ["detect", str(tmp_path / "a.csv"), "-o", str(tmp_path / "out.jsonl"), *RULES]
    assert main(command) == 2
    assert "--text-column" in capsys.readouterr().err


def test_elements_of_fhir_are_detected_in(tmp_path: Path) -> None:
    """The texts of resources are searched, and an element that is a name is a span as a whole."""
    file, found = tmp_path / "a.ndjson", tmp_path / "found.jsonl"
    patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Quux"}]}
    note = {
        "resourceType": "Observation",
        "id": "o1",
        "status": "final",
        "subject": {"reference": "Patient/p1"},
        "note": [{"text": TEXT}],
    }
    file.write_text(f"{json.dumps(patient)}\n{json.dumps(note)}\n", "utf-8")
    assert main(["detect", str(file), "-o", str(found), *RULES]) == 0
    result = labels(found)
    assert len(result["Patient/p1:name[0].family"]) == 1
    assert result["Observation/o1:note[0].text"] == ["DOCTOR", "DATE"]


class Streams:
    """Standard input and output of bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)

    def flush(self) -> None:
        self.buffer.flush()


@pytest.mark.parametrize(
    ("data", "options", "name"),
    [
        (TEXT, [], "stdin"),
        (CONTENT["a.csv"], COLUMNS, "r1"),
        (CONTENT["a.jsonl"], COLUMNS, "r1"),
        (f"<deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT></deIdi2b2>", [], "stdin"),
    ],
)
def test_standard_input_is_detected_in(
    data: str, options: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input of any format is read, and the records go to standard output."""
    monkeypatch.setattr(sys, "stdin", Streams(data.encode()))
    output = Streams(b"")
    monkeypatch.setattr(sys, "stdout", output)
    assert main(["detect", "-", "-o", "-", *options, *RULES]) == 0
    record = json.loads(output.buffer.getvalue())
    assert record["id"] == name
    assert [span["label"] for span in record["spans"]] == ["DOCTOR", "DATE"]


def test_a_folder_does_not_go_to_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A format that writes a folder is refused for standard output."""
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    assert main(["detect", str(tmp_path), "-o", "-", "--to", "brat", *RULES]) == 2
    assert "brat needs a folder" in capsys.readouterr().err
