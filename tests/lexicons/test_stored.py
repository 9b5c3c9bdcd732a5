"""Stored forms of lexicons equal those that are computed from the lists."""

from __future__ import annotations

from functools import partial

import pytest

from veil.languages import language_codes
from veil.lexicons import Lexicon, kinds, store
from veil.lexicons.entries import StoredList
from veil.lexicons.store import bit_of, lexicon_table, word_bits, words_table


@pytest.mark.parametrize("language", language_codes())
def test_stored_lexicons_equal_the_lists(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries, folded forms, suffixes and look-ups are the same for each kind."""
    content = memoryview(lexicon_table(language).build())
    monkeypatch.setattr("veil.core.tables.read_table", lambda *_, **__: content)
    forms = store._stored_forms.__wrapped__(language)
    assert forms is not None
    for kind in kinds():
        expected = Lexicon(store._read(language, kind), language=language)
        read = partial(store._read, language, kind)
        look_up = partial(store._look_up, language, bit_of(kind))
        made = Lexicon(StoredList(*forms(kind), read, look_up), language=language)
        assert made.entries == expected.entries
        assert made.keys.folded == expected.keys.folded
        assert made.keys.suffixes == expected.keys.suffixes
        assert made.keys.words == expected.keys.words
        assert list(made.keys.words) == list(expected.keys.words)
        for form in expected.keys.folded:
            assert look_up(form) == expected.keys.words.get(form)


def test_lexicons_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a table the lists are read."""
    monkeypatch.setattr("veil.core.tables.read_table", lambda *_, **__: None)
    assert store._stored_forms.__wrapped__("en") is None


@pytest.mark.parametrize("language", language_codes())
def test_stored_bits_equal_those_of_the_lists(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bits of each word are the same from a table and without one; other words have none."""
    content = memoryview(words_table(language).build())
    monkeypatch.setattr("veil.core.tables.read_table", lambda *_, **__: content)
    stored = word_bits.__wrapped__(language)
    monkeypatch.setattr("veil.core.tables.read_table", lambda *_, **__: None)
    computed = word_bits.__wrapped__(language)
    words = store._all_bits(language)
    two_lines = "\n".join(list(words)[:2])
    for word in (*words, "", "xqzvw", "\ud800", two_lines, "\n"):
        assert stored[word] == computed[word] == words.get(word, 0)
