"""Swedish surnames that no list needs to contain, because they are built by rule."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.core.patterns import compile_pattern
from veil.languages.base import read_language_toml

if TYPE_CHECKING:
    import re

# Daughters and sons: Andersson, Karlsdotter; -son alone would include "Person". Words in -qvist are
# always surnames.
_OPEN = r"[^\W\d_]{2,}s(?:son|dotter)|[^\W\d_]{2,}(?:[kq]v|qu)ist"
_ENDS_OPEN = ("on", "er", "st")
_CACHE_SIZE = 1 << 12


class _Surname(NamedTuple):
    """The pattern of surnames, their last two letters, and words that only look like them."""

    pattern: re.Pattern[str]
    ends: frozenset[str]
    others: frozenset[str]


@cache
def _surname() -> _Surname:
    words = {name: text.split() for name, text in read_language_toml("sv", "surnames.toml").items()}
    first, second, endings = (
        "|".join(sorted(words[name], key=lambda element: (-len(element), element)))
        for name in ("first", "second", "endings")
    )
    ends = (element[-2:] for element in (*words["second"], *words["endings"], *_ENDS_OPEN))
    pattern = compile_pattern(f"{_OPEN}|(?:{first})s?(?:{second}|{endings})")
    return _Surname(pattern, frozenset(ends), frozenset(words["others"]))


@lru_cache(_CACHE_SIZE)
def looks_like_surname(word: str) -> bool:
    """Whether a capitalised word is built like a surname, genitives included.

    True for Lindström, BERGQVIST, Anderssons, Norén; false for lindström, Person, Blodström, Tiden.
    """
    if not word[:1].isupper():
        return False
    name = unicodedata.normalize("NFC", word.casefold())
    return _is_surname(name) or (name.endswith("s") and _is_surname(name[:-1]))


def _is_surname(name: str) -> bool:
    pattern, ends, others = _surname()
    return name[-2:] in ends and name not in others and pattern.fullmatch(name) is not None
