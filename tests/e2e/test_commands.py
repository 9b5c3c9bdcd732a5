"""The commands as a user calls them: exit codes, messages, files."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil import io

if TYPE_CHECKING:
    from pathlib import Path


def veil(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veil", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def broken(tmp_path: Path, examples: Path) -> Path:
    """A good record, a Latin-1 file, an annotation outside its text and a broken XML file."""
    folder = tmp_path / "broken"
    folder.mkdir()
    for file in (examples / "es").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "latin.txt").write_bytes("Señora Quiñones".encode("latin-1"))
    (folder / "latin.ann").write_text("T1\tNOMBRE_SUJETO_ASISTENCIA 0 6\tSeñora\n", "utf-8")
    (folder / "outside.txt").write_text("Corto", "utf-8")
    (folder / "outside.ann").write_text("T1\tFECHAS 3 99\tto\n", "utf-8")
    (folder / "torn.xml").write_text("<deIdi2b2>\n<TEXT><![CDATA[Roto", "utf-8")
    return folder


@pytest.mark.parametrize("command", ["convert", "tokens", "show", "evaluate"])
def test_every_command_helps_with_an_example(command: str) -> None:
    """--help ends well and shows an example."""
    done = veil(command, "--help")
    assert done.returncode == 0
    assert f"example:\n  veil {command}" in done.stdout


def test_no_command_is_a_wrong_call() -> None:
    """Without a command the help comes with exit code 2."""
    assert veil().returncode == 2


@pytest.mark.parametrize("to_format", ["i2b2-2014", "i2b2-2006", "conll", "jsonl"])
def test_convert_there_and_back_changes_nothing(
    to_format: str, examples: Path, tmp_path: Path
) -> None:
    """Records converted to another format and back have the same text and spans."""
    there, back = tmp_path / "there", tmp_path / "back"
    assert veil("convert", examples / "es", f"{there}/", "--to", to_format).returncode == 0
    assert veil("convert", there, back, "--to", "brat").returncode == 0
    for name in ("informe.txt", "informe.ann"):
        assert (back / name).read_bytes() == (examples / "es" / name).read_bytes()


def test_convert_says_what_a_scheme_cannot_hold(examples: Path, tmp_path: Path) -> None:
    """Labels without a place in the target scheme are counted on standard error."""
    done = veil(
        "convert", examples / "es", tmp_path / "out", "--to", "brat", "--scheme", "i2b2-2014"
    )
    assert done.returncode == 0
    assert "2 span(s) of SEXO_SUJETO_ASISTENCIA have no place in i2b2-2014" in done.stderr
    (record,) = io.read(tmp_path / "out")
    assert "PATIENT" in {span.label for span in record.spans}


def test_bad_records_are_named_and_the_others_go_on(broken: Path, tmp_path: Path) -> None:
    """Three broken files give one message each, and the good record is written."""
    done = veil("convert", broken, tmp_path / "out.jsonl", "--to", "jsonl")
    assert done.returncode == 1
    assert "latin.txt, byte 2" in done.stderr
    assert "outside.ann, line 1" in done.stderr
    assert "torn.xml, line 2" in done.stderr
    assert "3 record(s) withheld" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Quiñones" not in done.stderr
    assert [record.id for record in io.read(tmp_path / "out.jsonl")] == ["informe"]


def test_strict_stops_at_the_first_bad_record(broken: Path, tmp_path: Path) -> None:
    """With --strict nothing is written and the exit code is 2."""
    done = veil("convert", broken, tmp_path / "out.jsonl", "--to", "jsonl", "--strict")
    assert done.returncode == 2
    assert not (tmp_path / "out.jsonl").exists()


def test_output_is_not_overwritten(examples: Path, tmp_path: Path) -> None:
    """A folder that holds something is refused without --overwrite."""
    (tmp_path / "precious.txt").write_text("keep me", "utf-8")
    done = veil("convert", examples / "es", tmp_path, "--to", "brat")
    assert done.returncode == 2
    assert "--overwrite" in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["precious.txt"]


def test_output_inside_the_input_is_refused(examples: Path, tmp_path: Path) -> None:
    """Reading a folder while writing into it is refused."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text("text", "utf-8")
    done = veil("convert", source, source / "out", "--to", "brat")
    assert done.returncode == 2
    assert "inside the input" in done.stderr


@pytest.mark.parametrize("command", ["tokens", "show"])
def test_missing_input_is_a_message(command: str, tmp_path: Path) -> None:
    """A path that does not exist gives one line and exit code 2."""
    done = veil(command, tmp_path / "nowhere")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "nowhere" in done.stderr


def test_tokens_prints_offsets_and_sentences(tmp_path: Path) -> None:
    """Each line has start, end and word; the language is found from the text."""
    note = tmp_path / "note.txt"
    note.write_text("Patienten mår bra. Åter i mars.", "utf-8")
    done = veil("tokens", note)
    assert done.returncode == 0
    assert done.stdout.startswith("# note (sv)\n0\t9\tPatienten\n")
    assert "17\t18\t.\n\n19\t23\tÅter\n" in done.stdout


def test_show_writes_a_page(examples: Path, tmp_path: Path) -> None:
    """--html writes one page with the record and its marks."""
    page = tmp_path / "page.html"
    assert veil("show", examples / "sv", "--html", page).returncode == 0
    assert '<mark class="name"' in page.read_text("utf-8")


def test_show_brackets_spans_in_pipes(examples: Path) -> None:
    """In a pipe spans are bracketed, without colours."""
    done = veil("show", examples / "ja")
    assert "[68歳|AGE]" in done.stdout
    assert "\x1b" not in done.stdout


def test_evaluate_against_itself_is_perfect(examples: Path, tmp_path: Path) -> None:
    """A folder against itself has every F1 at 1 and no leak."""
    numbers = tmp_path / "numbers.json"
    done = veil("evaluate", examples / "es", examples / "es", "--json", numbers)
    assert done.returncode == 0
    found = json.loads(numbers.read_text("utf-8"))
    assert found["meddocan"]["subtask1"]["micro"]["f1"] == 1.0
    assert found["protection"]["metrics"]["character recall"]["value"] == 1.0


def test_evaluate_warns_of_records_on_one_side(examples: Path, tmp_path: Path) -> None:
    """A predicted record without gold is named and not counted."""
    predicted = tmp_path / "predicted"
    assert veil("convert", examples / "es", predicted, "--to", "brat").returncode == 0
    (predicted / "extra.txt").write_text("nada", "utf-8")
    done = veil("evaluate", examples / "es", predicted)
    assert done.returncode == 0
    assert "not in GOLD" in done.stderr
    assert "extra" in done.stderr


def test_dummy_records_are_written_in_any_format(tmp_path: Path) -> None:
    """`veil synth` writes records with spans; the same seed gives the same bytes."""
    for name in ("a", "b"):
        done = veil(
            *("synth", "sv", "-n", 8, "--seed", 3, "-o", tmp_path / name, "--to", "brat"),
            *("--scheme", "stockholm"),
        )
        assert done.returncode == 0, done.stderr
    files = sorted(file.name for file in (tmp_path / "a").iterdir())
    assert len(files) == 16
    assert all(
        (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        for name in files
    )
    labels = {span.label for record in io.read(tmp_path / "a") for span in record.spans}
    assert {"FIRST_NAME", "LAST_NAME"} <= labels
    done = veil("synth", "sv", "--kind", "poem", "-o", tmp_path / "c")
    assert done.returncode == 2
    assert "unknown kind of note 'poem'" in done.stderr
