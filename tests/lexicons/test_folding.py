from __future__ import annotations

import pytest

from veil.lexicons.folding import (
    base_form,
    fold,
    fold_all,
    fold_in_place,
    tidy,
    without_diacritics,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("GARCÍA", "garcia"),
        ("Garci\u0301a", "garcia"),
        ("Åkesson", "åkesson"),
        ("A\u030akesson", "åkesson"),
        ("MUÑOZ", "muñoz"),
        ("Łukasz", "lukasz"),
        ("Nguyễn", "nguyen"),
        ("Müller", "muller"),
        ("O\u2019Neill", "o'neill"),
        ("Ægir", "aegir"),
        ("ﾔﾏﾀﾞ", "ヤマダ"),
        ("髙﨑", "高崎"),
        ("Ｓｍｉｔｈ", "smith"),
    ],
)
def test_folding_takes_off_case_and_accents(text: str, folded: str) -> None:
    """Forms of one word fold alike; å, ä, ö and ñ stay."""
    assert fold(text) == folded


@pytest.mark.parametrize(
    "texts",
    [["GARCÍA", "Åkesson", ""], ["Müller", "Łukasz", "髙﨑"], ["ana", "b\0c"], ["É", "\0"], []],
)
def test_texts_fold_together_as_alone(texts: list[str]) -> None:
    """Texts that are folded together, one of which may hold the separator, fold as alone."""
    assert fold_all(texts) == list(map(fold, texts))


@pytest.mark.parametrize(("left", "right"), [("mår", "mar"), ("peña", "pena"), ("för", "for")])
def test_letters_of_their_own_stay(left: str, right: str) -> None:
    """Words that differ by å, ä, ö or ñ do not fold alike, but for sources without them."""
    assert fold(left) != fold(right)
    assert without_diacritics(fold(left)) == right


@pytest.mark.parametrize(
    ("word", "language", "base"),
    [
        ("anna's", "en", "anna"),
        ("lars'", None, "lars"),
        ("anderssons", "sv", "andersson"),
        ("sös:s", "sv", "sös"),
        ("anderssons", "en", None),
        ("bos", "sv", None),
        ("garcía", "es", None),
    ],
)
def test_genitives_have_a_base_form(word: str, language: str | None, base: str | None) -> None:
    """A genitive is taken apart as its language forms it."""
    assert base_form(word, language) == base


def test_tidy_joins_lines_and_drops_the_stops_of_abbreviations() -> None:
    """White space becomes one space, and "St." is "St"; the stops inside "U.S.A." stay."""
    assert tidy("St. \n Louis,  U.S.A.") == "St Louis, U.S.A"


def test_folding_in_place_keeps_every_offset() -> None:
    """Japanese text is folded character by character."""
    assert fold_in_place("髙﨑ＡB") == "高崎ab"
