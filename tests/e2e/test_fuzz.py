"""A short run of the fuzzer; `make fuzz` runs a long one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def fuzz(*args: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    paths = (PROJECT, PROJECT / "src", os.environ.get("PYTHONPATH", ""))
    return subprocess.run(
        [sys.executable, "-m", "tools.fuzz", *map(str, args)],
        cwd=cwd,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_broken_files_of_every_format_leak_nothing(tmp_path: Path) -> None:
    """No crash, no hang, no lost record, and no planted identifier in anything that is written."""
    done = fuzz("--records", 150, "--seed", 1, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
