"""Looks up word forms and strings of a text: which known entities they may stand for."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.entities import Kind, Level, pieces_of
from veil.detect.known.vocabulary import word_key
from veil.lexicons.folding import base_form, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.detect.known.entities import Entity, EntityWord
    from veil.detect.known.vocabulary import Vocabulary


SHORTEST_WORD = 4
"""Shorter words have too many neighbours that are also words."""


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
        # One typing error leaves the first or the last letter unchanged, and in words of five or
        # more letters the first two or the last two.
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
        """A fast check that excludes most words."""
        if len(word) < SHORTEST_WORD - 1:
            return False
        if word[:2] in self._beginnings or word[-2:] in self._endings:
            return True
        return len(word) <= SHORTEST_WORD + 1 and (
            word[0] in self._first_letters or word[-1] in self._last_letters
        )


def _shortened(word: str) -> Iterator[str]:
    return (word[:index] + word[index + 1 :] for index in range(len(word)))


def _is_slip(known: str, word: str) -> bool:
    """Whether two words of one length differ in one letter or in two swapped neighbours."""
    indexes = [
        index for index, pair in enumerate(zip(known, word, strict=True)) if len({*pair}) > 1
    ]
    if len(indexes) == 2:
        ((left, right),) = pairwise(indexes)
        swapped = known[left] == word[right] and known[right] == word[left]
        return right == left + 1 and swapped
    return len(indexes) == 1


# How a word was matched to a name.
EXACT, NICKNAME, MISSPELT, INITIAL, INITIALS = "exact nickname misspelt initial initials".split()
# A word this long that is not a word of the language and nearly equals a known name counts in any
# context; a word this short counts only beside another known name.
_LONG = 8
_SHORT = 4
_LONGEST_INITIALS = 5
# Prefixes that may be separate from the rest of a surname: Mc Donald, O Neill.
_PREFIXES = ("mc", "mac", "fitz")


class Hit(NamedTuple):
    """The entities that a word form may stand for, as bits, by the strength of the evidence.

    `surnames` are the bits of the people whose surname it is.
    """

    keys: tuple[str, ...]
    how: str
    strong: int = 0
    weak: int = 0
    bound: int = 0
    surnames: int = 0

    @property
    def entities(self) -> int:
        return self.strong | self.weak | self.bound


class _Entry:
    """A known word: a bit for each entity that has it."""

    __slots__ = ("bound", "plain", "strong", "surnames", "weak")

    def __init__(self) -> None:
        self.strong = self.weak = self.bound = self.plain = self.surnames = 0

    def add(self, word: EntityWord, bit: int) -> None:
        if word.level is Level.STRONG:
            self.strong |= bit
        elif word.level is Level.WEAK:
            self.weak |= bit
        else:
            self.bound |= bit
        if not word.is_nickname:
            self.plain |= bit
        if word.is_surname:
            self.surnames |= bit


class WordIndex:
    """Looks word forms up in the words of all entities."""

    def __init__(self, entities: Sequence[Entity], words: Vocabulary) -> None:
        self._vocabulary = words
        self._entries: dict[str, _Entry] = {}
        self._initial: dict[str, int] = {}
        self._initials: dict[str, int] = {}
        for index, entity in enumerate(entities):
            bit = 1 << index
            for word in entity.words:
                if word.key not in self._entries:
                    self._entries[word.key] = _Entry()
                self._entries[word.key].add(word, bit)
            for letters in entity.initials:
                self._initials[letters] = self._initials.get(letters, 0) | bit
                for letter in letters if entity.kind is Kind.PERSON else "":
                    self._initial[letter] = self._initial.get(letter, 0) | bit
        self._spelling = SpellingIndex(
            key for key, entry in self._entries.items() if entry.plain & (entry.strong | entry.weak)
        )
        self.prefixes = frozenset(
            prefix
            for key in self._entries
            for prefix in _PREFIXES
            if key.startswith(prefix) and len(prefix) + 3 <= len(key)
        )

    def look_up(self, form: str) -> Hit | None:
        """Return what a form may stand for."""
        key = word_key(form)
        found = self._exact(key)
        if len(form) == 1:
            return self._with_initial(found, key) if form.isupper() else found
        if found is not None:
            return found
        if len(form) <= _LONGEST_INITIALS and form.isupper() and key in self._initials:
            return Hit((key,), INITIALS, bound=self._initials[key])
        return self._misspelt(key) if key.isalpha() else None

    def _exact(self, key: str) -> Hit | None:
        spelling = self._known_spelling(key)
        genitive = self._vocabulary.genitive
        if spelling is None and genitive and key.endswith(genitive):
            # Beside a known name two letters are enough.
            base = base_form(key, self._vocabulary.language)
            spelling = self._known_spelling(base or key.removesuffix(genitive))
        return None if spelling is None else self._hit(key, spelling, self._entries[spelling])

    def _known_spelling(self, key: str) -> str | None:
        if key in self._entries:
            return key
        plain = without_diacritics(key)
        return plain if plain in self._entries else None

    def _hit(self, key: str, spelling: str, entry: _Entry) -> Hit:
        strong, weak = entry.strong, entry.weak
        if strong and self._vocabulary.is_word(key):
            strong, weak = 0, strong | weak  # Rosén is known, and the text has "rosen"
        how = EXACT if entry.plain else NICKNAME
        return Hit((spelling,), how, strong, weak, entry.bound, entry.surnames)

    def _with_initial(self, found: Hit | None, key: str) -> Hit | None:
        mask = self._initial.get(key, 0)
        if not mask:
            return found
        if found is None:
            return Hit((key,), INITIAL, bound=mask)
        return found._replace(bound=found.bound | mask, how=INITIAL)

    def _misspelt(self, key: str) -> Hit | None:
        neighbours = self._spelling.neighbours(key)
        if not neighbours or self._vocabulary.is_other_word(key):
            return None
        strong = weak = bound = surnames = 0
        for neighbour in neighbours:
            entry = self._entries[neighbour]
            surnames |= entry.surnames
            if len(neighbour) <= _SHORT:
                bound |= entry.strong | entry.weak
            elif len(key) < _LONG:
                weak |= entry.strong | entry.weak
            else:
                strong |= entry.strong
                weak |= entry.weak
        return Hit(neighbours, MISSPELT, strong, weak & ~strong, bound, surnames)


_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)


class ExactString(NamedTuple):
    """A string to be searched for."""

    value: str
    label: str
    what: str


class StringIndex:
    """Finds strings by their first words."""

    def __init__(self, literals: Iterable[ExactString]) -> None:
        self._by_first: dict[str, list[ExactString]] = {}
        for literal in literals:
            value = _SCHEME.sub("", literal.value).lower().rstrip("/")
            pieces = pieces_of(value)
            if pieces and value[0].isalnum():
                entry = literal._replace(value=value)
                self._by_first.setdefault(pieces[0], []).append(entry)

    def begins(self, key: str) -> bool:
        """Whether a folded token may begin a known string."""
        return key in self._by_first

    def find(self, text: str, start: int, key: str) -> Iterator[Span]:
        """Yield the known strings that begin at a token."""
        for literal in self._by_first.get(key, ()):
            end = start + len(literal.value)
            if text[start:end].lower() == literal.value and not text[end : end + 1].isalnum():
                yield Span(start, end, literal.label, 1.0, f"known:{literal.what}")
