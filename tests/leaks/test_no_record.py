"""A run that finds no record is an error, never a success."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.assembly import default_pipeline
from veil.carriers.text import TextCarrier
from veil.cli.main import main
from veil.masking_run import Detection, MaskJob, mask_files
from veil.masking_run.plan import make_plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.carriers import CarrierOptions, Item
    from veil.pipeline import Pipeline


@cache
def pipeline() -> Pipeline:
    """Load the model once for all tests."""
    return default_pipeline("en")


class NothingCarrier(TextCarrier):
    """Finds no record in a file, and copies nothing."""

    def items(self, file: Path, options: CarrierOptions) -> Iterator[Item]:
        return iter(())


def test_an_empty_folder_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says that there is no file, and how many hidden ones were skipped."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / ".note.txt").write_text("Dr. John Hale")
    assert main(["mask", str(tmp_path / "notes"), "-o", str(tmp_path / "masked")]) == 2
    told = capsys.readouterr().err
    assert "no file to mask there; 1 hidden file(s) or folder(s) were skipped" in told
    assert not (tmp_path / "masked").exists()


def test_files_without_a_record_are_an_error(tmp_path: Path) -> None:
    """Where no file has a record, nothing is written and no report claims success."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Mr. John Hale, all of it header")
    job = MaskJob(Detection(pipeline))
    with pytest.raises(InputError, match="no record was found there; nothing was masked"):
        mask_files(make_plan([notes], tmp_path / "masked"), job, find=lambda _: NothingCarrier())
    assert list((tmp_path / "masked").iterdir()) == []
