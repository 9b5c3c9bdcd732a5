"""Stored forms of lexicons equal those that are computed from the lists."""

from __future__ import annotations

from functools import partial

import pytest

from veil.languages import language_codes
from veil.lexicons import Lexicon, kinds, store
from veil.lexicons.entries import StoredList
from veil.lexicons.store import lexicon_table


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
        made = Lexicon(StoredList(*forms(kind), read), language=language)
        assert made.entries == expected.entries
        assert made.keys.folded == expected.keys.folded
        assert made.keys.suffixes == expected.keys.suffixes
        assert made.keys.words == expected.keys.words
        assert list(made.keys.words) == list(expected.keys.words)


def test_lexicons_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a table the lists are read."""
    monkeypatch.setattr("veil.core.tables.read_table", lambda *_, **__: None)
    assert store._stored_forms.__wrapped__("en") is None
