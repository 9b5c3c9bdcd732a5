"""What is always true of shifted dates, over generated dates, writings and languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import Document, Span
from veil.core.document import Spans
from veil.replace.base import Case
from veil.replace.dates import DateShifter, order_of, shifted
from veil.replace.generalise.dates import generalised
from veil.replace.secret import Key, Secret

Writing = Callable[[date], str]

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
}
SHORT_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "sv": "jan feb mar apr maj jun jul aug sep okt nov dec",
}
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "sv": "måndag tisdag onsdag torsdag fredag lördag söndag",
    "ja": "月 火 水 木 金 土 日",
}
ROMAN = "I II III IV V VI VII VIII IX X XI XII".split()
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
KANJI = "〇一二三四五六七八九"


def month(language: str, when: date) -> str:
    return MONTHS[language].split()[when.month - 1]


def short_month(language: str, when: date) -> str:
    return SHORT_MONTHS[language].split()[when.month - 1]


def weekday(language: str, when: date) -> str:
    return WEEKDAYS[language].split()[when.weekday()]


def ordinal(day: int) -> str:
    if day in (11, 12, 13):
        return f"{day}th"
    return f"{day}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th') }".replace(" ", "")


def swedish_ordinal(day: int) -> str:
    return f"{day}:{'a' if day in (1, 2, 21, 22, 31) else 'e'}"


def kanji(number: int) -> str:
    """A number below a hundred with tens: 二十三."""
    tens, ones = divmod(number, 10)
    high = ("" if tens == 1 else KANJI[tens]) + "十" if tens else ""
    return high + (KANJI[ones] if ones else "")


def era(when: date, *, letter: bool = False) -> str:
    """The year in its era, from 1927 on."""
    if date(2019, 5, 1) <= when:
        name, year = "R令和", when.year - 2018
    elif date(1989, 1, 8) <= when:
        name, year = "H平成", when.year - 1988
    else:
        name, year = "S昭和", when.year - 1925
    return name[0] + str(year) if letter else name[1:] + ("元" if year == 1 else str(year))


# Full dates as the records of one house have them: the order of numbers is the same in all.
HOUSES: dict[str, tuple[str, list[Writing]]] = {
    "en-us": (
        "en",
        [
            lambda d: f"{d.month}/{d.day}/{d.year}",
            lambda d: f"{d:%m/%d/%Y}",
            lambda d: f"{d.month}/{d.day}/{d:%y}",
            lambda d: f"{d:%m-%d-%y}",
            lambda d: f"{d:%m.%d.%Y}",
            lambda d: f"{d:%Y-%m-%d}",
            lambda d: f"{d:%Y-%m-%d}T10:30:00Z",
            lambda d: f"{d:%Y%m%d}",
            lambda d: f"{month('en', d)} {d.day}, {d.year}",
            lambda d: f"{month('en', d).upper()} {ordinal(d.day).upper()}, {d.year}",
            lambda d: f"{short_month('en', d)} {d.day} {d.year}",
            lambda d: f"{d:%d}-{short_month('en', d).upper()}-{d:%y}",
            lambda d: f"{d:%d}{short_month('en', d).upper()}{d.year}",
            lambda d: f"{weekday('en', d)}, {month('en', d)} {d.day}, {d.year} at 9:15 am",
            lambda d: f"{weekday('en', d)[:3]} {d.month}/{d.day}/{d:%y}",
        ],
    ),
    "en-uk": (
        "en",
        [
            lambda d: f"{d.day}/{d.month}/{d.year}",
            lambda d: f"{d:%d/%m/%y}",
            lambda d: f"{d:%d.%m.%Y}",
            lambda d: f"{d.day} {month('en', d)} {d.year}",
            lambda d: f"{d.day}-{short_month('en', d)}-{d:%y}",
            lambda d: f"{ordinal(d.day)} of {month('en', d).lower()} {d.year}",
            lambda d: f"{weekday('en', d)} the {ordinal(d.day)} of {month('en', d)}, {d.year}",
        ],
    ),
    "es": (
        "es",
        [
            lambda d: f"{d:%d/%m/%Y}",
            lambda d: f"{d.day}-{d.month}-{d.year}",
            lambda d: f"{d.day}/{d.month}/{d:%y}",
            lambda d: f"{d:%d%m%Y}",
            lambda d: f"{d:%Y/%m/%d}",
            lambda d: f"{d.day} de {month('es', d)} de {d.year}",
            lambda d: f"{d.day} DE {month('es', d).upper()} DEL {d.year}",
            lambda d: f"{d.day}-{ROMAN[d.month - 1]}-{d.year}",
            lambda d: f"{d:%d}/{short_month('es', d).upper()}/{d.year}",
            lambda d: f"{d.day} {short_month('es', d)} {d.year}",
            lambda d: f"{weekday('es', d)}, {d.day} de {month('es', d)} de {d.year}",
            lambda d: f"{weekday('es', d).capitalize()} {d:%d/%m/%Y} a las 10:30 h",
        ],
    ),
    "sv": (
        "sv",
        [
            lambda d: f"{d:%Y-%m-%d}",
            lambda d: f"{d:%Y%m%d}",
            lambda d: f"{d:%y%m%d}",
            lambda d: f"{d:%y-%m-%d}",
            lambda d: f"{d.day}.{d.month}.{d.year}",
            lambda d: f"{d.day}/{d.month}-{d:%y}",
            lambda d: f"{d.day}/{d.month} -{d:%y}",
            lambda d: f"{d.day}/{d.month} {d.year}",
            lambda d: f"{d.day} {month('sv', d)} {d.year}",
            lambda d: f"{d.day} {short_month('sv', d)} -{d:%y}",
            lambda d: f"den {swedish_ordinal(d.day)} {month('sv', d)} {d.year}",
            lambda d: f"{weekday('sv', d)}en den {d.day} {month('sv', d)} {d.year} kl 10.15",
        ],
    ),
    "ja": (
        "ja",
        [
            lambda d: f"{d.year}年{d.month}月{d.day}日",
            lambda d: f"{d.year}年{d.month}月{d.day}日（{weekday('ja', d)}）14時30分",
            lambda d: f"{d.year}年{d.month}月{d.day}日".translate(WIDE) + "より",
            lambda d: f"{d.year}/{d.month}/{d.day}({weekday('ja', d)}) 10:30",
            lambda d: f"{d:%Y/%m/%d}",
            lambda d: f"{d.year}．{d.month}．{d.day}".translate(WIDE),
            lambda d: f"{d:%y%m%d}",
            lambda d: f"{d:%y/%m/%d}",
            lambda d: f"{era(d)}年{d.month}月{d.day}日",
            lambda d: f"{era(d, letter=True)}.{d.month}.{d.day}",
            lambda d: f"{era(d, letter=True)}/{d:%m/%d}",
            lambda d: f"{era(d)}年（{d.year}年）{d.month}月{d.day}日頃",
            lambda d: (
                "".join(KANJI[int(digit)] for digit in str(d.year))
                + f"年{kanji(d.month)}月{kanji(d.day)}日"
            ),
        ],
    ),
}
# Records hold dates that leave no doubt about padding, order and names.
CLEAR = (date(2004, 3, 5), date(2004, 3, 25), date(2031, 1, 4))
TWO_DIGITS = date(2011, 12, 20)
DIGIT = re.compile(r"\d")

dates = st.dates(date(1945, 1, 1), date(2035, 12, 31))
shifts = st.integers(-1500, 1500)
houses = st.sampled_from(sorted(HOUSES))


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Writing]:
    language, writings = HOUSES[draw(houses)]
    return language, draw(st.sampled_from(writings))


@given(written(), dates, shifts)
def test_shifted_date_is_written_as_any_other(
    language_and_writing: tuple[str, Writing], when: date, days: int
) -> None:
    """A shifted date is the text that the same hand had written for that day, and back again."""
    language, write = language_and_writing
    order = order_of(map(write, CLEAR), language)
    new = shifted(write(when), language, days, order=order)
    assert new == write(when + timedelta(days))
    assert shifted(new, language, -days, order=order) == write(when)


def skeleton(text: str) -> str:
    return DIGIT.sub("9", text)


def is_padded(language_and_writing: tuple[str, Writing]) -> bool:
    """Whether a writing has the same length on all days."""
    write = language_and_writing[1]
    return len({skeleton(write(when)) for when in (*CLEAR, TWO_DIGITS)}) == 1


@given(written().filter(is_padded), dates, shifts)
def test_padded_dates_keep_their_length_and_marks(
    language_and_writing: tuple[str, Writing], when: date, days: int
) -> None:
    """Numeric dates with padding keep it without the help of a record."""
    language, write = language_and_writing
    new = shifted(write(when), language, days)
    assert new is not None
    assert skeleton(new) == skeleton(write(when))


@given(houses, st.lists(st.tuples(dates, st.integers(0, 99)), min_size=2, max_size=6), st.data())
def test_intervals_and_order_of_a_record_are_kept(
    house: str, entries: list[tuple[date, int]], data: st.DataObject
) -> None:
    """All full dates of a record move by the same number of days, however each is written."""
    language, writings = HOUSES[house]
    # Writings that look alike where all numbers have two digits are not used side by side.
    writings = list({write(TWO_DIGITS)[:10]: write for write in writings}.values())
    chosen = [(when, writings[number % len(writings)]) for when, number in entries]
    chosen += [(when, write) for _, write in chosen for when in CLEAR]
    text, spans = "", []
    for when, write in chosen:
        spans.append(Span(len(text), len(text) + len(write(when)), "DATE"))
        text += write(when) + "\n"
    document = Document("r", text, language)
    patient = data.draw(st.text(max_size=5))
    case = Case(document, Spans(document, spans), Secret(Key(b"0123456789abcdef"), patient))
    shifter = DateShifter()
    days = timedelta(shifter.days(case))
    new = [shifter.replace(case, span) for span in case.spans]
    assert new == [write(when + days) for when, write in chosen]


@given(written(), dates)
def test_generalised_date_tells_its_year_alone(
    language_and_writing: tuple[str, Writing], when: date
) -> None:
    """All days of a year and a writing are generalised to the same text, with that year."""
    language, write = language_and_writing
    order = order_of([*map(write, CLEAR), f"{when.year}-12-31"], language)
    year = generalised(write(when), language, "year", order=order)
    assert year is not None
    assert str(when.year) in year
    assert year == generalised(write(date(when.year, 1, 30)), language, "year", order=order)


@pytest.mark.parametrize("language", ["en", "es", "sv"])
@given(dates, shifts)
def test_months_and_years_move_as_their_middle(language: str, when: date, days: int) -> None:
    """A month with its year moves as its 15th does, a year as its 2 July."""
    name = month(language, when)
    moved = when.replace(day=15) + timedelta(days)
    expected = f"{month(language, moved)} {moved.year}"
    assert shifted(f"{name} {when.year}", language, days) == expected
    year = (date(when.year, 7, 2) + timedelta(days)).year
    assert shifted(str(when.year), language, days) == str(year)


@given(
    st.sampled_from(["en", "es", "sv", "ja"]),
    st.text("0123456789/-.,' ()年月日平成HRX元火日～同翌marMARjuniº:e", max_size=14),
    shifts,
)
def test_no_text_is_too_odd(language: str, text: str, days: int) -> None:
    """Any text is shifted or refused, and a shift of 0 days changes nothing."""
    assert shifted(text, language, 0) in (None, text)
    new = shifted(text, language, days)
    assert new is None or isinstance(new, str)
    assert generalised(text, language) != ""
