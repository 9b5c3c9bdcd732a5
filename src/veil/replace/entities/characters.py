"""New digits for digits and new letters for letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veil.replace.secret import Draw

# Without the letters that are taken for digits.
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_PIECE = re.compile("[0-9]+|[^0-9]")


def new_digits(draw: Draw, count: int) -> str:
    """That many drawn digits."""
    return f"{draw.below(10**count):0{count}}" if count else ""


def new_characters(old: str, draw: Draw, *, letters: str = LETTERS) -> str:
    """A digit for each digit and a letter for each other character."""
    return "".join(
        new_digits(draw, len(piece)) if piece[0].isdigit() else draw.choice(letters)
        for piece in _PIECE.findall(old)
    )


def new_number(old: str, draw: Draw) -> str:
    """New characters for a number or code: zeros at its beginning stay, and only those."""
    bare = old.lstrip("0")
    if not bare:  # nothing but zeros
        return new_digits(draw, len(old))
    first = str(draw.between(1, 9)) if bare[0].isdigit() else draw.choice(LETTERS)
    return old[: len(old) - len(bare)] + first + new_characters(bare[1:], draw)
