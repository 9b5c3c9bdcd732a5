from __future__ import annotations

import pytest

from veil.cli.progress import describe, track


def test_bar_shows_what_is_left() -> None:
    """With a known total the line has a bar, the speed and the seconds left."""
    line = describe(50, 200, "records", 5.0)
    assert "50/200  10 records/s  15 s left" in line
    assert line.count("█") == 8


def test_without_total_only_count_and_speed() -> None:
    """Without a total the line says how many and how fast."""
    assert describe(50, None, "records", 5.0) == "50 records  10 records/s"


def test_no_bar_in_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    """Where standard error is no terminal, nothing is drawn and all items come through."""
    assert list(track([1, 2], total=2, what="records", quiet=False)) == [1, 2]
    assert capsys.readouterr().err == ""
