"""Which words of a mention are given names and which are surnames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.replace.people.origins import SURNAME_FIRST, given_origin, surname_origin
from veil.replace.people.tables import devotions, is_built_like_surname, strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Part
    from veil.replace.people.pieces import Piece
    from veil.replace.people.tables import Role

_SURE = 2
_AND = ("y", "i", "e")
_DEVOTION_PARTICLES = frozenset({"de", "del", "de la", "de las", "de los"})


def assign_roles(text: str, pieces: Sequence[Piece], part: Part | None, language: str) -> None:
    """Give each piece of a mention its role; that of a lone word may stay open."""
    if part in ("first", "last"):
        _set(pieces, "given" if part == "first" else "surname")
        return
    called = [piece for piece in pieces if piece.is_called and piece.kind == "name"]
    rest = [piece for piece in pieces if not piece.is_called and piece.kind != "digits"]
    if rest:
        _set(called, "given")
    else:
        rest = called
    before, after = _around_comma(text, rest)
    if before and after:
        _set(before, "surname")
        _set(after, "given")
        return
    groups = _groups(rest)
    names = [group for group in groups if group[0].kind == "name"]
    if len(names) == 1:
        _beside_initials(groups, names[0], language)
    elif names:
        _in_order(groups, names, language)


def role_of_lone(piece: Piece, language: str, *, surname_expected: bool) -> Role:
    """The role of a word that stands alone, by the lists and what is usual."""
    given, surname = (_strength(piece, role, language) for role in ("given", "surname"))
    if given != surname:
        return "given" if surname < given else "surname"
    return "surname" if surname_expected or not given else "given"


def _set(pieces: Sequence[Piece], role: Role) -> None:
    for piece in pieces:
        piece.role = role


def _around_comma(text: str, pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    if not pieces:
        return [], []
    comma = text.find(",", pieces[0].start)
    before = [piece for piece in pieces if piece.start < comma]
    return before, [piece for piece in pieces if comma < piece.start]


def _groups(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Words with those that hyphens tie to them."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        if piece.joined and groups and groups[-1][-1].end == piece.start - 1:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def _beside_initials(groups: Sequence[list[Piece]], name: list[Piece], language: str) -> None:
    """ "A. Lindgren" and "Lindgren A.", but "Anna L."."""
    if name[0].role == "given":  # "Mª"
        return
    if _opens_surname(0, name[0]):
        _set([piece for group in groups for piece in group], "given")
        _set(name, "surname")
        return
    initials = [group for group in groups if group is not name]
    if not initials:
        return
    given, surname = (_strength(name[0], role, language) for role in ("given", "surname"))
    is_first = groups[0] is name
    is_given = surname < given if is_first else language == "es" and given == _SURE > surname
    _set(name, "given" if is_given else "surname")
    for group in initials:
        _set(group, "surname" if is_given and is_first else "given")


def _in_order(groups: list[list[Piece]], names: list[list[Piece]], language: str) -> None:
    roles = _roles_of(names, language)
    for group, role in zip(names, roles, strict=True):
        _set(group, role)
    # Initials go with the given names but at the end of "Anna Maria L.".
    for number, group in enumerate(groups):
        if group[0].kind == "initials":
            has_surname_before = any(other[0].role == "surname" for other in groups[:number])
            is_last = (
                number == len(groups) - 1 and not has_surname_before and "surname" not in roles
            )
            _set(group, "surname" if is_last else "given")


def _roles_of(names: Sequence[list[Piece]], language: str) -> list[Role]:
    firsts = [group[0] for group in names]
    upper = [piece.text.isupper() and 1 < len(piece.text) for piece in firsts]
    if any(upper) and not all(upper) and sum(upper) < len(upper):
        return ["surname" if is_upper else "given" for is_upper in upper]
    given = [_strength(piece, "given", language) for piece in firsts]
    surname = [_strength(piece, "surname", language) for piece in firsts]
    if _is_asian_order(firsts, surname, language):
        return ["given" if number else "surname" for number in range(len(names))]
    led = next((i for i, piece in enumerate(firsts) if _opens_surname(i, piece)), None)
    if led is not None:
        if firsts[led].led in _AND and 1 < led:  # José Luis Ramón y Cajal
            led -= 1
        return [_before_particle(i, led, given, surname) for i in range(len(names))]
    if all(g < _SURE == s for g, s in zip(given, surname, strict=True)):
        return ["surname" for _ in names]
    is_turned = surname[-1] < given[-1] == _SURE
    if language == "es" and is_turned:
        # León Garza Leopoldo: a sure given name behind what may be surnames, and one that must.
        before = list(zip(given[:-1], surname[:-1], strict=True))
        if all(g <= s for g, s in before) and any(g < s for g, s in before):
            return ["surname" if i < len(before) else "given" for i in range(len(names))]
    if given[0] < surname[0] and (language == "es" or (is_turned and surname[0] == _SURE)):
        # García Espinosa, and García Espinosa María
        last = next((i for i in range(1, len(names)) if surname[i] < given[i] == _SURE), len(names))
        return ["surname" if i < last else "given" for i in range(len(names))]
    if all(s < _SURE == g for g, s in zip(given, surname, strict=True)):
        return ["given" for _ in names]  # Juan Antonio
    roles: list[Role] = ["given" for _ in names]
    roles[-1] = "surname"
    surnames_wanted = 2 if language == "es" else 1
    for i in range(1, len(names) - 1):
        if language == "es":
            is_next_to_last = len(names) - i <= surnames_wanted
            is_given = given[i] == _SURE and surname[i] < _SURE
            is_one_of_two = is_next_to_last and not (len(names) == 3 and is_given)
            if is_one_of_two or (surname[i] and not given[i]):
                roles[i] = "surname"
        elif given[i] < surname[i]:
            roles[i] = "surname"
    return _without_gaps(roles)


def _without_gaps(roles: list[Role]) -> list[Role]:
    """After the first surname no given name follows."""
    first = roles.index("surname")
    return ["given" if i < first else "surname" for i in range(len(roles))]


def _opens_surname(index: int, piece: Piece) -> bool:
    """Whether small words before a word open the surname; not so in María del Carmen."""
    if not piece.led:
        return False
    is_devotion = piece.led in _DEVOTION_PARTICLES and piece.key in devotions()
    return index == 0 or not is_devotion


def _before_particle(index: int, led: int, given: Sequence[int], surname: Sequence[int]) -> Role:
    """The role of a word of a name whose surname opens with a small word at `led`, or before."""
    if led <= index:
        return "surname"
    return "surname" if given[index] < surname[index] else "given"


def _is_asian_order(firsts: Sequence[Piece], surname: Sequence[int], language: str) -> bool:
    """Whether the surname comes first, as in China, Korea and Vietnam."""
    return (
        surname_origin(firsts[0].key, language) in SURNAME_FIRST
        and surname[-1] < _SURE
        and given_origin(firsts[-1].key, language) in SURNAME_FIRST
    )


def _strength(piece: Piece, role: Role, language: str) -> int:
    if role == "surname" and is_built_like_surname(piece.text, language):
        return _SURE
    return strength(piece.key, language, role)
