"""Phrases of medicine that hold a name: Wilson's disease, 橋本病."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.core.document import Token

_BLOCK = 128
_LONGEST_PHRASE = 40


class Phrases:
    """The phrases of a text, looked for block by block where somebody asks for them."""

    def __init__(self, text: str, find: Callable[[str], list[Token]]) -> None:
        self._text = text
        self._find = find
        self._blocks: dict[int, list[tuple[int, int]]] = {}

    def hold(self, start: int, end: int) -> bool:
        """Whether a stretch of the text lies in a phrase that is longer."""
        block = start // _BLOCK
        if block not in self._blocks:
            self._blocks[block] = self._search(block)
        return any(
            first <= start and end <= last and end - start < last - first
            for first, last in self._blocks[block]
        )

    def _search(self, block: int) -> list[tuple[int, int]]:
        offset = max(0, block * _BLOCK - _LONGEST_PHRASE)
        window = self._text[offset : (block + 1) * _BLOCK + _LONGEST_PHRASE]
        return [(offset + found.start, offset + found.end) for found in self._find(window)]
