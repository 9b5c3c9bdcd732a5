"""Cases: a file for each language and label whose lines mark [[what is to be found]] of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.labels import family
from veil.detect.assembly import rules_pipeline
from veil.detect.rules import unmarked

if TYPE_CHECKING:
    from veil.detect.pipeline import DetectionPipeline

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.txt"))
FEWEST_LINES = 40
FEWEST_NEGATIVES = 1 / 3


def lines_of(file: Path) -> list[str]:
    """The cases of a file: lines that are neither empty nor a comment."""
    lines = file.read_text("utf-8").splitlines()
    # One line may stand for several: a line break is written as ⏎.
    return [line.replace("⏎", "\n") for line in lines if line.strip() and not line.startswith("#")]


@pytest.fixture(scope="module")
def pipelines() -> dict[str, DetectionPipeline]:
    return {file.parent.name: rules_pipeline(file.parent.name) for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_cases(file: Path, pipelines: dict[str, DetectionPipeline]) -> None:
    """The rules find exactly what the lines mark of this label, and nothing in the others."""
    pipeline = pipelines[file.parent.name]
    wrong = []
    for line in lines_of(file):
        text, places = unmarked(line)
        spans = pipeline.detect(Document("case", text))
        found = [(span.start, span.end) for span in spans if span.label == file.stem]
        if found != places:
            wrong.append((line, [text[start:end] for start, end in found]))
    assert wrong == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_files_are_large_enough(file: Path) -> None:
    """A file is named after a label and has 40 cases or more, a third of them without a span."""
    family(file.stem)
    lines = lines_of(file)
    assert len(lines) == len(set(lines))
    negatives = [line for line in lines if "[[" not in line]
    assert FEWEST_LINES <= len(lines)
    assert len(lines) * FEWEST_NEGATIVES <= len(negatives)
