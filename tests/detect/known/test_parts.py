from __future__ import annotations

import pytest

from veil.detect.known.entities import Name, parse_name
from veil.detect.known.vocabulary import read_nicknames, vocabulary
from veil.detect.known.words import SpellingIndex

LATIN = ("en", "es", "sv")


@pytest.mark.parametrize(
    ("language", "value", "given", "surnames"),
    [
        ("en", "John Doe", ("John",), ("Doe",)),
        ("en", "Doe, John David", ("John", "David"), ("Doe",)),
        ("en", "Dr. John Doe, MD", ("John",), ("Doe",)),
        ("en", "Doe, John, M.D.", ("John",), ("Doe",)),
        ("en", 'John "Jack" Doe (née Berg)', ("John", "Jack", "Doe"), ("Berg",)),
        ("en", "Ludwig van der Berg", ("Ludwig",), ("van", "der", "Berg")),
        ("en", "Will", ("Will",), ("Will",)),
        ("en", "John Doe Jr.", ("John",), ("Doe",)),
        ("en", "Doe, John, III", ("John",), ("Doe",)),
        ("en", "Dr.", ("Dr.",), ("Dr.",)),
        ("en", ", ;", (), ()),
        ("es", "María García López", ("María",), ("García", "López")),
        ("es", "D. Luis Gil", ("Luis",), ("Gil",)),
        (
            "es",
            "María del Carmen García de la Fuente",
            ("María", "del", "Carmen"),
            ("García", "de", "la", "Fuente"),
        ),
        ("sv", "Carl von Essen", ("Carl",), ("von", "Essen")),
        ("sv", "Anna Karin Maria Lind", ("Anna", "Karin", "Maria"), ("Lind",)),
    ],
)
def test_names_are_taken_apart(
    language: str, value: str, given: tuple[str, ...], surnames: tuple[str, ...]
) -> None:
    """Given names and surnames are told apart, titles and letters left out."""
    assert parse_name(value, vocabulary(language)) == Name(given, surnames)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lindgren", ()),  # the word itself is no misspelling
        ("lindgrn", ("lindgren",)),
        ("lindgreen", ("lindgren",)),
        ("lindgran", ("lindgren",)),
        ("ilndgren", ("lindgren",)),
        ("lindgrne", ("lindgren",)),
        ("xindgren", ("lindgren",)),
        ("lindgrex", ("lindgren",)),
        ("indgren", ("lindgren",)),
        ("lindgre", ("lindgren",)),
        ("lndgrn", ()),
        ("lidngrne", ()),
        ("linden", ()),
        ("jonh", ("john",)),
        ("jhon", ("john",)),
        ("jon", ("john",)),
        ("ohn", ("john",)),
        ("jo", ()),
        ("bot", ()),
    ],
)
def test_one_slip_is_forgiven(word: str, expected: tuple[str, ...]) -> None:
    """A letter left out, added, changed or swapped with its neighbour is found; two are not."""
    index = SpellingIndex(["lindgren", "john", "bo", "12345"])
    assert index.neighbours(word) == expected


@pytest.mark.parametrize(("language", "least"), [("en", 150), ("es", 80), ("sv", 60)])
def test_nicknames_are_many_and_differ_from_their_names(language: str, least: int) -> None:
    """Each list has the names that were promised, and no name is its own short form."""
    given = read_nicknames(language)["given"]
    assert least <= len(given)
    assert [name for name, short in given.items() if name in short or not short] == []
    assert [name for name, short in given.items() if len(set(short)) != len(short)] == []


@pytest.mark.parametrize("language", LATIN)
def test_a_name_is_either_only_a_name_or_also_a_word(language: str) -> None:
    """The two lists of a language do not contradict each other."""
    words = vocabulary(language)
    assert words.only_names & words.also_words == frozenset()


@pytest.mark.parametrize("language", LATIN)
def test_months_are_twelve(language: str) -> None:
    """Each month has its forms."""
    assert set(vocabulary(language).month_numbers.values()) == set(range(1, 13))
