"""Word vectors from unannotated text: weighted counts of neighbours, reduced to a few dimensions.

The counts of words within a window are weighted by positive pointwise mutual information, and a
truncated singular value decomposition keeps the main differences between words (Levy, Goldberg and
Dagan 2015). The result is about as good as skip-gram on little text, needs seconds, and is
deterministic.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core.errors import InputError, require
from veil.languages import language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_SMOOTHING = 0.75  # of the frequencies of neighbours, so that rare ones count less
_ROOT = 0.5  # of the singular values


@dataclass(frozen=True)
class VectorSettings:
    """`minimum` is how often a word must occur; `most` how many words are kept."""

    dimensions: int = 100
    window: int = 5
    minimum: int = 2
    most: int = 50_000


def learn_vectors(
    texts: Iterable[str], code: str, settings: VectorSettings | None = None
) -> tuple[list[str], NDArray[np.float32]]:
    """Return the words of texts in lower case, the most frequent first, and their vectors."""
    settings = settings or VectorSettings()
    cut = language(code).offsets
    sentences = [
        [text[start:end].lower() for start, end in zip(*cut(text), strict=True)] for text in texts
    ]
    counts = Counter(word for sentence in sentences for word in sentence)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: settings.most]
    words = [word for word, count in ranked if settings.minimum <= count]
    if len(words) <= settings.dimensions:
        raise InputError(
            f"{len(words)} words occur {settings.minimum} times or more; vectors of "
            f"{settings.dimensions} dimensions need more words than that: give more text"
        )
    number = {word: index for index, word in enumerate(words)}
    lines = [np.array([number.get(word, -1) for word in line], np.int64) for line in sentences]
    return words, _reduced(_association(lines, len(words), settings.window), settings.dimensions)


def _association(lines: list[NDArray[np.int64]], size: int, window: int) -> Any:
    """The matrix of positive pointwise mutual information; nearer neighbours count more."""
    require("scipy", extra="train")
    from scipy.sparse import coo_matrix

    total = coo_matrix((size, size)).tocsr()
    for distance in range(1, window + 1):
        pairs = [(line[:-distance], line[distance:]) for line in lines if distance < len(line)]
        if not pairs:
            continue
        left, right = (np.concatenate(side) for side in zip(*pairs, strict=True))
        known = (0 <= left) & (0 <= right)
        weight = np.full(int(known.sum()), 1 / distance)
        counted = coo_matrix((weight, (left[known], right[known])), shape=(size, size)).tocsr()
        total = total + counted + counted.T
    own = np.asarray(total.sum(axis=1)).ravel()
    beside = own**_SMOOTHING
    cells = total.tocoo()
    expected = own[cells.row] * beside[cells.col] / max(beside.sum(), 1e-12)
    values = np.maximum(0, np.log(np.maximum(cells.data, 1e-12) / np.maximum(expected, 1e-12)))
    return coo_matrix((values, (cells.row, cells.col)), shape=(size, size)).tocsr()


def _reduced(matrix: Any, dimensions: int) -> NDArray[np.float32]:
    """Truncated singular value decomposition; the signs are fixed to make the result unique."""
    from scipy.sparse.linalg import svds

    start = np.ones(min(matrix.shape)) / np.sqrt(min(matrix.shape))
    left, values, _ = svds(matrix, k=dimensions, v0=start)
    order = np.argsort(-values, kind="stable")
    vectors = left[:, order] * values[order] ** _ROOT
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(dimensions)] < 0, -1.0, 1.0)
    return np.asarray(vectors * signs, np.float32)


def vector_lines(words: list[str], vectors: NDArray[np.float32]) -> Iterator[str]:
    """Yield the text format of word2vec, which `veil train --vectors` reads."""
    yield f"{len(words)} {vectors.shape[1]}\n"
    for word, row in zip(words, vectors, strict=True):
        yield f"{word} {' '.join(f'{number:.5f}' for number in row)}\n"
