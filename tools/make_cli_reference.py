"""Write docs/cli.md from the parsers of the command line; a test fails when it is out of date."""

from __future__ import annotations

import argparse
from pathlib import Path

from veil.cli import build_parser

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"


def cli_reference() -> str:
    """Return the reference page: each command with its arguments, options and example."""
    parser = build_parser()
    lines = [
        "# Command line",
        "",
        "Made by `make docs` from the commands themselves.",
        "",
        f"{parser.description} {_sentence(parser.epilog)}",
    ]
    for name, command in _commands(parser).items():
        lines += ["", f"## veil {name}", "", str(command.description), ""]
        lines += ["| argument | meaning |", "|---|---|"]
        text = command._get_formatter()._get_help_string
        for action in command._actions:
            lines.append(f"| {_usage(action)} | {_meaning(action, text(action))} |")
        lines += ["", *_example(str(command.epilog))]
    return "\n".join(lines) + "\n"


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    subparsers = next(
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(subparsers.choices)


def _usage(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    value = "" if action.nargs == 0 else f" {action.metavar or _choices(action)}"
    return ", ".join(f"`{option}{value}`" for option in action.option_strings).replace("|", "\\|")


def _choices(action: argparse.Action) -> str:
    return "{" + ",".join(map(str, action.choices or ())) + "}"


def _meaning(action: argparse.Action, text: str | None) -> str:
    meaning = (text or "").replace("|", "\\|")
    return f"{meaning} (required)" if action.required and action.option_strings else meaning


def _sentence(text: str | None) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _example(epilog: str) -> list[str]:
    _, _, example = epilog.partition("example:\n")
    return ["```", *(line.strip() for line in example.splitlines()), "```"]


if __name__ == "__main__":
    PAGE.write_text(cli_reference(), encoding="utf-8")
