"""Invented people: names from the lexicons, of many origins, some of them ordinary words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from veil.lexicons import lexicon

if TYPE_CHECKING:
    from datetime import date
    from random import Random

Sex = Literal["female", "male"]
SEXES: tuple[Sex, Sex] = ("female", "male")

# How often a name comes from another language's lists, and a surname is a frequent word too.
_FOREIGN = 0.12
_WORDS = 0.06
_LATIN = ("en", "es", "sv")


@dataclass(frozen=True)
class Profile:
    """Whom a kind of note is about: the ages in days, and the sex where only one makes sense."""

    youngest: int = 17 * 365
    oldest: int = 98 * 365
    sex: Sex | None = None


@dataclass(frozen=True)
class Relation:
    """What somebody is to the patient, and how many years older at least and at most."""

    word: str
    sex: Sex
    years_older: tuple[float, float]
    of_adults: bool = False
    of_sex: Sex | None = None
    may_share_name: bool = True


@dataclass(frozen=True)
class Person:
    """Somebody in a record; `label` is what a mention of them is."""

    given: tuple[str, ...]
    surname: str
    sex: Sex
    label: str
    birth: date
    title: str = ""
    relation: str = ""


def draw_given(rng: Random, language: str, sex: Sex) -> str:
    """A given name, mostly of the language's own lists."""
    return rng.choice(_names(_origin(rng, language), f"given_{sex}"))


def draw_surname(rng: Random, language: str) -> str:
    """A surname; now and then one that is an ordinary word too."""
    if rng.random() < _WORDS:
        return rng.choice(_surnames_that_are_words(language))
    return rng.choice(_names(_origin(rng, language), "surname"))


def _origin(rng: Random, language: str) -> str:
    if language in _LATIN and rng.random() < _FOREIGN:
        return rng.choice([other for other in _LATIN if other != language])
    return language


@cache
def _names(language: str, kind: str) -> tuple[str, ...]:
    """Names fit to be written: of two letters or more, and with capitals where there are any."""
    return tuple(
        name if name != name.lower() else name.title()
        for name in lexicon(language, kind)
        if 1 < len(name)
    )


@cache
def _surnames_that_are_words(language: str) -> tuple[str, ...]:
    common = lexicon(language, "common")
    words = [name for name in _names(language, "surname") if common.match_folded(name)]
    return tuple(words) or _names(language, "surname")
