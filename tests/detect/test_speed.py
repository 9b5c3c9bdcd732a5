from __future__ import annotations

from typing import TYPE_CHECKING

from veil.bench.speed import COLD, PLAIN, format_benchmark, run_benchmark

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record
    from veil.detect.crf import LinearDetector


def test_benchmark_measures_every_way(
    toy_detector: LinearDetector, toy_records: list[Record], tmp_path: Path
) -> None:
    """All ways of tagging get a speed, the stages add up, and the ratio is that of two lines."""
    toy_detector.save(tmp_path / "model")
    result = run_benchmark(tmp_path / "model", toy_records)
    speeds = result.speeds
    assert len(speeds) == 5
    assert min(speeds.values()) > 0
    assert abs(sum(share for _, share in result.stages) - 1) < 1e-6
    assert result.ratio == speeds[COLD] / speeds[PLAIN]
    assert result.characters == sum(len(record.document.text) for record in toy_records)
    assert "characters per CPU second" in format_benchmark(result)


def test_plain_way_can_be_left_out(
    toy_detector: LinearDetector, toy_records: list[Record], tmp_path: Path
) -> None:
    """Without CRFsuite there is no ratio."""
    toy_detector.save(tmp_path / "model")
    result = run_benchmark(tmp_path / "model", toy_records, plain=False)
    assert result.ratio is None
    assert PLAIN not in format_benchmark(result)
