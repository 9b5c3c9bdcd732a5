"""Pieces of patterns that have a name: `{day}` stands for the fragment `day`."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.lexicons import lexicon
from veil.lexicons.folding import fold_in_place

if TYPE_CHECKING:
    from collections.abc import Mapping

_REFERENCE = re.compile(r"\{([A-Za-z][\w.-]*)\}")
_LEXICON = "lexicon."
_INITIAL = "initial."
_KANJI = "".join(map(chr, (*range(0x3400, 0xA000), *range(0xF900, 0xFB00))))


# Beyond Latin-1, capitals and small letters alternate: there a letter counts as both, since a class
# of hundreds of single letters takes long to compile, and the letters beside it are plain mostly.
_EXTENDED = "Ā-ɏḀ-ỿ"
BUILT_IN = {"Upper": f"A-ZÀ-ÖØ-Þ{_EXTENDED}", "lower": f"a-zß-öø-ÿªµº{_EXTENDED}"}


def expand(
    pattern: str, fragments: Mapping[str, str], language: str, *, within: tuple[str, ...] = ()
) -> str:
    """Put fragments in the place of their names.

    `{lexicon.month}` stands for the entries of a lexicon, `{initial.surname}` for the kanji with
    which they begin, as the inside of a character class. `within` are the fragments whose text
    this is.
    """

    def piece(reference: re.Match[str]) -> str:
        name = reference[1]
        if name in BUILT_IN:
            return BUILT_IN[name]
        if name.startswith(_LEXICON):
            return entries(language, name.removeprefix(_LEXICON))
        if name.startswith(_INITIAL):
            return kanji_initials(language, name.removeprefix(_INITIAL))
        if name not in fragments:
            known = ", ".join(sorted({*fragments, *BUILT_IN}))
            raise InputError(f"unknown fragment '{name}'; known: {known}, lexicon.KIND")
        if name in within:
            raise InputError(
                f"the fragment '{name}' is part of itself: {' in '.join((name, *within))}"
            )
        return f"(?:{expand(fragments[name], fragments, language, within=(name, *within))})"

    return _REFERENCE.sub(piece, pattern)


@cache
def entries(language: str, kind: str) -> str:
    """The entries of a lexicon as alternatives, the longest first, in any case."""
    words = sorted(lexicon(language, kind), key=lambda word: (-len(word), word))
    spaced = (re.escape(word.lstrip("-")).replace(r"\ ", r"[ \t]+") for word in words)
    return f"(?i:{'|'.join(spaced)})"


@cache
def kanji_initials(language: str, kind: str) -> str:
    """The kanji with which the entries of a lexicon begin, their variants included."""
    initials = {entry[0] for entry in lexicon(language, kind).keys.folded}
    usual = fold_in_place(_KANJI)
    return "".join(kanji for kanji, form in zip(_KANJI, usual, strict=True) if form in initials)
