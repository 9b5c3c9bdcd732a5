from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.detect.names import AS_PUBLISHED, NameOptions

if TYPE_CHECKING:
    from tests.detect.names.conftest import Find


def test_marks_alone_find_nothing(find: Find) -> None:
    """The module only marks words."""
    assert find("Anna Berg", "C") == []


def test_marks_count_for_modules_after_it(find: Find) -> None:
    """Björn at the start of a sentence may be a bear: a name before the marks, none after."""
    assert find("Björn sågs.", "DC") == ["Björn/first/D"]
    assert find("Björn sågs.", "CD") == []


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("sv", "Anna mår bra. Johansson likaså.", ["Anna", "Johansson"]),
        ("sv", "Besök av Björn. Björn Hjelmqvist.", ["Björn", "Björn", "Hjelmqvist"]),
        ("sv", "Från Finland. Både Eva", ["Eva"]),
        ("sv", "STEN BERG", ["STEN", "BERG"]),
        ("en", "saw Will in May. Will is well.", ["Will"]),
        ("en", "Foot Pain. Will Smith.", ["Will", "Smith"]),
        ("es", "Rosa come. Viene Rosa.", ["Rosa"]),
        ("ja", "田中先生", ["田中"]),
    ],
)
def test_names_among_common_words_are_spared(
    find: Find, language: str, text: str, names: list[str]
) -> None:
    """Frequent names are not common; other words are names where only a name has a capital."""
    found = find(text, "CTD", language)
    assert [name.partition("/")[0] for name in found] == names


def test_common_words_in_lower_case_are_not_spared(find: Find) -> None:
    """Where case does not count, a common word in lower case is common all the same."""
    assert find("en tablett per dag till anna", "CD", options=NameOptions(any_case=True)) == [
        "anna/first/D"
    ]


def test_as_published_names_among_common_words_are_lost(find: Find) -> None:
    """The paper's module marks every word of the list."""
    assert find("Besök av Anna Kowalski", "CD", options=AS_PUBLISHED) == ["Kowalski/last/D"]


def test_medical_words_and_phrases_are_common(find: Find) -> None:
    """Eponyms are no names, but for those that are names outside their phrase."""
    text = "har Parkinson, Wilsons sjukdom och Mb Hodgkin enligt Wilson"
    assert find(text, "CD") == ["Wilson/first/D"]
    without = find(text, "CD", options=NameOptions(medical=False))
    assert [name.partition("/")[0] for name in without] == ["Parkinson", "Wilsons", "Wilson"]


def test_japanese_eponyms_are_common(find: Find) -> None:
    """橋本病 is a disease, 橋本先生 a doctor."""
    assert find("橋本病で橋本先生を受診", "CD", "ja") == ["橋本/last/D"]
