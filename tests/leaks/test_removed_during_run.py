"""Somebody removes files of a run while it is at work: nothing is lost without a message."""

from __future__ import annotations

import json
import shutil
from functools import cache, partial
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.detect.assembly import default_pipeline
from veil.masking import stream
from veil.masking.plan import make_plan
from veil.masking.run import Detection, MaskJob, run_job
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from veil.detect.pipeline import DetectionPipeline
    from veil.masking.run import Progress, Summary


@cache
def pipeline() -> DetectionPipeline:
    """Load the model once for all tests."""
    return default_pipeline("en")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two texts and, between them, JSON lines that take several batches."""
    monkeypatch.setattr(stream, "CHARACTERS_AT_ONCE", 1_000)
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a", "z"):
        (folder / f"{name}.txt").write_text(f"Mr. John Hale, call 555-201-4477. {'x ' * 200}")
    lines = [{"id": f"m{n}", "text": f"Mr. John Hale. {'y ' * 150}"} for n in range(9)]
    (folder / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def run(
    notes: Path,
    *,
    after: int = 0,
    do: Callable[[], object] = lambda: None,
    resume: bool = False,
    overwrite: bool = False,
) -> Summary:
    """Mask the notes, and do something after so many batches."""
    steps = 0

    def watch(_: Progress) -> None:
        nonlocal steps
        steps += 1
        if steps == after:
            do()

    job = MaskJob(Detection(pipeline), "tag", Key(b"a key for the tests of leaks"))
    plan = make_plan([notes], notes.parent / "masked")
    return run_job(plan, job, watch=watch, resume=resume, overwrite=overwrite)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and not path.name.startswith("veil-report")
    }


@pytest.mark.parametrize("after", [2, 3, 4])
def test_parts_that_are_removed_are_missed(notes: Path, after: int) -> None:
    """A file whose half-written part is removed is never reported as masked; --resume redoes it."""
    out = notes.parent / "masked"
    run(notes)
    whole = files(out)
    shutil.rmtree(out)
    remove = partial(shutil.rmtree, out / ".veil-mask" / "parts")
    with pytest.raises(InputError, match=r"removed during the run.* continue with --resume"):
        run(notes, after=after, do=remove)
    assert not (out / "veil-report.json").exists()
    summary: Summary = run(notes, resume=True)
    assert summary.tally.records == 11
    assert files(out) == whole


def test_a_finished_file_that_is_removed_is_missed(notes: Path) -> None:
    """A masked file that is gone at the end of the run is not reported as masked."""
    out = notes.parent / "masked"
    with pytest.raises(InputError, match=r"a\.txt: was removed or changed during.*--resume"):
        run(notes, after=2, do=(out / "a.txt").unlink)
    assert run(notes, resume=True).tally.records == 11
    assert (out / "a.txt").is_file()


@pytest.mark.parametrize("what", ["masked", "masked/.veil-mask"])
def test_a_removed_output_is_begun_anew(notes: Path, what: str) -> None:
    """Without the journal nothing can be resumed: the message gives advice that works."""
    with pytest.raises(InputError, match=r"was removed during the run.* again with --overwrite"):
        run(notes, after=2, do=partial(shutil.rmtree, notes.parent / what))
    assert run(notes, overwrite=True).tally.records == 11
    assert len(files(notes.parent / "masked")) == 3
