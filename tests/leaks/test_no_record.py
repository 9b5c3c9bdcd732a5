"""A run that finds no record is an error, never a success."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_an_empty_folder_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says that there is no file, and how many hidden ones were skipped."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / ".note.txt").write_text("Dr. John Hale")
    assert main(["mask", str(tmp_path / "notes"), "-o", str(tmp_path / "masked")]) == 2
    told = capsys.readouterr().err
    assert "no file to mask; 1 hidden file(s) or folder(s) were skipped" in told
    assert not (tmp_path / "masked").exists()


def test_files_without_a_record_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no file of a folder has a record, each is withheld and the run fails."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("")
    (notes / "b.csv").write_text("id,note\n")
    options = ["--text-column", "note"]
    assert main(["mask", str(notes), "-o", str(tmp_path / "masked"), *options]) == 2
    told = capsys.readouterr().err
    assert told.count("no record found") == 2
    assert {file.suffix for file in (tmp_path / "masked").iterdir()} == {".html", ".json"}
