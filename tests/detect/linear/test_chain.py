"""Tests for veil.detect.linear.chain; what it computes is in tests/properties/test_chain.py."""

from __future__ import annotations

import numpy as np
import pytest

from veil.detect.linear.chain import Sequences, Transitions, best_tags, forbid, posteriors


def _mask(picture: str) -> tuple[np.ndarray, np.ndarray]:
    """Wanted tokens (x) and breaks (|) of a stream in a picture."""
    return np.array([c == "x" for c in picture]), np.array([c == "|" for c in picture])


@pytest.mark.parametrize(
    ("picture", "runs"),
    [
        ("|||", []),
        ("|..|", []),
        ("|x|", [(1, 1, True, True)]),
        ("|xx.|", [(1, 2, True, False)]),
        ("|.xx|", [(2, 2, False, True)]),
        ("|.x.|", [(2, 1, False, False)]),
        (
            "|x.xxx|xx||x|",
            [(3, 3, False, True), (7, 2, True, True), (1, 1, True, False), (11, 1, True, True)],
        ),
    ],
)
def test_of_mask(picture: str, runs: list[tuple[int, int, bool, bool]]) -> None:
    """Runs come longest first and know whether they touch the ends of their sequence."""
    found = Sequences.of_mask(*_mask(picture))
    rows = zip(found.first, found.length, found.opens, found.closes, strict=True)
    assert list(rows) == runs


def test_alive_counts_longer_sequences() -> None:
    """One number for each step: how many sequences have a token there."""
    runs = Sequences.whole(np.array([0, 2, 5], np.int32), np.array([2, 3, 1], np.int32))
    assert runs.first.tolist() == [2, 0, 5]
    assert runs.alive() == [3, 2, 1]


def test_more_sequences_than_are_searched_together() -> None:
    """Many sequences of many lengths are each searched as if alone."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 9, 1500)
    breaks = np.ones(int((lengths + 1).sum()) + 1, bool)
    first = 1 + np.concatenate(([0], np.cumsum(lengths + 1)[:-1]))
    for start, length in zip(first, lengths, strict=True):
        breaks[start : start + length] = False
    scores = rng.normal(0, 2, (len(breaks), 5)).astype(np.float32)
    chain = Transitions(*(rng.normal(0, 1, n).astype(np.float32) for n in ((5, 5), 5, 5)))
    together = best_tags(scores, breaks, chain)
    for start, length in zip(first, lengths, strict=True):
        part = slice(start - 1, start + length + 1)
        alone = best_tags(scores[part], breaks[part], chain)
        assert (alone == together[part]).all()


def test_empty_stream_of_breaks() -> None:
    """A stream without words has no tags and no probabilities."""
    scores, breaks = np.zeros((4, 3), np.float32), np.ones(4, bool)
    assert best_tags(scores, breaks, Transitions.none(3)).tolist() == [0] * 4
    found = posteriors(scores, Transitions.none(3), Sequences.of_mask(~breaks, breaks))
    assert found.log_normaliser == 0
    assert not found.tags.any()


def test_large_scores_stay_finite() -> None:
    """Scores far apart and a long sequence neither overflow nor vanish."""
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 300, (5002, 4)).astype(np.float32)
    breaks = np.zeros(5002, bool)
    breaks[[0, -1]] = True
    chain = Transitions(*(rng.normal(0, 8, n).astype(np.float32) for n in ((4, 4), 4, 4)))
    forbid(chain, [2])
    found = posteriors(scores, chain, Sequences.of_mask(~breaks, breaks))
    assert np.isfinite(found.log_normaliser)
    assert found.tags[~breaks].sum(1) == pytest.approx(1, abs=1e-3)


def test_one_long_sequence_takes_no_room_for_all() -> None:
    """Memory grows with the tokens, not with the longest sequence times the number of sequences."""
    length = np.concatenate(([20_000], np.ones(20_000, int))).astype(np.int32)
    first = np.concatenate(([0], 20_000 + np.arange(20_000))).astype(np.int32)
    scores = np.zeros((40_000, 3), np.float32)
    found = posteriors(scores, Transitions.none(3), Sequences.whole(first, length))
    assert found.log_normaliser == pytest.approx(40_000 * np.log(3), rel=1e-4)


@pytest.mark.parametrize(
    ("picture", "wanted", "first"),
    [
        ("|xx.x|", "......", []),
        ("|xx.x|", "..x...", [1]),
        ("|xx.x|", "...x..", []),
        ("|xx.x|", ".x..x.", [1, 4]),
    ],
)
def test_runs_that_hold_a_token(picture: str, wanted: str, first: list[int]) -> None:
    """Only runs with a wanted token inside are left."""
    runs = Sequences.of_mask(*_mask(picture)).holding(_mask(wanted)[0])
    assert runs.first.tolist() == first


def test_best_tags_about_some_tokens() -> None:
    """Runs with tokens in `about` get their best tags; all other runs are O."""
    scores = np.zeros((9, 3), np.float32)
    scores[[1, 2, 6], 1] = 5
    scores[[3, 4, 5], 0] = 9
    _, breaks = _mask("|.......|")
    about = np.zeros(9, bool)
    about[[2, 4]] = True
    found = best_tags(scores, breaks, Transitions.none(3), about)
    assert best_tags(scores, breaks, Transitions.none(3)).tolist() == [0, 1, 1, 0, 0, 0, 1, 0, 0]
    assert found.tolist() == [0, 1, 1, 0, 0, 0, 0, 0, 0]


def test_pairs_may_be_left_out() -> None:
    """The probabilities of tags are the same without the sums of pairs."""
    rng = np.random.default_rng(0)
    chain = Transitions(*(rng.normal(0, 1, n) for n in ((4, 4), 4, 4)))
    runs = Sequences.of_mask(*_mask("|xxxx|xx|"))
    scores = rng.normal(0, 2, (9, 4))
    whole, bare = (posteriors(scores, chain, runs, with_pairs=pairs) for pairs in (True, False))
    assert (bare.tags == whole.tags).all()
    assert whole.pairs.sum() == pytest.approx(4)
    assert not bare.pairs.any()
