"""Where replacements stand: the two texts decide, and nothing else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.core.document import Span, with_changes
from veil.review.align import align

WORDS = st.sampled_from(
    ["Anna", "Öhman", "3 maj", "070-123", " ", " ", ", ", ".", "\n", "och", "山田", "は", "😀", "x"]
)
NEW = st.sampled_from(["Eva", "[NAME-1]", "Ek Lund", "7 juni 1999", "佐藤", "█████", "", "B 12, C"])


@st.composite
def masked_texts(draw: st.DrawFn) -> tuple[str, str, list[Span]]:
    """An original, its masked text, and the spans that were replaced."""
    original, masked, spans = "", "", []
    for word in draw(st.lists(WORDS, min_size=1, max_size=30)):
        if word.strip() and draw(st.booleans()):
            spans.append(Span(len(original), len(original) + len(word), "NAME"))
            masked += draw(NEW)
        else:
            masked += word
        original += word
    return original, masked, spans


@given(masked_texts(), st.randoms(use_true_random=False))
def test_outside_the_places_both_texts_are_equal(
    texts: tuple[str, str, list[Span]], chance: object
) -> None:
    """The masked text is the original with new text at the places, whatever spans are known."""
    original, masked, spans = texts
    some = [span for span in spans if chance.random() < 0.7]  # type: ignore[attr-defined]
    for known in (spans, some, []):
        places = align(original, masked, known)
        if places is None:
            continue
        changes = [(p.start, p.end, masked[p.masked_start : p.masked_end]) for p in places]
        assert with_changes(original, changes) == masked
        assert all(a.end <= b.start for a, b in itertools.pairwise(places))
        assert all(p.start < p.end for p in places)


CASES = {
    "a tag": ("Hej Anna!", "Hej [NAME-1]!", [(4, 8)], [(4, 8, 4, 12)]),
    "two words for one": ("Hej Anna, du", "Hej Eva Lena, du", [(4, 8)], [(4, 8, 4, 12)]),
    "side by side": ("Anna Ek kom", "Eva Lund kom", [(0, 4), (5, 7)], [(0, 4, 0, 3), (5, 7, 4, 8)]),
    "a span that was not masked": (
        "Anna och Bo",
        "Anna och Ek",
        [(0, 4), (9, 11)],
        [(9, 11, 9, 11)],
    ),
    "a change that nobody knows": ("vid Lugo nu", "vid Soria nu", [], [(4, 8, 4, 9)]),
    "part of a date": ("3 May 2021", "7 May 2022", [(0, 10)], [(0, 10, 0, 10)]),
    "known and unknown": ("Bo i Lugo", "Ek i Soria", [(0, 2)], [(0, 2, 0, 2), (5, 9, 5, 10)]),
    "beyond the basic plane": ("𠮷田😀です", "佐藤😀です", [(0, 2)], [(0, 2, 0, 2)]),
    "nothing": ("BP 120/80", "BP 120/80", [], []),
}


@pytest.mark.parametrize(("original", "masked", "spans", "expected"), CASES.values(), ids=CASES)
def test_places(
    original: str,
    masked: str,
    spans: list[tuple[int, int]],
    expected: list[tuple[int, int, int, int]],
) -> None:
    """Every replacement has its offsets in both texts."""
    found = align(original, masked, [Span(*extent, "NAME") for extent in spans])
    assert [place[:4] for place in found or []] == expected


def test_other_text() -> None:
    """A text that has little in common with the original is not taken for its masked text."""
    assert align("Patienten mår bra och får gå hem idag efter ronden. " * 3, "x" * 90, []) is None
