from __future__ import annotations

import pytest

from veil.cli.progress import describe, describe_share, track


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


def test_share_of_a_run_that_goes_on() -> None:
    """Speed and time left are those of this run; what was done before counts for the bar alone."""
    line = describe_share(300, "records", 0.75, 10.0, before=(100, 0.5), note="9 spans")
    assert line.endswith("300 records  20 records/s  9 spans  10 s left")
    assert line.count("█") == 22


def test_no_time_left_before_the_first_step() -> None:
    """As long as nothing is done, nobody knows how long it takes."""
    line = describe_share(0, "records", 0.0, 0.0, before=(0, 0.0), note="0 spans")
    assert line.endswith("0 records  0.00 records/s  0 spans")
