"""The command line parser, built from `commands.toml`."""

from __future__ import annotations

import argparse
import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import veil
from veil.core import native
from veil.core.errors import InputError, printable
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import NoReturn

# More processes use more memory and are no faster.
_MOST_WORKERS = 4 * (os.cpu_count() or 1)
_HIGHEST_PORT = 65535


class _Parser(argparse.ArgumentParser):
    """A parser whose errors may contain the name of a file that a shell pattern gave."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def version() -> str:
    """Return the version, and whether the compiled core is in use."""
    core = "compiled core" if native.CORE else "pure Python: no compiled core"
    return f"veil {veil.__version__} ({core})"


def make_parser(names: Iterable[str], *, used: str | None = None) -> argparse.ArgumentParser:
    """Make the parser of commands; with `used`, only that command gets its arguments."""
    parser: argparse.ArgumentParser = _Parser(
        prog="veil",
        description="Find and remove what could identify people in clinical free text.",
        epilog="exit codes: 0 done; 1 done, but some records were withheld; 2 wrong input",
    )
    parser.add_argument("--version", action="version", version=version())
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--config", metavar="FILE", help="take options from this file instead of veil.toml"
    )
    choice.add_argument(
        "--no-config", action="store_true", help="use no veil.toml (see docs/config.md)"
    )
    subparsers = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    data = read_toml(Path(__file__).with_name("commands.toml"))
    for name in names:
        about = data["commands"][name]
        command = subparsers.add_parser(
            name,
            help=about["about"],
            description=about["details"],
            epilog=f"example:\n{about['example']}",
            formatter_class=Help,
        )
        if used in (None, name):
            _add_arguments(command, about, data["sets"])
    return parser


def command_parsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands."""
    actions = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return dict(next(actions).choices)


def _add_arguments(
    command: argparse.ArgumentParser, about: Mapping[str, Any], sets: Mapping[str, Any]
) -> None:
    groups: dict[str, argparse._ActionsContainer] = {}
    for argument in _with_sets(about["arguments"], sets):
        group = argument.pop("one_of", None)
        if group and group not in groups:
            required = group in about.get("needs_one_of", ())
            groups[group] = command.add_mutually_exclusive_group(required=required)
        _add_argument(groups[group] if group else command, argument)


def _with_sets(
    arguments: Iterable[Mapping[str, Any]], sets: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the arguments, with each `use` replaced by the arguments of its set."""
    for argument in arguments:
        if "use" in argument:
            yield from _with_sets(sets[argument["use"]], sets)
        else:
            yield dict(argument)


def _add_argument(parser: argparse._ActionsContainer, argument: dict[str, Any]) -> None:
    names = argument.pop("name").split()
    if isinstance(argument.get("choices"), str):
        argument["choices"] = _Choices(argument["choices"])
    if argument.get("action") == "append":
        argument["default"] = []
    if argument.get("type") == "workers":
        argument.setdefault("default", os.cpu_count() or 1)
    if "type" in argument:
        argument["type"] = _TYPES[argument["type"]]
    parser.add_argument(*names, **argument)


# The modules that list the names are imported when needed: most calls need none of them.


def _formats() -> list[str]:
    from veil import io

    return io.names()


def _writable_formats() -> list[str]:
    from veil import io

    return io.writable_names()


def _schemes() -> list[str]:
    from veil.core.labels import SCHEMES

    return list(SCHEMES)


def _policies() -> list[str]:
    from veil.replace.policy import policies

    return policies()


def _presets() -> list[str]:
    from veil.io.columns import presets

    return list(presets())


def _recipes() -> list[str]:
    from veil.learn.recipe import names

    return names()


def _papers() -> list[str]:
    from veil.learn.reproduce import papers

    return papers()


def _methods() -> list[str]:
    from veil.learn.recipe import METHODS

    return METHODS.names()


def _languages() -> list[str]:
    from veil.languages import LANGUAGES

    return [name for name in LANGUAGES.names() if LANGUAGES.get(name).code == name]


def _token_languages() -> list[str]:
    from veil.languages import LANGUAGES

    return LANGUAGES.names()


def _synth_languages() -> list[str]:
    from veil.synth.notes import synth_languages

    return list(synth_languages())


def _models() -> list[str]:
    from veil.models import installed

    return ["rules", *(folder.name for folder in installed())]


def _commands() -> list[str]:
    from veil.cli.main import COMMANDS

    return list(COMMANDS)


_LISTS: dict[str, Callable[[], list[str]]] = {
    "commands": _commands,
    "models": _models,
    "formats": _formats,
    "writable_formats": _writable_formats,
    "schemes": _schemes,
    "policies": _policies,
    "presets": _presets,
    "recipes": _recipes,
    "methods": _methods,
    "papers": _papers,
    "languages": _languages,
    "token_languages": _token_languages,
    "synth_languages": _synth_languages,
}
"""The names that `commands.toml` refers to."""


class _Choices:
    """The members of a list, computed when they are compared or shown."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __contains__(self, choice: object) -> bool:
        return choice in _LISTS[self._name]()

    def __iter__(self) -> Iterator[str]:
        return iter(_LISTS[self._name]())


class _Members(dict[str, str]):
    """The members of lists by the name of the list, computed when they are shown."""

    def __missing__(self, name: str) -> str:
        return ", ".join(_LISTS[name]())


class Help(argparse.RawDescriptionHelpFormatter):
    """Replaces names of lists in help texts by the members of the lists."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and action.help.format_map(_Members())


def _workers(text: str) -> int:
    return min(_number(text, "processes"), _MOST_WORKERS)


def _count(text: str) -> int:
    return _number(text, "records")


def _number(text: str, what: str) -> int:
    if text.isdecimal() and 0 < int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of {what}; give 1 or more")


def _share(text: str) -> float | str:
    from veil.detect.assembly import HIGH

    if text == HIGH:
        return text
    with contextlib.suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"'{text}' is not a share; give a number up to 1, such as 0.99, or '{HIGH}'"
    )


def _stretch(text: str) -> tuple[int, int]:
    start, _, end = text.partition(":")
    if start.isdecimal() and end.isdecimal() and int(start) < int(end):
        return int(start), int(end)
    raise argparse.ArgumentTypeError(
        f"'{text}' is not a range of offsets; give start and end, such as 120:131"
    )


def _bias(text: str) -> float:
    from veil.detect.linear.calibration import check_bias

    try:
        return check_bias(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _positive(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < float(text) < float("inf"):
            return float(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")


def _port(text: str) -> int:
    if text.isdecimal() and int(text) <= _HIGHEST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a port; give 0 to {_HIGHEST_PORT}")


_TYPES: dict[str, Callable[[str], Any]] = {
    "path": Path,
    "int": int,
    "count": _count,
    "port": _port,
    "positive": _positive,
    "workers": _workers,
    "share": _share,
    "bias": _bias,
    "stretch": _stretch,
}

TOML_TYPES: dict[object, tuple[type, ...]] = {
    **dict.fromkeys((int, _count, _port, _workers), (int,)),
    **dict.fromkeys((_positive, _bias), (int, float)),
    _share: (int, float, str),
}
"""The types of values in a configuration file; all others are strings."""


class Names(NamedTuple):
    """The possible values of an argument: names, files, or either."""

    names: tuple[str, ...] = ()
    or_files: bool = False


FILES = Names(or_files=True)
# Metavariables of paths, and of names that may also be paths.
_OF_FILES = ("IN", "OUT", "DST", "PAGE", "FILE")
_OR_FILES = {"POLICY": "policies", "MODEL": "models", "SCHEME": "schemes", "RECIPE": "recipes"}


def names_of(action: argparse.Action) -> Names | None:
    """Return the possible values of an argument, or None if there is nothing to choose from."""
    if action.nargs == 0:
        return None
    if action.choices is not None:
        return Names(tuple(map(str, action.choices)))
    metavar = str(action.metavar)
    if metavar in _OR_FILES and "--output" not in action.option_strings:
        return Names(tuple(_LISTS[_OR_FILES[metavar]]()), or_files=True)
    return FILES if action.type is Path or metavar in _OF_FILES else None
