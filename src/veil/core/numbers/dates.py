"""Dates written in numbers: whether the calendar has such a day.

What stands between the numbers is the business of the pattern that matched. A date may also be one
run of digits: six with a year of two digits, eight with a year of four.
"""

from __future__ import annotations

import calendar
import re
from itertools import accumulate

from veil.core.numbers.folding import fold, number_runs

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


def is_calendar_day(year: int, month: int, day: int) -> bool:
    """Whether that month of that year has that day."""
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def is_date_dmy(text: str) -> bool:
    """Whether the text is a plausible date, day first."""
    return _is_date(text, "dmy")


def is_date_mdy(text: str) -> bool:
    """Whether the text is a plausible date, month first."""
    return _is_date(text, "mdy")


def is_date_ymd(text: str) -> bool:
    """Whether the text is a plausible date, year first."""
    return _is_date(text, "ymd")


def is_date_any(text: str) -> bool:
    """Whether the text is a plausible date in one of the three orders."""
    return is_date_dmy(text) or is_date_mdy(text) or is_date_ymd(text)


def is_date_yymmdd(text: str) -> bool:
    """Whether the text is a plausible date of six digits, year first."""
    runs = number_runs(text)
    return [len(run) for run in runs] in ([6], [2, 2, 2]) and _is_date(text, "ymd")


def is_day_month(text: str) -> bool:
    """Whether the text is a day and a month."""
    return _is_in_order(number_runs(text), "dm")


def is_month_day(text: str) -> bool:
    """Whether the text is a month and a day."""
    return _is_in_order(number_runs(text), "md")


def is_day_month_any(text: str) -> bool:
    """Whether the text is a day and a month in either order."""
    return is_day_month(text) or is_month_day(text)


def is_month_year(text: str) -> bool:
    """Whether the text is a month and a year."""
    return _is_in_order(number_runs(text), "my")


def is_year_month(text: str) -> bool:
    """Whether the text is a year and a month."""
    return _is_in_order(number_runs(text), "ym")


def is_year(text: str) -> bool:
    """Whether the text is a year of four digits in which a patient may have lived."""
    runs = number_runs(text)
    return len(runs) == 1 and len(runs[0]) == 4 and _year(runs[0]) is not None


def is_japanese_era_date(text: str) -> bool:
    """Whether the text is a year, month or day of a modern era (元号): 平成23年3月5日, H23.3.5.

    The year must lie in the era. Months and days of its first and last year are not held against
    the day on which the era changed: records hold dates written before a change was known.
    """
    match = _ERA_DATE.fullmatch(fold(text))
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


def _is_date(text: str, order: str) -> bool:
    runs = number_runs(text)
    if len(runs) == 1 and len(runs[0]) in (6, 8):
        runs = _cut(runs[0], order)
    return _is_in_order(runs, order)


def _cut(digits: str, order: str) -> list[str]:
    """Cut one run of digits into day and month of two digits each, and the year."""
    widths = [len(digits) - 4 if field == "y" else 2 for field in order]
    ends = list(accumulate(widths))
    return [digits[end - width : end] for end, width in zip(ends, widths, strict=True)]


def _is_in_order(runs: list[str], order: str) -> bool:
    """Whether these are as many numbers as the order has fields, and fit them."""
    if len(runs) != len(order):
        return False
    fields = dict(zip(order, runs, strict=True))
    year = _year(fields.pop("y")) if "y" in fields else _LEAP_YEAR
    if year is None or any(2 < len(run) for run in fields.values()):
        return False
    return is_calendar_day(year, int(fields["m"]), int(fields.get("d", "1")))


def _year(digits: str) -> int | None:
    """Return the year, that of two digits in this century, or None where it is none."""
    if len(digits) == 2:
        return _LEAP_YEAR + int(digits)
    if len(digits) == 4 and FIRST_YEAR <= int(digits) <= LAST_YEAR:
        return int(digits)
    return None
