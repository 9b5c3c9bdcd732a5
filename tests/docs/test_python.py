from __future__ import annotations

from pathlib import Path

import veil

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_all_public_names_are_described() -> None:
    """The page mentions every public name of the package."""
    text = PAGE.read_text("utf-8")
    names = set(veil.__all__) - {"__version__"}
    assert {name for name in names if f"veil.{name}" not in text} == set()
