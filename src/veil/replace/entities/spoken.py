"""Stand-ins for English numbers in words, as they are dictated: "five five five oh one"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.replace.entities.words import key_of
from veil.replace.entities.writing import like

if TYPE_CHECKING:
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# Each word with those that may take its place; no stand-in for a room is "zero".
_ROWS = {
    "oh": _DIGITS[1:],
    **{word: row[row is _DIGITS :] for row in (_DIGITS, _TEENS, _TENS) for word in row},
}
_WORD = re.compile(rf"\b(?:{'|'.join(_ROWS)})\b", re.IGNORECASE)
_WHOLE = re.compile(rf"{_WORD.pattern}(?:[ -]{_WORD.pattern})*", re.IGNORECASE)


def is_spoken(text: str) -> bool:
    """Whether a text is nothing but a number in words."""
    return _WHOLE.fullmatch(text) is not None


def has_spoken(text: str) -> bool:
    """Whether a number in words stands in a text."""
    return _WORD.search(text) is not None


def spoken_number(record: Record, text: str) -> str:
    """The text with other numbers in words; what else it says ("extension", "double") stays."""

    def make(draw: Draw) -> str:
        return _WORD.sub(lambda match: draw.choice(_ROWS[match[0].lower()]), key_of(text))

    return like(text, record.stand_in("spoken", key_of(text), (make, record.is_no_original)))
