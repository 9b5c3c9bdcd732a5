"""What is read from files, such as keys, labels and column names, is in no message."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "Zebrowski"  # noqa: S105


def a_line(**keys: object) -> str:
    return json.dumps({"id": "1", "text": f"Mr. {SECRET}, 63", **keys}) + "\n"


INPUTS: dict[str, tuple[str, str]] = {
    "swapped columns": ("a.conll", f"O\tMr\nB-NAME\t{SECRET}\nO\tcame\n\nO\tMRI\n"),
    "swapped, no labels but words": ("a.conll", f"O Mr\nO {SECRET}\nO came\n"),
    "words as bare labels": ("a.conll", f"-DOCSTART-\n\nPER\t{SECRET}\n"),
    "a word as a label": ("a.jsonl", a_line(spans=[{"start": 4, "end": 8, "label": SECRET}])),
    "a word as a key": ("a.jsonl", a_line(**{SECRET: 1})),
    "a word as a key of a span": (
        "a.jsonl",
        a_line(spans=[{"start": 4, "end": 8, "label": "NAME", SECRET: 1}]),
    ),
    "a word as a known column": ("a.jsonl", a_line(meta={"known": {SECRET: "x"}})),
    "a word as a type": (
        "a.xml",
        f'<ROOT><RECORD ID="1"><TEXT>Mr. <PHI TYPE="{SECRET}">{SECRET}</PHI></TEXT></RECORD>'
        "</ROOT>",
    ),
    "a word as an element": (
        "a.xml",
        f"<deIdi2b2><TEXT><![CDATA[Mr. {SECRET}]]></TEXT><TAGS><{SECRET} start='4' end='5'/></TAGS>"
        f"<{SECRET}></deIdi2b2>",
    ),
    "a word as a tag": ("a.txt", f"<NAME>Mr. {SECRET}</{SECRET}> <AGE>63</AGE>"),
}


@pytest.mark.parametrize("target", ["jsonl", "brat", "conll", "mednlp", "tagged", "i2b2-2014"])
@pytest.mark.parametrize("case", INPUTS)
def test_convert_says_nothing_of_the_input(
    case: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown labels, keys and types are said by position and number."""
    name, content = INPUTS[case]
    source = tmp_path / name
    source.write_text(content, "utf-8")
    for options in ([], ["--scheme", "i2b2-2014", "--from-scheme", "veil"]):
        command = ["convert", str(source), str(tmp_path / "out"), "--to", target, "--overwrite"]
        main([*command, *options])
    captured = capsys.readouterr()
    assert SECRET not in captured.err + captured.out


@pytest.mark.parametrize("case", [case for case in INPUTS if "swapped" in case or "bare" in case])
def test_evaluate_reads_no_words_as_labels(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CoNLL columns in another order are an error that names the line."""
    name, content = INPUTS[case]
    source = tmp_path / name
    source.write_text(content, "utf-8")
    assert main(["evaluate", str(source), str(source), "--from", "conll"]) == 2
    captured = capsys.readouterr()
    assert SECRET not in captured.err + captured.out
    assert ", line " in captured.err
    assert "words come first and tags last" in captured.err


@pytest.mark.parametrize("case", [case for case in INPUTS if INPUTS[case][0].endswith("jsonl")])
def test_detect_and_mask_say_nothing_of_the_input(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The messages of detection and masking do not name keys of the input either."""
    name, content = INPUTS[case]
    source = tmp_path / name
    source.write_text(content, "utf-8")
    for command in ("detect", "mask"):
        main([command, str(source), "-o", str(tmp_path / command), "--rules-only", "--lang", "en"])
    captured = capsys.readouterr()
    assert SECRET not in captured.err + captured.out


@pytest.mark.parametrize("wanted", ["zebrowski", "note"])
def test_tables_are_not_quoted(
    wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A column that is not there is named as the user typed it; others by their number."""
    source = tmp_path / "a.csv"
    source.write_text(f"id,{SECRET}\n1,x\n", "utf-8")
    command = ["mask", str(source), "-o", str(tmp_path / "b.csv"), "--text-column", wanted]
    assert main([*command, "--rules-only"]) == 2
    assert SECRET not in capsys.readouterr().err


def test_types_of_columns_are_not_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A Parquet column that holds no strings is an error without its type, which holds names."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    source = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"note": [{SECRET: 1}]}), source)
    command = ["mask", str(source), "-o", str(tmp_path / "b"), "--text-column", "note"]
    assert main([*command, "--rules-only"]) == 2
    error = capsys.readouterr().err
    assert SECRET not in error
    assert "the column 'note' has no strings" in error


@pytest.mark.parametrize("target", ["i2b2-2006", "i2b2-2014", "mednlp", "tagged", "conll", "brat"])
def test_one_unwritable_record_is_withheld(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record that the format cannot hold is named and left out; the others are written."""
    source, output = tmp_path / "a.jsonl", tmp_path / "out"
    label = {"start": 0, "end": 1, "label": "SO CALLED"}
    lines = [
        {"id": "good-1", "text": "63 years", "spans": []},
        {"id": "bad", "text": "\x0c<a><AGE>", "spans": [label]},
        {"id": "good-2", "text": "64 years", "spans": []},
    ]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert main(["convert", str(source), str(output), "--to", target]) == 1
    error = capsys.readouterr().err
    assert "record bad: " in error
    assert "2 record(s) written" in error
    again = tmp_path / "again.jsonl"
    assert main(["convert", str(output), str(again), "--to", "jsonl", "--from", target]) == 0
    written = [json.loads(line)["id"] for line in again.read_text("utf-8").splitlines()]
    assert sorted(name.removeprefix("records/") for name in written) == ["good-1", "good-2"]


def test_strict_ends_at_an_unwritable_record(tmp_path: Path) -> None:
    """With --strict the first record that cannot be written ends the run, and nothing is there."""
    source, output = tmp_path / "a.jsonl", tmp_path / "out"
    source.write_text(a_line() + '{"id": "../x", "text": "y"}\n', "utf-8")
    assert main(["convert", str(source), str(output), "--to", "brat", "--strict"]) == 2
    assert not output.exists()


def test_files_of_other_formats_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of no known format are counted as skipped, and the first ones named."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text(a_line(), "utf-8")
    for number in range(4):
        (folder / f"note-{number}.odt").write_text("Feels well.", "utf-8")
    command = ["detect", str(folder), "-o", str(tmp_path / "out"), "--rules-only", "--lang", "en"]
    assert main(command) == 0
    error = capsys.readouterr().err
    assert "warning: 4 file(s) of another format were not read: " in error
    assert "note-0.odt" in error


@pytest.mark.parametrize("name", ["a.jsonl", "a.conll", "a.xml"])
def test_no_record_is_an_error(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file is an error of every command that reads records, and nothing is written."""
    source = tmp_path / name
    source.write_text("\n", "utf-8")
    form = {"a.jsonl": "jsonl", "a.conll": "conll", "a.xml": "i2b2-2006"}[name]
    output = tmp_path / "out"
    for command in (
        ["convert", str(source), str(output), "--to", "jsonl"],
        ["detect", str(source), "-o", str(output), "--rules-only", "--lang", "en"],
        ["evaluate", str(source), str(source)],
        ["show", str(source)],
    ):
        assert main([*command, "--from", form]) == 2
        assert f"{name}: no record found" in capsys.readouterr().err
    assert not output.exists()
