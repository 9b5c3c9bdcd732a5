"""What the field of a form tells of the name in it: "Apellidos: Ruiz Prado   Nombre: Ana"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veil.core.document import Part

_REACH = 32
# A form that asks for given names alone asks for surnames near by.
_NEAR = 160
_FIELD = re.compile(
    r"(?<![^\W\d_])(?:(?P<last>apell?idos?|cognoms?)|(?P<first>nombres?|noms?|nomes?))"
    r"[ \t]*[.:>|_]{1,40}[ \t]*$",
    re.IGNORECASE,
)
_BOTH = re.compile(r"(?:\by|\be|\bi|/|,)[ \t]*$", re.IGNORECASE)
_SURNAMES = re.compile("apell?ido|cognom", re.IGNORECASE)


def part_in_form(text: str, start: int, end: int, language: str) -> Part | None:
    """Whether a Spanish form has first or last names from `start` to `end`."""
    if language != "es":
        return None
    before = text[max(0, start - _REACH) : start]
    field = _FIELD.search(before)
    if field is None or _BOTH.search(before[: field.start()]):  # "Apellidos y nombre:"
        return None
    if field["last"]:
        return None if "," in text[start:end] else "last"
    around = text[max(0, start - _NEAR) : start] + text[end : end + _NEAR]
    return "first" if _SURNAMES.search(around) else None
