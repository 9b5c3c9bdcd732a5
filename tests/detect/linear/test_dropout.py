"""Tests for veil.detect.linear.dropout."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from veil.core import native
from veil.core.errors import InputError
from veil.detect.linear.chain import best_tags
from veil.detect.linear.dropout import DropoutSettings, Examples, _gradient, train_dropout

TAGS = 3
SETTINGS = DropoutSettings(epochs=8, dropout=0.3)


def toy_examples(*, sequences: int = 60, seed: int = 0) -> Examples:
    """The tag of a word is told by one feature, but the tag 2 comes only after 1."""
    rng = np.random.default_rng(seed)
    length = rng.integers(1, 9, sequences).astype(np.int32)
    first = np.concatenate(([0], np.cumsum(length)[:-1])).astype(np.int32)
    words = int(length.sum())
    clue = rng.integers(0, 2, words)
    tags = clue.copy()
    for start, count in zip(first, length, strict=True):
        for at in range(start + 1, start + count):
            if clue[at] and tags[at - 1]:
                tags[at] = 2
    noise = rng.integers(2, 10, words)
    features = np.stack([clue, noise, np.full(words, 10)], axis=1)
    return Examples(features.astype(np.int32), tags.astype(np.int32), first, length, 11, TAGS)


def test_gradient_is_that_of_the_loss() -> None:
    """A small step in each score and transition changes the loss as the gradient says."""
    rng = np.random.default_rng(3)
    length = np.array([3, 1, 4], np.int32)
    first = np.array([0, 3, 4], np.int32)
    tags = rng.integers(0, TAGS, 8).astype(np.int32)
    scores = rng.normal(0, 1, (8, TAGS)).astype(np.float32)
    between = rng.normal(0, 1, (TAGS, TAGS)).astype(np.float32)

    def loss(scores: np.ndarray, between: np.ndarray) -> float:
        return _gradient(scores, between, tags, first, length)[2]

    by_score, by_transition, _ = _gradient(scores, between, tags, first, length)
    step = 0.02
    for at in np.ndindex(scores.shape):
        up, down = scores.copy(), scores.copy()
        up[at] += step
        down[at] -= step
        slope = (loss(up, between) - loss(down, between)) / (2 * step)
        assert by_score[at] == pytest.approx(slope, abs=2e-3)
    for at in np.ndindex(between.shape):
        up, down = between.copy(), between.copy()
        up[at] += step
        down[at] -= step
        slope = (loss(scores, up) - loss(scores, down)) / (2 * step)
        assert by_transition[at] == pytest.approx(slope, abs=2e-3)


def test_loss_is_the_negative_log_likelihood() -> None:
    """Where all paths are equally likely, the loss is the logarithm of their number."""
    scores = np.zeros((4, TAGS), np.float32)
    between = np.zeros((TAGS, TAGS), np.float32)
    first, length = np.array([0], np.int32), np.array([4], np.int32)
    loss = _gradient(scores, between, np.zeros(4, np.int32), first, length)[2]
    assert loss == pytest.approx(4 * np.log(TAGS), rel=1e-5)


@pytest.mark.parametrize("batch", [1, 7, 300, 100_000])
def test_learns_what_can_be_learned(batch: int) -> None:
    """Whatever the size of a batch, new sequences are tagged right and the loss goes down."""
    losses: list[float] = []
    weights, chain = train_dropout(
        toy_examples(),
        replace(SETTINGS, batch=batch, epochs=20),
        lambda epoch, loss: losses.append(loss),
    )
    assert len(losses) == 20
    assert losses[-1] < losses[0] / 2
    new = toy_examples(seed=1)
    for first, length in zip(new.first, new.length, strict=True):
        rows = slice(first, first + length)
        scores = np.zeros((length + 2, TAGS), np.float32)
        scores[1:-1] = weights[new.features[rows]].sum(1)
        breaks = np.zeros(length + 2, bool)
        breaks[[0, -1]] = True
        assert best_tags(scores, breaks, chain)[1:-1].tolist() == new.tags[rows].tolist()


def test_same_seed_same_weights() -> None:
    """Training twice gives the same bytes; another seed gives others."""
    examples = toy_examples()
    once, again = train_dropout(examples, SETTINGS), train_dropout(examples, SETTINGS)
    other = train_dropout(examples, replace(SETTINGS, seed=1))
    assert once[0].tobytes() == again[0].tobytes()
    assert once[1].between.tobytes() == again[1].between.tobytes()
    assert once[0].tobytes() != other[0].tobytes()


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"dropout": 1.0}, {"dropout": -0.1}, {"damping": 0.0}]
)
def test_settings_that_cannot_train(wrong: dict[str, float]) -> None:
    """Settings that would divide by nothing are refused before the work begins."""
    with pytest.raises(InputError, match="training needs at least one epoch"):
        replace(SETTINGS, **wrong)  # type: ignore[arg-type]


def test_a_single_epoch_without_dropout() -> None:
    """The least that can be asked for gives finite weights, in single precision."""
    weights, chain = train_dropout(toy_examples(), DropoutSettings(epochs=1, dropout=0.0))
    assert weights.dtype == chain.between.dtype == np.float32
    assert np.isfinite(weights).all()
    assert weights.any()


@pytest.mark.skipif(native.CORE is None, reason="the compiled core is not installed")
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_both_paths_learn_the_same(dropout: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights, transitions and losses of the compiled and the pure path differ by rounding only."""
    settings = DropoutSettings(epochs=4, dropout=dropout)
    losses: list[list[float]] = []
    runs = []
    for core in (native.CORE, None):
        monkeypatch.setattr(native, "CORE", core)
        losses.append([])
        runs.append(
            train_dropout(toy_examples(), settings, lambda _, loss: losses[-1].append(loss))
        )
    (weights, chain), (pure_weights, pure_chain) = runs
    assert np.allclose(weights, pure_weights, atol=1e-4)
    assert np.allclose(chain.between, pure_chain.between, atol=1e-4)
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


@pytest.mark.skipif(native.CORE is None, reason="the compiled core is not installed")
def test_arrays_that_do_not_fit_are_refused() -> None:
    """A feature beyond the weights is an error, not a write to foreign memory."""
    examples = toy_examples()
    with pytest.raises(ValueError, match="do not fit together"):
        train_dropout(replace(examples, size=5), SETTINGS)
