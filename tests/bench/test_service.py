from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_service_is_measured_beside_the_library(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each way to call has times, a rate and its ratio to the library, which is 1 for itself."""
    file = tmp_path / "serve.json"
    arguments = ["--lang", "sv", "--workers", "1", "--seconds", "0.1", "--json", str(file)]
    assert main(["bench", "serve", *arguments]) == 0
    assert "POST /mask" in capsys.readouterr().out
    rows = json.loads(file.read_text("utf-8"))["one note per call"]
    assert list(rows) == ["library, one process", "service, 1 client", "service, 2 clients"]
    assert rows["library, one process"]["rate/library"] == 1
    assert all(0 < row["p50 ms"] <= row["p95 ms"] for row in rows.values())


def test_language_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a language there are no notes to send."""
    assert main(["bench", "serve"]) == 2
    assert "--lang" in capsys.readouterr().err
