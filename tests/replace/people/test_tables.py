"""The lists of names: enough of them, and none that is something else."""

from __future__ import annotations

import re

import pytest

from veil.languages import language_codes
from veil.languages.ja import people_names
from veil.lexicons import is_ordinary
from veil.replace.people import tables
from veil.replace.people.styles import name_key

OWN = {"en": "english", "es": "spanish", "sv": "swedish"}


@pytest.mark.parametrize("language", OWN)
@pytest.mark.parametrize("kind", ["female", "male", "surname"])
def test_own_pools_are_large_and_hold_no_words(language: str, kind: tables.Kind) -> None:
    """Stand-ins of a language's own names are many; none is an ordinary word."""
    names = tables.pool(language, OWN[language], kind)
    assert 180 < len(names)
    assert not [name for name in names if is_ordinary(language)(name)]


@pytest.mark.parametrize("language", OWN)
def test_every_origin_gives_enough_names(language: str) -> None:
    """No pool is so small that it would tell the name."""
    for origin, kinds in tables.lists().items():
        assert all(15 < len(tables.pool(language, origin, "surname")) for kind in kinds)


def test_lists_hold_each_name_once() -> None:
    """A name is written once in a list, with a capital."""
    for origin, kinds in tables.lists().items():
        for kind, names in kinds.items():
            assert len(names) == len(set(names)), (origin, kind)
            assert all(name[0].isupper() for name in names), (origin, kind)


@pytest.mark.parametrize(
    ("kind", "fewest"), [("family", 300), ("female", 200), ("male", 200), ("foreign_family", 80)]
)
def test_japanese_pools_are_large(kind: str, fewest: int) -> None:
    """There are hundreds of Japanese names with their readings."""
    names = people_names.pool(kind)
    assert fewest <= len(names)
    assert all(re.fullmatch("[ぁ-ゖー]+", name.reading) for name in names)
    assert all(re.fullmatch(r"[A-Z][\w'-]*", name.latin) for name in names)


@pytest.mark.parametrize(
    ("word", "same"),
    [("Bjorn", "BJÖRN"), ("Garcia", "García"), ("MUNOZ", "Muñoz"), ("Jose\u0301", "JOSÉ")],
)
def test_lost_accents_do_not_make_another_name(word: str, same: str) -> None:
    """A name without its accents is the name."""
    assert tables.identity_of(word) == tables.identity_of(same)


@pytest.mark.parametrize(("one", "other"), [("Jonsson", "Jönsson"), ("Backman", "Bäckman")])
def test_letters_of_their_own_make_another_name(one: str, other: str) -> None:
    """Two names of the lists stay two."""
    assert tables.identity_of(one) != tables.identity_of(other)


@pytest.mark.parametrize(
    ("name", "language", "sex"),
    [
        *(("Anna", "sv", "female"), ("Lars", "sv", "male"), ("Kim", "sv", "both")),
        *(("Andrea", "es", "female"), ("Jean", "en", "female"), ("Joan", "es", "male")),
        *(("Fatima", "sv", "female"), ("Nisse", "sv", "male"), ("Karen", "en", "female")),
    ],
)
def test_sex_of_given_names(name: str, language: str, sex: str) -> None:
    """The language's own use of a name comes first."""
    assert tables.sex_of(name_key(name), language) == sex


@pytest.mark.parametrize("language", language_codes())
def test_stored_names_equal_those_that_are_made(language: str) -> None:
    """The names to draw from are the same with a table and without one."""
    assert tables._folded_lists() == tables._fold_lists()
    for origin in tables.lists():
        for kind in (*tables._GIVEN, tables._SURNAME):
            made = tables._make_pool(language, origin, kind)
            assert tables.pool(language, origin, kind) == made
