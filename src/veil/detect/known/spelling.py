"""Words that are one slip of a finger away from known ones."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST_WORD = 4
"""Shorter words have too many neighbours that are words themselves."""


class SpellingIndex:
    """Finds the known words from which a word differs by one letter: left out, added, changed, or
    swapped with its neighbour.

    Two such words have a form in common when each loses at most one letter, so that look-ups need
    no comparison with every known word.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = {word for word in words if SHORTEST_WORD <= len(word) and word.isalpha()}
        self._by_shortened: dict[str, list[str]] = {}
        for word in sorted(self._words):
            for shortened in set(_shortened(word)):
                self._by_shortened.setdefault(shortened, []).append(word)
        # One slip leaves the first letter of a word or its last as they were, and in words of five
        # letters and more the first two or the last two.
        short = {word for word in self._words if len(word) == SHORTEST_WORD}
        self._first_letters = {word[0] for word in short}
        self._last_letters = {word[-1] for word in short}
        self._beginnings = {word[:2] for word in self._words - short}
        self._endings = {word[-2:] for word in self._words - short}

    def neighbours(self, word: str) -> tuple[str, ...]:
        """The known words one letter away from a word, in alphabetical order."""
        if not self._may_have_neighbours(word):
            return ()
        found = set(self._by_shortened.get(word, ()))  # a letter was left out
        for shortened in _shortened(word):
            if shortened in self._words:  # one was added
                found.add(shortened)
            for known in self._by_shortened.get(shortened, ()):
                if len(known) == len(word) and _is_slip(known, word):
                    found.add(known)
        return tuple(sorted(found))

    def _may_have_neighbours(self, word: str) -> bool:
        """Rule most words out at little cost."""
        if len(word) < SHORTEST_WORD - 1:
            return False
        if word[:2] in self._beginnings or word[-2:] in self._endings:
            return True
        return len(word) <= SHORTEST_WORD + 1 and (
            word[0] in self._first_letters or word[-1] in self._last_letters
        )


def _shortened(word: str) -> Iterator[str]:
    return (word[:place] + word[place + 1 :] for place in range(len(word)))


def _is_slip(known: str, word: str) -> bool:
    """Whether two words of one length differ in one letter or in two swapped neighbours."""
    places = [place for place, pair in enumerate(zip(known, word, strict=True)) if len({*pair}) > 1]
    if len(places) == 2:
        ((left, right),) = pairwise(places)
        swapped = known[left] == word[right] and known[right] == word[left]
        return right == left + 1 and swapped
    return len(places) == 1
