"""Names in Latin letters and the katakana that they may stand for."""

from __future__ import annotations

import pytest

from veil.languages.ja.rules.words import kana_of


@pytest.mark.parametrize(
    ("word", "kana"),
    [
        ("Yamada", "ヤマダ"),
        ("SATO", "サトウ"),
        ("Satoh", "サトウ"),
        ("Satō", "サトウ"),
        ("Ohno", "オオノ"),
        ("Hattori", "ハットリ"),
        ("Matchida", "マッチダ"),
        ("Homma", "ホンマ"),
        ("Shinichi", "シンイチ"),
        ("Jun'ichi", ""),
        ("Ryuta", "リュウタ"),
        ("Syoko", "ショウコ"),
        ("Ｔａｎａｋａ", "タナカ"),
    ],
)
def test_readings(word: str, kana: str) -> None:
    """Among the readings is the usual one; what holds other characters has none."""
    readings = kana_of(word)
    assert (kana in readings) if kana else readings == ()


@pytest.mark.parametrize("word", ["Smith", "CRP", "Xavier", "", "山田", "a" * 30, "Sjögren"])
def test_no_readings(word: str) -> None:
    """What cannot be read as Japanese syllables has no reading."""
    assert kana_of(word) == ()


def test_number_of_readings() -> None:
    """A long word of open syllables does not give more readings than can be looked up."""
    assert len(kana_of("totototototototototo")) <= 100
