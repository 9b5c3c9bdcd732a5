"""Readings in other letters."""

from __future__ import annotations

import pytest

from veil.languages.ja.kana import (
    compared_romaji,
    half_width,
    hiragana,
    kana_of_romaji,
    katakana,
    romaji,
)


@pytest.mark.parametrize(
    ("reading", "latin"),
    [
        ("さとう", "sato"),
        ("おおの", "ono"),
        ("いのうえ", "inoue"),
        ("まつうら", "matsuura"),
        ("はっとり", "hattori"),
        ("しょうじ", "shoji"),
        ("じゅんいち", "junichi"),
        ("きょうこ", "kyoko"),
        ("はっちょう", "hatcho"),
    ],
)
def test_romaji_is_that_of_passports(reading: str, latin: str) -> None:
    """Hepburn's table, long vowels short."""
    assert romaji(reading) == latin


def test_kana_of_all_widths() -> None:
    """Marks of voice are characters of their own in half width."""
    assert katakana("やまだ") == "ヤマダ"
    assert half_width(katakana("やまだ")) == "ﾔﾏﾀﾞ"
    assert hiragana("ﾔﾏﾀﾞ") == hiragana("ヤマダ") == "やまだ"


@pytest.mark.parametrize(
    "same", ["Sato Satō Satou Satoh SATO", "Shoji Syouji Shōji", "Homma Honma", "Ono Ohno Oono"]
)
def test_other_spellings_compare_alike(same: str) -> None:
    """However a name is spelled in Latin letters, it is one name."""
    assert len(set(map(compared_romaji, same.split()))) == 1


@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("Sonobe", "そのべ"),
        ("HATTORI", "はっとり"),
        ("shutcho", "しゅっちょ"),
        ("Carlos", None),
        ("Lee", None),
    ],
)
def test_words_that_sound_japanese_have_a_reading(word: str, reading: str | None) -> None:
    """Latin letters are read in kana, unless they are none of a Japanese word."""
    assert kana_of_romaji(word) == reading
