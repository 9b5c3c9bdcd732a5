"""Scripts that complete the command line in bash, zsh and fish, made from the parser itself."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.cli.parser import Help, command_parsers, make_parser, names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from veil.cli.parser import Names

_FIRST_SENTENCE = re.compile(r"(?:[;:]| \(|, or ).*", re.DOTALL)


@dataclass(frozen=True)
class Argument:
    """An argument of a command; `values` is None if there is nothing to complete."""

    options: tuple[str, ...]
    help: str
    takes_value: bool
    values: Names | None
    is_repeated: bool

    @classmethod
    def of(cls, action: argparse.Action) -> Argument:
        text = Help("veil")._get_help_string(action) or ""
        return cls(
            tuple(action.option_strings),
            _FIRST_SENTENCE.sub("", text).strip(),
            action.nargs != 0,
            names_of(action),
            isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"),
        )


@dataclass(frozen=True)
class Command:
    """A command with its options and positional arguments."""

    name: str
    about: str
    arguments: Sequence[Argument]

    @property
    def options(self) -> list[Argument]:
        return [each for each in self.arguments if each.options]

    @property
    def others(self) -> list[Argument]:
        return [each for each in self.arguments if not each.options]


def run_completion(args: argparse.Namespace) -> int:
    """Print the script of a shell."""
    sys.stdout.write(script(args.shell))
    return 0


def script(shell: str) -> str:
    """Return the script of a shell."""
    from veil.cli.main import COMMANDS

    parser = make_parser(COMMANDS)
    listed = {
        choice.dest: choice.help or ""
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for choice in action._choices_actions
    }
    top = [Argument.of(each) for each in parser._actions if each.option_strings]
    commands = [
        Command(name, listed[name], [Argument.of(each) for each in own._actions])
        for name, own in command_parsers(parser).items()
    ]
    return _SHELLS[shell](top, commands)


def _bash(top: Sequence[Argument], commands: Sequence[Command]) -> str:
    lines = [
        "# Completion of veil for bash; made by: veil completion bash",
        "_veil_words() {",
        "    local IFS=$'\\n'",
        '    COMPREPLY+=($(compgen -W "${1// /$IFS}" -- "$current"))',
        "}",
        "_veil_files() {",
        "    local IFS=$'\\n'",
        "    compopt -o filenames 2> /dev/null",
        '    COMPREPLY+=($(compgen -f -- "$current"))',
        "}",
        "_veil() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
        "    local command='' number=0 index word before=''",
        "    COMPREPLY=()",
        "    # bash splits --option=value into three words.",
        "    if [[ $current == = ]]; then",
        "        current=''",
        "    elif [[ $previous == = ]]; then",
        "        previous=${COMP_WORDS[COMP_CWORD - 2]}",
        "    fi",
        "    for ((index = 1; index < COMP_CWORD; index++)); do",
        "        word=${COMP_WORDS[index]}",
        "        if [[ -z $command ]]; then",
        "            [[ $word == -* || $before == --config ]] || command=$word",
        "        elif [[ $word != -* && $word != = ]]; then",
        "            number=$((number + 1))",
        "        fi",
        "        before=$word",
        "    done",
        "    case $command in",
        "        '')",
        *_bash_values(top),
        f"            _veil_words '{_words(each.name for each in commands)} {_options(top)}'",
        "            ;;",
    ]
    for command in commands:
        lines += [f"        {command.name})", *_bash_values(command.options)]
        lines += [
            "            if [[ $current == -* ]]; then",
            f"                _veil_words '{_options(command.options)}'",
            "                return",
            "            fi",
        ]
        proposed = _bash_propose(_shared(command.others))
        lines += [f"            {each}" for each in proposed]
        lines += ["            ;;"]
    return "\n".join([*lines, "    esac", "}", "complete -F _veil veil", ""])


def _bash_values(options: Iterable[Argument]) -> list[str]:
    """The lines that complete the value of an option."""
    cases = []
    for each in options:
        if each.takes_value:
            proposed = "; ".join([*_bash_propose(each.values), "return"])
            cases.append(f"                {'|'.join(each.options)}) {proposed} ;;")
    return ["            case $previous in", *cases, "            esac"] if cases else []


def _bash_propose(values: Names | None) -> list[str]:
    if values is None:
        return []
    words = [f"_veil_words '{_words(values.names)}'"] if values.names else []
    return [*words, "_veil_files"] if values.or_files else words


def _shared(arguments: Sequence[Argument]) -> Names | None:
    """The names and files that complete any positional argument of a command."""
    found = [each.values for each in arguments if each.values]
    if not found:
        return None
    names = tuple(dict.fromkeys(name for values in found for name in values.names))
    return found[0]._replace(names=names, or_files=any(values.or_files for values in found))


def _zsh(top: Sequence[Argument], commands: Sequence[Command]) -> str:
    lines = [
        "#compdef veil",
        "# Completion of veil for zsh; made by: veil completion zsh",
        "_veil_names_or_files() {",
        "    _alternative \"names:name:($1)\" 'files:file:_files'",
        "}",
        "_veil() {",
        "    local curcontext=$curcontext state line",
        "    local -a commands",
        "    commands=(",
        *(f"        {_quoted(f'{each.name}:{each.about}')}" for each in commands),
        "    )",
        "    _arguments -C \\",
        *(f"        {spec} \\" for each in top for spec in _zsh_specs(each)),
        "        '1:command:->command' \\",
        "        '*::argument:->argument'",
        "    case $state in",
        "        command) _describe command commands ;;",
        "        argument)",
        "            case $words[1] in",
    ]
    for command in commands:
        specs = [spec for each in command.arguments for spec in _zsh_specs(each)]
        lines += [f"                {command.name})", "                    _arguments \\"]
        lines += [f"                        {spec} \\" for spec in specs]
        lines += ["                        && return", "                    ;;"]
    lines += ["            esac", "            ;;", "    esac", "}"]
    # An autoloaded function runs at once; a sourced script registers it.
    lines += ["if [[ $zsh_eval_context[-1] == loadautofunc ]]; then", '    _veil "$@"']
    return "\n".join([*lines, "else", "    compdef _veil veil", "fi", ""])


def _zsh_specs(argument: Argument) -> list[str]:
    """The specifications of an argument for `_arguments`."""
    value = f":{_zsh_text(argument.help)}:{_zsh_action(argument.values)}"
    if not argument.options:
        return [_quoted(("*" if argument.is_repeated else "") + value)]
    about = f"[{_zsh_text(argument.help)}]"
    value = value if argument.takes_value else ""
    repeated = "*" if argument.is_repeated else ""
    excluded = "" if argument.is_repeated else f"({' '.join(argument.options)})"
    equals = {option: "=" if option[:2] == "--" and value else "" for option in argument.options}
    return [
        _quoted(f"{excluded}{repeated}{option}{equals[option]}{about}{value}")
        for option in argument.options
    ]


def _zsh_action(values: Names | None) -> str:
    if values is None:
        return " "
    names = _words(values.names)
    if values.or_files:
        return f'{{_veil_names_or_files "{names}"}}' if names else "_files"
    return f"({names})"


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def _fish(top: Sequence[Argument], commands: Sequence[Command]) -> str:
    lines = [
        "# Completion of veil for fish; made by: veil completion fish",
        "function __veil_command",
        "    set -l words (commandline -opc)[2..]",
        "    while set -q words[1]",
        "        switch $words[1]",
        "            case --config",
        "                set -e words[1]",
        "            case '-*'",
        "            case '*'",
        "                echo $words[1]",
        "                return",
        "        end",
        "        set -e words[1]",
        "    end",
        "end",
        "complete -c veil -f",
    ]
    before = 'test -z "$(__veil_command)"'
    lines += [_fish_option(before, each) for each in top]
    lines += [
        f"complete -c veil -n {_quoted(before)} -a {each.name} -d {_quoted(each.about)}"
        for each in commands
    ]
    for command in commands:
        condition = f'test "$(__veil_command)" = {command.name}'
        lines += [_fish_option(condition, each) for each in command.options]
        values = _shared(command.others)
        if values:
            names = f" -a {_quoted(_words(values.names))}" if values.names else ""
            files = " -F" if values.or_files else ""
            lines.append(f"complete -c veil -n {_quoted(condition)}{files}{names}")
    return "\n".join([*lines, ""])


def _fish_option(condition: str, argument: Argument) -> str:
    names = " ".join(
        f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
        for option in argument.options
    )
    value = ""
    if argument.takes_value:
        values = argument.values
        value = " -r -F" if values and values.or_files else " -x"
        if values and values.names:
            value += f" -a {_quoted(_words(values.names))}"
    return f"complete -c veil -n {_quoted(condition)} {names}{value} -d {_quoted(argument.help)}"


def _words(names: Iterable[str]) -> str:
    return " ".join(names)


def _options(arguments: Iterable[Argument]) -> str:
    return _words(option for each in arguments for option in each.options)


def _quoted(text: str) -> str:
    """A text in single quotes, as all three shells read it."""
    return "'" + text.replace("'", "'\\''") + "'"


_SHELLS: dict[str, Callable[[Sequence[Argument], Sequence[Command]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
