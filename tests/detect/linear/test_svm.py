"""Tests for veil.detect.linear.trainers."""

from __future__ import annotations

import numpy as np
import pytest

from veil.detect.linear.chain import best_tags
from veil.detect.linear.dropout import Examples
from veil.detect.linear.trainers import train_svm

pytest.importorskip("sklearn")


def toy_examples(tags: list[int], tag_count: int) -> Examples:
    """The tag of each word is its first feature; beside it there are noise and a bias."""
    rng = np.random.default_rng(0)
    numbers = rng.choice(tags, 200)
    features = np.stack([numbers, tag_count + rng.integers(0, 5, 200), np.full(200, tag_count + 5)])
    first = np.arange(0, 200, 10, dtype=np.int32)
    return Examples(
        features.T.astype(np.int32),
        numbers.astype(np.int32),
        first,
        np.full(len(first), 10, np.int32),
        tag_count + 6,
        tag_count,
    )


@pytest.mark.parametrize("tags", [[0, 1, 2, 3, 4], [0, 1], [0, 3, 4], [1, 2]])
def test_learns_what_can_be_learned(tags: list[int]) -> None:
    """Each word gets its tag, also where there are two tags only, and none that never occurred."""
    examples = toy_examples(tags, 5)
    weights, chain = train_svm(examples, c=1.0, seed=0)
    scores = np.zeros((202, 5), np.float32)
    scores[1:-1] = weights[examples.features].sum(1)
    breaks = np.zeros(202, bool)
    breaks[[0, -1]] = True
    assert best_tags(scores, breaks, chain)[1:-1].tolist() == examples.tags.tolist()


def test_same_seed_same_weights() -> None:
    """Training twice gives the same bytes."""
    examples = toy_examples([0, 1, 2], 3)
    once, again = (train_svm(examples, c=1.0, seed=4)[0] for _ in range(2))
    assert once.tobytes() == again.tobytes()
