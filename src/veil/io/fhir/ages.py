"""Ages in numbers: those over 89 are identifiers (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.io.fhir.elements import elements

if TYPE_CHECKING:
    from veil.io.json_raw import Value

_OLDEST = 89
_RANGES = frozenset("ageRange onsetRange abatementRange deceasedRange performedRange".split())
_AGE = re.compile(r"(?:^|[/\-_.#])age(?![a-z])|[a-z]Age(?![a-z])")
_NUMBER = re.compile(r"\s*(\d{1,6}(?:\.\d+)?)")
_PER_YEAR = ((re.compile(r"mo", re.IGNORECASE), 12), (re.compile(r"w", re.IGNORECASE), 52.18))
_DAYS = re.compile(r"d|h|min|s", re.IGNORECASE)


def tells_age(value: Value, key: str) -> bool:
    """Whether the numbers of an object are ages: by its element, extension or code."""
    if key.endswith("Age") or key in _RANGES:
        return True
    if key in ("extension", "modifierExtension") and _AGE.search(value.string("url")):
        return True
    if key == "parameter" and _AGE.search(value.string("name")):
        return True
    code = value.get("code")
    codings = code.get("coding") if code else None
    return any(
        coding.string("code") in elements().age_codes
        for coding in (codings.elements if codings else ())
    )


def over_89(text: str, quantity: Value) -> bool:
    """Whether a number, in the unit of its quantity, is an age of more than 89 years."""
    number = _NUMBER.match(text)
    if not number:
        return False
    years = float(number[1])
    unit = quantity.string("code") or quantity.string("unit")
    if _DAYS.match(unit):
        years /= 365.25
    for pattern, per_year in _PER_YEAR:
        if pattern.match(unit):
            years /= per_year
    return _OLDEST < int(years)
