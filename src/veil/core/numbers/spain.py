"""Numbers of Spain: identity cards, foreigners, companies, social security."""

from __future__ import annotations

import re

from veil.core.numbers.folding import compact, digit_values, digits_of
from veil.core.numbers.luhn import luhn_digit

_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_COMPANY_LETTERS = "JABCDEFGHI"

# Low numbers are often written without their leading zeros; old NIE had one zero more.
_DNI = re.compile("([0-9]{6,8})([A-Z])")
_NIE = re.compile("([XYZ])0?([0-9]{7})([A-Z])")
_KLM = re.compile("[KLM]([0-9]{7})([A-Z])")
_CIF = re.compile("([ABCDEFGHJNPQRSUVW])([0-9]{7})([0-9A-J])")


def dni_letter(number: int) -> str:
    """Return the letter of an identity number: its remainder by 23 (Real Decreto 1553/2005)."""
    return _LETTERS[number % 23]


def is_dni(text: str) -> bool:
    """Whether the text is a DNI: up to eight digits and the letter of their remainder by 23."""
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
    """Return the two check digits of a social security number: the remainder by 97.

    A number below ten million is added to the province times ten million; a greater one is written
    after the province (Tesorería General de la Seguridad Social).
    """
    shift = 10_000_000 if number < 10_000_000 else 100_000_000
    return f"{(province * shift + number) % 97:02}"


def is_nss(text: str) -> bool:
    """Whether the text is a social security number: province, eight digits, two check digits."""
    digits = digits_of(text)
    if len(digits) != 12 or digits[:2] == "00":
        return False
    return nss_digits(int(digits[:2]), int(digits[2:10])) == digits[10:]


def cif_digit(digits: str) -> str:
    """Return the check digit of a company's number; as a letter it is the n-th of JABCDEFGHI."""
    digit_values(digits, length=7)
    return luhn_digit(digits)


def is_cif(text: str) -> bool:
    """Whether the text is a company's tax number (Orden EHA/451/2008), its check a digit or letter.

    Kinds A, B, E and H end in a digit (in either where 00 says that they are foreign), kinds N, P,
    Q, R, S and W in a letter, the others in either.
    """
    match = _CIF.fullmatch(compact(text))
    if match is None:
        return False
    kind, digits, check = match.groups()
    if check.isdigit():
        return kind not in "NPQRSW" and check == cif_digit(digits)
    may_be_letter = kind not in "ABEH" or digits.startswith("00")
    return may_be_letter and check == _COMPANY_LETTERS[int(cif_digit(digits))]
