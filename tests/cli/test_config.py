"""The configuration file: options of commands, below those of the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from veil.cli import main
from veil.cli.config import find_config, options_of, parse
from veil.cli.main import COMMANDS, build_parser
from veil.cli.parser import command_parsers, make_parser

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

TEXT = "Mr. John Hale was seen on 3/5/2019."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder below that of the configuration file, in which commands run."""
    monkeypatch.delenv("VEIL_NO_CONFIG", raising=False)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (below / "note.txt").write_text(TEXT)
    monkeypatch.chdir(below)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    file = folder / "veil.toml"
    file.write_text(text, encoding="utf-8")
    return file


def parsed(*arguments: str) -> argparse.Namespace:
    return parse(make_parser(COMMANDS, used=arguments[0]), arguments)


def test_options_come_from_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The nearest file above counts, and a message names the options that come from it."""
    file = write(folder, '[mask]\npolicy = "redact"\nlang = "en"\nrules-only = true\n')
    assert main(["mask", "note.txt", "-o", "out.txt"]) == 0
    assert "█" in (folder / "a/b/out.txt").read_text()
    said = capsys.readouterr().err
    assert f"options of {file}: policy, lang, rules-only" in said
    assert main(["mask", "note.txt", "-o", "quiet.txt", "-q"]) == 0
    assert "options of" not in capsys.readouterr().err


def test_the_command_line_wins(folder: Path) -> None:
    """An option on the command line replaces that of the file, lists included."""
    write(folder, '[mask]\npolicy = "redact"\ntext-column = ["a", "b"]\nworkers = 1\n')
    args = parsed("mask", "x", "-o", "y", "--policy", "tag", "--text-column", "c")
    assert (args.policy, args.text_column, args.workers) == ("tag", ["c"], 1)
    args = parsed("mask", "x", "-o", "y")
    assert (args.policy, args.text_column) == ("redact", ["a", "b"])


def test_options_that_exclude_each_other(folder: Path) -> None:
    """An option of the file gives way to one that it excludes."""
    write(folder, '[mask]\noverwrite = true\nrecall = "high"\n')
    args = parsed("mask", "x", "-o", "y", "--resume", "--bias", "-1")
    assert (args.overwrite, args.resume, args.recall, args.bias) == (False, True, None, -1.0)
    args = parsed("mask", "x", "-o", "y")
    assert (args.overwrite, args.recall) == (True, "high")


def test_required_options(folder: Path) -> None:
    """An option that is required may stand in the file."""
    write(folder, '[mask]\noutput = "masked/"\n')
    assert parsed("mask", "x").output == f"{folder}/masked/"
    with pytest.raises(SystemExit, match="2"):
        parsed("detect", "x")


def test_paths_are_relative_to_the_file(folder: Path) -> None:
    """Paths begin at the folder of the file; names of policies and models stay names."""
    (folder / "ours.toml").write_text('default = "tag"\n')
    write(
        folder,
        '[mask]\nkey-file = "my.key"\nallow = "/etc/allow"\npolicy = "ours.toml"\n'
        '[detect]\nmodel = "veil-en"\noutput = "-"\ntext-column = "ours.toml"\n',
    )
    args = parsed("mask", "x", "-o", "y")
    assert args.key_file == folder / "my.key"
    assert str(args.allow) == "/etc/allow"
    assert args.policy == f"{folder}/ours.toml"
    args = parsed("detect", "x")
    assert (args.model, args.output, args.text_column) == ("veil-en", "-", ["ours.toml"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[mask]\npolice = 'tag'\n",
            "[mask] police: no option of veil mask; did you mean 'policy'",
        ),
        ("[mask]\ntext_column = 'a'\n", "[mask] text_column: no option of veil mask; did you mean"),
        ("[mask]\nsources = 'a'\n", "[mask] sources: no option"),
        ("[mask]\nhelp = true\n", "[mask] help: no option"),
        ("[mask]\npolicy = 7\n", "[mask] policy: must be a string"),
        ("[mask]\nno-rescan = 'yes'\n", "[mask] no-rescan: must be true or false"),
        ("[mask]\nworkers = 'two'\n", "[mask] workers: must be a whole number"),
        ("[mask]\nworkers = true\n", "[mask] workers: must be a whole number"),
        ("[mask]\nworkers = 0\n", "[mask] workers: '0' is not a number of processes"),
        ("[mask]\nrecall = 7\n", "[mask] recall: '7' is not a share"),
        ("[mask]\nlang = 'tlh'\n", "[mask] lang: invalid choice: 'tlh'"),
        ("[mask]\ntext-column = [1]\n", "[mask] text-column: must be a string"),
        ("[maks]\n", "unknown section [maks]; did you mean 'mask'"),
        ("policy = 'tag'\n", "unknown section [policy]"),
        ("mask = 'tag'\n", "mask must be a section"),
        ("[mask\n", "not TOML"),
    ],
)
def test_wrong_files(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    """An unknown key or a wrong value is an error that names file and key, with exit code 2."""
    file = write(folder, text)
    assert main(["mask", "note.txt", "-o", "out.txt"]) == 2
    said = capsys.readouterr().err
    assert str(file) in said
    assert message in said
    assert not (folder / "a/b/out.txt").exists()


def test_switching_the_file_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--no-config` and a variable switch the file off; `--config` names another one."""
    write(folder, "[mask]\npolicy = 'redact'\n")
    other = folder / "other.toml"
    other.write_text("[mask]\npolicy = 'surrogate'\n")

    def policy(*before: str) -> str:
        arguments = [*before, "mask", "x", "-o", "y"]
        return str(parse(make_parser(COMMANDS, used="mask"), arguments).policy)

    assert policy() == "redact"
    assert policy("--no-config") == "tag"
    assert policy("--config", str(other)) == policy(f"--config={other}") == "surrogate"
    monkeypatch.setenv("VEIL_NO_CONFIG", "1")
    assert policy() == "tag"
    assert main(["--config", str(folder / "none.toml"), "models"]) == 0


def test_a_file_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was named must exist."""
    assert main(["--config", str(folder / "none.toml"), "models"]) == 2
    assert "none.toml: cannot be read" in capsys.readouterr().err


def test_the_file_of_another_user_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that another user has put above is refused, unless it is named."""
    file = write(folder, "[mask]\npolicy = 'redact'\n")
    os.chown(file, 12345, -1) if os.getuid() == 0 else monkeypatch.setattr(os, "getuid", lambda: 1)
    assert main(["mask", "note.txt", "-o", "out.txt"]) == 2
    assert "belongs to another user" in capsys.readouterr().err
    arguments = ["--config", str(file), "mask", "x", "-o", "y"]
    assert parse(make_parser(COMMANDS, used="mask"), arguments).policy == "redact"


def test_the_nearest_file_counts(folder: Path) -> None:
    """Of several files the nearest one counts alone."""
    write(folder, "[mask]\npolicy = 'redact'\n")
    near = write(folder / "a", "[detect]\nlang = 'sv'\n")
    assert find_config() == near
    assert parsed("mask", "x", "-o", "y").policy == "tag"


def test_config_shows_what_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`veil config` shows the file and its options, and where those of a command come from."""
    assert main(["config"]) == 0
    assert "none" in capsys.readouterr().out
    file = write(folder, "[mask]\npolicy = 'redact'\ntext-column = ['a', 'b']\n")
    assert main(["config"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown == [f"file: {file}", "", "[mask]", "policy = redact", "text-column = a, b"]
    assert main(["config", "mask"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "policy = redact (veil.toml)" in shown
    assert "lang = - (default)" in shown
    assert "no-rescan = false (default)" in shown


def test_config_checks_all_sections(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`veil config` finds mistakes in the sections of all commands."""
    write(folder, "[mask]\npolicy = 'redact'\n[train]\nfoldss = 3\n")
    assert main(["config"]) == 2
    assert "[train] foldss" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_key(name: str) -> None:
    """Every option of every command has a long name, by which the file can set it."""
    command = command_parsers(build_parser())[name]
    named = {action for _, action in options_of(command)}
    options = [action for action in command._actions if action.option_strings]
    assert named == {action for action in options if action.dest != "help"}
