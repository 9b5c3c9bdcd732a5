"""What is known of Japanese names: how they are read, who bears them, where they come apart."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Literal, NamedTuple

from veil.lexicons import is_ordinary, lexicon
from veil.lexicons.folding import fold_in_place
from veil.replace.people.kana import compared_romaji, hiragana, katakana, romaji
from veil.replace.people.origins import given_origin, surname_origin

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from veil.replace.people.tables import Role

JapaneseKind = Literal[
    "family",
    "female",
    "male",
    "continental_family",
    "continental_female",
    "continental_male",
    "korean_family",
    "korean_female",
    "korean_male",
    "foreign_surname",
    "foreign_female",
    "foreign_male",
]
_NATIVE: dict[Role, tuple[JapaneseKind, ...]] = {
    "surname": ("family", "continental_family", "korean_family"),
    "given": (
        "female",
        "male",
        "continental_female",
        "continental_male",
        "korean_female",
        "korean_male",
    ),
}
Continental = Literal["continental", "korean"]
_LISTS: dict[Continental | None, tuple[JapaneseKind, JapaneseKind, JapaneseKind]] = {
    None: ("family", "female", "male"),
    "continental": ("continental_family", "continental_female", "continental_male"),
    "korean": ("korean_family", "korean_female", "korean_male"),
}
_CONTINENTAL = (*_LISTS["continental"], *_LISTS["korean"])
_FOREIGN: dict[Role, tuple[JapaneseKind, ...]] = {
    "surname": ("foreign_surname",),
    "given": ("foreign_female", "foreign_male"),
}
_LEXICONS: dict[Role, tuple[str, ...]] = {
    "surname": ("surname",),
    "given": ("given_female", "given_male"),
}
_FEMALE_END = re.compile(r".*[子美恵香奈代江枝菜織花佳紗莉](?:子)?|.*(?:こ|み|え|か|な|よ)")
_KANA = re.compile(r"[ぁ-ゖー]+")
_PARTS_OF_THE_WORLD = {
    **dict.fromkeys(("portuguese", "italian", "catalan", "basque"), "spanish"),
    **dict.fromkeys(("irish", "german", "french", "swedish", "dutch", "polish"), "english"),
    **dict.fromkeys(("turkish", "persian_kurdish"), "arabic"),
}
_FEWEST_OF_AN_ORIGIN = 5
_LONGEST_FAMILY, _LONGEST_GIVEN = 4, 3
_SURE = 2
_OLD_NAME = 2
# Shorter names without a blank are mostly family names: 大田原, 比田勝.
_SHORTEST_FULL_NAME = 4
_KNOWN_FAMILY = 5
_REMEMBERED = 1 << 13


class JapaneseName(NamedTuple):
    """A name as it is written, its reading in hiragana, and in Latin letters."""

    written: str
    reading: str
    latin: str


@cache
def _table(kind: str) -> dict[str, tuple[str, ...]]:
    """What stands behind each name of a kind: readings, or the spelling of a foreign one."""
    return {
        name: tuple(readings.split("/"))
        for name, _, readings in (entry.partition("=") for entry in _data()[kind].split())
    }


@cache
def _data() -> dict[str, str]:
    file = resources.files("veil.replace.people") / "data" / "japanese.toml"
    return tomllib.loads(file.read_text("utf-8"))


@cache
def pool(kind: JapaneseKind) -> tuple[JapaneseName, ...]:
    """Names to draw from: none that are ordinary words or places."""
    places = frozenset().union(*(lexicon("ja", each).keys.folded for each in ("city", "region")))
    return tuple(
        name
        for name in _names(kind)
        if name.written not in places and not is_ordinary("ja")(name.written)
    )


@cache
def pool_of(kind: JapaneseKind, origin: str | None) -> tuple[JapaneseName, ...]:
    """Foreign names of an origin to draw from, or all of a kind where there are few of it."""
    role: Role = "surname" if kind == "foreign_surname" else "given"
    found = tuple(name for name in pool(kind) if _origin_of(role, name.latin) == origin)
    return found if _FEWEST_OF_AN_ORIGIN <= len(found) else pool(kind)


def foreign_origin(role: Role, reading: str) -> str | None:
    """The part of the world from which a listed foreign name comes, given in hiragana."""
    latin = _latin_by_reading(role).get(reading)
    return _origin_of(role, latin) if latin else None


def _origin_of(role: Role, latin: str) -> str:
    told = (surname_origin if role == "surname" else given_origin)(latin.lower(), "en")
    return _PARTS_OF_THE_WORLD.get(told, told)


@cache
def _latin_by_reading(role: Role) -> dict[str, str]:
    return {
        hiragana(written): latin[0]
        for kind in _FOREIGN[role]
        for written, latin in _table(kind).items()
    }


@cache
def composed(kind: JapaneseKind) -> tuple[JapaneseName, ...]:
    """Names put together of parts, for records that hold more names than the lists."""
    parts = kind.rpartition("_")[2]
    parts = "family" if parts == "surname" else parts
    made = []
    for head, (head_reading,) in _table(f"{parts}_heads").items():
        for tail, (tail_reading,) in _table(f"{parts}_tails").items():
            reading = head_reading + tail_reading
            written = katakana(reading) if kind.startswith("foreign") else head + tail
            if head != tail and not is_ordinary("ja")(written):
                made.append(JapaneseName(written, reading, romaji(reading).capitalize()))
    return tuple(made)


def _names(kind: JapaneseKind) -> Iterator[JapaneseName]:
    for written, behind in _table(kind).items():
        if kind.startswith("foreign"):
            yield JapaneseName(written, hiragana(written), behind[0])
        else:
            yield JapaneseName(written, behind[0], romaji(behind[0]).capitalize())


def readings_of(role: Role, key: str) -> tuple[str, ...]:
    """The readings of a name in hiragana, if the tables have it; kana read as themselves."""
    if _KANA.fullmatch(key):
        return (key,)
    return tuple(reading for kind in _NATIVE[role] for reading in _table(kind).get(key, ()))


@cache
def _by_reading(role: Role) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in _NATIVE[role]:
        for written, readings in _table(kind).items():
            for reading in readings:
                found.setdefault(reading, written)
    return found


@cache
def _by_romaji(role: Role) -> dict[str, str]:
    found: dict[str, str] = {}
    for reading, written in _by_reading(role).items():
        if not any(written in _table(kind) for kind in _CONTINENTAL):
            found.setdefault(compared_romaji(romaji(reading)), written)
    return found


def key_of_reading(role: Role, reading: str) -> str | None:
    """The name that is usually read so."""
    return _by_reading(role).get(reading)


def key_of_romaji(role: Role, word: str) -> str | None:
    """The name that is usually written so in Latin letters."""
    return _by_romaji(role).get(compared_romaji(word))


@cache
def _foreign_by_latin(role: Role) -> dict[str, str]:
    return {
        latin[0].lower(): written
        for kind in _FOREIGN[role]
        for written, latin in _table(kind).items()
    }


def key_of_foreign(role: Role, word: str) -> str | None:
    """The katakana, as hiragana, of a foreign name that the tables spell so."""
    written = _foreign_by_latin(role).get(word.lower())
    return hiragana(written) if written else None


@cache
def _foreign(role: Role) -> frozenset[str]:
    return frozenset(hiragana(name) for kind in _FOREIGN[role] for name in _table(kind))


def is_foreign(role: Role, reading: str) -> bool:
    """Whether the tables have a foreign name, given in hiragana."""
    return reading in _foreign(role)


@cache
def _lexicon_words(kind: str) -> frozenset[str]:
    return frozenset(lexicon("ja", kind).keys.folded)


@cache
def _lexicon(role: Role) -> frozenset[str]:
    return frozenset().union(*map(_lexicon_words, _LEXICONS[role]))


@lru_cache(_REMEMBERED)
def strength(key: str, role: Role) -> int:
    """How sure a name in kanji or hiragana has that role: 2 by the tables, 1 by the lexicons."""
    if readings_of(role, key) and not _KANA.fullmatch(key):
        return 2
    if key in _by_reading(role):
        return 2
    return int(key in _lexicon(role) or katakana(key) in _lexicon(role))


@lru_cache(_REMEMBERED)
def kind_of(
    role: Role,
    key: str,
    *,
    foreign: bool,
    continental: Continental | None,
    told_female: bool | None = None,
) -> JapaneseKind:
    """The list from which the stand-in of a name comes.

    `continental` tells of a given name that the family name is Chinese or Korean, `told_female`
    what the words around the name say, which counts where the lists do not know the name.
    """
    if role == "surname":
        if foreign:
            return "foreign_surname"
        return _LISTS[continental_origin(key)][0]
    if foreign:
        names = {hiragana(name) for name in _table("foreign_female")}
        female = romaji(key).endswith("a") if told_female is None else told_female
        female = key in names or (not is_foreign("given", key) and female)
        return "foreign_female" if female else "foreign_male"
    listed = next((kind for kind in _NATIVE["given"] if key in _table(kind)), None)
    if listed in ("female", "male") or (listed and not continental):
        return listed
    if listed:
        female = listed.endswith("female")
    else:
        female = _is_female(key) if told_female is None else told_female
    return _LISTS[continental][1 if female else 2]


def continental_origin(family: str) -> Continental | None:
    """Whether a family name is Chinese or Korean, and which."""
    origins: tuple[Continental, Continental] = ("korean", "continental")
    return next((each for each in origins if family in _table(f"{each}_family")), None)


def _is_female(key: str) -> bool:
    usual = key_of_reading("given", key)
    if usual:
        return usual in _table("female")
    female, male = (
        key in _lexicon_words(kind) or katakana(key) in _lexicon_words(kind)
        for kind in ("given_female", "given_male")
    )
    if female != male:
        return female
    # Women of the oldest generations have names of two kana: トメ, イシ.
    is_old = len(key) == _OLD_NAME and _KANA.fullmatch(key) is not None
    return is_old or _FEMALE_END.fullmatch(key) is not None


def split(name: str, families: Container[str]) -> int:
    """Where the family name ends in a name without a blank: 0 if it is one name.

    `families` are those that the record has elsewhere.
    """
    name = fold_in_place(name)
    best = found = 0
    for cut in range(min(len(name) - 1, _LONGEST_FAMILY), 0, -1):
        family = strength(name[:cut], "surname")
        given = strength(name[cut:], "given")
        is_known = name[:cut] in families
        # A single character says little alone: 林太郎 may be a given name.
        if not (family or is_known) or (cut == 1 and not (given or is_known)):
            continue
        is_short = len(name) < _SHORTEST_FULL_NAME
        if is_short and not is_known and (not given or family + given <= _SURE):
            continue
        score = _KNOWN_FAMILY + given if is_known else 2 * family + given
        if found < score and (given or len(name) - cut <= _LONGEST_GIVEN):
            best, found = cut, score
    whole = max(strength(name, "surname"), strength(name, "given"))
    if name in families or whole == _SURE or (whole and found < _KNOWN_FAMILY):
        return 0
    if best:
        return best
    if len(name) < _SHORTEST_FULL_NAME:
        return 0
    return next((cut for cut in (2, 3, 1) if strength(name[cut:], "given")), 2)
