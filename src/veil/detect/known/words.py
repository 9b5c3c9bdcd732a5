"""Which word forms of a text may stand for a known entity."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.detect.known.entities import Kind, Level
from veil.detect.known.spelling import SpellingIndex
from veil.detect.known.vocabulary import key_of
from veil.lexicons.folding import base_form, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.detect.known.entities import Entity, Word
    from veil.detect.known.vocabulary import Vocabulary

EXACT, NICKNAME, MISSPELT, INITIAL, INITIALS = (
    "exact",
    "nickname",
    "misspelt",
    "initial",
    "initials",
)
# So long a word that is no word of the language and nearly a known name is that name in any case;
# so short a one is beside another known name alone.
_LONG = 8
_SHORT = 4
_LONGEST_INITIALS = 5
# What may be written apart from the rest of a surname: Mc Donald, O Neill.
_PREFIXES = ("mc", "mac", "fitz")


class Hit(NamedTuple):
    """What a word form may stand for: a bit for each entity, by how much the form says.

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

    def add(self, word: Word, bit: int) -> None:
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
        for place, entity in enumerate(entities):
            bit = 1 << place
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
        key = key_of(form)
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
        if spelling is None and self._vocabulary.language == "sv" and key.endswith("s"):
            spelling = self._known_spelling(_base_form(key))
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


def _base_form(key: str) -> str:
    """What a Swedish word may be the genitive of; beside a known name two letters are enough."""
    return base_form(key, "sv") or key[:-1]
