"""A trained network, without PyTorch; `scoring` runs it.

Weights and activations are small whole numbers. Sums of their products are exact in single
precision, so that the scores of a text do not depend on the texts that are scored together with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from veil.core.errors import InputError
from veil.features.vectors import NO_VECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.features.space import FeatureSpace
    from veil.features.stream import Ints, Stream

    Bytes = NDArray[np.int8]

LARGEST = 127
"""The largest weight and the largest activation, as whole numbers."""

MOST_HIDDEN = 512
"""Up to this number of hidden units, sums of products stay below 2**24: exact in single
precision."""

LONGEST_WORD = 24
"""Characters of a word that the network reads: its first and its last ones."""

NO_CHARACTER, RARE_CHARACTER, FIRST_CHARACTER = 0, 1, 2
WIDTH = 3
"""The width of a filter in characters."""

DIRECTIONS, GATES = 2, 4


@dataclass(frozen=True)
class NetworkSettings:
    """How to build and train a network; the defaults worked well on MEDDOCAN and written notes.

    `groups` are feature groups whose values at a token are embedded. `weight` is the weight of the
    network's scores in the mean with those of linear features. `characters` is the number of
    filters over the characters of a word, 0 for none. `unseen` is the share of rare words, and of
    values of position features, that are hidden at each step, so that the network can do without
    them. `empty` is the share of windows without a span that are read in each epoch. Training ends
    early after `patience` epochs in which the loss on held-out windows did not fall.
    """

    groups: tuple[str, ...]
    weight: float = 1.0
    hidden: int = 128
    window: int = 120
    characters: int = 60
    largest: int = 100
    epochs: int = 12
    patience: int = 3
    rate: float = 0.004
    dropout: float = 0.4
    batch: int = 2000
    unseen: float = 0.15
    empty: float = 0.3

    def __post_init__(self) -> None:
        if not (1 <= self.epochs and 1 <= self.window and 0 < self.batch):
            raise InputError("a network needs epochs, a window and a batch above 0")
        if not 1 <= self.hidden <= MOST_HIDDEN:
            raise InputError(f"a network has 1 to {MOST_HIDDEN} hidden units")
        if not (0 <= self.dropout < 1 and 0 <= self.unseen < 1):
            raise InputError("dropout and unseen of a network must be from 0 to below 1")


@dataclass(frozen=True)
class Matrix:
    """Whole numbers in columns, with a scale for each column."""

    steps: Bytes
    scale: Floats

    @classmethod
    def of(cls, weights: Floats) -> Matrix:
        """Round weights so that the largest of each column is `LARGEST`."""
        scale = np.abs(weights).max(axis=0, initial=1e-12) / LARGEST
        return cls(np.rint(weights / scale).astype(np.int8), scale.astype(np.float32))

    @cached_property
    def numbers(self) -> Floats:
        """The whole numbers in single precision, in which sums of their products are exact."""
        return self.steps.astype(np.float32)

    def times(self, inputs: Floats) -> Floats:
        """Multiply rows of whole numbers by the matrix."""
        product: Floats = (inputs @ self.numbers) * self.scale
        return product


@dataclass(frozen=True)
class Characters:
    """Converts a word's characters to numbers: a table, filters over it, and their maximum."""

    known: str
    table: Bytes
    filters: Matrix
    bias: Floats
    scale: float

    @cached_property
    def _parts(self) -> Floats:
        """What characters add to the filters, by their place in these; the last row is the edge."""
        table = np.pad(self.table, ((0, 1), (0, 0))).astype(np.float32)
        parts: Floats = table @ self.filters.numbers.reshape(WIDTH, table.shape[1], -1)
        return parts

    def rows(self, words: Sequence[str]) -> Floats:
        """The output of the filters for words: one row per word, whole numbers."""
        seen = [seen_of(word) for word in words]
        length = np.array([len(word) for word in seen], np.intp)
        highest: Floats = np.zeros((len(words), len(self.bias)), np.float32)
        if length.any():
            ids = np.array(_numbers_of("".join(seen), self.known), np.intp)
            has, ends = length > 0, np.cumsum(length)[length > 0]
            starts = ends - length[has]
            # Filters see one character on each side; a word of the maximum length has none after
            # it.
            edge = len(self.table)
            before, after = np.roll(ids, 1), np.roll(ids, -1)
            before[starts] = edge
            after[ends - 1] = np.where(length[has] < LONGEST_WORD, NO_CHARACTER, edge)
            found = self._parts[0][before]
            found += self._parts[1][ids]
            found += self._parts[2][after]
            # Scales are above 0: the highest sum has the highest value.
            highest[has] = np.maximum.reduceat(found, starts) * self.filters.scale + self.bias
        np.maximum(highest, 0, out=highest)
        highest *= np.float32(1 / self.scale)
        return np.rint(highest).clip(0, LARGEST)


@dataclass(frozen=True)
class Vectors:
    """Word vectors for the network: words and rows of whole numbers."""

    words: Mapping[str, int]
    values: Bytes

    def rows(self, words: Sequence[str]) -> Floats:
        """The rows of words; zeros for words without a vector."""
        find = self.words.get
        numbers = [find(word, find(word.lower(), NO_VECTOR)) for word in words]
        rows = self.values[numbers].astype(np.float32)
        rows[np.array(numbers) == NO_VECTOR] = 0
        return rows


@dataclass(frozen=True)
class Network:
    """Embeddings of features, a bidirectional LSTM layer, and a layer of tags.

    `forms` and `places` are tables of whole numbers, a row for each value of a feature: those of
    word forms, and those of positions. The input consists of the rows of `forms`, characters,
    vectors and `places` side by side; `from_form` and `from_place` are its weights. `window` is how
    many tokens are read at a time.
    """

    window: int
    forms: Mapping[str, Bytes]
    places: Mapping[str, Bytes]
    characters: Characters | None
    vectors: Vectors | None
    from_form: Matrix
    from_place: Matrix
    bias: Floats
    recurrent: tuple[Matrix, Matrix]
    tags: Matrix
    tag_bias: Floats

    TEXTS: ClassVar = frozenset({"characters.known", "vectors.words"})
    """The parts that are lists of strings."""

    def scaled(self, factor: np.float32) -> Network:
        """Return the network with all scores multiplied by a number."""
        tags = replace(self.tags, scale=self.tags.scale * factor)
        return replace(self, tags=tags, tag_bias=self.tag_bias * factor)

    def check(self, space: FeatureSpace, tags: int) -> None:
        """Raise an error if the network does not fit these features and tags."""
        tables = {**self.forms, **self.places}
        if any(len(table) != space.values_of(name) for name, table in tables.items()) or (
            self.tags.steps.shape[1] != tags
        ):
            raise ValueError("the network is of other features or labels than the settings")

    def arrays(self) -> Iterator[tuple[str, Any]]:
        """Yield the parts of the network by name, as in a model's file."""
        yield "window", np.array([self.window])
        for kind, tables in (("forms", self.forms), ("places", self.places)):
            for feature, table in tables.items():
                yield f"{kind}.{feature}", table
        if self.characters is not None:
            yield "characters.known", list(self.characters.known)
            yield "characters.table", self.characters.table
            yield from _matrix_arrays("characters.filters", self.characters.filters)
            yield "characters.bias", self.characters.bias
            yield "characters.scale", np.array([self.characters.scale])
        if self.vectors is not None:
            yield "vectors.words", list(self.vectors.words)
            yield "vectors.values", self.vectors.values
        for name in ("from_form", "from_place", "tags"):
            yield from _matrix_arrays(name, getattr(self, name))
        for direction, matrix in enumerate(self.recurrent):
            yield from _matrix_arrays(f"recurrent.{direction}", matrix)
        yield "bias", self.bias
        yield "tag_bias", self.tag_bias

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Any]) -> Network:
        """Rebuild a network; `arrays` are those of `arrays()`."""

        def tables(kind: str) -> dict[str, Bytes]:
            own = f"{kind}."
            return {name.removeprefix(own): arrays[name] for name in arrays if name.startswith(own)}

        def matrix(name: str) -> Matrix:
            return Matrix(arrays[f"{name}.steps"], arrays[f"{name}.scale"])

        characters = vectors = None
        if "characters.known" in arrays:
            characters = Characters(
                "".join(arrays["characters.known"]),
                arrays["characters.table"],
                matrix("characters.filters"),
                arrays["characters.bias"],
                float(arrays["characters.scale"][0]),
            )
        if "vectors.words" in arrays:
            words = {word: row for row, word in enumerate(arrays["vectors.words"])}
            vectors = Vectors(words, arrays["vectors.values"])
        return cls(
            int(arrays["window"][0]),
            tables("forms"),
            tables("places"),
            characters,
            vectors,
            matrix("from_form"),
            matrix("from_place"),
            arrays["bias"],
            (matrix("recurrent.0"), matrix("recurrent.1")),
            matrix("tags"),
            arrays["tag_bias"],
        )


def _matrix_arrays(name: str, matrix: Matrix) -> Iterator[tuple[str, Any]]:
    yield f"{name}.steps", matrix.steps
    yield f"{name}.scale", matrix.scale


def seen_of(word: str) -> str:
    """The characters of a word that the network reads."""
    half = LONGEST_WORD // 2
    return word if len(word) <= LONGEST_WORD else word[:half] + word[-half:]


def _numbers_of(text: str, known: str) -> list[int]:
    number = {character: at for at, character in enumerate(known, start=FIRST_CHARACTER)}.get
    return list(map(number, text, repeat(RARE_CHARACTER)))


def character_ids(words: Sequence[str], known: str) -> Ints:
    """The characters of words as numbers, one row per word: the first and the last ones."""
    ids = np.full((len(words), LONGEST_WORD), NO_CHARACTER, np.int32)
    for row, word in zip(ids, words, strict=True):
        seen = seen_of(word)
        row[: len(seen)] = _numbers_of(seen, known)
    return ids


def windows(stream: Stream, size: int) -> list[tuple[int, int]]:
    """Split the documents of a stream into windows of whole lines, about `size` tokens each.

    A line that is longer than two windows may be split anywhere.
    """
    found = []
    line_ends = stream.last + 1
    for first, last in stream.bounds:
        own = line_ends[np.searchsorted(line_ends, first, side="right") :]
        start = end = first
        for line_end in own[: np.searchsorted(own, last) + 1].tolist():
            line_end = min(line_end, last)
            if start < end and size < line_end - start:
                found.append((start, end))
                start = end
            while 2 * size < line_end - start:
                found.append((start, start + size))
                start += size
            end = line_end
        if start < end:
            found.append((start, end))
    return found
