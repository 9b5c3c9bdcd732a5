from __future__ import annotations

import pytest

from veil.languages.sv.words import looks_like_surname

SURNAMES = """
    Lindström BERGQVIST Sandell Lundin Norén Åkesson Anderssons Ekelund Åberg Öberg
    Häggkvist Wallander Petersdotter Rosenblad Strömberg Fernlund
""".split()
OTHERS = """
    lindström Person Blodström Tiden Skogen Sundsvall Västerås Apelsin Patienten Morot Sjukhuset
    Berg Mannen Garsson2 Lind-
""".split()


@pytest.mark.parametrize("word", SURNAMES)
def test_names_built_by_rule_are_seen(word: str) -> None:
    """Nature names and names of sons and daughters are recognised, genitives and capitals too."""
    assert looks_like_surname(word)


@pytest.mark.parametrize("word", [*OTHERS, ""])
def test_other_words_are_not(word: str) -> None:
    """Words in lower case, towns and ordinary words built alike are left alone."""
    assert not looks_like_surname(word)


def test_decomposed_letters_are_letters() -> None:
    """A name is the same name when ö is written as o and two dots."""
    assert looks_like_surname("Lindstro\u0308m")
