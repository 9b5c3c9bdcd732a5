"""Rows of delimited files (RFC 4180) with the raw writing of every cell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import RecordError
from veil.io.files import BOM, refuse_nul
from veil.io.reading import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_QUOTES = re.compile('"+')
_LINE_END = re.compile(r"\r?\n\Z|\r\Z")
# A row longer than this is a quote that nobody closed, or an attack on memory.
_LONGEST_ROW = 1 << 27
_CHUNK = 1 << 18


class Cell(NamedTuple):
    """Where in its row a cell is written, quotes included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, repr=False)
class Row:
    """A row as it is written, line end included, and its cells.

    Bytes that are no UTF-8 stand in it as lone surrogates; `line` and `byte` say where it begins.
    """

    raw: str
    cells: tuple[Cell, ...]
    line: int
    byte: int

    def value(self, place: int) -> str:
        """What a cell says."""
        start, end = self.cells[place]
        if self.raw.startswith('"', start) and start < end:
            return self.raw[start + 1 : end - 1].replace('""', '"')
        return self.raw[start:end]

    @property
    def is_blank(self) -> bool:
        return not self.raw.strip("\r\n")

    def check_utf8(self, file: Path) -> None:
        """Raise an error with line and byte if the row is no UTF-8."""
        data = self.raw.encode("utf-8", errors="surrogateescape")
        refuse_nul(data, file, line=self.line, byte=self.byte)
        Piece(data, self.line, self.byte).decode(file)


def raw_lines(file: Path) -> Iterator[Piece]:
    """Yield the lines of a file with their ends, without a byte order mark.

    LF, CRLF and CR end a line, whichever of them the rest of the file has.
    """
    begun: list[bytes] = []  # what was read of a line that goes on
    number, byte = 1, 0
    held = b""  # a carriage return, to which a line feed may belong
    with file.open("rb") as source:
        while chunk := held + source.read(_CHUNK):
            held = b"\r" if held != chunk and chunk.endswith(b"\r") else b""
            chunk = chunk[: len(chunk) - len(held)]
            for data in chunk.splitlines(keepends=True):
                begun.append(data)
                if not data.endswith((b"\n", b"\r")):
                    continue
                yield _line(begun, number, byte)
                number, byte, begun = number + 1, byte + sum(map(len, begun)), []
            if _LONGEST_ROW < sum(map(len, begun)):
                raise RecordError("a line that does not end", path=file, line=number)
    if begun:
        yield _line(begun, number, byte)


def _line(parts: list[bytes], number: int, byte: int) -> Piece:
    data = b"".join(parts)
    if byte == 0 and data.startswith(BOM):
        return Piece(data[len(BOM) :], number, len(BOM))
    return Piece(data, number, byte)


def read_rows(lines: Iterable[Piece], delimiter: str, file: Path) -> Iterator[Row]:
    """Yield the rows of a file.

    Quotes that are not as they should be raise an error: what follows cannot be told apart, and
    might put a text where nobody looks for it.
    """
    parts: list[str] = []
    cells: list[Cell] = []
    size = opened = 0
    in_quotes = False
    first: Piece | None = None
    for piece in lines:
        if first is None:
            first = piece
        text = piece.data.decode("utf-8", errors="surrogateescape")
        ending = _LINE_END.search(text)
        body_end = ending.start() if ending else len(text)
        position = 0
        while True:
            if in_quotes:
                position = _after_quotes(text, position)
                if position < 0:
                    break
                in_quotes = False
                if position < body_end and not text.startswith(delimiter, position):
                    raise RecordError(
                        "text after a closing quote; a quote inside quotes is written twice",
                        path=file,
                        line=piece.line,
                    )
                cells.append(Cell(opened, size + position))
            elif text.startswith('"', position):
                in_quotes = True
                opened = size + position
                position += 1
                continue
            else:
                found = text.find(delimiter, position, body_end)
                end = found if found >= 0 else body_end
                cells.append(Cell(size + position, size + end))
                position = end
            if body_end <= position:
                break
            position += len(delimiter)
        parts.append(text)
        size += len(text)
        if not in_quotes:
            yield Row("".join(parts), tuple(cells), first.line, first.byte)
            parts, cells, size, first = [], [], 0, None
        elif _LONGEST_ROW < size:
            break
    if in_quotes and first is not None:
        raise RecordError(
            "a quote that is opened in this row and not closed", path=file, line=first.line
        )


def _after_quotes(text: str, position: int) -> int:
    """Where a quoted cell ends, or -1: quotes within come in pairs."""
    for run in _QUOTES.finditer(text, position):
        if len(run[0]) % 2:
            return run.end()
    return -1


def written(text: str, *, delimiter: str, in_quotes: bool) -> str:
    """A cell with a new text: in quotes if the old one was, or where it must be."""
    must = text.startswith('"') or any(mark in text for mark in (delimiter, "\n", "\r"))
    if in_quotes or must:
        return '"' + text.replace('"', '""') + '"'
    return text
