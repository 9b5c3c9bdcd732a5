"""Options, messages and passphrases that several commands share."""

from __future__ import annotations

import getpass
import os
import sys
import warnings
from functools import partial
from typing import TYPE_CHECKING, cast

from veil.cli.progress import is_shown, track
from veil.core.errors import InputError, printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.core.errors import RecordError
    from veil.detect.assembly import DetectionKeywords
    from veil.files.reading import FilesResult, Reading, RoleKeywords, TableKeywords

PASSPHRASE = "VEIL_PASSPHRASE"  # noqa: S105 - the name of a variable


def table(args: argparse.Namespace) -> TableKeywords:
    """The column options of tables, as keyword arguments."""
    return {
        "text_columns": args.text_column,
        "id_column": args.id_column,
        "patient_column": args.patient_column,
        "encoding": args.encoding,
    }


def roles(args: argparse.Namespace) -> RoleKeywords:
    """The roles of the other columns of tables, as keyword arguments."""
    columns = {}
    for written in args.column:
        name, equals, label = written.rpartition("=")
        if not equals or not name:
            raise InputError(f"--column {written}: write NAME=LABEL, such as dob=DATE")
        columns[name] = label
    return {
        "columns": columns,
        "hash_columns": args.hash_column,
        "columns_file": args.columns_file,
        "preset": args.preset,
    }


def reading(args: argparse.Namespace) -> Reading:
    """The options of reading, as keyword arguments of the functions of `veil.files`."""
    progress = partial(track, what="records", quiet=False) if is_shown(quiet=args.quiet) else None
    return {
        "from_format": args.from_format,
        "strict": args.strict,
        "progress": progress,
        **table(args),
    }


def detection(args: argparse.Namespace, *, learned: bool = True) -> DetectionKeywords:
    """The detection options; raise an error for one that would have no effect."""
    from veil.detect.assembly import RULES, DetectionKeywords

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
    """Raise an error for the first option that would have no effect."""
    for what, is_wrong in wrong.items():
        if is_wrong:
            raise InputError(f"{what}: this would have no effect or cannot work; see --help")


def say(message: str, *, quiet: bool = False) -> None:
    """Write a message to standard error, where it does not mix with results."""
    if not quiet:
        sys.stderr.write(f"veil: {printable(message)}\n")


def finish(result: FilesResult, *messages: str, quiet: bool) -> int:
    """Print the problems and notes of a result, then the messages; return the exit code."""
    for problem in _grouped(result.problems):
        say(problem)
    for warning in result.warnings:
        say(warning)
    for note in result.notes:
        say(note, quiet=quiet)
    if result.problems:
        say(f"{len(result.problems)} record(s) withheld, see above")
    for message in messages:
        say(message, quiet=quiet)
    return 1 if result.problems else 0


def _grouped(problems: Sequence[RecordError]) -> Iterator[str]:
    """Yield one message for each file and reason, and one for each problem without a file."""
    groups: dict[tuple[Path | None, str], list[RecordError]] = {}
    for problem in problems:
        groups.setdefault((problem.path, problem.reason), []).append(problem)
    for first, *more in groups.values():
        yield f"{first}; {len(more):,} more in this file" if more and first.path else str(first)
        yield from (str(each) for each in more if not first.path)


def find_passphrase(file: Path | None, *, new: bool = False) -> str:
    """Return the passphrase from a file, the environment, or a prompt (twice for a new one).

    It never comes from the arguments, which other users of the machine can see.
    """
    if file is not None:
        found, where = _first_line(file), str(file)
    elif PASSPHRASE in os.environ:
        found, where = os.environ[PASSPHRASE], PASSPHRASE
    else:
        found, where = _ask("Passphrase of the mapping: "), "terminal"
        if new and found != _ask("Repeat the passphrase: "):
            raise InputError("the two passphrases differ")
    if not found:
        raise InputError(f"{where}: the passphrase is empty")
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
            # Do not ask for a passphrase that would be visible while it is typed.
            warnings.simplefilter("error", getpass.GetPassWarning)
            return getpass.getpass(prompt)
    except (getpass.GetPassWarning, EOFError):
        raise InputError(
            "cannot ask for the passphrase without a terminal; give --passphrase-file or set "
            f"{PASSPHRASE}"
        ) from None
