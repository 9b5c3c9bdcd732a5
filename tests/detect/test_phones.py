"""Phone numbers by language; all lie in ranges kept for fiction where a country has one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from veil.core.checks import CHECKS
from veil.core.errors import UnknownNameError
from veil.detect.phones import is_phone
from veil.languages import language_codes

CASES = [
    ("en", "617-555-0123", True),
    ("en", "(617) 555-0123", True),
    ("en", "617.555.0123", True),
    ("en", "1-617-555-0123", True),
    ("en", "617-555-0123 x45", True),
    ("en", "617-555-0123, ext. 4512", True),
    ("en", "416-555-0123", True),
    ("en", "020 7946 0018", True),
    ("en", "07700 900123", True),
    ("en", "+44 7700 900123", True),
    ("en", "01632 960123", True),
    ("en", "(02) 5550 0123", True),
    ("en", "1800 160 401", True),
    ("en", "+46 8 465 004 12", True),
    ("en", "117-555-0123", False),
    ("en", "555-0123", False),
    ("en", "2011-03-05", False),
    ("en", "120/80", False),
    ("en", "call 617-555-0123", False),
    ("en", "617-555-0123 617-555-0124", False),
    ("es", "912 345 678", True),
    ("es", "612345678", True),
    ("es", "+34 912 345 678", True),
    ("es", "0034 912 345 678", True),
    ("es", "55 1234 5678", True),
    ("es", "912 345 678 (ext. 12)", True),
    ("es", "12345678", False),
    ("es", "20110305", False),
    ("es", "112 345 678", False),
    ("sv", "08-465 004 12", True),
    ("sv", "070-174 06 05", True),
    ("sv", "0701740605", True),
    ("sv", "+46 (0)70 174 06 05", True),
    ("sv", "0046701740605", True),
    ("sv", "031-390 06 00 ankn 12", True),
    ("sv", "08–465 004 12", True),
    ("sv", "701740605", False),
    ("sv", "20110305", False),
    ("sv", "121212-1212", False),
    ("sv", "019-1", False),
    ("ja", "03-1234-5678", True),
    ("ja", "０３－１２３４－５６７８", True),
    ("ja", "03ー1234ー5678", True),
    ("ja", "090(1234)5678", True),
    ("ja", "03-1234-5678 内線12", True),
    ("ja", "+81 3 1234 5678", True),
    ("ja", "312345678", False),
    ("ja", "2011-03-05", False),
    ("ja", "1234-5678-9018", False),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_phones_of_each_language(language: str, text: str, expected: bool) -> None:
    """A number passes where it is valid in a region of the language or in international form."""
    assert is_phone(text, language) is expected
    assert CHECKS.get(f"phone-{language}")(text) is expected


def test_long_texts_are_not_parsed() -> None:
    """A text too long for a phone number is refused, whatever it holds."""
    assert not is_phone("617-555-0123" + " " * 100_000, "en")


def test_an_unknown_language_is_named() -> None:
    """An unknown language raises an error that lists the known ones."""
    with pytest.raises(UnknownNameError, match="en, es, ja, sv"):
        is_phone("617-555-0123", "xx")


def test_every_language_has_its_check() -> None:
    """Rules find the check of each language by name."""
    assert {f"phone-{language}" for language in language_codes()} <= set(CHECKS.names())


def test_the_library_is_loaded_on_first_use() -> None:
    """Importing the module does not import phonenumbers; the first plausible number does."""
    code = """if True:
        import sys
        from veil.detect.phones import is_phone
        print("phonenumbers" in sys.modules)
        is_phone("617-555-0123", "en")
        print("phonenumbers" in sys.modules)
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]
