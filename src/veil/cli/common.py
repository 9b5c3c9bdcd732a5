"""What commands share: options, messages, and passphrases."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from veil import io
from veil.cli.progress import is_shown, track
from veil.core.errors import InputError, printable
from veil.core.labels import SCHEMES
from veil.detect.assembly import HIGH, RULES, DetectionKeywords
from veil.detect.linear.calibration import check_bias
from veil.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from veil.files import FilesResult, Reading, TableKeywords

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

PASSPHRASE = "VEIL_PASSPHRASE"  # noqa: S105 - the name of a variable
# More processes than these only need memory.
_MOST_WORKERS = 4 * (os.cpu_count() or 1)


def add_command(
    subparsers: Subparsers, name: str, *, about: str, details: str, example: str
) -> argparse.ArgumentParser:
    """Add a command with its help, which always shows an example."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=about,
        description=details,
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def option(
    parser: argparse._ActionsContainer, name: str, metavar: str, about: str, **settings: Any
) -> None:
    """Add an argument or an option with a value."""
    parser.add_argument(name, metavar=metavar, help=about, **settings)


def path_option(
    parser: argparse._ActionsContainer, name: str, metavar: str, about: str, **settings: Any
) -> None:
    """Add an argument or an option whose value is a path."""
    parser.add_argument(name, metavar=metavar, help=about, type=Path, **settings)


def flag(parser: argparse._ActionsContainer, name: str, about: str) -> None:
    """Add an option without a value."""
    parser.add_argument(name, action="store_true", help=about)


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        choices=io.names(),
        help=f"format of the input, identified from its content if absent: {_listed(io.names())}",
    )
    add_table_options(parser, "a column whose texts are read")
    flag(parser, "--strict", "stop at the first record that cannot be read")
    add_quiet_option(parser)


def add_table_options(parser: argparse.ArgumentParser, texts: str) -> None:
    option(
        parser,
        "--text-column",
        "NAME",
        f"for tables and JSON lines: {texts}; may be given several times",
        action="append",
        default=[],
    )
    option(parser, "--id-column", "NAME", "for tables: the column of record ids")
    option(
        parser,
        "--patient-column",
        "NAME",
        "for tables: the column of patient ids; a patient has the same surrogates throughout",
    )


def table(args: argparse.Namespace) -> TableKeywords:
    """The options of `add_table_options` as keyword arguments."""
    return {
        "text_columns": args.text_column,
        "id_column": args.id_column,
        "patient_column": args.patient_column,
    }


def reading(args: argparse.Namespace) -> Reading:
    """The options of `add_reading_options` for the functions of `veil.files`."""
    progress = partial(_track, "records") if is_shown(quiet=args.quiet) else None
    return {
        "from_format": args.from_format,
        "strict": args.strict,
        "progress": progress,
        **table(args),
    }


def _track(what: str, items: Iterable[Any], total: int | None) -> Iterable[Any]:
    return track(items, total=total, what=what, quiet=False)


def add_quiet_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress bar and no remarks; errors only"
    )


def add_format_option(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    absent = f", {default} if absent" if default else ""
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        choices=io.writable_names(),
        default=default,
        required=default is None,
        help=f"format of the output{absent}: {_listed(io.writable_names())}",
    )


def add_scheme_option(parser: argparse.ArgumentParser, about: str) -> None:
    option(
        parser,
        "--scheme",
        "SCHEME",
        f"{about}: {_listed(SCHEMES)}, or a TOML file (see docs/schemes.md)",
    )


def add_language_option(
    parser: argparse.ArgumentParser, about: str, *, name: str = "--lang"
) -> None:
    pairs = zip(LANGUAGES.names(), LANGUAGES, strict=True)
    codes = [each.code for name, each in pairs if each.code == name]
    option(parser, name, "LANG", f"{about}: {_listed(codes)}", choices=codes)


def add_overwrite_option(
    parser: argparse._ActionsContainer, about: str = "replace a page or table that exists already"
) -> None:
    flag(parser, "--overwrite", about)


def add_workers_option(
    parser: argparse.ArgumentParser, about: str, *, default: int | None = None
) -> None:
    option(
        parser,
        "--workers",
        "N",
        f"{about}, at most four for each processor; the result does not depend on their number. "
        f"{f'{default} if' if default else 'As many as processors if'} absent",
        type=_workers,
        default=default or os.cpu_count() or 1,
    )


def _workers(text: str) -> int:
    if text.isdecimal() and 0 < int(text):
        return min(int(text), _MOST_WORKERS)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of processes; give 1 or more")


def count(text: str) -> int:
    """The value of an option that is a number of records."""
    if text.isdecimal() and 0 < int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of records; give 1 or more")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def add_detection_options(
    parser: argparse.ArgumentParser,
) -> argparse._MutuallyExclusiveGroup:
    """Add what finds spans; a command may add further kinds of detectors to the returned group."""
    which = parser.add_mutually_exclusive_group()
    option(
        which,
        "--model",
        "MODEL",
        "use this model alone: a folder, or the name of an installed model (see veil models); "
        f"'{RULES}' for the rules alone. If absent, Veil's model of the language with its rules",
    )
    flag(which, "--rules-only", f"use the rules alone, as --model {RULES}")
    flag(parser, "--with-rules", "use the rules of its language together with --model")
    path_option(
        parser,
        "--own-rules",
        "FOLDER",
        "additional rules of your own (*.toml), see docs/rules.md",
    )
    path_option(
        parser,
        "--known",
        "TABLE",
        "CSV table of what is known about the patients: names, numbers, addresses "
        "(see docs/known.md)",
    )
    path_option(
        parser,
        "--allow",
        "FILE",
        "text file of terms that are never masked, one in each line",
    )
    path_option(
        parser,
        "--deny",
        "FILE",
        "text file of terms that are always masked, one in each line, with or without a tab and "
        "a label after it",
    )
    option(
        parser,
        "--detector",
        "NAME",
        "use this detector of a plug-in in addition; may be given several times "
        "(see docs/extend.md)",
        dest="detectors",
        action="append",
        default=[],
    )
    add_language_option(
        parser, "language of the records; identified from the text of each record if absent"
    )
    add_language_option(
        parser,
        "treat records in a language that Veil does not support as this one, instead of "
        "withholding them",
        name="--assume-language",
    )
    balance = parser.add_mutually_exclusive_group()
    option(
        balance,
        "--recall",
        "SHARE",
        "find at least this share of identifying characters, as measured on development "
        "records (0.99); or 'high', for high recall at some cost of precision",
        type=_share,
    )
    option(
        balance,
        "--bias",
        "NUMBER",
        "bias of the O tag: lower values raise recall and lower precision",
        type=_bias,
    )
    return which


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


def detection(args: argparse.Namespace, *, learned: bool = True) -> DetectionKeywords:
    """The options of `add_detection_options`; those that would have no effect are refused."""
    if args.rules_only:
        args.model = RULES
    named = args.model and args.model != RULES
    learned = learned and args.model != RULES
    refuse_idle(
        {
            "--assume-language, with --lang": args.assume_language and args.lang,
            "--assume-language, with --model": args.assume_language and named,
            "--with-rules, without --model": args.with_rules and not named,
            "--recall, without a model": args.recall is not None and not learned,
            "--bias, without a model": args.bias is not None and not learned,
        }
    )
    names = DetectionKeywords.__annotations__
    return cast(DetectionKeywords, {name: getattr(args, name) for name in names})


def refuse_idle(wrong: Mapping[str, object]) -> None:
    """Refuse the first option that would have no effect."""
    for what, is_wrong in wrong.items():
        if is_wrong:
            raise InputError(f"{what}: it would have no effect, or cannot work; see --help")


def say(message: str, *, quiet: bool = False) -> None:
    """Write a message to standard error, where it does not mix with results."""
    if not quiet:
        sys.stderr.write(f"veil: {printable(message)}\n")


def finish(result: FilesResult, *messages: str, quiet: bool) -> int:
    """Print what a function over files reports and then the messages; return the exit code."""
    for problem in result.problems:
        say(str(problem))
    for warning in result.warnings:
        say(warning)
    for note in result.notes:
        say(note, quiet=quiet)
    if result.problems:
        say(f"{len(result.problems)} record(s) withheld, see above")
    for message in messages:
        say(message, quiet=quiet)
    return 1 if result.problems else 0


def add_passphrase_option(parser: argparse.ArgumentParser) -> None:
    path_option(
        parser,
        "--passphrase-file",
        "FILE",
        "file whose first line is the passphrase of the mapping; if absent, the environment "
        f"variable {PASSPHRASE} is used, or a prompt",
    )


def find_passphrase(file: Path | None, *, new: bool = False) -> str:
    """The passphrase from a file, the environment, or a prompt (twice, if it is a new one).

    It never comes from the arguments, which other users of the machine can see.
    """
    if file is not None:
        found, where = _first_line(file), str(file)
    elif PASSPHRASE in os.environ:
        found, where = os.environ[PASSPHRASE], PASSPHRASE
    else:
        found, where = _ask("Passphrase of the mapping: "), "what was typed"
        if new and found != _ask("The same again: "):
            raise InputError("the two passphrases differ")
    if not found:
        raise InputError(f"{where}: there is no passphrase")
    return found


def _first_line(file: Path) -> str:
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{file}: the passphrase cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: the passphrase is not UTF-8") from None
    return text.partition("\n")[0].removesuffix("\r")


def _ask(prompt: str) -> str:
    try:
        with warnings.catch_warnings():
            # A passphrase that would be visible while it is typed is not asked for.
            warnings.simplefilter("error", getpass.GetPassWarning)
            return getpass.getpass(prompt)
    except (getpass.GetPassWarning, EOFError):
        raise InputError(
            f"no terminal to ask for the passphrase on; give --passphrase-file or set {PASSPHRASE}"
        ) from None
