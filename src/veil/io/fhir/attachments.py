"""The data of attachments: their encoding, and the texts in them."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from typing import TYPE_CHECKING, NamedTuple

from veil.io.fhir.rendering import AttachmentElement
from veil.io.markup import Markup

if TYPE_CHECKING:
    from veil.io.fhir.rendering import ElementSlot
    from veil.io.json_raw import Value


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
# NUL, what switches between character sets, and a byte order mark in the wrong order.
_NO_TEXT = re.compile(r"[\0\x0e\x0f\x1b\ufffe\uffff]")
# Controls that are letters in other encodings of single bytes.
_CONTROLS = re.compile(r"[\x80-\x84\x86-\x9f]")
_CP1252 = {ord(bytes([byte]).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
_CP1252.pop(0xFFFD)
# UTF-8 of é, ö, 山, ー, 「, Ａ as single bytes; others are too often letters with quotation marks.
_UTF8_INSIDE = re.compile(rb"\xc3[\x80-\xbf]|[\xe3-\xe9][\x80-\xbf]{2}|\xef[\xbc-\xbe][\x80-\xbf]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# In Western texts: signs and letters that other encodings have in the place of å, é or ñ; a sign
# inside a word; a capital after a small letter.
_ODD_WESTERN = re.compile(
    r"[\u0192\u02c6\u2030\u2020\u2021\u2039\u203a\u02dc\u201e\u0160\u0161\u0152\u0153\u017d\u017e"
    r"\u0178\u00a4\u00a5\u00a6\u00ac\u00af\u00b6\u00b8\u00b9\u00d0\u00dd\u00de\u00f0\u00fd\u00fe]"
    r"|(?<=[A-Za-z])[^\w\s\x00-\x7f\u00ad\u00b4\u2010-\u2019]+(?=[a-z])"
    r"|(?<=[a-z])[\u00c0-\u00de]"
)
_LONG_RUN = 3
# In Japanese texts: kana of half width, and single letters that count nothing, as 日 does in 5日.
_HALF_KANA = re.compile(r"[\uff61-\uff9f]")
_ODD_JAPANESE = re.compile(r"(?<![\d\u0080-\uffff])[^\x00-\x7f](?![^\x00-\x7f])")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fc]")
_HZ = re.compile(r"~\{[!-~]{2,}~\}")
_READABLE = re.compile(r"[\t\n\r -~\u00a0-\u017f\u3000-\u30ff\uff01-\uff5e]")


class CharsetError(ValueError):
    """Why bytes are no text in their encoding; the message holds none of them."""


class Decoded(NamedTuple):
    """A text, how to encode another one in its place, and the mark that comes before it."""

    text: str
    encoding: str
    mark: bytes


def encoding_of(label: str) -> str:
    """Python's name of an encoding that Veil can search."""
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        name = ""
    if not any(known.fullmatch(name) for known in (_UNICODE, _WESTERN, _JAPANESE)):
        raise CharsetError("in an unknown encoding")
    return name


def decode(data: bytes, encoding: str) -> Decoded:
    """Read bytes in an encoding, or raise an error if it may be another one."""
    doubtful = CharsetError(f"that is no text in {encoding}, or may be one in another encoding")
    mark, marked = next(((m, name) for m, name in _MARKS if data.startswith(m)), (b"", ""))
    if mark and not marked.startswith(encoding):
        raise doubtful
    is_wide = encoding.startswith(("utf-16", "utf-32"))
    if is_wide and not mark and not encoding.endswith("e") and data:
        raise doubtful  # nothing tells the order of the bytes
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
    """Whether bytes are UTF-16 or UTF-32 in that order, and no text of single bytes."""
    if not text:
        return True
    if b"\0" not in data and 4 * len(_KANA.findall(text)) < len(text):
        return False
    other = f"{encoding[:-2]}{'be' if encoding.endswith('le') else 'le'}"
    swapped = data.decode(other, "replace")
    return len(_READABLE.findall(swapped)) < len(_READABLE.findall(text))


def _fits(data: bytes, text: str, encoding: str) -> bool:
    """Whether a text in an encoding of bytes looks like one of the languages."""
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
    """Whether most letters beyond ASCII are UTF-8 that was read as single bytes."""
    narrow = "".join(chr(_CP1252.get(ord(character), ord(character))) for character in text)
    beyond = [run for run in _BEYOND_ASCII.findall(narrow) if ord(max(run)) < 0x100]
    found = sum(
        len(piece) for run in beyond for piece in _UTF8_INSIDE.findall(run.encode("latin-1"))
    )
    return bool(found) and sum(map(len, beyond)) <= 2 * found


_PLAIN = frozenset(
    "text/plain text/markdown text/x-markdown text/csv text/tab-separated-values".split()
)
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
# Types that may be named in a message; any other may be a piece of a record.
_NAMED = frozenset(
    "application/pdf application/rtf application/xml application/json application/dicom"
    " application/gzip application/zip application/octet-stream application/msword"
    " application/hl7-v3+xml text/rtf text/xml image/png image/jpeg image/gif image/tiff".split()
)
_TYPE = re.compile(
    r"(?P<kind>[\w.+\-]+/[\w.+\-]+)\s*"
    r"(?:;\s*(?:charset\s*=\s*(?P<quote>\"?)(?P<charset>[\w.:\-]+)(?P=quote)|[a-z\-]+\s*=\s*[\w.\-]+)\s*)*",
    re.IGNORECASE | re.ASCII,
)
_SIZE = re.compile(r"\d{1,12}", re.ASCII)
_HASH = re.compile(r"[A-Za-z0-9+/]{1,88}={0,2}")
_OTHER_FORMATS = ("{\\rtf", "%PDF-", "PK\x03\x04")


class UnmaskableError(Exception):
    """Why the data of an attachment cannot be masked; the message holds none of it."""


def is_attachment(value: Value) -> bool:
    """Whether a value is an Attachment, or the resource Binary."""
    members = value.members
    return "contentType" in members or ("data" in members and "origin" not in members)


def is_content_type(text: str) -> bool:
    return _content_type(text) is not None


def _content_type(text: str) -> re.Match[str] | None:
    """The parts of a type of content; of two encodings nobody knows which one counts."""
    match = _TYPE.fullmatch(text.strip())
    return match if text.lower().count("charset") <= 1 else None


def attachment_element(value: Value, slot: ElementSlot) -> AttachmentElement:
    """The text of an attachment whose data stand in a slot."""
    content_type = _content_type(value.string("contentType"))
    kind = content_type["kind"].lower() if content_type else "unknown"
    data = value.get(slot.key)
    if not content_type or kind not in _PLAIN | _MARKUP:
        named = kind if kind in _NAMED else "another type" if content_type else "unknown type"
        raise UnmaskableError(
            f"an attachment of {'type ' if named is kind else ''}{named}, which cannot be masked"
        )
    if slot.key != "data" or data is None or not data.is_string:
        raise UnmaskableError("an attachment whose data are no base64")
    try:
        raw = base64.b64decode("".join(data.text.split()), validate=True)
        text, encoding, mark = decode(raw, encoding_of(content_type["charset"] or "utf-8"))
    except binascii.Error:
        raise UnmaskableError("an attachment whose data are no base64") from None
    except CharsetError as error:
        raise UnmaskableError(f"an attachment {error}") from None
    if text.lstrip().startswith(_OTHER_FORMATS):
        raise UnmaskableError("an attachment that is of another type than it says")
    markup = Markup(text) if kind in _MARKUP else None
    return AttachmentElement(
        text if markup is None else markup.text,
        slot,
        encoding,
        mark,
        markup,
        size=well_formed(value, "size"),
        hash=well_formed(value, "hash"),
        altered=markup is not None and markup.altered,
    )


def well_formed(value: Value, name: str) -> Value | None:
    """The size or hash of an attachment with data; one of another form may be anything.

    A hash of data that are elsewhere would tell whether somebody has the very file.
    """
    inner = value.get(name)
    form = _SIZE if name == "size" else _HASH if "data" in value.members else None
    content = inner.content if inner and isinstance(inner.content, str) else ""
    return inner if form and form.fullmatch(content) else None
