"""Numbers with check digits: the stand-in passes the check that the original passes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from veil.core import numbers
from veil.core.checks import CHECKS
from veil.replace.entities.characters import LETTERS, new_characters, new_digits

if TYPE_CHECKING:
    from veil.replace.secret import Draw

Maker = Callable[[str, "Draw"], str | None]
"""Makes a stand-in for a core, or None where what was drawn has no check digit that fits."""


class Kind(NamedTuple):
    """A kind of number: its check, the form of its core, what makes a stand-in, and its languages.

    A kind is told by the core alone, so that every writing of a number is of the same kind.
    """

    check: str
    form: re.Pattern[str]
    make: Maker
    languages: tuple[str, ...] = ()


def _iban(core: str, draw: Draw) -> str:
    account = new_characters(core[4:], draw)
    return core[:2] + numbers.iban_check_digits(core[:2], account) + account


def _vin(core: str, draw: Draw) -> str | None:
    vin = new_characters(core, draw)
    check = numbers.vin_check_digit(vin[:8] + "0" + vin[9:])
    return vin[:8] + check + vin[9:] if check.isdigit() == core[8].isdigit() else None


def _card(core: str, draw: Draw) -> str:
    """The first two digits, which tell the kind of card, stay."""
    return _with_luhn(core[:2] + new_digits(draw, len(core) - 3))


def _luhn(core: str, draw: Draw) -> str:
    first = str(draw.between(1, 9)) if core[0] != "0" else "0"
    return _with_luhn(first + new_digits(draw, len(core) - 2))


def _with_luhn(digits: str) -> str:
    return digits + numbers.luhn_digit(digits)


def _ssn(core: str, draw: Draw) -> str:
    """What is not given out is drawn again; the 9 of a taxpayer number stays."""
    return (core[0] if core[0] == "9" else new_digits(draw, 1)) + new_digits(draw, 8)


def _reserve_number(core: str, draw: Draw) -> str:
    return core[:4] + new_characters(core[4:], draw)


def _npi(core: str, draw: Draw) -> str:
    digits = core[0] + new_digits(draw, 8)
    return digits + numbers.npi_digit(digits)


def _dea(core: str, draw: Draw) -> str:
    digits = new_digits(draw, 6)
    name = draw.choice(LETTERS) if core[1].isalpha() else core[1]
    return core[0] + name + digits + numbers.dea_digit(digits)


def _nhs(core: str, draw: Draw) -> str | None:
    digits = str(draw.between(4, 7)) + new_digits(draw, 8)
    check = numbers.nhs_digit(digits)
    return None if check is None else digits + check


def _dni(core: str, draw: Draw) -> str:
    digits = f"{draw.between(1, 9)}{new_digits(draw, len(core) - 2)}"
    return digits + numbers.dni_letter(int(digits))


def _nie(core: str, draw: Draw) -> str:
    digits = new_digits(draw, 7)
    return core[: len(core) - 8] + digits + numbers.nie_letter(core[0], digits)


def _klm(core: str, draw: Draw) -> str:
    digits = new_digits(draw, 7)
    return core[0] + digits + numbers.dni_letter(int(digits))


def _cif(core: str, draw: Draw) -> str:
    digits = f"{draw.between(1, 52):02}{new_digits(draw, 5)}"
    check = numbers.cif_digit(digits)
    return core[0] + digits + (check if core[8].isdigit() else "JABCDEFGHI"[int(check)])


def _nss(core: str, draw: Draw) -> str:
    province, number = draw.between(1, 50), draw.below(10**8)
    return f"{province:02}{number:08}{numbers.nss_digits(province, number)}"


def _my_number(core: str, draw: Draw) -> str:
    digits = new_digits(draw, 11)
    return digits + numbers.my_number_check_digit(digits)


def _corporate_number(core: str, draw: Draw) -> str:
    digits = new_digits(draw, 12)
    return numbers.corporate_number_check_digit(digits) + digits


def _insurer(core: str, draw: Draw) -> str:
    return _with_luhn(f"{core[:-6]}{draw.between(1, 47):02}{new_digits(draw, 3)}")


def _kind(check: str, form: str, make: Maker, languages: str = "") -> Kind:
    return Kind(check, re.compile(form), make, tuple(languages.split()))


# Kinds with letters first, then those of one language's countries, then those of none; last those
# without a check digit.
KINDS = (
    _kind("iban", "[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}", _iban),
    _kind("vin", "(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}", _vin),
    _kind("us-dea", "[A-Z][A-Z9][0-9]{7}", _dea, "en"),
    _kind("es-dni", "[0-9]{6,8}[A-Z]", _dni, "es"),
    _kind("es-nie", "[XYZ][0-9]{7,8}[A-Z]", _nie, "es"),
    _kind("es-nif", "[KLM][0-9]{7}[A-Z]", _klm, "es"),
    _kind("es-cif", "[A-Z][0-9]{7}[0-9A-J]", _cif, "es"),
    _kind("se-reservnummer", "[0-9A-Z]{10,12}", _reserve_number, "sv"),
    _kind("us-npi", "[0-9]{10}", _npi, "en"),
    _kind("uk-nhs", "[0-9]{10}", _nhs, "en"),
    _kind("es-nss", "[0-9]{12}", _nss, "es"),
    _kind("jp-my-number", "[0-9]{12}", _my_number, "ja"),
    _kind("jp-corporate-number", "[0-9]{13}", _corporate_number, "ja"),
    _kind("jp-hokenja", "[0-9]{6}|[0-9]{8}", _insurer, "ja"),
    _kind("card", "[0-9]{12,19}", _card),
    _kind("luhn", "[0-9]{8,}", _luhn),
    _kind("us-itin", "[0-9]{9}", _ssn, "en"),
    _kind("us-ssn", "[0-9]{9}", _ssn, "en"),
)


def kinds_of(core: str, language: str) -> list[Kind]:
    """The kinds whose form and check a number passes; the first is the one to make."""
    return [
        kind
        for kind in _kinds_in(language)
        if kind.form.fullmatch(core) and CHECKS.get(kind.check)(core)
    ]


@cache
def _kinds_in(language: str) -> list[Kind]:
    return [kind for kind in KINDS if not kind.languages or language in kind.languages]


def new_mac(core: str, draw: Draw) -> str:
    """New pairs for the address of a network card, digits for digits."""
    return "".join(
        draw.choice("0123456789" if character.isdigit() else "ABCDEF") for character in core
    )
