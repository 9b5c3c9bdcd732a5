"""The CURP, the number of every resident of Mexico."""

from __future__ import annotations

import re

from veil.core.numbers.dates import is_calendar_day
from veil.core.numbers.folding import compact

_ALPHABET = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
_CURP = re.compile(
    "[A-ZÑ]{4}([0-9]{2})([0-9]{2})([0-9]{2})[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}([0-9A-Z])[0-9]"
)


def curp_digit(start: str) -> str:
    """Return the last digit of a CURP from its first 17 characters: weights 18 to 2, modulus 10."""
    pairs = zip(start, range(18, 1, -1), strict=True)
    return str(-sum(_ALPHABET.index(character) * weight for character, weight in pairs) % 10)


def is_curp(text: str) -> bool:
    """Whether the text is a CURP (RENAPO): name, birth date, sex, state, and its check digit."""
    number = compact(text)
    match = _CURP.fullmatch(number)
    if match is None:
        return False
    # The character before the check digit is a digit for those born before 2000.
    century = 1900 if match[4].isdigit() else 2000
    born = is_calendar_day(century + int(match[1]), int(match[2]), int(match[3]))
    return born and curp_digit(number[:17]) == number[17]
