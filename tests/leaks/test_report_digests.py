"""What the report says of the input confirms no guess, and still proves what was masked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.cli.main import main
from veil.detect.assembly import default_pipeline
from veil.masking.audit import MaskedOutput, check_inputs, check_seal
from veil.masking.plan import make_plan
from veil.masking.run import Detection, MaskJob, run_job
from veil.replace.secret import Key

if TYPE_CHECKING:
    from pathlib import Path

    from veil.detect.pipeline import DetectionPipeline
    from veil.masking.run import Progress


@cache
def pipeline() -> DetectionPipeline:
    """Load the model once for all tests."""
    return default_pipeline("en")


KEY = Key(b"a key for the tests of leaks")
JOB = MaskJob(Detection(pipeline), "redact", KEY)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text("Seen by Dr. Hale, SSN 123-45-6789.\n")
    return folder


@pytest.fixture
def masked(notes: Path, tmp_path: Path) -> Path:
    run_job(make_plan([notes], tmp_path / "masked"), JOB)
    return tmp_path / "masked"


def digests(text: bytes) -> list[str]:
    """What a reader without the key could compute from a guess of a file."""
    return [hashlib.new(name, text).hexdigest() for name in ("md5", "sha1", "sha256", "sha512")]


def test_no_file_holds_a_digest_of_the_input(notes: Path, tmp_path: Path) -> None:
    """Neither report, page nor journal holds a hash that confirms a guess of a note or table."""
    table = tmp_path / "known.csv"
    table.write_text("record,name\na,Ann Other\n")
    job = replace(JOB, detection=replace(JOB.detection, files={"known": table}))
    out = tmp_path / "masked"
    written: list[bytes] = []

    def watch(_: Progress) -> None:
        written.extend(path.read_bytes() for path in out.rglob("*") if path.is_file())

    run_job(make_plan([notes], out), job, watch=watch)
    written.extend(path.read_bytes() for path in out.rglob("*") if path.is_file())
    guesses = digests((notes / "a.txt").read_bytes()) + digests(table.read_bytes())
    assert len(written) > 5
    assert not [guess for guess in guesses for text in written if guess.encode() in text]


def test_equal_inputs_cannot_be_recognised(masked: Path) -> None:
    """Two files with the same content have different hashes in the report."""
    first, second = json.loads((masked / "veil-report.json").read_text())["files"]
    assert first["input"] != second["input"]


def test_the_owner_of_the_key_can_check_inputs(notes: Path, masked: Path) -> None:
    """With the key, an input that was changed, added or removed is named."""
    output = MaskedOutput.open(masked)
    assert check_seal(output) == []
    assert check_inputs(output, [notes], KEY) == []
    (notes / "a.txt").write_text("another")
    (notes / "b.txt").rename(notes / "c.txt")
    assert check_inputs(output, [notes], KEY) == [
        f"{notes / 'a.txt'}: is not the file that was masked",
        f"{notes / 'c.txt'}: was not masked in this run",
        "b.txt: its input is missing",
    ]
    with pytest.raises(InputError, match="masked with another key"):
        check_inputs(output, [notes], Key(b"another key, not that of the run"))


def test_inputs_are_checked_on_the_command_line(
    notes: Path, masked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`veil audit --check --input` needs the key file, and its exit code tells."""
    key = tmp_path / "my.key"
    key.write_bytes(b"a key for the tests of leaks")
    check = ["audit", str(masked), "--check", "--input", str(notes)]
    assert main(check) == 2
    assert main([*check, "--key-file", str(key)]) == 0
    (notes / "a.txt").write_text("another")
    assert main([*check, "--key-file", str(key)]) == 1
    assert "is not the file that was masked" in capsys.readouterr().err


def test_an_old_report_is_told(masked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report with plain hashes is still checked, with a warning not to share it."""
    file = masked / "veil-report.json"
    report = json.loads(file.read_text())
    del report["seal"]["inputs"]
    file.write_text(json.dumps(report))
    assert main(["audit", str(masked), "--check"]) == 0
    assert "plain SHA-256 of every input file" in capsys.readouterr().err
    with pytest.raises(InputError, match="earlier version"):
        check_inputs(MaskedOutput.open(masked), [], KEY)


def test_an_interrupted_run_of_an_earlier_version_is_refused(notes: Path, tmp_path: Path) -> None:
    """A journal without keyed hashes cannot be resumed, and the message says what to do."""
    plan = make_plan([notes], tmp_path / "masked")

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(plan, JOB, watch=interrupt)
    journal = plan.work / "journal.jsonl"
    header, *entries = journal.read_text().splitlines(keepends=True)
    old = {name: value for name, value in json.loads(header).items() if name != "hashes"}
    journal.write_text(json.dumps(old) + "\n" + "".join(entries))
    with pytest.raises(InputError, match="earlier version of Veil; start again with --overwrite"):
        run_job(plan, JOB, resume=True)
