"""Japanese names with their readings: of lists, of the lexicon, and put together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.words import words
from veil.synth.worlds.ja_kana import katakana, latin

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Sex

_KANJI = re.compile(r"[\u3005\u3400-\u9fff\uf900-\ufaff]+")
# The births before and after which other names are in use.
_OLD, _YOUNG = 1952, 1984


@dataclass(frozen=True)
class Name:
    """A surname or a given name: as it is written, in katakana and in Latin letters."""

    written: str
    kana: str
    latin: str


def surname(rng: Random) -> Name:
    """A frequent surname, a rarer one of the lexicon, or one that may not exist."""
    luck = rng.random()
    if luck < 0.52:
        made = rng.choice(_pairs("surnames"))
    elif luck < 0.88:
        made = rng.choice(_readable_surnames())
    else:
        made = _composed(rng, "surname_heads", "surname_tails")
    return _named(_with_variants(rng, made[0]), made[1])


def given_name(rng: Random, sex: Sex, birth_year: int) -> Name:
    """A given name as people of that age have."""
    luck = rng.random()
    age = "old" if birth_year < _OLD else "young" if _YOUNG <= birth_year else "mid"
    if luck < 0.5:
        return _named(*rng.choice(_pairs(f"{sex}_{age}")))
    if luck < 0.8:
        if sex == "female":
            return _named(*_composed(rng, "female_heads", "female_tails"))
        kind = rng.choice(("kun", "on"))
        return _named(*_composed(rng, f"male_{kind}_heads", f"male_{kind}_tails"))
    written = rng.choice(_lexicon_names(f"given_{sex}", kanji=True))
    kana = rng.choice(_lexicon_names(f"given_{sex}", kanji=False))
    return Name(written, kana, latin(_hiragana(kana)).title())


def foreign_name(rng: Random, sex: Sex) -> tuple[Name, Name]:
    """The surname and the given name of somebody from abroad, in katakana or kanji."""
    if rng.random() < 0.25:
        written, _, kana = rng.choice(words("ja", "chinese_names")).partition("=")
        made = [
            Name(each, reading, latin(_hiragana(reading)).title() or reading)
            for each, reading in zip(written.split(), kana.split(), strict=True)
        ]
        return made[0], made[1]
    last, first = (rng.choice(_pairs(kind)) for kind in ("foreign_surnames", f"foreign_{sex}"))
    return Name(last[0], last[0], last[1]), Name(first[0], first[0], first[1])


def _named(written: str, hiragana: str) -> Name:
    return Name(written, katakana(hiragana), latin(hiragana).title())


def _composed(rng: Random, heads: str, tails: str) -> tuple[str, str]:
    head, tail = rng.choice(_pairs(heads)), rng.choice(_pairs(tails))
    while head[0] == tail[0]:
        tail = rng.choice(_pairs(tails))
    return head[0] + tail[0], head[1] + tail[1]


def _with_variants(rng: Random, written: str) -> str:
    """Now and then a character in its old form: 髙橋, 渡邉."""
    if rng.random() < 0.88:
        return written
    old = [pair for pair in _pairs("variants") if pair[0] in written]
    return written.replace(*rng.choice(old)) if old else written


def _hiragana(kana: str) -> str:
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in kana)


@cache
def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    split = (entry.partition("=") for entry in words("ja", name))
    return tuple((written, reading) for written, _, reading in split)


@cache
def _readable_surnames() -> tuple[tuple[str, str], ...]:
    """The surnames of the lexicon whose characters have readings of their own."""
    heads, tails = dict(_pairs("surname_heads")), dict(_pairs("surname_tails"))
    listed = dict(_pairs("surnames"))
    return tuple(
        (name, heads[name[0]] + tails[name[1]])
        for name in lexicon("ja", "surname")
        if len(name) == 2 and name not in listed and name[0] in heads and name[1] in tails
    )


@cache
def _lexicon_names(kind: str, *, kanji: bool) -> tuple[str, ...]:
    kana = re.compile("[ァ-ヴー]{2,5}")
    wanted = _KANJI if kanji else kana
    return tuple(name for name in lexicon("ja", kind) if wanted.fullmatch(name))
