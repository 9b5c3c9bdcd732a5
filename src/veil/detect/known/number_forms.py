"""The ways in which one number is written: with and without century, country code, zeros."""

from __future__ import annotations

import re
import unicodedata

_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_COUNTRY_CODES = {"en": "1", "es": "34", "ja": "81", "sv": "46"}
# Country codes have one digit (1, 7), two of these, or three.
_TWO_DIGIT_CODES = frozenset(
    """
    20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65
    66 81 82 84 86 90 91 92 93 94 95 98
    """.split()
)
_EXTENSION = re.compile(r"(?:ext|x|anknytning|ankn|extensión|内線)\W*\d+\s*$", re.IGNORECASE)
_SHORTEST_PHONE = 6
# What stays without its leading zeros must still be long enough to say something.
_SHORTEST_WITHOUT_ZEROS = 5


def plain(value: str) -> str:
    """A number as it is compared: letters and digits alone, in lower case."""
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKC", value)).lower()


def id_forms(value: str, language: str) -> list[str]:
    """The writings of a number that identifies somebody: with and without century or letter."""
    key = plain(value)
    forms = [key]
    if language == "sv" and key.isdigit():
        if len(key) == 12:
            forms.append(key[2:])
        elif len(key) == 10:
            forms += ["19" + key, "20" + key]
    if language == "es" and key[:8].isdigit():
        if len(key) == 9 and key[8].isalpha():
            forms.append(key[:8])
        elif len(key) == 8:
            forms.append(key + _DNI_LETTERS[int(key) % len(_DNI_LETTERS)].lower())
    return forms + _without_zeros(key)


def record_forms(value: str) -> list[str]:
    """The writings of a record number: with and without leading zeros."""
    key = plain(value)
    return [key, *_without_zeros(key)]


def _without_zeros(key: str) -> list[str]:
    bare = key.lstrip("0")
    return [bare] if bare != key and _SHORTEST_WITHOUT_ZEROS <= len(bare) else []


def phone_forms(value: str, language: str) -> list[str]:
    """The writings of a telephone number: with and without country code and trunk zero."""
    written = unicodedata.normalize("NFKC", _EXTENSION.sub("", value)).strip()
    digits = re.sub(r"\D", "", written.replace("(0)", ""))
    if len(digits.lstrip("0")) < _SHORTEST_PHONE:
        return [digits] if digits else []
    if written.startswith("+") or digits.startswith("00"):
        code, national = _split_country(digits.lstrip("0"))
    else:
        code = _COUNTRY_CODES[language]
        if language == "en" and digits.startswith("0"):
            code = "44"
        elif language == "en" and len(digits) == 11 and digits.startswith("1"):
            digits = digits[1:]
        national = digits.lstrip("0")
    forms = [digits, national, "0" + national]
    forms += [prefix + national for prefix in (code, "00" + code, code + "0", "00" + code + "0")]
    if code == "1" and len(national) == 10:
        forms.append(national[3:])
    return [form for form in dict.fromkeys(forms) if _SHORTEST_PHONE <= len(form.lstrip("0"))]


def _split_country(digits: str) -> tuple[str, str]:
    size = 1 if digits[:1] in ("1", "7") else 2 if digits[:2] in _TWO_DIGIT_CODES else 3
    return digits[:size], digits[size:].lstrip("0")
