"""Names of files: hidden ones are named, and none of them controls the terminal."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pytest

from veil.cli.main import main
from veil.core.errors import printable
from veil.masking.audit import MaskedOutput, check_seal

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "a\x1b[2J\x1b]0;x\x07\n\u202egpj\x9b31m\u2028.txt"
DANGEROUS = {"\x1b", "\x07", "\u202e", "\x9b", "\u2028"}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "plain.txt").write_text("Seen by Dr. John Hale today.\n")
    return folder


def mask(notes: Path, *options: str) -> int:
    return main(["mask", str(notes), "-o", str(notes.parent / "masked"), "--lang", "en", *options])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("år 山.txt", "år 山.txt"),
        ("山\u3000田.txt", "山\u3000田.txt"),
        ("a\x1b[31m\n", "a\\x1b[31m\\n"),
        ("\u202egpj.txt\u2066", "\\u202egpj.txt\\u2066"),
        ("caf\udce9.txt", "caf\\udce9.txt"),
        ("\x9b31m", "\\x9b31m"),
    ],
)
def test_printable(name: str, shown: str) -> None:
    """Letters of all scripts and spaces stay; what a terminal would obey becomes an escape."""
    assert printable(name) == shown


def test_names_do_not_control_the_terminal(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A withheld file, the report, its page and the audit show the name with escapes."""
    (notes / EVIL).write_bytes(b"no UTF-8: \xff")
    (notes / f".{EVIL}").write_text("hidden")
    assert mask(notes) == 1
    out = notes.parent / "masked"
    (out / EVIL).write_text("added later")
    assert main(["audit", str(out), "--check"]) == 1
    told = capsys.readouterr()
    page, report = ((out / f"veil-report.{kind}").read_text() for kind in ("html", "json"))
    for text in (told.err, page, report):
        assert not DANGEROUS & set(text)
        assert "\\x1b" in text or "\\u001b" in text
    assert EVIL in [file["path"] for file in json.loads(report)["files"]]


@pytest.mark.parametrize(
    "command",
    [
        ["show", EVIL],
        ["show", "--unknown", EVIL],
        ["mask", EVIL, "-o", "out"],
        ["tokens", EVIL],
        ["models", EVIL],
        ["convert", EVIL, "x", "--to", "jsonl"],
        ["evaluate", EVIL, EVIL],
        ["detect", EVIL, "-o", "out"],
    ],
)
def test_errors_of_every_command_escape_names(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is given on the command line is shown with escapes in the error."""
    with contextlib.suppress(SystemExit):  # of argparse
        assert main(command) == 2
    assert not DANGEROUS & set(capsys.readouterr().err)


@pytest.mark.parametrize("command", [["show"], ["tokens"], ["show", "--colour", "never"]])
def test_ids_of_records_are_escaped(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An id with an escape sequence is shown as text."""
    file = tmp_path / "notes.jsonl"
    file.write_text(json.dumps({"id": EVIL, "text": "Seen today."}) + "\n")
    assert main([*command, str(file)]) == 0
    assert not DANGEROUS & set(capsys.readouterr().out)


def test_hidden_files_are_named_and_counted(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hidden files and folders are skipped; the terminal and the report say which."""
    (notes / ".hidden.txt").write_text("Dr. John Hale")
    (notes / "ward").mkdir()
    (notes / "ward" / ".old").mkdir()
    (notes / "ward" / ".old" / "note.txt").write_text("Dr. John Hale")
    assert mask(notes) == 0
    assert (
        "2 hidden file(s) or folder(s) skipped: .hidden.txt, ward/.old/" in capsys.readouterr().err
    )
    out = notes.parent / "masked"
    report = json.loads((out / "veil-report.json").read_text())
    assert report["skipped"] == {"hidden": 2, "listed": [".hidden.txt", "ward/.old/"]}
    assert "ward/.old/" in (out / "veil-report.html").read_text()
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == []


def test_a_hidden_file_in_the_output_breaks_the_seal(notes: Path) -> None:
    """What somebody adds to the output is named even if it is hidden."""
    mask(notes)
    (notes.parent / "masked" / ".originals.txt").write_text("Dr. John Hale")
    assert check_seal(MaskedOutput.open(notes.parent / "masked")) == [
        ".originals.txt: does not belong to this run"
    ]
