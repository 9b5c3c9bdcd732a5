"""JSON with the offsets of its values, so that a single string can be changed."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from veil.core.encodings import UTF8, not_in_encoding
from veil.core.errors import RecordError
from veil.io.alignment import same_blocks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path
    from typing import IO


_BLANK = re.compile(r"[ \t\n\r]*")
_DEEPEST = 100
# The depth of an object whose values are not parsed.
_SHALLOW = -1


class JsonError(ValueError):
    """An error in JSON; the message quotes nothing, and the reader adds the line."""


class JsonNumber(str):
    """A number as written in the source."""

    __slots__ = ()


class Member(NamedTuple):
    """A value of an object, and where its key begins."""

    start: int
    value: Value

    @property
    def extent(self) -> tuple[int, int]:
        return (self.start, self.value.end)


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """A value and its offsets, including quotes and brackets."""

    start: int
    end: int
    content: dict[str, Member] | list[Value] | str | bool | None

    @property
    def members(self) -> dict[str, Member]:
        """The members of an object; empty for other values."""
        return self.content if isinstance(self.content, dict) else {}

    @property
    def elements(self) -> list[Value]:
        """The elements of an array; a single value counts as an array of one."""
        return self.content if isinstance(self.content, list) else [self]

    def get(self, key: str) -> Value | None:
        member = self.members.get(key)
        return member.value if member else None

    def all(self, key: str) -> list[Value]:
        """The elements of the array of that key, or its single value; none if it is absent."""
        value = self.get(key)
        return value.elements if value else []

    def string(self, key: str) -> str:
        """The string of that key; empty if the key is absent or has another type."""
        value = self.get(key)
        return value.text if value else ""

    @property
    def text(self) -> str:
        """The decoded string."""
        return str(self.content) if self.is_string else ""

    @property
    def is_string(self) -> bool:
        return isinstance(self.content, str) and not isinstance(self.content, JsonNumber)


class RawEdit(NamedTuple):
    """A new text for a part of the source."""

    start: int
    end: int
    new: str


def parse(text: str) -> Value:
    """Parse a text that is one JSON value."""
    value = parse_at(text, skip_blank(text, 0))
    if skip_blank(text, value.end) < len(text):
        raise JsonError("extra text after the end of the value")
    return value


def parse_at(text: str, position: int, *, depth: int = 0) -> Value:
    """Parse the value that begins at a position.

    A duplicate key is an error, because readers differ in which value they use.
    """
    if text.startswith("{", position):
        return _object(text, position, depth)
    if text.startswith("[", position):
        return _array(text, position, depth)
    return _scalar(text, position)


def parse_members(text: str, position: int) -> Value:
    """Parse an object; objects and arrays in it are skipped as a whole."""
    if not text.startswith("{", position):
        raise JsonError("not an object")
    return _object(text, position, _SHALLOW)


def skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def apply_edits(text: str, edits: Iterable[RawEdit]) -> str:
    """The text after disjoint edits."""
    pieces = []
    position = 0
    for start, end, new in sorted(edits, key=itemgetter(0, 1)):
        pieces += [text[position:start], new]
        position = end
    return "".join([*pieces, text[position:]])


def removals(extents: Sequence[tuple[int, int]], dropped: Collection[int]) -> list[RawEdit]:
    """Edits that remove members or elements, each with one comma."""
    edits = []
    any_kept = False
    for index, (start, end) in enumerate(extents):
        if index not in dropped:
            any_kept = True
        elif any_kept:
            edits.append(RawEdit(extents[index - 1][1], end, ""))
        else:
            following = extents[index + 1][0] if index + 1 < len(extents) else end
            edits.append(RawEdit(start, following, ""))
    return edits


def quoted(text: str, *, plain: bool) -> str:
    """A string as JSON, in ASCII only if `plain`."""
    return json.dumps(text, ensure_ascii=plain)


Escapes = dict[str, str]
"""The escapes of characters in a string that differ from those of `json.dumps`.

The empty string maps to the escapes beyond ASCII, with small (u) or capital (U) digits; without
it, these characters are not escaped.
"""

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
_UNIT = re.compile(rf"{_ESCAPE.pattern}|[^\\]", re.DOTALL)
_BEYOND_ASCII = ""


def escapes_of(raw: str) -> Escapes:
    """The escapes that a string in JSON uses, given with its quotes."""
    if "\\" not in raw:
        return {}
    writings = {each: _unescaped(each) for each in sorted(set(_ESCAPE.findall(raw)))}
    escapes: Escapes = {}
    letters = "".join(each for each, char in writings.items() if not char.isascii())
    if letters and raw.isascii():
        digits = letters.replace("\\u", "")
        escapes[_BEYOND_ASCII] = "U" if digits != digits.lower() else "u"
    odd = {char: each for each, char in writings.items() if each != _escaped(char, escapes)[1:-1]}
    return escapes | odd


def requoted(raw: str, new: str, *, plain: bool) -> str:
    """A string with another text; equal parts are written as in `raw`.

    `plain` means that the line escapes letters beyond ASCII, if the string has none.
    """
    escapes = escapes_of(raw)
    if plain and raw.isascii():
        escapes.setdefault(_BEYOND_ASCII, "u")
    if escapes.keys() <= {_BEYOND_ASCII}:
        return _escaped(new, escapes)
    units = _UNIT.findall(raw[1:-1])
    written = _units(new, escapes)
    for start, new_start, length in same_blocks(json.loads(raw), new):
        for index in range(length):
            if _unescaped(units[start + index]) == new[new_start + index]:
                written[new_start + index] = units[start + index]
    return f'"{"".join(written)}"'


def quoted_with(text: str, escapes: Escapes) -> str:
    """A string as JSON with these escapes."""
    if escapes.keys() <= {_BEYOND_ASCII}:
        return _escaped(text, escapes)
    return f'"{"".join(_units(text, escapes))}"'


def _units(text: str, escapes: Escapes) -> list[str]:
    """The written form of each character."""
    written = {char: escapes.get(char) or _escaped(char, escapes)[1:-1] for char in set(text)}
    return [written[char] for char in text]


def _escaped(text: str, escapes: Escapes) -> str:
    """A string as JSON, with only the escapes beyond ASCII."""
    mode = escapes.get(_BEYOND_ASCII)
    written = json.dumps(text, ensure_ascii=mode is not None)
    return _ESCAPE.sub(_in_capitals, written) if mode == "U" else written


def _in_capitals(escape: re.Match[str]) -> str:
    return escape[0].upper().replace("U", "u") if escape[0].startswith("\\u") else escape[0]


def _unescaped(unit: str) -> str:
    return str(json.loads(f'"{unit}"')) if unit.startswith("\\") else unit


def escapes_letters(text: str) -> bool:
    """Whether a piece of JSON writes letters beyond ASCII as escapes."""
    return text.isascii() and "\\u" in text


def refuse_constant(_: str) -> None:
    raise JsonError("NaN and Infinity are not valid JSON")


_decoder = json.JSONDecoder(
    parse_float=JsonNumber, parse_int=JsonNumber, parse_constant=refuse_constant
)


def _scalar(text: str, position: int) -> Value:
    """Parse a value as a whole, without the offsets of its parts."""
    try:
        content, end = _decoder.raw_decode(text, position)
    except json.JSONDecodeError:
        raise JsonError("not JSON") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    return Value(position, end, content if isinstance(content, str | bool) else None)


def _object(text: str, start: int, depth: int) -> Value:
    members: dict[str, Member] = {}
    position = skip_blank(text, start + 1)
    if text.startswith("}", position):
        return Value(start, position + 1, members)
    while True:
        if not text.startswith('"', position):
            raise JsonError("a key of an object is missing")
        key = _scalar(text, position)
        position = skip_blank(text, key.end)
        if not text.startswith(":", position):
            raise JsonError("a colon of an object is missing")
        if key.text in members:
            raise JsonError("duplicate key in an object")
        value = _inner(text, skip_blank(text, position + 1), depth)
        members[key.text] = Member(key.start, value)
        position = skip_blank(text, value.end)
        if text.startswith("}", position):
            return Value(start, position + 1, members)
        if not text.startswith(",", position):
            raise JsonError("an object that is not closed, or a comma is missing")
        position = skip_blank(text, position + 1)


def _array(text: str, start: int, depth: int) -> Value:
    elements: list[Value] = []
    position = skip_blank(text, start + 1)
    if text.startswith("]", position):
        return Value(start, position + 1, elements)
    while True:
        value = _inner(text, position, depth)
        elements.append(value)
        position = skip_blank(text, value.end)
        if text.startswith("]", position):
            return Value(start, position + 1, elements)
        if not text.startswith(",", position):
            raise JsonError("an array that is not closed, or a comma is missing")
        position = skip_blank(text, position + 1)


def _inner(text: str, position: int, depth: int) -> Value:
    if depth == _SHALLOW:
        return _scalar(text, position)
    if depth == _DEEPEST:
        raise JsonError("nested too deeply")
    return parse_at(text, position, depth=depth + 1)


_CHUNK = 1 << 18
# A longer value is probably not closed, or an attack on memory.
_LONGEST_VALUE = 1 << 28


# The rest of a number at the end of a chunk: ".5" of 2.5.
_GOES_ON = re.compile(r"[-+.eE\d]*")


class JsonStream:
    """Reads blanks, signs and values from a file, one after the other."""

    def __init__(self, file: IO[bytes], path: Path, encoding: str = UTF8) -> None:
        self._file = file
        self._path = path
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._bytes = 0
        self._text = ""
        self._position = 0
        self._at_end = False
        self.line = 1

    def blank(self) -> str:
        """Read white space."""
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
        """Read a required character."""
        if not self.next_is(sign):
            raise self.error("not JSON")
        return self._take(self._position + 1)

    def value(self) -> tuple[str, Value]:
        """Read a value; return its source text and the value with offsets in this text."""
        self._text, self._position = self._text[self._position :], 0
        while True:
            try:
                value = parse_at(self._text, 0)
            except JsonError as error:  # the value may continue in the next chunk
                if not self._more():
                    raise self.error(str(error)) from None
                continue
            if not _GOES_ON.fullmatch(self._text, value.end) or not self._more():
                return self._take(value.end), value

    def rest(self) -> str:
        """Read the rest of the file."""
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
        """Double the text in memory, so that long values are not parsed too often."""
        if self._at_end:
            return False
        if _LONGEST_VALUE < len(self._text):
            raise self.error(f"a value of more than {_LONGEST_VALUE} characters")
        data = self._file.read(max(_CHUNK, len(self._text)))
        self._at_end = not data
        try:
            self._text += self._decoder.decode(data, final=self._at_end)
        except UnicodeDecodeError as error:
            held = len(self._decoder.getstate()[0])
            byte = self._bytes + error.start - held
            raise not_in_encoding(self._path, self._encoding, byte=byte) from None
        self._bytes += len(data)
        return not self._at_end
