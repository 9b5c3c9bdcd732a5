"""Find the position of each replacement of a masked text in its original.

The result depends on the two texts: outside the returned places they are equal, character by
character. Spans that a detector finds in the original only help to determine the end, label and
score of a replacement. A review therefore shows what was really masked, whatever wrote the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.core.document import Span

UNKNOWN = "OTHER"
"""The label of a change that no detector explains."""

# The maximum length of a replacement, compared with its original.
_LONGEST, _TIMES = 120, 4
# The number of divisions of the text that are searched at a time.
_WIDTH = 64
_TAG = re.compile(r"\[[^\s\[\]]+\]|\S+-[0-9a-f]{8,}|█+")
_WORD = re.compile(r"[^\W_]+")
# Digits and letters of scripts with spaces form words, all others are single characters.
_TOKEN = re.compile(r"[0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff]+|.", re.DOTALL)
# Texts that share less than this are not an original and its masked text.
_LEAST_COMMON, _SHORT = 0.25, 60


class Place(NamedTuple):
    """A replacement: its offsets in the original and in the masked text, and its span, if known."""

    start: int
    end: int
    masked_start: int
    masked_end: int
    span: Span | None


def align(original: str, masked: str, spans: Sequence[Span]) -> list[Place] | None:
    """Return the replacements in order; None if the texts do not belong together."""
    ordered = sorted(spans, key=lambda span: span.start)
    places = _by_spans(original, masked, ordered)
    if places is None:
        places = _by_difference(original, masked, ordered)
    if places is None:
        return None
    return [
        place
        for place in places
        if original[place.start : place.end] != masked[place.masked_start : place.masked_end]
    ]


@dataclass(slots=True)
class _Way:
    """A way to divide the masked text: its cost, and the replacements so far."""

    cost: float
    before: _Way | None
    start: int
    end: int


def _by_spans(original: str, masked: str, spans: Sequence[Span]) -> list[Place] | None:
    """Divide the masked text so that all text between the spans is unchanged.

    Of several divisions, choose the one whose replacements are most similar to their originals.
    """
    first = original[: spans[0].start] if spans else original
    if not spans:
        return [] if original == masked else None
    if not masked.startswith(first):
        return None
    ways: dict[int, _Way] = {len(first): _Way(0.0, None, 0, 0)}
    for index, span in enumerate(spans):
        is_last = index + 1 == len(spans)
        gap = original[span.end : None if is_last else spans[index + 1].start]
        old = original[span.start : span.end]
        reached: dict[int, _Way] = {}
        for start, way in ways.items():
            for end in _ends(masked, start, gap, old, is_last=is_last):
                cost = way.cost + _cost(old, masked[start:end])
                position = end + len(gap)
                if position not in reached or cost < reached[position].cost:
                    reached[position] = _Way(cost, way, start, end)
        kept = sorted(reached.items(), key=lambda each: each[1].cost)[:_WIDTH]
        ways = dict(kept)
        if not ways:
            return None
    best: _Way | None = min(ways.values(), key=lambda way: way.cost)
    places = []
    for span in reversed(spans):
        if best is None:  # there is a way for each span
            return None
        places.append(Place(span.start, span.end, best.start, best.end, span))
        best = best.before
    return places[::-1]


def _ends(masked: str, start: int, gap: str, old: str, *, is_last: bool) -> Iterator[int]:
    """The possible ends of a replacement that starts here and is followed by the gap."""
    if is_last:
        end = len(masked) - len(gap)
        if start <= end and masked.endswith(gap):
            yield end
        return
    limit = start + _LONGEST + _TIMES * len(old)
    end = masked.find(gap, start, limit + len(gap))
    while end != -1:
        yield end
        end = masked.find(gap, end + 1, limit + len(gap))


def _cost(old: str, new: str) -> float:
    """The dissimilarity of a replacement and its original."""
    if new == old or _TAG.fullmatch(new):
        return 0.0
    if not new:
        return 6.0
    cost = abs(len(new) - len(old)) / max(len(new), len(old))
    cost += 2.0 * abs(len(_WORD.findall(new)) - len(_WORD.findall(old)))
    cost += 2.0 * (new[0].isspace() + new[-1].isspace())
    cost += 1.0 * (any(map(str.isdigit, new)) != any(map(str.isdigit, old)))
    cost += 4.0 * (new.count("[") != new.count("]"))
    return cost + 0.5 * (new[0].isalnum() != old[0].isalnum())


class _Block(NamedTuple):
    """A part that both texts share: its offsets and its length."""

    original: int
    masked: int
    size: int


def _by_difference(original: str, masked: str, spans: Sequence[Span]) -> list[Place] | None:
    """Find the changed words; those under one span are one replacement."""
    blocks = _blocks(original, masked)
    common = sum(block.size for block in blocks)
    if common < _LEAST_COMMON * min(len(original), len(masked)) and _SHORT < len(original):
        return None
    changed = list(_changed(blocks, len(original), len(masked)))
    if changed and not original:
        return None
    joined: list[tuple[int, int, Span | None]] = []
    for start, end in changed:
        under = [span for span in spans if span.start < max(end, start + 1) and start < span.end]
        if start == end and not under:  # added text belongs to the place before it
            under = [span for span in spans if span.end == start][:1]
            if joined and joined[-1][1] == start:
                continue
            start, end = (start - 1, end) if start else (0, 1)
        for span in under:
            start, end = min(start, span.start), max(end, span.end)
        best = max(under, key=lambda span: span.end - span.start, default=None)
        while joined and start < joined[-1][1]:
            before = joined.pop()
            start, end = min(before[0], start), max(before[1], end)
            best = before[2] or best
        joined.append((start, end, best))
    places: list[Place] = []
    for start, end, best in joined:
        first, last = _in_masked(blocks, start, end, len(original), len(masked))
        # Text added between two places belongs to the first one.
        first = max(first, places[-1].masked_end) if places else first
        places.append(Place(start, end, first, last, best))
    return places


def _blocks(original: str, masked: str) -> list[_Block]:
    before, after = _TOKEN.findall(original), _TOKEN.findall(masked)
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-tail - 1] == after[-tail - 1]:
        tail += 1
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    matcher = SequenceMatcher(None, *middle, autojunk=False)
    pairs = [(0, 0, head)]
    pairs += [(head + a, head + b, size) for a, b, size in matcher.get_matching_blocks() if size]
    pairs += [(len(before) - tail, len(after) - tail, tail)]
    starts, masked_starts = _offsets(before), _offsets(after)
    return [
        _Block(starts[a], masked_starts[b], starts[a + size] - starts[a])
        for a, b, size in pairs
        if size
    ]


def _offsets(tokens: Iterable[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets


def _changed(
    blocks: Sequence[_Block], length: int, masked_length: int
) -> Iterator[tuple[int, int]]:
    """Yield the offsets in the original of the parts between the common blocks."""
    at = masked_at = 0
    for block in (*blocks, _Block(length, masked_length, 0)):
        if at < block.original or masked_at < block.masked:
            yield at, block.original
        at, masked_at = block.original + block.size, block.masked + block.size


def _in_masked(
    blocks: Sequence[_Block], start: int, end: int, length: int, masked_length: int
) -> tuple[int, int]:
    """The place in the masked text of a part of the original.

    At the edge of a changed part, the start is the earlier and the end the later possibility.
    """
    starts = [block.original for block in blocks]
    index = bisect_right(starts, start - 1) - 1 if start else -1
    first = 0
    if index >= 0:
        block = blocks[index]
        first = block.masked + min(start - block.original, block.size)
    last = masked_length
    if end < length:
        index = bisect_right(starts, end) - 1
        if index >= 0:
            block = blocks[index]
            last = block.masked + min(end - block.original, block.size)
    return first, last
