"""Tables with names and numbers in their columns, as a data manager masks them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from veil.cli import main

HEADER = ["id", "pid", "name", "dob", "mrn", "town", "note"]
NOTE = "Anna-Karin Lindgren, född 12/3 1948, bor i Lund. Journal J-448812."
ROWS = [
    ["1", "p1", "Lindgren, Anna-Karin", "1948-03-12", "J-448812", "Lund", NOTE],
    ["2", "p1", "Lindgren, Anna-Karin", "1948-03-12", "J-448812", "Lund", "Lindgren mår bra."],
    ["3", "p2", "Björn Ek", "1950-11-02", "J-448813", "", "Björn Ek återkommer."],
]
COLUMNS = (
    *("--text-column", "note", "--id-column", "id", "--column", "name=PATIENT"),
    *("--column", "dob=DATE", "--column", "mrn=MEDICALRECORD", "--column", "town=CITY"),
)
NAMES = (
    *("Lindgren", "Anna-Karin", "12/3 1948", "1948-03-12", "448812", "Lund", "Björn"),
    "1950-11-02",
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "export.csv"
    with file.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows([HEADER, *ROWS])
    return file


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def run(*args: object) -> int:
    return main([*map(str, args)])


@pytest.mark.parametrize("policy", ["tag", "surrogate", "redact", "safe-harbor", "gdpr-strict"])
@pytest.mark.parametrize("lang", [("--lang", "sv"), ()])
def test_no_identifier_is_left(
    table: Path, tmp_path: Path, policy: str, lang: tuple[str, ...]
) -> None:
    """Cells with a role are replaced as a whole, and their values are found in the notes."""
    target = tmp_path / "masked.csv"
    options = (*COLUMNS, "--patient-column", "pid", "--policy", policy, *lang, "-q")
    assert run("mask", table, "-o", target, *options) == 0
    text = target.read_text("utf-8")
    assert not [name for name in NAMES if name in text]


def test_cells_and_notes_have_the_same_surrogates(table: Path, tmp_path: Path) -> None:
    """Name, birth date, number and town of a row are the same in its note, and in other rows."""
    target = tmp_path / "masked.csv"
    options = (*COLUMNS, "--patient-column", "pid", "--policy", "surrogate", "-q")
    assert run("mask", table, "-o", target, *options) == 0
    first, second, third = rows_of(target)
    last, given = first["name"].split(", ")
    assert f"{given} {last}" in first["note"]
    assert first["mrn"] in first["note"]
    assert first["town"] in first["note"]
    year, month, day = first["dob"].split("-")
    assert f"{int(day)}/{int(month)} {year}" in first["note"]
    assert [second[key] for key in ("name", "dob", "mrn")] == [
        first[key] for key in ("name", "dob", "mrn")
    ]
    assert second["note"].startswith(last)
    assert third["name"] in third["note"]


def test_hashes_join_tables(table: Path, tmp_path: Path) -> None:
    """The same value and key give the same hash in every table, and another key another one."""
    for name in ("one", "two"):
        run("key", tmp_path / f"{name}.key", "-q")
    hashes = []
    for number, key in enumerate(("one", "one", "two")):
        target = tmp_path / f"masked{number}.csv"
        options = ("--hash-column", "pid", "--key-file", tmp_path / f"{key}.key", "-q")
        assert run("mask", table, "-o", target, *COLUMNS, *options) == 0
        hashes.append([row["pid"] for row in rows_of(target)])
    assert hashes[0] == hashes[1]
    assert hashes[0][0] == hashes[0][1] != hashes[0][2]
    assert not set(hashes[0]) & set(hashes[2])
    assert all(len(each) == 16 for each in hashes[0])


def test_reveal(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with roles and hashes is restored to the byte."""
    monkeypatch.setenv("VEIL_PASSPHRASE", "a passphrase of the tests")
    masked, back, mapping = (tmp_path / name for name in ("m.csv", "b.csv", "m.map"))
    roles = (*COLUMNS, "--hash-column", "pid")
    options = ("--policy", "surrogate", "--mapping", mapping, "-q")
    assert run("mask", table, "-o", masked, *roles, *options) == 0
    assert run("reveal", masked, "-o", back, *roles, "--mapping", mapping, "-q") == 0
    assert back.read_bytes() == table.read_bytes()


def test_audit_of_a_table_with_roles(table: Path, tmp_path: Path) -> None:
    """The report of a run says what its columns were, so that a sample can be drawn."""
    masked = tmp_path / "m.csv"
    options = (*COLUMNS, "--drop-column", "pid", "-q")
    assert run("mask", table, "-o", masked, *options) == 0
    assert run("audit", masked, "--sample", 2, "-o", tmp_path / "sample.html", "-q") == 0
    assert run("audit", masked, "--check", "-q") == 0


EXAMPLES = Path(__file__).parents[2] / "examples" / "tables"
IN_EXAMPLES = ("Hale", "Ruiz", "Lindgren", "Okafor", "448812", "1948-03-12", "03/12/1948", "Toledo")


@pytest.mark.parametrize(
    ("name", "encoding", "options", "kept"),
    [
        ("export.csv", "cp1252", ("--encoding", "auto"), ("Record", "Weight")),
        ("note.csv", "utf-8", ("--preset", "omop"), ("note_id", "person_id", "provider_id")),
        ("NOTEEVENTS.csv", "utf-8", ("--preset", "mimic"), ("ROW_ID", "SUBJECT_ID", "CATEGORY")),
    ],
)
def test_example_tables(
    tmp_path: Path, name: str, encoding: str, options: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """The example tables are masked, and another reader finds the other columns unchanged."""
    source, target = EXAMPLES / name, tmp_path / name
    if name == "export.csv":
        columns = tmp_path / "columns.toml"
        assert run("inspect", source, "--encoding", "auto", "--save", columns, "-q") == 0
        options = (*options, "--columns", str(columns))
    options = (*options, "--policy", "surrogate", "--lang", "en", "-q")
    assert run("mask", source, "-o", target, *options) == 0
    delimiter = ";" if name == "export.csv" else ","
    before, after = (
        list(csv.DictReader(file.read_text(encoding).splitlines(), delimiter=delimiter))
        for file in (source, target)
    )
    assert len(before) == len(after) == 4
    for old, new in zip(before, after, strict=True):
        assert [old[column] for column in kept] == [new[column] for column in kept]
        text = " ".join(new[column] for column in new if column not in kept)
        assert not [word for word in IN_EXAMPLES if word in text]


def test_example_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data manager's job: inspect, mask, audit, reveal; the original values come back."""
    openpyxl: Any = pytest.importorskip("openpyxl")
    monkeypatch.setenv("VEIL_PASSPHRASE", "a passphrase of the tests")
    source = EXAMPLES / "export.xlsx"
    columns, masked, mapping = (tmp_path / name for name in ("c.toml", "masked.xlsx", "x.map"))
    assert run("inspect", source, "--save", columns, "-q") == 0
    options = ("--columns", columns, "--policy", "surrogate", "--mapping", mapping, "-q")
    assert run("mask", source, "-o", masked, *options) == 0
    assert run("audit", masked, "--check", "-q") == 0
    before, after = (openpyxl.load_workbook(file) for file in (source, masked))
    notes, visits = after["Notes"], after["Visits"]
    assert notes["B2"].value == notes["B3"].value == visits["A2"].value == visits["A3"].value
    assert notes["C2"].value.split(", ")[0] in notes["H2"].value
    for cell in ("A2", "G2", "I2", "H1"):
        assert notes[cell].value == before["Notes"][cell].value
        assert notes[cell].style_id == before["Notes"][cell].style_id
    assert visits["C2"].value == "R05"
    for sheet in after:
        for row in sheet.iter_rows(values_only=True):
            text = " ".join(map(str, row))
            assert not [word for word in IN_EXAMPLES if word in text]
    back = tmp_path / "back.xlsx"
    same = ("--columns", columns, "--mapping", mapping, "-q")
    assert run("reveal", masked, "-o", back, *same) == 0
    restored = openpyxl.load_workbook(back)
    for name in ("Notes", "Visits"):
        assert list(restored[name].values) == list(before[name].values)
