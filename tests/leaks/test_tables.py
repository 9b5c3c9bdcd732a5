"""Rows are found whatever ends them, headers are searched, and no file without records passes."""

from __future__ import annotations

import csv
import io
import json
import random
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from veil import InputError, RecordError
from veil.cli.main import main
from veil.detect.assembly import default_pipeline
from veil.io import FORMATS, Item, TableOptions, tables
from veil.io.base import items_with_records
from veil.masking.plan import make_plan
from veil.masking.run import Detection, MaskJob, Summary, run_job

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Mask = Callable[..., Summary]

NOTE = TableOptions(("note",))
CELL = '"Mr. John Hale, SSN 123-45-6789{}seen"'


@pytest.fixture(scope="module")
def mask() -> Mask:
    """Mask a file or folder with Veil's models and rules."""
    pipeline = default_pipeline()

    def mask(source: Path, target: Path, *, policy: str = "tag") -> Summary:
        job = MaskJob(Detection(lambda: pipeline), policy, options=NOTE)
        return run_job(make_plan([source], target), job)

    return mask


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("inside", ["\n", "\r", "\r\n", "\u2028"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_every_line_end_ends_a_row(
    end: str, inside: str, last: bool, mark: str, tmp_path: Path
) -> None:
    """LF, CRLF and CR end rows whatever stands in quotes, and the last row needs no line end."""
    rows = ["id,note,ward", f"1,{CELL.format(inside)},B2", f"2,{CELL.format(inside)},B2"]
    data = mark + end.join(rows) + (end if last else "")
    source = tmp_path / "a.csv"
    source.write_bytes(data.encode())
    items = FORMATS.get("csv").items(source, NOTE)
    texts = [doc.text for item in items for doc in item.documents]  # type: ignore[union-attr]
    assert texts == [CELL.format(inside)[1:-1]] * 2


def test_mixed_line_ends_and_long_files(tmp_path: Path) -> None:
    """A file may mix line ends; a line end on the border of what is read at once is one."""
    source = tmp_path / "a.csv"
    rows = ["id,note"] + [f"{n},{'x' * (n % 7)}y" for n in range(100_000)]
    ends = ["\n", "\r", "\r\n"]
    source.write_bytes("".join(row + ends[n % 3] for n, row in enumerate(rows)).encode())
    items = list(FORMATS.get("csv").items(source, NOTE))
    assert len(items) == 100_000
    assert {len(item.documents) for item in items} == {1}  # type: ignore[union-attr]


def test_rows_are_those_of_the_csv_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and cells are what Python's own strict reader finds, wherever reading is cut."""
    monkeypatch.setattr(tables, "_CHUNK", 3)
    file, dice, compared = tmp_path / "a.csv", random.Random(1), 0  # noqa: S311
    for _ in range(3000):
        text = "".join(dice.choices('ab,"\n\r\u2028å', k=dice.randrange(14)))
        file.write_bytes(text.encode())
        try:
            rows = list(tables.read_rows(tables.raw_lines(file), ",", file))
            expected = [row or [""] for row in csv.reader(StringIO(text, newline=""), strict=True)]
        except (RecordError, csv.Error):
            continue
        assert [[row.value(place) for place in range(len(row.cells))] for row in rows] == expected
        assert "".join(row.raw for row in rows) == text
        compared += 1
    assert compared > 1000


def test_reported_file_is_masked(mask: Mask, tmp_path: Path) -> None:
    """CR line ends with a line feed in a cell do not turn the file into a header."""
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_bytes(f"id,note,ward\r1,{CELL.format(chr(10))},B2\r".encode())
    summary = mask(source, target)
    assert summary.tally.records == 1
    written = target.read_text("utf-8")
    assert "Hale" not in written
    assert "6789" not in written


def test_column_names_are_searched(mask: Mask, tmp_path: Path) -> None:
    """A name of a person in the header is masked, usual names of columns stay."""
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    names = ["id", '"Mr. John Hale, SSN 123-45-6789"', "admission_date", "note", "HbA1c", "Visit 2"]
    source.write_text(f"{','.join(names)}\n1,x,2020,Feels well.,6,y\n", "utf-8")
    summary = mask(source, target)
    header, row, _ = target.read_text("utf-8").split("\n")
    assert header == 'id,"Mr. [PATIENT-1], SSN [SSN-1]",admission_date,note,HbA1c,Visit 2'
    assert row == "1,x,2020,Feels well.,6,y"
    assert summary.tally.records == 1


def test_rows_are_withheld_with_their_header(tmp_path: Path) -> None:
    """If a searched header is withheld, no row is written, because it could not be read."""
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_text("id,Zebrowski,note\n1,x,Feels well.\n", "utf-8")
    file_format = FORMATS.get("csv")
    header, row = file_format.items(source, NOTE)
    assert isinstance(header, Item)
    assert isinstance(row, Item)
    assert [doc.id for doc in header.documents] == ["header:2"]
    with file_format.writer(source, target, NOTE) as writer:
        with pytest.raises(InputError, match="the header was withheld"):
            writer.write(row, ["x"])
        writer.write(header, ["[NAME]"])
        writer.write(row, ["x"])
    assert target.read_text("utf-8") == "id,[NAME],note\n1,x,x\n"


def test_column_names_are_revealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mapping leads back to the header, also if two names were masked to the same."""
    monkeypatch.setenv("VEIL_PASSPHRASE", "four words and more")
    source, masked, again = (tmp_path / f"{name}.csv" for name in "abc")
    source.write_text("id,note,Dr. Hale,Dr. Okafor\n1,Seen by Dr. Lund.,x,y\n", "utf-8")
    options = ["--text-column", "note", "--mapping", str(tmp_path / "m")]
    command = ["mask", str(source), "-o", str(masked), *options, "--policy", "redact"]
    assert main([*command, "--workers", "1", "--lang", "en"]) == 0
    assert "Hale" not in masked.read_text("utf-8")
    assert main(["reveal", str(masked), "-o", str(again), *options]) == 0
    assert again.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e"])
def test_other_line_ends_in_the_header_are_refused(sign: str, tmp_path: Path) -> None:
    """A header that other programs would read as several lines is refused by its place."""
    source = tmp_path / "a.csv"
    source.write_text(f"id,note,ward{sign}1,Mr. John Hale,B2\n2,x,B2\n", "utf-8")
    with pytest.raises(InputError, match=r"in the name of column 3 of 5") as caught:
        FORMATS.get("csv").items(source, NOTE)
    assert "Hale" not in str(caught.value)


EMPTY: dict[str, str] = {
    "empty.csv": "",
    "header.csv": "id,note\n",
    "blank.csv": "id,note\n\n\r\n",
    "no-text.csv": "id,note\n1,\n",
    "no-line-end.csv": "id,note,ward1,Mr. John Hale,B2",
    "header.tsv": "id\tnote\n",
    "empty.jsonl": "",
    "blank.jsonl": "\n\n",
    "null.jsonl": '{"id": "1", "note": null}\n',
    "empty.ndjson": "",
    "bundle.json": '{"resourceType": "Bundle", "type": "collection", "entry": []}',
    "empty.json": "",
    "empty.txt": "",
    "blank.txt": "\ufeff \n",
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_file_without_records_is_an_error(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever its kind: exit code 2, a message with the name of the file, and no output."""
    source, target = tmp_path / name, tmp_path / "out"
    source.write_text(EMPTY[name], "utf-8")
    arguments = ["mask", str(source), "-o", str(target), "--text-column", "note", "--rules-only"]
    assert main(arguments) == 2
    assert name in capsys.readouterr().err
    assert not target.exists()


def test_a_table_without_rows_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Parquet without rows, and a folder with nothing else, end with exit code 2."""
    arrow: Any = pytest.importorskip("pyarrow")
    pq: Any = pytest.importorskip("pyarrow.parquet")
    folder, target = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    pq.write_table(arrow.table({"note": arrow.array([], arrow.string())}), folder / "a.parquet")
    for source in (folder / "a.parquet", folder):
        arguments = ["mask", str(source), "-o", str(target), "--text-column", "note"]
        assert main([*arguments, "--rules-only", "--overwrite"]) == 2
        assert "a.parquet: no record found" in capsys.readouterr().err
    assert not (target / "a.parquet").exists()


def test_many_rows_without_a_text_come_before_a_record(tmp_path: Path) -> None:
    """Rows without a text, however many, are items of a table that has a record after them."""
    source = tmp_path / "a.csv"
    source.write_text("id,note\n" + "1,\n" * 3000, "utf-8")
    with pytest.raises(InputError, match="no record found"):
        items_with_records(FORMATS.get("csv"), source, NOTE)
    source.write_text("id,note\n" + "1,\n" * 3000 + "2,x\n", "utf-8")
    assert len(list(items_with_records(FORMATS.get("csv"), source, NOTE))) == 3001


def test_standard_input_without_text_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing on standard input is an error: what should have come did not."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    assert main(["mask", "-", "-o", "-", "--rules-only"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("veil: standard input: no record found")


def test_a_file_without_records_is_withheld_among_others(mask: Mask, tmp_path: Path) -> None:
    """In a folder it is named in the report and not written; the others are."""
    folder, target = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.csv").write_text("id,note\n1,Feels well.\n", "utf-8")
    (folder / "b.csv").write_text("id,note,ward1,Mr. John Hale,B2", "utf-8")
    summary = mask(folder, target)
    assert [(each.path, each.record) for each in summary.withheld] == [("b.csv", None)]
    assert "no record found" in summary.withheld[0].reason
    assert (target / "a.csv").exists()
    assert not (target / "b.csv").exists()
    assert "Hale" not in json.dumps(summary.withheld)
