"""JSON read from a file value by value, for files that are larger than memory."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.io.json_raw import JsonError, Value, parse_at, skip_blank

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

_CHUNK = 1 << 18
# A value longer than this is one that nobody closed, or an attack on memory.
_LONGEST_VALUE = 1 << 28


# What may be cut off from a number: ".5" of 2.5.
_GOES_ON = re.compile(r"[-+.eE\d]*")


class JsonStream:
    """Takes blanks, signs and values off the front of a file."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._bytes = 0
        self._text = ""
        self._position = 0
        self._at_end = False
        self.line = 1

    def blank(self) -> str:
        """Take white space."""
        taken = []
        while True:
            taken.append(self._take(skip_blank(self._text, self._position)))
            if self._position < len(self._text) or not self._more():
                return "".join(taken)

    def next_is(self, sign: str) -> bool:
        """Whether the next character is this one."""
        if self._position == len(self._text):
            self._more()
        return self._text.startswith(sign, self._position)

    def sign(self, sign: str) -> str:
        """Take a character that must be there."""
        if not self.next_is(sign):
            raise self.error("not JSON")
        return self._take(self._position + 1)

    def value(self) -> tuple[str, Value]:
        """Take a value: how it is written, and what it is, with its places in that."""
        self._text, self._position = self._text[self._position :], 0
        while True:
            try:
                value = parse_at(self._text, 0)
            except JsonError as error:  # perhaps it goes on
                if not self._more():
                    raise self.error(str(error)) from None
                continue
            if not _GOES_ON.fullmatch(self._text, value.end) or not self._more():
                return self._take(value.end), value

    def rest(self) -> str:
        """Take all that is left."""
        while self._more():
            pass
        return self._take(len(self._text))

    def error(self, reason: str) -> RecordError:
        return RecordError(reason, path=self._path, line=self.line)

    def _take(self, end: int) -> str:
        taken, self._position = self._text[self._position : end], end
        self.line += taken.count("\n")
        return taken

    def _more(self) -> bool:
        """Read on, as much again as is there, so that long values are not tried too often."""
        if self._at_end:
            return False
        if _LONGEST_VALUE < len(self._text):
            raise self.error(f"a value of more than {_LONGEST_VALUE} characters")
        data = self._file.read(max(_CHUNK, len(self._text)))
        self._at_end = not data
        try:
            self._text += self._decoder.decode(data, final=self._at_end)
        except UnicodeDecodeError as error:
            raise RecordError(
                "not UTF-8 here; convert the file to UTF-8 first, for example with iconv",
                path=self._path,
                byte=self._bytes + error.start - len(self._decoder.getstate()[0]),
            ) from None
        self._bytes += len(data)
        return not self._at_end
