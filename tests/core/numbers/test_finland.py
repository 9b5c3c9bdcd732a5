"""Personal identity codes of Finland."""

from __future__ import annotations

import pytest

from veil.core.numbers import is_personal_code


@pytest.mark.parametrize("code", ["131052-308T", "240683-123P", "150304A204P", " 131052-308t "])
def test_codes(code: str) -> None:
    """A code with its check character is one, in small letters as well."""
    assert is_personal_code(code)


@pytest.mark.parametrize("sign", "YXWVU")
def test_signs_for_one_century(sign: str) -> None:
    """Since 2023 five letters stand for the 20th century beside the hyphen."""
    assert is_personal_code(f"131052{sign}308T")


@pytest.mark.parametrize(
    "text",
    ["131052-308U", "131352-308T", "310252-308T", "131052308T", "131052-30T", "", "131052*308T"],
)
def test_others(text: str) -> None:
    """A code with a wrong check character, an impossible day or no sign is invalid."""
    assert not is_personal_code(text)
