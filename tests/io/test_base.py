from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.io import ReadLog, files_below, read, whole_file, write

if TYPE_CHECKING:
    from pathlib import Path


def test_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed is an error: its records would be missing unnoticed."""
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


def test_links_to_folders_are_named_and_not_followed(tmp_path: Path) -> None:
    """A link to a folder is withheld once, whatever formats the folder mixes."""
    notes, outside = tmp_path / "notes", tmp_path / "outside"
    for folder in (notes, outside):
        folder.mkdir()
        (folder / f"{folder.name}.txt").write_text("x", "utf-8")
    (notes / "notes.ann").write_text("", "utf-8")
    (notes / "more.jsonl").write_text('{"id": "more", "text": "x"}\n', "utf-8")
    (notes / "linked").symlink_to(outside)
    (notes / "loop").symlink_to(notes)
    (notes / ".hidden").symlink_to(outside)
    log = ReadLog()
    assert sorted(record.id for record in read(notes, log=log)) == ["more", "notes"]
    assert [error.path for error in log.problems] == [notes / "linked", notes / "loop"]
    assert {error.reason.partition(";")[0] for error in log.problems} == {
        "a link to a folder, which is not followed"
    }


def test_a_folder_that_is_named_may_be_a_link(tmp_path: Path) -> None:
    """What the user names is read, be it a link or not."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("x", "utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "notes")
    assert [record.id for record in read(tmp_path / "link")] == ["a"]


@pytest.mark.parametrize(
    ("pipe", "others"),
    [("b.txt", ["a.txt"]), ("b.ann", ["a.txt", "a.ann", "b.txt"]), ("b.txt", ["b.ann", "a.txt"])],
)
def test_pipes_are_withheld_unread(tmp_path: Path, pipe: str, others: list[str]) -> None:
    """A pipe, which may never end, is named and withheld; the other records are read."""
    os.mkfifo(tmp_path / pipe)
    for name in others:
        (tmp_path / name).write_text("", "utf-8")
    log = ReadLog()
    assert [record.id for record in read(tmp_path, log=log)] == ["a"]
    assert [error.path for error in log.problems] == [tmp_path / pipe]
    assert "not a regular file" in log.problems[0].reason


def test_a_pipe_that_is_named_is_refused(tmp_path: Path) -> None:
    """A pipe in place of a file is an error that says what it is."""
    os.mkfifo(tmp_path / "notes.txt")
    with pytest.raises(
        InputError, match=r"notes\.txt: a pipe, socket or device, not a regular file"
    ):
        read(tmp_path / "notes.txt")


def test_names_that_are_no_utf8_are_escaped(tmp_path: Path) -> None:
    """A record whose file has such a name can be written like any other."""
    name = os.fsencode(tmp_path / "notes") + b"/h\xe5kan.txt"
    (tmp_path / "notes").mkdir()
    try:
        with open(name, "wb") as file:  # noqa: PTH123 - a path of bytes
            file.write(b"x")
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    records = list(read(tmp_path / "notes"))
    assert [record.id for record in records] == ["h\\xe5kan"]
    assert write(records, tmp_path / "found.jsonl", format="jsonl") == 1
    assert write(records, tmp_path / "found", format="brat") == 1
    assert [record.id for record in read(tmp_path / "found")] == ["h\\xe5kan"]
