"""Endings that are no part of a name: the genitive, and the feminine of Slavic surnames."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from veil.replace.people.tables import is_built_like_surname, listed, strength

if TYPE_CHECKING:
    from collections.abc import Container

    from veil.replace.people.pieces import Piece

_FEMININE = re.compile(r"(.{2,}(?:ov|ev|[sc]k|dzk))a")
# Villanueva and Casanova are Spanish.
_SPANISH_ENDS = ("nova", "dova", "rova", "ueva")
_SHORTEST_GENITIVE = 3
# Shorter names are taken for genitives only where the record has them without the ending.
_SHORTEST_UNSEEN = 4


def find_masculine(piece: Piece) -> None:
    """Give a Slavic surname of a woman the key of its masculine form: Petrova that of Petrov."""
    if piece.role != "surname" or listed(piece.key, "surname"):
        return
    match = _FEMININE.fullmatch(piece.key)
    if match:
        masculine = match[1] + ("i" if match[1].endswith("k") else "")
        if not piece.key.endswith(_SPANISH_ENDS) or listed(masculine, "surname"):
            piece.key = masculine
            piece.feminine = True


def find_bases(pieces: list[Piece], seen: Container[str], language: str) -> None:
    """Take the genitive -s off names: Lindgrens, where the record or the lists have Lindgren."""
    if language not in ("sv", "en"):
        return
    for piece, after in zip_longest(pieces, pieces[1:]):
        if after is not None and after.joined:  # the first half of Gross-Lind
            continue
        if piece.kind == "name" and not piece.suffix and _is_genitive(piece, seen, language):
            piece.suffix = piece.text[-1]
            piece.text = piece.text[:-1]
            piece.key = piece.key[:-1]


def _is_genitive(piece: Piece, seen: Container[str], language: str) -> bool:
    key = piece.key
    if len(key) < _SHORTEST_GENITIVE or not key.endswith("s") or piece.script != "latin":
        return False
    stem = key[:-1]
    if _is_listed(key):
        return False
    if stem in seen:
        return True
    if language != "sv" or len(stem) < _SHORTEST_UNSEEN:
        return False
    if _is_listed(stem) or is_built_like_surname(piece.text[:-1], language):
        return True
    return not _is_known(key, language) and _is_known(stem, language)


def _is_listed(key: str) -> bool:
    return listed(key, "given") or listed(key, "surname")


def _is_known(key: str, language: str) -> bool:
    return any(strength(key, language, role) for role in ("given", "surname"))
