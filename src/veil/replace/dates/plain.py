"""Text as it is compared, character for character as long as the original."""

from __future__ import annotations

import unicodedata


def _base(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0]


# Latin letters alone: the marks of kana make other syllables.
_ACCENTS = {
    code: base
    for code in range(0xC0, 0x250)
    if (base := _base(chr(code))) != chr(code) and base.isascii()
}
_PLAIN = (
    _ACCENTS
    | {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys(map(ord, "\u3000\xa0\u2002\u2003\u2009\u202f\t\n\r"), " ")
    | dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
    | dict.fromkeys(map(ord, "\u2018\u2019\u02bc\xb4`′"), "'")
    | dict.fromkeys(map(ord, "〜～"), "~")
)


def plain(text: str) -> str:
    """Text without accents, with ordinary digits, letters, blanks, hyphens and apostrophes."""
    return text.translate(_PLAIN)


def without_accents(text: str) -> str:
    """Text without the accents of Latin letters: miércoles -> miercoles, lördag -> lordag."""
    return text if text.isascii() else text.translate(_ACCENTS)
