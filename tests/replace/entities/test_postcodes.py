from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("211 34", "sv", r"[1-9]\d\d \d\d"),
        ("SE-21134", "sv", r"SE-[1-9]\d{4}"),
        ("FI-00100", "sv", r"FI-\d{5}"),
        ("02115", "en", r"\d{5}"),
        ("02115-1234", "en", r"\d{5}-\d{4}"),
        ("LE14 6RL", "en", r"[A-Z]{2}[1-9]\d \d[A-Z]{2}"),
        ("SW1A 1AA", "en", r"[A-Z]{2}[1-9][A-Z] \d[A-Z]{2}"),
        ("k1a 0b1", "en", r"[a-z]\d[a-z] \d[a-z]\d"),
        ("D04 V2J2", "en", r"[A-Z]\d\d [A-Z]\d[A-Z]\d"),
        ("28350", "es", r"(?:0[1-9]|[1-4]\d|5[0-2])\d{3}"),
        ("〒220-0012", "ja", r"〒\d{3}-\d{4}"),
        ("〒２２００５３９", "ja", r"〒[０-９]{7}"),
    ],
)
def test_a_postcode_keeps_its_form(swap: Swap, text: str, language: str, expected: str) -> None:
    """The new postcode is written like the old one and might exist in its country."""
    for number in range(10):
        new = swap(text, "ZIP", language, patient=f"p{number}")
        assert new != text
        assert re.fullmatch(expected, new)
