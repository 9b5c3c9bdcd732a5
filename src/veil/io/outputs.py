"""Outputs of commands: checks that they destroy nothing, and complete writing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.io.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def check_output(source: Path, target: Path, *, overwrite: bool) -> None:
    """Raise an error for an output that would destroy or mix with existing files."""
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    inside, outside = target.resolve(), source.resolve()
    if inside == outside or (outside.is_dir() and outside in inside.parents):
        raise InputError(f"{target}: lies inside the input; choose a folder outside {source}")
    check_free(target, overwrite=overwrite)


def check_free(target: Path, *, overwrite: bool) -> None:
    """Raise an error for an output that exists, unless it may be overwritten."""
    if str(target) == "-":
        raise InputError("-: this command does not write to standard output; name a file or folder")
    taken = any(target.iterdir()) if target.is_dir() else target.exists()
    if taken and not overwrite:
        raise InputError(f"{target}: exists already; choose another or give --overwrite")


def check_pages(
    pages: Iterable[str | Path | None], sources: Iterable[str | Path | None], *, overwrite: bool
) -> None:
    """Raise an error for an output with the path of another output, an input or a file."""
    given = [Path(page) for page in pages if page is not None]
    if len({page.resolve() for page in given}) < len(given):
        raise InputError(f"{given[0]}: two outputs have this name; rename one of them")
    for source in sources:
        for page in given if source is not None else ():
            check_output(Path(source or ""), page, overwrite=overwrite)


def write_text(path: str | Path, pieces: Iterable[str]) -> None:
    """Write a UTF-8 text file that appears only when it is complete."""
    with whole_file(Path(path)) as file:
        for piece in pieces:
            # File names, and ids made from them, may contain bytes that are not UTF-8.
            file.write(piece.encode("utf-8", errors="backslashreplace"))


def check_apart(
    files: Sequence[str | Path | None], others: Sequence[str | Path], message: str
) -> None:
    """Raise an error for a file that is one of these paths, or below one of them."""
    resolved = [Path(other).resolve() for other in others]
    for file in files:
        own = Path(file).resolve() if file is not None else Path("/")
        if any(path == own or path in own.parents for path in resolved):
            raise InputError(f"{file}: {message}")
