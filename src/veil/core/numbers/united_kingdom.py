"""The NHS number."""

from __future__ import annotations

from veil.core.numbers.folding import digit_values, digits_of


def nhs_digit(digits: str) -> str | None:
    """Return the check digit (weights 10 to 2, modulus 11), or None for digits not given out."""
    values = digit_values(digits, length=9)
    total = sum(value * weight for value, weight in zip(values, range(10, 1, -1), strict=True))
    check = -total % 11
    return None if check == 10 else str(check)


def is_nhs_number(text: str) -> bool:
    """Whether the text is an NHS number: ten digits, not all zeros, the last by modulus 11."""
    digits = digits_of(text)
    return len(digits) == 10 and digits.strip("0") != "" and nhs_digit(digits[:9]) == digits[9]
