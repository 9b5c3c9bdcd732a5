"""The words of a record, and the phrases of lexicons among them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from veil.languages import language
from veil.languages.base import Offsets
from veil.lexicons.folding import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.detect.names.forms import FormBook

    Split = Callable[[str], Offsets]
    from collections.abc import Iterator, Sequence

    from veil.lexicons import Lexicon


_HYPHENS = frozenset("-\u2010\u2011")
_APOSTROPHES = frozenset("'\u2019\u02bc")
_JOINERS = _HYPHENS | _APOSTROPHES
POSSESSIVE = re.compile("['\u2019\u02bc][sS]\\Z")
# Soft hyphens and zero-width joiners, which are invisible and not part of any list.
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


@dataclass(frozen=True, slots=True)
class TextWords:
    """The bounds of words and marks of a text, and the properties of their forms (`forms.Bit`)."""

    text: str
    starts: list[int]
    ends: list[int]
    bits: list[int]

    @classmethod
    def of(cls, text: str, split: Split, book: FormBook) -> TextWords:
        starts, ends = split(text)
        forms = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        return cls(text, starts, ends, list(map(book.__getitem__, forms)))

    def __len__(self) -> int:
        return len(self.bits)

    def form(self, index: int) -> str:
        return self.text[self.starts[index] : self.ends[index]]

    def name_end(self, index: int) -> int:
        """Where a name ends: before an apostrophe with s, but after the Swedish genitive -s."""
        end = self.ends[index]
        return end - 2 if POSSESSIVE.search(self.text, self.starts[index], end) else end

    def key(self, index: int) -> str:
        """The form of a name that is used for comparison."""
        return fold(visible(self.text[self.starts[index] : self.name_end(index)]))

    def gap(self, index: int) -> str:
        """The text between a word and the one before it."""
        return self.text[self.ends[index - 1] if index else 0 : self.starts[index]]


def visible(form: str) -> str:
    """A form without invisible characters."""
    return form if form.isascii() else form.translate(_UNSEEN)


def splitter(name: str) -> Split:
    """Return the function that splits texts of a language into words."""
    spoken = language(name)
    if spoken.spaces_between_words:
        return lambda text: _joined(text, *spoken.offsets(text))
    return lambda text: spoken.offsets(text)


def _joined(text: str, starts: list[int], ends: list[int]) -> Offsets:
    """Join words with a hyphen or an apostrophe between them: Anna-Karin, O'Neill, Anna's."""
    joints = [index for index, start in enumerate(starts) if text[start] in _JOINERS]
    inside: set[int] = set()
    head = 0
    for index in joints:
        if not _joins(text, starts, ends, index):
            continue
        if index - 1 not in inside:
            head = index - 1
        ends[head] = ends[index + 1]
        inside |= {index, index + 1}
    if not inside:
        return Offsets(starts, ends)
    kept = [index for index in range(len(starts)) if index not in inside]
    return Offsets([starts[index] for index in kept], [ends[index] for index in kept])


def _joins(text: str, starts: list[int], ends: list[int], index: int) -> bool:
    """Whether the mark at an index is between two words without a space."""
    if not 0 < index < len(starts) - 1:
        return False
    start, end = starts[index], ends[index]
    if not (text[start - 1].isalpha() and end < len(text) and text[end].isalpha()):
        return False
    # In "l'Anna" an article is shortened, and the name begins after it.
    before = starts[index - 1]
    return text[start] in _HYPHENS or 1 < start - before or text[before].isupper()


class Phrase(NamedTuple):
    """Words that are an entry of a lexicon: first index, index after the last, lexicon number."""

    start: int
    end: int
    lexicon: int


class PhraseFinder:
    """Finds the entries of lexicons; of several at one word the longest, then the last.

    Without `whole_words` an entry need not be split into the same words as the text: an analyser of
    Japanese depends on the context.
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
        """The number of words in the longest entry that begins with a folded word."""
        return self._longest.get(folded, 0)

    def find(self, words: TextWords, openings: int) -> Iterator[Phrase]:
        """Yield the entries that begin at words with one of these bits, disjoint, in order."""
        end = 0
        for index in [index for index, bits in enumerate(words.bits) if bits & openings]:
            if end <= index:
                phrase = self._at(words, index)
                if phrase is not None:
                    end = phrase.end
                    yield phrase

    def _at(self, words: TextWords, index: int) -> Phrase | None:
        text, start = words.text, words.starts[index]
        most = min(self.longest(fold(words.form(index))), len(words) - index)
        for count in range(most, self._fewest - 1, -1):
            found = text[start : words.ends[index + count - 1]]
            # A phrase may continue on the next line, but not in the next paragraph.
            if count <= found.count("\n"):
                continue
            for number in reversed(range(len(self._lexicons))):
                if found in self._lexicons[number]:
                    return Phrase(index, index + count, number)
        return None
