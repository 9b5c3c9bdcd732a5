"""Identifying numbers: how to recognise them, and how to compute their check digits.

Every `is_...` function takes the matched text (with separators and full-width digits) and never
raises; the functions that compute check digits take plain digits.
"""

from __future__ import annotations

import calendar
import ipaddress
import unicodedata
from functools import partial
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

# What people put inside numbers: spaces, hyphens and dashes (in Japanese also the long vowel mark),
# points, slashes, brackets, apostrophes; and the invisible characters that copying leaves behind.
_SEPARATORS = dict.fromkeys(
    map(ord, " \t\r\n\f\v-./\\_()'’·・‐‒–—―−ー\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
)

_KANJI_DIGITS = {digit: str(value) for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": "0"
}
_KANJI_NUMERAL = compile_pattern("[〇零一二三四五六七八九十]+")
_DIGIT_RUN = compile_pattern("[0-9]+")


def half_width(text: str) -> str:
    """Return the text in half width and upper case."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).upper()


def compact(text: str) -> str:
    """Return the folded text without separators; all other characters are kept."""
    return half_width(text).translate(_SEPARATORS)


def digits_of(text: str) -> str:
    """Return the digits of a number, or "" if it has more than digits and separators."""
    number = compact(text)
    return number if number.isascii() and number.isdigit() else ""


def digit_values(digits: str, *, length: int | None = None) -> list[int]:
    """Return the value of each digit, or raise ValueError if the string is not such digits."""
    if not (digits.isascii() and digits.isdigit()) or (
        length is not None and len(digits) != length
    ):
        raise ValueError(f"expected {'only' if length is None else length} digits")
    return [int(digit) for digit in digits]


def number_runs(text: str) -> list[str]:
    """Return the runs of digits in a text in order, kanji numerals up to 99 among them."""
    folded = half_width(text)
    if not folded.isascii():
        folded = _KANJI_NUMERAL.sub(lambda match: _kanji_number(match[0]), folded)
    return _DIGIT_RUN.findall(folded)


def _kanji_number(numeral: str) -> str:
    """Return 二〇一一 as 2011 and 二十三 as 23; other numerals are returned unchanged."""
    tens, ten, units = numeral.partition("十")
    if not ten:
        return "".join(_KANJI_DIGITS[digit] for digit in numeral)
    if 1 < len(tens) or 1 < len(units) or units == "十":
        return numeral
    return f"{_KANJI_DIGITS.get(tens, '1')}{_KANJI_DIGITS.get(units, '0')}"


# The Luhn formula (ISO/IEC 7812-1, annex B), which a dozen kinds of numbers share.
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def luhn_digit(digits: str) -> str:
    """Return the digit that, appended to these digits, makes them pass the Luhn formula."""
    values = digit_values(digits)
    total = sum(_DOUBLED[value] for value in values[::-2]) + sum(values[-2::-2])
    return str(-total % 10)


def passes_luhn(digits: str) -> bool:
    """Whether the last of these digits is the Luhn digit of the others."""
    return 2 <= len(digits) and luhn_digit(digits[:-1]) == digits[-1]


def _digit_check(
    form: str, passes: Callable[[str], bool] = lambda digits: True
) -> Callable[[str], bool]:
    """Return a check of a text whose digits must match a pattern and pass a formula."""
    pattern = compile_pattern(form)

    def is_valid(text: str) -> bool:
        digits = digits_of(text)
        return pattern.fullmatch(digits) is not None and passes(digits)

    return is_valid


# Whether the text is a number of any length whose last digit is its Luhn digit.
is_luhn = _digit_check("[0-9]+", passes_luhn)


def is_calendar_day(year: int, month: int, day: int) -> bool:
    """Whether that month of that year has that day."""
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


# Worldwide: payment cards, telephones, bank accounts, vehicles.

_IBAN = compile_pattern("([A-Z]{2})([0-9]{2})([0-9A-Z]{11,30})")
# Lengths from the IBAN registry (ISO 13616); other countries may have any length.
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

_VIN = compile_pattern("[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}")
_VIN_VALUES = {str(digit): digit for digit in range(10)} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


# Whether the text is a card number of ISO/IEC 7812: 12 to 19 digits, the last by Luhn.
is_payment_card = _digit_check("[1-9][0-9]{11,18}", passes_luhn)

# Whether the text is an IMEI of 3GPP TS 23.003: 15 digits, the last by Luhn.
is_imei = _digit_check("[0-9]{15}", passes_luhn)


def iban_check_digits(country: str, account: str) -> str:
    """Return the two digits after the country code, for a remainder of 1 modulo 97 (ISO 7064)."""
    return f"{98 - _iban_remainder(f'{account}{country}00'):02}"


def is_iban(text: str) -> bool:
    """Whether the text is an IBAN of ISO 13616: length of its country, remainder 1 modulo 97."""
    match = _IBAN.fullmatch(number := compact(text))
    if match is None or _IBAN_LENGTHS.get(match[1], len(number)) != len(number):
        return False
    # The digits 00, 01 and 99 leave the same remainder as 97, 98 and 02, and are never issued.
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

    The check digit is mandatory in North America and China, but not in Europe.
    """
    number = compact(text)
    return _VIN.fullmatch(number) is not None and vin_check_digit(number) == number[8]


# Network addresses: IP and MAC.

_MAC = compile_pattern(
    r"[0-9A-F]{2}([:-])(?:[0-9A-F]{2}\1){4}[0-9A-F]{2}|[0-9A-F]{4}(?:\.[0-9A-F]{4}){2}"
)


def _is_address(kind: type[ipaddress.IPv4Address | ipaddress.IPv6Address], text: str) -> bool:
    try:
        kind(half_width(text).strip())
    except ValueError:
        return False
    return True


# Whether the text is an IPv4 address in dotted form (RFC 791), without leading zeros.
is_ipv4 = partial(_is_address, ipaddress.IPv4Address)

# Whether the text is an IPv6 address (RFC 4291).
is_ipv6 = partial(_is_address, ipaddress.IPv6Address)


def is_mac(text: str) -> bool:
    """Whether the text is an EUI-48 of IEEE 802: pairs separated by : or -, or fours by points."""
    return _MAC.fullmatch(half_width(text).strip()) is not None


# United States: social security, taxpayers, providers, DEA registrants.

# Prefix of the United States for health applications; Luhn is computed with it.
_NPI_PREFIX = "80840"
# Kind of registrant, then the first letter of the name or 9 for a business.
_DEA = compile_pattern("[ABCDEFGHJKLMPRSTUX][A-Z9]([0-9]{6})([0-9])")


# Whether the text is a social security number: area not 000, 666 or 9xx, no part all zeros.
# There is no check digit.
is_ssn = _digit_check("(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}")

# Whether the text is a taxpayer number of the IRS: area 9xx and a group that is issued: 50-65,
# 70-88, 90-92 or 94-99.
is_itin = _digit_check("9[0-9]{2}(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])[0-9]{4}")


def npi_digit(digits: str) -> str:
    """Return the check digit of a provider's number: Luhn over 80840 and its first nine digits."""
    return luhn_digit(_NPI_PREFIX + digits)


# Whether the text is a national provider identifier (45 CFR 162.406): ten digits, Luhn.
is_npi = _digit_check("[12][0-9]{9}", lambda digits: npi_digit(digits[:9]) == digits[9])


def dea_digit(digits: str) -> str:
    """Return the last digit of a DEA number: digits 1, 3, 5 plus twice digits 2, 4, 6."""
    values = digit_values(digits, length=6)
    return str((sum(values[::2]) + 2 * sum(values[1::2])) % 10)


def is_dea(text: str) -> bool:
    """Whether the text is a registration number of the DEA: two letters, seven digits."""
    match = _DEA.fullmatch(compact(text))
    return match is not None and dea_digit(match[1]) == match[2]


# United Kingdom: the NHS number.


def nhs_digit(digits: str) -> str | None:
    """Return the check digit (weights 10 to 2, modulus 11), or None for digits never issued."""
    values = digit_values(digits, length=9)
    total = sum(value * weight for value, weight in zip(values, range(10, 1, -1), strict=True))
    check = -total % 11
    return None if check == 10 else str(check)


# Whether the text is an NHS number: ten digits, not all zeros, the last by modulus 11.
is_nhs_number = _digit_check(
    "(?!0{10})[0-9]{10}", lambda digits: nhs_digit(digits[:9]) == digits[9]
)


# Spain: identity cards, foreigners, companies, social security.

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_CIF_LETTERS = "JABCDEFGHI"

# Low numbers are often written without their leading zeros; old NIE had one zero more.
_DNI = compile_pattern("([0-9]{6,8})([A-Z])")
_NIE = compile_pattern("([XYZ])0?([0-9]{7})([A-Z])")
_KLM = compile_pattern("[KLM]([0-9]{7})([A-Z])")
_CIF = compile_pattern("([ABCDEFGHJNPQRSUVW])([0-9]{7})([0-9A-J])")


def dni_letter(number: int) -> str:
    """Return the letter of an identity number: its remainder modulo 23 (Real Decreto 1553/2005)."""
    return _DNI_LETTERS[number % 23]


def is_dni(text: str) -> bool:
    """Whether the text is a DNI: up to eight digits and the letter of their remainder modulo 23."""
    match = _DNI.fullmatch(compact(text))
    return match is not None and dni_letter(int(match[1])) == match[2]


def nie_letter(prefix: str, digits: str) -> str:
    """Return the letter of a NIE: that of a DNI with X, Y, Z read as 0, 1, 2."""
    digit_values(digits, length=7)
    return dni_letter(int(f"{'XYZ'.index(prefix)}{digits}"))


def is_nie(text: str) -> bool:
    """Whether the text is a NIE: X, Y or Z, seven digits and the letter (Orden INT/2058/2008)."""
    match = _NIE.fullmatch(compact(text))
    return match is not None and nie_letter(match[1], match[2]) == match[3]


def is_nif(text: str) -> bool:
    """Whether the text is a person's tax number: DNI, NIE, or K, L or M with seven digits."""
    match = _KLM.fullmatch(compact(text))
    if match is not None:
        return dni_letter(int(match[1])) == match[2]
    return is_dni(text) or is_nie(text)


def nss_digits(province: int, number: int) -> str:
    """Return the two check digits of a social security number: the remainder modulo 97.

    A number below ten million is added to the province times ten million; a greater one is written
    after the province (Tesorería General de la Seguridad Social).
    """
    shift = 10_000_000 if number < 10_000_000 else 100_000_000
    return f"{(province * shift + number) % 97:02}"


# Whether the text is a social security number: province, eight digits, two check digits.
is_nss = _digit_check(
    "(?!00)[0-9]{12}",
    lambda digits: nss_digits(int(digits[:2]), int(digits[2:10])) == digits[10:],
)


def cif_digit(digits: str) -> str:
    """Return the check digit of a company's number; as a letter it is the n-th of JABCDEFGHI."""
    return luhn_digit(digits)


def is_cif(text: str) -> bool:
    """Whether the text is a company's tax number (Orden EHA/451/2008), its check a digit or letter.

    Kinds A, B, E and H end in a digit (after 00, which marks foreign companies, in either), kinds
    N, P, Q, R, S and W in a letter, the others in either.
    """
    match = _CIF.fullmatch(compact(text))
    if match is None:
        return False
    kind, digits, check = match.groups()
    if check.isdigit():
        return kind not in "NPQRSW" and check == cif_digit(digits)
    may_be_letter = kind not in "ABEH" or digits.startswith("00")
    return may_be_letter and check == _CIF_LETTERS[int(cif_digit(digits))]


# Mexico: the CURP, the number of every resident.

_CURP_ALPHABET = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
_CURP = compile_pattern(
    "[A-ZÑ]{4}([0-9]{2})([0-9]{2})([0-9]{2})[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}([0-9A-Z])[0-9]"
)


def curp_digit(start: str) -> str:
    """Return the last digit of a CURP from its first 17 characters: weights 18 to 2, modulus 10."""
    pairs = zip(start, range(18, 1, -1), strict=True)
    return str(-sum(_CURP_ALPHABET.index(character) * weight for character, weight in pairs) % 10)


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


# Sweden: personnummer, samordningsnummer, reserve numbers.

# The plus sign replaces the hyphen in the year in which the person turns 100.
_PERSONNUMMER = compile_pattern(r"((?:18|19|20)?)([0-9]{2})([0-9]{2})([0-9]{2})\+?([0-9]{4})")
_COORDINATION_DAYS = 60

_RESERVE_LETTER = "[A-HJ-NPR-UXYZ]"
_RESERVE_DATED = compile_pattern(
    f"(?:2[2-9]|[3-9][0-9])([0-9]{{6}}){_RESERVE_LETTER}{{2}}[0-9A-HJ-NPR-UXYZ][0-9]"
)
_RESERVE_UNDATED = compile_pattern(
    f"00[0-9]{{2}}[2-9][0-9][45][0-9]{_RESERVE_LETTER}{{2}}[0-9A-HJ-NPR-UXYZ][0-9]"
)
_STOCKHOLM = compile_pattern("99(?:18|19|20)[0-9]{8}")
_SHIFTED_DAY = compile_pattern("(?:18|19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:3[2-9]|[45][0-9])[0-9]{4}")
_RESERVE_REGIONAL = compile_pattern(
    "((?:18|19|20)?[0-9]{6})(?:[A-Z][0-9]{3}|[A-Z]{2}[0-9][0-9A-Z]|[0-9]{3}R|[0-9]{2}[KMX][0-9])"
)


def _is_person_number(added_to_day: int, text: str) -> bool:
    match = _PERSONNUMMER.fullmatch(compact(text))
    if match is None:
        return False
    century, year, month, day, last_four = match.groups()
    # Without a century the 21st is assumed: 2000 was a leap year, so no 29 February is rejected.
    born = is_calendar_day(int((century or "20") + year), int(month), int(day) - added_to_day)
    return born and passes_luhn(f"{year}{month}{day}{last_four}")


# Whether the text is a personnummer (SKV 704): birth date, three digits, Luhn digit.
is_personnummer = partial(_is_person_number, 0)

# Whether the text is a coordination number (SKV 707): a personnummer, its day plus 60.
is_samordningsnummer = partial(_is_person_number, _COORDINATION_DAYS)


def is_reservnummer(text: str) -> bool:
    """Whether the text has the form of a reserve number, given to patients without personnummer.

    There is no national rule and no common check digit, so none is checked. These are the accepted
    forms, as documented by Inera and HL7 Sweden, with 12 characters unless stated otherwise:

    - Stockholm: 99, a year, six digits;
    - national: 22 to 99, YYMMDD, two letters, digit or letter, digit; or 00 and a serial number
      that cannot be a date;
    - Inera, Halland: year and month, a day from 32 to 59, four digits;
    - the other regions: YYYYMMDD or YYMMDD, then L999 (Västra Götaland, Dalarna, Västerbotten,
      Sörmland), LL9L or LL99 (Skåne, Blekinge, Örebro, Värmland, Sörmland), 999R (Västernorrland)
      or 99K9, 99M9, 99X9 (Gävleborg), where L is a letter and 9 a digit.
    """
    number = compact(text)
    if any(form.fullmatch(number) for form in (_STOCKHOLM, _RESERVE_UNDATED, _SHIFTED_DAY)):
        return True
    match = _RESERVE_DATED.fullmatch(number) or _RESERVE_REGIONAL.fullmatch(number)
    if match is None:
        return False
    date = match[1] if len(match[1]) == 8 else f"20{match[1]}"
    return is_calendar_day(int(date[:4]), int(date[4:6]), int(date[6:]))


# Finland: the personal identity code (henkilötunnus, personbeteckning).

# Since 2023 several signs stand for one century; the plus sign is for people born before 1900.
_FINNISH_CENTURIES = {"+": 18} | dict.fromkeys("-YXWVU", 19) | dict.fromkeys("ABCDEF", 20)
_FINNISH_CODE = compile_pattern(r"([0-9]{2})([0-9]{2})([0-9]{2})([-+A-FU-Y])([0-9]{3})([0-9A-Y])")
_FINNISH_CHECKS = "0123456789ABCDEFHJKLMNPRSTUVWXY"


def is_personal_code(text: str) -> bool:
    """Whether the text is a personal identity code: birth date, century, number, check character.

    The check character is the remainder of the nine digits modulo 31.
    """
    match = _FINNISH_CODE.fullmatch(half_width(text).strip())
    if match is None:
        return False
    day, month, year, sign, number, check = match.groups()
    born = is_calendar_day(_FINNISH_CENTURIES[sign] * 100 + int(year), int(month), int(day))
    rest = int(day + month + year + number) % len(_FINNISH_CHECKS)
    return born and check == _FINNISH_CHECKS[rest]


# Japan: My Number, corporations, health insurers.

_PREFECTURE = "(?:0[1-9]|[1-3][0-9]|4[0-7])"


def my_number_check_digit(digits: str) -> str:
    """Return the last digit of a My Number (Order 85 of the MIC, 2014, article 5): modulus 11."""
    values = digit_values(digits, length=11)
    weights = (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)
    remainder = (
        sum(value * weight for value, weight in zip(reversed(values), weights, strict=True)) % 11
    )
    return "0" if remainder <= 1 else str(11 - remainder)


# Whether the text is a My Number (個人番号): twelve digits, the last by modulus 11.
is_my_number = _digit_check(
    "[0-9]{12}", lambda digits: my_number_check_digit(digits[:11]) == digits[11]
)


def corporate_number_check_digit(digits: str) -> str:
    """Return the first digit of a corporate number (MOF order 70, 2014, article 2): modulus 9."""
    values = digit_values(digits, length=12)[::-1]
    return str(9 - (sum(values[::2]) + 2 * sum(values[1::2])) % 9)


# Whether the text is a corporate number (法人番号): 13 digits, the first by modulus 9.
is_corporate_number = _digit_check(
    "[0-9]{13}", lambda digits: corporate_number_check_digit(digits[1:]) == digits[0]
)

# Whether the text is a health insurer's number (保険者番号): eight digits, or six for kokuho. The
# kind of insurance (法別番号) and the prefecture must exist; the last digit is by Luhn.
is_insurer_number = _digit_check(
    f"(?:0[1-467]|3[1-49]|63|67|7[2-5])?{_PREFECTURE}[0-9]{{4}}", passes_luhn
)
