"""Clinical values: doses, scores, ratios, stages, eponyms, which must be left unchanged.

Detectors return the clinical values that they recognise among their spans, with the label `VALUE`.
They are not identifiers: pipelines separate them from the spans that are masked.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.core.document import Span

VALUE = "VALUE"
"""The label of clinical values. It belongs to no scheme."""

DOUBT = "DOUBT"
"""The label of words in which a detector found nothing, but might if the surrounding text were
different, as after masking. It belongs to no scheme, and pipelines separate it from the spans."""

_WIDEST_GAP = 2
_start = attrgetter("start")


def split_doubts(spans: Iterable[Span]) -> tuple[list[Span], list[Span]]:
    """Split spans into identifiers and values, in their order, and doubtful words."""
    found: list[Span] = []
    doubts: list[Span] = []
    for span in spans:
        (doubts if span.label == DOUBT else found).append(span)
    return found, doubts


def split_values(spans: Iterable[Span]) -> tuple[list[Span], list[Span]]:
    """Split spans into identifiers, in their order, and clinical values, sorted and disjoint."""
    identifiers: list[Span] = []
    values: list[Span] = []
    for span in spans:
        (values if span.label == VALUE else identifiers).append(span)
    return identifiers, _merged(values) if 1 < len(values) else values


def _merged(values: list[Span]) -> list[Span]:
    """Join values that overlap or touch: a span may lie in two of them."""
    values.sort(key=_start)
    merged = values[:1]
    for value in values[1:]:
        last = merged[-1]
        if last.end < value.start:
            merged.append(value)
        elif last.end < value.end:
            merged[-1] = last.at(last.start, value.end)
    return merged


def outside_values(spans: Iterable[Span], values: Sequence[Span]) -> list[Span]:
    """Return the spans that do not lie inside clinical values, which are sorted and disjoint.

    Adjacent values count as one: no name fits into the comma and space between them.
    """
    if not values:
        return list(spans)

    starts = [value.start for value in values]

    def is_outside(span: Span) -> bool:
        index = bisect_right(starts, span.start) - 1
        if index < 0 or values[index].end <= span.start:
            return True
        end = values[index].end
        for following in range(index + 1, len(values)):
            if min(end + _WIDEST_GAP, span.end - 1) < values[following].start:
                break
            end = values[following].end
        return end < span.end

    return list(filter(is_outside, spans))


class Change(Protocol):
    """A replacement of a stretch of a text: an edit, or a span to be masked."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


C = TypeVar("C", bound=Change)


def changed_values(values: Sequence[Span], changes: Iterable[C]) -> list[tuple[Span, C]]:
    """Return the clinical values that changes overlap, each with the first of these changes.

    The values are sorted and disjoint.
    """
    changed: dict[Span, C] = {}
    for change in changes if values else ():
        index = max(0, bisect_right(values, change.start, key=_start) - 1)
        while index < len(values) and values[index].start < change.end:
            if change.start < values[index].end:
                changed.setdefault(values[index], change)
            index += 1
    return list(changed.items())
