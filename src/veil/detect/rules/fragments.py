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

# Letters of Latin script: ASCII, Latin-1, Latin Extended-A and -B, Latin Extended Additional.
_LETTERS = [chr(code) for code in (*range(0x250), *range(0x1E00, 0x1F00)) if chr(code).isalpha()]
_REFERENCE = re.compile(r"\{([A-Za-z][\w.-]*)\}")
_LEXICON = "lexicon."
_INITIAL = "initial."
_KANJI = "".join(map(chr, (*range(0x3400, 0xA000), *range(0xF900, 0xFB00))))


def _ranges(letters: list[str]) -> str:
    """The letters as the inside of a character class."""
    pieces: list[list[str]] = []
    for letter in letters:
        if pieces and ord(letter) == ord(pieces[-1][1]) + 1:
            pieces[-1][1] = letter
        else:
            pieces.append([letter, letter])
    return "".join(first if first == last else f"{first}-{last}" for first, last in pieces)


BUILT_IN = {
    "Upper": _ranges([letter for letter in _LETTERS if letter.isupper()]),
    "lower": _ranges([letter for letter in _LETTERS if not letter.isupper()]),
}


def expand(pattern: str, fragments: Mapping[str, str], language: str) -> str:
    """Put fragments in the place of their names.

    `{lexicon.month}` stands for the entries of a lexicon, `{initial.surname}` for the kanji with
    which they begin, as the inside of a character class.
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
        return f"(?:{expand(fragments[name], fragments, language)})"

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
