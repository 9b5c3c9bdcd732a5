"""Numbers of no single country: payment cards, telephones, bank accounts, vehicles."""

from __future__ import annotations

import re

from veil.core.numbers.folding import compact, digits_of
from veil.core.numbers.luhn import passes_luhn

_IBAN = re.compile("([A-Z]{2})([0-9]{2})([0-9A-Z]{11,30})")
# Lengths of the IBAN registry (ISO 13616); a country that is not here may have any length.
_IBAN_LENGTHS = {
    entry[:2]: int(entry[2:])
    for entry in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 "
        "EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 "
        "IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 "
        "NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 "
        "TN24 TR26 UA29 VA22 VG24 XK20"
    ).split()
}

_VIN = re.compile("[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}")
_VIN_VALUES = {str(digit): digit for digit in range(10)} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def is_payment_card(text: str) -> bool:
    """Whether the text is a card number of ISO/IEC 7812: 12 to 19 digits, the last by Luhn."""
    digits = digits_of(text)
    return 12 <= len(digits) <= 19 and digits[0] != "0" and passes_luhn(digits)


def is_imei(text: str) -> bool:
    """Whether the text is an IMEI of 3GPP TS 23.003: 15 digits, the last by Luhn."""
    digits = digits_of(text)
    return len(digits) == 15 and passes_luhn(digits)


def iban_check_digits(country: str, account: str) -> str:
    """Return the two digits after the country code that leave the remainder 1 by 97 (ISO 7064)."""
    return f"{98 - _iban_remainder(f'{account}{country}00'):02}"


def is_iban(text: str) -> bool:
    """Whether the text is an IBAN of ISO 13616: length of its country, remainder 1 by 97."""
    match = _IBAN.fullmatch(number := compact(text))
    if match is None or _IBAN_LENGTHS.get(match[1], len(number)) != len(number):
        return False
    # The digits 00, 01 and 99 leave the same remainder as 97, 98 and 02, and are never given out.
    return match[2] == iban_check_digits(match[1], match[3])


def _iban_remainder(rearranged: str) -> int:
    return int("".join(str(int(character, 36)) for character in rearranged)) % 97


def vin_check_digit(vin: str) -> str:
    """Return the ninth character of a vehicle identification number (49 CFR 565.15)."""
    pairs = zip(vin, _VIN_WEIGHTS, strict=True)
    remainder = sum(_VIN_VALUES[character] * weight for character, weight in pairs) % 11
    return "X" if remainder == 10 else str(remainder)


def is_vin(text: str) -> bool:
    """Whether the text is a VIN with the check digit of 49 CFR 565.15.

    Vehicles of North America and China must have it; European ones need not.
    """
    number = compact(text)
    return _VIN.fullmatch(number) is not None and vin_check_digit(number) == number[8]
