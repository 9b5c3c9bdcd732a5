from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Record, RecordError
from veil.io import read, write

if TYPE_CHECKING:
    from pathlib import Path


def test_folders_are_read_below(tmp_path: Path) -> None:
    """Text files of all folders below are read in a fixed order; hidden and other files are not."""
    (tmp_path / "ward" / ".cache").mkdir(parents=True)
    for name in ("b.txt", "a.txt", "ward/c.TXT", "ward/.cache/d.txt", ".e.txt", "f.md"):
        (tmp_path / name).write_text(name, "utf-8")
    records = list(read(tmp_path, format="text"))
    assert [record.id for record in records] == ["a", "b", "ward/c"]
    assert [record.document.text for record in records] == ["a.txt", "b.txt", "ward/c.TXT"]


def test_one_file(tmp_path: Path) -> None:
    """A single file is a record named after it, whatever its suffix."""
    (tmp_path / "note.md").write_text("x", "utf-8")
    assert [record.id for record in read(tmp_path / "note.md", format="text")] == ["note"]


def test_file_names_that_make_one_id(tmp_path: Path) -> None:
    """Two files that would give one id are not mixed up: the second is an error."""
    for name in ("a.txt", "a.TXT"):
        (tmp_path / name).write_text("x", "utf-8")
    with pytest.raises(RecordError, match="duplicate id"):
        list(read(tmp_path, format="text"))


@pytest.mark.parametrize(
    "name", ["../up", "/etc/x", "a//b", "./a", "a/", ".hidden", "", "a\0b", "a/../b"]
)
def test_id_that_names_no_file(name: str, tmp_path: Path) -> None:
    """An id that leads out of the folder, to a hidden file or to another's file is refused."""
    with pytest.raises(RecordError, match="cannot be a file name"):
        write([Record.of(Document(name, "x"))], tmp_path / "out", format="text")
    assert list(tmp_path.iterdir()) == []


def test_id_too_long_for_a_file(tmp_path: Path) -> None:
    """An id longer than a file name may be is an error of that record."""
    with pytest.raises(RecordError, match="its file cannot be written"):
        write([Record.of(Document("x" * 300, "x"))], tmp_path / "out", format="text")


def test_folder_wanted(tmp_path: Path) -> None:
    """Writing one file a record to a path that is a file is refused."""
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match="is a file"):
        write([], tmp_path / "file", format="text")


def test_other_files_stay(tmp_path: Path) -> None:
    """Writing into a folder leaves the files of others alone."""
    (tmp_path / "README.md").write_text("x", "utf-8")
    write([Record.of(Document("r1", "x"))], tmp_path, format="text")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["README.md", "r1.txt"]
