"""The groups and control words of RTF, the texts in them, and how new texts are written."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.document import PATIENT, ROW, WHOLE, Document
from veil.core.errors import RecordError
from veil.core.toml import read_toml
from veil.io.base import FileWriter, Item, row_of, with_context
from veil.io.files import reading
from veil.io.weave import Canvas, RunText, Woven

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from veil.io.base import Source

_TOKEN = re.compile(
    r"\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?(?P<blank> ?)"
    r"|\\(?P<sign>[^a-zA-Z])|(?P<open>\{)|(?P<close>\})|(?P<line>[\r\n]+)|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_DEEPEST = 500
_LONGEST_WORD = 50
_CODE_PAGES = {437: "cp437", 708: "cp1256", 850: "cp850", 10000: "mac-roman", 65001: "utf-8"}
_CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "cp1361", 134: "cp936", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
# Control words that stand for a character or separate texts.
_LETTERS = {
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c", "zwbo": "\u200b",
}  # fmt: skip
_SIGNS = {"~": "\u00a0", "_": "\u2011", "\\": "\\", "{": "{", "}": "}"}
_LINES = frozenset("par line row sect page column softline softpage lbr nestrow pard_".split())
_TABS = frozenset({"cell", "tab", "nestcell"})
_NUMBERS = re.compile(r"[\d\s.,;()-]*")


class RtfError(ValueError):
    """The reason why Veil cannot read a file as RTF; the message quotes none of it."""


@dataclass(frozen=True)
class _Tables:
    kinds: Mapping[str, str]
    whole: Mapping[str, str]
    shape_value: str


@cache
def _tables() -> _Tables:
    data = read_toml(Path(__file__).with_name("destinations.toml"))
    whole, shape_value = data.pop("whole"), data.pop("shape_value")
    kinds = {word: kind for kind, words in data.items() for word in words.split()}
    return _Tables(kinds | dict.fromkeys(whole, "whole"), whole, shape_value)


class RtfWriter(FileWriter):
    """Writes an RTF file, in single bytes."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        try:
            data = item.payload.woven.render(texts).encode("latin-1")
        except UnicodeEncodeError:
            reason = "a lone surrogate, which cannot be encoded"
            raise RecordError(reason, record=item.documents[0].id) from None
        self._file.write(data)
        self.has_written = True


@dataclass(frozen=True)
class _Payload:
    woven: Woven = field(repr=False)


def read_document(source: Source) -> Iterator[Item | RecordError]:
    """Yield the item of a file, and an error for the parts that were left out."""
    file = source.file
    with reading(file):
        raw = file.read_bytes().decode("latin-1")
    reader = _Reader(raw)
    try:
        reader.read()
    except RtfError as error:
        raise RecordError(str(error), path=file) from None
    found = reader.result()
    texts = tuple(each.text.text for each in found)
    row = row_of(texts)
    documents = []
    counts: Counter[str] = Counter()
    for each, text in zip(found, texts, strict=True):
        meta: dict[str, Any] = {PATIENT: source.id, ROW: row}
        if each.label:
            meta[WHOLE] = each.label
        counts[each.name] += 1
        number = f"[{counts[each.name]}]" if counts[each.name] > 1 else ""
        name = f"{source.id}:{each.name}{number}" if each.name else source.id
        documents.append(Document(name, text, None, meta))
    woven = reader.canvas.woven([each.text for each in found])
    yield Item(with_context(documents), _Payload(woven))
    if reader.left_out:
        what = ", ".join(f"{count} {name}" for name, count in sorted(reader.left_out.items()))
        yield RecordError(f"left out: {what}", record=source.id, path=file)


class RichText:
    """An RTF document inside another file, as one text; its properties are removed."""

    def __init__(self, source: str) -> None:
        reader = _Reader(source, with_properties=False)
        reader.read()
        self._runs = RunText()
        for found in reader.result():
            self._runs.part()
            self._runs.extend(found.text)
        self.text = self._runs.text
        self._woven = reader.canvas.woven([self._runs])
        self.altered = self._woven.render([self.text]) != source
        """Whether something was removed."""

    def woven(self, new: str) -> str:
        """The source with a new text."""
        return self._woven.render([new])


@dataclass
class _Found:
    text: RunText
    name: str
    label: str = ""


def _holds_words(found: _Found) -> bool:
    """Whether a text outside the body must be masked; numbers of shapes are not."""
    text = found.text.text.strip()
    return bool(text) and not (found.name == _tables().shape_value and _NUMBERS.fullmatch(text))


@dataclass(frozen=True)
class _Group:
    """The state of a group: the destination of its text, and its encoding."""

    start: int
    text: RunText | None
    kind: str = "inline"
    encoding: str = ""
    fallback: int = 1
    starred: bool = False
    begins: bool = True
    name: str = ""


class _Reader:
    """Reads a file token by token."""

    def __init__(self, raw: str, *, with_properties: bool = True) -> None:
        self.canvas = Canvas(raw)
        self._with_properties = with_properties
        self.left_out: Counter[str] = Counter()
        self._raw = raw
        self._body = RunText()
        self._beside: list[RunText] = []
        self._apart: list[_Found] = []
        self._groups: list[_Group] = []
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._run: _RunBuilder | None = None
        self._is_done = False

    def result(self) -> list[_Found]:
        body = self._body
        for each in self._beside:
            if each.text.strip():
                body.part()
                body.extend(each)
        found = [_Found(body, "")] if body.text.strip() else []
        return [*found, *(each for each in self._apart if _holds_words(each))]

    def read(self) -> None:
        raw = self._raw
        if not raw.startswith("{\\rtf"):
            raise RtfError("not RTF: it does not begin with {\\rtf")
        position = 0
        while position < len(raw):
            token = _TOKEN.match(raw, position)
            if token is None:
                raise RtfError("RTF that ends in the middle of a control word")
            if self._is_done and raw[position:].strip("\r\n\0 \t"):
                raise RtfError("RTF with extra text after its last group")
            position = token.end()
            if token["open"]:
                self._end_run()
                self._open(token.start())
            elif token["close"]:
                self._end_run()
                self._close(token.end())
            elif token["word"]:
                position = self._word(token)
            elif self._groups:
                self._letter(token)
        if self._groups or not self._is_done:
            raise RtfError("RTF whose groups are not closed")

    def _open(self, start: int) -> None:
        if len(self._groups) > _DEEPEST:
            raise RtfError(f"groups nested deeper than {_DEEPEST}")
        if self._groups:
            outer = self._groups[-1]
            self._groups[-1] = replace(outer, begins=False)
            self._groups.append(replace(outer, start=start, starred=False, begins=True, name=""))
        else:
            self._groups.append(_Group(start, self._body, encoding=self._default))

    def _close(self, end: int) -> None:
        if not self._groups:
            raise RtfError("RTF with a group that was never opened")
        group = self._groups.pop()
        outer = self._groups[-1] if self._groups else None
        if outer is None:
            self._is_done = True
        elif group.kind != outer.kind and group.kind in ("removed", "data", "unknown"):
            self._take_out(group, end)
        if outer and group.text is not outer.text and group.text is not None:
            group.text.part()

    def _take_out(self, group: _Group, end: int) -> None:
        inside = self._raw[group.start : end]
        if group.kind == "data":
            self.left_out["picture(s) or embedded file(s)"] += 1
        elif group.kind == "unknown":
            self.left_out["group(s) that Veil does not know"] += 1
        if inside != "{}":
            self.canvas.replace(group.start, end)

    def _word(self, token: re.Match[str]) -> int:
        """Read a control word: a letter, break, destination or format; return the next position."""
        word, number = token["word"], int(token["number"] or 0)
        group = self._groups[-1] if self._groups else None
        if group is None:
            raise RtfError("RTF with a control word outside of its groups")
        if word == "bin":
            self._end_run()
            return token.end() + max(0, number)
        if word == "u" and token["number"]:
            return self._unicode(token, number)
        if word in _LETTERS:
            self._add(token, _LETTERS[word])
            return token.end()
        self._end_run()
        if group.begins and self._destination(word):
            return token.end()
        self._groups[-1] = group = replace(self._groups[-1], begins=False)
        if word in _LINES or word in _TABS:
            if group.text is not None:
                group.text.part("\t" if word in _TABS else "\n")
        elif word == "uc":
            self._groups[-1] = replace(group, fallback=max(0, number))
        elif word == "ansicpg":
            self._default = _CODE_PAGES.get(number, f"cp{number}")
            self._check_encoding(self._default)
            self._groups = [replace(each, encoding=self._default) for each in self._groups]
        elif word in ("mac", "pc", "pca"):
            self._default = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}[word]
            self._groups = [replace(each, encoding=self._default) for each in self._groups]
        elif word == "f" and group.kind == "form":
            self._font = number
        elif word in ("fcharset", "cpg") and group.kind == "form":
            named = _CHARSETS.get(number) if word == "fcharset" else f"cp{number}"
            if named:
                self._fonts[self._font] = named
        elif word in ("f", "af") and group.kind != "form":
            if word == "f":
                encoding = self._fonts.get(number, self._default)
                self._groups[-1] = replace(group, encoding=encoding)
        elif word == "plain":
            self._groups[-1] = replace(group, encoding=self._default)
        return token.end()

    def _check_encoding(self, name: str) -> None:
        try:
            codecs.lookup(name)
        except LookupError:
            raise RtfError("RTF in a code page that Veil does not know") from None

    def _destination(self, word: str) -> bool:
        """Whether a word at the start of a group names the destination of the group."""
        group = self._groups[-1]
        tables = _tables()
        kind = tables.kinds.get(word, "unknown" if group.starred else "")
        if not self._with_properties and (word == "info" or kind == "whole"):
            kind = "removed"
        if group.kind in ("removed", "data", "unknown", "form"):
            # Groups inside a removed or layout group are treated like it.
            self._groups[-1] = replace(group, begins=False)
            return False
        if not kind:
            self._groups[-1] = replace(group, begins=False)
            return False
        text = group.text
        if kind in ("beside", "searched", "whole"):
            text = RunText()
            if kind == "beside":
                self._beside.append(text)
            else:
                self._apart.append(_Found(text, word, tables.whole.get(word, "")))
        elif kind in ("form", "removed", "data", "unknown"):
            text = None
        self._groups[-1] = replace(group, kind=kind, text=text, begins=False, name=word)
        return True

    def _letter(self, token: re.Match[str]) -> None:
        """Add a character, in any of its forms."""
        group = self._groups[-1]
        if token["sign"] == "*":
            self._groups[-1] = replace(group, starred=True)
            return
        if token["line"]:
            if self._run:
                self._run.end = token.end()
            return
        if token["sign"] in ("\r", "\n"):
            self._end_run()
            if group.text is not None:
                group.text.part()
            return
        self._groups[-1] = replace(group, begins=False)
        if token["sign"] in ("-", ":", "|"):
            if self._run:
                self._run.end = token.end()
        elif token["sign"]:
            self._add(token, _SIGNS.get(token["sign"], token["sign"]))
        elif token["byte"]:
            self._add(token, bytes.fromhex(token["byte"]))
        elif token["text"]:
            text = token["text"]
            self._add(token, text if text.isascii() else text.encode("latin-1"))

    def _unicode(self, token: re.Match[str], number: int) -> int:
        """Add a character by its code point; skip its fallback for readers without Unicode."""
        group = self._groups[-1]
        self._groups[-1] = replace(group, begins=False)
        position = token.end()
        left = group.fallback
        while left:
            after = _TOKEN.match(self._raw, position)
            if after is None or after["open"] or after["close"]:
                break
            if after["text"]:
                taken = min(left, len(after["text"]))
                position += taken
                left -= taken
                continue
            if after["line"]:
                position = after.end()
                continue
            position = after.end()
            left -= 1
        self._add(token, chr(number % 0x10000), position)
        return position

    def _add(self, token: re.Match[str], letter: str | bytes, end: int | None = None) -> None:
        group = self._groups[-1]
        if group.text is None:
            return
        if self._run is None:
            before = self._raw[max(0, token.start() - _LONGEST_WORD) : token.start()]
            needs_blank = re.search(r"\\[a-zA-Z]{1,32}(?:-?\d+)?\Z", before) is not None
            self._run = _RunBuilder(token.start(), group, needs_blank)
        self._run.end = token.end() if end is None else end
        self._run.letters.append(letter)

    def _end_run(self) -> None:
        run = self._run
        self._run = None
        if run is None or run.group.text is None:
            return
        text = run.text()
        write = _writer(run.group.fallback, run.needs_blank)
        run.group.text.add(self.canvas.run(run.start, run.end, text, write))


class _RunBuilder:
    """A run that is being read: letters, and bytes to decode together."""

    def __init__(self, start: int, group: _Group, needs_blank: bool) -> None:
        self.start, self.end = start, start
        self.group = group
        self.needs_blank = needs_blank
        self.letters: list[str | bytes] = []

    def text(self) -> str:
        pieces: list[str] = []
        pending = b""
        for letter in [*self.letters, ""]:
            if isinstance(letter, bytes):
                pending += letter
                continue
            # The second byte of a double-byte character may be an ASCII letter.
            if pending and letter.isascii() and _is_half(pending, self.group.encoding):
                pending += letter.encode("ascii")
                continue
            if pending:
                pieces.append(_decoded(pending, self.group.encoding))
                pending = b""
            pieces.append(letter)
        joined = "".join(pieces)
        # Surrogate pairs can be written as two numbers.
        try:
            return joined.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise RtfError("RTF with a lone surrogate, which is not a character") from None


def _is_half(data: bytes, encoding: str) -> bool:
    """Whether bytes end in the middle of a character."""
    if encoding not in ("cp932", "cp936", "cp949", "cp950", "cp1361"):
        return False
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.end == len(data) and error.start == len(data) - 1
    return False


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        raise RtfError(f"RTF with bytes that are not valid in {encoding}") from None


def _writer(fallback: int, needs_blank: bool) -> Callable[[str], str]:
    """Return the writer of a text, with `fallback` replacement characters after each escape."""

    def write(new: str) -> str:
        pieces = []
        for letter in new:
            if letter in "\\{}":
                pieces.append(f"\\{letter}")
            elif letter == "\n":
                pieces.append("\\line ")
            elif letter == "\t":
                pieces.append("\\tab ")
            elif letter == "\u00a0":
                pieces.append("\\~")
            elif " " <= letter <= "~":
                pieces.append(letter)
            else:
                for unit in memoryview(letter.encode("utf-16-le")).cast("H"):
                    signed = unit - 0x10000 if unit > 0x7FFF else unit
                    pieces.append(f"\\u{signed}{'?' * fallback or ' '}")
        text = "".join(pieces)
        return f" {text}" if needs_blank and text and text[0] != "\\" else text

    return write
