"""What commands share: options, reading with messages, and output folders that lose nothing."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from typing import TYPE_CHECKING

from veil import io
from veil.cli.progress import is_shown, track
from veil.core.errors import InputError, RecordError, printable
from veil.core.labels import SCHEMES, Converter, Scheme, guess_scheme, scheme
from veil.languages import LANGUAGES
from veil.models import find_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from veil.core.document import Record
    from veil.io import ReadLog

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_RECORDS_TO_GUESS_FROM = 200
_SKIPPED_SHOWN = 3
# More processes than these only take memory.
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


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        choices=io.names(),
        help=f"format of the input, found from its content if absent: {_listed(io.names())}",
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


def add_language_option(
    parser: argparse.ArgumentParser, about: str, *, option: str = "--lang"
) -> None:
    codes = [
        each.code
        for name, each in zip(LANGUAGES.names(), LANGUAGES, strict=True)
        if each.code == name
    ]
    parser.add_argument(option, metavar="LANG", choices=codes, help=f"{about}: {_listed(codes)}")


def add_workers_option(
    parser: argparse.ArgumentParser, about: str, *, default: int | None = None
) -> None:
    parser.add_argument(
        "--workers",
        metavar="N",
        type=_count,
        default=default or os.cpu_count() or 1,
        help=f"{about}, at most four for each processor; the result is the same whatever their "
        "number. "
        f"{f'{default} if' if default else 'As many as processors if'} absent",
    )


def _count(text: str) -> int:
    if text.isdecimal() and 0 < int(text):
        return min(int(text), _MOST_WORKERS)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of processes; give 1 or more")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def say(message: str, *, quiet: bool = False) -> None:
    """Tell the user something on standard error, where it does not mix with results."""
    if not quiet:
        sys.stderr.write(f"veil: {printable(message)}\n")


def read_records(
    path: Path, log: ReadLog, *, from_format: str | None, quiet: bool
) -> Iterator[Record]:
    """Read records with a progress bar; how it went is said by `report_reading` at the end."""
    records = io.read(path, format=from_format, log=log)
    total = None
    if path.is_dir() and is_shown(quiet=quiet):
        chosen = [io.FORMATS.get(from_format)] if from_format else io.detect_formats(path)
        total = sum(1 for each in chosen for _ in each.files(path))
    return track(records, total=total, what="records", quiet=quiet)


def read_all(
    paths: Sequence[Path], log: ReadLog, *, from_format: str | None, quiet: bool
) -> Iterator[Record]:
    """Read the records of several files and folders; an id that comes again is withheld."""
    seen: set[str] = set()
    for path in paths:
        for record in read_records(path, log, from_format=from_format, quiet=quiet):
            if record.id in seen:
                reason = "this id came before; give every record its own, or read one folder a run"
                log.withhold(RecordError(reason, record=record.id, path=path))
                continue
            seen.add(record.id)
            yield record


def report_reading(log: ReadLog, *, quiet: bool) -> int:
    """Say which records were withheld and why, and what was remarked; return the exit code."""
    for problem in log.problems:
        say(str(problem))
    if log.skipped:
        first = ", ".join(str(file) for file in log.skipped[:_SKIPPED_SHOWN])
        more = ", ..." if _SKIPPED_SHOWN < len(log.skipped) else ""
        say(
            f"warning: {len(log.skipped)} file(s) of another format were not read: {first}{more}; "
            "name them as input, or give --from"
        )
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
    known = converter.source.labels
    for label, count in sorted(converter.unmapped.items()):
        if label in known:
            say(f"{count} span(s) of {label} have no place in {target} and were left out")
    # Not by their names: a label that no scheme has may be a word of a record.
    unknown = [count for label, count in converter.unmapped.items() if label not in known]
    if unknown:
        say(
            f"{sum(unknown)} span(s) with {len(unknown)} label(s) that are not in "
            f"{converter.source.name} were left out"
        )
    for (label, guess), count in sorted(converter.approximate.items()):
        say(f"{count} span(s) of {label} became {guess}, the nearest in {target}", quiet=quiet)


def check_output(source: Path, target: Path, *, overwrite: bool) -> None:
    """Refuse an output that would destroy or mix with something that is there."""
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    inside, outside = target.resolve(), source.resolve()
    if inside == outside or (outside.is_dir() and outside in inside.parents):
        raise InputError(f"{target}: lies inside the input; choose a folder outside {source}")
    check_free(target, overwrite=overwrite)


def check_free(target: Path, *, overwrite: bool) -> None:
    """Refuse an output that is there already, unless it may be overwritten."""
    if str(target) == "-":
        raise InputError("-: this command does not write to standard output; name a file or folder")
    taken = any(target.iterdir()) if target.is_dir() else target.exists()
    if taken and not overwrite:
        raise InputError(f"{target}: exists already; choose another or give --overwrite")


def add_overwrite_option(parser: argparse.ArgumentParser) -> None:
    """Add the option of commands that write pages and tables of what they read."""
    parser.add_argument(
        "--overwrite", action="store_true", help="replace a page or table that is there already"
    )


def check_pages(
    pages: Iterable[Path | None], sources: Iterable[Path | None], *, overwrite: bool
) -> None:
    """Refuse pages and tables in the place of one another, of an input, or of what is there."""
    given = [page for page in pages if page is not None]
    if len({page.resolve() for page in given}) < len(given):
        raise InputError(f"{given[0]}: two outputs have this name; choose another for one of them")
    for source in filter(None, sources):
        for page in given:
            check_output(source, page, overwrite=overwrite)


def check_apart(files: Iterable[Path | None], places: Iterable[Path], message: str) -> None:
    """Refuse a file that is one of these places, or lies in one of them."""
    resolved = [place.resolve() for place in places]
    for file in filter(None, files):
        own = file.resolve()
        if any(place == own or place in own.parents for place in resolved):
            raise InputError(f"{file}: {message}")


def model_folder(name: str) -> Path:
    """The folder of a model that is named on the command line: a path, or an installed model."""
    return find_model(name)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a UTF-8 text file that appears only when it is whole."""
    with io.whole_file(path) as file:
        for piece in pieces:
            # The name of a file, and so an id made of it, may hold bytes that are no UTF-8.
            file.write(piece.encode("utf-8", errors="backslashreplace"))
