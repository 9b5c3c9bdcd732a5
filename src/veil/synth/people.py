"""Invented people: names from the lexicons, of many origins, some of them ordinary words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from veil.lexicons import lexicon
from veil.synth.patterns import word_lists

if TYPE_CHECKING:
    from datetime import date
    from random import Random

Sex = Literal["female", "male"]
SEXES: tuple[Sex, Sex] = ("female", "male")

# How often a name comes from the lexicons of one of the `foreign_languages` in words.toml, and how
# often a surname is also a frequent word.
_FOREIGN = 0.12
_WORDS = 0.06


@dataclass(frozen=True)
class Profile:
    """The patients of a kind of note: their ages in days, and their sex if only one is possible."""

    youngest: int = 17 * 365
    oldest: int = 98 * 365
    sex: Sex | None = None


@dataclass(frozen=True)
class Relation:
    """A relation to the patient, and the minimum and maximum difference of age in years."""

    word: str
    sex: Sex
    years_older: tuple[float, float]
    of_adults: bool = False
    of_sex: Sex | None = None
    may_share_name: bool = True


@dataclass(frozen=True)
class Person:
    """A person in a record, with the label of mentions."""

    given: tuple[str, ...]
    surname: str
    sex: Sex
    label: str
    birth: date
    title: str = ""
    relation: str = ""
    role: str = ""


def draw_given(rng: Random, language: str, sex: Sex) -> str:
    """Return a given name, mostly from the language's own lexicon."""
    return rng.choice(_names(_origin(rng, language), f"given_{sex}"))


def draw_surname(rng: Random, language: str) -> str:
    """Return a surname, sometimes one that is also an ordinary word."""
    if rng.random() < _WORDS:
        return rng.choice(_surnames_that_are_words(language))
    return rng.choice(_names(_origin(rng, language), "surname"))


def _origin(rng: Random, language: str) -> str:
    foreign = word_lists(language).get("foreign_languages")
    return foreign.draw(rng) if foreign and rng.random() < _FOREIGN else language


@cache
def _names(language: str, kind: str) -> tuple[str, ...]:
    """Return the names with two letters or more, with capitals in scripts that have them."""
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
