"""Encodings of files: Veil works in UTF-8, and this module converts files to and from it.

with opened(file, "cp1252") as data:  # bytes of UTF-8, whatever the file holds
    ...
exact_encoding(file, AUTO)  # "cp932"
"""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from functools import lru_cache
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from veil.core.errors import InputError, RecordError

if TYPE_CHECKING:
    from pathlib import Path

UTF8 = "utf-8"
AUTO = "auto"
"""Given instead of an encoding: detect it for each file."""

_CHUNK = 1 << 18
_SAMPLE = 1 << 16
_SHORTEST_SAMPLE = 4
# Names that users know, and Python's: files called Shift-JIS contain the characters that Windows
# added to it.
_OTHER_NAMES = {"utf-8-sig": UTF8, "shift_jis": "cp932"}
_PUBLIC_NAMES = dict(
    pair.split("=")
    for pair in (
        "utf-8=UTF-8 cp1252=windows-1252 cp932=Shift_JIS euc_jp=EUC-JP iso2022_jp=ISO-2022-JP"
        " mac-roman=macintosh cp850=IBM850 cp437=IBM437"
    ).split()
)
_KNOWN = (
    *(UTF8, "utf-16", "utf-32", "cp1252", "latin-1", "iso-8859-15", "cp850", "cp437", "mac-roman"),
    *("shift_jis", "cp932", "euc-jp", "iso-2022-jp"),
)
_ALSO_READ = re.compile(r"cp(?:437|850|858|865)|mac-roman")
# Tried in this order if a file is not in a Unicode encoding. Western letters have different byte
# values in each of them; latin-1 differs from cp1252 only in characters that no text contains.
_DETECTED = ("cp932", "euc_jp", "cp1252", "cp850", "mac-roman")
# Western letters and signs in their usual context: letters beside letters, capitals not after small
# letters, the apostrophe of "patient’s".
_USUAL_WESTERN = re.compile(
    r"(?<=[A-Za-z])[áéíóúüñåäö]|[áéíóúüñåäö](?=[a-z])|(?<![a-zåäöáéíóúñ])[ÁÉÍÓÚÑÅÄÖ¿¡](?=\w)"
    r"|(?<=\d)[ºª°]|µ(?=[a-zA-Z])|(?<=[a-z])’(?=(?:s|t|re|ll|d|m|ve)\b)|(?<= )[–—](?= )"
)
_DECLARED = re.compile(
    rb"<\?xml[^>]{1,80}?encoding\s*=\s*[\"']([\w.:-]{1,40})|<meta\s[^>]{0,80}?charset\s*=\s*[\"']?([\w.:-]{1,40})",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 2048
_READABLE_OR_KANJI = re.compile(
    r"[\t\n\r -~\u00a0-\u017f\u2010-\u203b\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]"
)
_ESCAPED_JAPANESE = re.compile(rb"\x1b\$[@B]|\x1b\([JI]")


def encoding_name(name: str) -> str:
    """Return Python's name of an encoding, or AUTO; an unsupported encoding is an error."""
    if name.lower() == AUTO:
        return AUTO
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        found = ""
    found = _OTHER_NAMES.get(found, found)
    readable = (_UNICODE, _WESTERN, _JAPANESE, _ALSO_READ)
    if not any(names.fullmatch(found) for names in readable):
        raise InputError(f"'{name}' is not a known encoding; known: {', '.join(_KNOWN)}")
    return found


def written_name(name: str | None) -> str | None:
    """Return Python's name of an output encoding, or None if none is given."""
    found = None if name is None else encoding_name(name)
    if found == AUTO:
        raise InputError(f"{AUTO} is not an encoding to write; known: {', '.join(_KNOWN)}")
    return found


def public_name(encoding: str) -> str:
    """Return the name of an encoding that XML, HTML and MIME use."""
    if encoding.startswith(("utf-16", "utf-32")):
        return encoding[:6].upper()
    name = _PUBLIC_NAMES.get(encoding, encoding)
    return re.sub("^iso8859-", "ISO-8859-", name) if name == encoding else name


def opened(file: Path, encoding: str = UTF8, *, start: int = 0) -> IO[bytes]:
    """Open a file as UTF-8; bytes that are invalid in its encoding become invalid UTF-8.

    `start` is the offset, in UTF-8 bytes, of the first byte to read. In another encoding the text
    before it must be decoded first.
    """
    source: IO[bytes] = file.open("rb")
    try:
        exact = exact_encoding(file, encoding)
        if exact != UTF8:
            source = as_utf8(source, exact)
            while start and (skipped := source.read(min(start, _CHUNK))):
                start -= len(skipped)
        elif start:
            source.seek(start)
    except BaseException:
        source.close()
        raise
    return source


def as_utf8(source: IO[bytes], encoding: str) -> IO[bytes]:
    """Return a stream of UTF-8 that reads from a stream in an exact encoding, and closes it."""
    return cast("IO[bytes]", io.BufferedReader(_Utf8Stream(source, encoding), _CHUNK))


_NO_UTF8 = "\udcff"  # written as the byte FF, which never occurs in UTF-8


def _mark_as_broken(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _NO_UTF8, error.end


codecs.register_error("veil-broken", _mark_as_broken)


class _Utf8Stream(io.RawIOBase):
    """Reads bytes in another encoding as UTF-8, byte order mark included."""

    def __init__(self, source: IO[bytes], encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)("veil-broken")
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._left:
            data = self._source.read(_CHUNK)
            text = self._decoder.decode(data, final=not data)
            self._left = memoryview(text.encode(UTF8, "surrogateescape"))
            if not data:
                break
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size

    def close(self) -> None:
        self._source.close()
        super().close()


def exact_encoding(file: Path, wanted: str) -> str:
    """Return the encoding of a file, including the byte order of UTF-16 and UTF-32.

    A file that is invalid in the wanted encoding, or whose encoding cannot be recognised, is an
    error: names in it would be missed.
    """
    if wanted == UTF8:
        return UTF8
    status = file.stat()
    return _exact_encoding(file, wanted, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _exact_encoding(file: Path, wanted: str, size: int, changed: int) -> str:
    del size, changed  # they show whether the file is still the same
    with file.open("rb") as source:
        start = source.read(_SAMPLE)
    marked = _marked(start)
    if marked:
        if wanted != AUTO and not marked.startswith(wanted):
            raise RecordError(
                f"begins with a byte order mark of {marked}, and is not valid {wanted}; give "
                f"--encoding {AUTO}",
                path=file,
            )
        return marked
    if wanted in (AUTO, "utf-16", "utf-32"):
        wide = _wide(start, wanted)
        if wide:
            return wide
        if wanted != AUTO:
            raise RecordError(f"no text in {wanted}; give --encoding {AUTO}", path=file)
    if _UNICODE.fullmatch(wanted):
        return wanted
    sample, is_utf8 = _sample(file)
    if wanted == AUTO and not is_utf8 and (named := _declared(start)):
        wanted = named
    if wanted == AUTO:
        found = UTF8 if is_utf8 else _detected(sample)
        if found is None:
            raise RecordError("its encoding is not recognised; give --encoding NAME", path=file)
        return found
    text = _read(sample, wanted)
    if not _fits(sample, text, wanted):
        proposed = UTF8 if is_utf8 else _detected(sample)
        # Lists of single words look like no language.
        if proposed or _CONTROLS.search(text):
            raise RecordError(
                f"does not look like text in {wanted}"
                + (f", but like {proposed}; give --encoding {proposed}" if proposed else ""),
                path=file,
            )
    return wanted


def read_data(path: Path, encoding: str = UTF8) -> bytes:
    """Return the content of a file as UTF-8."""
    with opened(path, encoding) as file:
        return file.read()


def decode(
    data: bytes, path: Path, *, line: int | None = None, byte: int = 0, encoding: str = UTF8
) -> str:
    """Decode a part of a file that begins at this line and byte; every character is kept.

    All text of files is decoded here or by `veil.io.json_raw`, and at this point it is already
    UTF-8; `encoding` is the encoding of the file itself.
    """
    try:
        return data.decode(UTF8)
    except UnicodeDecodeError as error:
        if line is not None:
            line += data.count(b"\n", 0, error.start)
        raise not_in_encoding(path, encoding, line=line, byte=byte + error.start) from None


def not_in_encoding(
    path: Path, encoding: str, *, byte: int, line: int | None = None
) -> RecordError:
    """Return the error for bytes that are invalid in the encoding of their file."""
    if encoding == UTF8:
        reason = f"not UTF-8 here; give --encoding NAME, or --encoding {AUTO} to detect it"
        return RecordError(reason, path=path, line=line, byte=byte)
    # The count is of UTF-8 bytes, which the user does not see.
    named = exact_encoding(path, encoding)
    return RecordError(f"bytes that are no text in {named}", path=path, line=line)


def guess_wide(start: bytes) -> str:
    """Return the encoding of bytes that are clearly UTF-16 or UTF-32, else UTF-8."""
    marked = _marked(start)
    return marked if marked not in ("", UTF8) else _wide(start, AUTO) or UTF8


def _declared(start: bytes) -> str | None:
    """The encoding that XML or HTML declares."""
    found = _DECLARED.search(start[:_DECLARED_WITHIN])
    try:
        return encoding_name((found[1] or found[2]).decode("ascii")) if found else None
    except InputError:
        return None


def _marked(start: bytes) -> str:
    return next((name for mark, name in _MARKS if start.startswith(mark)), "")


def _wide(start: bytes, wanted: str) -> str | None:
    """The encoding of UTF-16 or UTF-32 text without a byte order mark, or None."""
    widths = ("utf-32", "utf-16") if wanted == AUTO else (wanted,)
    if b"\0" not in start:
        return None
    for width in widths:
        step = 4 if width == "utf-32" else 2
        whole = start[: len(start) // step * step]
        if len(whole) < len(start) < _SAMPLE:
            continue
        for order in ("-le", "-be"):
            try:
                text = codecs.getincrementaldecoder(width + order)().decode(whole)
            except UnicodeDecodeError:
                continue
            readable = len(_READABLE_OR_KANJI.findall(text))
            is_text = _SHORTEST_SAMPLE <= len(text) <= 2 * readable
            if is_text and not _NO_TEXT.search(text) and _is_wide(whole, text, width + order):
                return width + order
    return None


def _sample(file: Path) -> tuple[bytes, bool]:
    """Return lines with bytes beyond ASCII, or escapes of ISO-2022, and whether all is UTF-8."""
    sample = bytearray()
    decoder = codecs.getincrementaldecoder(UTF8)()
    is_utf8 = True
    with file.open("rb") as source:
        rest = b""
        while chunk := source.read(_CHUNK):
            if is_utf8:
                try:
                    decoder.decode(chunk)
                except UnicodeDecodeError:
                    is_utf8 = False
            if len(sample) < _SAMPLE:
                *lines, rest = (rest + chunk).splitlines(keepends=True)
                for line in lines:
                    if not line.isascii() or b"\x1b" in line:
                        sample += line
            elif not is_utf8:
                break
    if len(sample) < _SAMPLE and (not rest.isascii() or b"\x1b" in rest):
        sample += rest
    if is_utf8:
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            is_utf8 = False
    found = bytes(sample[:_SAMPLE])
    return found, is_utf8 and not _ESCAPED_JAPANESE.search(found)


def _read(sample: bytes, encoding: str) -> str:
    """Read a sample, whose last character may be cut off."""
    return codecs.getincrementaldecoder(encoding)("replace").decode(sample)


def _detected(sample: bytes) -> str | None:
    """Return the encoding of a sample that is not Unicode, or None if none is likely."""
    if _ESCAPED_JAPANESE.search(sample):
        return "iso2022_jp" if "\ufffd" not in _read(sample, "iso2022_jp") else None
    fitting = [
        name
        for name in _DETECTED
        for text in [_read(sample, name)]
        if "\ufffd" not in text and _fits(sample, text, name)
    ]
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    # Counted first: a library that supports all languages finds `pa–al` as likely as `pañal`.
    usual = {name: len(_USUAL_WESTERN.findall(_read(sample, name))) for name in fitting}
    if not any(map(_JAPANESE.fullmatch, fitting)):
        return max(fitting, key=lambda name: (usual[name], name == "cp1252"))
    from charset_normalizer import from_bytes  # rarely needed

    codes = [codecs.lookup(name).name.replace("-", "_") for name in fitting]
    best = from_bytes(sample, cp_isolation=codes, preemptive_behaviour=False).best()
    return encoding_name(best.encoding) if best else None


# Replacements for letters that an encoding lacks and that are not a letter with an accent.
_PLAIN_LETTERS = str.maketrans(
    dict(
        pair.split("=")
        for pair in (
            "ł=l Ł=L ø=o Ø=O đ=d Đ=D ħ=h Ħ=H ð=d Ð=D þ=th Þ=Th æ=ae Æ=Ae œ=oe Œ=Oe ß=ss ı=i"
            " –=- —=- −=- －=- ’=' ‘=' “=\" ”=\" …=... █=# ・=. 〜=～ ～=〜"
        ).split()
    )
)


def fitted(text: str, encoding: str) -> str | None:
    """Return a text in letters that an encoding has: `Żak` becomes `Zak`. None if it cannot."""
    if can_hold(text, encoding):
        return text
    pieces = []
    for character in text:
        plain = "".join(
            sign
            for sign in unicodedata.normalize("NFKD", character)
            if not unicodedata.combining(sign)
        )
        choices = (character, character.translate(_PLAIN_LETTERS), plain)
        piece = next((each for each in choices if each and can_hold(each, encoding)), None)
        if piece is None:
            return None
        pieces.append(piece)
    return "".join(pieces)


def can_hold(text: str, encoding: str) -> bool:
    """Whether an encoding has all characters of a text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


# Encodings of texts in the languages of Veil, except those whose declaration cannot be verified,
# such as cp437 and mac-roman.
_WESTERN = re.compile(r"iso8859-(?:1|15)|cp1252")
_JAPANESE = re.compile(r"(?:shift_jis|euc_j|iso2022_jp)\w*|cp932")
_UNICODE = re.compile(r"ascii|utf-(?:8|16|32)(?:-[bl]e)?")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# NUL, escapes that switch character sets, and a byte order mark in the wrong order.
_NO_TEXT = re.compile(r"[\0\x0e\x0f\x1b\ufffe\uffff]")
# Control characters that are letters in other single-byte encodings.
_CONTROLS = re.compile(r"[\x80-\x84\x86-\x9f]")
_CP1252 = {ord(bytes([byte]).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
_CP1252.pop(0xFFFD)
# UTF-8 of é, ö, 山, ー, 「, Ａ as single bytes; other sequences are too often letters with
# quotation marks.
_UTF8_INSIDE = re.compile(rb"\xc3[\x80-\xbf]|[\xe3-\xe9][\x80-\xbf]{2}|\xef[\xbc-\xbe][\x80-\xbf]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# In Western texts: signs and letters whose bytes are å, é or ñ in other encodings; a sign inside a
# word; a capital after a small letter.
_ODD_WESTERN = re.compile(
    r"[\u0192\u02c6\u2030\u2020\u2021\u2039\u203a\u02dc\u201e\u0160\u0161\u0152\u0153\u017d\u017e"
    r"\u0178\u00a4\u00a5\u00a6\u00ac\u00af\u00b6\u00b8\u00b9\u00d0\u00dd\u00de\u00f0\u00fd\u00fe]"
    r"|(?<=[A-Za-z])[^\w\s\x00-\x7f\u00ad\u00b4\u2010-\u2019]+(?=[a-z])"
    r"|(?<=[a-z])[\u00c0-\u00de]"
)
_LONG_RUN = 3
# In Japanese texts: half-width kana, and single characters that are not counters (日 is one in
# 5日).
_HALF_KANA = re.compile(r"[\uff61-\uff9f]")
_ODD_JAPANESE = re.compile(r"(?<![\d\u0080-\uffff])[^\x00-\x7f](?![^\x00-\x7f])")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fc]")
_HZ = re.compile(r"~\{[!-~]{2,}~\}")
_READABLE = re.compile(r"[\t\n\r -~\u00a0-\u017f\u3000-\u30ff\uff01-\uff5e]")


class CharsetError(ValueError):
    """Why bytes cannot be read in their encoding; the message holds none of them."""


class Decoded(NamedTuple):
    """A text, its exact encoding, and its byte order mark, both needed to write a new text."""

    text: str
    encoding: str
    mark: bytes


def declared_encoding(label: str) -> str:
    """Return Python's name of an encoding in which Veil can search."""
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        name = ""
    if not any(known.fullmatch(name) for known in (_UNICODE, _WESTERN, _JAPANESE)):
        raise CharsetError("in an unknown encoding")
    return name


def decode_checked(data: bytes, encoding: str) -> Decoded:
    """Decode bytes, or raise an error if they may be in another encoding."""
    doubtful = CharsetError(f"that is not valid {encoding}, or may be in another encoding")
    mark, marked = next(((m, name) for m, name in _MARKS if data.startswith(m)), (b"", ""))
    if mark and not marked.startswith(encoding):
        raise doubtful
    is_wide = encoding.startswith(("utf-16", "utf-32"))
    if is_wide and not mark and not encoding.endswith("e") and data:
        raise doubtful  # the byte order is unknown
    exact = marked or encoding
    try:
        text = data[len(mark) :].decode(exact)
    except UnicodeError:
        raise doubtful from None
    if _NO_TEXT.search(text) or _HZ.search(text):
        raise doubtful
    if not (_is_wide(data, text, exact) if is_wide and not mark else _fits(data, text, exact)):
        raise doubtful
    return Decoded(text, exact, mark)


def _is_wide(data: bytes, text: str, encoding: str) -> bool:
    """Whether bytes are UTF-16 or UTF-32 in that byte order, and not a single-byte encoding."""
    if not text:
        return True
    if b"\0" not in data and 4 * len(_KANA.findall(text)) < len(text):
        return False
    other = f"{encoding[:-2]}{'be' if encoding.endswith('le') else 'le'}"
    swapped = data.decode(other, "replace")
    return len(_READABLE.findall(swapped)) < len(_READABLE.findall(text))


def _fits(data: bytes, text: str, encoding: str) -> bool:
    """Whether bytes decoded in an encoding look like text in one of the languages."""
    if text.isascii():
        return True
    if _holds_utf8(text):
        return False
    if encoding.startswith("utf-"):
        return True
    if _CONTROLS.search(text) or (_is_utf8(data) and not encoding.startswith("iso2022")):
        return False
    runs = _BEYOND_ASCII.findall(text)
    letters = sum(map(len, runs))
    if _JAPANESE.fullmatch(encoding):
        half_kana, odd = (len(odds.findall(text)) for odds in (_HALF_KANA, _ODD_JAPANESE))
        return 2 * half_kana < letters and 2 * odd < len(runs)
    long_runs = sum(len(run) for run in runs if _LONG_RUN <= len(run) and len(set(run)) > 1)
    return 2 * long_runs < letters and 4 * len(_ODD_WESTERN.findall(text)) < letters


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _holds_utf8(text: str) -> bool:
    """Whether most letters beyond ASCII are UTF-8 that was decoded as single bytes."""
    narrow = "".join(chr(_CP1252.get(ord(character), ord(character))) for character in text)
    beyond = [run for run in _BEYOND_ASCII.findall(narrow) if ord(max(run)) < 0x100]
    found = sum(
        len(piece) for run in beyond for piece in _UTF8_INSIDE.findall(run.encode("latin-1"))
    )
    return bool(found) and sum(map(len, beyond)) <= 2 * found
