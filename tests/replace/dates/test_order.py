"""The order of day, month and year that the dates of a record show."""

from __future__ import annotations

import pytest

from veil.replace.dates import order_of, shifted


@pytest.mark.parametrize(
    ("language", "texts", "day_first"),
    [
        ("en", [], False),
        ("en", ["3/5/2019", "4/6"], False),
        ("en", ["3/5/2019", "25/12/2019"], True),
        ("en", ["25/12", "12/25", "12/26/19"], False),
        ("en", ["12/03/2019", "14 February 2019"], True),
        ("en", ["12/03/2019", "February 14, 2019"], False),
        ("en", ["12/25/2019", "14 February 2019"], False),
        # 5 March 2019 was a Tuesday, 3 May a Friday.
        ("en", ["Tuesday 5/3/2019"], True),
        ("en", ["Friday 5/3/2019"], False),
        ("es", ["3/5/2019"], True),
        ("es", ["05/25/2008"], False),
        ("sv", ["3/5"], True),
        ("ja", ["3/5"], False),
    ],
)
def test_day_or_month_first(language: str, texts: list[str], day_first: bool) -> None:
    """Dates that leave no doubt decide, then a weekday, words, and what is usual."""
    assert order_of(texts, language).day_first is day_first


@pytest.mark.parametrize(
    ("language", "texts", "text", "expected"),
    [
        ("en", ["25/12/2019"], "3/5/2019", "2/6/2019"),
        ("en", ["12/25/2019"], "3/5/2019", "4/4/2019"),
        ("en", ["12/25/2019"], "25/12/2019", "24/01/2020"),
        ("en", ["99-12-31"], "03-05-06", "03-06-05"),
        ("sv", ["14/3-19"], "190430", "190530"),
        ("sv", ["31.12.99"], "01.02.03", "03.03.03"),
        ("sv", ["31.12.99"], "01-02-03", "01-03-05"),
    ],
)
def test_order_of_a_record_reads_its_other_dates(
    language: str, texts: list[str], text: str, expected: str
) -> None:
    """An ambiguous date is read as the others are, one that then were none in its own way.

    Where the year stands is decided for each mark between the numbers.
    """
    assert shifted(text, language, 30, order=order_of(texts, language)) == expected


@pytest.mark.parametrize(
    ("language", "texts", "text", "expected"),
    [
        ("en", ["3/5/2019"], "12/10/2019", "1/9/2020"),
        ("en", ["03/05/2019"], "12/10/2019", "01/09/2020"),
        ("en", ["Mar 5, 2019"], "May 10, 2019", "Jun 9, 2019"),
        ("en", ["March 5, 2019"], "May 10, 2019", "June 9, 2019"),
        ("en", ["05 AUG 2008"], "10 DEC 2008", "09 JAN 2009"),
        ("sv", ["05-03"], "12-10", "11-11"),
        ("ja", ["2019/03/05"], "2019/12/10", "2020/01/09"),
        ("ja", ["2019/3/5"], "2019/12/10", "2020/1/9"),
    ],
)
def test_habits_of_a_record(language: str, texts: list[str], text: str, expected: str) -> None:
    """What a date leaves open, padding and short names of months, is as in the others."""
    assert shifted(text, language, 30, order=order_of(texts, language)) == expected


def test_years_of_two_digits() -> None:
    """A year of two digits lies not far beyond the last one that the record writes out."""
    order = order_of(["3/5/2019"], "en")
    assert [order.full_year(year) for year in (19, 25, 46, 99, 1946)] == [
        *(2019, 2025, 1946, 1999, 1946)
    ]
    assert order_of(["3/5/1946"], "en").full_year(19) == 2019
