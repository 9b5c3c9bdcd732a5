"""New names in the writing of the old ones: case, accents, endings, script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.replace.people.kana import half_width, katakana
from veil.replace.people.tables import has_lost_accents, plain

if TYPE_CHECKING:
    from veil.replace.people.pieces import Piece
    from veil.replace.people.standins import StandIn

_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_HISSING = ("s", "x", "z")
_FEMININE = (
    (re.compile(r"(?<=[oe])v$"), "va"),
    (re.compile(r"(?<=i)n$"), "na"),
    (re.compile(r"(?<=[sc]k)[iyý]$"), "a"),
)
_SCOTTISH = re.compile(r"(?:Mc|Mac|O['’])(?=[A-Z])")


def write_name(piece: Piece, stand_in: StandIn, language: str) -> str:
    """A stand-in as the name that it replaces was written."""
    if piece.script == "kanji":
        return stand_in.written
    if piece.script == "hiragana":
        return stand_in.reading
    if piece.script == "katakana":
        return katakana(stand_in.reading)
    if piece.script == "half":
        return half_width(stand_in.reading)
    name = stand_in.latin
    if piece.feminine:
        name = feminine(name)
    if has_lost_accents(piece.text, piece.key):
        name = plain(name)
    if "’" in piece.text:
        name = name.replace("'", "’")
    name = in_case_of(piece.text, name) + _ending(piece.suffix, name, language)
    return widen(name) if piece.script == "wide" else name


def in_case_of(old: str, new: str) -> str:
    """Capitals for capitals, small letters for small ones: anna is eva, ANNA is EVA."""
    if old.islower():
        return new.lower()
    if old.isupper() and 1 < len(old):
        return new.upper()
    if _SCOTTISH.match(new) and old[1:].islower():
        return new.capitalize()
    return new


def feminine(name: str) -> str:
    """The form of a Slavic surname that women bear: Petrov is Petrova, Kowalski Kowalska."""
    for pattern, ending in _FEMININE:
        name = pattern.sub(ending, name)
    return name


def widen(text: str) -> str:
    """Latin letters in full width."""
    return text.translate(_WIDE)


def is_wide(text: str) -> bool:
    return not text.isascii() and any(0xFF00 < ord(letter) < 0xFF5F for letter in text)


def _ending(suffix: str, name: str, language: str) -> str:
    """The genitive of the new name: Annas is Evas, Lars' is Evas, James' is Eve's."""
    if not suffix:
        return ""
    is_hissing = name.lower().endswith(_HISSING)
    if suffix in "sS":
        return "" if is_hissing else suffix
    if len(suffix) == 1 and not is_hissing:  # an apostrophe behind a name in s
        return "s" if language == "sv" else f"{suffix}s"
    return suffix
