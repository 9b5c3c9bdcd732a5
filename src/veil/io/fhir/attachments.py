"""The data of attachments: the texts in them, in their encodings."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from veil.core.encodings import CharsetError, declared_encoding, decode_checked
from veil.io.fhir.rendering import AttachmentElement
from veil.io.markup import Markup

if TYPE_CHECKING:
    from veil.io.fhir.rendering import ElementSlot
    from veil.io.json_raw import Value


_PLAIN = frozenset(
    "text/plain text/markdown text/x-markdown text/csv text/tab-separated-values".split()
)
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_RICH = frozenset({"text/rtf", "application/rtf", "text/richtext"})
# Types that messages may quote; any other type may be text of a record.
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
    """The reason why the data of an attachment cannot be masked; the message quotes none of it."""


def is_attachment(value: Value) -> bool:
    """Whether a value is an Attachment, or the resource Binary."""
    members = value.members
    return "contentType" in members or ("data" in members and "origin" not in members)


def is_content_type(text: str) -> bool:
    return _content_type(text) is not None


def _content_type(text: str) -> re.Match[str] | None:
    """The parts of a content type, or None if it is invalid or declares two encodings."""
    match = _TYPE.fullmatch(text.strip())
    return match if text.lower().count("charset") <= 1 else None


def attachment_element(value: Value, slot: ElementSlot) -> AttachmentElement:
    """The text of an attachment with its data in a slot."""
    content_type = _content_type(value.string("contentType"))
    kind = content_type["kind"].lower() if content_type else "unknown"
    data = value.get(slot.key)
    if not content_type or kind not in _PLAIN | _MARKUP | _RICH:
        named = kind if kind in _NAMED else "another type" if content_type else "unknown type"
        raise UnmaskableError(
            f"an attachment of {'type ' if named is kind else ''}{named}, which cannot be masked"
        )
    if slot.key != "data" or data is None or not data.is_string:
        raise UnmaskableError("an attachment whose data are not base64")
    try:
        raw = base64.b64decode("".join(data.text.split()), validate=True)
        if kind in _RICH:
            return _rich_element(raw, value, slot)
        charset = declared_encoding(content_type["charset"] or "utf-8")
        text, encoding, mark = decode_checked(raw, charset)
    except binascii.Error:
        raise UnmaskableError("an attachment whose data are not base64") from None
    except CharsetError as error:
        raise UnmaskableError(f"an attachment {error}") from None
    if text.lstrip().startswith(_OTHER_FORMATS):
        raise UnmaskableError("an attachment whose data do not match its content type")
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


def _rich_element(raw: bytes, value: Value, slot: ElementSlot) -> AttachmentElement:
    """The text of an attachment in RTF, which uses single bytes whatever its charset."""
    from veil.io.rtf.documents import RichText, RtfError

    try:
        rich = RichText(raw.decode("latin-1"))
    except RtfError as error:
        raise UnmaskableError(f"an attachment: {error}") from None
    return AttachmentElement(
        rich.text,
        slot,
        "latin-1",
        b"",
        rich,
        size=well_formed(value, "size"),
        hash=well_formed(value, "hash"),
        altered=rich.altered,
    )


def well_formed(value: Value, name: str) -> Value | None:
    """The size or hash of an attachment with data, or None if it is not well-formed.

    A hash of data that are stored elsewhere is not returned, since it would identify the file.
    """
    inner = value.get(name)
    form = _SIZE if name == "size" else _HASH if "data" in value.members else None
    content = inner.content if inner and isinstance(inner.content, str) else ""
    return inner if form and form.fullmatch(content) else None
