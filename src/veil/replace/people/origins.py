"""Where a name comes from: by the lists, by its form, or by the name beside it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.replace.people.styles import naming_style
from veil.replace.people.tables import (
    is_built_like_surname,
    is_listed,
    is_own_name,
    listed_origin,
    own_sex,
    read_data,
    sex_of,
    strength,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.replace.people.pieces import Mention, Piece, Role, Word
    from veil.replace.people.tables import Kind

_CACHE_SIZE = 1 << 14


@cache
def words(key: str) -> frozenset[str]:
    """Return a list of words of `origins.toml`, such as the particles of surnames."""
    return frozenset(read_data("origins.toml")[key].split())


@cache
def _forms(key: str) -> re.Pattern[str]:
    """Return one pattern for the forms of names, with a group for each origin."""
    forms = read_data("origins.toml")[key].items()
    return re.compile("|".join(f"(?P<{origin}>{''.join(form.split())})" for origin, form in forms))


@cache
def origins_of_particles() -> dict[str, str]:
    """Return the origins of surnames by the words before them: "van der"."""
    rows = read_data("origins.toml")["origin_particles"].items()
    return {words: origin for origin, row in rows for words in row.split(", ")}


def is_surname_first(origin: str | None) -> bool:
    """Whether people of an origin put the surname first."""
    return origin in words("surname_first")


@lru_cache(_CACHE_SIZE)
def surname_origin(key: str, language: str) -> str:
    """Return the origin of a surname: the language's own if nothing tells of another."""
    if is_own_name(key, language, "surname"):
        return naming_style(language).origin
    listed = listed_origin(key, "surname", language)
    return listed or _by_form(key, "surname_forms") or naming_style(language).origin


@lru_cache(_CACHE_SIZE)
def given_origin(key: str, language: str) -> str:
    """Return the origin of a given name: the language's own if nothing tells of another."""
    if is_own_name(key, language, "given"):
        return naming_style(language).origin
    sex = sex_of(key, language)
    kinds: tuple[Kind, ...] = ("female", "male", "both") if sex == "both" else (sex,)
    for kind in kinds:
        listed = listed_origin(key, kind, language)
        if listed:
            return listed
    as_surname = listed_origin(key, "surname", language)
    if as_surname and is_surname_first(as_surname):  # short names serve as both
        return as_surname
    by_form = _by_script(key) if strength(key, language, "given") else _by_form(key, "given_forms")
    return by_form or naming_style(language).origin


def _by_form(key: str, forms: str) -> str | None:
    match = _forms(forms).fullmatch(key)
    return match.lastgroup if match else _by_script(key)


def _by_script(key: str) -> str | None:
    if key.isascii():
        return None
    script = unicodedata.name(key[0], "").partition(" ")[0]
    origin: str | None = read_data("origins.toml")["scripts"].get(script)
    return origin


def is_female_double(mention: Mention, language: str) -> bool | None:
    """Whether a double given name is a woman's, by the half of which it is known: Maj-Lis."""
    given = _names(mention, "given")
    if not any(piece.is_joined for piece in given):
        return None
    found = {own_sex(piece.key, language) for piece in given} - {None, "both"}
    return found == {"female"} if len(found) == 1 else None


def origins_by_companions(mentions: Iterable[Mention], language: str) -> dict[Word, str]:
    """Return the origins of names that no list has, by the surname or given name beside them."""
    origins: dict[Word, str] = {}
    shared = words("shared_given_names")
    for mention in mentions:
        given, surnames = _names(mention, "given"), _names(mention, "surname")
        if len(given) != 1 or len(surnames) != 1:
            continue
        (first,), (last,) = given, surnames
        if not is_listed(first.key, "given"):
            origin = surname_origin(last.key, language)
            # Short surnames of East Asia are also words and names elsewhere: Mo, Lee.
            is_sure = origin not in shared and not is_surname_first(origin)
            if is_sure and is_listed(last.key, "surname"):
                origins.setdefault(first.words[0], origin)
        elif _has_unknown_origin(last, language):
            origin = given_origin(first.key, language)
            if origin not in shared:
                origins.setdefault(last.words[0], origin)
    return origins


def _has_unknown_origin(surname: Piece, language: str) -> bool:
    """Whether neither lists nor its form tell where a surname comes from."""
    return (
        not is_listed(surname.key, "surname")
        and not is_built_like_surname(surname.text, language)
        and surname_origin(surname.key, language) == naming_style(language).origin
    )


def _names(mention: Mention, role: Role) -> list[Piece]:
    return [
        piece
        for piece in mention.all_pieces
        if piece.kind == "name" and piece.role == role and piece.is_latin
    ]
