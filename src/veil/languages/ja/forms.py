"""The form of a Japanese text that the analyser reads, with offsets to the text.

ipadic was built from newspapers: it contains full-width punctuation, katakana and composed
characters, and reads a Latin word as one word if it is half-width. Records use all forms.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_FULL_WIDTH_OFFSET = 0xFEE0
_FULL_WIDTH_ALPHANUMERIC = [
    *range(ord("０"), ord("９") + 1),
    *range(ord("Ａ"), ord("Ｚ") + 1),
    *range(ord("ａ"), ord("ｚ") + 1),
]
_HALF_WIDTH_MARKS = {code for code in range(0x21, 0x7F) if not chr(code).isalnum()}
_WHITE_SPACE = [code for code in range(0x3001) if chr(code).isspace()]

# One character for one character.
_FORMS = {
    **{code: code - _FULL_WIDTH_OFFSET for code in _FULL_WIDTH_ALPHANUMERIC},
    **{code: code + _FULL_WIDTH_OFFSET for code in _HALF_WIDTH_MARKS},
    **{code: ord("〓") for code in range(0x20)},  # the analyser would stop at NUL
    **{code: ord(" ") for code in _WHITE_SPACE},
    **{ord(half): ord(full) for half, full in zip("｡｢｣､･", "。「」、・", strict=True)},
}
# UTF-8 has no lone surrogates, and the analyser reads UTF-8.
_SURROGATE = re.compile("[\ud800-\udfff]")
# Half-width katakana, and kana with a separate voicing mark: two characters become one.
_KANA = re.compile("[ｦ-ﾝ][ﾞﾟ]?|[ぁ-ヿ][\u3099\u309a]")


class AnalysisForm(NamedTuple):
    """The analyser's input, and the offset of each of its characters and of its end in the text."""

    text: str
    places: Sequence[int]


def _equal_length_form(text: str) -> str:
    """Return the form of a text using only replacements of one character by one."""
    form = text.translate(_FORMS)
    if not form.isascii() and _SURROGATE.search(form):
        form = _SURROGATE.sub("〓", form)
    return form


def analysis_form(text: str, offset: int = 0) -> AnalysisForm:
    """Return the analyser's input for a text that begins at `offset`."""
    form = _equal_length_form(text)
    if not _KANA.search(form):
        return AnalysisForm(form, range(offset, offset + len(form) + 1))
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for match in _KANA.finditer(form):
        kana = unicodedata.normalize("NFKC", match.group())
        if len(kana) != 1:  # a mark that does not fit the character
            continue
        pieces += (form[last : match.start()], kana)
        places += range(offset + last, offset + match.start() + 1)
        last = match.end()
    pieces.append(form[last:])
    places += range(offset + last, offset + len(form) + 1)
    return AnalysisForm("".join(pieces), places)
