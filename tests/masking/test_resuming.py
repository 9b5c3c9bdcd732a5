from __future__ import annotations

import errno
import json
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.io import FORMATS
from veil.masking.mapping import MappingReader
from veil.masking.plan import make_plan
from veil.masking.run import MappingFile
from veil.replace.secret import Key

if TYPE_CHECKING:
    from pathlib import Path

    from tests.masking.conftest import Contents, Interrupt, Mask, ReadReport

    from veil.masking.run import MaskJob

WORDS = "four words to test"


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("steps", range(1, 8))
def test_an_interrupted_run_goes_on(
    steps: int,
    lines: Path,
    tmp_path: Path,
    mask: Mask,
    contents: Contents,
    interrupt: Interrupt,
    read_report: ReadReport,
) -> None:
    """Wherever it was stopped: the same bytes and, times apart, the same report."""
    mask(lines, tmp_path / "clean")
    interrupt(lines, after=steps)
    out = tmp_path / "masked"
    assert (out / ".veil-mask" / "journal.jsonl").is_file()
    whole = contents(tmp_path / "clean")
    assert all(whole[name] == data for name, data in contents(out).items())
    mask(lines, resume=True)
    assert contents(out) == whole
    assert read_report(out) == read_report(tmp_path / "clean")
    assert not (out / ".veil-mask").exists()


@pytest.mark.usefixtures("small_batches")
def test_what_came_after_the_journal_is_written_again(
    lines: Path, tmp_path: Path, mask: Mask, contents: Contents, interrupt: Interrupt
) -> None:
    """Bytes in a part file that are not in the journal are removed."""
    mask(lines, tmp_path / "clean")
    interrupt(lines, after=3)
    part = make_plan([lines], tmp_path / "masked").part("m.jsonl")
    assert part.is_file()
    with part.open("ab") as file:
        file.write(b'{"id": "half a rec')
    mask(lines, resume=True)
    assert contents(tmp_path / "masked") == contents(tmp_path / "clean")


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("loss", ["a.txt", "m.jsonl"])
def test_what_was_lost_meanwhile_is_made_again(
    loss: str,
    lines: Path,
    tmp_path: Path,
    mask: Mask,
    contents: Contents,
    interrupt: Interrupt,
    read_report: ReadReport,
) -> None:
    """A finished file that is gone or changed, or a part that is gone, is masked again."""
    mask(lines, tmp_path / "clean")
    interrupt(lines, after=3)
    if loss == "a.txt":
        (tmp_path / "masked" / "a.txt").write_bytes(b"")
    else:
        make_plan([lines], tmp_path / "masked").part("m.jsonl").unlink()
    mask(lines, resume=True)
    assert contents(tmp_path / "masked") == contents(tmp_path / "clean")
    assert read_report(tmp_path / "masked") == read_report(tmp_path / "clean")


@pytest.mark.usefixtures("small_batches")
def test_files_that_cannot_go_on_begin_anew(
    lines: Path,
    tmp_path: Path,
    mask: Mask,
    contents: Contents,
    monkeypatch: pytest.MonkeyPatch,
    interrupt: Interrupt,
    read_report: ReadReport,
) -> None:
    """A format whose files cannot be continued writes its file from the start."""
    mask(lines, tmp_path / "clean")
    monkeypatch.setattr(FORMATS.get("jsonl"), "resumable", False)
    interrupt(lines, after=4)
    mask(lines, resume=True)
    assert contents(tmp_path / "masked") == contents(tmp_path / "clean")
    assert read_report(tmp_path / "masked") == read_report(tmp_path / "clean")


def test_resuming_with_something_else_is_refused(
    notes: Path, tmp_path: Path, mask: Mask, job: MaskJob, interrupt: Interrupt
) -> None:
    """Another policy, key, option, rule or input is named, and nothing is changed."""
    interrupt(notes)
    other = replace(job.detection, settings={"lang": "sv"})
    table = tmp_path / "known.csv"
    table.write_text("record,name\n")
    known = replace(job.detection, files={"known": table})
    for name, changed in {
        "the policy": replace(job, policy="redact"),
        "the key": replace(job, key=Key(b"another key, for tests")),
        "--no-rescan": replace(job, rescan=False),
        "the columns": replace(job, options=replace(job.options, id_column="pid")),
        "--mapping": replace(job, mapping=MappingFile(tmp_path / "m", WORDS)),
        "the options of detection": replace(job, detection=other),
        "the table of known patients, the rules or the terms": replace(job, detection=known),
    }.items():
        with pytest.raises(InputError, match=f"differs from the interrupted run: {name};"):
            mask(notes, given=changed, resume=True)
    (notes / "ward-0" / "note-0.txt").write_text("changed")
    with pytest.raises(InputError, match="the input"):
        mask(notes, resume=True)
    assert not (tmp_path / "m").exists()


def test_resuming_where_nothing_is_begins(notes: Path, mask: Mask) -> None:
    """A script may always say --resume: an empty output is begun."""
    assert mask(notes, resume=True).tally.records == 6


def test_a_key_is_made_for_a_run_and_kept_until_its_end(
    notes: Path, tmp_path: Path, mask: Mask, job: MaskJob, contents: Contents, interrupt: Interrupt
) -> None:
    """Others cannot read it, an interrupted run goes on with it, and then it is gone."""
    hashed = tmp_path / "hash.toml"
    hashed.write_text('default = "hash"\n')
    keyless = replace(job, key=None, policy=hashed)
    interrupt(notes, given=keyless)
    kept = tmp_path / "masked" / ".veil-mask" / "key"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    key = Key.read(kept)
    summary = mask(notes, given=keyless, resume=True)
    assert not kept.exists()
    assert summary.facts["key"] == key.fingerprint
    mask(notes, tmp_path / "again", given=replace(keyless, key=key))
    assert contents(tmp_path / "again") == contents(tmp_path / "masked")


def test_a_key_of_the_users_is_asked_for_again(
    notes: Path, tmp_path: Path, mask: Mask, job: MaskJob, interrupt: Interrupt
) -> None:
    """A key file is not copied, so it must be given again to resume."""
    interrupt(notes)
    assert not (tmp_path / "masked" / ".veil-mask" / "key").exists()
    with pytest.raises(InputError, match="give it with --key-file"):
        mask(notes, given=replace(job, key=None), resume=True)


@pytest.mark.usefixtures("small_batches")
def test_a_full_disk_loses_nothing(
    lines: Path, tmp_path: Path, mask: Mask, contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends with a message, whole files stay, and with room again it goes on."""
    mask(lines, tmp_path / "clean")
    written = 0

    def refuse(*args: object) -> None:
        nonlocal written
        written += 1
        if written == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("veil.io.files.os.fsync", refuse)
        with pytest.raises(InputError, match=r"No space left on device; .* continue with --resume"):
            mask(lines)
    whole = contents(tmp_path / "clean")
    assert all(whole[name] == data for name, data in contents(tmp_path / "masked").items())
    mask(lines, resume=True)
    assert contents(tmp_path / "masked") == whole


@pytest.mark.usefixtures("small_batches")
def test_a_mapping_leads_back_after_an_interruption(
    lines: Path, tmp_path: Path, mask: Mask, job: MaskJob, interrupt: Interrupt
) -> None:
    """Every masked text has its original in the mapping, however often the run was stopped."""
    given = replace(job, mapping=MappingFile(tmp_path / "notes.map", WORDS))
    interrupt(lines, given=given, after=2)
    mask(lines, given=given, resume=True)
    with MappingReader(tmp_path / "notes.map", WORDS) as mapping:
        for name in ("a", "z"):
            masked = (tmp_path / "masked" / f"{name}.txt").read_text()
            assert mapping.original(masked, record=name) == (lines / f"{name}.txt").read_text()
        for line, original in zip(
            (tmp_path / "masked" / "m.jsonl").read_text().splitlines(),
            (lines / "m.jsonl").read_text().splitlines(),
            strict=True,
        ):
            assert mapping.original(json.loads(line)["text"]) == json.loads(original)["text"]


@pytest.mark.usefixtures("small_batches")
def test_an_input_that_only_looks_the_same_is_masked_again(
    lines: Path, tmp_path: Path, mask: Mask, contents: Contents, interrupt: Interrupt
) -> None:
    """A file that was changed is found by its bytes, even if size and time say nothing."""
    interrupt(lines, after=3)
    file = lines / "a.txt"
    status = file.stat()
    file.write_text(file.read_text().replace("fever", "cough"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    mask(lines, resume=True)
    assert b"cough" in contents(tmp_path / "masked")["a.txt"]


@pytest.mark.usefixtures("small_batches")
def test_a_writer_that_fails_after_an_interruption(
    lines: Path,
    tmp_path: Path,
    mask: Mask,
    contents: Contents,
    interrupt: Interrupt,
    read_report: ReadReport,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Within a file that was begun before, it ends the run; the next --resume begins it anew."""
    mask(lines, tmp_path / "clean")
    interrupt(lines, after=3)
    with monkeypatch.context() as patched:
        patched.setattr(FORMATS.get("jsonl"), "writer", lambda *args, **options: None)
        with pytest.raises(InputError, match=r"m\.jsonl: writing failed .*continue with --resume"):
            mask(lines, resume=True)
    mask(lines, resume=True)
    assert contents(tmp_path / "masked") == contents(tmp_path / "clean")
    assert read_report(tmp_path / "masked") == read_report(tmp_path / "clean")


@pytest.mark.usefixtures("small_batches")
def test_a_writer_that_always_fails_withholds_the_file(
    lines: Path, mask: Mask, interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second --resume begins the file anew, and then it is withheld like any other."""
    interrupt(lines, after=3)
    monkeypatch.setattr(FORMATS.get("jsonl"), "writer", lambda *args, **options: None)
    with pytest.raises(InputError, match="continue with --resume"):
        mask(lines, resume=True)
    summary = mask(lines, resume=True)
    assert [(each.path, each.record) for each in summary.withheld] == [("m.jsonl", None)]
    assert summary.tally.records == 2
