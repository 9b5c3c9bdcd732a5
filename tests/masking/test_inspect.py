"""Looking at tables: what columns hold, without a value in any message."""

from __future__ import annotations

import csv
import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from veil import InputError, inspect_file
from veil.cli import main

if TYPE_CHECKING:
    from pathlib import Path

HEADER = [
    "ID",
    "Namn",
    "Förnamn",
    "Född",
    "Journalnr",
    "Mail",
    "Kön",
    "Vikt",
    "Anteckning",
    "Hjelmqvist",
]
NOTES = (
    "Söker för hosta sedan en vecka tillbaka, ingen feber.",
    "Återkommer enligt plan för kontroll av blodtrycket.",
)
ROWS = [
    ["1", "Lindgren", "Anna", "1948-03-12", "448812", "anna@example.org", "K", "70", NOTES[0], "x"],
    ["2", "Zebrowski", "Björn", "1950-11-02", "448813", "", "M", "81", NOTES[1], "y"],
]
EXPECTED = {
    "Namn": "PATIENT",
    "Förnamn": "PATIENT:first",
    "Född": "DATE",
    "Journalnr": "MEDICALRECORD",
    "Mail": "EMAIL",
}


def write_csv(file: Path) -> None:
    with file.open("w", encoding="cp1252", newline="") as target:
        csv.writer(target, delimiter=";").writerows([HEADER, *ROWS])


def write_jsonl(file: Path) -> None:
    lines = (json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in ROWS)
    file.write_text("".join(lines), "utf-8")


def write_parquet(file: Path) -> None:
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    rows = [dict(zip(HEADER, row, strict=True)) for row in ROWS]
    parquet.write_table(arrow.Table.from_pylist(rows), file)


def write_xlsx(file: Path) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [["Utdrag"], HEADER, *ROWS]:
        book.active.append(row)
    book.save(file)


WRITERS = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet, "xlsx": write_xlsx}


@pytest.mark.parametrize("kind", WRITERS)
def test_proposals(tmp_path: Path, kind: str) -> None:
    """Roles are proposed from names and values, in every kind of table."""
    file = tmp_path / f"a.{kind}"
    WRITERS[kind](file)
    found = inspect_file(file, encoding="auto", lang="sv")
    assert found.roles == EXPECTED
    assert (found.ids, found.patients) == ("ID", "Journalnr")
    assert found.names("text") == ["Anteckning"]
    assert found.names("kept") == ["Kön", "Vikt"]
    assert found.encoding == ("cp1252" if kind == "csv" else "utf-8")


@pytest.mark.parametrize("kind", WRITERS)
def test_nothing_of_a_value_is_printed(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints names of usual columns and a command, and no value."""
    file = tmp_path / f"a.{kind}"
    WRITERS[kind](file)
    assert main(["inspect", str(file), "--encoding", "auto", "--lang", "sv"]) == 0
    said = "".join(capsys.readouterr())
    for row in ROWS:
        assert not [value for value in row if len(value) > 2 and value in said]
    assert "Hjelmqvist" not in said
    assert "column(s) 10 have unusual names" in said


@pytest.mark.parametrize("kind", WRITERS)
def test_command_runs(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The printed command masks the table, and so does the saved file of columns."""
    file = tmp_path / f"a.{kind}"
    WRITERS[kind](file)
    columns = tmp_path / "columns.toml"
    main(["inspect", str(file), "--encoding", "auto", "--lang", "sv", "--save", str(columns)])
    command = next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("veil mask")
    )
    words = shlex.split(command)[1:]
    for number, extra in enumerate((words[4:], ["--columns", str(columns), "--encoding", "auto"])):
        target = tmp_path / f"out{number}.{kind}"
        assert main(["mask", str(file), "-o", str(target), *extra, "--lang", "sv", "-q"]) == 0
        data = target.read_bytes()
        assert not any(word in data for word in (b"Lindgren", b"Zebrowski", b"448812"))


def test_values_decide_where_names_do_not(tmp_path: Path) -> None:
    """Columns with meaningless names are recognised by dates, addresses, numbers and names."""
    file = tmp_path / "a.csv"
    rows = [
        ["code", "field 1", "field 2", "field 3", "field 4"],
        ["a", "1948-03-12", "a@example.org", "8841220", "Anna Lindgren"],
        ["b", "1950-11-02", "b@example.org", "8841221", "Björn Lundström"],
        ["c", "1951-01-02", "c@example.org", "8841222", "Karin Svensson"],
    ]
    with file.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows(rows)
    found = inspect_file(file, lang="sv")
    assert [found.roles.get(f"field {number}") for number in (1, 2, 3)] == [
        "DATE",
        "EMAIL",
        "IDNUM",
    ]
    assert found.roles["field 4"] in ("PATIENT", "NAME", "DOCTOR")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "Mr. Hale", "text has no columns"),
        ("a.csv", "id,note\n", "no row to inspect"),
    ],
)
def test_files_without_rows(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A file without columns or rows is an error."""
    file = tmp_path / name
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        inspect_file(file)
