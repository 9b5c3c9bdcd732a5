"""Numbers with check digits, and numbers that contain a birth date.

A surrogate passes the checks that the original passes. Birth dates are shifted by the days of the
record's other dates.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.core import numbers
from veil.core.checks import CHECKS
from veil.core.patterns import compile_pattern
from veil.replace.base import DAYS
from veil.replace.entities.language import shared_table, words
from veil.replace.entities.spelling import LETTERS, core_of, half_width, new_characters, new_digits

if TYPE_CHECKING:
    import re

    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw

_SWEDISH = compile_pattern(r"((?:18|19|20)?)([0-9]{2})([0-9]{2})([0-9]{2})([0-9A-Z]{4})")
_DANISH = compile_pattern("[0-9]{10}")
_FINNISH = compile_pattern(r"([0-9]{6})([-+A-FU-Y])([0-9]{3})([0-9A-Y])")
_MEXICAN = compile_pattern(r"[A-ZÑ&]{3,4}([0-9]{6})[0-9A-Z]{3,8}")
_DATED = compile_pattern(r"((?:19|20)[0-9]{6})[0-9A-Z]{2,8}")
_SHORTEST = 10
_REMEMBERED = 1 << 10
# No kind of number with a check digit is shorter.
_SHORTEST_CHECKED = 6
_COORDINATION_DAYS = 60
_CHECK_CHARACTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"

Maker = Callable[[str, "Draw"], str | None]
"""Makes a surrogate for a core, or None if the drawn characters have no valid check digit."""


class NumberKind(NamedTuple):
    """A kind of number: its check, the form of its core, and what makes a surrogate.

    The core alone decides the kind, so that every spelling of a number has the same kind. Kinds
    that are not `worldwide` belong to some countries; a language lists its kinds as
    `checked_numbers` in its `stand_ins.toml`.
    """

    check: str
    form: re.Pattern[str]
    make: Maker
    worldwide: bool


def _iban(core: str, draw: Draw) -> str:
    account = new_characters(core[4:], draw)
    return core[:2] + numbers.iban_check_digits(core[:2], account) + account


def _vin(core: str, draw: Draw) -> str | None:
    vin = new_characters(core, draw)
    check = numbers.vin_check_digit(vin[:8] + "0" + vin[9:])
    return vin[:8] + check + vin[9:] if check.isdigit() == core[8].isdigit() else None


def _keep(count: int, check_digit: Callable[[str], str]) -> Maker:
    """Return a maker that keeps the first digits, draws others and appends the check digit."""

    def make(core: str, draw: Draw) -> str:
        digits = core[:count] + new_digits(draw, len(core) - count - 1)
        return digits + check_digit(digits)

    return make


def _luhn(core: str, draw: Draw) -> str:
    first = str(draw.between(1, 9)) if core[0] != "0" else "0"
    return _with_luhn(first + new_digits(draw, len(core) - 2))


def _with_luhn(digits: str) -> str:
    return digits + numbers.luhn_digit(digits)


def _ssn(core: str, draw: Draw) -> str:
    """Keep the 9 of a taxpayer number; numbers that are not assigned are drawn again."""
    return (core[0] if core[0] == "9" else new_digits(draw, 1)) + new_digits(draw, 8)


def _reserve_number(core: str, draw: Draw) -> str:
    return core[:4] + new_characters(core[4:], draw)


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


def _corporate_number(core: str, draw: Draw) -> str:
    digits = new_digits(draw, 12)
    return numbers.corporate_number_check_digit(digits) + digits


def _insurer(core: str, draw: Draw) -> str:
    return _with_luhn(f"{core[:-6]}{draw.between(1, 47):02}{new_digits(draw, 3)}")


def _kind(check: str, form: str, make: Maker, *, worldwide: bool = False) -> NumberKind:
    return NumberKind(check, compile_pattern(form), make, worldwide)


# Kinds with letters come first, then those of some countries, then worldwide ones, and last those
# without a check digit.
KINDS = (
    _kind("iban", "[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}", _iban, worldwide=True),
    _kind("vin", "(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}", _vin, worldwide=True),
    _kind("us-dea", "[A-Z][A-Z9][0-9]{7}", _dea),
    _kind("es-dni", "[0-9]{6,8}[A-Z]", _dni),
    _kind("es-nie", "[XYZ][0-9]{7,8}[A-Z]", _nie),
    _kind("es-nif", "[KLM][0-9]{7}[A-Z]", _klm),
    _kind("es-cif", "[A-Z][0-9]{7}[0-9A-J]", _cif),
    _kind("se-reservnummer", "[0-9A-Z]{10,12}", _reserve_number),
    _kind("us-npi", "[0-9]{10}", _keep(1, numbers.npi_digit)),
    _kind("uk-nhs", "[0-9]{10}", _nhs),
    _kind("es-nss", "[0-9]{12}", _nss),
    _kind("jp-my-number", "[0-9]{12}", _keep(0, numbers.my_number_check_digit)),
    _kind("jp-corporate-number", "[0-9]{13}", _corporate_number),
    _kind("jp-hokenja", "[0-9]{6}|[0-9]{8}", _insurer),
    # The first two digits show the kind of card.
    _kind("card", "[0-9]{12,19}", _keep(2, numbers.luhn_digit), worldwide=True),
    _kind("luhn", "[0-9]{8,}", _luhn, worldwide=True),
    _kind("us-itin", "[0-9]{9}", _ssn),
    _kind("us-ssn", "[0-9]{9}", _ssn),
)


@lru_cache(_REMEMBERED)
def kinds_of(core: str, language: str) -> tuple[NumberKind, ...]:
    """Return the kinds whose form and check a number passes; the first makes the surrogate."""
    if len(core) < _SHORTEST_CHECKED:
        return ()
    return tuple(
        [
            kind
            for kind in _kinds_in(language)
            if kind.form.fullmatch(core) and CHECKS.get(kind.check)(core)
        ]
    )


@cache
def _kinds_in(language: str) -> list[NumberKind]:
    return [
        kind for kind in KINDS if kind.worldwide or kind.check in words(language, "checked_numbers")
    ]


def new_mac(core: str, draw: Draw) -> str:
    """Return new pairs for the address of a network card, digits for digits."""
    return "".join(
        draw.choice("0123456789" if character.isdigit() else "ABCDEF") for character in core
    )


# -- Numbers that contain a birth date ------------------------------------------------------------


def birth_number(record: EntityRecord, text: str) -> str | None:
    """Return the core of a surrogate for a number that contains a birth date, or None for others.

    The digit that shows the sex stays odd or even, and a valid check digit stays valid.
    """
    core = core_of(text)
    if len(core) < _SHORTEST:
        return None
    swedish = numbers.is_personnummer(text) or numbers.is_samordningsnummer(text)
    makers = (_swedish, _finnish) if swedish else (_finnish, _swedish)
    for maker in (*makers, _danish, _mexican, _dated):
        try:
            make = maker(record, half_width(text).strip().upper(), core)
        except ValueError:  # its first digits are not a date
            continue
        if make is not None:
            # The century is not part of the value: numbers with and without it are the same.
            value = core[2:] if len(core) == 12 and core[:2] in ("18", "19", "20") else core
            tail = record.surrogate("birth", value, (make, record.is_new_number))
            return tail if len(tail) == len(core) else _with_century(record, core, tail)
    return None


def _has_births(record: EntityRecord, country: str) -> bool:
    """Whether records of the language have numbers of a country that contain a birth date."""
    return country in words(record.language, "birth_numbers")


def shift_days(record: EntityRecord) -> int:
    """Return the number of days by which the dates of the patient are shifted."""
    days = record.case.memory.get(DAYS)
    if isinstance(days, int):
        return days
    return -record.secret.draw("things", "days").between(30, 330)


def _with_century(record: EntityRecord, core: str, tail: str) -> str:
    day = int(core[6:8])
    try:
        born = _day(f"{core[:6]}{day % _COORDINATION_DAYS:02}")
    except ValueError:  # 29 February 1900
        born = date(1950, 1, 1)
    return f"{born + timedelta(shift_days(record)):%Y}"[:2] + tail


def _day(digits: str) -> date:
    """Return the day of a date in eight digits, year first; ValueError if there is no such day."""
    return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))


def _shifted(record: EntityRecord, yymmdd: str) -> str:
    """Return a date of six digits, year first, after the shift.

    The century matters only for 29 February 2000. Years below 50 are taken for those of this
    century.
    """
    born = _day(f"{'20' if yymmdd[:2] < '50' else '19'}{yymmdd}")
    return f"{born + timedelta(shift_days(record)):%y%m%d}"


def _serial(draw: Draw, old: str, *, sex_at: int) -> str:
    """Return a new serial number; the digit that shows the sex keeps its parity."""
    new = list(new_characters(old, draw))
    if old[sex_at].isdigit():
        new[sex_at] = str(2 * draw.below(5) + int(old[sex_at]) % 2)
    return "".join(new)


def _swedish(record: EntityRecord, text: str, core: str) -> Callable[[Draw], str] | None:
    match = _SWEDISH.fullmatch(core)
    if match is None:
        return None
    checked = numbers.is_personnummer(text) or numbers.is_samordningsnummer(text)
    if not _has_births(record, "SE") and not (checked and match[1]):
        return None
    _, year, month, day, last = match.groups()
    added = _COORDINATION_DAYS if _COORDINATION_DAYS < int(day) else 0
    shifted = _shifted(record, f"{year}{month}{int(day) - added:02}")
    born = f"{shifted[:4]}{int(shifted[4:]) + added:02}"

    def make(draw: Draw) -> str:
        serial = _serial(draw, last[:3], sex_at=2)
        return (
            born
            + serial
            + (numbers.luhn_digit(born + serial) if checked else new_characters(last[3], draw))
        )

    return make


def _danish(record: EntityRecord, text: str, core: str) -> Callable[[Draw], str] | None:
    """Match a CPR number, day first; its last digit shows the sex."""
    if not _has_births(record, "DK") or not _DANISH.fullmatch(core):
        return None
    shifted = _shifted(record, core[4:6] + core[2:4] + core[:2])
    born = shifted[4:] + shifted[2:4] + shifted[:2]
    return lambda draw: born + _serial(draw, core[6:], sex_at=3)


def _finnish(record: EntityRecord, text: str, core: str) -> Callable[[Draw], str | None] | None:
    match = _FINNISH.fullmatch(text)
    if match is None:
        return None
    digits, sign, number, last = match.groups()
    checked = numbers.is_personal_code(text)
    # With a wrong check letter it is still not a number of another country.
    if not checked and not (_has_births(record, "FI") and last.isalpha()):
        return None
    shifted = _shifted(record, digits[4:] + digits[2:4] + digits[:2])
    if (shifted[:2] < digits[4:]) if 0 < shift_days(record) else (digits[4:] < shifted[:2]):
        # Across the turn of a century the sign would change, so only the day is changed.
        shifted = f"{digits[4:]}{digits[2:4]}{int(digits[:2]) % 28 + 1:02}"
    born = shifted[4:] + shifted[2:4] + shifted[:2]

    def make(draw: Draw) -> str | None:
        serial = _serial(draw, number, sex_at=2)
        check = (
            _CHECK_CHARACTERS[int(born + serial) % len(_CHECK_CHARACTERS)]
            if checked
            else new_characters(last, draw)
        )
        same = check.isdigit() == last.isdigit()
        return core_of(f"{born}{sign}{serial}{check}") if same else None

    return make


def _mexican(record: EntityRecord, text: str, core: str) -> Callable[[Draw], str] | None:
    """Match a CURP, or the RFC of a taxpayer, whose check digit is not checked."""
    match = _MEXICAN.fullmatch(core)
    if match is None or not (_has_births(record, "MX") or numbers.is_curp(text)):
        return None
    shifted = _shifted(record, match[1])
    head = match.start(1)

    def make(draw: Draw) -> str:
        name = new_characters(core[:head], draw)
        if not numbers.is_curp(text):
            return name + shifted + new_characters(core[match.end(1) :], draw)
        consonants = "".join(draw.choice(_CONSONANTS) for _ in range(3))
        state: str = draw.choice(shared_table("countries")["MX"]["states"].split())
        start = name + shifted + core[10] + state + consonants + new_characters(core[16], draw)
        return start + numbers.curp_digit(start)

    return make


def _dated(record: EntityRecord, text: str, core: str) -> Callable[[Draw], str] | None:
    """Match any number that begins with a day of this or the last century."""
    if not _DATED.fullmatch(core):
        return None
    shifted = f"{_day(core[:8]) + timedelta(shift_days(record)):%Y%m%d}"
    return lambda draw: shifted + new_characters(core[8:], draw)
