"""Phone numbers: whether a string of digits is one in the countries of a language."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from veil.core.checks import CHECKS
from veil.core.errors import UnknownNameError
from veil.core.numbers import compact, half_width

# The regions in which a number may be meant, and how it must begin there when it is not written
# with its country's code. Where people always write the 0 of the trunk prefix, it is asked for:
# without it, seven of ten strings of nine digits would be Swedish or Japanese numbers. The United
# States stand for all of +1. A Norwegian number is any eight digits, so also any date: it is taken
# only with its +47.
REGIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {"US": ("",), "GB": ("0",), "IE": ("0",), "AU": ("0", "13", "18"), "NZ": ("0",)},
    "es": {"ES": ("",), "MX": ("",), "AR": ("",), "CL": ("",), "CO": ("",), "PE": ("0", "9")},
    "sv": {"SE": ("0",), "FI": ("0",)},
    "ja": {"JP": ("0",)},
}

# The longest way to write a number with its extension; what is longer is not parsed at all.
_LONGEST = 48
_DIALLED = re.compile(r"\+?[0-9]{7,15}")
_EXTENSION = re.compile(
    r"[,;:(\s]*(?:EXT(?:ENSION|ENSIÓN|N)?|ANKN(?:YTNING)?|ANEXO|INT(?:ERNO)?|X|#|内線)"
    r"[.:\s]*[0-9]{1,6}\)?$"
)
# Ranges kept for drama by Ofcom that the library, rightly, takes for unassigned; examples use them.
_FICTION = re.compile(r"(?:0|\+440?)(?:7700900|1632960|1154960)[0-9]{3}")


def is_phone(text: str, language: str) -> bool:
    """Whether the text is a valid number of a region of the language, or any in international form.

    An extension after the number is left out of account.
    """
    if language not in REGIONS:
        raise UnknownNameError("language of phone numbers", language, REGIONS)
    if _LONGEST < len(text):
        return False
    dialled = compact(_EXTENSION.sub("", half_width(text)))
    return _DIALLED.fullmatch(dialled) is not None and _is_valid(dialled, language)


@lru_cache(maxsize=1 << 16)
def _is_valid(dialled: str, language: str) -> bool:
    if dialled.startswith("+"):
        regions: list[str | None] = [None]
    else:
        regions = [
            region for region, starts in REGIONS[language].items() if dialled.startswith(starts)
        ]
    if any(_is_valid_in(dialled, region) for region in regions):
        return True
    return ("GB" in REGIONS[language] or dialled.startswith("+")) and (
        _FICTION.fullmatch(dialled) is not None
    )


def _is_valid_in(dialled: str, region: str | None) -> bool:
    # Imported on first use: a run without phone rules does not pay for it.
    from phonenumbers import NumberParseException, is_valid_number, parse

    try:
        return is_valid_number(parse(dialled, region))
    except NumberParseException:
        return False


for _language in REGIONS:
    CHECKS.add(f"phone-{_language}", partial(is_phone, language=_language))
