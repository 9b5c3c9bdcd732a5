"""The examples of the documentation run as they are pasted."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.requirements import needs

from veil.cli import main

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in (ROOT / "docs").glob("*.md")
    if re.search(r"^```(?:sh|python)$", page.read_text("utf-8"), re.MULTILINE)
)
_BLOCK = re.compile(r"^```(sh|python|toml|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The first line of such a block names the file that the reader saves it in: "# my.toml".
_FILE = re.compile(r"# (\S+\.(?:toml|csv|txt|py))\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every shell and Python example of a page runs, in order, in a folder with the samples."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "docs" / "data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("veil.core.labels._own_schemes", {})  # those of an example stay in it
    monkeypatch.setenv("VEIL_PASSPHRASE", "a passphrase for the examples")
    names: dict[str, object] = {}
    for kind, code in _BLOCK.findall(page.read_text("utf-8")):
        if kind == "python":
            try:
                exec(compile(code, page.name, "exec"), names)  # noqa: S102 - our own text
            except ModuleNotFoundError as error:
                needs(f"{error.name} is not installed")
            printed = capsys.readouterr().out
            said = re.findall(r"^# (.+)$", code, re.MULTILINE)
            for line in said:
                if code.rfind(f"# {line}") > code.find("print("):
                    assert line in printed.splitlines(), f"{page.name} does not print: {line}"
        elif kind == "sh":
            _run(code, page)
        elif (named := _FILE.match(code)) and not (tmp_path / named[1]).exists():
            (tmp_path / named[1]).write_text(code, encoding="utf-8")


def _run(code: str, page: Path) -> None:
    """Run the lines of a shell example; `veil` runs in this process, which is faster."""
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[0] == "veil" and not {"|", "<", ">", "&&"} & set(words):
            assert main(words[1:]) == 0, f"{page.name}: {line}"
        else:
            script = f'veil() {{ {shlex.quote(sys.executable)} -m veil "$@"; }}\n{line}'
            done = subprocess.run(
                ["bash", "-c", script], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{page.name}: {line}\n{done.stderr}"
