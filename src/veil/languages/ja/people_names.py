"""Tables of Japanese names: their readings, the sex of their bearers, where they are split.

The kinds of names are the tables of `people_names.toml`: family, female and male names, with a
prefix for Chinese (continental) and Korean names in kanji and for other foreign ones in katakana.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.languages.base import read_language_toml
from veil.languages.ja.kana import compared_romaji, hiragana, katakana, romaji
from veil.lexicons import is_ordinary
from veil.lexicons.folding import fold_in_place
from veil.lexicons.store import bit_of, word_bits
from veil.replace.people.pieces import Surrogate
from veil.replace.people.styles import naming_style
from veil.replace.people.tables import given_origin, surname_origin

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from veil.replace.people.pieces import Role

LANGUAGE = "ja"
_NATIVE = ("", "continental_", "korean_")
_FOREIGN = ("foreign_",)
_LEXICONS: dict[Role, tuple[str, ...]] = {
    "surname": ("surname",),
    "given": ("given_female", "given_male"),
}
_FEMALE_END = re.compile(r".*[子美恵香奈代江枝菜織花佳紗莉](?:子)?|.*(?:こ|み|え|か|な|よ)")
_KANA = re.compile(r"[ぁ-ゖー]+")
# Origins of foreign names that are similar for Japanese readers.
_SIMILAR_ORIGINS = {
    **dict.fromkeys(("portuguese", "italian", "catalan", "basque"), "spanish"),
    **dict.fromkeys(("irish", "german", "french", "swedish", "dutch", "polish"), "english"),
    **dict.fromkeys(("turkish", "persian_kurdish"), "arabic"),
}
_FEWEST_OF_AN_ORIGIN = 5
_LONGEST_FAMILY, _LONGEST_GIVEN = 4, 3
LISTED = 2
_OLD_NAME = 2
# Shorter names without a space are mostly family names: 大田原, 比田勝.
_SHORTEST_FULL_NAME = 4
_KNOWN_FAMILY = 5
_CACHE_SIZE = 1 << 13


@cache
def table(kind: str) -> dict[str, tuple[str, ...]]:
    """Return the readings of each name of a kind, or the Latin spelling of a foreign one."""
    entries = read_language_toml(LANGUAGE, "people_names.toml")[kind].split()
    return {
        name: tuple(readings.split("/"))
        for name, _, readings in (entry.partition("=") for entry in entries)
    }


def _kinds(role: Role, prefixes: tuple[str, ...] = _NATIVE) -> list[str]:
    kinds = ("family",) if role == "surname" else ("female", "male")
    return [f"{prefix}{kind}" for prefix in prefixes for kind in kinds]


# -- Names to draw from -----------------------------------------------------------------------


@cache
def pool(kind: str) -> tuple[Surrogate, ...]:
    """Return names to draw from, without those that are ordinary words or places."""
    bits, places = word_bits(LANGUAGE), bit_of("city") | bit_of("region")
    is_word = is_ordinary(LANGUAGE)
    return tuple(
        name
        for name in _names(kind)
        if not bits[name.written] & places and not is_word(name.written)
    )


def _names(kind: str) -> Iterator[Surrogate]:
    for written, readings in table(kind).items():
        if kind.startswith(_FOREIGN):
            yield Surrogate(written, readings[0], hiragana(written))
        else:
            yield Surrogate(written, romaji(readings[0]).capitalize(), readings[0])


@cache
def pool_of_origin(kind: str, origin: str | None) -> tuple[Surrogate, ...]:
    """Return foreign names of an origin to draw from, or all of a kind if there are few."""
    role: Role = "surname" if kind.endswith("family") else "given"
    found = tuple(name for name in pool(kind) if _origin_of(role, name.latin) == origin)
    return found if _FEWEST_OF_AN_ORIGIN <= len(found) else pool(kind)


@cache
def composed(kind: str) -> tuple[Surrogate, ...]:
    """Return names made of parts, for records with more names than the lists."""
    parts = kind.rpartition("_")[2]
    is_word = is_ordinary(LANGUAGE)
    made = []
    for head, (head_reading,) in table(f"{parts}_heads").items():
        for tail, (tail_reading,) in table(f"{parts}_tails").items():
            reading = head_reading + tail_reading
            written = katakana(reading) if kind.startswith(_FOREIGN) else head + tail
            if head != tail and not is_word(written):
                made.append(Surrogate(written, romaji(reading).capitalize(), reading))
    return tuple(made)


@lru_cache(_CACHE_SIZE)
def kind_of(
    role: Role, key: str, *, foreign: bool, continental: str, is_female: bool | None = None
) -> str:
    """Return the list from which the surrogate of a name comes.

    `continental` says that a given name has a Chinese or Korean family name; `is_female` is the
    evidence of the words around the name, which counts if the name is not in the lists.
    """
    if role == "surname":
        return "foreign_family" if foreign else _prefixed(continental_origin(key), "family")
    if foreign:
        is_listed_female = key in {hiragana(name) for name in table("foreign_female")}
        female = romaji(key).endswith("a") if is_female is None else is_female
        female = is_listed_female or (not is_foreign("given", key) and female)
        return "foreign_female" if female else "foreign_male"
    listed = next((kind for kind in _kinds("given") if key in table(kind)), None)
    if listed in ("female", "male") or (listed and not continental):
        return listed
    if listed:
        female = listed.endswith("female")
    else:
        female = _is_female(key) if is_female is None else is_female
    return _prefixed(continental, "female" if female else "male")


def _prefixed(continental: str, kind: str) -> str:
    return f"{continental}_{kind}" if continental else kind


def continental_origin(family: str) -> str:
    """Return "korean" or "continental" for a family name of that origin, "" for others."""
    origins = ("korean", "continental")
    return next((each for each in origins if family in table(f"{each}_family")), "")


def _is_female(key: str) -> bool:
    usual = key_of_reading("given", key)
    if usual:
        return usual in table("female")
    female, male = (_is_in_lexicon(key, [kind]) for kind in _LEXICONS["given"])
    if female != male:
        return female
    # Women of the oldest generations have names of two kana: トメ, イシ.
    is_old = len(key) == _OLD_NAME and _KANA.fullmatch(key) is not None
    return is_old or _FEMALE_END.fullmatch(key) is not None


# -- Readings ---------------------------------------------------------------------------------


def readings_of(role: Role, key: str) -> tuple[str, ...]:
    """Return the readings of a name in hiragana, if the tables contain it; kana read as is."""
    if _KANA.fullmatch(key):
        return (key,)
    return tuple(reading for kind in _kinds(role) for reading in table(kind).get(key, ()))


@cache
def _by_reading(role: Role) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in _kinds(role):
        for written, readings in table(kind).items():
            for reading in readings:
                found.setdefault(reading, written)
    return found


@cache
def _by_romaji(role: Role) -> dict[str, str]:
    kinds = [*_kinds("surname", _NATIVE[1:]), *_kinds("given", _NATIVE[1:])]
    continental = frozenset().union(*map(table, kinds))
    found: dict[str, str] = {}
    for reading, written in _by_reading(role).items():
        if written not in continental:
            found.setdefault(compared_romaji(romaji(reading)), written)
    return found


def key_of_reading(role: Role, reading: str) -> str | None:
    """Return the name that usually has this reading."""
    return _by_reading(role).get(reading)


def key_of_romaji(role: Role, word: str) -> str | None:
    """Return the name that usually has this Latin spelling."""
    return _by_romaji(role).get(compared_romaji(word))


# -- Foreign names ----------------------------------------------------------------------------


@cache
def _foreign(role: Role) -> dict[str, str]:
    """Return the Latin spelling of each foreign name, which is given in hiragana."""
    return {
        hiragana(written): latin[0]
        for kind in _kinds(role, _FOREIGN)
        for written, latin in table(kind).items()
    }


@cache
def _foreign_by_latin(role: Role) -> dict[str, str]:
    return {latin.lower(): reading for reading, latin in _foreign(role).items()}


def is_foreign(role: Role, reading: str) -> bool:
    """Whether the tables have a foreign name, given in hiragana."""
    return reading in _foreign(role)


def key_of_foreign(role: Role, word: str) -> str | None:
    """Return the hiragana of a foreign name with this spelling in the tables."""
    return _foreign_by_latin(role).get(word.lower())


def foreign_origin(role: Role, reading: str) -> str | None:
    """Return the origin of a foreign name, given in hiragana, if it is listed."""
    latin = _foreign(role).get(reading)
    return _origin_of(role, latin) if latin else None


def _origin_of(role: Role, latin: str) -> str:
    origin_of = surname_origin if role == "surname" else given_origin
    origin = origin_of(latin.lower(), naming_style(LANGUAGE).latin)
    return _SIMILAR_ORIGINS.get(origin, origin)


# -- Roles and splitting ----------------------------------------------------------------------


def _is_in_lexicon(key: str, kinds: Iterable[str]) -> bool:
    """Whether a lexicon has a name, in kanji, hiragana or katakana."""
    bits, listed = word_bits(LANGUAGE), sum(map(bit_of, kinds))
    return (bits[key] | bits[katakana(key)]) & listed != 0


@lru_cache(_CACHE_SIZE)
def strength(key: str, role: Role) -> int:
    """Return the evidence for a name's role: 2 by tables, 1 by lexicons, or 0."""
    if (readings_of(role, key) and not _KANA.fullmatch(key)) or key in _by_reading(role):
        return LISTED
    return int(_is_in_lexicon(key, _LEXICONS[role]))


def split(name: str, families: Container[str]) -> int:
    """Return where the family name ends in a name without a space: 0 if it is one name.

    `families` are family names elsewhere in the record.
    """
    name = fold_in_place(name)
    best = found = 0
    for cut in range(min(len(name) - 1, _LONGEST_FAMILY), 0, -1):
        family = strength(name[:cut], "surname")
        given = strength(name[cut:], "given")
        is_known = name[:cut] in families
        # A single character is weak evidence: 林太郎 may be a given name.
        if not (family or is_known) or (cut == 1 and not (given or is_known)):
            continue
        is_short = len(name) < _SHORTEST_FULL_NAME
        if is_short and not is_known and (not given or family + given <= LISTED):
            continue
        score = _KNOWN_FAMILY + given if is_known else 2 * family + given
        if found < score and (given or len(name) - cut <= _LONGEST_GIVEN):
            best, found = cut, score
    whole = max(strength(name, "surname"), strength(name, "given"))
    if name in families or whole == LISTED or (whole and found < _KNOWN_FAMILY):
        return 0
    if best:
        return best
    if len(name) < _SHORTEST_FULL_NAME:
        return 0
    return next((cut for cut in (2, 3, 1) if strength(name[cut:], "given")), 2)
