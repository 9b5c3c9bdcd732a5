"""Splits names in Latin letters into words, initials and endings; other text is unchanged."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.lexicons.folding import fold
from veil.replace.people.pieces import LATIN, NamePiece
from veil.replace.people.styles import name_key, naming_style, words_of_all
from veil.replace.people.tables import (
    is_built_like_surname,
    is_listed,
    strength,
    surname_origin,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Container

    from veil.replace.people.pieces import Role

    Offsets = tuple[int, int]

_LETTER = r"[^\W\d_]"
_TOKEN = compile_pattern(rf"[Mm]\.ª|{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['’ʼ](?={_LETTER}))*|\d+")
_ELISION = compile_pattern(r"(?:[dlDL]['’ʼ])(?=..)")
_POSSESSIVE = compile_pattern(r"['’ʼ][sS]$")
_APOSTROPHES = ("'", "’", "ʼ")
_OPENING, _CLOSING = frozenset("\"'“”«„‘(’"), frozenset("\"'”“»’)")
_HYPHENS = ("-", "\u2010", "\u2011")
_APOSTROPHE, _HYPHEN = (
    compile_pattern(f"[{''.join(signs)}]") for signs in (_APOSTROPHES, _HYPHENS)
)
# Son or daughter of, as it is written in India, Singapore and Malaysia.
_SON_OF = compile_pattern(r"\b(?:[sdw]/o|a/[lp])\b", re.IGNORECASE)
_BORN = "f"
ELIDED = "d'"
_LONGEST_INITIALS = 3
_LONGEST_SHORTENED = 4
# The feminine of Slavic surnames; Villanueva and Casanova are Spanish.
_FEMININE = compile_pattern(r"(.{2,}(?:ov|ev|[sc]k|dzk))a")
_NOT_FEMININE = ("nova", "dova", "rova", "ueva")
_SHORTEST_GENITIVE = 3
# Shorter names are genitives only if the record has them without the ending.
_SHORTEST_UNSEEN = 4
_ROLES: tuple[Role, Role] = ("given", "surname")
# Records repeat their names.
_REMEMBERED = 1 << 12


def pieces_of(text: str, language: str, *, is_part: bool = False) -> list[NamePiece]:
    """Split a mention; roles and genitives are not known yet.

    `is_part` says that it is a first or last name, and so cannot be a pair of initials.
    """
    return [piece.copy() for piece in _pieces_of(text, language, is_part)]


@lru_cache(_REMEMBERED)
def _pieces_of(text: str, language: str, is_part: bool) -> list[NamePiece]:
    is_ascii = text.isascii()
    if is_ascii and text.isalpha():
        tokens = [(0, len(text))]
    else:
        tokens = [match.span() for match in _TOKEN.finditer(text)]
        if _APOSTROPHE.search(text):
            tokens = [_without_elision(match) for match in _TOKEN.finditer(text)]
        if _HYPHEN.search(text):
            tokens = _with_small_second_parts(text, tokens)
    kept = _kept(text, tokens, language, is_part=is_part)
    # If all words look like titles and particles, they are names.
    if kept and not any(text[start].isalpha() for start, end in tokens if (start, end) not in kept):
        kept = set()
    replaced = text  # text between words has no case
    if kept or not is_ascii:
        replaced = "".join([text[start:end] for start, end in tokens if (start, end) not in kept])
    mixed_case = replaced.upper() != replaced
    alone = len(tokens) == 1 and not is_part
    pieces: list[NamePiece] = []
    particles = ""
    for start, end in tokens:
        if (start, end) in kept:
            word = name_key(text[start:end])
            particles = f"{particles} {word}".strip() if _is_particle_word(word, language) else ""
            continue
        piece = _piece(text, start, end, language, mixed_case=mixed_case, alone=alone)
        before = text[start - 1] if start else ""
        is_elided = before in _APOSTROPHES and not piece.is_nickname
        piece.particles, particles = (ELIDED if is_elided and not particles else particles), ""
        if before in _HYPHENS and pieces:
            piece.is_joined = pieces[-1].end == start - 1
        pieces.append(piece)
    return pieces


def _without_elision(match: re.Match[str]) -> Offsets:
    """Return the offsets of a word without d' or l', which stays except in D'Andre Moss."""
    start, end = match.span()
    is_given = start == 0 and match[0].startswith("D") and match.string[end : end + 1] == " "
    may_be = match[0][1:2] in _APOSTROPHES and not is_given
    elision = _ELISION.match(match[0]) if may_be else None
    return (start + elision.end(), end) if elision else (start, end)


def _with_small_second_parts(text: str, tokens: list[Offsets]) -> list[Offsets]:
    """Join the halves of a hyphenated name that is one word: Min-jun."""
    joined: list[Offsets] = []
    for start, end in tokens:
        if joined and joined[-1][1] == start - 1 and text[start - 1] in _HYPHENS:
            first = text[slice(*joined[-1])]
            is_one = first[0].isupper() and not first.isupper() and text[start:end].islower()
            is_one = is_one or is_listed(name_key(f"{first}-{text[start:end]}"), "given")
            if is_one and name_key(first) not in words("particles"):
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((start, end))
    return joined


def _kept(text: str, tokens: list[Offsets], language: str, *, is_part: bool) -> set[Offsets]:
    """Return the tokens that stay: titles, particles of surnames, "and"."""
    kept: set[Offsets] = set()
    # Most mentions have nothing that may stay.
    if "/" not in text and _words_that_may_stay(language).isdisjoint(
        [name_key(text[start:end]) for start, end in tokens]
    ):
        return kept
    titles = _titles(language)
    seen_name = False
    for number, ((start, end), after) in enumerate(zip_longest(tokens, tokens[1:])):
        word = text[start:end]
        key = name_key(word)
        is_kept = seen_name and key in words_of_all("suffixes")
        is_kept = is_kept or _SON_OF.search(text, max(0, start - 2), end + 2) is not None
        if after is not None and not is_kept:
            is_kept = (
                (key in titles and _is_title(text, end, after, key, language))
                or (key in words_of_all("between_names") and (word.islower() or key == "vda"))
                or (seen_name and word == _BORN and any(map(str.isupper, text)))
                or _is_particle(text, number, (start, end), after, language, is_part=is_part)
            )
        if is_kept:
            kept.add((start, end))
        else:
            seen_name = True
    return kept


@cache
def _titles(language: str) -> frozenset[str]:
    return words_of_all("titles") | naming_style(language).own_titles


@cache
def _words_that_may_stay(language: str) -> frozenset[str]:
    conjunctions = naming_style(language).conjunctions
    lists = (words_of_all("suffixes"), words_of_all("between_names"), words("particles"))
    return _titles(language).union(*lists, conjunctions, (_BORN,))


def _is_title(text: str, end: int, after: Offsets, key: str, language: str) -> bool:
    """Whether a word that looks like a title is one: no comma, after some no surname, follows."""
    if "," in text[end : after[0]]:
        return False
    if key not in naming_style(language).titles_of_given_names:
        return True
    follower = name_key(text[slice(*after)])
    return strength(follower, language, "surname") < strength(follower, language, "given") == 2


def _is_particle_word(key: str, language: str) -> bool:
    return key in words("particles") or key in naming_style(language).conjunctions


def _is_particle(
    text: str, number: int, token: Offsets, after: Offsets, language: str, *, is_part: bool
) -> bool:
    """Whether the token at index `number` is a particle of a surname."""
    word = text[slice(*token)]
    key = name_key(word)
    if not _is_particle_word(key, language):
        return False
    between = text[token[1] : after[0]]
    follower = name_key(text[slice(*after)])
    is_article = key in words("articles")
    if is_article and between in _HYPHENS:
        return True
    if not (between.isspace() or (between == ". " and key in ("st", "ste"))):
        return False
    if len(key) == 1:  # "Ramón y Cajal"; a capital or a full stop would make it an initial
        return 0 < number and word.islower()
    if word.islower():
        return True
    if key in words("surnames_like_particles") and follower in words("middle_names"):
        return False
    if number == 0 and key in words("names_at_the_start"):
        return is_article and (is_part or surname_origin(follower, language) == "arabic")
    return True


def _piece(
    text: str, start: int, end: int, language: str, *, mixed_case: bool, alone: bool
) -> NamePiece:
    word = text[start:end]
    if word[0].isdigit():
        return NamePiece(start, end, word, "digits")
    suffix = ""
    possessive = _POSSESSIVE.search(word) if word[-1] in "sS" else None
    is_nickname = (
        0 < start and end < len(text) and text[start - 1] in _OPENING and text[end] in _CLOSING
    )
    if possessive:
        suffix = possessive[0]
        word = word[: possessive.start()]
    elif word[-1] in "sS" and text[end : end + 1] in _APOSTROPHES and not is_nickname:
        suffix = text[end]
        end += 1
    key = name_key(word)
    full = naming_style(language).shortened.get(key)
    has_stop = text[end : end + 1] == "."
    if full and (has_stop or word[-1] in "ªº"):
        # The raised letter of Mª does not count as lower case in a name in capitals.
        is_upper = text.replace("ª", "").replace("º", "").isupper()
        short = key.upper() if is_upper else word
        return NamePiece(start, end + has_stop, short, "name", full, role="given")
    if _is_initials(text, word, key, end, language, mixed_case=mixed_case, alone=alone):
        # Å and A are different; "AB" are two initials, "Chr." is one.
        letters = fold(word) if word.isupper() or alone else fold(word)[:1]
        return NamePiece(start, end, word, "initials", letters, suffix=suffix)
    return NamePiece(start, end, word, "name", key, suffix=suffix, is_nickname=is_nickname)


def _is_initials(
    text: str, word: str, key: str, end: int, language: str, *, mixed_case: bool, alone: bool
) -> bool:
    letters = len(key)
    if letters == 1:
        return True
    before_stop = text[end : end + 1] == "."
    if letters <= _LONGEST_SHORTENED and before_stop and text[end + 1 :].strip():
        return letters < _LONGEST_SHORTENED or not is_listed(key, "given")  # "Chr. Berg"
    if _LONGEST_INITIALS < letters:
        return False
    if alone and word.islower():  # signatures: "akl"
        return not is_known(key, language)
    if alone and word.isupper():
        return letters < _LONGEST_INITIALS or not is_listed(key, "given")
    return word.isupper() and mixed_case


def is_title(word: str) -> bool:
    """Whether a word is a title that precedes a name, or a rank that precedes a surname."""
    key = name_key(word)
    return key in words_of_all("titles") or key in words_of_all("ranks")


def is_known(key: str, language: str) -> bool:
    """Whether a name is in the lists or lexicons."""
    return any(strength(key, language, role) for role in _ROLES)


def find_masculine(piece: NamePiece) -> None:
    """Give a woman's Slavic surname the key of its masculine form: Petrova gets that of Petrov."""
    if piece.role != "surname" or is_listed(piece.key, "surname"):
        return
    match = _FEMININE.fullmatch(piece.key)
    if match:
        masculine = match[1] + ("i" if match[1].endswith("k") else "")
        if not piece.key.endswith(_NOT_FEMININE) or is_listed(masculine, "surname"):
            piece.key = masculine
            piece.is_feminine = True


def remove_genitives(pieces: list[NamePiece], seen: Container[str], language: str) -> None:
    """Remove the genitive -s of names: Lindgrens, if the record or the lists have Lindgren."""
    if "s" not in {piece.key[-1:] for piece in pieces} or not naming_style(language).genitive:
        return
    for piece, after in zip_longest(pieces, pieces[1:]):
        if after is not None and after.is_joined:  # the first half of Gross-Lind
            continue
        if piece.kind == "name" and not piece.suffix and _is_genitive(piece, seen, language):
            piece.suffix = piece.text[-1]
            piece.text = piece.text[:-1]
            piece.key = piece.key[:-1]


def _is_genitive(piece: NamePiece, seen: Container[str], language: str) -> bool:
    key, stem = piece.key, piece.key[:-1]
    if len(key) < _SHORTEST_GENITIVE or not key.endswith("s") or piece.script != LATIN:
        return False
    if _is_listed(key):
        return False
    if stem in seen:
        return True
    # Where genitives have an apostrophe (Anna's), a plain -s is one only if the record shows it.
    if naming_style(language).genitive != "s" or len(stem) < _SHORTEST_UNSEEN:
        return False
    if _is_listed(stem) or is_built_like_surname(piece.text[:-1], language):
        return True
    return not is_known(key, language) and is_known(stem, language)


def _is_listed(key: str) -> bool:
    return any(is_listed(key, role) for role in _ROLES)
