from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from phonenumbers import PhoneNumber, is_valid_number

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("(617) 726-2000", "en", r"\((?!617)[2-9]\d\d\) 555-01\d\d"),
        ("617.726.2000", "en", r"\d{3}\.555\.01\d\d"),
        ("1-800-424-6812", "en", r"1-\d{3}-555-01\d\d"),
        ("+1 (416) 555-0177", "en", r"\+1 \((?!416)\d{3}\) 555-01\d\d"),
        ("726-2000", "en", r"555-01\d\d"),
        ("617-726-2000 x4312", "en", r"\d{3}-555-01\d\d x(?!4312)\d{4}"),
        ("four one oh extension twelve", "en", r"(?!four one oh)\w+ \w+ \w+ extension \w{3,}"),
        ("020 7188 7188", "en", r"0(?:20 7946 0|28 9649 6|29 2018 0)\d{3}"),
        ("+44 (0)7911 123456", "en", r"\+44 \(0\)7700 900\d{3}"),
        ("(01392) 554518", "en", r"\(01632\) 960\d{3}"),
        ("+353 87 123 4567", "en", r"\+353 20 91\d \d{4}"),
        ("+61 2 9727 1167", "en", r"\+61 [2378] (?:5550|7010) \d{4}"),
        ("+61 415 732 243", "en", r"\+61 491 57\d \d{3}"),
        ("08-585 800 00", "sv", r"08-465 004 \d\d"),
        ("070-123 45 67", "sv", r"070-174 06 \d\d"),
        ("+46 (0)70-123 45 67", "sv", r"\+46 \(0\)70-174 06 \d\d"),
        ("0046701234567", "sv", r"00467017406\d\d"),
        ("018-611 00 00", "sv", r"(?:031-390 06|040-628 04) \d\d"),
        ("0480-804 12", "sv", r"0980-319 2\d"),
        ("+358 40 123 4567", "sv", r"\+358 49 \d{3} \d{4}"),
        ("612 345 678", "es", r"7[5679]\d \d{3} \d{3}"),
        ("(+34) 965461098", "es", r"\(\+34\) (?:929|940|970|989)\d{6}"),
        ("34679802102", "es", r"347[5679]\d{7}"),
        ("928 475 392, ext. 9226", "es", r"\d{3} \d{3} \d{3}, ext\. (?!9226)\d{4}"),
        ("045-123-4567", "ja", r"0\d\d-0\d\d-\d{4}"),
        ("０３（５３１７）８９０１", "ja", r"０３（０[０-９]{3}）[０-９]{4}"),
        ("0267-32-1943", "ja", r"0\d{3}-0\d-\d{4}"),
        ("090-1234-5678", "ja", r"0[5-9]0-0\d{3}-\d{4}"),
        ("+49 30 1234567", "en", r"\+49 30 00\d{5}"),
        ("1-800-FLOWERS", "en", r"\d-\d{3}-(?!FLOWERS)[A-Z]{7}"),
        ("4732", "sv", r"(?!4732)[1-9]\d{3}"),
    ],
)
def test_a_phone_comes_from_a_range_for_fiction(
    swap: Swap, text: str, language: str, expected: str
) -> None:
    """Numbers of each country become unused numbers in the same format."""
    for number in range(5):
        assert re.fullmatch(expected, swap(text, "PHONE", language, patient=f"p{number}"))


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        ("612345678", "es", 34),
        ("912345678", "es", 34),
        ("+525512345678", "es", 52),
        ("+5491123456789", "es", 54),
        ("+541123456789", "es", 54),
        ("+573211234567", "es", 57),
        ("+56221234567", "es", 56),
        ("+5111234567", "es", 51),
        ("+358412345678", "sv", 358),
        ("+4740612345", "sv", 47),
        ("+4532123456", "sv", 45),
        ("+6432345678", "en", 64),
        ("0312345678", "ja", 81),
        ("09012345678", "ja", 81),
    ],
)
def test_a_phone_without_range_is_not_assigned(
    swap: Swap, text: str, language: str, code: int
) -> None:
    """Where no range is kept for fiction, the number is none that a country gives out."""
    for number in range(20):
        new = swap(text, "PHONE", language, patient=f"p{number}")
        national = new.removeprefix(f"+{code}").removeprefix("0")
        assert not is_valid_number(PhoneNumber(country_code=code, national_number=int(national)))


@pytest.mark.parametrize(
    ("language", "writings"),
    [
        ("sv", ["070-123 45 67", "+46 70 1234567", "0701234567", "0046 (0)70 123 45 67"]),
        ("en", ["(617) 726-2000", "+1 617 726 2000", "6177262000", "1-617-726-2000"]),
        ("ja", ["045-123-4567", "０４５（１２３）４５６７", "0451234567", "+81 45 123 4567"]),
        ("es", ["612 345 678", "+34 612345678", "612-34-56-78"]),
    ],
)
def test_every_writing_of_a_phone_agrees(swap: Swap, language: str, writings: list[str]) -> None:
    """With and without the country's code a phone gets the same stand-in."""
    made = {re.sub(r"\D", "", swap(text, "PHONE", language).translate(WIDE)) for text in writings}
    assert len({number[-8:] for number in made}) == 1


WIDE = str.maketrans("０１２３４５６７８９", "0123456789")


def test_the_phones_of_a_record_stay_apart(swap_all: SwapAll) -> None:
    """Ten phones of a record become ten others, however small the range for fiction is."""
    marked = "; ".join(f"[PHONE|018-12 34 0{digit}]" for digit in range(10))
    assert len(set(swap_all(marked, "sv"))) == 10


def test_two_phones_in_one_span(swap: Swap) -> None:
    """Numbers that somebody marked together are replaced one by one."""
    new = swap("617-726-2000 or 617-726-3000", "PHONE")
    assert re.fullmatch(r"\d{3}-555-01\d\d or \d{3}-555-01\d\d", new)


def test_a_japanese_mobile_phone_stays_mobile(swap: Swap) -> None:
    """080 becomes the beginning of another mobile number, and no number of the internet's."""
    for number in range(20):
        assert re.match("0[79]0-0", swap("080-1234-5678", "PHONE", "ja", patient=f"p{number}"))
