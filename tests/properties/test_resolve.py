from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veil import Document, Span
from veil.core.resolve import resolve

_SIZE = 40

texts = st.text("aZ9é山 .,-\n", min_size=_SIZE, max_size=_SIZE)
candidates = st.lists(
    st.builds(
        lambda start, length, label, score, source: Span(
            start, min(_SIZE, start + length), label, score, source
        ),
        st.integers(0, _SIZE - 1),
        st.integers(1, 15),
        st.sampled_from(("NAME", "DATE", "ID")),
        st.sampled_from((0.2, 0.5, 1.0)),
        st.sampled_from(("rules", "model")),
    ),
    max_size=12,
)


def covered(spans: list[Span] | tuple[Span, ...]) -> list[int]:
    return sorted({offset for span in spans for offset in range(span.start, span.end)})


@given(texts, candidates)
def test_exactly_what_was_found_is_covered(text: str, found: list[Span]) -> None:
    """No character that a candidate covered is uncovered, and none is added."""
    assert covered(resolve(Document("r", text), found)) == covered(found)


@given(texts, candidates)
def test_result_is_sorted_and_disjoint(text: str, found: list[Span]) -> None:
    """Each character is covered once, from left to right."""
    spans = resolve(Document("r", text), found)
    offsets = [offset for span in spans for offset in range(span.start, span.end)]
    assert offsets == sorted(set(offsets))


@given(texts, candidates, st.randoms(use_true_random=False))
def test_order_of_candidates_does_not_matter(text: str, found: list[Span], random: object) -> None:
    """Shuffled candidates give the same spans."""
    doc = Document("r", text)
    shuffled = sorted(found, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert resolve(doc, shuffled) == resolve(doc, found)


@given(texts, candidates)
def test_resolving_twice_changes_nothing(text: str, found: list[Span]) -> None:
    """What is settled stays as it is."""
    doc = Document("r", text)
    once = resolve(doc, found)
    assert resolve(doc, once) == once


@given(texts, candidates)
def test_labels_come_from_a_candidate_that_touches(text: str, found: list[Span]) -> None:
    """Every span has the label of a candidate that covers a part of it."""
    for span in resolve(Document("r", text), found):
        assert any(
            other.label == span.label and other.start < span.end and span.start < other.end
            for other in found
        )
