"""The people, places and organisations of a record, each as the words that may stand for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from veil.detect.known.vocabulary import spellings, word_key
from veil.languages.latin import latin_offsets
from veil.lexicons import Mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from veil.detect.known.vocabulary import Vocabulary


class Level(IntEnum):
    """How much evidence a word is by itself."""

    BOUND = 0
    """None: it belongs to a mention that other words make (de, la, Street, 12)."""

    WEAK = 1
    """Evidence in context only: it is short, or also another word (Bo, Will, Rosa)."""

    STRONG = 2


class Kind(Enum):
    """What kind of entity it is; each kind has its own condition for a mention."""

    PERSON = "person"
    STREET = "street"
    PLACE = "place"
    ORGANISATION = "organisation"


@dataclass(frozen=True, repr=False)
class EntityWord:
    """A word of an entity in one spelling; all words of one `element` are interchangeable."""

    key: str
    level: Level
    element: int
    is_nickname: bool = False
    is_surname: bool = False


@dataclass(frozen=True, repr=False)
class Entity:
    """A person, place or organisation that a record may mention.

    `core` are the elements that distinguish it from others, `heads` those that name its type
    (Street), `details` what may follow (12). `openings` are pairs of a particle and the word that
    it precedes: ("la", "fuente"). `initials` are strings such as "jd"; `shortened` are the first
    letters of surnames that may be shortened to this letter and their ending (B-son).
    """

    kind: Kind
    label: str
    what: str
    words: tuple[EntityWord, ...]
    core: frozenset[int] = frozenset()
    heads: frozenset[int] = frozenset()
    details: frozenset[int] = frozenset()
    openings: frozenset[tuple[str, str]] = frozenset()
    initials: frozenset[str] = frozenset()
    shortened: frozenset[str] = frozenset()

    @cached_property
    def elements(self) -> dict[str, int]:
        """The element that each word stands for."""
        return {word.key: word.element for word in self.words}


class EntityWords:
    """Collects the words of an entity; of two equal ones the one with the higher level is kept."""

    def __init__(self) -> None:
        self._words: dict[str, EntityWord] = {}
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
                self._words[form] = EntityWord(form, level, element, is_nickname, is_surname)

    @property
    def words(self) -> tuple[EntityWord, ...]:
        return tuple(self._words.values())


def pieces_of(value: str) -> list[str]:
    """The words and numbers in a value, split like the tokens of a text."""
    tokens = (value[start:end] for start, end in zip(*latin_offsets(value), strict=True))
    return [word_key(token) for token in tokens if token[0].isalnum()]


def level_of(key: str, words: Vocabulary) -> Level:
    """How much evidence a name is by itself."""
    if len(key) == 1:
        return Level.BOUND
    return Level.WEAK if words.is_short(key) or words.is_word(key) else Level.STRONG


# "Anna Berg (née Lind)", 'John "Jack" Doe'.
_BRACKETS = re.compile(r"[()\[\]{}\"“”«»;/]")
# Not names, though they occur among them: "née", "Jr.".
_NO_NAMES = frozenset({"nee", "ne", "geb", "född", "f", "aka", "jr", "sr", "ii", "iii", "iv"})
_SHORTEST_PATRONYM_STEM = 3


@dataclass(frozen=True, repr=False)
class Name:
    """A name in its parts; a single word that may be either is in both."""

    given: tuple[str, ...]
    surnames: tuple[str, ...]


def parse_name(value: str, words: Vocabulary) -> Name:
    """Parse a name: "Lindgren, Anna" and "Dr. Anna Lindgren, MD" give the same parts."""
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
    """A name without titles before it, letters after it, "née" and "Jr."."""
    while 1 < len(name) and word_key(name[0].rstrip(".")) in words.honorifics:
        name = name[1:]
    letters = [word_key(word.replace(".", "")) in words.credentials for word in name]
    return [
        word
        for word, is_credential in zip(name, letters, strict=True)
        if not (is_credential and word.isupper()) and word_key(word.rstrip(".:")) not in _NO_NAMES
    ]


def _surname_start(name: Sequence[str], words: Vocabulary) -> int:
    particles = [word_key(word) in words.particles for word in name]
    if 1 < words.surnames:
        # Particles also occur inside given names where two surnames are usual: María del Carmen.
        content = [index for index, particle in enumerate(particles) if not particle]
        if len(content) < 2:
            return len(name) - 1
        start = content[-words.surnames] if words.surnames < len(content) else content[-1]
    else:
        start = next(
            (index for index in range(1, len(name) - 1) if particles[index]), len(name) - 1
        )
    while 1 < start and particles[start - 1]:
        start -= 1
    return start


# The same doctors occur in record after record.
@lru_cache(maxsize=1 << 12)
def person(names: tuple[Name, ...], label: str, what: str, words: Vocabulary) -> Entity:
    """Make the entity of a person who has all these names."""
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
        shortened=frozenset(made.shortened),
    )


class _Person:
    """Collects what may stand for a person."""

    def __init__(self, words: Vocabulary) -> None:
        self.vocabulary = words
        self.words = EntityWords()
        self.openings: set[tuple[str, str]] = set()
        self.initials: set[str] = set()
        self.shortened: set[str] = set()

    def add(self, name: Name) -> None:
        surnames = self._add_words(name.surnames, is_surname=True)
        given = self._add_words(name.given, is_surname=False)
        for written in _with_neighbours(name.given, given):
            self._add_short_forms(self.vocabulary.nicknames.get(written, ()), is_surname=False)
        for written in surnames:
            self._add_short_forms(self.vocabulary.surname_forms.get(written, ()), is_surname=True)
        self._add_initials(given, surnames)
        ending = self.vocabulary.surname_ending
        if ending:
            self.shortened.update(
                key[0]
                for key in surnames
                if key.endswith(ending) and _SHORTEST_PATRONYM_STEM + len(ending) <= len(key)
            )

    def _add_words(self, raw_words: Sequence[str], *, is_surname: bool) -> list[str]:
        """Add the words of one part of a name, separate and joined; return those that count."""
        content: list[str] = []
        pieces = [piece for raw in raw_words for piece in pieces_of(raw)]
        for index, piece in enumerate(pieces):
            particle = piece in self.vocabulary.particles and 1 < len(pieces)
            level = Level.BOUND if particle else level_of(piece, self.vocabulary)
            self.words.add(piece, level, self.words.new_element(), is_surname=is_surname)
            if particle and index + 1 < len(pieces):
                self.openings.add((piece, pieces[index + 1]))
            if not particle:
                content.append(piece)
        if 1 < len(pieces) <= 4:
            # Anna-Karin, Anna Karin and Annakarin are the same; so are O'Neill and Oneill.
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
    keys = [word_key(raw) for raw in raw_words]
    pairs = [f"{left}-{right}" for left, right in pairwise(pieces)]
    return list(dict.fromkeys((*keys, *pieces, *pairs)))


_DIGIT = re.compile(r"\d")
# Postcodes inside an address: 28001, 02139-4307, 123 45, SW1A 1AA.
_POSTCODE = re.compile(
    r"(?<![\w-])(?:\d{5}(?:-\d{4})?|\d{3} \d{2}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?![\w-])"
)
_SHORTEST_ACRONYM = 3


class AddressParts(NamedTuple):
    """The parts of an address in one cell."""

    street: str
    towns: tuple[str, ...]
    postcodes: tuple[str, ...]

    @property
    def is_street_alone(self) -> bool:
        return not self.towns and not self.postcodes


def split_address(value: str, words: Vocabulary) -> AddressParts:
    """Split an address: the part before the first comma is the street; towns have no digits.

    "1 High St, Apt B, Springfield, IL 62701" -> "1 High St Apt B", Springfield, 62701
    """
    first, *others = re.split(r"[,;]", value)
    streets, towns, postcodes = [first.strip()], [], []
    for part in others:
        codes = _POSTCODE.findall(part)
        rest = " ".join(_POSTCODE.sub(" ", part).split())
        postcodes += codes
        in_house = any(piece in words.address_forms for piece in pieces_of(rest))
        if _DIGIT.search(rest) or in_house or (len(rest) == 1 and not codes):
            streets.append(rest)
        elif 2 < len(rest):  # two letters are a state
            towns.append(rest)
    return AddressParts(" ".join(streets), tuple(towns), tuple(postcodes))


def street(value: str, words: Vocabulary) -> Entity | None:
    """Make the entity of a street with its number, or None if the address contains no name.

    Its heads are Street and the like; house and flat are its details.
    """
    made = EntityWords()
    core: set[int] = set()
    heads: set[int] = set()
    details: set[int] = set()
    pieces = pieces_of(value)
    names = {piece for piece in pieces if not _is_general(piece, words)}
    for piece in pieces:
        element = made.new_element()
        if words.is_street(piece):
            core.add(element)
            made.add(piece, Level.STRONG, element)
            shortened = words.shortened_street.fullmatch(piece)
            if shortened:
                made.add(shortened[1], Level.BOUND, element)
        elif piece[0].isdigit() or (len(piece) == 1 and piece not in words.address_forms):
            details.add(element)
            made.add(piece, Level.BOUND, element)
        elif piece in words.particles:
            made.add(piece, Level.BOUND, element)
        else:
            # All words of North Street are general words.
            is_core = piece in names or not names
            (core if is_core else heads).add(element)
            forms = words.forms_in_names.get(piece) or words.address_forms.get(piece) or (piece,)
            for form in forms:
                made.add(form, Level.WEAK if is_core else Level.BOUND, element)
    if not core:
        return None
    for word in sorted(words.house_number_words):
        made.add(word, Level.BOUND, made.new_element())
    return Entity(
        Kind.STREET,
        "STREET",
        "street",
        made.words,
        core=frozenset(core),
        heads=frozenset(heads),
        details=frozenset(details),
        openings=_openings(pieces, words.particles, words),
    )


def _is_general(piece: str, words: Vocabulary) -> bool:
    """Whether a piece of an address does not distinguish one street from another."""
    return (
        piece[0].isdigit()
        or len(piece) == 1
        or piece in words.particles
        or piece in words.address_forms
        or bool(words.marks(piece) & Mark.STREET_HEAD.value and not words.is_street(piece))
    )


def _openings(
    pieces: list[str], bound: Collection[str], words: Vocabulary
) -> frozenset[tuple[str, str]]:
    """The pairs of a particle, in each of its forms, and the word that it precedes."""
    return frozenset(
        (form, right)
        for left, right in pairwise(pieces)
        if left in bound
        for form in words.forms_in_names.get(left, (left,))
    )


def place(value: str, label: str, what: str, words: Vocabulary) -> Entity | None:
    """Make the entity of a town, a region or a country."""
    return _phrase(value, Kind.PLACE, label, what, words, general=frozenset())


def organisation(value: str, label: str, what: str, words: Vocabulary) -> Entity | None:
    """Make the entity of a hospital or an employer, whose heads are Hospital, Inc. and the like."""
    return _phrase(value, Kind.ORGANISATION, label, what, words, general=words.organisation_words)


def _phrase(
    value: str, kind: Kind, label: str, what: str, words: Vocabulary, *, general: Collection[str]
) -> Entity | None:
    pieces = pieces_of(value)
    bound = {
        piece
        for piece in pieces
        if piece in words.particles or piece[0].isdigit() or len(piece) == 1
    }
    heads = set(pieces) & set(general) - bound
    if set(pieces) <= bound | heads:
        heads = set()  # General Hospital has heads only
    made = EntityWords()
    core: set[int] = set()
    head_elements: set[int] = set()
    for piece in pieces:
        element = made.new_element()
        if piece in heads or piece in bound:
            head_elements.update({element} if piece in heads else ())
            level = Level.BOUND
        else:
            core.add(element)
            level = _level(piece, kind, words)
        for form in words.forms_in_names.get(piece, (piece,)):
            made.add(form, level if form == piece else Level.BOUND, element)
    if not core:
        return None
    return Entity(
        kind,
        label,
        what,
        made.words,
        core=frozenset(core),
        heads=frozenset(head_elements),
        openings=_openings(pieces, bound, words),
        initials=_acronyms(pieces, bound) if kind is Kind.ORGANISATION else frozenset(),
    )


def _level(piece: str, kind: Kind, words: Vocabulary) -> Level:
    """A town or a personal name inside the name of a hospital does not stand for the hospital."""
    if kind is Kind.ORGANISATION and (words.is_place(piece) or words.is_name(piece)):
        return Level.WEAK
    return max(Level.WEAK, level_of(piece, words))


def _acronyms(pieces: list[str], bound: Collection[str]) -> frozenset[str]:
    """The first letters of all words, with and without particles: HULP, HUP."""
    found = (
        "".join(piece[0] for piece in kept)
        for kept in (pieces, [piece for piece in pieces if piece not in bound])
    )
    return frozenset(letters for letters in found if _SHORTEST_ACRONYM <= len(letters))
