"""What commands share: options, reading with messages, and output folders that lose nothing."""

from __future__ import annotations

import argparse
import itertools
import sys
from typing import TYPE_CHECKING

from veil import formats
from veil.cli.progress import track
from veil.core.errors import InputError
from veil.core.labels import SCHEMES, Converter, Scheme, guess_scheme, scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from veil.core.document import Record
    from veil.formats import ReadLog

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_RECORDS_TO_GUESS_FROM = 200


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


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        choices=formats.names(),
        help=f"format of the input, found from its content if absent: {_listed(formats.names())}",
    )
    parser.add_argument(
        "--strict", action="store_true", help="stop at the first record that cannot be read"
    )
    add_quiet_option(parser)


def add_quiet_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress bar and no remarks; errors only"
    )


def add_scheme_option(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument(
        "--scheme", metavar="SCHEME", choices=SCHEMES, help=f"{about}: {_listed(SCHEMES)}"
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def say(message: str, *, quiet: bool = False) -> None:
    """Tell the user something on standard error, where it does not mix with results."""
    if not quiet:
        sys.stderr.write(f"veil: {message}\n")


def read_records(
    path: Path, log: ReadLog, *, from_format: str | None, quiet: bool
) -> Iterator[Record]:
    """Read records with a progress bar; how it went is said by `report_reading` at the end."""
    records = formats.read(path, format=from_format, log=log)
    sources = [formats.FORMATS.get(from_format)] if from_format else formats.detect_formats(path)
    folder = path.is_dir() and not quiet
    total = sum(1 for source in sources for _ in source.files(path)) if folder else None
    return track(records, total=total, what="records", quiet=quiet)


def report_reading(log: ReadLog, *, quiet: bool) -> int:
    """Say which records were withheld and why, and what was remarked; return the exit code."""
    for problem in log.problems:
        say(str(problem))
    for remark, count in sorted(log.notes.items()):
        say(f"{count} {remark}", quiet=quiet)
    if log.problems:
        say(f"{len(log.problems)} record(s) withheld, see above")
    return 1 if log.problems else 0


def with_known_scheme(
    records: Iterator[Record], name: str | None
) -> tuple[Iterator[Record], Scheme | None]:
    """Return the records and their scheme: the named one, or a guess from the first labels."""
    if name is not None:
        return records, scheme(name)
    first = list(itertools.islice(records, _RECORDS_TO_GUESS_FROM))
    labels = {span.label for record in first for span in record.annotations}
    return itertools.chain(first, records), guess_scheme(labels)


def report_conversion(converter: Converter, *, quiet: bool) -> None:
    """Say what the target scheme could not take or took by a guess."""
    target = converter.target.name
    for label, count in sorted(converter.unmapped.items()):
        say(f"{count} span(s) of {label} have no place in {target} and were left out")
    for (label, guess), count in sorted(converter.approximate.items()):
        say(f"{count} span(s) of {label} became {guess}, the nearest in {target}", quiet=quiet)


def check_output(source: Path, target: Path, *, overwrite: bool) -> None:
    """Refuse an output that would destroy or mix with something that is there."""
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    inside, outside = target.resolve(), source.resolve()
    if inside == outside or (outside.is_dir() and outside in inside.parents):
        raise InputError(f"{target}: lies inside the input; choose a folder outside {source}")
    taken = any(target.iterdir()) if target.is_dir() else target.exists()
    if taken and not overwrite:
        raise InputError(f"{target}: exists already; choose another or give --overwrite")


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a UTF-8 text file that appears only when it is whole."""
    with formats.whole_file(path) as file:
        for piece in pieces:
            file.write(piece.encode("utf-8"))
