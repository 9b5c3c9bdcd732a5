"""Numbers of Japan: My Number, corporations, health insurers."""

from __future__ import annotations

import re

from veil.core.numbers.folding import digit_values, digits_of
from veil.core.numbers.luhn import passes_luhn

_PREFECTURE = "(?:0[1-9]|[1-3][0-9]|4[0-7])"
# Kind of insurance (法別番号; none for kokuho), prefecture, insurer, check digit.
_INSURER = re.compile(f"(?:0[1-467]|3[1-49]|63|67|7[2-5])?{_PREFECTURE}[0-9]{{4}}")


def my_number_check_digit(digits: str) -> str:
    """Return the last digit of a My Number (Order 85 of the MIC, 2014, article 5): modulus 11."""
    values = digit_values(digits, length=11)
    weights = (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)
    remainder = (
        sum(value * weight for value, weight in zip(reversed(values), weights, strict=True)) % 11
    )
    return "0" if remainder <= 1 else str(11 - remainder)


def is_my_number(text: str) -> bool:
    """Whether the text is a My Number (個人番号): twelve digits, the last by modulus 11."""
    digits = digits_of(text)
    return len(digits) == 12 and my_number_check_digit(digits[:11]) == digits[11]


def corporate_number_check_digit(digits: str) -> str:
    """Return the first digit of a corporate number (MOF order 70, 2014, article 2): modulus 9."""
    values = digit_values(digits, length=12)[::-1]
    return str(9 - (sum(values[::2]) + 2 * sum(values[1::2])) % 9)


def is_corporate_number(text: str) -> bool:
    """Whether the text is a corporate number (法人番号): 13 digits, the first by modulus 9."""
    digits = digits_of(text)
    return len(digits) == 13 and corporate_number_check_digit(digits[1:]) == digits[0]


def is_insurer_number(text: str) -> bool:
    """Whether the text is a health insurer's number (保険者番号): eight digits, or six for kokuho.

    The last digit is that of the Luhn formula; kind of insurance and prefecture must exist.
    """
    digits = digits_of(text)
    return _INSURER.fullmatch(digits) is not None and passes_luhn(digits)
