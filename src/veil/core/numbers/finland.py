"""Numbers of Finland: the personal identity code (henkilötunnus, personbeteckning)."""

from __future__ import annotations

import re

from veil.core.numbers.dates import is_calendar_day
from veil.core.numbers.folding import fold

# Since 2023 several signs stand for one century; the plus sign is for those born before 1900.
_CENTURIES = {"+": 18} | dict.fromkeys("-YXWVU", 19) | dict.fromkeys("ABCDEF", 20)
_CODE = re.compile(r"([0-9]{2})([0-9]{2})([0-9]{2})([-+A-FU-Y])([0-9]{3})([0-9A-Y])")
_CHECK_CHARACTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"


def is_personal_code(text: str) -> bool:
    """Whether the text is a personal identity code: birth date, century, number, check character.

    The check character is the rest of the nine digits divided by 31.
    """
    match = _CODE.fullmatch(fold(text).strip())
    if match is None:
        return False
    day, month, year, sign, number, check = match.groups()
    born = is_calendar_day(_CENTURIES[sign] * 100 + int(year), int(month), int(day))
    rest = int(day + month + year + number) % len(_CHECK_CHARACTERS)
    return born and check == _CHECK_CHARACTERS[rest]
