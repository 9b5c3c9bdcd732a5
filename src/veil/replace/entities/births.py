"""Numbers that hold a birth date: shifted by the days of the record's other dates."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from veil.core.numbers import (
    curp_digit,
    is_curp,
    is_personal_code,
    is_personnummer,
    is_samordningsnummer,
    luhn_digit,
)
from veil.replace.base import DAYS
from veil.replace.entities.characters import new_characters
from veil.replace.entities.writing import core_of, half_width

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_SWEDISH = re.compile(r"((?:18|19|20)?)([0-9]{2})([0-9]{2})([0-9]{2})([0-9A-Z]{4})")
_DANISH = re.compile("[0-9]{10}")
_FINNISH = re.compile(r"([0-9]{6})([-+A-FU-Y])([0-9]{3})([0-9A-Y])")
_MEXICAN = re.compile(r"[A-ZÑ&]{3,4}([0-9]{6})[0-9A-Z]{3,8}")
_DATED = re.compile(r"((?:19|20)[0-9]{6})[0-9A-Z]{2,8}")
_SHORTEST = 10
_COORDINATION_DAYS = 60
_CHECK_CHARACTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"
_MEXICAN_STATES = """
    AS BC BS CC CH CL CM CS DF DG GR GT HG JC MC MN MS NL NT OC PL QR QT SL SP SR TC TL TS VZ YN ZS
""".split()


def birth_number(record: Record, text: str) -> str | None:
    """The core of a stand-in for a number that holds a birth date, or None where it is no such.

    The digit that tells the sex stays odd or even, the check digit valid where it was.
    """
    core = core_of(text)
    if len(core) < _SHORTEST:
        return None
    swedish = is_personnummer(text) or is_samordningsnummer(text)
    makers = (_swedish, _finnish) if swedish else (_finnish, _swedish)
    for maker in (*makers, _danish, _mexican, _dated):
        make = maker(record, half_width(text).strip().upper(), core)
        if make is not None:
            # The century is no part of the value: a number with and without it is the same.
            value = core[2:] if len(core) == 12 and core[:2] in ("18", "19", "20") else core
            tail = record.stand_in("birth", value, (make, record.is_new_number))
            return tail if len(tail) == len(core) else _with_century(record, core, tail)
    return None


def shift_days(record: Record) -> int:
    """By how many days the dates of the patient are shifted; drawn where nobody says it."""
    days = record.case.memory.get(DAYS)
    if isinstance(days, int):
        return days
    return -record.secret.draw("things", "days").between(30, 330)


def _with_century(record: Record, core: str, tail: str) -> str:
    born = _day(core[:8])
    if born is None:  # a coordination number
        born = _day(core[:6] + f"{int(core[6:8]) - _COORDINATION_DAYS:02}")
    return f"{(born or date(1950, 1, 1)) + timedelta(shift_days(record)):%Y}"[:2] + tail


def _day(digits: str) -> date | None:
    """The day of a date in eight digits, year first, or None where the calendar lacks it."""
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None


def _shifted(record: Record, yymmdd: str) -> str | None:
    """A date of six digits, year first, after the shift.

    All that hangs on the century is 29 February 2000, so that the next years are taken for this
    one and the last for the last.
    """
    born = _day(f"{'20' if yymmdd[:2] < '50' else '19'}{yymmdd}")
    return None if born is None else f"{born + timedelta(shift_days(record)):%y%m%d}"


def _serial(draw: Draw, old: str, *, sex_at: int) -> str:
    """New digits or letters for a serial number; the digit that tells the sex keeps its parity."""
    new = list(new_characters(old, draw))
    if old[sex_at].isdigit():
        new[sex_at] = str(2 * draw.below(5) + int(old[sex_at]) % 2)
    return "".join(new)


def _swedish(record: Record, text: str, core: str) -> Callable[[Draw], str] | None:
    match = _SWEDISH.fullmatch(core)
    if match is None:
        return None
    checked = is_personnummer(text) or is_samordningsnummer(text)
    if record.language != "sv" and not (checked and match[1]):
        return None
    _, year, month, day, last = match.groups()
    added = _COORDINATION_DAYS if _COORDINATION_DAYS < int(day) else 0
    shifted = _shifted(record, f"{year}{month}{int(day) - added:02}")
    if shifted is None:
        return None
    born = f"{shifted[:4]}{int(shifted[4:]) + added:02}"

    def make(draw: Draw) -> str:
        serial = _serial(draw, last[:3], sex_at=2)
        return (
            born
            + serial
            + (luhn_digit(born + serial) if checked else new_characters(last[3], draw))
        )

    return make


def _danish(record: Record, text: str, core: str) -> Callable[[Draw], str] | None:
    """A CPR number, day first; its last digit tells the sex."""
    if record.language != "sv" or not _DANISH.fullmatch(core):
        return None
    shifted = _shifted(record, core[4:6] + core[2:4] + core[:2])
    if shifted is None:
        return None
    born = shifted[4:] + shifted[2:4] + shifted[:2]
    return lambda draw: born + _serial(draw, core[6:], sex_at=3)


def _finnish(record: Record, text: str, core: str) -> Callable[[Draw], str | None] | None:
    match = _FINNISH.fullmatch(text)
    if match is None:
        return None
    digits, sign, number, last = match.groups()
    checked = is_personal_code(text)
    # With a wrong check letter it is still no number of another country.
    if not checked and not (record.language == "sv" and last.isalpha()):
        return None
    shifted = _shifted(record, digits[4:] + digits[2:4] + digits[:2])
    if shifted is None:
        return None
    if (shifted[:2] < digits[4:]) if 0 < shift_days(record) else (digits[4:] < shifted[:2]):
        # Over the turn of a century the sign would change: the day alone is moved.
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


def _mexican(record: Record, text: str, core: str) -> Callable[[Draw], str] | None:
    """A CURP, or the RFC of a taxpayer, which has no check digit that Veil knows."""
    match = _MEXICAN.fullmatch(core)
    if match is None or not (record.language == "es" or is_curp(text)):
        return None
    shifted = _shifted(record, match[1])
    if shifted is None:
        return None
    head = match.start(1)

    def make(draw: Draw) -> str:
        name = new_characters(core[:head], draw)
        if not is_curp(text):
            return name + shifted + new_characters(core[match.end(1) :], draw)
        consonants = "".join(draw.choice(_CONSONANTS) for _ in range(3))
        state = draw.choice(_MEXICAN_STATES)
        start = name + shifted + core[10] + state + consonants + new_characters(core[16], draw)
        return start + curp_digit(start)

    return make


def _dated(record: Record, text: str, core: str) -> Callable[[Draw], str] | None:
    """Any number that begins with a day of this or the last century."""
    match = _DATED.fullmatch(core)
    born = None if match is None else _day(core[:8])
    if born is None:
        return None
    shifted = f"{born + timedelta(shift_days(record)):%Y%m%d}"
    return lambda draw: shifted + new_characters(core[8:], draw)
