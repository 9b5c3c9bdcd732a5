"""Encodings as a user meets them: options, messages and files."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from veil.cli import main

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [["id", "note"]] + [
    [str(number), "Pat Karin Hjelmqvist, 73 år, söker för värk. Dr Åke Öst ringer 070-1740605."]
    for number in range(1, 21)
]


def table(encoding: str) -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(ROWS)
    return text.getvalue().encode(encoding)


def run(*args: object) -> int:
    return main([*map(str, args)])


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "cp850"])
@pytest.mark.parametrize("policy", ["tag", "surrogate", "redact"])
def test_output_keeps_the_encoding(
    tmp_path: Path, encoding: str, policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table in another encoding is masked in it; what was detected is said."""
    source, target = tmp_path / "notes.csv", tmp_path / "masked.csv"
    source.write_bytes(table(encoding))
    options = ("--text-column", "note", "--policy", policy, "--lang", "sv", "--workers", 1)
    assert run("mask", source, "-o", target, *options, "--encoding", "auto") == 0
    text = target.read_bytes().decode(encoding)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
    assert [row[0] for row in rows] == [row[0] for row in ROWS]
    assert not any(word in text for word in ("Hjelmqvist", "1740605"))
    assert all("söker för värk" in row[1] for row in rows[1:])
    assert "1 file(s) read as" in capsys.readouterr().err


def test_output_encoding(tmp_path: Path) -> None:
    """The output is written in another encoding on request."""
    source, target = tmp_path / "note.txt", tmp_path / "masked.txt"
    source.write_bytes("Pat Karin Hjelmqvist söker för värk.".encode("cp1252"))
    options = ("--encoding", "cp1252", "--output-encoding", "utf-16", "--lang", "sv", "-q")
    assert run("mask", source, "-o", target, *options) == 0
    assert target.read_bytes().startswith(b"\xff\xfe")
    assert "söker för värk" in target.read_text("utf-16")


def test_character_without_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record with a character that the output encoding lacks is withheld."""
    source = tmp_path / "note.txt"
    source.write_text("Pat Karin Hjelmqvist ☂ söker för värk.", "utf-8")
    options = ("--output-encoding", "cp1252", "--lang", "sv")
    assert run("mask", source, "-o", tmp_path / "masked.txt", *options) == 1
    assert not (tmp_path / "masked.txt").exists()
    assert "a character that cp1252 cannot encode" in capsys.readouterr().err


def test_wrong_encoding_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table in another encoding gives one message that says what to do, not one for each row."""
    source = tmp_path / "notes.csv"
    source.write_bytes(table("cp1252"))
    for command, target in (("mask", "masked.csv"), ("detect", "found.jsonl")):
        run(command, source, "-o", tmp_path / target, "--text-column", "note", "--lang", "sv")
        said = capsys.readouterr().err
        assert said.count("not UTF-8 here; give --encoding NAME, or --encoding auto") == 1
        assert "19 more" in said


def test_known_table_in_another_encoding(tmp_path: Path) -> None:
    """The table of known patients is read in the encoding of the notes."""
    (tmp_path / "n1.txt").write_bytes("Öyvindsson kom i går.".encode("cp1252"))
    known = tmp_path / "known" / "patients.csv"
    known.parent.mkdir()
    known.write_bytes("record;name\nn1;Bo Öyvindsson\n".encode("cp1252"))
    options = ("--known", known, "--encoding", "cp1252", "--lang", "sv", "--rules-only")
    assert run("mask", tmp_path / "n1.txt", "-o", tmp_path / "out.txt", *options) == 0
    assert "Öyvindsson" not in (tmp_path / "out.txt").read_text("cp1252")


def test_reveal_in_another_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was masked in another encoding is restored to the byte."""
    monkeypatch.setenv("VEIL_PASSPHRASE", "a passphrase of the tests")
    source, masked, back = (tmp_path / name for name in ("a.csv", "b.csv", "c.csv"))
    source.write_bytes(table("cp1252"))
    columns = ("--text-column", "note", "--id-column", "id", "--encoding", "cp1252")
    options = ("--policy", "surrogate", "--lang", "sv", "--mapping", tmp_path / "m.map")
    assert run("mask", source, "-o", masked, *columns, *options) == 0
    assert run("reveal", masked, "-o", back, *columns, "--mapping", tmp_path / "m.map") == 0
    assert back.read_bytes() == source.read_bytes()


def test_surrogates_fit_the_encoding(tmp_path: Path) -> None:
    """Surrogates with letters that the encoding lacks are written in those that it has."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(40):
        text = f"Pat Karin Hjelmqvist, {30 + number} ar, bor i Lund. Dr Berg ringer pa mandag."
        (notes / f"n{number}.txt").write_text(text, "ascii")
    options = ("--policy", "surrogate", "--lang", "sv", "-q", "--workers", 1)
    assert run("mask", notes, "-o", tmp_path / "plain", *options) == 0
    assert run("mask", notes, "-o", tmp_path / "out", *options, "--output-encoding", "ascii") == 0
    plain = "".join(file.read_text("utf-8") for file in (tmp_path / "plain").glob("n*.txt"))
    written = "".join(file.read_text("ascii") for file in (tmp_path / "out").glob("n*.txt"))
    assert not plain.isascii()  # else nothing was tested
    assert "Hjelmqvist" not in written
    assert "[PATIENT" not in written
