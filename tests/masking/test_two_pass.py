from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Span
from veil.detect.pipeline import DetectionPipeline
from veil.masking.run import Detection, MaskJob
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.masking.conftest import Contents, Interrupt, Mask, ReadReport

    from veil.masking.run import Progress

_TITLED = re.compile(r"(?<=Dr\. )\w+")


class TitleDetector:
    """Finds a name after a title, and is sure of it."""

    name = "titles"
    reach = 10

    def detect(self, doc: Document) -> list[Span]:
        return [
            Span(*match.span(), "DOCTOR", 0.99, "titles:doctor")
            for match in _TITLED.finditer(doc.text)
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def titles_pipeline() -> DetectionPipeline:
    return DetectionPipeline([TitleDetector()], language="en")


@pytest.fixture
def job() -> MaskJob:
    detection = Detection(titles_pipeline)
    return MaskJob(detection, "surrogate", Key(b"a key for tests alone"), two_pass=True)


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    """Three notes that introduce Dr. Qvarnlund, and others, one of which mentions her alone."""
    folder = tmp_path / "ward"
    folder.mkdir()
    filler = "x " * 200
    for number in range(3):
        (folder / f"a{number}.txt").write_text(f"Dr. Qvarnlund saw the patient. {filler}\n")
    (folder / "b.txt").write_text(f"no fever, as per qvarnlund; bloods sent. {filler}\n")
    for number in range(3):
        (folder / f"c{number}.txt").write_text(f"Dr. Hale{'pqr'[number]} saw no fever. {filler}\n")
    return folder


def test_a_name_is_found_where_nothing_else_tells(
    ward: Path, tmp_path: Path, mask: Mask, job: MaskJob, contents: Contents
) -> None:
    """The bare mention is masked in two passes only; all other notes are the same in both."""
    mask(ward, tmp_path / "one", given=replace(job, two_pass=False))
    mask(ward, tmp_path / "two")
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert b"qvarnlund" in one.pop("b.txt").lower()
    assert b"qvarnlund" not in two.pop("b.txt").lower()
    assert one == two


@pytest.mark.usefixtures("small_batches")
def test_workers_and_resumed_runs_write_the_same_bytes(
    ward: Path,
    tmp_path: Path,
    mask: Mask,
    contents: Contents,
    interrupt: Interrupt,
    read_report: ReadReport,
) -> None:
    """With two workers, and after an interruption in the second pass."""
    mask(ward, tmp_path / "clean")
    mask(ward, tmp_path / "pair", workers=2)
    passes = 1 + len(_progress(mask, ward, tmp_path / "counted")) // 2
    interrupt(ward, after=passes)
    assert (tmp_path / "masked" / ".veil-mask" / "journal.jsonl").is_file()
    mask(ward, resume=True)
    for folder in ("pair", "masked"):
        assert contents(tmp_path / folder) == contents(tmp_path / "clean")
        assert read_report(tmp_path / folder) == read_report(tmp_path / "clean")


def _progress(mask: Mask, source: Path, target: Path) -> list[Progress]:
    seen: list[Progress] = []
    mask(source, target, watch=seen.append)
    return seen


def test_both_passes_show_their_progress(ward: Path, tmp_path: Path, mask: Mask) -> None:
    """First the records that are read, then those that are masked; each ends with all of them."""
    seen = _progress(mask, ward, tmp_path / "masked")
    first = [each for each in seen if each.first_of_two]
    assert seen[: len(first)] == first
    assert (first[-1].records, first[-1].share) == (7, 1.0)
    assert (seen[-1].records, seen[-1].share) == (7, 1.0)


def test_the_report_says_what_the_memory_found(
    ward: Path, tmp_path: Path, mask: Mask, read_report: ReadReport
) -> None:
    """Numbers of entries by label and evidence, and where the spans are; no text."""
    mask(ward)
    report = read_report(tmp_path / "masked")["memory"]
    (span,) = report["spans"]
    masked = (tmp_path / "masked" / "b.txt").read_text()
    assert masked[: span["start"]] == "no fever, as per "
    assert masked[span["end"] :].startswith("; bloods")
    assert (span["file"], span["label"], span["score"]) == ("b.txt", "DOCTOR", 0.6)
    assert {key: report[key] for key in ("entries", "evidence", "found", "listed")} == {
        "entries": {"DOCTOR": 1},
        "evidence": {"3": 1},
        "found": 1,
        "listed": 1,
    }
    page = (tmp_path / "masked" / "veil-report.html").read_text()
    assert "Found by the memory of the corpus" in page
    whole = page + (tmp_path / "masked" / "veil-report.json").read_text()
    assert "qvarnlund" not in whole.lower()


@pytest.mark.usefixtures("small_batches")
def test_nothing_of_the_memory_is_on_disk(
    ward: Path, tmp_path: Path, mask: Mask, interrupt: Interrupt
) -> None:
    """Not in the work folder of an interrupted run either."""
    passes = 1 + len(_progress(mask, ward, tmp_path / "counted")) // 2
    interrupt(ward, after=passes)
    work = tmp_path / "masked" / ".veil-mask"
    files = [file for file in work.rglob("*") if file.is_file()]
    assert files
    assert all(b"qvarnlund" not in file.read_bytes().lower() for file in files)


def test_one_pass_does_not_go_on_with_two(
    ward: Path, mask: Mask, job: MaskJob, interrupt: Interrupt
) -> None:
    """A run of one pass cannot be resumed with two."""
    interrupt(ward, given=replace(job, two_pass=False))
    with pytest.raises(InputError, match="--two-pass"):
        mask(ward, resume=True)


def test_surrogates_are_not_masked_again(ward: Path, tmp_path: Path, mask: Mask) -> None:
    """A surrogate that is a name of the memory stays, and no record is withheld."""
    mask(ward, tmp_path / "first")
    words = (tmp_path / "first" / "a0.txt").read_text().split()
    surrogate = words[words.index("Dr.") + 1]
    for number in range(3):
        (ward / f"d{number}.txt").write_text(f"Dr. {surrogate} saw Dr. Qvarnlund.\n")
    summary = mask(ward)
    assert summary.is_complete
    assert summary.tally.records == 10


def test_what_cannot_be_read_is_withheld_once(ward: Path, mask: Mask) -> None:
    """The first pass passes over it, and the second names it."""
    (ward / "scan.png").write_bytes(b"\x89PNG\0")
    summary = mask(ward)
    assert [each.path for each in summary.withheld] == ["scan.png"]
