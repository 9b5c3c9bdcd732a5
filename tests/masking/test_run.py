from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from veil import InputError
from veil.io import FORMATS, TableOptions
from veil.masking.journal import begin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Self

    from tests.masking.conftest import Contents, Interrupt, Mask, ReadReport

    from veil.io import Item
    from veil.masking.journal import WorkFolder
    from veil.masking.plan import Plan
    from veil.masking.run import MaskJob, Progress


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
    """Its file is missing, the summary has its id and error type, and other records are masked."""
    summary = mask(notes)
    assert not summary.is_complete
    (withheld,) = summary.withheld
    assert (withheld.path, withheld.record) == ("ward-0/note-2.txt", "ward-0/note-2")
    assert withheld.reason == "withheld: detector words failed (ValueError)"
    assert len(contents(tmp_path / "masked")) == 5
    assert not (tmp_path / "masked" / "ward-0" / "note-2.txt").exists()


def test_a_line_that_fails_is_left_out(tmp_path: Path, mask: Mask) -> None:
    """Of a file with several records the bad ones are left out; the input to mend is named."""
    source = tmp_path / "notes.jsonl"
    texts = ['{"id": "a", "text": "Okafor"}', "no JSON", '{"id": "c", "text": "Hexenschuss"}']
    source.write_text("\n".join([*texts, '{"id": "d", "text": "Lugo"}']) + "\n")
    target = tmp_path / "masked.jsonl"
    summary = mask(source, target)
    assert [(each.record, each.path) for each in summary.withheld] == [
        ("line 2", "notes.jsonl"),
        ("c", "notes.jsonl"),
    ]
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["a", "d"]
    assert (tmp_path / "masked.jsonl.veil-report.json").is_file()


def test_a_file_that_cannot_be_read_is_withheld(notes: Path, tmp_path: Path, mask: Mask) -> None:
    """Of a picture and a text that is no UTF-8 nothing is written, and both are named."""
    (notes / "scan.png").write_bytes(b"\x89PNG\0")
    (notes / "latin.txt").write_bytes(b"Se\xf1ora Okafor")
    summary = mask(notes)
    assert [(each.path, each.record) for each in summary.withheld] == [
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
    """By default, a run refuses an output with other files or an interrupted run."""
    out = tmp_path / "masked"
    out.mkdir()
    (out / "precious.txt").write_text("keep me")
    with pytest.raises(InputError, match="exists already"):
        mask(notes)
    with pytest.raises(InputError, match="no interrupted run to continue"):
        mask(notes, resume=True)
    assert [file.name for file in out.iterdir()] == ["precious.txt"]
    interrupt(notes, overwrite=True)
    with pytest.raises(InputError, match="contains an interrupted run; continue with --resume"):
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


def test_the_input_is_not_changed_through_a_link(
    notes: Path, tmp_path: Path, mask: Mask, contents: Contents
) -> None:
    """Where the output leads back to the input, nothing is written."""
    before = contents(notes)
    (tmp_path / "masked").mkdir()
    (tmp_path / "masked" / "ward-0").symlink_to(notes / "ward-0")
    with pytest.raises(InputError, match="a link in the output"):
        mask(notes, overwrite=True)
    assert contents(notes) == before
    assert [file.name for file in (tmp_path / "masked").iterdir()] == ["ward-0"]


def test_pipes_are_withheld(notes: Path, mask: Mask) -> None:
    """Pipes are withheld without reading them, and all other files are masked."""
    os.mkfifo(notes / "pipe.txt")
    os.mkfifo(notes / "other")
    summary = mask(notes)
    assert [(each.path, each.record) for each in summary.withheld] == [
        ("other", None),
        ("pipe.txt", None),
    ]
    assert summary.tally.records == 6


def test_names_that_the_work_folder_uses_itself(
    notes: Path, tmp_path: Path, mask: Mask, contents: Contents, job: MaskJob
) -> None:
    """Folders and files may be called like the journal, the key or the folder of parts."""
    for name in ("key", "journal.jsonl", "parts", "x.part"):
        (notes / name).mkdir()
        (notes / name / "x").write_text("Dr. Hale")
    assert mask(notes, given=replace(job, key=None)).is_complete
    assert contents(tmp_path / "masked")["journal.jsonl/x"] == b"Dr. [DOCTOR-1]"


class FailingWriter:
    """Writes nothing, and fails after some items or at the end."""

    def __init__(self, error: Exception, items: int) -> None:
        self._error, self._left = error, items

    def write(self, item: Item, texts: Sequence[str]) -> None:
        if not self._left:
            raise self._error
        self._left -= 1

    def flush(self) -> int:
        return 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        raise self._error


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("items", [0, 4, 9])
def test_a_writer_that_fails_withholds_its_file(
    items: int,
    lines: Path,
    tmp_path: Path,
    mask: Mask,
    contents: Contents,
    read_report: ReadReport,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Wherever writing fails, its file is neither written nor counted, and others are masked."""
    writer = FailingWriter(ValueError("quotes Okafor"), items)
    monkeypatch.setattr(FORMATS.get("jsonl"), "writer", lambda *args, **options: writer)
    summary = mask(lines)
    assert [(each.path, each.record, each.reason) for each in summary.withheld] == [
        ("m.jsonl", None, "writing failed (ValueError)")
    ]
    assert contents(tmp_path / "masked").keys() == {"a.txt", "z.txt"}
    report = read_report(tmp_path / "masked")
    assert report["records"]["masked"] == 2
    assert report["records"]["by_language"] == {"en": 2}
    assert report["spans"]["by_label"] == {"PATIENT": 2}
    assert report["review"] == {"score_below": 0.6, "found": 0, "by_label": {}}
    assert report["unsure_spans"] == []


def test_a_damaged_source_does_not_end_the_run(
    lines: Path, mask: Mask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of a writer that no system raised is one of its file; one of the system is not."""
    for error in (OSError("corrupt page"), InputError(f"{lines / 'm.jsonl'}: torn")):
        writer = FailingWriter(error, 0)
        monkeypatch.setattr(FORMATS.get("jsonl"), "writer", lambda *a, w=writer, **o: w)
        assert mask(lines, overwrite=True).tally.withheld_files == 1
    writer = FailingWriter(OSError(errno.EIO, "Input/output error"), 0)
    monkeypatch.setattr(FORMATS.get("jsonl"), "writer", lambda *args, **options: writer)
    with pytest.raises(InputError, match="Input/output error"):
        mask(lines, overwrite=True)


@pytest.mark.parametrize("columns", [(), ("nota",)])
def test_wrong_columns_of_a_single_table_are_an_error(
    columns: tuple[str, ...], tmp_path: Path, mask: Mask, job: MaskJob
) -> None:
    """Wrong columns raise an error and write no file."""
    source = tmp_path / "notes.csv"
    source.write_text("id,note\n1,Okafor\n")
    given = replace(job, options=TableOptions(columns))
    with pytest.raises(InputError, match="column"):
        mask(source, tmp_path / "masked.csv", given=given)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.csv"]


def test_another_run_is_never_disturbed(notes: Path, tmp_path: Path, mask: Mask) -> None:
    """A run that begins while one is at work is refused, whatever it says, and removes nothing."""

    def others(_: Progress) -> None:
        for options in ({}, {"overwrite": True}, {"resume": True}):
            with pytest.raises(InputError, match="another run is active there"):
                mask(notes, **options)

    assert mask(notes, watch=others).is_complete


def test_an_output_that_was_filled_meanwhile_is_kept(
    notes: Path, tmp_path: Path, mask: Mask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An output that was filled after the first check is not overwritten."""

    def late(plan: Plan, *args: Any, **options: Any) -> WorkFolder:
        plan.folder.mkdir()
        (plan.folder / "precious.txt").write_text("keep me")
        return begin(plan, *args, **options)

    monkeypatch.setattr("veil.masking.run.begin", late)
    with pytest.raises(InputError, match="exists already"):
        mask(notes)
    assert [file.name for file in (tmp_path / "masked").iterdir()] == ["precious.txt"]
