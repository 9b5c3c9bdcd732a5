"""What stood in a record and must not come back in a stand-in."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.lexicons.folding import fold, fold_in_place
from veil.replace.people.japanese import is_japanese
from veil.replace.people.kana import hiragana
from veil.replace.people.tables import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ][^\W\d_]+)*")
_KANA = re.compile("[ぁ-ヿ]+")
_BLANKS = re.compile(r"[\s\u3000]+")
_REMEMBERED = 1 << 13


class Originals:
    """The texts of all spans of a record, as they are compared."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: set[str] = set()
        self._words: set[str] = set()
        self._japanese: set[str] = set()
        self._japanese_names: set[str] = set()
        for text in dict.fromkeys(texts):
            self._texts.add(_compared(text))
            if is_japanese(text) and 1 < len(text):
                self._japanese.add(_compact(text))
            for word in _WORD.findall(text):
                self._words.add(key_of(word))

    def add_name(self, key: str) -> None:
        """Take in a word of a name; no stand-in may hold a Japanese one: 林 is not to be 小林."""
        if not is_japanese(key):
            self._words.add(key_of(key))
        elif 1 < len(key) or not _KANA.fullmatch(key):
            self._japanese.add(_compact(key))
            self._japanese_names.add(_compact(key))

    def has_word(self, key: str) -> bool:
        """Whether a word in Latin letters stood in a span."""
        return key in self._words

    def lies_in(self, name: str) -> bool:
        """Whether an original lies in a Japanese stand-in."""
        return _holds_one_of(_compact(name), self._japanese)

    def come_back_in(self, text: str) -> bool:
        """Whether a new text is that of a span or holds a Japanese name that stood in one."""
        if _compared(text) in self._texts:
            return True
        return is_japanese(text) and _holds_one_of(_compact(text), self._japanese_names)


@lru_cache(_REMEMBERED)
def _compared(text: str) -> str:
    return " ".join(fold(text).split())


@lru_cache(_REMEMBERED)
def _compact(text: str) -> str:
    """A Japanese text without blanks, its kana as hiragana, its characters in their usual forms."""
    return "".join(map(_compact_character, unicodedata.normalize("NFKC", text)))


@cache
def _compact_character(character: str) -> str:
    return _BLANKS.sub("", fold_in_place(hiragana(character)))


def _holds_one_of(text: str, parts: set[str]) -> bool:
    """Whether a short text holds one of many others."""
    ends = range(1, len(text) + 1)
    return any(text[start:end] in parts for end in ends for start in range(end))
