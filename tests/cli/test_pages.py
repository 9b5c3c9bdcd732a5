"""Pages and tables that commands write beside what they print: where, and what they replace."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from veil.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "Paciente Ana Ruiz, de Lugo."


def veil(*args: object) -> int:
    """Run a command and return its exit code, also where the call itself is wrong."""
    try:
        return main([str(arg) for arg in args])
    except SystemExit as end:
        return int(end.code or 0)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """A folder with an annotated note."""
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "a.txt").write_text(NOTE, "utf-8")
    (folder / "a.ann").write_text("T1\tNOMBRE_SUJETO_ASISTENCIA 9 17\tAna Ruiz\n", "utf-8")
    return folder


@pytest.fixture
def masked(gold: Path, tmp_path: Path) -> Path:
    """The note, masked."""
    out = tmp_path / "masked"
    assert veil("mask", gold / "a.txt", "-o", out / "a.txt", "--workers", 1) == 0
    return out / "a.txt"


CALLS = {
    "evaluate-html": ("evaluate", "{gold}", "{gold}", "--html"),
    "evaluate-json": ("evaluate", "{gold}", "{gold}", "--json"),
    "compare-html": ("compare", "--corpus", "{gold}", "--lang", "es", "--html"),
    "compare-json": ("compare", "--corpus", "{gold}", "--lang", "es", "--json"),
    "show": ("show", "{gold}", "--html"),
    "explain": ("explain", "{gold}", "--model", "veil-es", "--html"),
    "modules-html": ("modules", "--corpus", "{gold}", "--order", "TCD", "--lang", "es", "--html"),
    "modules-table": (
        *("modules", "--corpus", "{gold}", "--order", "TCD", "--lang", "es"),
        "--save-table",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_page_replaces_an_input_or_another_file(
    name: str, gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page is never written into the input, and replaces a file only with --overwrite."""
    call = [word.format(gold=gold) for word in CALLS[name]]
    assert veil(*call, gold / "a.txt", "--overwrite") == 2
    assert "lies inside the input" in capsys.readouterr().err
    assert (gold / "a.txt").read_text("utf-8") == NOTE
    mine = tmp_path / "mine.html"
    mine.write_text("mine", "utf-8")
    assert veil(*call, mine) == 2
    assert f"{mine}: exists already; choose another or give --overwrite" in capsys.readouterr().err
    assert mine.read_text("utf-8") == "mine"
    assert veil(*call, mine, "--overwrite") == 0
    assert mine.read_text("utf-8") != "mine"


def test_two_outputs_have_two_names(gold: Path, tmp_path: Path) -> None:
    """Numbers and page in one file would be one of them only."""
    assert veil("evaluate", gold, gold, "--html", tmp_path / "x", "--json", tmp_path / "x") == 2
    assert not (tmp_path / "x").exists()


def test_a_sample_replaces_no_masked_file(masked: Path) -> None:
    """The page of an audit neither replaces masked text nor lies among it."""
    before = masked.read_bytes()
    assert veil("audit", masked, "--sample", "-o", masked, "--overwrite") == 2
    report = masked.with_name("a.txt.veil-report.json")
    assert veil("audit", masked, "--sample", "-o", report) == 2
    assert "seal" in json.loads(report.read_text("utf-8"))
    assert masked.read_bytes() == before


@pytest.mark.parametrize("size", ["0", "-1", "x"])
def test_a_sample_has_records(size: str, masked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sample of no record proves nothing and is refused."""
    assert veil("audit", masked, f"--sample={size}") == 2
    assert f"'{size}' is not a number of records" in capsys.readouterr().err


def test_records_in_common_are_needed(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scores of sides without a common record would be of nothing: an error."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.txt").write_text(NOTE, "utf-8")
    assert veil("evaluate", gold, other) == 2
    assert "no record has the same id on all sides (1 gold, 1 predicted" in capsys.readouterr().err
    assert veil("evaluate", gold, gold, "--baseline", other) == 2


def test_names_that_are_not_utf8_have_their_place_in_a_page(tmp_path: Path) -> None:
    """The bytes of a name that are no UTF-8 are shown as numbers, in a title as well."""
    notes = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        notes.mkdir()
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    (notes / "a.txt").write_text(NOTE, "utf-8")
    page = tmp_path / "page.html"
    assert veil("show", notes, "--html", page) == 0
    assert "caf\\udce9" in page.read_text("utf-8")


@pytest.mark.parametrize("bias", ["nan", "inf", "-inf", "-1e30", "low"])
@pytest.mark.parametrize("command", ["mask", "detect"])
def test_a_bias_is_a_finite_number(command: str, bias: str, gold: Path, tmp_path: Path) -> None:
    """A bias that would hide every find is a wrong call, and nothing is written."""
    out = tmp_path / "out.txt"
    assert veil(command, gold / "a.txt", "-o", out, f"--bias={bias}") == 2
    assert not out.exists()


def test_what_was_missed_is_explained_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cause, the closest label, and the features in words."""
    note = tmp_path / "note.txt"
    note.write_text("The chest is clear to auscultation bilaterally.", "utf-8")
    assert veil("explain", note, "--lang", "en", "--missed", "35:46", "--top", 3) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("note: «bilaterally» 35-46: unseen\n")
    assert " came closest, with a probability of " in shown
    assert "Features for " in shown
    assert veil("explain", note, "--missed", "34:22") == 2
    assert "give start and end, such as 120:131" in capsys.readouterr().err
