"""The people, places and organisations of a record, each as the words that may stand for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property
from typing import TYPE_CHECKING

from veil.detect.known.vocabulary import key_of, spellings
from veil.languages.latin import latin_offsets

if TYPE_CHECKING:
    from veil.detect.known.vocabulary import Vocabulary


class Level(IntEnum):
    """How much a word says by itself."""

    BOUND = 0
    """Nothing: it belongs to a mention that other words make (de, la, Street, 12)."""

    WEAK = 1
    """Something in context alone: it is short, or another word too (Bo, Will, Rosa)."""

    STRONG = 2


class Kind(Enum):
    """What a mention must hold to count."""

    PERSON = "person"
    STREET = "street"
    PLACE = "place"
    ORGANISATION = "organisation"


@dataclass(frozen=True, repr=False)
class Word:
    """A word of an entity in one of its spellings; those of one `element` stand for each other."""

    key: str
    level: Level
    element: int
    is_nickname: bool = False
    is_surname: bool = False


@dataclass(frozen=True, repr=False)
class Entity:
    """Somebody or something that a record may name.

    `core` are the elements that tell it from others, `heads` those that say what it is (Street),
    `details` what may follow (12). `openings` are pairs of a particle and the word that it opens:
    ("la", "fuente"). `initials` are strings such as "jd"; `sons` the first letters of surnames that
    Swedes shorten (B-son).
    """

    kind: Kind
    label: str
    what: str
    words: tuple[Word, ...]
    core: frozenset[int] = frozenset()
    heads: frozenset[int] = frozenset()
    details: frozenset[int] = frozenset()
    openings: frozenset[tuple[str, str]] = frozenset()
    initials: frozenset[str] = frozenset()
    sons: frozenset[str] = frozenset()

    @cached_property
    def elements(self) -> dict[str, int]:
        """The element that each word stands for."""
        return {word.key: word.element for word in self.words}


class WordList:
    """Collects the words of an entity; of two equal ones the one that says more stays."""

    def __init__(self) -> None:
        self._words: dict[str, Word] = {}
        self._elements = 0

    def new_element(self) -> int:
        self._elements += 1
        return self._elements - 1

    def add(
        self,
        key: str,
        level: Level,
        element: int,
        *,
        is_nickname: bool = False,
        is_surname: bool = False,
    ) -> None:
        for form in spellings(key):
            known = self._words.get(form)
            if known is None or known.level < level:
                self._words[form] = Word(form, level, element, is_nickname, is_surname)

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(self._words.values())


def pieces_of(value: str) -> list[str]:
    """The words and numbers in a value, cut as the tokens of a text are."""
    tokens = (value[start:end] for start, end in zip(*latin_offsets(value), strict=True))
    return [key_of(token) for token in tokens if token[0].isalnum()]


def level_of(key: str, words: Vocabulary) -> Level:
    """How much a name says by itself."""
    if len(key) == 1:
        return Level.BOUND
    return Level.WEAK if words.is_short(key) or words.is_word(key) else Level.STRONG
