"""`veil check`: annotations that break the labelling guideline."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import veil
from veil.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

WRONG = (
    "=== a\nSeen today.\nBy <DOCTOR>Dr. Harlow</DOCTOR>.\n=== b\nBy Dr. <DOCTOR>Harlow</DOCTOR>.\n"
)
HINT = "<DOCTOR>Harlow</DOCTOR> came. Harlow slept."


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "note.txt").write_text(WRONG, "utf-8")
    return folder


def test_violation(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A violation is printed with its place and without text, and the exit code is 1."""
    assert main(["check", str(notes), "--lang", "en"]) == 1
    printed, said = capsys.readouterr()
    place = f"{notes / 'note.txt'}:3: note/a: 15-25 DOCTOR: title:"
    assert [line.startswith(place) for line in printed.splitlines()] == [True]
    assert "1 violation(s) in 2 record(s)" in said
    assert "Harlow" not in printed + said


def test_text_is_shown_on_demand(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --show-text the mention is printed."""
    assert main(["check", str(notes), "--language", "en", "--show-text"]) == 1
    assert "«Dr. Harlow»" in capsys.readouterr().out


def test_no_violation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hints are printed with --hints only, and the exit code stays 0."""
    note = tmp_path / "note.txt"
    note.write_text(HINT, "utf-8")
    assert main(["check", str(note), "--lang", "en"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["check", str(note), "--lang", "en", "--hints"]) == 0
    assert "unmarked-repeat (hint)" in capsys.readouterr().out


def test_wrong_input(tmp_path: Path) -> None:
    """A folder that does not exist is an error of the call."""
    assert main(["check", str(tmp_path / "nothing")]) == 2


def test_json(notes: Path, tmp_path: Path) -> None:
    """The findings are written as JSON, without text."""
    file = tmp_path / "found.json"
    assert main(["check", str(notes), "--lang", "en", "--json", str(file)]) == 1
    [found] = json.loads(file.read_text("utf-8"))
    assert (found["record"], found["line"], found["kind"]) == ("note/a", 3, "title")
    assert found["text"] is None


def test_every_format_can_be_checked(notes: Path, tmp_path: Path) -> None:
    """Records in another format give the same findings; lines are those of the text."""
    veil.convert_files(notes, tmp_path / "notes.jsonl", to="jsonl")
    [found] = veil.check_files(tmp_path / "notes.jsonl", lang="en").findings
    assert (found.start, found.end, found.line, found.kind) == (15, 25, 2, "title")


def test_labels_of_another_scheme(notes: Path) -> None:
    """Spans with labels of another scheme get a warning."""
    result = veil.check_files(notes, lang="sv")
    assert result.findings == []
    assert "2 span(s) have labels that are not in the scheme" in result.warnings[0]
