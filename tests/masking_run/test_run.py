from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from veil import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.masking_run.conftest import Contents, Interrupt, Mask

    from veil.masking_run import Progress


def test_a_folder_is_masked(notes: Path, tmp_path: Path, mask: Mask, contents: Contents) -> None:
    """Every file is there, masked; the input is as it was and no work folder is left."""
    before = contents(notes)
    summary = mask(notes)
    assert summary.is_complete
    assert contents(notes) == before
    masked = contents(tmp_path / "masked")
    assert masked.keys() == before.keys()
    assert masked["ward-1/note-3.txt"] == (
        b"3: Dr. [DOCTOR-1] saw Mr. [PATIENT-1] of [CITY-1], fever. MRN [MEDICALRECORD-1].\n"
    )
    assert sorted(file.name for file in (tmp_path / "masked").iterdir()) == [
        *("veil-report.html", "veil-report.json", "ward-0", "ward-1")
    ]


def test_a_record_that_fails_is_withheld(
    bad_note: Path, notes: Path, tmp_path: Path, mask: Mask, contents: Contents
) -> None:
    """Its file is absent, its id and the kind of the error are told, and the rest goes on."""
    summary = mask(notes)
    assert not summary.is_complete
    (withheld,) = summary.withheld
    assert (withheld.place, withheld.record) == ("ward-0/note-2.txt", "ward-0/note-2")
    assert withheld.reason == "withheld: detector words failed (ValueError)"
    assert len(contents(tmp_path / "masked")) == 5
    assert not (tmp_path / "masked" / "ward-0" / "note-2.txt").exists()


def test_a_line_that_fails_is_left_out(tmp_path: Path, mask: Mask) -> None:
    """Of a file with several records the bad ones are left out, read badly or masked badly."""
    source = tmp_path / "notes.jsonl"
    texts = ['{"id": "a", "text": "Okafor"}', "no JSON", '{"id": "c", "text": "Hexenschuss"}']
    source.write_text("\n".join([*texts, '{"id": "d", "text": "Lugo"}']) + "\n")
    target = tmp_path / "masked.jsonl"
    summary = mask(source, target)
    assert [(each.record, each.place) for each in summary.withheld] == [
        ("line 2", "masked.jsonl"),
        ("c", "masked.jsonl"),
    ]
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["a", "d"]
    assert (tmp_path / "masked.jsonl.veil-report.json").is_file()


def test_a_file_that_cannot_be_read_is_withheld(notes: Path, tmp_path: Path, mask: Mask) -> None:
    """Of a picture and a text that is no UTF-8 nothing is written, and both are named."""
    (notes / "scan.png").write_bytes(b"\x89PNG\0")
    (notes / "latin.txt").write_bytes(b"Se\xf1ora Okafor")
    summary = mask(notes)
    assert [(each.place, each.record) for each in summary.withheld] == [
        ("latin.txt", None),
        ("scan.png", None),
    ]
    assert "byte 2" in summary.withheld[0].reason
    assert summary.tally.records == 6
    assert not (tmp_path / "masked" / "latin.txt").exists()
    assert not (tmp_path / "masked" / "scan.png").exists()


def test_an_output_that_is_there_is_not_touched(
    notes: Path, tmp_path: Path, mask: Mask, interrupt: Interrupt
) -> None:
    """Without being told to, a run neither mixes with files nor with an interrupted run."""
    out = tmp_path / "masked"
    out.mkdir()
    (out / "precious.txt").write_text("keep me")
    with pytest.raises(InputError, match="exists already"):
        mask(notes)
    with pytest.raises(InputError, match="no interrupted run to go on with"):
        mask(notes, resume=True)
    assert [file.name for file in out.iterdir()] == ["precious.txt"]
    interrupt(notes, overwrite=True)
    with pytest.raises(InputError, match="holds an interrupted run; go on with --resume"):
        mask(notes)
    assert mask(notes, overwrite=True).tally.records == 6
    assert (out / "precious.txt").read_text() == "keep me"


def test_what_is_withheld_does_not_stay_from_an_earlier_run(
    notes: Path, tmp_path: Path, mask: Mask
) -> None:
    """Overwriting removes the file of a record that is withheld this time."""
    mask(notes)
    (notes / "ward-0" / "note-2.txt").write_text("Hexenschuss")
    assert (tmp_path / "masked" / "ward-0" / "note-2.txt").exists()
    mask(notes, overwrite=True)
    assert not (tmp_path / "masked" / "ward-0" / "note-2.txt").exists()


def test_no_text_of_a_record_is_told(
    bad_note: Path,
    notes: Path,
    tmp_path: Path,
    mask: Mask,
    secrets: tuple[str, ...],
    interrupt: Interrupt,
) -> None:
    """Neither journal nor report nor summary holds a word of a record."""
    (notes / "torn.jsonl").write_text('{"id": "a", "text": "Okafor"}\n{"text": "fever", Lugo\n')
    interrupt(notes)
    told = [(tmp_path / "masked" / ".veil-mask" / "journal.jsonl").read_text("utf-8")]
    summary = mask(notes, resume=True)
    told += [(tmp_path / "masked" / f"veil-report.{kind}").read_text() for kind in ("json", "html")]
    told.append(repr(summary))
    for text in told:
        assert not [secret for secret in secrets if secret in text]


def test_progress_is_told(lines: Path, mask: Mask) -> None:
    """The watcher hears of all records and spans, and of the whole at the end."""
    seen: list[Progress] = []
    mask(lines, watch=seen.append)
    assert (seen[-1].records, seen[-1].share) == (11, 1.0)
    assert seen[-1].spans == 9 * 3 + 2
    assert seen[-1].before == (0, 0.0)


def test_odd_names_of_files(notes: Path, tmp_path: Path, mask: Mask, contents: Contents) -> None:
    """Names that are as long as can be, or no UTF-8, stay what they are."""
    names = [b"x" * 250 + b".txt", b"caf\xe9.txt"]
    for name in names:
        (notes / os.fsdecode(name)).write_text("Dr. Hale")
    assert mask(notes).is_complete
    masked = contents(tmp_path / "masked")
    assert [masked[os.fsdecode(name)] for name in names] == [b"Dr. [DOCTOR-1]"] * 2
    report = json.loads((tmp_path / "masked" / "veil-report.json").read_text("utf-8"))
    assert os.fsdecode(names[1]) in [file["path"] for file in report["files"]]
