"""From candidates to spans: settles overlaps without uncovering any character that was found.

1. Candidates of one label that overlap become one span.
2. Among overlapping spans of different labels the one of higher precedence wins, if the caller
   gives one; then the longer, then the one with the higher score, then the first in the text, then
   the first by label, part and source.
3. A loser keeps only the parts that its winners do not cover. A remainder without a letter or digit
   carries no information: it is joined to an adjacent span.

The result covers exactly what the candidates cover, whatever their order.
"""

from __future__ import annotations

from bisect import bisect
from operator import attrgetter
from typing import TYPE_CHECKING

from veil.core.document import Document, Span, Spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Precedence = Callable[[Span], int]
    Rank = Callable[[Span], tuple[float | str, ...]]

_start, _end = attrgetter("start"), attrgetter("end")


def resolve(
    doc: Document, candidates: Iterable[Span], *, precedence: Precedence | None = None
) -> Spans:
    """Settle overlapping candidates by the rules above."""
    ordered = sorted(candidates, key=_start)
    groups = _overlapping(ordered)
    if not groups:
        return Spans.in_order(doc, ordered)

    def rank(span: Span) -> tuple[float | str, ...]:
        """The total order: the span of the lowest rank wins."""
        start, score = span.start, span.score
        highest = precedence(span) if precedence else 0
        return -highest, start - span.end, -score, start, span.label, span.part or "", span.source

    settled: list[Span] = []
    position = 0
    for first, last in groups:
        settled += ordered[position:first]
        position = last
        united = _unite(ordered[first:last], rank)
        if len(united) == 1:
            settled += united
            continue
        kept: list[Span] = []
        for span in sorted(united, key=rank):
            _add(doc, span, kept)
        settled += kept
    return Spans(doc, settled + ordered[position:])


def _overlapping(ordered: Sequence[Span]) -> list[tuple[int, int]]:
    """Groups of spans, sorted by start, that contain overlaps, with the spans adjacent to them.

    Other spans stay as they are. Groups do not affect each other.
    """
    groups = []
    first = end = 0
    overlaps = False
    for index, span in enumerate(ordered):
        start = span.start
        if start < end:
            overlaps = True
        elif end < start:
            if overlaps:
                groups.append((first, index))
                overlaps = False
            first = index
        if end < span.end:
            end = span.end
    if overlaps:
        groups.append((first, len(ordered)))
    return groups


def _unite(ordered: list[Span], rank: Rank) -> list[Span]:
    """Join overlapping candidates of the same label and part; the first by rank gives the rest."""
    by_label: dict[tuple[str, str | None], list[Span]] = {}
    for span in ordered:
        by_label.setdefault((span.label, span.part), []).append(span)
    if len(by_label) == len(ordered):
        return ordered
    united = []
    for spans in by_label.values():
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
    return min(group, key=rank).at(group[0].start, end)


def _add(doc: Document, span: Span, kept: list[Span]) -> None:
    """Add the parts of a span that the kept spans, sorted and disjoint, do not cover."""
    index = bisect(kept, span.start, key=_end)
    position = span.start
    while position < span.end:
        ahead = kept[index] if index < len(kept) else None
        end = min(span.end, ahead.start) if ahead else span.end
        if position < end:
            whole = position == span.start and end == span.end
            if whole or any(map(str.isalnum, doc.text[position:end])):
                kept.insert(index, span if whole else span.at(position, end))
                index += 1
            elif 0 < index and kept[index - 1].end == position:
                kept[index - 1] = kept[index - 1].at(kept[index - 1].start, end)
            elif ahead:
                ahead = kept[index] = ahead.at(position, ahead.end)
        if ahead is None:
            return
        position, index = ahead.end, index + 1
