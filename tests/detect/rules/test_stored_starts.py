"""Stored starts: the rules of a word are the same from the table and from the tests of starts."""

from __future__ import annotations

import pytest

from veil.detect.rules.loading import automaton_rules
from veil.detect.rules.starts import Starts
from veil.detect.rules.stored_starts import starts_table, stored_starts
from veil.languages import has_spaces, language_codes
from veil.lexicons.store import all_words

LANGUAGES = [language for language in language_codes() if has_spaces(language)]
ODD = ("ẞen", "ǅ", "İzmir", "iPhone", "McCarthy", "x\ny", "3", "12a", "_", "-itis", "ſ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_stored_rules_equal_the_tested_ones(language: str) -> None:
    """A word has the rules of its tests in each spelling, or none are stored."""
    stored = stored_starts(language)
    if stored is None:
        pytest.skip("the tables were not made: run make tables")
    starts = Starts(automaton_rules(language))
    words = all_words(language)[::97]
    known = 0
    for word in (*words, *ODD):
        for form in (word, word.capitalize(), word.upper(), word.swapcase()):
            bits, longer = starts.candidates(form)
            assert stored(form) in ({None} if longer else {None, bits})
            known += stored(form) is not None
    assert known > len(words)


def test_words_of_no_lexicon_are_not_stored() -> None:
    """A word that no lexicon has is left to the tests."""
    stored = stored_starts("sv")
    if stored is None:
        pytest.skip("the tables were not made: run make tables")
    assert stored("xqzvw") is None


def test_japanese_has_no_table() -> None:
    """A language without blanks between words stores nothing."""
    assert stored_starts("ja") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_inputs(language: str) -> None:
    """The table is out of date if rules, lexicons or the modules of their tests change."""
    inputs = {file.name for file in starts_table(language).inputs}
    assert inputs >= {"values.toml", "value_lists.toml", "values.py", "clinical.py", "starts.py"}
    assert inputs >= {"marks.py", "store.py", "eponyms.txt", "base.py"}
