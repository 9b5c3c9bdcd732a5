from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.core.checks import CHECKS
from veil.core.numbers import is_ipv4
from veil.replace.entities.spelling import fill_in, half_width

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


def shape(text: str) -> str:
    """A text with 9 for digits and a or A for letters."""
    return re.sub("[A-Z]", "A", re.sub("[a-z]", "a", re.sub("[0-9]", "9", half_width(text))))


WRITINGS = [
    ("MEDICALRECORD", "en", "12-34-56-78"),
    ("MEDICALRECORD", "en", "a379 896K"),
    ("DEVICE", "en", "SN-75269"),
    ("VEHICLE", "en", "CR89 RYG"),
    ("IDNUM", "sv", "K 3580-17"),
    ("LICENSE", "es", "28 28 57946"),
    ("HEALTHPLAN", "es", "33/366599/23"),
    ("BIOID", "en", "BIO-4772-VM"),
    ("ACCOUNT", "en", "0098"),
    ("ID", "ja", "883-3792-93"),
]


@pytest.mark.parametrize(("label", "language", "text"), WRITINGS)
def test_a_number_keeps_its_writing(swap: Swap, label: str, language: str, text: str) -> None:
    """Digits stand for digits, letters for letters of the same case, and separators stay."""
    new = swap(text, label, language)
    assert new != text
    assert shape(new) == shape(text)


def test_full_width_stays_full_width(swap: Swap) -> None:
    """Wide digits and letters are replaced by wide ones."""
    new = swap("ＳＶ５８－０９０", "DEVICE", "ja")
    assert re.fullmatch("[Ａ-Ｚ]{2}[０-９]{2}－[０-９]{3}", new)


CHECKED = [
    ("card", "ACCOUNT", "en", "4111 1111 1111 1111"),
    ("iban", "ACCOUNT", "sv", "SE45 5000 0000 0583 9825 7466"),
    ("iban", "ACCOUNT", "en", "GB29 NWBK 6016 1331 9268 19"),
    ("vin", "VEHICLE", "en", "1M8GDM9AXKP042788"),
    ("us-ssn", "SSN", "en", "123-45-6789"),
    ("us-npi", "LICENSE", "en", "1234567893"),
    ("us-dea", "LICENSE", "en", "AB1234563"),
    ("uk-nhs", "HEALTHPLAN", "en", "943 476 5919"),
    ("es-dni", "IDNUM", "es", "12.345.678-Z"),
    ("es-nie", "IDNUM", "es", "X-1234567-L"),
    ("es-cif", "ACCOUNT", "es", "A58818501"),
    ("es-nss", "SSN", "es", "28 12345678 40"),
    ("jp-my-number", "SSN", "ja", "1234-5678-9018"),
    ("jp-my-number", "SSN", "ja", "１２３４５６７８９０１８"),
    ("jp-corporate-number", "IDNUM", "ja", "7000012050002"),
    ("jp-hokenja", "HEALTHPLAN", "ja", "06138457"),
    ("mac", "DEVICE", "en", "00:1A:2b:3C:4D:5E"),
    ("luhn", "DEVICE", "en", "490154203237518"),
]


@pytest.mark.parametrize(("check", "label", "language", "text"), CHECKED)
def test_a_valid_check_digit_stays_valid(
    swap: Swap, check: str, label: str, language: str, text: str
) -> None:
    """The stand-in of a number with a check digit passes its check, whoever the patient is."""
    is_valid = CHECKS.get(check)
    assert is_valid(text)
    made = {swap(text, label, language, patient=f"p{number}") for number in range(20)}
    assert all(is_valid(new) and shape(new) == shape(text) for new in made)
    assert 10 < len(made)


SAME = [
    ("en", "SSN", ["123-45-6789", "123 45 6789", "123456789"]),
    ("en", "MEDICALRECORD", ["00452459", "452459", "MRN 452459", "45-24-59", "45 24 59"]),
    ("es", "IDNUM", ["12345678Z", "12.345.678-Z", "12345678-z"]),
    ("es", "MEDICALRECORD", ["NHC-005157", "5157", "nhc 005157"]),
    ("sv", "SSN", ["19640823-3234", "640823-3234", "6408233234", "19640823 3234"]),
    ("ja", "SSN", ["1234-5678-9018", "１２３４５６７８９０１８", "1234 5678 9018"]),
]


@pytest.mark.parametrize(("language", "label", "writings"), SAME)
def test_every_writing_of_a_number_gets_the_same_stand_in(
    swap: Swap, language: str, label: str, writings: list[str]
) -> None:
    """Separators, key words, leading zeros, width and case make no other number."""
    digits = {
        re.sub("[^0-9]", "", half_width(swap(text, label, language))).lstrip("0")
        for text in writings
    }
    assert len({found[-10:] for found in digits}) == 1


def test_what_is_hidden_already_stays_hidden(swap: Swap) -> None:
    """The last four digits of a hidden number are replaced, the x before them stay."""
    new = swap("xxx-xx-6165", "SSN")
    assert re.fullmatch(r"xxx-xx-\d{4}", new)
    assert new != "xxx-xx-6165"


def test_a_number_of_the_text_is_never_drawn(swap: Swap) -> None:
    """Where all numbers but one stand in the text, that one is drawn, written apart or not."""
    others = " ".join(str(number) for number in range(10, 100) if number not in (42, 77))
    made = {swap("42", "ROOM", rest=others, patient=f"p{number}") for number in range(5)}
    assert made == {"77"}


def test_a_short_number_without_choice_becomes_longer(swap_all: SwapAll) -> None:
    """Where each digit is a room of the record, a room gets two digits."""
    made = swap_all("; ".join(f"[ROOM|{digit}]" for digit in range(1, 10)))
    assert all(re.fullmatch("[1-9][0-9]", room) for room in made)


def test_a_number_plate_of_japan_keeps_its_parts(swap: Swap) -> None:
    """Office, class, kana and number are replaced by others of their kind."""
    office, number, kana, last = swap("尾張小牧 580 さ 35-17", "VEHICLE", "ja").split()
    assert office != "尾張小牧"
    assert number.isdigit()
    assert len(kana) == 1
    assert kana != "さ"
    assert re.fullmatch(r"\d\d-\d\d", last)


def test_words_around_a_japanese_number_stay(swap: Swap) -> None:
    """The characters for "number" are no part of it."""
    assert re.fullmatch(r"第 [０-９]{6} 号", swap("第 ３９４９０４ 号", "LICENSE", "ja"))


def test_short_numbers_stay_apart(swap_all: SwapAll) -> None:
    """Rooms with numbers of one digit have different stand-ins."""
    new = swap_all("[ROOM|rum 3], [ROOM|rum 8], [ROOM|rum 5] och [ROOM|rum 6]", "sv")
    assert len(set(new)) == len(new)


def test_a_uuid_stays_hexadecimal(swap: Swap) -> None:
    """The stand-in of a UUID is one, in small letters if it was."""
    old = "0c1d2e3f-9a8b-4c7d-8e6f-5a4b3c2d1e0f"
    new = swap(old, "ID", "sv")
    assert re.fullmatch("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", new)
    assert new != old


def test_an_address_of_a_machine_stays_one(swap: Swap) -> None:
    """What was found as a number and is an IP address becomes one for documentation."""
    assert is_ipv4(swap("10.20.30.40", "ID", "sv"))


@pytest.mark.parametrize("text", ["12345", "12-345", "AB123", "ab123"])
def test_no_character_of_a_number_stays_for_want_of_another(text: str) -> None:
    """A core that is too short for a text is an error: nothing of the original is written."""
    with pytest.raises(StopIteration):
        fill_in(text, "987")
