"""Windows bound the memory of a linear model: a long text is tagged piece by piece.

A window ends after a paragraph, a line, a sentence or a blank, or anywhere if the text has none of
these. The model also sees the text around the window; spans that begin in the window count.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.core.document import Span

LONGEST = 200_000
"""Texts up to so many characters are one window."""

# What a model looks at is nearer than this: its widest feature is the number of a line, up to 41.
_CONTEXT = 6_000
# So far back from the longest end of a window a better one is searched for.
_SEARCHED = 20_000
_ENDS = (("\n\n", "\r\n\r\n"), ("\n", "\r"), (". ", "。"), (" ", "\t", "\u3000"))


class Window(NamedTuple):
    """What a model sees of a text, from `start` to `end`, and where spans that count begin."""

    start: int
    end: int
    first: int
    last: int

    def within(self, spans: Iterable[Span]) -> list[Span]:
        """Spans of the text as spans of this window; they reach into it."""
        size = self.end - self.start
        return [
            span.at(max(0, span.start - self.start), min(size, span.end - self.start))
            for span in spans
        ]


def windows(text: str) -> list[Window]:
    """Cut a text; a short one is one window."""
    if len(text) <= LONGEST:
        return [Window(0, len(text), 0, len(text))]
    cuts = [0]
    while LONGEST < len(text) - cuts[-1]:
        cuts.append(_cut(text, cuts[-1] + LONGEST - _SEARCHED, cuts[-1] + LONGEST))
    edges = zip(cuts, [*cuts[1:], len(text)], strict=True)
    return [
        Window(
            _cut(text, max(0, first - 2 * _CONTEXT), max(0, first - _CONTEXT)),
            min(len(text), last + _CONTEXT),
            first,
            last,
        )
        for first, last in edges
    ]


def _cut(text: str, earliest: int, latest: int) -> int:
    """The best place to cut a text between two places, the last one of its kind."""
    for ends in _ENDS:
        place = max(text.rfind(end, earliest, latest) + len(end) for end in ends)
        if earliest < place:
            return place
    return latest


def spread(of_text: Sequence[Window], spans: Sequence[Span]) -> list[list[Span]]:
    """The spans of a text for each of its windows."""
    if len(of_text) == 1:
        return [list(spans)]
    starts = [window.start for window in of_text]
    ends = [window.end for window in of_text]
    found: list[list[Span]] = [[] for _ in of_text]
    for span in spans:
        for number in range(bisect_right(ends, span.start), bisect_left(starts, span.end)):
            found[number].append(span)
    return [window.within(own) for window, own in zip(of_text, found, strict=True)]


def joined(of_text: Sequence[Window], found: Sequence[list[Span]]) -> list[Span]:
    """The spans of a text from the disjoint ones of its windows."""
    if len(of_text) == 1:
        return found[0]
    spans: list[Span] = []
    end = 0
    for window, own in zip(of_text, found, strict=True):
        for span in own:
            start = span.start + window.start
            if max(window.first, end) <= start < window.last:
                end = span.end + window.start
                spans.append(span.at(start, end))
    return spans
