"""Standard input and output in the place of files, of which nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.encodings import UTF8, as_utf8, guess_wide
from veil.core.errors import InputError
from veil.io import find_format
from veil.io.files import BOM
from veil.io.text import holds_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import BinaryIO

STANDARD = "-"
"""What stands for standard input or output on the command line."""

_CHUNK = 1 << 16
# How what is no plain text begins: names may stand in it in base64 or in escapes, where no detector
# finds them. A note may well begin with "[1] Mr. Hale".
_JSON = re.compile(rb'\{|\[\s*(?:[\[{"]|(?:-?[\d.]+|null|true|false)\s*,)')
_MARKUP = re.compile(
    rb"<(?:\?xml|!doctype|html\b|deIdi2b2\b|ROOT\b|RECORD\b|[^<>]*\bxmlns)", re.IGNORECASE
)
# What each other kind of file begins with, and the end of its name.
_KINDS = (
    (".rtf", re.compile(rb"\{\\rtf")),
    (".html", re.compile(rb"(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html\b)", re.IGNORECASE)),
    (".json", _JSON),
    (".xml", _MARKUP),
    (".parquet", re.compile(rb"PAR1")),
    (".pdf", re.compile(rb"%PDF-")),
    (".docx", re.compile(rb"PK\x03\x04.*word/", re.DOTALL)),
    (".xlsx", re.compile(rb"PK\x03\x04.*xl/", re.DOTALL)),
)


@contextlib.contextmanager
def stored_input(*, is_table: bool) -> Iterator[Path]:
    """Store standard input in a file; with `is_table`, CSV if it is none of the other formats.

    The text is in a file without a name: whatever ends the process, nothing of it is left on the
    disk. The link to it has the same name in every run, since surrogates depend on it.
    """
    if sys.stdin is None:
        raise InputError("-: standard input is closed; give a file or a pipe")
    with (
        tempfile.TemporaryFile(prefix="veil-") as file,
        tempfile.TemporaryDirectory(prefix="veil-") as folder,
    ):
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        link = Path(folder, f"stdin{_suffix(file, is_table=is_table)}")
        link.symlink_to(f"/dev/fd/{file.fileno()}")
        _check_kind(link)
        try:
            yield link
        except InputError as error:
            raise InputError(str(error).replace(str(link), "standard input")) from None


def _suffix(file: BinaryIO, *, is_table: bool) -> str:
    """How the name of a file with this content would end."""
    file.seek(0)
    wide = guess_wide(file.read(_CHUNK))
    file.seek(0)
    # A copy of what is open, since the stream that reads it closes it.
    stream = file if wide == UTF8 else as_utf8(os.fdopen(os.dup(file.fileno()), "rb"), wide)
    chunks = iter(partial(stream.read, _CHUNK), b"")
    beginning = next(filter(None, (chunk.removeprefix(BOM).lstrip() for chunk in chunks)), b"")
    for suffix, begins in _KINDS:
        if begins.match(beginning):
            return suffix
    if is_table:
        return ".csv"
    return ".json" if holds_json(beginning) or any(map(holds_json, chunks)) else ".txt"


def _check_kind(file: Path) -> None:
    try:
        find_format(file)
    except InputError:
        raise InputError(
            "-: standard input holds JSON or XML of no kind that Veil can read; if it is plain "
            "text, give it as a file whose name ends in .txt"
        ) from None


@contextlib.contextmanager
def opened_sources(
    sources: Sequence[str | Path], *, is_table: bool
) -> Iterator[Sequence[str | Path]]:
    """Return the files and folders to read; standard input becomes a file."""
    names = list(map(str, sources))
    if STANDARD in names and names != [STANDARD]:
        raise InputError("-: standard input is read alone; name no other file")
    if STANDARD in names:
        with stored_input(is_table=is_table) as file:
            yield [file]
    else:
        yield sources


def opened_target(output: str) -> AbstractContextManager[str | Path]:
    """Return what to write; standard output becomes a file, which is copied when it is whole."""
    return written_out() if output == STANDARD else contextlib.nullcontext(output)


@contextlib.contextmanager
def written_out() -> Iterator[Path]:
    """A file to write, which goes to standard output when it is whole."""
    if sys.stdout is None:
        raise InputError("-: standard output is closed; give a file with -o")
    with tempfile.TemporaryDirectory(prefix="veil-") as folder:
        target = Path(folder, "output")
        yield target
        if target.is_file():
            with target.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Let `kill` and a terminal that is closed end the process as Ctrl-C does: it tidies up."""
    caught = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) == signal.SIG_DFL  # nohup ignores one
    ]
    for number in caught:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one must not stop the tidying up
    raise SystemExit(128 + number)
