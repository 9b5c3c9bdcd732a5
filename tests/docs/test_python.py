"""The examples of docs/python.md run as they are written, and print what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import veil

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each example runs after those before it; comment lines are what it prints."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for example in examples:
        exec(compile(example, "python.md", "exec"), names)  # noqa: S102 - our own text
        said = [line.removeprefix("# ") for line in example.splitlines() if line.startswith("# ")]
        assert capsys.readouterr().out.splitlines() == said


def test_all_public_names_are_described() -> None:
    """The page mentions every public name of the package."""
    text = PAGE.read_text("utf-8")
    names = set(veil.__all__) - {"__version__"}
    assert {name for name in names if f"veil.{name}" not in text} == set()
