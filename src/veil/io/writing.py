"""How every writer ends: all files there and complete, or none."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.io.base import FolderWriter, files_below, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from veil.core.document import Record
    from veil.io.base import ReadLog


# An error of the system that only this record has: its name is too long, or has a sign that the
# disk refuses, or another record has a folder or file in its place.
_OF_A_NAME = {
    *(errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ),
    *(errno.ENOTDIR, errno.EISDIR, errno.EEXIST),
}


def write_file(
    records: Iterable[Record],
    path: Path,
    log: ReadLog | None,
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
            with _withholding(log):
                if record.id in seen:
                    raise RecordError("this id comes twice; ids must differ", record=record.id)
                data = encode(render(record), record)
                seen.add(record.id)
                file.write(data)
        file.write(closing.encode())
    return len(seen)


def write_folder(
    records: Iterable[Record],
    root: Path,
    log: ReadLog | None,
    render: Callable[[Record], Mapping[str, str]],
) -> int:
    """Write each record to files of its own: `render` gives their content by suffix."""
    count = 0
    with _whole_folder(root) as writer:
        for record in records:
            with _withholding(log):
                contents = {suffix: encode(text, record) for suffix, text in render(record).items()}
                _write_files(writer.claim(record.id, next(iter(contents))), contents, record)
                count += 1
    return count


def _write_files(file: Path, contents: Mapping[str, bytes], record: Record) -> None:
    """Write the files of a record, all or none of them."""
    files = [file, *(file.with_suffix(suffix) for suffix in list(contents)[1:])]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for each, data in zip(files, contents.values(), strict=True):
            each.write_bytes(data)
    except OSError as error:
        if error.errno not in _OF_A_NAME:
            raise
        for each in files:
            with contextlib.suppress(OSError):
                each.unlink()
        raise RecordError(
            f"its file cannot be written: {error.strerror}", record=record.id
        ) from None


@contextlib.contextmanager
def _withholding(log: ReadLog | None) -> Iterator[None]:
    """Withhold the record that cannot be written, if there is a log; else it is an error."""
    try:
        yield
    except RecordError as error:
        if log is None:
            raise
        log.withhold(error)


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
