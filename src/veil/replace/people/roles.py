"""Which words of a mention are given names and which are surnames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.replace.people.styles import naming_style, words_of_all
from veil.replace.people.tables import (
    devotion_particles,
    devotions,
    given_origin,
    is_built_like_surname,
    is_surname_first,
    strength,
    surname_origin,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Part
    from veil.replace.people.pieces import NamePiece, Role

_SURE = 2


def assign_roles(text: str, pieces: Sequence[NamePiece], part: Part | None, language: str) -> None:
    """Give each piece of a mention its role; a single word may stay without one."""
    if part in ("first", "last"):
        _set(pieces, "given" if part == "first" else "surname")
        return
    if len(pieces) == 1:  # only particles show the role of a single word
        (piece,) = pieces
        if piece.kind == "name" and piece.particles and piece.role != "given":
            piece.role = "surname"
        return
    nicknames = [piece for piece in pieces if piece.is_nickname and piece.kind == "name"]
    rest = [piece for piece in pieces if not piece.is_nickname and piece.kind != "digits"]
    if rest:
        _set(nicknames, "given")
    else:
        rest = nicknames
    if "," in text:
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


def role_of_lone(piece: NamePiece, language: str, *, surname_expected: bool) -> Role:
    """Return the role of a single word, by the lists or by convention."""
    given, surname = (_strength(piece, role, language) for role in ("given", "surname"))
    if given != surname:
        return "given" if surname < given else "surname"
    return "surname" if surname_expected or not given else "given"


def _set(pieces: Sequence[NamePiece], role: Role) -> None:
    for piece in pieces:
        piece.role = role


def _around_comma(
    text: str, pieces: Sequence[NamePiece]
) -> tuple[list[NamePiece], list[NamePiece]]:
    if not pieces:
        return [], []
    comma = text.find(",", pieces[0].start)
    before = [piece for piece in pieces if piece.start < comma]
    return before, [piece for piece in pieces if comma < piece.start]


def _groups(pieces: Sequence[NamePiece]) -> list[list[NamePiece]]:
    """Return the words in groups that hyphens join."""
    groups: list[list[NamePiece]] = []
    for piece in pieces:
        if piece.is_joined and groups and groups[-1][-1].end == piece.start - 1:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def _beside_initials(
    groups: Sequence[list[NamePiece]], name: list[NamePiece], language: str
) -> None:
    """Set the roles of one name and initials: "A. Lindgren", "Lindgren A.", but "Anna L."."""
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
    if is_first:
        is_given = surname < given
    else:
        is_given = naming_style(language).two_surnames and given == _SURE > surname
    _set(name, "given" if is_given else "surname")
    for group in initials:
        _set(group, "surname" if is_given and is_first else "given")


def _in_order(groups: list[list[NamePiece]], names: list[list[NamePiece]], language: str) -> None:
    roles = _roles_of(names, language)
    for group, role in zip(names, roles, strict=True):
        _set(group, role)
    # Initials belong to the given names, except at the end of "Anna Maria L.".
    for number, group in enumerate(groups):
        if group[0].kind == "initials":
            has_surname_before = any(other[0].role == "surname" for other in groups[:number])
            is_last = (
                number == len(groups) - 1 and not has_surname_before and "surname" not in roles
            )
            _set(group, "surname" if is_last else "given")


def _roles_of(names: Sequence[list[NamePiece]], language: str) -> list[Role]:
    firsts = [group[0] for group in names]
    upper = [piece.text.isupper() and 1 < len(piece.text) for piece in firsts]
    if any(upper) and not all(upper) and sum(upper) < len(upper):
        return ["surname" if is_upper else "given" for is_upper in upper]
    given = [_strength(piece, "given", language) for piece in firsts]
    surname = [_strength(piece, "surname", language) for piece in firsts]
    if _is_asian_order(firsts, surname, language):
        return ["given" if number else "surname" for number in range(len(names))]
    opening = next((i for i, piece in enumerate(firsts) if _opens_surname(i, piece)), None)
    if opening is not None:
        if 1 < opening and firsts[opening].particles in words_of_all("conjunctions"):
            opening -= 1  # José Luis Ramón y Cajal
        return [
            "surname" if opening <= i or given[i] < surname[i] else "given"
            for i in range(len(names))
        ]
    if all(g < _SURE == s for g, s in zip(given, surname, strict=True)):
        return ["surname" for _ in names]
    is_reversed = surname[-1] < given[-1] == _SURE
    two_surnames = naming_style(language).two_surnames
    if two_surnames and is_reversed:
        # León Garza Leopoldo: a sure given name after possible surnames, at least one is likely.
        before = list(zip(given[:-1], surname[:-1], strict=True))
        if all(g <= s for g, s in before) and any(g < s for g, s in before):
            return ["surname" if i < len(before) else "given" for i in range(len(names))]
    if given[0] < surname[0] and (two_surnames or (is_reversed and surname[0] == _SURE)):
        # García Espinosa, and García Espinosa María
        last = next((i for i in range(1, len(names)) if surname[i] < given[i] == _SURE), len(names))
        return ["surname" if i < last else "given" for i in range(len(names))]
    if all(s < _SURE == g for g, s in zip(given, surname, strict=True)):
        return ["given" for _ in names]  # Juan Antonio
    roles: list[Role] = ["given" for _ in names]
    roles[-1] = "surname"
    for i in range(1, len(names) - 1):
        if two_surnames:
            is_next_to_last = i == len(names) - 2
            is_given = given[i] == _SURE and surname[i] < _SURE
            is_one_of_two = is_next_to_last and not (len(names) == 3 and is_given)
            if is_one_of_two or (surname[i] and not given[i]):
                roles[i] = "surname"
        elif given[i] < surname[i]:
            roles[i] = "surname"
    return _without_gaps(roles)


def _without_gaps(roles: list[Role]) -> list[Role]:
    """Make all names after the first surname surnames."""
    first = roles.index("surname")
    return ["given" if i < first else "surname" for i in range(len(roles))]


def _opens_surname(index: int, piece: NamePiece) -> bool:
    """Whether particles before a word begin the surname; they do not in María del Carmen."""
    if not piece.particles:
        return False
    is_devotion = piece.key in devotions() and piece.particles in devotion_particles()
    return index == 0 or not is_devotion


def _is_asian_order(firsts: Sequence[NamePiece], surname: Sequence[int], language: str) -> bool:
    """Whether the surname comes first, as in China, Korea and Vietnam."""
    return (
        is_surname_first(surname_origin(firsts[0].key, language))
        and surname[-1] < _SURE
        and is_surname_first(given_origin(firsts[-1].key, language))
    )


def _strength(piece: NamePiece, role: Role, language: str) -> int:
    if role == "surname" and is_built_like_surname(piece.text, language):
        return _SURE
    return strength(piece.key, language, role)
