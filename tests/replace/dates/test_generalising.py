"""Dates made less exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.replace.generalise.dates import generalised

if TYPE_CHECKING:
    from veil.replace.generalise.dates import Level


@pytest.mark.parametrize(
    ("language", "text", "to", "expected"),
    [
        ("en", "March 5, 2019", "year", "2019"),
        ("en", "March 5, 2019", "month", "March 2019"),
        ("en", "March 5, 2019", "decade", "2010s"),
        ("en", "Tues 3/5/19 10:30", "year", "2019"),
        ("en", "3/5/19", "month", "March 2019"),
        ("en", "summer of 2015", "year", "2015"),
        ("en", "summer of 2015", "month", "summer of 2015"),
        ("en", "Christmas 2013", "year", "2013"),
        ("en", "2009", "year", "2009"),
        ("en", "'09", "year", "'09"),
        ("en", "2009", "month", "2009"),
        ("en", "late 2012", "year", "2012"),
        ("en", "1980s", "year", "1980s"),
        ("en", "MARCH 2019", "month", "MARCH 2019"),
        ("en", "Dec 30, 2013 - Jan 2, 2014", "year", "2013-2014"),
        ("en", "3-5 May 2021", "year", "2021"),
        ("en", "2012-2014", "year", "2012-2014"),
        ("es", "3 de mayo de 2019", "month", "mayo de 2019"),
        ("es", "del 3 al 5 de mayo de 2010", "year", "2010"),
        ("es", "3/5/98", "decade", "década de 1990"),
        ("sv", "230314", "month", "mars 2023"),
        ("sv", "v 9 2024", "year", "2024"),
        ("sv", "2023-03-14 kl 10.15", "decade", "2020-talet"),
        ("ja", "平成23年3月5日（土）より", "year", "2011年より"),
        ("ja", "H23.3.5", "month", "2011年3月"),
        ("ja", "令和元年", "year", "令和元年"),
        ("ja", "2018年末", "year", "2018年"),
        ("ja", "2019/3/5～2020/3/10", "year", "2019年～2020年"),
    ],
)
def test_generalised(language: str, text: str, to: Level, expected: str) -> None:
    """Only what the level allows is left; what is as coarse already stays."""
    assert generalised(text, language, to) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "March 5"),
        ("en", "3/5"),
        ("en", "Monday"),
        ("en", "Christmas"),
        ("en", "summer"),
        ("en", "20XX-03-05"),
        ("en", "yesterday"),
        ("en", "12345"),
        ("es", "3 de mayo"),
        ("sv", "v 14"),
        ("ja", "3月5日"),
        ("ja", "昨年12月"),
        ("ja", "同日"),
    ],
)
@pytest.mark.parametrize("to", ["year", "month", "decade"])
def test_without_a_year_nothing_may_stay(language: str, text: str, to: Level) -> None:
    """A text that does not tell its year must be removed."""
    assert generalised(text, language, to) is None
