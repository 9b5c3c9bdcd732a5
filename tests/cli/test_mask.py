"""What `veil mask` makes of its options before a run begins."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from veil.cli.main import build_parser, main
from veil.core.errors import InputError
from veil.masking import files

if TYPE_CHECKING:
    from pathlib import Path

PROCESSORS = os.cpu_count() or 1


@pytest.mark.parametrize("wanted", [10**6, 10**30])
def test_no_more_workers_than_processors_can_drive(wanted: int) -> None:
    """A number that no machine has the memory for becomes one that makes sense."""
    args = build_parser().parse_args(["mask", "in", "-o", "out", "--workers", str(wanted)])
    assert args.workers == 4 * PROCESSORS


@pytest.mark.parametrize(
    ("sizes", "wanted", "expected"),
    [((10,), 2, 1), ((99_999,) * 3, 2, 2), ((150_000,), 4, 2), ((10,) * 50, 4, 1)],
)
def test_no_more_workers_than_there_is_work_for(
    sizes: tuple[int, ...],
    wanted: int,
    expected: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process is started only if there are some 100,000 characters for it."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for number, size in enumerate(sizes):
        (notes / f"{number}.txt").write_text("x" * size)
    started = []

    def stop(*_: object, workers: int, **__: Any) -> None:
        started.append(workers)
        raise InputError("enough")

    monkeypatch.setattr(files, "run_job", stop)
    call = ["mask", notes, "-o", tmp_path / "out", "--workers", wanted]
    assert main(list(map(str, call))) == 2
    assert started == [expected]
