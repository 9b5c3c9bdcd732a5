"""Mapping of offsets from a text to the same text after replacements."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TOKEN = re.compile(r"\w+|[^\S\n\t]+|\W")
_BREAKS = frozenset("\n\t")
_RUN = 3  # tokens that must be equal before the texts count as aligned again
_FAR = (8, 40, 200)  # maximum tokens of a replacement, tried in this order


class Alignment:
    """Maps offsets of an old text to a new one, in the same order.

    The replacements are not given, but inferred from the equal parts of both texts.
    """

    def __init__(self, old: str, new: str) -> None:
        self._end = len(new)
        self._blocks = same_blocks(old, new)
        self._starts = [start for start, _, _ in self._blocks]

    def start(self, old: int) -> int:
        """Return the new offset; an offset inside a replacement moves to its start."""
        start, new_start, length = self._blocks[bisect_right(self._starts, old) - 1]
        return new_start + min(old - start, length)

    def end(self, old: int) -> int:
        """Return the new offset; an offset inside a replacement moves to its end."""
        at = bisect_right(self._starts, old) - 1
        start, new_start, length = self._blocks[at]
        if old <= start + length:
            return new_start + old - start
        return self._blocks[at + 1][1] if at + 1 < len(self._blocks) else self._end


def same_blocks(old: str, new: str) -> list[tuple[int, int, int]]:
    """Return the start in the old text, the start in the new text and the length of equal parts.

    Any two blanks inside a replacement count as equal.
    """
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    blocks: list[tuple[int, int, int]] = [(0, 0, 0)]
    i = j = old_offset = new_offset = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            length = 0
            while i < len(left) and j < len(right) and left[i] == right[j]:
                length += len(left[i])
                i, j = i + 1, j + 1
            blocks.append((old_offset, new_offset, length))
            old_offset, new_offset = old_offset + length, new_offset + length
            continue
        skipped, skipped_new = _next_agreement(left, right, i, j)
        replaced, replacement = left[i : i + skipped], right[j : j + skipped_new]
        starts = list(accumulate(map(len, replaced), initial=old_offset))
        new_starts = list(accumulate(map(len, replacement), initial=new_offset))
        for blank, new_blank in _same_blanks(replaced, replacement):
            blocks.append((starts[blank], new_starts[new_blank], 1))
        old_offset, new_offset = starts[-1], new_starts[-1]
        i, j = i + skipped, j + skipped_new
    return blocks


def _next_agreement(left: list[str], right: list[str], i: int, j: int) -> tuple[int, int]:
    """The smallest numbers of tokens to skip on both sides until the texts agree again."""
    for far in _FAR:
        starts: dict[tuple[str, ...], int] = {}
        for ahead in range(min(far, len(right) - j)):
            starts.setdefault(tuple(right[j + ahead : j + ahead + _RUN]), ahead)
        agreements = [
            (ahead + found, ahead, found)
            for ahead in range(min(far, len(left) - i))
            if (found := starts.get(tuple(left[i + ahead : i + ahead + _RUN]))) is not None
        ]
        if agreements:
            _, skipped, skipped_new = min(agreements)
            return skipped, skipped_new
    return len(left) - i, len(right) - j


def _same_blanks(left: list[str], right: list[str]) -> Iterator[tuple[int, int]]:
    """The blanks inside a replacement, if both sides have equally many.

    If both sides have equally many line breaks, each line is compared separately.
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
    return [index for index, token in enumerate(tokens) if wanted(token)]
