"""Numbers of the United States: social security, taxpayers, providers, registrants of the DEA."""

from __future__ import annotations

import re

from veil.core.numbers.folding import compact, digit_values, digits_of
from veil.core.numbers.luhn import luhn_digit

# Prefix of the United States for health applications, before which Luhn is taken.
_NPI_PREFIX = "80840"
_SSN = re.compile("(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}")
# Groups 50-65, 70-88, 90-92 and 94-99.
_ITIN = re.compile("9[0-9]{2}(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])[0-9]{4}")
# Kind of registrant, then the first letter of the name or 9 for a business.
_DEA = re.compile("[ABCDEFGHJKLMPRSTUX][A-Z9]([0-9]{6})([0-9])")


def is_ssn(text: str) -> bool:
    """Whether the text is a social security number: area not 000, 666 or 9xx, no part all zeros.

    There is no check digit.
    """
    return _SSN.fullmatch(digits_of(text)) is not None


def is_itin(text: str) -> bool:
    """Whether the text is a taxpayer number of the IRS: area 9xx and a group that it gives out."""
    return _ITIN.fullmatch(digits_of(text)) is not None


def npi_digit(digits: str) -> str:
    """Return the check digit of a provider's number: Luhn over 80840 and its first nine digits."""
    digit_values(digits, length=9)
    return luhn_digit(_NPI_PREFIX + digits)


def is_npi(text: str) -> bool:
    """Whether the text is a national provider identifier (45 CFR 162.406): ten digits, Luhn."""
    digits = digits_of(text)
    return len(digits) == 10 and digits[0] in "12" and npi_digit(digits[:9]) == digits[9]


def dea_digit(digits: str) -> str:
    """Return the last digit of a DEA number: digits 1, 3, 5 plus twice digits 2, 4, 6."""
    values = digit_values(digits, length=6)
    return str((sum(values[::2]) + 2 * sum(values[1::2])) % 10)


def is_dea(text: str) -> bool:
    """Whether the text is a registration number of the DEA: two letters, seven digits."""
    match = _DEA.fullmatch(compact(text))
    return match is not None and dea_digit(match[1]) == match[2]
