"""Masking with a detector that knows some words, so that tests are quick."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from veil import Document, Span
from veil.detect.pipeline import DetectionPipeline
from veil.masking import stream
from veil.masking.plan import make_plan
from veil.masking.run import Detection, MaskJob, Progress, Summary, run_job
from veil.replace.secret import Key

Mask = Callable[..., Summary]
Contents = Callable[[Path], dict[str, bytes]]
ReadReport = Callable[[Path], dict[str, Any]]
Interrupt = Callable[..., None]

_WORDS = {"Hale": "DOCTOR", "Okafor": "PATIENT", "Lugo": "CITY", "4471823": "MEDICALRECORD"}
_BAD = "Hexenschuss"


class WordDetector:
    """Finds some words, Lugo without being sure; one text makes it fail."""

    name = "words"

    def detect(self, doc: Document) -> list[Span]:
        if _BAD in doc.text:
            raise ValueError(f"cannot read: {doc.text}")
        return [
            Span(*match.span(), _WORDS[match[0]], 0.5 if match[0] == "Lugo" else 0.9, "words:all")
            for match in re.finditer("|".join(_WORDS), doc.text)
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def words_pipeline() -> DetectionPipeline:
    return DetectionPipeline([WordDetector()], language="en")


@pytest.fixture
def job() -> MaskJob:
    """A quick job with a key of its own."""
    detection = Detection(words_pipeline, settings={"words": True})
    return MaskJob(detection, "tag", Key(b"a key for tests alone"))


@pytest.fixture
def secrets() -> tuple[str, ...]:
    """What no report, journal or message may hold: what is masked, and what is not."""
    return (*_WORDS, _BAD, "fever")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with six notes in two folders."""
    folder = tmp_path / "notes"
    for number in range(6):
        file = folder / f"ward-{number % 2}" / f"note-{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{number}: Dr. Hale saw Mr. Okafor of Lugo, fever. MRN 4471823.\n")
    return folder


@pytest.fixture
def bad_note(notes: Path) -> Path:
    """One of the notes, on which the detector fails."""
    file = notes / "ward-0" / "note-2.txt"
    file.write_text("Hexenschuss, says Okafor.\n")
    return file


@pytest.fixture
def mask(job: MaskJob, tmp_path: Path) -> Mask:
    """Mask a folder or file to `masked`, or to another place."""

    def run(
        source: Path, target: Path | None = None, *, given: MaskJob = job, **options: Any
    ) -> Summary:
        return run_job(make_plan([source], target or tmp_path / "masked"), given, **options)

    return run


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch takes two notes or lines."""
    monkeypatch.setattr(stream, "CHARACTERS_AT_ONCE", 1_000)


@pytest.fixture
def contents() -> Contents:
    """All files below a folder, but for the report and what is hidden."""

    def read(folder: Path) -> dict[str, bytes]:
        files = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*"))}
        return {
            name: file.read_bytes()
            for name, file in files.items()
            if file.is_file() and not name.startswith((".", "veil-report"))
        }

    return read


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A folder with texts and, between them, a file of JSON lines over several batches."""
    folder = tmp_path / "lines"
    folder.mkdir()
    for name in ("a", "z"):
        (folder / f"{name}.txt").write_text(f"Okafor {name}, fever. {'x' * 300}")
    with (folder / "m.jsonl").open("w") as file:
        for number in range(9):
            text = f"{number}: Hale saw Okafor in Lugo. {'y' * 200}"
            file.write(json.dumps({"id": f"m{number}", "text": text, "meta": {"n": 1.50}}) + "\n")
    return folder


@pytest.fixture
def interrupt(mask: Mask) -> Interrupt:
    """Mask, and interrupt the run after so many batches."""

    def run(source: Path, *, after: int = 1, **options: Any) -> None:
        batches = 0

        def watch(_: Progress) -> None:
            nonlocal batches
            batches += 1
            if batches == after:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            mask(source, watch=watch, **options)

    return run


@pytest.fixture
def read_report() -> ReadReport:
    """The report of an output without its times."""

    def read(folder: Path) -> dict[str, Any]:
        report: dict[str, Any] = json.loads((folder / "veil-report.json").read_text("utf-8"))
        del report["times"]
        return report

    return read
