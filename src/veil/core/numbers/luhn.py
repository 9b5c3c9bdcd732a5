"""The Luhn formula (ISO/IEC 7812-1, annex B), which a dozen kinds of numbers share."""

from __future__ import annotations

from veil.core.numbers.folding import digit_values, digits_of

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def luhn_digit(digits: str) -> str:
    """Return the digit that, put after these digits, makes them pass the Luhn formula."""
    values = digit_values(digits)
    total = sum(_DOUBLED[value] for value in values[::-2]) + sum(values[-2::-2])
    return str(-total % 10)


def passes_luhn(digits: str) -> bool:
    """Whether the last of these digits is the Luhn digit of the others."""
    return 2 <= len(digits) and luhn_digit(digits[:-1]) == digits[-1]


def is_luhn(text: str) -> bool:
    """Whether the text is a number of any length whose last digit is its Luhn digit."""
    return passes_luhn(digits_of(text))
