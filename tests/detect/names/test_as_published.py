"""The modules with the settings of carlsson-2010: none of Veil's additions, published sizes."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil import Document
from veil.detect.names import AS_PUBLISHED, NameModules
from veil.detect.names.forms import PUBLISHED_SIZES
from veil.learn.recipe import METHODS
from veil.lexicons import lexicon

if TYPE_CHECKING:
    from tests.detect.names.conftest import Find

    from veil import Span


@pytest.mark.parametrize(
    ("text", "default", "published"),
    [
        (
            "Dr Karl Gustav Lindgren",
            ["Karl/first/T", "Gustav/first/T", "Lindgren/last/T"],
            ["Karl/first/T", "Gustav/last/T"],
        ),
        ("Dr Anna von Essen", ["Anna/first/T", "von/last/T", "Essen/last/T"], ["Anna/last/T"]),
    ],
)
def test_titles_take_two_words(
    find: Find, text: str, default: list[str], published: list[str]
) -> None:
    """A third word, and what follows a small word, is part of a name in Veil's settings alone."""
    assert find(text, "T") == default
    assert find(text, "T", options=AS_PUBLISHED) == published


@pytest.mark.parametrize(
    ("text", "default", "published"),
    [
        ("visade MIA också", [], ["MIA/first/D"]),
        ("Eva- och adamsgrupp", [], ["Eva/first/D"]),
        ("Hjelmqvist kom", ["Hjelmqvist/last/D"], []),
    ],
)
def test_exceptions_and_built_surnames_are_veils(
    find: Find, text: str, default: list[str], published: list[str]
) -> None:
    """In the paper lists alone decide: no abbreviations, half compounds or forms of surnames."""
    assert find(text, "D") == default
    assert find(text, "D", options=AS_PUBLISHED) == published


def test_dictionaries_have_the_published_sizes() -> None:
    """The names are the most frequent ones of Veil's lists, as many as the paper has."""
    for kind, size in PUBLISHED_SIZES.items():
        used = AS_PUBLISHED.lexicon("sv", kind)
        if kind == "common":
            assert size - 10 < len(used) <= size
        else:
            assert len(used) == size
            assert set(used.entries) < set(lexicon("sv", kind).entries)
    assert "Anna" in AS_PUBLISHED.lexicon("sv", "given_female")
    assert "Andersson" in AS_PUBLISHED.lexicon("sv", "surname")


def test_the_method_has_the_published_settings() -> None:
    """`carlsson-2010` is the paper's, `veil-names` has Veil's improvements."""
    published, own = (METHODS.get(name).make() for name in ("carlsson-2010", "veil-names"))
    assert isinstance(published, NameModules)
    assert isinstance(own, NameModules)
    assert published.options == AS_PUBLISHED
    assert (published.order, own.order) == ("TCD", "TCD")
    assert own.options != AS_PUBLISHED


WORDS = """
    Anna anna ANNA Annas Anna's annas Karin Björn björn Sten sten STEN stens Lars LARS lars' Per
    per Bo bo My TIA Li El Mag- och Mats mat mats Maj maj Dr dr ssk Stark stark starks Anna-Karin
    von Essen är mår O'Hora . , Berg berg Bergs BERGS Lindgren lindgrens Hjelmqvist IgE
""".split()
DETECTORS = {
    order: NameModules("sv", order, options=AS_PUBLISHED)
    for length in range(1, 5)
    for order in map("".join, permutations("TCDL", length))
}


def found(order: str, docs: list[Document]) -> list[list[tuple[int, int, str | None]]]:
    def plain(span: Span) -> tuple[int, int, str | None]:
        return span.start, span.end, span.part

    return [list(map(plain, spans)) for spans in DETECTORS[order].detect_many(docs)]


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12), min_size=1, max_size=3))
def test_learning_after_the_dictionaries_changes_nothing(texts: list[list[str]]) -> None:
    """The dictionaries annotate all occurrences of a word, so L has nothing to add (section 4)."""
    docs = [Document(str(number), " ".join(words)) for number, words in enumerate(texts)]
    for order in ("DL", "CDL", "DLT", "DLC", "CDLT", "DLCT", "DLTC", "DCL", "DCLT"):
        assert found(order, docs) == found(order.replace("L", ""), docs), order


def test_learning_after_titles_finds_more(find: Find) -> None:
    """A name that only titles tell is learnt, also where the paper's list calls it common."""
    text = "Dr Kanelbulle och dr Kanelbulle. Sedan kanelbulle."
    assert len(find(text, "TD", options=AS_PUBLISHED)) == 2
    assert len(find(text, "TDL", options=AS_PUBLISHED)) == 3
