"""Completion in shells: the scripts are run by the shells themselves."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from veil.cli import main
from veil.cli.completion import script
from veil.cli.main import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Scripts = dict[str, Path]

CASES = [
    ("veil mas", ["mask"]),
    ("veil --no-config mas", ["mask"]),
    ("veil --config b.toml mas", ["mask"]),
    ("veil mask --two", ["--two-pass"]),
    ("veil mask --policy sur", ["surrogate"]),
    ("veil mask --policy b", ["b.toml"]),
    ("veil mask --lang s", ["sv"]),
    ("veil mask --model rul", ["rules"]),
    ("veil mask --key-file b", ["b.toml"]),
    ("veil mask notes.csv -o b", ["b.toml"]),
    ("veil mask b.toml --encoding ", []),
    ("veil convert --to j", ["jsonl"]),
    ("veil completion f", ["fish"]),
    ("veil config comp", ["compare", "completion"]),
    ("veil synth j", ["ja"]),
]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Scripts:
    """The scripts of all shells, in a folder with two files."""
    folder = tmp_path_factory.mktemp("completion")
    (folder / "b.toml").touch()
    (folder / "a note.txt").touch()
    files = {shell: folder / f"veil.{shell}" for shell in ("bash", "zsh", "fish")}
    for shell, file in files.items():
        file.write_text(script(shell), encoding="utf-8")
    return files


def bash(file: Path, line: str) -> list[str]:
    """What bash proposes at the end of a line."""
    code = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _veil; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    words = line.split(" ")
    done = subprocess.run(
        ["bash", "-c", code, "bash", file, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=file.parent,
    )
    assert not done.stderr
    return [found for found in done.stdout.splitlines() if found]


@pytest.mark.parametrize(("line", "proposed"), CASES, ids=lambda value: str(value))
def test_bash(scripts: Scripts, line: str, proposed: list[str]) -> None:
    """bash proposes commands, options, names and files."""
    assert bash(scripts["bash"], line) == proposed


def test_bash_words(scripts: Scripts) -> None:
    """bash gets spaces in names of files and --option=value right, and knows all commands."""
    file = scripts["bash"]
    assert bash(file, "veil mask a") == ["a note.txt"]
    assert bash(file, "veil mask --policy = sur") == ["surrogate"]
    assert bash(file, "veil mask --policy =") == [*bash(file, "veil mask --policy ")]
    assert set(bash(file, "veil ")) >= set(COMMANDS)
    done = subprocess.run(
        ["bash", "-c", 'source "$1"; complete -p veil', "bash", file],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "complete -F _veil veil"


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("line", "proposed"), CASES, ids=lambda value: str(value))
def test_fish(scripts: Scripts, line: str, proposed: list[str]) -> None:
    """fish proposes the same."""
    file = scripts["fish"]
    done = subprocess.run(
        ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(file), line],
        capture_output=True,
        text=True,
        check=True,
        cwd=file.parent,
    )
    assert not done.stderr
    found = [each.partition("\t")[0] for each in done.stdout.splitlines()]
    assert sorted(found) == sorted(proposed)


_CONTROL = re.compile(rb"\x1b\[[\d;?]*[A-Za-z]|[^\n]\x08|[\x80-\xff]")


class Terminal:
    """A shell in a terminal, to which keys are sent."""

    def __init__(self, command: list[str], folder: Path) -> None:
        import pty

        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "PS1": "$ "})  # noqa: S606

    def send(self, keys: str, wait_for: str) -> bool:
        """Send keys, and say whether a text appears within two minutes."""
        os.write(self._terminal, keys.encode())
        seen = b""
        end = time.monotonic() + 120
        while time.monotonic() < end and wait_for not in _CONTROL.sub(b"", seen).decode():
            if select.select([self._terminal], [], [], 1)[0]:
                seen += os.read(self._terminal, 4096)
        return wait_for in _CONTROL.sub(b"", seen).decode()

    def close(self) -> None:
        os.close(self._terminal)
        os.kill(self._process, 9)
        os.waitpid(self._process, 0)


@pytest.fixture(scope="module")
def zsh(scripts: Scripts) -> Iterator[Terminal]:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    terminal = Terminal(["zsh", "-f", "-i"], scripts["zsh"].parent)
    load = "autoload -U compinit; compinit -u -D; source ./veil.zsh; print rea''dy\n"
    try:
        assert terminal.send(load, "ready")
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("veil mas", "veil mask"),
        ("veil --no-config mas", "--no-config mask"),
        ("veil mask --two", "mask --two-pass"),
        ("veil mask --policy sur", "--policy surrogate"),
        ("veil mask --policy b", "--policy b.toml"),
        ("veil mask --lang s", "--lang sv"),
        ("veil mask a", "mask a\\ note.txt"),
        ("veil completion f", "completion fish"),
    ],
)
def test_zsh(zsh: Terminal, line: str, completed: str) -> None:
    """zsh completes commands, options, names and files."""
    # On a new line: on an old one zsh may draw only what differs.
    assert zsh.send(f"\x15\n{line}\t", completed)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_script_has_no_error(scripts: Scripts) -> None:
    """zsh reads the script without an error."""
    subprocess.run(["zsh", "-n", scripts["zsh"]], check=True)


def test_the_command_prints_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    """`veil completion` prints the script; another shell is an error."""
    assert main(["completion", "bash"]) == 0
    assert capsys.readouterr().out == script("bash")
    with pytest.raises(SystemExit, match="2"):
        main(["completion", "tcsh"])
