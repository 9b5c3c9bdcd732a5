"""Titles and terms of one or more words, found where a record's words begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons.folding import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.detect.names.words import Split, Words
    from veil.lexicons import Lexicon


class Phrase(NamedTuple):
    """Words that are an entry of a lexicon: their first, the one after their last, and which."""

    start: int
    end: int
    lexicon: int


class PhraseFinder:
    """Finds the entries of lexicons; of several that begin at a word the longest, then the last.

    Without `whole_words` an entry need not be split into the same words as the text: an
    analyser of Japanese goes by the context.
    """

    def __init__(
        self, lexicons: Sequence[Lexicon], split: Split, *, whole_words: bool, fewest: int = 1
    ) -> None:
        self._lexicons = tuple(lexicons)
        self._fewest = fewest
        self._longest: dict[str, int] = {}
        for entry in {entry for each in lexicons for entry in each}:
            plain = tidy(entry)
            starts, ends = split(plain)
            count = len(starts) if whole_words else len(plain)
            if count < fewest:
                continue
            prefixes = [ends[0]] if whole_words else range(1, len(plain) + 1)
            for end in prefixes:
                opening = fold(plain[:end])
                self._longest[opening] = max(count, self._longest.get(opening, 0))

    def longest(self, folded: str) -> int:
        """How many words the longest entry has that begins with a folded word."""
        return self._longest.get(folded, 0)

    def find(self, words: Words, openings: int) -> Iterator[Phrase]:
        """Yield what begins at words with one of these bits, disjoint, in order."""
        end = 0
        for place in [place for place, bits in enumerate(words.bits) if bits & openings]:
            if end <= place:
                phrase = self._at(words, place)
                if phrase is not None:
                    end = phrase.end
                    yield phrase

    def _at(self, words: Words, place: int) -> Phrase | None:
        text, start = words.text, words.starts[place]
        most = min(self.longest(fold(words.form(place))), len(words) - place)
        for count in range(most, self._fewest - 1, -1):
            found = text[start : words.ends[place + count - 1]]
            # A phrase may be broken over lines, but not over paragraphs.
            if count <= found.count("\n"):
                continue
            for number in reversed(range(len(self._lexicons))):
                if found in self._lexicons[number]:
                    return Phrase(place, place + count, number)
        return None
