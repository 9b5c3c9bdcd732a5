"""How a Swedish record writes a name: first and last apart, with the genitive -s inside."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.lexicons.folding import fold, without_diacritics
from veil.synth.pieces import Piece
from veil.synth.words import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from veil.synth.people import Person

    View = Callable[[Person, Random], list[Piece]]


def name_pieces(person: Person, view: str, rng: Random, *, genitive: bool = False) -> list[Piece]:
    """A person's name in one view; the last of its pieces takes the genitive."""
    if view not in _VIEWS:
        raise InputError(f"unknown view '{view}' of a name; known: {', '.join(sorted(_VIEWS))}")
    pieces = _VIEWS[view](person, rng)
    if genitive:
        pieces[-1] = replace(pieces[-1], text=_genitive(pieces[-1].text))
    return pieces


def plain_letters(text: str) -> str:
    """A name as it stands in addresses on the net: small, without accents, spaces and marks."""
    return "".join(c for c in without_diacritics(fold(text)) if c.isascii() and c.isalnum())


def signature_code(person: Person) -> str:
    """The letters with which somebody signs: AEK for Anna Ek."""
    first, last = plain_letters(person.given[0]).upper(), plain_letters(person.surname).upper()
    return (first[:1] + last[:2]) or "X"


def _genitive(name: str) -> str:
    if name[-1:] in "sxzSXZ.":
        return name
    return f"{name}S" if name.isupper() and 2 < len(name) else f"{name}s"


def _first(person: Person, text: str) -> Piece:
    return Piece(text, person.label, "first")


def _last(person: Person, text: str) -> Piece:
    return Piece(text, person.label, "last")


def _given_alone(person: Person, rng: Random) -> list[Piece]:
    return [_first(person, person.given[0])]


def _surname_alone(person: Person, rng: Random) -> list[Piece]:
    return [_last(person, person.surname)]


def _full(person: Person, rng: Random) -> list[Piece]:
    return [_first(person, person.given[0]), Piece(" "), _last(person, person.surname)]


def _whole(person: Person, rng: Random) -> list[Piece]:
    """With all given names."""
    return [_first(person, " ".join(person.given)), Piece(" "), _last(person, person.surname)]


def _middle_initial(person: Person, rng: Random) -> list[Piece]:
    if len(person.given) == 1:
        return _full(person, rng)
    given = f"{person.given[0]} {person.given[1][0]}{rng.choice(('', '.'))}"
    return [_first(person, given), Piece(" "), _last(person, person.surname)]


def _last_first(person: Person, rng: Random) -> list[Piece]:
    between = rng.choice((", ", ", ", ", ", " ", ","))
    given = rng.choice((person.given[0], " ".join(person.given)))
    return [_last(person, person.surname), Piece(between), _first(person, given)]


def _capitals(person: Person, rng: Random) -> list[Piece]:
    pieces = rng.choice((_full, _last_first, _last_first, _whole))(person, rng)
    if rng.random() < 0.25:
        return [
            replace(piece, text=piece.text.upper()) if piece.part == "last" else piece
            for piece in pieces
        ]
    return [replace(piece, text=piece.text.upper()) for piece in pieces]


def _initials(person: Person, rng: Random) -> list[Piece]:
    letters = (person.given[0][0].upper(), person.surname.split()[-1][0].upper())
    return [Piece(rng.choice(("{}{}", "{}.{}.", "{}.{}", "{} {}")).format(*letters), person.label)]


def _initial_last(person: Person, rng: Random) -> list[Piece]:
    initial = "-".join(part[0] for part in person.given[0].split("-"))
    dot, between = rng.choice(((".", " "), ("", " "), (".", " "), (".", "")))
    return [_first(person, initial + dot), Piece(between), _last(person, person.surname)]


def _first_initial(person: Person, rng: Random) -> list[Piece]:
    initial = person.surname.split()[-1][0].upper()
    return [_first(person, person.given[0]), Piece(" "), _last(person, initial)]


def _nickname(person: Person, rng: Random) -> list[Piece]:
    return [_first(person, _nicknames().get(person.given[0], person.given[0]))]


def _nickname_aside(person: Person, rng: Random) -> list[Piece]:
    """Lars "Lasse" Ek."""
    nickname = _nicknames().get(person.given[0])
    if nickname is None:
        return _full(person, rng)
    left, right = rng.choice((('"', '"'), ("(", ")"), ("”", "”"), ("'", "'")))
    return [
        _first(person, person.given[0]),
        Piece(f" {left}"),
        _first(person, nickname),
        Piece(f"{right} "),
        _last(person, person.surname),
    ]


def _code(person: Person, rng: Random) -> list[Piece]:
    code = signature_code(person)
    return [Piece(rng.choice((code, code, code, code.lower(), code[:2])), person.label)]


_VIEWS: dict[str, View] = {
    "first": _given_alone,
    "last": _surname_alone,
    "full": _full,
    "whole": _whole,
    "middle": _middle_initial,
    "last_first": _last_first,
    "caps": _capitals,
    "initials": _initials,
    "f_last": _initial_last,
    "first_l": _first_initial,
    "nick": _nickname,
    "nick_aside": _nickname_aside,
    "code": _code,
}


@cache
def _nicknames() -> dict[str, str]:
    return {
        name: nickname for name, _, nickname in (e.partition("=") for e in words("sv", "nicknames"))
    }
