"""Check digits: completed numbers pass, changed ones fail, and no text makes a check raise."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.core import numbers
from veil.core.checks import CHECKS
from veil.core.numbers import luhn_digit
from veil.languages import language_codes

DIGIT = "0123456789"
PIECES = [
    *DIGIT,
    *"〇一十元年月日平成令和HXKM",
    "０",
    "５",
    "-",
    "+",
    ".",
    "/",
    " ",
    ":",
    "::",
    "\u00ad",
]
TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
DAYS = st.dates(date(1900, 1, 1), date(2099, 12, 31))


def digits(length: int) -> st.SearchStrategy[str]:
    return st.text(DIGIT, min_size=length, max_size=length)


def with_luhn(starts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return starts.map(lambda start: start + luhn_digit(start))


def swedish(day: date, serial: str, added: int) -> str:
    start = f"{day:%y%m}{day.day + added}{serial}" if added else f"{day:%y%m%d}{serial}"
    return f"{day.year // 100}{start}{luhn_digit(start)}"


def with_vin_digit(start: str) -> str:
    return f"{start[:8]}{numbers.vin_check_digit(start)}{start[9:]}"


COMPLETED: dict[str, st.SearchStrategy[str]] = {
    "luhn": with_luhn(st.text(DIGIT, min_size=1, max_size=20)),
    "card": with_luhn(digits(14).map("4".__add__)),
    "imei": with_luhn(digits(14)),
    "us-npi": digits(8).map("1".__add__).map(lambda d: d + numbers.npi_digit(d)),
    "us-dea": digits(6).map(lambda d: f"MS{d}{numbers.dea_digit(d)}"),
    "uk-nhs": digits(8)
    .map("9".__add__)
    .filter(lambda d: numbers.nhs_digit(d) is not None)
    .map(lambda d: f"{d}{numbers.nhs_digit(d)}"),
    "es-dni": digits(8).map(lambda d: d + numbers.dni_letter(int(d))),
    "es-nie": st.builds(
        lambda prefix, d: f"{prefix}{d}{numbers.nie_letter(prefix, d)}",
        st.sampled_from("XYZ"),
        digits(7),
    ),
    "es-nss": st.builds(
        lambda province, number: f"{province:02}{number:08}{numbers.nss_digits(province, number)}",
        st.integers(1, 52),
        st.integers(0, 99_999_999),
    ),
    "es-cif": digits(7).map(lambda d: f"B{d}{numbers.cif_digit(d)}"),
    "iban": digits(20).map(lambda d: f"ES{numbers.iban_check_digits('ES', d)}{d}"),
    "vin": st.text("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", min_size=17, max_size=17).map(
        with_vin_digit
    ),
    "mx-curp": DAYS.filter(lambda day: day.year < 2000)
    .map(lambda day: f"XEXX{day:%y%m%d}HNEXXX0")
    .map(lambda start: start + numbers.curp_digit(start)),
    "se-personnummer": st.builds(swedish, DAYS, digits(3), st.just(0)),
    "se-samordningsnummer": st.builds(swedish, DAYS, digits(3), st.just(60)),
    "jp-my-number": digits(11).map(lambda d: d + numbers.my_number_check_digit(d)),
    "jp-corporate-number": digits(12).map(lambda d: numbers.corporate_number_check_digit(d) + d),
    "jp-hokenja": with_luhn(digits(3).map("0613".__add__)),
}

# Formulas under which any one changed digit changes the check digit.
SURE = [
    *("luhn", "card", "imei", "us-npi", "uk-nhs", "es-dni", "es-nie", "es-cif", "iban"),
    *("se-personnummer", "se-samordningsnummer", "jp-hokenja"),
]


@pytest.mark.parametrize("check", COMPLETED)
@given(data=st.data())
def test_completed_numbers_pass(check: str, data: st.DataObject) -> None:
    """A number with the check digit computed for it is accepted."""
    assert CHECKS.get(check)(data.draw(COMPLETED[check]))


@pytest.mark.parametrize("check", SURE)
@given(data=st.data())
def test_one_changed_digit_fails(check: str, data: st.DataObject) -> None:
    """Where the formula is sure to see it, a single changed digit makes the number invalid."""
    number = data.draw(COMPLETED[check])
    # The two digits of the century stand outside the formula.
    first = 2 if check.startswith("se-") else 0
    places = [at for at in range(first, len(number)) if number[at] in DIGIT]
    at = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from(DIGIT.replace(number[at], "")))
    assert not CHECKS.get(check)(f"{number[:at]}{other}{number[at + 1 :]}")


@pytest.mark.parametrize("check", sorted(COMPLETED))
@given(data=st.data())
def test_one_changed_check_digit_fails(check: str, data: st.DataObject) -> None:
    """Each number has one check digit: another in its place is refused."""
    number = data.draw(COMPLETED[check])
    at = {"vin": 8, "jp-corporate-number": 0, "iban": 3}.get(check, len(number) - 1)
    other = data.draw(st.sampled_from(DIGIT.replace(number[at], "")))
    assert not CHECKS.get(check)(f"{number[:at]}{other}{number[at + 1 :]}")


@given(DAYS)
def test_every_day_is_a_date_in_every_writing(day: date) -> None:
    """A day of the calendar passes in each order, with and without separators and century."""
    assert CHECKS.get("date-dmy")(f"{day:%d/%m/%Y}")
    assert CHECKS.get("date-mdy")(f"{day:%m-%d-%y}")
    assert CHECKS.get("date-ymd")(f"{day:%Y%m%d}")
    assert CHECKS.get("date-ymd")(f"{day.year}年{day.month}月{day.day}日")
    assert CHECKS.get("date-yymmdd")(f"{day:%y%m%d}")
    assert CHECKS.get("day-month")(f"{day.day}.{day.month}.")


@given(st.dates(date(2020, 1, 1), date(2099, 12, 31)))
def test_every_day_since_2020_is_of_reiwa(day: date) -> None:
    """A day of the present era passes with its name and with its letter."""
    assert CHECKS.get("jp-era-date")(f"令和{day.year - 2018}年{day.month}月{day.day}日")
    assert CHECKS.get("jp-era-date")(f"R{day.year - 2018}.{day.month}.{day.day}")


@given(TEXT)
def test_no_check_raises(text: str) -> None:
    """Whatever text it is given, a check answers yes or no."""
    assert all(f"phone-{language}" in CHECKS for language in language_codes())
    assert {check(text) for check in CHECKS} <= {True, False}
