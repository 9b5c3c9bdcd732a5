"""Training with feature dropout: stochastic gradients, AdaGrad, averaged over the last epochs.

At each step a random part of the features of every token is left out, so that the model cannot rely
on one strong feature, such as the word itself, that new records may lack. This gained half a point
of F1 on MEDDOCAN over L-BFGS with the same features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from veil.core import native
from veil.core.errors import InputError, require
from veil.detect.linear.chain import Sequences, Transitions, posteriors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.features.stream import Ints

    Run = tuple[Floats, Transitions]


@dataclass(frozen=True)
class DropoutSettings:
    """Training settings; the defaults worked well for MEDDOCAN and for the dummy records."""

    epochs: int = 20
    dropout: float = 0.7
    step: float = 0.3
    damping: float = 3.0
    batch: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        if not (1 <= self.epochs and 0 <= self.dropout < 1 and 0 < self.damping):
            raise InputError(
                "training needs at least one epoch, a dropout from 0 to below 1 and a damping "
                f"above 0, not {self.epochs}, {self.dropout} and {self.damping}"
            )


@dataclass(frozen=True)
class Examples:
    """Training data: features (one row per word) and tags; sequences as first rows and lengths.

    `vectors` are additional numbers for each word, for trainers that use them.
    """

    features: Ints
    tags: Ints
    first: Ints
    length: Ints
    size: int
    tag_count: int
    vectors: NDArray[np.float16] | None = None


def train_dropout(
    examples: Examples,
    settings: DropoutSettings,
    report: Callable[[int, float], None] | None = None,
) -> tuple[Floats, Transitions]:
    """Return weights and transitions; `report` is called with the epoch and its loss.

    The tags before the first and after the last word of a sequence are O.
    """
    rng = np.random.default_rng(settings.seed)
    learner = _Learner(examples, settings)
    for epoch in range(settings.epochs):
        step = settings.step * (1 - 0.9 * epoch / max(1, settings.epochs - 1))
        loss = sum(
            learner.learn(batch, step, rng) for batch in _batches(examples, settings.batch, rng)
        )
        if settings.epochs <= 2 * (epoch + 1):
            learner.remember()
        if report:
            report(epoch, loss)
    weights, between = learner.average()
    return weights, Transitions(between, between[0].copy(), between[:, 0].copy())


class _Learner:
    def __init__(self, examples: Examples, settings: DropoutSettings) -> None:
        if native.CORE is None:
            self._csr_array = require("scipy.sparse", extra="train").csr_array
        self.examples = examples
        self.dropout = settings.dropout
        shape = (examples.size, examples.tag_count)
        square = (examples.tag_count, examples.tag_count)
        self.weights = np.zeros(shape, np.float32)
        self.between = np.zeros(square, np.float32)
        # AdaGrad: steps shrink with the squares of all gradients so far.
        self._squares = np.full(shape, settings.damping, np.float32)
        self._between_squares = np.full(square, settings.damping, np.float32)
        self._sum = np.zeros(shape, np.float32)
        self._between_sum = np.zeros(square, np.float32)
        self._remembered = 0
        # The index of each feature among those of the batch; the core needs -1 for all others.
        self._place = np.full(examples.size, -1, np.int32)

    def learn(self, batch: Ints, step: float, rng: np.random.Generator) -> float:
        """Take one step for a batch of sequences; return its loss."""
        examples = self.examples
        length = examples.length[batch]
        first = np.concatenate(([0], np.cumsum(length)[:-1])).astype(np.int32)
        rows = np.repeat(examples.first[batch] - first, length) + np.arange(length.sum())
        features = examples.features[rows]
        kept = rng.random(features.shape, dtype=np.float32) >= self.dropout
        tags = examples.tags[rows]
        scale = 1 / (1 - self.dropout)
        if native.CORE is not None:
            pairs = np.zeros(self.between.shape)
            loss = native.CORE.train_step(
                *(features, kept, tags, first, length, self.weights, self._squares, self._place),
                *(self.between, pairs, scale, step),
            )
            self._learn_transitions(pairs.astype(np.float32), step)
            return float(loss)
        columns = features[kept]
        pointers = np.concatenate(([0], np.cumsum(kept.sum(1)))).astype(np.int32)
        used = np.unique(columns)
        self._place[used] = np.arange(len(used), dtype=np.int32)
        values = np.full(len(columns), scale, np.float32)
        matrix = self._csr_array(
            (values, self._place[columns], pointers), shape=(len(rows), len(used))
        )
        weights = self.weights[used]
        scores: Floats = matrix @ weights
        by_score, by_transition, loss = _gradient(scores, self.between, tags, first, length)
        gradient: Floats = matrix.T @ by_score
        squares = self._squares[used] + gradient * gradient
        self._squares[used] = squares
        self.weights[used] = weights - step * gradient / np.sqrt(squares)
        self._learn_transitions(by_transition, step)
        return loss

    def _learn_transitions(self, gradient: Floats, step: float) -> None:
        self._between_squares += gradient * gradient
        self.between -= step * gradient / np.sqrt(self._between_squares)

    def remember(self) -> None:
        self._sum += self.weights
        self._between_sum += self.between
        self._remembered += 1

    def average(self) -> tuple[Floats, Floats]:
        share = np.float32(1 / self._remembered)
        return self._sum * share, self._between_sum * share


def _gradient(
    scores: Floats, between: Floats, tags: Ints, first: Ints, length: Ints
) -> tuple[Floats, Floats, float]:
    """The gradient of the negative log likelihood by scores and by transitions, and its value."""
    chain = Transitions(between, between[0], between[:, 0])
    expected = posteriors(scores, chain, Sequences.whole(first, length))
    last = first + length - 1
    before = np.concatenate(([0], tags[:-1]))
    before[first] = 0
    rows = np.arange(len(scores))
    loss = expected.log_normaliser - float(scores[rows, tags].sum())
    loss -= float(between[before, tags].sum() + between[tags[last], 0].sum())
    by_score = expected.tags
    by_score[rows, tags] -= 1
    by_transition = expected.pairs
    by_transition[0] += expected.starts
    by_transition[:, 0] += expected.ends
    np.subtract.at(by_transition, (before, tags), 1)
    np.subtract.at(by_transition, (tags[last], 0), 1)
    return by_score, by_transition, loss


def _batches(examples: Examples, size: int, rng: np.random.Generator) -> list[Ints]:
    """Batches of sequences of similar length, about `size` words each, in random order."""
    length = examples.length
    jitter = rng.random(len(length)) * (2 + 0.15 * length)
    order = np.argsort(-(length + jitter), kind="stable")
    found: list[NDArray[np.intp]] = []
    start = words = 0
    for index, sequence in enumerate(order):
        if index > start and words + length[sequence] > size:
            found.append(order[start:index])
            start, words = index, 0
        words += int(length[sequence])
    found.append(order[start:])
    return [found[index] for index in rng.permutation(len(found))]


_received: list[Examples] = []


def train_seeds(
    examples: Examples,
    settings: Sequence[DropoutSettings],
    *,
    workers: int,
    report: Callable[[int, float], None] | None = None,
) -> list[Run]:
    """Train once with each of the settings; the result does not depend on the number of workers.

    With several workers the first run stays in this process; `report` is called for that run only.
    """
    helpers = min(workers, len(settings)) - 1
    if helpers < 1:
        return [train_dropout(examples, each, report) for each in settings]
    # Imported here: those who only use a model need no processes.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(
        helpers, mp_context=get_context("spawn"), initializer=_receive, initargs=(examples,)
    ) as pool:
        others = [pool.submit(_train, each) for each in settings[1:]]
        try:
            first = train_dropout(examples, settings[0], report)
            return [first, *(run.result() for run in others)]
        except BrokenProcessPool:
            raise InputError(
                "a process that trained beside this one was ended, perhaps for lack of memory; "
                "train with one worker"
            ) from None


def _receive(examples: Examples) -> None:
    _received.append(examples)


def _train(settings: DropoutSettings) -> Run:
    return train_dropout(_received[0], settings)
