"""Where the places of a text are in another that came from it by replacements."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TOKEN = re.compile(r"\w+|[^\S\n\t]+|\W")
_BREAKS = frozenset("\n\t")
_RUN = 3  # tokens that must agree before two texts are taken to go on together
_FAR = (8, 40, 200)  # tokens that a replacement may span, tried one after the other


class Alignment:
    """Maps places of an old text to a new one; the order of places is kept.

    What was replaced is not told, but guessed from what is the same. A place inside a replacement
    is mapped to its end.
    """

    def __init__(self, old: str, new: str) -> None:
        self._end = len(new)
        self._starts: list[int] = []
        self._blocks: list[tuple[int, int, int]] = []  # start in old and new, length
        for block in same_blocks(old, new):
            self._starts.append(block[0])
            self._blocks.append(block)

    def place(self, old: int) -> int:
        """The place in the new text of one in the old."""
        at = bisect_right(self._starts, old) - 1
        if 0 <= at:
            start, new_start, length = self._blocks[at]
            if old <= start + length:
                return new_start + old - start
        return self._blocks[at + 1][1] if at + 1 < len(self._blocks) else self._end


def same_blocks(old: str, new: str) -> list[tuple[int, int, int]]:
    """Start in the old and the new text and length of what is the same in both, in order.

    Blanks inside a replacement count as the same, whatever blanks they are.
    """
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    blocks: list[tuple[int, int, int]] = [(0, 0, 0)]
    i = j = old_place = new_place = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            length = 0
            while i < len(left) and j < len(right) and left[i] == right[j]:
                length += len(left[i])
                i, j = i + 1, j + 1
            blocks.append((old_place, new_place, length))
            old_place, new_place = old_place + length, new_place + length
            continue
        skipped, skipped_new = _next_agreement(left, right, i, j)
        replaced, replacement = left[i : i + skipped], right[j : j + skipped_new]
        starts = list(accumulate(map(len, replaced), initial=old_place))
        new_starts = list(accumulate(map(len, replacement), initial=new_place))
        for blank, new_blank in _same_blanks(replaced, replacement):
            blocks.append((starts[blank], new_starts[new_blank], 1))
        old_place, new_place = starts[-1], new_starts[-1]
        i, j = i + skipped, j + skipped_new
    return blocks


def _next_agreement(left: list[str], right: list[str], i: int, j: int) -> tuple[int, int]:
    """How many tokens to skip on both sides, as few as possible, before the texts agree again."""
    for far in _FAR:
        places: dict[tuple[str, ...], int] = {}
        for ahead in range(min(far, len(right) - j)):
            places.setdefault(tuple(right[j + ahead : j + ahead + _RUN]), ahead)
        agreements = [
            (ahead + found, ahead, found)
            for ahead in range(min(far, len(left) - i))
            if (found := places.get(tuple(left[i + ahead : i + ahead + _RUN]))) is not None
        ]
        if agreements:
            _, skipped, skipped_new = min(agreements)
            return skipped, skipped_new
    return len(left) - i, len(right) - j


def _same_blanks(left: list[str], right: list[str]) -> Iterator[tuple[int, int]]:
    """The blanks inside a replaced stretch, where both sides have as many.

    If they have as many breaks, what is between these is compared alone.
    """
    breaks, new_breaks = _where(left, _BREAKS.__contains__), _where(right, _BREAKS.__contains__)
    if len(breaks) != len(new_breaks):
        return
    start = new_start = 0
    for end, new_end in zip([*breaks, len(left)], [*new_breaks, len(right)], strict=True):
        old_blanks = _where(left[start:end], str.isspace)
        new_blanks = _where(right[new_start:new_end], str.isspace)
        if len(old_blanks) == len(new_blanks):
            for old, new in zip(old_blanks, new_blanks, strict=True):
                yield start + old, new_start + new
        if end < len(left):
            yield end, new_end
        start, new_start = end + 1, new_end + 1


def _where(tokens: list[str], wanted: Callable[[str], bool]) -> list[int]:
    return [place for place, token in enumerate(tokens) if wanted(token)]
