"""From candidates to spans: overlaps are settled, and no character that was found is uncovered.

1. Candidates of one label that overlap become one span.
2. Of overlapping spans of different labels the one of higher precedence wins, where the caller
   gives one; then the longer, then the surer (higher score), then the earlier in the text, then the
   first by label, part and source.
3. A loser is cut down to what its winners leave of it. A rest without a letter or digit says
   nothing by itself: it is joined to the span that it touches.

The result covers exactly what the candidates cover, whatever their order.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.core.document import Document, Span, Spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Precedence = Callable[[Span], int]
    Rank = Callable[[Span], tuple[float | str, ...]]


def resolve(
    doc: Document, candidates: Iterable[Span], *, precedence: Precedence | None = None
) -> Spans:
    """Settle overlapping candidates by the rules above."""
    ordered = sorted(candidates, key=lambda span: span.start)
    if all(left.end <= right.start for left, right in pairwise(ordered)):
        return Spans(doc, ordered)
    rank = partial(_rank, precedence or _all_alike)
    kept: list[Span] = []
    for span in sorted(_unite(ordered, rank), key=rank):
        _add(doc, span, kept)
    return Spans(doc, kept)


def _all_alike(span: Span) -> int:
    return 0


def _rank(precedence: Precedence, span: Span) -> tuple[float | str, ...]:
    """The total order: the span of the lowest rank wins."""
    length = span.end - span.start
    return (
        *(-precedence(span), -length, -span.score),
        *(span.start, span.label, span.part or "", span.source),
    )


def _unite(candidates: Iterable[Span], rank: Rank) -> list[Span]:
    """Join overlapping candidates of the same label and part; the one that ranks first speaks."""
    by_label: defaultdict[tuple[str, str | None], list[Span]] = defaultdict(list)
    for span in candidates:
        by_label[span.label, span.part].append(span)
    united = []
    for spans in by_label.values():
        spans.sort(key=lambda span: (span.start, rank(span)))
        group, end = [spans[0]], spans[0].end
        for span in spans[1:]:
            if span.start < end:
                group.append(span)
                end = max(end, span.end)
            else:
                united.append(_join(group, end, rank))
                group, end = [span], span.end
        united.append(_join(group, end, rank))
    return united


def _join(group: list[Span], end: int, rank: Rank) -> Span:
    if len(group) == 1:
        return group[0]
    return replace(min(group, key=rank), start=group[0].start, end=end)


def _add(doc: Document, span: Span, kept: list[Span]) -> None:
    """Add what a span covers and the kept ones, which are sorted and disjoint, do not."""
    place = bisect(kept, span.start, key=lambda other: other.end)
    position = span.start
    while position < span.end:
        ahead = kept[place] if place < len(kept) else None
        end = min(span.end, ahead.start) if ahead else span.end
        if position < end:
            whole = position == span.start and end == span.end
            if whole or any(map(str.isalnum, doc.text[position:end])):
                kept.insert(place, replace(span, start=position, end=end))
                place += 1
            elif 0 < place and kept[place - 1].end == position:
                kept[place - 1] = replace(kept[place - 1], end=end)
            elif ahead:
                ahead = kept[place] = replace(ahead, start=position)
        if ahead is None:
            return
        position, place = ahead.end, place + 1
