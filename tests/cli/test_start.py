"""The start of the command line: what is imported, and what `veil --version` says."""

from __future__ import annotations

import subprocess
import sys

import pytest

import veil
from veil.cli import build_parser, main
from veil.cli.parser import make_parser
from veil.core import native

HEAVY = {"numpy", "fugashi", "ipadic", "jinja2", "phonenumbers", "pyarrow"}


@pytest.mark.parametrize(
    ("core", "said"), [(object(), "compiled core"), (None, "pure Python: no compiled core")]
)
def test_the_version_names_the_path(
    core: object, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`veil --version` says whether the compiled core is used."""
    monkeypatch.setattr(native, "CORE", core)
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"veil {veil.__version__} ({said})\n"


def test_the_environment_selects_pure_python() -> None:
    """With VEIL_PURE=1 the compiled core is not used, whether or not it is installed."""
    code = (
        "import os; os.environ['VEIL_PURE'] = '1'; from veil.cli import main; main(['--version'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "(pure Python: no compiled core)" in done.stdout


def test_help_and_version_import_little() -> None:
    """The version and the list of commands are shown without any heavy library."""
    for option in ("--version", "--help"):
        code = (
            "import sys\n"
            "from veil.cli import main\n"
            f"try: main([{option!r}])\n"
            "except SystemExit: pass\n"
            f"print(*sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith(("veil", "usage: veil"))
        assert done.stderr.strip() == ""


def test_a_command_parses_as_all_do() -> None:
    """The parser of one command gives the same arguments as that of all commands."""
    call = ["mask", "in", "-o", "out", "--lang", "sv", "--workers", "1", "-q"]
    one = make_parser(["key", "mask"], used="mask").parse_args(call)
    assert one == build_parser().parse_args(call)


def test_choices_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that a list lacks is refused with the names that it has."""
    with pytest.raises(SystemExit):
        main(["mask", "in", "-o", "out", "--lang", "xx"])
    assert "invalid choice: 'xx' (choose from" in capsys.readouterr().err


def test_help_names_the_members_of_lists(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of a command shows the members of lists instead of their names."""
    with pytest.raises(SystemExit):
        main(["mask", "--help"])
    shown = capsys.readouterr().out
    assert "{policies}" not in shown
    assert "surrogate" in shown
