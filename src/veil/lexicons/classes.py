"""Classes of words that occur in similar contexts, from word vectors or clusters of open sources.

A language may have a file `classes.npz`, which `tools/build_classes.py` writes. It contains
checksums instead of words, which makes it small. A word that is not listed gets a wrong class by
chance once in tens of thousands of cases.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from veil.languages.base import language_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FILE = "classes.npz"
NO_CLASS = 0
"""The class of words that are not listed."""


class WordClasses(NamedTuple):
    """Sorted checksums of words, and the numbers of their classes: many small, few large ones."""

    keys: NDArray[np.uint32]
    fine: NDArray[np.uint16]
    coarse: NDArray[np.uint16]

    def rows(self, words: Sequence[str]) -> NDArray[np.intp]:
        """The indexes of words in the arrays; -1 for those that are not listed."""
        keys = np.fromiter(map(checksum, words), np.uint32, len(words))
        rows = np.searchsorted(self.keys, keys)
        rows[rows == len(self.keys)] = 0
        return np.where(self.keys[rows] == keys, rows, -1)

    def of(self, words: Sequence[str], *, fine: bool) -> list[str]:
        """The classes of words: unchanged, or else in lower case; "" for none."""
        rows = self.rows(words)
        unknown = np.flatnonzero(rows < 0)
        rows[unknown] = self.rows([words[at].lower() for at in unknown.tolist()])
        classes = np.where(rows < 0, NO_CLASS, (self.fine if fine else self.coarse)[rows])
        return [str(number) if number else "" for number in classes.tolist()]


def checksum(word: str) -> int:
    """The checksum of a word."""
    return crc32(word.encode("utf-8", "surrogatepass"))


@cache
def word_classes(language: str) -> WordClasses | None:
    """Return the word classes of a language, or None if it has none."""
    file = language_folder(language) / FILE
    if not file.is_file():
        return None
    with np.load(file, allow_pickle=False) as arrays:
        return WordClasses(**{name: arrays[name] for name in WordClasses._fields})


def classes_inputs(language: str) -> list[Path]:
    """Return the files on which the word classes of a language depend."""
    file = language_folder(language) / FILE
    return [Path(__file__), file] if file.is_file() else []
