"""What a Japanese word may be."""

from __future__ import annotations

import pytest

from veil.languages.ja.rules.words import (
    begins_with_surname,
    is_full_name,
    is_given,
    is_listed_full_name,
    is_name,
    is_ordinary,
    is_other,
    is_place,
    is_surname,
    surname_length,
)


@pytest.mark.parametrize("word", ["佐藤", "髙橋", "山﨑", "ヤマダ", "やまだ", "Yamada", "竹ノ内"])
def test_surnames(word: str) -> None:
    """Surnames are known in kanji, variants of kanji, kana and Latin letters, and by their form."""
    assert is_surname(word)


@pytest.mark.parametrize("word", ["三ヶ月", "患者", "腫瘍", "さん", ""])
def test_no_surnames(word: str) -> None:
    """Other words are no surnames, not even those that are built like one."""
    assert not is_surname(word)


@pytest.mark.parametrize("word", ["花子", "多恵子", "ゆき子", "健", "タロウ", "はなこ", "Hanako"])
def test_given_names(word: str) -> None:
    """Given names are known from the lists, from ipadic, or by their form."""
    assert is_given(word)


def test_honorific_is_no_given_name() -> None:
    """さん is the name of a few people and an honorific for all others."""
    assert not is_given("さん")
    assert not is_full_name("高橋さん")


@pytest.mark.parametrize(("name", "length"), [("山田太郎", 2), ("林太郎", 1), ("長谷川潤", 3)])
def test_full_names(name: str, length: int) -> None:
    """A full name is cut where the surname ends."""
    assert surname_length(name) == length
    assert is_full_name(name)
    assert is_name(name)


def test_listed_full_names() -> None:
    """A full name of the lists has both its parts there."""
    assert is_listed_full_name("山田花子")
    assert not is_listed_full_name("山田病院")


def test_ordinary_words() -> None:
    """A word may be a name and something else; ipadic says which is meant more often."""
    assert is_ordinary("希望")
    assert is_other("希望")
    assert is_ordinary("太郎")
    assert not is_other("太郎")


def test_places() -> None:
    """Towns and regions are places, other words are none."""
    assert is_place("札幌市")
    assert is_place("名古屋")
    assert not is_place("舌区")


@pytest.mark.parametrize(
    ("text", "begins"),
    [("山田は", True), ("髙橋は", True), ("腫瘍は", False), ("やまだ", True), ("", True)],
)
def test_beginning_with_surname(text: str, begins: bool) -> None:
    """A run of kanji that no surname begins is left at once; what is no kanji is not judged."""
    assert begins_with_surname(text, 0) is begins
