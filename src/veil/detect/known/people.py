"""From a written name to the words, short forms and initials that may stand for a person."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.detect.known.entities import Entity, Kind, Level, WordList, level_of, pieces_of
from veil.detect.known.vocabulary import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.detect.known.vocabulary import Vocabulary

# "Anna Berg (née Lind)", 'John "Jack" Doe'.
_BRACKETS = re.compile(r"[()\[\]{}\"“”«»;/]")
# No names, though they stand among them: "née", "Jr.".
_NO_NAMES = frozenset({"nee", "ne", "geb", "född", "f", "aka", "jr", "sr", "ii", "iii", "iv"})
_SON = re.compile(r"\w{3,}son")


@dataclass(frozen=True, repr=False)
class Name:
    """A name in its parts; a single word that may be either stands in both."""

    given: tuple[str, ...]
    surnames: tuple[str, ...]


def parse_name(value: str, words: Vocabulary) -> Name:
    """Take a written name apart: "Lindgren, Anna" and "Dr. Anna Lindgren, MD" are the same."""
    parts = [_bare(part.split(), words) for part in _BRACKETS.sub(" ", value).split(",")]
    parts = [part for part in parts if part]
    if not parts:
        return Name((), ())
    if 1 < len(parts):
        return Name(tuple(word for part in parts[1:] for word in part), tuple(parts[0]))
    (name,) = parts
    if len(name) == 1:
        return Name(tuple(name), tuple(name))
    opening = _surname_start(name, words)
    return Name(tuple(name[:opening]), tuple(name[opening:]))


def _bare(name: list[str], words: Vocabulary) -> list[str]:
    """A name without titles before it, letters behind it, "née" and "Jr."."""
    while 1 < len(name) and key_of(name[0].rstrip(".")) in words.honorifics:
        name = name[1:]
    letters = [key_of(word.replace(".", "")) in words.credentials for word in name]
    return [
        word
        for word, is_credential in zip(name, letters, strict=True)
        if not (is_credential and word.isupper()) and key_of(word.rstrip(".:")) not in _NO_NAMES
    ]


def _surname_start(name: Sequence[str], words: Vocabulary) -> int:
    particles = [key_of(word) in words.particles for word in name]
    if words.language == "es":
        # Two surnames are the rule, and particles also stand inside given names (María del Carmen).
        content = [place for place, particle in enumerate(particles) if not particle]
        if len(content) < 2:
            return len(name) - 1
        start = content[-2] if 2 < len(content) else content[-1]
    else:
        start = next(
            (place for place in range(1, len(name) - 1) if particles[place]), len(name) - 1
        )
    while 1 < start and particles[start - 1]:
        start -= 1
    return start


# The same doctors turn up in record after record.
@lru_cache(maxsize=1 << 12)
def person(names: tuple[Name, ...], label: str, what: str, words: Vocabulary) -> Entity:
    """Make the entity of somebody who bears all these names."""
    made = _Person(words)
    for name in names:
        made.add(name)
    return Entity(
        Kind.PERSON,
        label,
        what,
        made.words.words,
        openings=frozenset(made.openings),
        initials=frozenset(made.initials),
        sons=frozenset(made.sons),
    )


class _Person:
    """Collects what may stand for a person."""

    def __init__(self, words: Vocabulary) -> None:
        self.vocabulary = words
        self.words = WordList()
        self.openings: set[tuple[str, str]] = set()
        self.initials: set[str] = set()
        self.sons: set[str] = set()

    def add(self, name: Name) -> None:
        surnames = self._add_words(name.surnames, is_surname=True)
        given = self._add_words(name.given, is_surname=False)
        for written in _with_neighbours(name.given, given):
            self._add_short_forms(self.vocabulary.nicknames.get(written, ()), is_surname=False)
        for written in surnames:
            self._add_short_forms(self.vocabulary.surname_forms.get(written, ()), is_surname=True)
        self._add_initials(given, surnames)
        self.sons.update(key[0] for key in surnames if _SON.fullmatch(key))

    def _add_words(self, raw_words: Sequence[str], *, is_surname: bool) -> list[str]:
        """Add the words of one part of a name, apart and joined; return those that count."""
        content: list[str] = []
        pieces = [piece for raw in raw_words for piece in pieces_of(raw)]
        for place, piece in enumerate(pieces):
            particle = piece in self.vocabulary.particles and 1 < len(pieces)
            level = Level.BOUND if particle else level_of(piece, self.vocabulary)
            self.words.add(piece, level, self.words.new_element(), is_surname=is_surname)
            if particle and place + 1 < len(pieces):
                self.openings.add((piece, pieces[place + 1]))
            if not particle:
                content.append(piece)
        if 1 < len(pieces) <= 4:
            # Anna-Karin, Anna Karin and Annakarin are one; so are O'Neill and Oneill.
            wholes = ("".join(pieces), *("".join(pieces_of(raw)) for raw in raw_words))
            for joined in dict.fromkeys(wholes):
                if joined not in pieces:
                    level = level_of(joined, self.vocabulary)
                    self.words.add(joined, level, self.words.new_element(), is_surname=is_surname)
        return content

    def _add_short_forms(self, forms: Iterable[str], *, is_surname: bool) -> None:
        for form in forms:
            for piece in (form,) if form.isalpha() else pieces_of(form):
                level = level_of(piece, self.vocabulary)
                element = self.words.new_element()
                self.words.add(piece, level, element, is_nickname=True, is_surname=is_surname)

    def _add_initials(self, given: list[str], surnames: list[str]) -> None:
        if given == surnames:  # one word alone
            return
        first, last = (("".join(key[0] for key in keys)) for keys in (given, surnames))
        if not first or not last:
            return
        for before in {first, first[0]}:
            for behind in {last, last[0], last[-1]}:
                self.initials.add(before + behind)


def _with_neighbours(raw_words: Sequence[str], pieces: list[str]) -> list[str]:
    """The names that may have a short form: each word, each piece, and two words as one name."""
    keys = [key_of(raw) for raw in raw_words]
    pairs = [f"{left}-{right}" for left, right in pairwise(pieces)]
    return list(dict.fromkeys((*keys, *pieces, *pairs)))
