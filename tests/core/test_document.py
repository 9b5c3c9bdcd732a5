from __future__ import annotations

import pickle

import pytest

from veil import Document, Record, Span, Spans
from veil.core.document import prefer_longest

DOC = Document("r1", "Anna Lindgren, 73 år")


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (4, 4), (5, 2)])
def test_span_needs_characters(start: int, end: int) -> None:
    """A span without a character, or before the text, is refused."""
    with pytest.raises(ValueError, match="at least one character"):
        Span(start, end, "NAME")


def test_spans_are_sorted() -> None:
    """Spans come out in the order of the text, whatever order they were given in."""
    age, name = Span(15, 17, "AGE"), Span(0, 13, "NAME")
    assert Spans(DOC, [age, name]) == (name, age)


def test_spans_refuse_overlap() -> None:
    """Overlapping spans are refused with their offsets."""
    with pytest.raises(ValueError, match="0-13 and 5-17"):
        Spans(DOC, [Span(0, 13, "NAME"), Span(5, 17, "AGE")])


def test_spans_refuse_what_lies_outside() -> None:
    """A span beyond the end of the text is refused."""
    with pytest.raises(ValueError, match="outside the text of 20 characters"):
        Spans(DOC, [Span(15, 21, "AGE")])


def test_spans_in_order_lie_inside_the_text() -> None:
    """Spans that are in order are taken as they are, but none may end outside the text."""
    spans = [Span(0, 13, "NAME"), Span(15, 17, "AGE")]
    assert Spans.in_order(DOC, spans) == Spans(DOC, spans)
    with pytest.raises(ValueError, match="outside the text"):
        Spans.in_order(DOC, [Span(15, 21, "AGE")])


def test_touching_spans_are_disjoint() -> None:
    """Two spans that touch do not overlap."""
    assert len(Spans(DOC, [Span(0, 4, "NAME"), Span(4, 13, "NAME")])) == 2


def test_spans_travel_between_processes() -> None:
    """Pickled spans come back whole and of the same kind."""
    spans = Spans(DOC, [Span(0, 13, "NAME"), Span(15, 17, "AGE", part=None)])
    back = pickle.loads(pickle.dumps(spans))  # noqa: S301 - our own bytes
    assert back == spans
    assert isinstance(back, Spans)


def test_no_repr_shows_text() -> None:
    """Neither a document nor a record shows its text or meta data when printed."""
    doc = Document("r1", "Anna Lindgren", meta={"name": "Anna Lindgren"})
    assert "Anna" not in repr(doc)
    assert "Anna" not in repr(Record.of(doc, [Span(0, 4, "NAME")]))


def test_record_keeps_overlapping_annotations_aside() -> None:
    """Of overlapping annotations the longest stays, and the others are not lost."""
    short, long, other = Span(5, 13, "NAME"), Span(0, 13, "NAME"), Span(15, 17, "AGE")
    record = Record.of(DOC, [short, long, other])
    assert record.spans == (long, other)
    assert record.set_aside == (short,)
    assert set(record.annotations) == {short, long, other}


def test_of_equally_long_spans_the_first_stays() -> None:
    """Ties go to the earlier in the text, then to the earlier in the file."""
    kept, set_aside = prefer_longest(
        [Span(2, 6, "B"), Span(0, 4, "A"), Span(10, 12, "C"), Span(10, 12, "D")]
    )
    assert [span.label for span in kept] == ["A", "C"]
    assert [span.label for span in set_aside] == ["B", "D"]


def test_a_span_at_another_place_is_else_the_same() -> None:
    """Only start and end change."""
    span = Span(0, 4, "NAME", 0.5, "rules", "first")
    assert span.at(7, 9) == Span(7, 9, "NAME", 0.5, "rules", "first")
