"""The configuration file `veil.toml`: options of commands, which the command line overrides.

    [mask]
    policy = "surrogate"
    key-file = "my.key"

The file is searched for in the current folder and in those above it. A key is the long name of an
option; paths are relative to the file.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.cli.common import say
from veil.cli.parser import FILES, TOML_TYPES, command_parsers, make_parser, names_of
from veil.core.errors import InputError, printable
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FILE = "veil.toml"
OFF = "VEIL_NO_CONFIG"
"""The environment variable that disables the configuration file."""
_NO_CONFIG, _CONFIG = "--no-config", "--config"
_DESCRIBED = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


@dataclass(frozen=True)
class Call:
    """The command of a call, and its options for the configuration file."""

    command: str = ""
    file: Path | None = None
    is_off: bool = False

    @classmethod
    def of(cls, arguments: Sequence[str]) -> Call:
        """Parse the arguments up to the command."""
        file, is_off = None, bool(os.environ.get(OFF))
        words = iter(arguments)
        for word in words:
            name, equals, value = word.partition("=")
            if word == _NO_CONFIG:
                is_off = True
            elif name == _CONFIG:
                file = Path(value if equals else next(words, ""))
            else:
                return cls(word, file, is_off)
        return cls("", file, is_off)

    def find(self) -> Path | None:
        """Return the configuration file to use, if there is one."""
        if self.is_off:
            return None
        return self.file or find_config()


def find_config(folder: Path | None = None) -> Path | None:
    """Find `veil.toml` in a folder or above it; raise an error if another user owns it.

    Otherwise anyone with write access to a parent folder could change how records are masked.
    """
    here = (folder or Path.cwd()).resolve()
    for each in (here, *here.parents):
        file = each / FILE
        if file.is_file():
            if hasattr(os, "getuid") and file.stat().st_uid not in (0, os.getuid()):
                raise InputError(
                    f"{file}: belongs to another user; to use it anyway, give "
                    f"`veil {_CONFIG} {file} ...`; to ignore it, give `veil {_NO_CONFIG} ...`"
                )
            return file
    return None


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; take missing options from the configuration file."""
    call = Call.of(arguments)
    command = command_parsers(parser).get(call.command)
    file = call.find() if command else None
    if command is None or file is None:
        return parser.parse_args(arguments)
    section = read_config(file, command_parsers(parser)).get(call.command, {})
    values = dict(_values(section, command, file, call.command))
    given = _given(parser, command, arguments) if values else set()
    used = [key for key, (action, value) in values.items() if _apply(command, action, value, given)]
    args = parser.parse_args(arguments)
    if used:
        say(f"options of {file}: {', '.join(used)}", quiet=getattr(args, "quiet", False))
    return args


def read_config(file: Path, commands: Iterable[str]) -> dict[str, Any]:
    """Read the sections of a configuration file."""
    data = read_toml(file)
    known = sorted(commands)
    for name, section in data.items():
        if name not in known:
            raise InputError(
                f"{file}: unknown section [{printable(name)}]{_hint(name, known)}; a section has "
                "the name of a command"
            )
        if not isinstance(section, dict):
            raise InputError(f"{file}: {name} must be a section: [{name}]")
    return data


def _hint(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name.replace("_", "-"), list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _values(
    section: Mapping[str, Any], command: argparse.ArgumentParser, file: Path, name: str
) -> Iterator[tuple[str, tuple[argparse.Action, Any]]]:
    """Yield the option and the value of each key of a section."""
    options = dict(options_of(command))
    for key, value in section.items():
        place = f"{file}: [{name}] {printable(key)}"
        if key not in options:
            raise InputError(f"{place}: no option of veil {name}{_hint(key, options)}")
        action = options[key]
        try:
            yield key, (action, _value(command, action, value, file.parent))
        except (argparse.ArgumentError, TypeError) as error:
            message = error.message if isinstance(error, argparse.ArgumentError) else str(error)
            raise InputError(f"{place}: {message}") from None


def options_of(command: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Yield the options of a command by their long names."""
    for action in command._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        for option in action.option_strings:
            if option.startswith("--"):
                yield option.removeprefix("--"), action


def _value(
    command: argparse.ArgumentParser, action: argparse.Action, value: Any, folder: Path
) -> Any:
    """Convert a value like the same value on the command line."""
    if action.nargs == 0:
        return _typed(value, bool)
    if action.nargs == "?" and value is True:
        return action.const
    is_list = isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*")
    if not is_list:
        return _scalar(command, action, value, folder)
    values = value if isinstance(value, list) else [value]
    return [_scalar(command, action, each, folder) for each in values]


def _scalar(
    command: argparse.ArgumentParser, action: argparse.Action, value: Any, folder: Path
) -> Any:
    text = str(_typed(value, *TOML_TYPES.get(action.type, (str,))))
    names = names_of(action)
    if names == FILES or (names and names.or_files and (folder / text).exists()):
        # Not a Path, which would drop a trailing slash.
        text = text if text == "-" else os.path.join(folder, text)  # noqa: PTH118
    converted = command._get_value(action, text)
    command._check_value(action, converted)
    return converted


def _typed(value: Any, *kinds: type) -> Any:
    if not (isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)):
        described = " or ".join(dict.fromkeys(_DESCRIBED[kind] for kind in kinds))
        raise TypeError(f"must be {described}")
    return value


def _given(
    parser: argparse.ArgumentParser, command: argparse.ArgumentParser, arguments: Sequence[str]
) -> set[str]:
    """The options that are given on the command line."""
    groups = command._mutually_exclusive_groups
    options = [action for action in command._actions if action.option_strings]
    before = [(action, action.default, action.required) for action in options]
    required = [(group, group.required) for group in groups]
    for action in options:
        action.default, action.required = argparse.SUPPRESS, False
    for group in groups:
        group.required = False
    try:
        return set(vars(parser.parse_args(arguments)))
    finally:
        for action, default, is_required in before:
            action.default, action.required = default, is_required
        for group, is_required in required:
            group.required = is_required


def _apply(
    command: argparse.ArgumentParser, action: argparse.Action, value: Any, given: set[str]
) -> bool:
    """Make a value the default of an option, unless the command line gives it or excludes it."""
    groups = [
        group for group in command._mutually_exclusive_groups if action in group._group_actions
    ]
    rivals = {other.dest for group in groups for other in group._group_actions}
    if given & {action.dest, *rivals}:
        return False
    action.default, action.required = value, False
    for group in groups:
        group.required = False
    return True


def run_config(args: argparse.Namespace) -> int:
    """Print the configuration file that counts, or all options of a command with their origin."""
    from veil.cli.main import COMMANDS

    is_off = args.no_config or bool(os.environ.get(OFF))
    file = Call(file=Path(args.config) if args.config else None, is_off=is_off).find()
    parser = make_parser(COMMANDS)
    commands = command_parsers(parser)
    sections = read_config(file, commands) if file else {}
    found = {
        name: dict(_values(section, commands[name], file, name))
        for name, section in sections.items()
        if file
    }
    for line in _lines(file, sections, found, commands, args.of):
        sys.stdout.write(f"{line}\n")
    return 0


def _lines(
    file: Path | None,
    sections: Mapping[str, Mapping[str, Any]],
    found: Mapping[str, Mapping[str, tuple[argparse.Action, Any]]],
    commands: Mapping[str, argparse.ArgumentParser],
    wanted: str | None,
) -> Iterator[str]:
    yield f"file: {printable(str(file)) if file else f'none ({FILE} is in no folder from here up)'}"
    if wanted is None:
        for name, section in sections.items():
            yield ""
            yield f"[{name}]"
            yield from (f"{key} = {_shown(value)}" for key, value in section.items())
        return
    own = found.get(wanted, {})
    for key, action in options_of(commands[wanted]):
        value = own[key][1] if key in own else action.default
        yield f"{key} = {_shown(value)} ({FILE if key in own else 'default'})"


def _shown(value: Any) -> str:
    if value is None or value == argparse.SUPPRESS:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "-"
    return printable(str(value))
