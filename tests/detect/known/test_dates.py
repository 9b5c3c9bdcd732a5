from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from veil import Document
from veil.detect.known import Known, KnownDetector
from veil.detect.known.dates import parse_date
from veil.languages.ja.known import japanese_number

Mark = Callable[[str, Known, str], str]

BORN = Known(birth_dates="1948-03-12")
CASES = [
    ("en", "born ⟦March 12, 1948⟧ and ⟦Mar. 12, 1948⟧ and ⟦12 March 1948⟧"),
    ("en", "DOB ⟦03/12/1948⟧, ⟦3/12/48⟧, ⟦12/3/1948⟧, ⟦1948-03-12⟧, ⟦1948/3/12⟧, ⟦12.03.1948⟧"),
    ("en", "⟦19480312⟧, ⟦031248⟧, ⟦12-Mar-48⟧, ⟦12th of March, 1948⟧, ⟦12MAR1948⟧"),
    ("en", "born on ⟦March 12th⟧; birthday ⟦3/12⟧; born in ⟦1948⟧; birth in ⟦March 1948⟧"),
    ("en", "seen March 12, on 3/12 and since 1948; March 12, 1949; 12 April 1948"),
    ("en", "birth weight 3.12 kg, 03/13/1948, 13/03/1948, 12 03 48"),
    ("sv", "⟦1948-03-12⟧, ⟦480312⟧, ⟦12 mars 1948⟧, den ⟦12:e mars -48⟧, ⟦12/3 1948⟧, ⟦12/3-48⟧"),
    ("sv", "född ⟦12 mars⟧, f. ⟦1948⟧, född den ⟦12/3⟧"),
    ("sv", "den 12 mars, 12/3, år 1948; 480313; 12 mars 1949"),
    ("es", "⟦12 de marzo de 1948⟧, ⟦12/03/1948⟧, ⟦12-3-48⟧, ⟦12 mar 1948⟧, ⟦12 de marzo del 48⟧"),
    ("es", "nacida el ⟦12 de marzo⟧; nació en ⟦1948⟧; nacimiento: ⟦marzo de 1948⟧"),
    ("es", "el 12 de marzo; en 1948; 12 de marzo de 1958; 12/04/1948"),
    ("ja", "⟦昭和23年3月12日⟧生、⟦S23.3.12⟧、⟦昭和２３年３月１２日⟧、⟦s23/3/12⟧"),
    ("ja", "⟦1948年3月12日⟧、⟦１９４８．３．１２⟧、⟦1948-03-12⟧、⟦23年3月12日⟧"),
    ("ja", "⟦昭和二十三年三月十二日⟧、⟦一九四八年三月十二日⟧"),
    ("ja", "⟦3月12日⟧生まれ、⟦昭和23年⟧生、⟦1948年⟧生まれ。当院を平成30年3月12日に受診した。"),
    ("ja", "入院は3月12日、昭和24年3月12日、平成23年3月12日。"),
]


@pytest.mark.parametrize(("language", "marked"), CASES)
def test_a_birth_date_is_found_where_it_is_marked(mark: Mark, language: str, marked: str) -> None:
    """All styles of the date are found, its parts near words of birth alone, and no other date."""
    assert mark(language, BORN, marked) == marked


def test_spans_of_dates_say_whether_they_are_partial() -> None:
    """A part of a date is less sure than a whole one."""
    doc = Document("note", "born 3/12, that is 3/12/1948")
    spans = KnownDetector("en", known={"note": BORN}).detect(doc)
    found = [(span.label, span.source, span.score) for span in spans]
    assert found == [("DATE", "known:date/partial", 0.8), ("DATE", "known:date", 1.0)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1948-03-12", {date(1948, 3, 12)}),
        ("1948-03-12T00:00:00Z", {date(1948, 3, 12)}),
        ("1948-03-12 00:00", {date(1948, 3, 12)}),
        ("19480312", {date(1948, 3, 12)}),
        ("12031948", {date(1948, 3, 12), date(1948, 12, 3)}),
        ("25/12/1948", {date(1948, 12, 25)}),
        ("03/12/1948", {date(1948, 3, 12), date(1948, 12, 3)}),
        ("March 12, 1948", {date(1948, 3, 12)}),
        ("12 de marzo de 1948", {date(1948, 3, 12)}),
        ("12 mars 1948", {date(1948, 3, 12)}),
        ("12-Mar-1948", {date(1948, 3, 12)}),
        ("昭和23年3月12日", {date(1948, 3, 12)}),
        ("S23.3.12", {date(1948, 3, 12)}),
        ("平成元年5月1日", {date(1989, 5, 1)}),
        ("1948年3月12日", {date(1948, 3, 12)}),
        ("1948", set()),
        ("1948-02-30", set()),
        ("tomorrow", set()),
        ("", set()),
        ("12 mars 1948" + " " * 100 + ".", set()),
    ],
)
def test_written_dates_are_read(written: str, expected: set[date]) -> None:
    """A written date gives the days that it may mean, or none."""
    assert set(parse_date(written)) == expected


def test_two_digit_years_may_mean_any_century() -> None:
    """Of two digits nobody knows the century."""
    assert {date(1948, 3, 12), date(2048, 3, 12)} <= set(parse_date("480312"))


@pytest.mark.parametrize(
    ("written", "value"),
    [("23", 23), ("二十三", 23), ("二三", 23), ("十", 10), ("百二", 102), ("元", 1)],
)
def test_japanese_numbers_are_read(written: str, value: int) -> None:
    """Digits, kanji by place and kanji by digit are numbers."""
    assert japanese_number(written) == value
