"""What the names of a mention tell of one another: where they come from and who bears them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.replace.people import tables
from veil.replace.people.origins import SURNAME_FIRST, given_origin, surname_origin
from veil.replace.people.readings import is_latin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.replace.people.pieces import Mention, Piece, Word
    from veil.replace.people.tables import Role

# Their given names are borne by people of all origins and tell nothing of the name beside them.
_SHARED = frozenset(
    """
    swedish english spanish irish welsh french german dutch italian portuguese catalan
    norwegian_danish hebrew hispanic northern
    andean mapuche mesoamerican
    """.split()
)


def is_female_double(mention: Mention, language: str) -> bool | None:
    """Whether a double given name is a woman's, by the half of which it is known: Maj-Lis."""
    given = _names(mention, "given")
    if not any(piece.joined for piece in given):
        return None
    found = {tables.own_sex(piece.key, language) for piece in given} - {None, "both"}
    return found == {"female"} if len(found) == 1 else None


def origins_told(mentions: Iterable[Mention], language: str) -> dict[Word, str]:
    """The origins of names that no list holds, from the surname or given name beside them."""
    origins: dict[Word, str] = {}
    for mention in mentions:
        given, surnames = _names(mention, "given"), _names(mention, "surname")
        if len(given) != 1 or len(surnames) != 1:
            continue
        (first,), (last,) = given, surnames
        if not tables.listed(first.key, "given"):
            origin = surname_origin(last.key, language)
            # Short surnames of the East are words and names elsewhere, too: Mo, Lee.
            is_sure = origin not in _SHARED and origin not in SURNAME_FIRST
            if is_sure and tables.listed(last.key, "surname"):
                origins.setdefault(first.words[0], origin)
        elif _is_open(last, language):
            origin = given_origin(first.key, language)
            if origin not in _SHARED:
                origins.setdefault(last.words[0], origin)
    return origins


def _is_open(surname: Piece, language: str) -> bool:
    """Whether neither lists nor its form tell where a surname comes from."""
    return (
        not tables.listed(surname.key, "surname")
        and not tables.is_built_like_surname(surname.text, language)
        and surname_origin(surname.key, language) == tables.OWN_ORIGIN.get(language, "english")
    )


def _names(mention: Mention, role: Role) -> list[Piece]:
    return [
        piece
        for piece in mention.all_pieces
        if piece.kind == "name" and piece.role == role and is_latin(piece)
    ]
