"""Parts of names and dates, read off their text, for schemes that tell them apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veil.core.document import Part

# Small words that open a surname: "Anna von Essen", "Luis de la Fuente".
_SURNAME_PARTICLES = frozenset(
    {
        *("af", "av", "von", "van", "der", "den", "ter", "ten", "zu", "bin", "ibn", "al", "el"),
        *("de", "del", "della", "di", "da", "dos", "du", "la", "las", "los", "le", "y"),
    }
)
_WORD = re.compile(r"[^\s,]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBERS = re.compile(r"\d+")
_MONTH_WORD = re.compile(r"[^\W\d_]{3,}")
_SIX_OR_EIGHT_DIGITS = re.compile(r"(?:\d{6}|\d{8})")


def split_name(name: str, *, surname_alone: bool = False) -> list[tuple[int, int, Part]]:
    """Split a name into first and last, with offsets into `name`.

    "Anna Maria von Essen" has the surname from its particle on, "Lindgren, Anna" before its comma.
    A single word is a first name, or with `surname_alone` a last name (carlsson-2010: after a
    doctor's title).
    """
    words = [(match.start(), match.end()) for match in _WORD.finditer(name)]
    if not words:
        return [(0, len(name), "first")]
    if len(words) == 1:
        return [(*words[0], "last" if surname_alone else "first")]
    comma = name.find(",")
    if 0 < comma < words[-1][0]:
        surname = [word for word in words if word[0] < comma]
        given = [word for word in words if comma < word[0]]
        if surname and given:
            return [
                (surname[0][0], surname[-1][1], "last"),
                (given[0][0], given[-1][1], "first"),
            ]
    opening = next(
        (
            index
            for index, (start, end) in enumerate(words[1:-1], start=1)
            if name[start:end].lower() in _SURNAME_PARTICLES
        ),
        len(words) - 1,
    )
    return [
        (words[0][0], words[opening - 1][1], "first"),
        (words[opening][0], words[-1][1], "last"),
    ]


def date_part(date: str) -> Part:
    """Tell a full date, which has day, month and year, from a part of one."""
    if _SIX_OR_EIGHT_DIGITS.fullmatch(date.strip()):
        return "full"
    numbers = len(_NUMBERS.findall(date))
    if numbers >= 3:
        return "full"
    has_month_word = _MONTH_WORD.search(date) is not None
    if numbers == 2 and has_month_word and _YEAR.search(date):
        return "full"
    return "partial"
