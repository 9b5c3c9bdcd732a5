"""Standard input and output instead of files, without leaving text on the disk."""

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
"""The name of standard input and output on the command line."""

_CHUNK = 1 << 16
# Starts of files that are not plain text: names in them may be in base64 or escaped, where no
# detector finds them. A note can begin with "[1] Mr. Hale".
_JSON = re.compile(rb'\{|\[\s*(?:[\[{"]|(?:-?[\d.]+|null|true|false)\s*,)')
_MARKUP = re.compile(
    rb"<(?:\?xml|!doctype|html\b|deIdi2b2\b|ROOT\b|RECORD\b|[^<>]*\bxmlns)", re.IGNORECASE
)
# The suffix of each other kind of file, and how its content begins.
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
    """Store standard input in a file; with `is_table`, CSV if no other format is recognised.

    The file has no name, so that its text disappears from the disk however the process ends. The
    link to it has the same name in every run, since surrogates depend on it.
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
    """The usual suffix of a file with this content."""
    file.seek(0)
    wide = guess_wide(file.read(_CHUNK))
    file.seek(0)
    # A duplicate of the descriptor, since the stream closes the one that it reads.
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
            "-: standard input is JSON or XML in a format that Veil cannot read; if it is plain "
            "text, give it as a file whose name ends in .txt"
        ) from None


@contextlib.contextmanager
def opened_sources(
    sources: Sequence[str | Path], *, is_table: bool
) -> Iterator[Sequence[str | Path]]:
    """Return the files and folders to read; standard input becomes a file."""
    names = list(map(str, sources))
    if STANDARD in names and names != [STANDARD]:
        raise InputError("-: standard input cannot be combined with other files; give - only")
    if STANDARD in names:
        with stored_input(is_table=is_table) as file:
            yield [file]
    else:
        yield sources


def opened_target(output: str) -> AbstractContextManager[str | Path]:
    """Return the path to write; for standard output, a file that is copied when it is complete."""
    return written_out() if output == STANDARD else contextlib.nullcontext(output)


@contextlib.contextmanager
def written_out() -> Iterator[Path]:
    """Yield a file to write, which is copied to standard output when it is complete."""
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
    """Let `kill` and a closed terminal end the process like Ctrl-C, with the usual clean-up."""
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
    signal.signal(number, signal.SIG_IGN)  # a second signal must not stop the clean-up
    raise SystemExit(128 + number)
