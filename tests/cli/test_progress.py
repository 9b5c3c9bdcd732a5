from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import mask_files
from veil.cli.progress import describe, describe_share, drawing, track

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from veil.masking.run import Progress


def test_bar_shows_what_is_left() -> None:
    """With a known total the line has a bar, a percentage, the speed and the minutes left."""
    line = describe(50, 200, "records", 5.0)
    assert "25%  50/200  10 records/s  less than a minute left" in line
    assert describe(1, 200, "records", 2.0).endswith("0.50 records/s  7 min left")
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
    line = describe_share(
        300, "records", 0.75, 10.0, before=(100, 0.5), total=(3, 2_500_000), note="9 spans"
    )
    assert "75%  300 records of 3 file(s), 2.5 MB  20 records/s  9 spans" in line
    assert line.endswith("less than a minute left")
    assert line.count("█") == 22


def test_no_time_left_before_the_first_step() -> None:
    """As long as nothing is done, nobody knows how long it takes."""
    line = describe_share(0, "records", 0.0, 0.0, before=(0, 0.0), total=(0, 0), note="0 spans")
    assert line.endswith("0 records  0.00 records/s  0 spans")


def test_the_total_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    """A run reports the number and size of its files before its first record is masked."""
    (tmp_path / "a.txt").write_text("Mr. Hale", "utf-8")
    seen: list[Progress] = []
    target = tmp_path.parent / f"{tmp_path.name}-out"
    mask_files(tmp_path, target, watch=seen.append, announce=seen.append, lang="en")
    assert [(done.records, done.total) for done in seen] == [(0, (1, 8)), (1, (1, 8))]


def test_first_line_is_drawn_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal something is shown before the first progress; elsewhere nothing is."""
    with drawing(quiet=False):
        assert capsys.readouterr().err == ""
    monkeypatch.setattr("veil.cli.progress.is_shown", lambda *, quiet: not quiet)
    with drawing(quiet=False):
        assert "starting" in capsys.readouterr().err
