"""Formats on a corpus of real size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.io import ReadLog, detect_formats, read, write

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record


def by_id(records: list[Record]) -> list[Record]:
    return sorted(records, key=lambda record: record.id)


@pytest.mark.parametrize("name", ["i2b2-2006", "i2b2-2014", "conll", "jsonl"])
def test_meddocan_there_and_back(name: str, corpora: Path, tmp_path: Path) -> None:
    """All records of a corpus in brat come back from every other format as they were."""
    log = ReadLog(strict=True)
    gold = by_id(list(read(corpora / "meddocan" / "dev", log=log)))
    assert len(gold) == 250
    assert not log.notes
    between = tmp_path / "between"
    between.mkdir()
    write(gold, between, format=name)
    assert [each.name for each in detect_formats(between)] == [name]
    write(read(between), tmp_path / "back", format="brat")
    assert by_id(list(read(tmp_path / "back"))) == gold
