"""Detecting without a model of one's own, as a user calls it: exit codes, messages, files."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil import Record, io

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "english": "Mr. Okafor, 45 y/o, was seen by Dr. Hale on 03/05/2019. MRN: 4471823. BP 120/80.\n",
    "spanish": "Paciente: Ana Ruiz Soto, de 53 años. Ingresó el 12/03/2015 con fiebre.\n",
    "swedish": "Pat Karin Hjelmqvist, 73 år, inkom 2023-03-14. Dr Lindkvist. Tel 070-1740605.\n",
    "japanese": "患者：山田太郎、63歳男性。平成23年3月5日に当院を受診した。\n",
}


def veil(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veil", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
    )


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


def found_in(file: Path) -> dict[str, list[tuple[str, str]]]:
    """The spans of each record: label and text."""
    return {
        record.id: [
            (span.label, record.document.text[span.start : span.end]) for span in record.spans
        ]
        for record in io.read(file)
    }


@pytest.mark.parametrize("options", [["--rules-only"], []], ids=["rules", "default"])
def test_four_languages_at_once(options: list[str], notes: Path, tmp_path: Path) -> None:
    """Each record is worked on in its own language, the same with one worker and with two."""
    outputs = []
    for workers in (1, 2):
        out = tmp_path / f"found-{workers}.jsonl"
        done = veil("detect", notes, "-o", out, *options, "--workers", workers)
        assert done.returncode == 0, done.stderr
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    records = {record.id: record for record in io.read(tmp_path / "found-1.jsonl")}
    assert {name: record.document.language for name, record in records.items()} == {
        "english": "en",
        "spanish": "es",
        "swedish": "sv",
        "japanese": "ja",
    }
    found = found_in(tmp_path / "found-1.jsonl")
    assert ("PATIENT", "Okafor") in found["english"]
    assert ("DOCTOR", "Hale") in found["english"]
    assert ("MEDICALRECORD", "4471823") in found["english"]
    assert not any("120" in text for _, text in found["english"])
    assert ("PATIENT", "Ana Ruiz Soto") in found["spanish"]
    assert ("DATE", "12/03/2015") in found["spanish"]
    assert ("AGE", "73 år") in found["swedish"]
    assert ("PHONE", "070-1740605") in found["swedish"]
    assert ("AGE", "63歳") in found["japanese"]
    assert ("HOSPITAL", "当院") in found["japanese"]


def test_what_is_known_of_a_patient_is_found(tmp_path: Path) -> None:
    """A table says who the patient is; ids that belong to no record are counted."""
    note = tmp_path / "note-1.txt"
    note.write_text("Woke at night, zebulon confused. Wife of Zebulin called.\n", "utf-8")
    table = tmp_path / "known.csv"
    table.write_text("record,name\nnote-1,Zebulon Quartermain\nnote-9,Ann Other\n", "utf-8")
    out = tmp_path / "found.jsonl"
    done = veil("detect", note, "-o", out, "--rules-only", "--lang", "en", "--known", table)
    assert done.returncode == 0, done.stderr
    names = [text for label, text in found_in(out)["note-1"] if label == "PATIENT"]
    assert names == ["zebulon", "Zebulin"]
    assert f"1 id(s) of {table} belong to no record" in done.stderr
    assert "Other" not in done.stderr


def test_known_in_the_meta_of_json_lines(tmp_path: Path) -> None:
    """A record may carry what is known of it in its own meta."""
    record = {"id": "n", "text": "slept well, zebulon ate", "meta": {"known": {"name": "Zebulon"}}}
    source = tmp_path / "notes.jsonl"
    source.write_text(json.dumps(record) + "\n", "utf-8")
    done = veil("detect", source, "-o", tmp_path / "o.jsonl", "--rules-only", "--lang", "en")
    assert done.returncode == 0, done.stderr
    assert found_in(tmp_path / "o.jsonl")["n"] == [("PATIENT", "zebulon")]


def test_methods_of_the_papers(notes: Path, tmp_path: Path) -> None:
    """A paper's method that learns nothing runs by its name, for its own language only."""
    out = tmp_path / "found.jsonl"
    source = notes / "japanese.txt"
    done = veil("detect", source, "-o", out, "--method", "kajiyama-2018-rules")
    assert done.returncode == 0, done.stderr
    assert ("AGE", "63歳") in found_in(out)["japanese"]
    done = veil("detect", source, "-o", tmp_path / "x", "--method", "carlsson-2010", "--lang", "ja")
    assert done.returncode == 2
    assert "carlsson-2010 is a method for 'sv', not for 'ja'" in done.stderr


def test_learning_modules_read_the_input_twice_or_keep_a_memory(tmp_path: Path) -> None:
    """A name after a title in two records is learnt, for this run or in a file for later ones."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"a{number}.txt").write_text("Dr Xyqvar bedömer.\n", "utf-8")
    (folder / "b.txt").write_text("Samtal med Xyqvar idag.\n", "utf-8")
    out, memory = tmp_path / "found.jsonl", tmp_path / "names.json"
    done = veil(*("detect", folder, "-o", out, "--order", "TL", "--lang", "sv", "--memory", memory))
    assert done.returncode == 0, done.stderr
    assert found_in(out)["b"] == [("NAME", "Xyqvar")]

    later = tmp_path / "later.txt"
    later.write_text("Ringde Xyqvar.\n", "utf-8")
    again = ("--order", "TL", "--lang", "sv", "--memory", memory)
    assert veil("detect", later, "-o", tmp_path / "l.jsonl", *again).returncode == 0
    assert found_in(tmp_path / "l.jsonl")["later"] == [("NAME", "Xyqvar")]


def test_rules_of_ones_own(tmp_path: Path) -> None:
    """A folder of rules is added to Veil's; a broken one is named."""
    rules = tmp_path / "rules"
    rules.mkdir()
    file = rules / "badges.toml"
    file.write_text(
        "[[rule]]\nname = 'badge'\nlabel = 'IDNUM'\npattern = 'BDG-[0-9]{4}'\n", "utf-8"
    )
    note = tmp_path / "note.txt"
    note.write_text("Badge BDG-1234 was used by the nurse in the ward today.\n", "utf-8")
    call = ("detect", note, "--lang", "en", "--own-rules", rules, "--rules-only")
    assert veil(*call, "-o", tmp_path / "a.jsonl").returncode == 0
    assert ("IDNUM", "BDG-1234") in found_in(tmp_path / "a.jsonl")["note"]
    file.write_text("[[rule]]\nname = 'badge'\npattern = '('\n", "utf-8")
    done = veil(*call, "-o", tmp_path / "b.jsonl")
    assert done.returncode == 2
    assert f"{file}, rule badge" in done.stderr
    assert not (tmp_path / "b.jsonl").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--rules-only", "--recall", "0.9"),
        ("--with-rules",),
        ("--order", "TCD"),
        ("--order", "TCD", "--lang", "sv", "--known", "x.csv"),
        ("--rules-only", "--memory", "m.json"),
        ("--method", "carlsson-2010", "--own-rules", "."),
    ],
)
def test_options_that_do_not_fit_are_refused(
    options: tuple[str, ...], notes: Path, tmp_path: Path
) -> None:
    """An option that would change nothing is an error, and nothing is written."""
    done = veil("detect", notes, "-o", tmp_path / "out.jsonl", *options)
    assert done.returncode == 2
    assert "would have no effect" in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_a_language_without_rules_is_withheld(tmp_path: Path) -> None:
    """A record that says that it is in another language is withheld and named, the others go on."""
    source = tmp_path / "notes.jsonl"
    lines = [
        {"id": "fr", "text": "Vu le 3 mai par le Dr Blanc.", "language": "fr"},
        {"id": "en", "text": "Seen by Dr. Hale today.", "language": "en"},
    ]
    source.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    done = veil("detect", source, "-o", tmp_path / "out.jsonl", "--rules-only")
    assert done.returncode == 1
    assert "record fr: withheld: Veil has no rules for its language" in done.stderr
    assert "Blanc" not in done.stderr
    assert list(found_in(tmp_path / "out.jsonl")) == ["en"]


def test_the_hybrid_of_ones_own_model(
    small_model: Path, small_folder: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """--with-rules joins the rules to a model and finds what the model was not taught."""
    note = tmp_path / "nota.txt"
    note.write_text("Correo: ana.mora@hospital.es. NHC: 123456.\n", "utf-8")
    call = ("detect", note, "--model", small_model)
    assert veil(*call, "-o", tmp_path / "a.jsonl").returncode == 0
    assert veil(*call, "--with-rules", "-o", tmp_path / "b.jsonl").returncode == 0
    assert "CORREO_ELECTRONICO" not in dict(found_in(tmp_path / "a.jsonl")["nota"])
    assert dict(found_in(tmp_path / "b.jsonl")["nota"])["CORREO_ELECTRONICO"] == (
        "ana.mora@hospital.es"
    )
