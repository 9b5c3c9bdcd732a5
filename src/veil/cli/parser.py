"""The parser of the command line, which is made from `commands.toml`."""

from __future__ import annotations

import argparse
import contextlib
import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veil
from veil import io
from veil.core.errors import InputError, printable
from veil.core.labels import SCHEMES
from veil.core.toml import read_toml
from veil.detect.assembly import HIGH
from veil.detect.linear.calibration import check_bias
from veil.languages import LANGUAGES
from veil.learn.recipe import METHODS
from veil.learn.recipe import names as recipe_names
from veil.replace.policy import policies
from veil.synth.notes import synth_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import NoReturn

# More processes than these only need memory.
_MOST_WORKERS = 4 * (os.cpu_count() or 1)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors may contain the name of a file that a shell pattern gave."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def make_parser(
    commands: Mapping[str, Callable[[argparse.Namespace], int]],
) -> argparse.ArgumentParser:
    """Make the parser of commands, each with the function that runs it."""
    parser: argparse.ArgumentParser = _Parser(
        prog="veil",
        description="Find and remove what could identify people in clinical free text.",
        epilog="exit codes: 0 done; 1 done, but some records were withheld; 2 wrong input",
    )
    parser.add_argument("--version", action="version", version=f"veil {veil.__version__}")
    subparsers = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    data = read_toml(resources.files("veil.cli") / "commands.toml")
    lists = _lists()
    joined = {name: ", ".join(members) for name, members in lists.items()}
    for name, run in commands.items():
        about = data["commands"][name]
        command = subparsers.add_parser(
            name,
            help=about["about"],
            description=about["details"],
            epilog=f"example:\n{about['example']}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(run=run)
        groups: dict[str, argparse._ActionsContainer] = {}
        for argument in _with_sets(about["arguments"], data["sets"]):
            group = argument.pop("one_of", None)
            if group and group not in groups:
                required = group in about.get("needs_one_of", ())
                groups[group] = command.add_mutually_exclusive_group(required=required)
            argument["help"] = argument["help"].format_map(joined)
            _add_argument(groups[group] if group else command, argument, lists)
    return parser


def _with_sets(
    arguments: Iterable[Mapping[str, Any]], sets: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the arguments with those of the sets that they use."""
    for argument in arguments:
        if "use" in argument:
            yield from _with_sets(sets[argument["use"]], sets)
        else:
            yield dict(argument)


def _add_argument(
    parser: argparse._ActionsContainer, argument: dict[str, Any], lists: Mapping[str, list[str]]
) -> None:
    names = argument.pop("name").split()
    if isinstance(argument.get("choices"), str):
        argument["choices"] = lists[argument["choices"]]
    if argument.get("action") == "append":
        argument["default"] = []
    if argument.get("type") == "workers":
        argument.setdefault("default", os.cpu_count() or 1)
    if "type" in argument:
        argument["type"] = _TYPES[argument["type"]]
    parser.add_argument(*names, **argument)


def _lists() -> dict[str, list[str]]:
    """The names that `commands.toml` refers to."""
    return {
        "formats": io.names(),
        "writable_formats": io.writable_names(),
        "schemes": list(SCHEMES),
        "policies": policies(),
        "recipes": recipe_names(),
        "methods": METHODS.names(),
        "languages": [name for name in LANGUAGES.names() if LANGUAGES.get(name).code == name],
        "token_languages": LANGUAGES.names(),
        "synth_languages": list(synth_languages()),
    }


def _workers(text: str) -> int:
    return min(_number(text, "processes"), _MOST_WORKERS)


def _count(text: str) -> int:
    return _number(text, "records")


def _number(text: str, what: str) -> int:
    if text.isdecimal() and 0 < int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of {what}; give 1 or more")


def _share(text: str) -> float | str:
    if text == HIGH:
        return text
    with contextlib.suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"'{text}' is no share; give a number up to 1, such as 0.99, or '{HIGH}'"
    )


def _bias(text: str) -> float:
    try:
        return check_bias(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


_TYPES: dict[str, Callable[[str], Any]] = {
    "path": Path,
    "int": int,
    "count": _count,
    "workers": _workers,
    "share": _share,
    "bias": _bias,
}
