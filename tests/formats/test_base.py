from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.formats import read
from veil.formats.base import files_below, whole_file

if TYPE_CHECKING:
    from pathlib import Path


def test_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be listed is an error: its records would be missed by nobody."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.txt").write_text("x", "utf-8")
    scan = os.scandir

    def scandir(path: str) -> os._ScandirIterator[str]:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(InputError, match="closed: cannot be read: Permission denied"):
        list(read(tmp_path, format="text"))


def test_order_of_files(tmp_path: Path) -> None:
    """Files come sorted, those of a folder before those of the folders in it."""
    for name in ("b/x.txt", "a/y.txt", "z.txt", "c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    files = [file.relative_to(tmp_path).as_posix() for file in files_below(tmp_path, ".txt")]
    assert files == ["c.txt", "z.txt", "a/y.txt", "b/x.txt"]


def test_file_is_whole_or_absent(tmp_path: Path) -> None:
    """An error while writing leaves neither the file nor a remnant of it."""

    def fail() -> None:
        with whole_file(tmp_path / "new" / "a.txt") as file:
            file.write(b"half")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert list((tmp_path / "new").iterdir()) == []


def test_written_files_are_as_open_as_others(tmp_path: Path) -> None:
    """A file has the mode that the user's umask gives, not that of a temporary file."""
    plain = tmp_path / "plain"
    plain.touch()
    with whole_file(tmp_path / "whole") as file:
        file.write(b"x")
    assert (tmp_path / "whole").stat().st_mode == plain.stat().st_mode
