from __future__ import annotations

import re
from pathlib import Path

import pytest

from veil.cli.main import COMMANDS

README = Path(__file__).parents[2] / "README.md"


def test_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The README's example runs as it stands, and prints what the README says."""
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own text
    printed = capsys.readouterr().out
    said = [line.removeprefix("# ") for line in example.splitlines() if line.startswith("# ")]
    assert said
    assert printed.splitlines()[: len(said)] == said
    assert "Lindgren" not in printed
    assert "0 4 NAME" in printed


def test_shell_examples_name_commands() -> None:
    """Every command that the README shows exists."""
    shown = set(re.findall(r"^veil (\w+)", README.read_text("utf-8"), re.MULTILINE))
    assert shown
    assert shown <= set(COMMANDS)
