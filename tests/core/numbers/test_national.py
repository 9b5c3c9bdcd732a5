"""National numbers: what passes, what nearly does, and the check digits that complete them.

All numbers are examples of the authorities or made up and completed by hand.
"""

from __future__ import annotations

import pytest

from veil.core import numbers
from veil.core.checks import CHECKS
from veil.core.numbers import luhn_digit

ACCEPTED = {
    "us-ssn": ["123-45-6789", "123456789", "123 45 6789", "１２３－４５－６７８９", "899-01-0001"],
    "us-itin": ["912-50-1234", "999-88-4321", "900-99-1234"],
    "us-npi": ["1234567893", "1234 567 893"],
    "us-dea": ["AB1234563", "ab 1234563", "F91234563"],
    "uk-nhs": ["943 476 5919", "9434765919", "999-000-0018"],
    "es-dni": [
        "12345678Z",
        "12.345.678-Z",
        "12345678 z",
        "１２３４５６７８Ｚ",
        "01234567L",
        "1234567L",
    ],
    "es-nie": ["X1234567L", "X-1234567-L", "Y1234567X", "Z1234567R", "X01234567L"],
    "es-nif": ["12345678Z", "X1234567L", "K1234567L", "M-1234567-L"],
    "es-nss": ["28/12345678/40", "281234567840", "28 12345678 40", "080123456774"],
    "es-cif": ["B12345674", "B-12345674", "Q1234567D", "G12345674", "G1234567D", "A0012345E"],
    "mx-curp": ["HEGG560427MVZRRL04", "hegg560427mvzrrl04"],
    "se-personnummer": [
        *("121212-1212", "121212+1212", "19121212-1212", "191212121212", "1212121212"),
        *("19121212 1212", "１２１２１２－１２１２", "000229-0005"),
    ],
    "se-samordningsnummer": ["701063-2391", "19701063-2391", "197010632391"],
    "se-reservnummer": [
        *("99198100-0010", "991981000010", "22950606-FH20", "25780404KHD5", "00342145-BZ31"),
        *("19810829M071", "19810829-SU3A", "810829-DA0B", "19450829-123R", "19450829-12K3"),
        *("198108320014", "19810829-TB4C"),
    ],
    "jp-my-number": ["1234 5678 9018", "123456789018", "１２３４－５６７８－９０１８"],
    "jp-corporate-number": ["7123456789012", "7-1234-5678-9012"],
    "jp-hokenja": ["06139992", "０６１３９９９２", "138990", "13 8990"],
    "luhn": ["18", "79927398713", "0000 0018"],
    "card": ["4111 1111 1111 1111", "378282246310005", "5555-5555-5555-4444"],
    "imei": ["490154203237518", "49-015420-323751-8"],
    "iban": [
        "ES91 2100 0418 4502 0005 1332",
        "SE4550000000058398257466",
        "gb82 west 1234 5698 7654 32",
    ],
    "vin": ["1M8GDM9AXKP042788", "11111111111111111", "1m8gdm9axkp042788"],
}

REJECTED = {
    "us-ssn": [
        "000-45-6789",
        "666-45-6789",
        "900-45-6789",
        "123-00-6789",
        "123-45-0000",
        "12345678",
    ],
    "us-itin": ["912-49-1234", "912-66-1234", "912-93-1234", "812-50-1234"],
    "us-npi": ["1234567894", "3234567899", "123456789"],
    "us-dea": ["AB1234564", "IB1234563", "A11234563", "AB123456"],
    "uk-nhs": ["943 476 5918", "0000000000", "94347659190", "123 456 789X"],
    "es-dni": ["12345678A", "12345679Z", "123456789Z", "12345Z", "12345678", "12345678Ñ"],
    "es-nie": ["X1234567A", "Y1234567L", "A1234567L", "X123456L"],
    "es-nif": ["12345678A", "N1234567L", "K1234567A"],
    "es-nss": ["281234567841", "001234567803", "28123456784", "2812345678400"],
    "es-cif": ["B12345675", "B1234567D", "Q12345674", "I12345674", "B1234567"],
    "mx-curp": [
        "HEGG560427MVZRRL05",
        "HEGG561327MVZRRL03",
        "HEGG560427MVZRRL0",
        "HEGG560427QVZRRL04",
    ],
    "se-personnummer": [
        *("121212-1213", "121312-1211", "17121212-1212", "701063-2391", "1212121212121"),
        *("190229-0004", "121212-121", "+1212121212", "12+1212-1212", "abc"),
    ],
    "se-samordningsnummer": ["701063-2392", "701092-2396", "121212-1212"],
    "se-reservnummer": [
        *("981981000010", "99178100-0010", "20110305 10mg", "19810832-M071", "22951306-FH20"),
        *("22950606-IQ20", "19810829-1234", "19810829-ABCD"),
    ],
    "jp-my-number": ["123456789010", "12345678901", "1234567890188"],
    "jp-corporate-number": ["8123456789012", "712345678901"],
    "jp-hokenja": ["06139991", "06489991", "05139993", "138991", "1389900"],
    "luhn": ["0", "19", "12a8"],
    "card": ["4111 1111 1111 1112", "000000000000", "41111111112"],
    "imei": ["490154203237519", "49015420323751"],
    "iban": [
        "ES92 2100 0418 4502 0005 1332",
        "ES91 2100 0418 4502 0005 133",
        "9121000418450200051332",
    ],
    "vin": ["1M8GDM9AYKP042788", "1M8GDM9A0KP042788", "IM8GDM9AXKP042788", "1M8GDM9AXKP04278"],
}


@pytest.mark.parametrize(
    ("check", "text"), [(check, text) for check, texts in ACCEPTED.items() for text in texts]
)
def test_true_numbers_pass(check: str, text: str) -> None:
    """A number that follows the rule is accepted however it is written."""
    assert CHECKS.get(check)(text)


@pytest.mark.parametrize(
    ("check", "text"), [(check, text) for check, texts in REJECTED.items() for text in texts]
)
def test_near_misses_fail(check: str, text: str) -> None:
    """A number wrong in one thing, check digit, length, prefix or date, is refused."""
    assert not CHECKS.get(check)(text)


@pytest.mark.parametrize(
    ("completed", "expected"),
    [
        (luhn_digit("7992739871"), "3"),
        (luhn_digit("121212121"), "2"),
        (numbers.npi_digit("123456789"), "3"),
        (numbers.dea_digit("123456"), "3"),
        (numbers.nhs_digit("943476591"), "9"),
        (numbers.nhs_digit("100000001"), None),
        (numbers.dni_letter(12345678), "Z"),
        (numbers.nie_letter("X", "1234567"), "L"),
        (numbers.nss_digits(28, 12345678), "40"),
        (numbers.nss_digits(8, 1234567), "74"),
        (numbers.cif_digit("1234567"), "4"),
        (numbers.curp_digit("HEGG560427MVZRRL0"), "4"),
        (numbers.my_number_check_digit("12345678901"), "8"),
        (numbers.corporate_number_check_digit("123456789012"), "7"),
        (numbers.iban_check_digits("ES", "21000418450200051332"), "91"),
        (numbers.vin_check_digit("1M8GDM9A0KP042788"), "X"),
    ],
)
def test_check_digits_are_those_of_worked_examples(completed: str | None, expected: str) -> None:
    """The check digit is that of the published or hand-computed example."""
    assert completed == expected


def test_wrong_digits_raise_without_quoting_them() -> None:
    """A check digit is computed of digits only, and the error does not repeat what was given."""
    with pytest.raises(ValueError, match="expected 11 digits") as raised:
        numbers.my_number_check_digit("1234567890x")
    assert "1234567890x" not in str(raised.value)
