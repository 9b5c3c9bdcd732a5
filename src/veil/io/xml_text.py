"""Text in XML 1.0: what it can hold, and how it is escaped without losing a character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.core.errors import RecordError

if TYPE_CHECKING:
    from veil.core.document import Record

# https://www.w3.org/TR/xml/#charsets: what is left out there.
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,9})|#x([0-9a-fA-F]{1,8}));")
_BARE_AMPERSAND = re.compile(
    r"&(?!(?:lt|gt|amp|quot|apos|#[0-9]{1,9}|#x[0-9a-fA-F]{1,8});)"  # AT&T, but not AT&amp;T
)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})

# Matches ` ID="7" TYPE='DATE'`, not ` ID=7`. Possessive, so that a hostile tag costs linear time.
ATTRIBUTES = r"""(?:\s++[\w:.-]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+\s*+"""
_ATTRIBUTE = re.compile(r"""([\w:.-]++)\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")


def check_xml(record: Record) -> None:
    """Raise an error if the text or a label has a character that XML 1.0 cannot hold."""
    if illegal := _ILLEGAL.search(record.document.text):
        raise RecordError(
            f"U+{ord(illegal[0]):04X} at character {illegal.start()} cannot be written in XML; "
            "use another format, such as jsonl",
            record=record.id,
        )
    for span in record.annotations:
        if not span.label or _ILLEGAL.search(span.label):
            raise RecordError(
                f"the label at {span.start}-{span.end} cannot be written in XML", record=record.id
            )


def check_xml_id(record: Record) -> None:
    """Raise an error if the id cannot be held by an attribute."""
    if _ILLEGAL.search(record.id):
        raise RecordError("this id cannot be written in XML; use another format", record=record.id)


def escape_text(text: str) -> str:
    """Escape for an element; CR as a reference, which parsers would turn into LF otherwise."""
    return text.translate(_IN_TEXT)


def escape_attribute(value: str) -> str:
    """Escape for a double-quoted attribute; line breaks and tabs as references, to survive."""
    return value.translate(_IN_ATTRIBUTE)


def is_escaped(text: str) -> bool:
    """Whether every ampersand begins a predefined or numeric reference."""
    return _BARE_AMPERSAND.search(text) is None


def unescape(text: str) -> str:
    """Resolve predefined and numeric references; a ValueError for one to no character of XML."""
    if "&" not in text:
        return text
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    if number > 0x10FFFF or _ILLEGAL.match(chr(number)):
        raise ValueError("a reference to no character")
    return chr(number)


def parse_attributes(text: str) -> dict[str, str]:
    """Read the attributes of a tag; values with a bare ampersand are taken as they stand."""
    attributes = {}
    for name, double, single in _ATTRIBUTE.findall(text):
        value = double or single
        attributes[name] = unescape(value) if is_escaped(value) else value
    return attributes
