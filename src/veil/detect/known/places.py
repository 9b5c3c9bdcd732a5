"""From written addresses, towns and organisations to the words that may stand for them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from veil.detect.known.entities import Entity, Kind, Level, WordList, level_of, pieces_of
from veil.lexicons import Mark

if TYPE_CHECKING:
    from collections.abc import Collection

    from veil.detect.known.vocabulary import Vocabulary

_DIGIT = re.compile(r"\d")
# Postcodes inside an address: 28001, 02139-4307, 123 45, SW1A 1AA.
_POSTCODE = re.compile(
    r"(?<![\w-])(?:\d{5}(?:-\d{4})?|\d{3} \d{2}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?![\w-])"
)
# The ends of Swedish streets are cut short: Storg. 5.
_SHORTENED = re.compile(r"(\w{2,}?[gvtps])(?:atan|ägen|orget|latsen|tigen)")
_SHORTEST_ACRONYM = 3


class AddressParts(NamedTuple):
    """What an address in one cell holds."""

    street: str
    towns: tuple[str, ...]
    postcodes: tuple[str, ...]

    @property
    def is_street_alone(self) -> bool:
        return not self.towns and not self.postcodes


def split_address(value: str, words: Vocabulary) -> AddressParts:
    """Take an address apart: what comes before the first comma is the street; towns have no digits.

    "1 High St, Apt B, Springfield, IL 62701" -> "1 High St Apt B", Springfield, 62701
    """
    first, *others = re.split(r"[,;]", value)
    streets, towns, postcodes = [first.strip()], [], []
    for part in others:
        codes = _POSTCODE.findall(part)
        rest = " ".join(_POSTCODE.sub(" ", part).split())
        postcodes += codes
        in_house = any(piece in words.address_words for piece in pieces_of(rest))
        if _DIGIT.search(rest) or in_house or (len(rest) == 1 and not codes):
            streets.append(rest)
        elif 2 < len(rest):  # two letters are a state
            towns.append(rest)
    return AddressParts(" ".join(streets), tuple(towns), tuple(postcodes))


def street(value: str, words: Vocabulary) -> Entity | None:
    """Make the entity of a street with its number, or of nothing if there is no name in it.

    Its heads are Street and the like; house and flat are its details.
    """
    made = WordList()
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
            shortened = _SHORTENED.fullmatch(piece)
            if shortened:
                made.add(shortened[1], Level.BOUND, element)
        elif piece[0].isdigit() or (len(piece) == 1 and piece not in words.address_words):
            details.add(element)
            made.add(piece, Level.BOUND, element)
        elif piece in words.particles:
            made.add(piece, Level.BOUND, element)
        else:
            # North Street has no name but its general words.
            is_core = piece in names or not names
            (core if is_core else heads).add(element)
            forms = words.name_forms.get(piece) or words.address_words.get(piece) or (piece,)
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
    """Whether a piece of an address tells no street from another."""
    return (
        piece[0].isdigit()
        or len(piece) == 1
        or piece in words.particles
        or piece in words.address_words
        or bool(words.marks(piece) & Mark.STREET_HEAD.value and not words.is_street(piece))
    )


def _openings(
    pieces: list[str], bound: Collection[str], words: Vocabulary
) -> frozenset[tuple[str, str]]:
    """The pairs of a small word, in each of its forms, and the one that it opens."""
    return frozenset(
        (form, right)
        for left, right in pairwise(pieces)
        if left in bound
        for form in words.name_forms.get(left, (left,))
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
        heads = set()  # General Hospital: the heads are all there is
    made = WordList()
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
        for form in words.name_forms.get(piece, (piece,)):
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
    """A town or a name inside the name of a hospital does not stand for the hospital."""
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
