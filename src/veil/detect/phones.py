"""Phone numbers: whether a string of digits is valid in the countries of a language."""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial

from veil.core.checks import CHECKS
from veil.core.numbers import compact, half_width
from veil.languages import language_codes, read_language_toml

# The length of the longest number with its extension; a longer text is not parsed at all.
_LONGEST = 48
_DIALLED = re.compile(r"\+?[0-9]{7,15}")
_EXTENSION = re.compile(
    r"[,;:(\s]*(?:EXT(?:ENSION|ENSIÓN|N)?|ANKN(?:YTNING)?|ANEXO|INT(?:ERNO)?|X|#|内線)"
    r"[.:\s]*[0-9]{1,6}\)?$"
)
# Ranges reserved for drama by Ofcom, which the library treats as unassigned; examples use them.
_FICTION = re.compile(r"(?:0|\+440?)(?:7700900|1632960|1154960)[0-9]{3}")


@cache
def regions(language: str) -> dict[str, tuple[str, ...]]:
    """Return the regions of a language, and how numbers without a country code begin there."""
    table = read_language_toml(language, "rules/data/phones.toml").get("regions", {})
    return {region: tuple(starts) for region, starts in table.items()}


def is_phone(text: str, language: str) -> bool:
    """Whether the text is a valid number of a region of the language, or any in international form.

    An extension after the number is ignored.
    """
    if _LONGEST < len(text):
        return False
    dialled = compact(_EXTENSION.sub("", half_width(text)))
    return _DIALLED.fullmatch(dialled) is not None and _is_valid(dialled, language)


@lru_cache(maxsize=1 << 16)
def _is_valid(dialled: str, language: str) -> bool:
    international = dialled.startswith("+")
    candidates: list[str | None] = (
        [None]
        if international
        else [region for region, starts in regions(language).items() if dialled.startswith(starts)]
    )
    if any(_is_valid_in(dialled, region) for region in candidates):
        return True
    return (international or "GB" in regions(language)) and (
        _FICTION.fullmatch(dialled) is not None
    )


def _is_valid_in(dialled: str, region: str | None) -> bool:
    # Imported on first use: a run without phone rules does not pay for it.
    from phonenumbers import NumberParseException, is_valid_number, parse

    try:
        return is_valid_number(parse(dialled, region))
    except NumberParseException:
        return False


for _code in language_codes():
    CHECKS.add(f"phone-{_code}", partial(is_phone, language=_code))
