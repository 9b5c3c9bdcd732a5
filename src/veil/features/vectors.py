"""Word vectors that were trained elsewhere, in the text format of word2vec and fastText."""

from __future__ import annotations

import codecs
import lzma
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from veil.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import IO

    from numpy.typing import NDArray

    from veil.features.stream import Ints

NO_VECTOR = -1
"""The number of a word without a vector."""


@dataclass(frozen=True)
class WordVectors:
    """Words with the numbers of their vectors, and the vectors, one row each."""

    words: Mapping[str, int]
    values: NDArray[np.float16]

    def numbers(self, words: Iterable[str]) -> Ints:
        """Look words up unchanged, then in lower case."""
        find = self.words.get
        return np.array([find(w, find(w.lower(), NO_VECTOR)) for w in words], np.int32)

    def rows(self, words: Iterable[str]) -> NDArray[np.float16]:
        """The vectors of words; zeros for words that have none."""
        numbers = self.numbers(words)
        rows = np.zeros((len(numbers), self.values.shape[1]), np.float16)
        known = numbers != NO_VECTOR
        rows[known] = self.values[numbers[known]]
        return rows


def read_vectors(path: Path, *, most: int = 100_000) -> WordVectors:
    """Read the first `most` words of a file, which are usually the most frequent.

    A line is a word and its numbers; a first line may give the number of words and of dimensions.
    Numbers have the precision of saved models. A file that ends in .xz is decompressed.
    """
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            return _Reader(path).read(file, most)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (lzma.LZMAError, EOFError):
        raise InputError(f"{path}: no xz file, or a damaged one") from None


class _Reader:
    """Reads one file and tracks the line number for errors."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.dimensions = 0

    def read(self, file: IO[bytes], most: int) -> WordVectors:
        # Bytes are split at ASCII spaces only: a no-break space may be part of a word.
        fields = file.readline().removeprefix(codecs.BOM_UTF8).split()
        announced = 0
        if len(fields) == 2 and all(field.isdigit() for field in fields):
            announced, self.dimensions = map(int, fields)
            self.line = 1
        else:
            file.seek(0)
            self.dimensions = len(fields) - 1
        words: dict[str, int] = {}
        rows: list[NDArray[np.float16]] = []
        for line in islice(file, most):
            self.line += 1
            word, numbers = self._parse(line)
            # No token contains white space, so such a word could never be found.
            if word.split() == [word] and word not in words:
                words[word] = len(rows)
                rows.append(numbers)
        lines = self.line - (1 if announced else 0)
        if lines < min(announced, most):
            raise self._error(f"the file ends here, but its first line tells of {announced} words")
        if not rows:
            raise InputError(f"{self.path}: no word vector in this file")
        return WordVectors(words, np.stack(rows))

    def _parse(self, line: bytes) -> tuple[str, NDArray[np.float16]]:
        word, *numbers = line.removeprefix(codecs.BOM_UTF8).split() or [b""]
        try:
            text = word.decode("utf-8")
        except UnicodeDecodeError:
            raise self._error(
                "not UTF-8; vectors are read as text, not from binary files"
            ) from None
        if self.dimensions < 1 or len(numbers) != self.dimensions:
            raise self._error(
                f"{len(numbers)} numbers instead of {max(1, self.dimensions)}; a line is a word "
                "without blanks and its numbers, with blanks between them"
            )
        try:
            with np.errstate(over="ignore"):
                row = np.array([float(number) for number in numbers]).astype(np.float16)
        except ValueError:
            raise self._error("something else than numbers after the word") from None
        if not np.isfinite(row).all():
            raise self._error("a number that is infinite, undefined or too large")
        return text, row

    def _error(self, reason: str) -> InputError:
        return InputError(f"{self.path}, line {self.line}: {reason}")
