"""Named checks that the matches of a rule must pass.

A date written in numbers is checked against the calendar; the pattern that matched it decides which
separators are allowed. A date may also be one run of digits: six digits with a two-digit year,
eight with a four-digit year.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

from veil.core import numbers
from veil.core.numbers import half_width, is_calendar_day, number_runs
from veil.core.registry import Registry

Check = Callable[[str], bool]
"""Whether a matched text, including its separators, is valid; never raises."""

CHECKS: Registry[Check] = Registry("check")

FIRST_YEAR = 1880
LAST_YEAR = 2100

_LEAP_YEAR = 2000
_ERAS = {
    "明治": (1868, 45),
    "大正": (1912, 15),
    "昭和": (1926, 64),
    "平成": (1989, 31),
    "令和": (2019, LAST_YEAR - 2018),
}
_ERA_NAMES = {
    short: era
    for era, letter in zip(_ERAS, "MTSHR", strict=True)
    for short in (era, era[0], letter)
}
_ERA_DATE = re.compile(
    rf"\s*({'|'.join(_ERA_NAMES)})[.\s]*(元|(?=[0-9〇一二三四五六七八九十]))(.*)", re.DOTALL
)


def is_date(text: str, *orders: str) -> bool:
    """Whether the text is a plausible date in one of these orders, such as "dmy" or "my"."""
    runs = number_runs(text)
    whole = len(runs) == 1 and len(runs[0]) in (6, 8)
    return any(
        _is_in_order(_cut(runs[0], order) if whole and len(order) == 3 else runs, order)
        for order in orders
    )


def is_date_yymmdd(text: str) -> bool:
    """Whether the text is a plausible date of six digits, year first."""
    runs = number_runs(text)
    return [len(run) for run in runs] in ([6], [2, 2, 2]) and is_date(text, "ymd")


def is_year(text: str) -> bool:
    """Whether the text is a four-digit year in which a patient may have lived."""
    runs = number_runs(text)
    return len(runs) == 1 and len(runs[0]) == 4 and _year(runs[0]) is not None


def is_japanese_era_date(text: str) -> bool:
    """Whether the text is a year, month or day of a modern era (元号): 平成23年3月5日, H23.3.5.

    The year must lie in the era. Months and days of its first and last year are not compared with
    the day on which the era changed: records hold dates written before a change was known.
    """
    match = _ERA_DATE.fullmatch(half_width(text))
    if match is None:
        return False
    first_year, last_year_of_era = _ERAS[_ERA_NAMES[match[1]]]
    runs = (["1"] if match[2] else []) + number_runs(match[3])
    if len(runs) == 1 and len(runs[0]) == 6:
        runs = _cut(runs[0], "ymd")
    if not 1 <= len(runs) <= 3 or any(2 < len(run) for run in runs):
        return False
    year, month, day = (*map(int, runs), *(1, 1)[len(runs) - 1 :])
    return 1 <= year <= last_year_of_era and is_calendar_day(first_year + year - 1, month, day)


def _cut(digits: str, order: str) -> list[str]:
    """Cut one run of digits into day and month of two digits each, and the year."""
    widths = [len(digits) - 4 if field == "y" else 2 for field in order]
    ends = list(accumulate(widths))
    return [digits[end - width : end] for end, width in zip(ends, widths, strict=True)]


def _is_in_order(runs: list[str], order: str) -> bool:
    """Whether the number of runs equals the number of fields and their values are valid."""
    if len(runs) != len(order):
        return False
    fields = dict(zip(order, runs, strict=True))
    year = _year(fields.pop("y")) if "y" in fields else _LEAP_YEAR
    if year is None or any(2 < len(run) for run in fields.values()):
        return False
    return is_calendar_day(year, int(fields["m"]), int(fields.get("d", "1")))


def _year(digits: str) -> int | None:
    """Return the year, with two digits in this century, or None if it is not plausible."""
    if len(digits) == 2:
        return _LEAP_YEAR + int(digits)
    if len(digits) == 4 and FIRST_YEAR <= int(digits) <= LAST_YEAR:
        return int(digits)
    return None


def _date_check(*orders: str) -> Check:
    return lambda text: is_date(text, *orders)


_CHECKS: dict[str, Check] = {
    "luhn": numbers.is_luhn,
    "card": numbers.is_payment_card,
    "imei": numbers.is_imei,
    "iban": numbers.is_iban,
    "vin": numbers.is_vin,
    "us-ssn": numbers.is_ssn,
    "us-itin": numbers.is_itin,
    "us-npi": numbers.is_npi,
    "us-dea": numbers.is_dea,
    "uk-nhs": numbers.is_nhs_number,
    "es-dni": numbers.is_dni,
    "es-nie": numbers.is_nie,
    "es-nif": numbers.is_nif,
    "es-nss": numbers.is_nss,
    "es-cif": numbers.is_cif,
    "mx-curp": numbers.is_curp,
    "se-personnummer": numbers.is_personnummer,
    "se-samordningsnummer": numbers.is_samordningsnummer,
    "se-reservnummer": numbers.is_reservnummer,
    "fi-personal-code": numbers.is_personal_code,
    "jp-my-number": numbers.is_my_number,
    "jp-corporate-number": numbers.is_corporate_number,
    "jp-hokenja": numbers.is_insurer_number,
    "jp-era-date": is_japanese_era_date,
    "date-dmy": _date_check("dmy"),
    "date-mdy": _date_check("mdy"),
    "date-ymd": _date_check("ymd"),
    "date-any": _date_check("dmy", "mdy", "ymd"),
    "date-yymmdd": is_date_yymmdd,
    "day-month": _date_check("dm"),
    "month-day": _date_check("md"),
    "day-month-any": _date_check("dm", "md"),
    "month-year": _date_check("my"),
    "year-month": _date_check("ym"),
    "year": is_year,
    "ipv4": numbers.is_ipv4,
    "ipv6": numbers.is_ipv6,
    "mac": numbers.is_mac,
}
for _name, _check in _CHECKS.items():
    CHECKS.add(_name, _check)
