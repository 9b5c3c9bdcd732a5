"""How every writer ends: all files there and complete, or none."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.formats.base import FolderWriter, files_below, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from veil.core.document import Record


def write_file(
    records: Iterable[Record],
    path: Path,
    *,
    name: str,
    render: Callable[[Record], str],
    opening: str = "",
    closing: str = "",
) -> int:
    """Write all records to one file, or to the file `name` if the path is a folder."""
    seen: set[str] = set()
    with whole_file(path / name if path.is_dir() else path) as file:
        file.write(opening.encode())
        for record in records:
            if record.id in seen:
                raise RecordError("this id comes twice; ids must differ", record=record.id)
            seen.add(record.id)
            file.write(encode(render(record), record))
        file.write(closing.encode())
    return len(seen)


def write_folder(
    records: Iterable[Record], root: Path, render: Callable[[Record], Mapping[str, str]]
) -> int:
    """Write each record to files of its own: `render` gives their content by suffix."""
    with _whole_folder(root) as writer:
        for record in records:
            contents = {suffix: encode(text, record) for suffix, text in render(record).items()}
            first, *others = contents
            file = writer.claim(record.id, first)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(contents[first])
                for suffix in others:
                    file.with_suffix(suffix).write_bytes(contents[suffix])
            except OSError as error:  # a name too long, a disk full
                raise RecordError(
                    f"its file cannot be written: {error.strerror}", record=record.id
                ) from None
    return writer.count


@contextlib.contextmanager
def _whole_folder(root: Path) -> Iterator[FolderWriter]:
    """Collect files in a hidden folder below `root`; they move to their places all at the end."""
    FolderWriter(root)  # refuses a root that is a file before anything is made
    made = not root.exists()
    root.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=root, prefix=".veil-", suffix=".part") as name:
            staging = Path(name)
            writer = FolderWriter(staging)
            yield writer
            for file in files_below(staging, ""):
                place = root / file.relative_to(staging)
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(file, place)  # noqa: PTH105
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                root.rmdir()
        raise


def encode(text: str, record: Record) -> bytes:
    """Encode as UTF-8; a lone surrogate, which is no character, is an error of the record."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        offset = next(
            (i for i, char in enumerate(record.document.text) if "\ud800" <= char <= "\udfff"), None
        )
        place = "its id or a label" if offset is None else f"its text at character {offset}"
        raise RecordError(
            f"{place} holds a lone surrogate, which no file can hold", record=record.id
        ) from None
