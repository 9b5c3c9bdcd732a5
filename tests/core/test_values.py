"""Clinical values are set apart from identifiers and compared with changes of the text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from veil import Span
from veil.core.values import VALUE, changed_values, outside_values, split_values

if TYPE_CHECKING:
    from collections.abc import Iterable


@st.composite
def spans(draw: st.DrawFn, *labels: str) -> list[Span]:
    """Spans of any order in a text of forty characters; they may overlap."""
    bounds = st.tuples(st.integers(0, 39), st.integers(1, 6), st.sampled_from(labels))
    return [Span(start, start + length, label) for start, length, label in draw(st.lists(bounds))]


@given(spans(VALUE, "DATE"))
def test_values_are_set_apart(found: list[Span]) -> None:
    """Identifiers keep their order; values are disjoint and cover what they covered."""
    identifiers, values = split_values(found)
    assert identifiers == [span for span in found if span.label != VALUE]
    assert all(left.end <= right.start for left, right in pairwise(values))
    assert _covered(values) == _covered(span for span in found if span.label == VALUE)


@given(spans(VALUE), spans("DATE"))
def test_spans_inside_values_are_dropped(found: list[Span], dates: list[Span]) -> None:
    """A span stays if an end of it, or three characters in a row, lie outside values."""
    _, values = split_values(found)
    covered = _covered(values)
    inside = [
        date
        for date in dates
        if {date.start, date.end - 1} <= covered
        and not any(
            covered.isdisjoint(range(start, start + 3)) for start in range(date.start, date.end - 2)
        )
    ]
    assert outside_values(dates, values) == [date for date in dates if date not in inside]


@given(spans(VALUE), spans("DATE"))
def test_changed_values_are_those_that_changes_overlap(
    found: list[Span], dates: list[Span]
) -> None:
    """Each changed value comes once, with a change that overlaps it."""
    _, values = split_values(found)
    changed = changed_values(values, dates)
    assert {value for value, _ in changed} == {
        value
        for value in values
        if any(date.start < value.end and value.start < date.end for date in dates)
    }
    assert all(date.start < value.end and value.start < date.end for value, date in changed)
    assert len(changed) == len({value for value, _ in changed})


def _covered(found: Iterable[Span]) -> set[int]:
    return {offset for span in found for offset in range(span.start, span.end)}
