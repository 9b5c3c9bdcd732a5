"""How a text is spelled, and new characters in the same spelling."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.replace.secret import Draw

_FULL_WIDTH = str.maketrans(
    "".join(map(chr, range(0x21, 0x7F))), "".join(map(chr, range(0xFF01, 0xFF5F)))
)
_HALF_WIDTH = {wide: narrow for narrow, wide in _FULL_WIDTH.items()}
_WIDE = re.compile("[\uff01-\uff5e]")
# Letters in Unicode, but ordinal marks in "2º A" and "5ª planta".
_ORDINALS = "ºª"
_NO_CORE = bytes(code for code in range(128) if not chr(code).isalnum())
# Without the letters that look like digits.
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_PIECE = re.compile("[0-9]+|[^0-9]")
_APOSTROPHE_S = re.compile(r"['’]s?$")


def half_width(text: str) -> str:
    """Return the text with full-width characters in half width; offsets stay the same."""
    # Translating is slow, and few texts need it.
    if text.isascii() or not _WIDE.search(text):
        return text
    return text.translate(_HALF_WIDTH)


def is_core(character: str) -> bool:
    """Whether a character, in half width, is a digit or letter of a number or code."""
    if character.isascii():
        return character.isalnum()
    return (character.isupper() or character.islower()) and character not in _ORDINALS


def core_of(text: str) -> str:
    """Return the digits and letters of a number or code, in half width and upper case."""
    if text.isascii():
        if text.isalnum():
            return text.upper()
        return text.encode("ascii").translate(None, _NO_CORE).decode("ascii").upper()
    return "".join(map(_core_of_character, half_width(text)))


@cache
def _core_of_character(character: str) -> str:
    return character.upper()[0] if is_core(character) else ""


def fill_in(text: str, core: str, *, exchanged: Callable[[str], bool] = is_core) -> str:
    """Return the text with its digits and letters replaced by a core, in the same spelling.

    `exchanged` says which characters are replaced, in half width.
    """
    is_plain = text.isascii() and text.isalnum() and text == text.upper()
    if is_plain and exchanged is is_core and len(text) <= len(core):  # all characters are new
        return core
    fresh = iter(core)
    pieces = []
    for old, narrow in zip(text, half_width(text), strict=True):
        if not exchanged(narrow):
            pieces.append(old)
            continue
        new = next(fresh)
        new = new.lower() if narrow.islower() else new
        pieces.append(new if old == narrow else new.translate(_FULL_WIDTH))
    return "".join(chain(pieces, fresh))


def around_blanks(text: str, replace: Callable[[str], str]) -> str:
    """Return a text with its inner part replaced and the blanks around it unchanged."""
    bare = text.strip()
    if not bare:
        return text
    if len(bare) == len(text):
        return replace(text)
    start = text.index(bare)
    return text[:start] + replace(bare) + text[start + len(bare) :]


def match_case(old: str, new: str) -> str:
    """Return the new text in the case of the old one, and with its line break."""
    if old.isupper() and not old.islower():
        new = new.upper()
    elif old.islower():
        new = new.lower()
    elif old[:1].isupper():
        new = new[:1].upper() + new[1:]
    if "\n" in old and " " in new:
        blank = re.search(r"\s*\n\s*", old)
        new = new.replace(" ", blank[0] if blank else " ", 1)
    return new


def possessive(text: str) -> tuple[str, str]:
    """Split a name and the ending of its possessive: St. Luke's -> St. Luke, 's."""
    match = _APOSTROPHE_S.search(text)
    return (text, "") if match is None else (text[: match.start()], match[0])


def new_digits(draw: Draw, count: int) -> str:
    """Return `count` drawn digits."""
    return f"{draw.below(10**count):0{count}}" if count else ""


def new_characters(old: str, draw: Draw, *, letters: str = LETTERS) -> str:
    """Return a digit for each digit and a letter for each other character."""
    return "".join(
        new_digits(draw, len(piece)) if piece[0].isdigit() else draw.choice(letters)
        for piece in _PIECE.findall(old)
    )


def new_number(old: str, draw: Draw) -> str:
    """Return new characters for a number or code; leading zeros stay."""
    bare = old.lstrip("0")
    if not bare:  # nothing but zeros
        return new_digits(draw, len(old))
    first = str(draw.between(1, 9)) if bare[0].isdigit() else draw.choice(LETTERS)
    return old[: len(old) - len(bare)] + first + new_characters(bare[1:], draw)
