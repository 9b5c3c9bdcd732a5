"""Swedish surnames that no list needs to hold, because they are built by rule."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.languages.base import read_language_toml

if TYPE_CHECKING:
    import re

# Daughters and sons of somebody: Andersson, Karlsdotter; -son alone would take in "Person". Nobody
# but a family is called -qvist.
_OPEN = r"[^\W\d_]{2,}s(?:son|dotter)|[^\W\d_]{2,}(?:[kq]v|qu)ist"


@cache
def _surname() -> tuple[re.Pattern[str], frozenset[str]]:
    """The pattern of surnames, and words that are no surnames although they are built alike."""
    words = {name: text.split() for name, text in read_language_toml("sv", "surnames.toml").items()}
    first, second, endings = (
        "|".join(sorted(words[name], key=lambda element: (-len(element), element)))
        for name in ("first", "second", "endings")
    )
    return compile_pattern(f"{_OPEN}|(?:{first})s?(?:{second}|{endings})"), frozenset(
        words["others"]
    )


def looks_like_surname(word: str) -> bool:
    """Whether a capitalised word is built like a surname, genitives included.

    True for Lindström, BERGQVIST, Anderssons, Norén; false for lindström, Person, Blodström, Tiden.
    """
    if not word[:1].isupper():
        return False
    name = unicodedata.normalize("NFC", word.casefold())
    return _is_surname(name) or (name.endswith("s") and _is_surname(name[:-1]))


def _is_surname(name: str) -> bool:
    pattern, others = _surname()
    return name not in others and pattern.fullmatch(name) is not None
