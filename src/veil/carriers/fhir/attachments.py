"""Attachments: texts in base64, which are masked, and all else, which is withheld."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from typing import TYPE_CHECKING

from veil.carriers.fhir.places import AttachmentPlace
from veil.carriers.markup import Markup

if TYPE_CHECKING:
    from veil.carriers.fhir.places import Slot
    from veil.carriers.json_raw import Value

_PLAIN = frozenset(
    "text/plain text/markdown text/x-markdown text/csv text/tab-separated-values".split()
)
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:\-]+)", re.IGNORECASE)
# Encodings of texts; others of Python's would make of the bytes something without any name in it.
_ENCODING = re.compile(
    r"ascii|utf-(?:8|16|32)(?:-\w+)?|iso8859-\d+|cp(?:125\d|437|85\d|86\d|874|93[26]|949|950)"
    r"|(?:shift_jis|euc_|iso2022_|gb|big5|koi8-|mac-)\w*|tis-620|hz|johab"
)
_TYPE = re.compile(r"[\w.+\-]+/[\w.+\-]+")


class UnmaskableError(Exception):
    """Why the data of an attachment cannot be masked; the message holds none of it."""


def is_attachment(value: Value) -> bool:
    """Whether a value is an Attachment, or the resource Binary."""
    members = value.members
    return "contentType" in members or ("data" in members and "origin" not in members)


def attachment_place(value: Value, slot: Slot) -> AttachmentPlace:
    """The text of an attachment whose data stand in a slot."""
    kind, charset = _content_type(value.string("contentType"))
    if kind not in _PLAIN | _MARKUP:
        raise UnmaskableError(f"an attachment of type {kind}, which cannot be masked")
    try:
        data = base64.b64decode("".join(value.string("data").split()), validate=True)
        text = data.decode(charset)
    except binascii.Error:
        raise UnmaskableError("an attachment whose data are no base64") from None
    except UnicodeError:
        text = "\0"
    is_wide = charset.startswith(("utf-16", "utf-32"))
    is_other = is_wide and data.isascii() and b"\0" not in data
    # UTF-16 that is told to be something else, or the other way round: no name would be found.
    if "\0" in text or is_other:
        raise UnmaskableError(f"an attachment that is no text in {charset}")
    markup = Markup(text) if kind in _MARKUP else None
    return AttachmentPlace(
        text if markup is None else markup.text,
        slot,
        charset,
        markup,
        size=value.get("size"),
        hash=value.get("hash"),
    )


def _content_type(written: str) -> tuple[str, str]:
    """The type and the encoding that an attachment says it has."""
    kind = _TYPE.match(written.strip())
    charset = _CHARSET.search(written)
    try:
        encoding = codecs.lookup(charset[1]).name if charset else "utf-8"
    except LookupError:
        encoding = ""
    if not _ENCODING.fullmatch(encoding):
        raise UnmaskableError("an attachment in an unknown encoding")
    return (kind[0].lower() if kind else "unknown"), encoding
