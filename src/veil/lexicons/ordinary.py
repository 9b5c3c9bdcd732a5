"""Whether a word is an ordinary one, which a capital does not make a name."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.languages.base import base_language
from veil.lexicons.folding import base_form
from veil.lexicons.keys import SuffixIndex
from veil.lexicons.lists import fold_entry
from veil.lexicons.store import lexicon

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES = ("given_female", "given_male", "surname")
_REMEMBERED = 1 << 16


@cache
def is_ordinary(language: str) -> Callable[[str], bool]:
    """Return a function that says whether a word is an ordinary or clinical one, seldom a name.

    Case and accents do not count. "Brown" and "May" are ordinary words although they are names,
    too: the lists of names have their own say. What the lists lack is ordinary if it is the
    genitive of an ordinary word, a compound that ends like a clinical one or ordinary words joined
    by hyphens, and no name: the Swedish name Mats is not the genitive of "mat".
    """
    base = base_language(language)
    clinical = lexicon(base, "clinical").keys
    words = frozenset(lexicon(base, "ordinary").keys.folded).union(clinical.words)
    ends = SuffixIndex((suffix, 1) for suffix in clinical.suffixes)

    def is_derived(folded: str) -> bool:
        form = base_form(folded, base)
        if form is not None and (form in words or ends.bits(form)):
            return True
        parts = folded.split("-")
        return ends.bits(folded) != 0 or (1 < len(parts) and words.issuperset(parts))

    @lru_cache(_REMEMBERED)
    def look_up(word: str) -> bool:
        folded = fold_entry(word)
        return folded in words or (is_derived(folded) and folded not in _names(base))

    return look_up


@cache
def _names(language: str) -> frozenset[str]:
    return frozenset().union(*(lexicon(language, kind).keys.folded for kind in _NAMES))
