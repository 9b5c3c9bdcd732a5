"""The action "shift" over whole records."""

from __future__ import annotations

import re
from typing import Any

import pytest

from veil import Document, Span
from veil.core.document import Spans
from veil.core.errors import InputError
from veil.replace.base import REPLACERS, Case
from veil.replace.dates import DateShifter
from veil.replace.secret import Key, Secret

KEY = Key(b"0123456789abcdef")
MARKED = re.compile(r"\[(?:(TIME)\|)?([^\]]*)\]")


def case_of(marked: str, language: str, *, patient: str = "p1", key: Key = KEY) -> Case:
    """A case of a text with its dates in square brackets."""
    text, spans, position = "", [], 0
    for match in MARKED.finditer(marked):
        text += marked[position : match.start()]
        spans.append(Span(len(text), len(text) + len(match[2]), match[1] or "DATE"))
        text += match[2]
        position = match.end()
    document = Document("r", text + marked[position:], language)
    return Case(document, Spans(document, spans), Secret(key, patient))


def shift(marked: str, language: str, **options: Any) -> list[str]:
    """The new texts of a record's dates."""
    case = case_of(marked, language)
    shifter = DateShifter(**options)
    return [shifter.replace(case, span) for span in case.spans]


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        (
            "en",
            "DOB [11/02/1946]. Admitted [03/09/2019] after Ash Wednesday, echo [3/10], cath on "
            "[Monday], home [Thursday, March 14]. Quit in ['98].",
            ["12/02/1946", "04/08/2019", "4/9", "Wednesday", "Saturday, April 13", "'98"],
        ),
        (
            "en",
            "Seen [05/06/2015] and [16/06/2015]; review [2/7].",
            ["05/07/2015", "16/07/2015", "1/8"],
        ),
        (
            "es",
            "Ingreso el [30/12/2019], TC el [2/1] y el [mar 7/1], alta el [9 de enero].",
            ["29/01/2020", "1/2", "jue 6/2", "8 de febrero"],
        ),
        (
            "es",
            "Visto el [3/5/2023]; grapas fuera el [20], vuelve el [jueves 11] y el [MART 23], baja "
            "del [9] al [18 de mayo] y antes del [28 del mismo mes].",
            ["2/6/2023", "19", "sábado 10", "JUE 22", "8", "17 de junio", "27 del mismo mes"],
        ),
        (
            "es",
            "Visto el [3/3/2022] y antes, el [lunes 31].",
            ["2/4/2022", "miércoles 2"],
        ),
        (
            "sv",
            "Född [520314]. Inskriven [2023-12-28], op [30/12], ut [3/1-24], åter [v 8] eller "
            "[fre 1/3].",
            ["520413", "2024-01-27", "29/1", "2/2-24", "v 12", "sön 31/3"],
        ),
        (
            "ja",
            "[昭和32年11月4日]生。[2024年2月9日]入院。[12日]にEST、[同月20日]退院。[同年3月6日(水)]再診。",
            ["昭和32年12月4日", "2024年3月10日", "13日", "同月21日", "同年4月5日(金)"],
        ),
    ],
)
def test_record(language: str, marked: str, expected: list[str]) -> None:
    """Orders, years and months come from the other dates of the record, not from births."""
    assert shift(marked, language, days=30) == expected


def test_leap_years_come_from_the_anchor() -> None:
    """Days without a year keep their distance to full dates, over a leap day as well."""
    assert shift("[2020-02-20], [28/2]", "sv", days=5) == ["2020-02-25", "4/3"]
    assert shift("[2019-02-20], [28/2]", "sv", days=5) == ["2019-02-25", "5/3"]


def test_first_full_date_helps_those_before_it() -> None:
    """A date before the first full one takes its year from that."""
    assert shift("[28/2], [2020-02-20]", "sv", days=5) == ["4/3", "2020-02-25"]


@pytest.mark.parametrize(
    ("language", "text", "label"),
    [
        ("en", "yesterday", "DATE"),
        ("en", "three weeks later", "DATE"),
        ("en", "10:30", "TIME"),
        ("sv", "10.12", "TIME"),
        ("sv", "i förrgår", "DATE"),
        ("es", "al día siguiente", "DATE"),
        ("ja", "3日前", "TIME"),
        ("ja", "翌日", "TIME"),
        ("ja", "入院3日目", "TIME"),
        ("ja", "産褥5日", "TIME"),
        ("ja", "同日16時頃", "TIME"),
        ("ja", "○年○月○日", "DATE"),
    ],
)
def test_what_is_relative_stays(language: str, text: str, label: str) -> None:
    """Relative expressions and times of day hold no calendar date."""
    assert shift(f"[TIME|{text}]" if label == "TIME" else f"[{text}]", language) == [text]


def test_calendar_date_under_the_label_of_times_is_shifted() -> None:
    """Japanese models give one label to dates and times."""
    assert shift("[TIME|2024/2/14 17:42]に", "ja", days=30) == ["2024/3/15 17:42"]


@pytest.mark.parametrize("text", ["Wednseday", "31/02/2015", "Ramadan", "2 fingers"])
def test_what_cannot_be_read_is_replaced_by_its_label(text: str) -> None:
    """An unreadable date is never left standing."""
    assert shift(f"[{text}]", "en", days=30) == ["[DATE]"]


def test_days_are_drawn_once_for_a_patient() -> None:
    """The same patient and key give the same days in every record, others do not."""
    shifter = DateShifter()
    first, second = case_of("[3/5/2019]", "en"), case_of("[14/3]", "sv")
    assert shifter.days(first) == shifter.days(second)
    others = {shifter.days(case_of("", "en", patient=f"p{number}")) for number in range(50)}
    assert 30 < len(others)
    assert shifter.days(first) != shifter.days(case_of("", "en", key=Key(b"another key of 16")))


@pytest.mark.parametrize("longest", [7, 40, 400, 1500, 4000])
def test_drawn_days_keep_the_season(longest: int) -> None:
    """Days lie within a month of whole years, in both directions, and are never whole years."""
    shifter = DateShifter(longest=longest, keep_season=True)
    drawn = [shifter.days(case_of("", "en", patient=f"p{n}")) for n in range(300)]
    for days in drawn:
        beyond = abs(days - 365.25 * round(days / 365.25))
        assert 2 <= beyond <= 30
        assert abs(days) <= longest
    assert min(drawn) < 0 < max(drawn)


def test_all_days_are_drawn_unless_weekday_or_season_stay() -> None:
    """Any number of days from a week to five years to either side is possible, as documented."""
    shifter = DateShifter()
    assert len(shifter.shifts) == 3606
    assert len(DateShifter(keep_weekday=True).shifts) == 518
    assert len(DateShifter(keep_season=True).shifts) == 556
    drawn = [shifter.days(case_of("", "en", patient=f"p{n}")) for n in range(300)]
    assert any(60 < abs(days) % 365 < 300 for days in drawn)
    assert any(days % 7 for days in drawn)
    assert all(7 <= abs(days) <= 1826 for days in drawn)


def test_weekdays_stay_on_request() -> None:
    """With `keep_weekday` a shift is of whole weeks, and the words for weekdays stay."""
    shifter = DateShifter(keep_weekday=True)
    assert all(days % 7 == 0 for days in shifter.shifts)
    case = case_of("[Monday, March 4, 2019]", "en")
    assert shifter.replace(case, case.spans[0]).startswith("Monday")


@pytest.mark.parametrize(
    "options",
    [
        {"days": "30"},
        {"days": True},
        {"longest": 3},
        {"keep_season": 1},
        {"keep_weekday": 0},
        {"day": 3},
    ],
)
def test_wrong_options(options: dict[str, Any]) -> None:
    """A wrong option of a policy is an error that names the action."""
    with pytest.raises(InputError, match="action 'shift'"):
        REPLACERS.get("shift")(options)


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("sv", "bedömd [14]-[16 nov 2022]", ["4", "6 dec 2022"]),
        ("sv", "vårdad mellan [5] och [11 maj]", ["25", "31 maj"]),
        ("sv", "natten [30]-[2 jan 2021]", ["19", "22 jan 2021"]),
        ("en", "seen [5]-[7 May 2020]", ["25", "27 May 2020"]),
    ],
)
def test_a_range_in_two_spans(language: str, marked: str, expected: list[str]) -> None:
    """The day with which a range begins takes its month from the date behind it."""
    assert shift(marked, language, days=20) == expected


def test_a_year_of_two_digits_behind_its_mark() -> None:
    """A number alone is a year behind a hyphen or an apostrophe, and nothing elsewhere."""
    years = shift("fraktur -[09], op '[18], säng [12] [2021-03-30]", "sv", days=730)
    assert years == ["11", "20", "[DATE]", "2023-03-30"]


def test_short_words_and_blanks_of_swedish_dates() -> None:
    """Shortened weekdays are read, and a date with blanks keeps the two digits of its days."""
    assert shift("[2023 11 16], kommer [lörd], till [advent]", "sv", days=20) == [
        "2023 12 06",
        "fre",
        "december",
    ]
