"""How every reader walks: file by file, line by line or piece by piece, never all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Record, Span
from veil.core.errors import InputError, RecordError
from veil.io.base import not_a_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from veil.core.document import Document
    from veil.io.base import ReadLog

BOM = "\ufeff"
_CHUNK = 1 << 18
# A record longer than this is a file that never closes its record, or an attack on memory.
_LONGEST_PIECE = 1 << 27


class Located(NamedTuple):
    """A record and the line on which it begins, where it shares its file with others."""

    record: Record
    line: int | None = None


def read_files(
    files: Iterable[Path],
    path: Path,
    log: ReadLog,
    read_file: Callable[[Path], Iterable[Located]],
) -> Iterator[Record]:
    """Yield the records of all files; a bad file or a second record of one id is withheld."""
    seen: set[str] = set()
    any_file = False
    for file in files:
        any_file = True
        if reason := not_a_file(file):
            # In a folder of several formats, each comes upon a link to a folder.
            if all(problem.path != file for problem in log.problems):
                log.withhold(RecordError(reason, path=file))
            continue
        try:
            for record, line in read_file(file):
                if record.id in seen:
                    log.withhold(
                        RecordError(
                            "this id came before; give every record its own",
                            record=record.id,
                            path=file,
                            line=line,
                        )
                    )
                    continue
                seen.add(record.id)
                yield record
        except RecordError as error:
            log.withhold(error)
        except OSError as error:
            if file == path:
                raise InputError(f"{path}: cannot be read: {error.strerror}") from None
            log.withhold(RecordError(f"cannot be read: {error.strerror}", path=file))
    if not any_file:
        raise InputError(f"{path}: no file of this format in the folder")


def gold_record(document: Document, annotations: Sequence[Span], log: ReadLog) -> Record:
    """Make a record and note how many annotations overlap a longer one."""
    record = Record.of(document, annotations)
    log.note("annotations that overlap a longer one, set aside", len(record.set_aside))
    return record


def span_inside(text: str, start: int, end: int) -> bool:
    """Whether offsets from a file hold at least one character of the text."""
    return 0 <= start < end <= len(text)


class Piece(NamedTuple):
    """A stretch of a file, with the line and byte where it begins."""

    data: bytes
    line: int
    byte: int
    closed: bool = True

    def decode(self, path: Path) -> str:
        """Decode UTF-8, without a byte order mark at the start of the file."""
        try:
            text = self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(
                "not UTF-8 here; convert the file to UTF-8 first, for example with iconv",
                path=path,
                line=self.line + self.data.count(b"\n", 0, error.start),
                byte=self.byte + error.start,
            ) from None
        return text.removeprefix(BOM) if self.byte == 0 else text


def lines(path: Path) -> Iterator[Piece]:
    """Yield the lines of a file, their line feeds included; nothing else ends a line."""
    byte = 0
    with path.open("rb") as file:
        for number, data in enumerate(file, start=1):
            yield Piece(data, number, byte)
            byte += len(data)


def pieces(path: Path, delimiter: bytes) -> Iterator[Piece]:
    """Yield what ends with the delimiter, piece by piece, then the rest as a piece not closed."""
    buffer = bytearray()
    line, byte, searched = 1, 0, 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            buffer += chunk
            while (found := buffer.find(delimiter, searched)) >= 0:
                end = found + len(delimiter)
                data = bytes(buffer[:end])
                del buffer[:end]
                yield Piece(data, line, byte)
                line += data.count(b"\n")
                byte += end
                searched = 0
            searched = max(0, len(buffer) - len(delimiter) + 1)
            if len(buffer) > _LONGEST_PIECE:
                raise RecordError(
                    f"no {delimiter.decode()} within {_LONGEST_PIECE} bytes; close the record, "
                    "or split the file",
                    path=path,
                    line=line,
                )
    if buffer:
        yield Piece(bytes(buffer), line, byte, closed=False)
