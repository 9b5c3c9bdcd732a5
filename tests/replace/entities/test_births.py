from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.core.numbers import is_curp, is_personal_code, is_personnummer, is_samordningsnummer

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "days", "born"),
    [
        ("19640823-3234", 10, "19640902"),
        ("640823-3234", -30, "640724"),
        ("6408233234", 365, "650823"),
        ("19991231-2395", 1, "20000101"),
        ("000229-2399", 0, "000229"),
    ],
)
def test_a_personnummer_moves_with_the_dates(swap: Swap, text: str, days: int, born: str) -> None:
    """The birth date is shifted by the record's days, the check digit is valid, the rest is new."""
    new = swap(text, "SSN", "sv", days=days)
    assert re.sub(r"\D", "", new).startswith(born)
    assert is_personnummer(new)
    assert new[-4:] != text[-4:]


@pytest.mark.parametrize("text", ["19640823-3234", "19640823-3242"])
def test_the_digit_of_the_sex_stays_odd_or_even(swap: Swap, text: str) -> None:
    """Nobody changes sex with a number, whatever is drawn."""
    made = [swap(text, "SSN", "sv", patient=f"p{number}") for number in range(20)]
    assert {int(new[-2]) % 2 for new in made} == {int(text[-2]) % 2}


def test_a_coordination_number_stays_one(swap: Swap) -> None:
    """Sixty is added to the new day as it was to the old one."""
    assert is_samordningsnummer("701063-2391")
    new = swap("701063-2391", "SSN", "sv", days=5)
    assert is_samordningsnummer(new)
    assert new.startswith("701068")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("251108-N959", r"\d{6}-[A-Z]\d{3}"),
        ("991945123456", r"99(?:18|19|20)\d{8}"),
        ("19121212-1213", r"19\d{6}-\d{4}"),
        ("311299-5555", r"\d{6}-\d{4}"),
    ],
)
def test_other_nordic_numbers_keep_their_form(swap: Swap, text: str, form: str) -> None:
    """Reserve numbers, numbers with a wrong check digit and Danish ones are recognised by look."""
    new = swap(text, "SSN", "sv", days=3)
    assert new != text
    assert re.fullmatch(form, new)


def test_a_finnish_code_keeps_its_check(swap: Swap) -> None:
    """A personal identity code of Finland stays valid and moves with the dates."""
    assert is_personal_code("131052-308T")
    new = swap("131052-308T", "SSN", "sv", days=4)
    assert is_personal_code(new)
    assert new.startswith("171052-")


def test_a_finnish_code_keeps_its_century(swap: Swap) -> None:
    """A shift over the turn of the century does not make somebody a hundred years younger."""
    assert is_personal_code("311299-999E")
    new = swap("311299-999E", "SSN", "sv", days=9)
    assert is_personal_code(new)
    assert re.fullmatch(r"\d\d1299-\d{3}[A-Z]", new)


def test_a_curp_moves_with_the_dates(swap: Swap) -> None:
    """The number of a resident of Mexico keeps its sex and its check digit."""
    assert is_curp("HEGG560427MVZRRL04")
    new = swap("HEGG560427MVZRRL04", "IDNUM", "es", days=4)
    assert is_curp(new)
    assert new[4:11] == "560501M"
    assert new[:4] != "HEGG"


def test_without_days_the_date_is_valid_all_the_same(swap: Swap) -> None:
    """Where nobody says how dates are shifted, a patient's numbers still move together."""
    first = swap("19640823-3234", "SSN", "sv")
    again = swap("640823-3234", "SSN", "sv")
    assert is_personnummer(first)
    assert first[2:] == again


def test_a_finnish_code_with_a_wrong_letter_still_moves_with_the_dates(swap: Swap) -> None:
    """Day, month and year are shifted, the sign stays, and the last character is a letter."""
    assert not is_personal_code("150352-314C")
    new = swap("150352-314C", "SSN", "sv", days=10)
    assert re.fullmatch(r"250352-\d{3}[A-Y]", new)
