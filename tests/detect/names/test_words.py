from __future__ import annotations

import pytest

from veil.detect.names.forms import FormBook, NameOptions
from veil.detect.names.words import splitter


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("sv", "Anna-Karin Berg-Lind.", ["Anna-Karin", "Berg-Lind", "."]),
        ("sv", "Ann-Marie-Louise - nej", ["Ann-Marie-Louise", "-", "nej"]),
        ("sv", "Mag- och tarm", ["Mag", "-", "och", "tarm"]),
        ("en", "O'Neill's dog, Anna\u2019s", ["O'Neill's", "dog", ",", "Anna\u2019s"]),
        ("en", "'Anna' said James'", ["'", "Anna", "'", "said", "James", "'"]),
        ("en", "l'Anna 2-Berg", ["l", "'", "Anna", "2", "-", "Berg"]),
        ("es", "GarcíaEdad", ["García", "Edad"]),
        ("ja", "山田先生", ["山田", "先生"]),
        ("sv", "", []),
        ("sv", "-", ["-"]),
        ("sv", "a-", ["a", "-"]),
    ],
)
def test_words(language: str, text: str, words: list[str]) -> None:
    """Hyphenated names and possessives are one word; dashes, quotes and articles are apart."""
    starts, ends = splitter(language)(text)
    assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == words


@pytest.mark.parametrize(
    ("text", "name", "key"),
    [
        ("Anna's", "Anna", "anna"),
        ("O\u2019Neill\u2019s", "O\u2019Neill", "o'neill"),
        ("Anderssons", "Anderssons", "anderssons"),
        ("An\u00adders", "An\u00adders", "anders"),
    ],
)
def test_where_a_name_ends(text: str, name: str, key: str) -> None:
    """An apostrophe with s is outside the name, the Swedish genitive and soft hyphens inside."""
    words = FormBook("sv", NameOptions()).read(text)
    assert text[words.starts[0] : words.name_end(0)] == name
    assert words.key(0) == key
