"""Holidays and eras."""

from __future__ import annotations

from datetime import date

import pytest

from veil.languages.ja.dates import era_by_sign, sign_like
from veil.languages.ja.eras import ERAS, era_of
from veil.replace.dates.grammar import easter, read_rule


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (1818, (3, 22)),
        (1943, (4, 25)),
        (1954, (4, 18)),
        (1981, (4, 19)),
        (2000, (4, 23)),
        (2008, (3, 23)),
        (2019, (4, 21)),
        (2024, (3, 31)),
        (2049, (4, 18)),
        (2285, (3, 22)),
    ],
)
def test_easter(year: int, expected: tuple[int, int]) -> None:
    """Easter lies where the tables of the church have it, the extremes and exceptions included."""
    assert easter(year) == date(year, *expected)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("12-25", date(2023, 12, 25)),
        ("easter-2", date(2023, 4, 7)),
        ("easter+39", date(2023, 5, 18)),
        ("thu 11-22", date(2023, 11, 23)),
        ("mon 05-25", date(2023, 5, 29)),
        ("fri 06-19", date(2023, 6, 23)),
        ("sun 11-27", date(2023, 12, 3)),
    ],
)
def test_rules(rule: str, expected: date) -> None:
    """Fixed days, days around Easter, and weekdays from a day on."""
    assert read_rule(rule)(2023) == expected


def test_eras_begin_on_their_first_day() -> None:
    """The first day of an era belongs to it, the day before to the last one."""
    for index, era in enumerate(ERAS[1:], start=1):
        assert era_of(era.first_day) == index
        assert era_of(date.fromordinal(era.first_day.toordinal() - 1)) == index - 1
    with pytest.raises(ValueError, match="before the first era"):
        era_of(date(1868, 1, 24))


@pytest.mark.parametrize(
    ("sign", "expected"),
    [("平成", "令和"), ("平", "令"), ("H", "R"), ("h", "r"), ("Ｈ", "Ｒ"), ("㍻", "㋿")],
)
def test_signs_of_eras_keep_their_style(sign: str, expected: str) -> None:
    """Names, first characters, letters of both widths and square signs stand for each other."""
    assert sign_like(sign, 4)[0] == expected
    assert sign == "Ｈ" or era_by_sign(sign).name == "平成"
