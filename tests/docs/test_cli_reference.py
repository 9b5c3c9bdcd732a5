from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_cli_reference_is_up_to_date() -> None:
    """docs/cli.md says what the commands' own help says; `make docs` writes it."""
    spec = importlib.util.spec_from_file_location("make", ROOT / "tools/make_cli_reference.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert (ROOT / "docs/cli.md").read_text("utf-8") == make.cli_reference()
