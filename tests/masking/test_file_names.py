"""Names of files and folders: warnings, keyed names, and the way back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import InputError, audit_files, mask_files, reveal_files, reveal_record
from veil.masking.file_names import identifying_names, keyed_name
from veil.replace.secret import Key, new_key, write_key

if TYPE_CHECKING:
    from pathlib import Path

PASSPHRASE = "a passphrase of the tests"  # noqa: S105
NAMES = ("Lindgren_Anna/480312-1234.txt", "ok/note-000123.txt", "ok/AnnaLindgren.txt")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name in NAMES:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("Anna Lindgren söker den 12/4-23.", "utf-8")
    (folder / ".hidden-Lindgren").write_text("x")
    return folder


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Anna_Lindgren.txt", True),
        ("lindgren-anna.txt", True),
        ("HaleJohn.txt", True),
        ("Maria Ruiz/note.txt", True),
        ("19480312.txt", True),
        ("480312-1234/a.txt", True),
        ("12345678.txt", True),
        ("note-000123.txt", False),
        ("discharge_summary_12.txt", False),
        ("2019/notes.csv", False),
        ("ward 3/export.xlsx", False),
        ("anteckning.txt", False),
        ("a.b.c.txt", False),
        ("", False),
    ],
)
def test_identifying_names(name: str, expected: bool) -> None:
    """Names of people, birth dates and long numbers are recognised; usual names are not."""
    assert identifying_names([name], ["en", "es", "sv"]) == ([name] if expected else [])


def test_warning(notes: Path, tmp_path: Path) -> None:
    """A run that keeps identifying names warns of them, and --rename is the remedy."""
    result = mask_files(notes, tmp_path / "out", lang="sv")
    (warning,) = result.warnings
    assert "Lindgren_Anna/480312-1234.txt, ok/AnnaLindgren.txt" in warning
    assert "--rename" in warning
    assert not mask_files(notes, tmp_path / "renamed", lang="sv", rename=True).warnings


def test_renamed_files(notes: Path, tmp_path: Path) -> None:
    """Neither output nor report has a name of the input; the mapping leads back to all of them."""
    key = tmp_path / "my.key"
    write_key(key, new_key())
    out, mapping = tmp_path / "out", tmp_path / "names.map"
    options = {"lang": "sv", "rename": True, "key": key}
    mask_files(notes, out, mapping=mapping, passphrase=PASSPHRASE, **options)  # type: ignore[arg-type]
    again = tmp_path / "again"
    mask_files(notes, again, **options)  # type: ignore[arg-type]
    files = sorted(file.relative_to(out).as_posix() for file in out.rglob("*.txt"))
    assert files == sorted(file.relative_to(again).as_posix() for file in again.rglob("*.txt"))
    assert len(files) == len(NAMES)
    written = "".join(files) + "".join(
        file.read_text("utf-8") for file in out.rglob("*") if file.is_file()
    )
    assert not [word for word in ("Lindgren", "480312", "000123") if word in written]
    assert json.loads((out / "veil-report.json").read_text("utf-8"))["rename"] is True
    assert not audit_files(out, inputs=[notes], key=key).problems
    originals = {
        edits[0].old
        for name in files
        for edits in reveal_record(name, mapping=mapping, passphrase=PASSPHRASE)
    }
    assert originals == set(NAMES)
    back = tmp_path / "back"
    reveal_files(out, back, mapping=mapping, passphrase=PASSPHRASE)
    for name in NAMES:
        assert (back / name).read_bytes() == (notes / name).read_bytes()


def test_companions_keep_a_common_name() -> None:
    """A text and its annotations have one stem before and after; other keys give other names."""
    one, two = Key(b"1" * 32), Key(b"2" * 32)
    text, annotations = keyed_name(one, "a/b.txt", ".txt"), keyed_name(one, "a/b.ann", ".ann")
    assert text.removesuffix(".txt") == annotations.removesuffix(".ann")
    assert keyed_name(two, "a/b.txt", ".txt") != text
    assert keyed_name(one, "c/b.txt", ".txt").split("/")[1] != text.split("/")[1]


def test_single_file_has_the_name_that_was_given(notes: Path, tmp_path: Path) -> None:
    """With a file as output there is nothing to rename."""
    with pytest.raises(InputError, match="--rename needs a folder"):
        mask_files(notes / NAMES[0], tmp_path / "a.txt", rename=True, lang="sv")
