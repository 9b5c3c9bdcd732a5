"""Numbers of Sweden: personnummer, samordningsnummer, reserve numbers.

The last digit of the first two is `luhn_digit` of the nine before it.
"""

from __future__ import annotations

import re

from veil.core.numbers.dates import is_calendar_day
from veil.core.numbers.folding import compact
from veil.core.numbers.luhn import passes_luhn

# The plus sign replaces the hyphen in the year in which the person turns 100.
_PERSON = re.compile(r"((?:18|19|20)?)([0-9]{2})([0-9]{2})([0-9]{2})\+?([0-9]{4})")
_COORDINATION_DAYS = 60

_NATIONAL_LETTER = "[A-HJ-NPR-UXYZ]"
_NATIONAL_DATED = re.compile(
    f"(?:2[2-9]|[3-9][0-9])([0-9]{{6}}){_NATIONAL_LETTER}{{2}}[0-9A-HJ-NPR-UXYZ][0-9]"
)
_NATIONAL_UNDATED = re.compile(
    f"00[0-9]{{2}}[2-9][0-9][45][0-9]{_NATIONAL_LETTER}{{2}}[0-9A-HJ-NPR-UXYZ][0-9]"
)
_STOCKHOLM = re.compile("99(?:18|19|20)[0-9]{8}")
_SHIFTED_DAY = re.compile("(?:18|19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:3[2-9]|[45][0-9])[0-9]{4}")
_REGIONAL = re.compile(
    "((?:18|19|20)?[0-9]{6})(?:[A-Z][0-9]{3}|[A-Z]{2}[0-9][0-9A-Z]|[0-9]{3}R|[0-9]{2}[KMX][0-9])"
)


def is_personnummer(text: str) -> bool:
    """Whether the text is a personnummer (SKV 704): birth date, three digits, Luhn digit."""
    return _is_person_number(text, added_to_day=0)


def is_samordningsnummer(text: str) -> bool:
    """Whether the text is a coordination number (SKV 707): a personnummer, its day plus 60."""
    return _is_person_number(text, added_to_day=_COORDINATION_DAYS)


def _is_person_number(text: str, *, added_to_day: int) -> bool:
    match = _PERSON.fullmatch(compact(text))
    if match is None:
        return False
    century, year, month, day, last_four = match.groups()
    # Without a century the 21st is taken: 2000 was a leap year, so no 29 February is refused.
    born = is_calendar_day(int((century or "20") + year), int(month), int(day) - added_to_day)
    return born and passes_luhn(f"{year}{month}{day}{last_four}")


def is_reservnummer(text: str) -> bool:
    """Whether the text has the form of a reserve number, given to patients without personnummer.

    There is no rule for the whole country and no check digit common to all, so none is asked for.
    Accepted are the forms that Inera and HL7 Sweden document, 12 characters unless said:

    - Stockholm: 99, a year, six digits;
    - national: 22 to 99, YYMMDD, two letters, digit or letter, digit; or 00 and a serial number
      that cannot be a date;
    - Inera, Halland: year and month, a day from 32 to 59, four digits;
    - the other regions: YYYYMMDD or YYMMDD, then L999 (Västra Götaland, Dalarna, Västerbotten,
      Sörmland), LL9L or LL99 (Skåne, Blekinge, Örebro, Värmland, Sörmland), 999R (Västernorrland)
      or 99K9, 99M9, 99X9 (Gävleborg), where L is a letter and 9 a digit.
    """
    number = compact(text)
    if any(form.fullmatch(number) for form in (_STOCKHOLM, _NATIONAL_UNDATED, _SHIFTED_DAY)):
        return True
    match = _NATIONAL_DATED.fullmatch(number) or _REGIONAL.fullmatch(number)
    if match is None:
        return False
    date = match[1] if len(match[1]) == 8 else f"20{match[1]}"
    return is_calendar_day(int(date[:4]), int(date[4:6]), int(date[6:]))
