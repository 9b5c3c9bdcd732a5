"""The linear chain against a search over all tag sequences, written out one by one."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil.detect.linear.chain import (
    Sequences,
    Transitions,
    best_tags,
    forbid,
    likely_tags,
    open_tokens,
    outside_probabilities,
    posteriors,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats

TOLERANCE = 1e-3


class Case(NamedTuple):
    """A stream of sequences with breaks between them, and the chain over it."""

    scores: Floats
    breaks: NDArray[np.bool_]
    chain: Transitions
    sequences: list[range]

    def score(self, sequence: range, tags: tuple[int, ...]) -> float:
        """The score of one path, added up in the plainest way."""
        chain = self.chain
        total = float(chain.start[tags[0]]) + float(chain.end[tags[-1]])
        total += sum(float(self.scores[at, tag]) for at, tag in zip(sequence, tags, strict=True))
        return total + sum(float(chain.between[left, right]) for left, right in pairwise(tags))

    def paths(self, sequence: range) -> dict[tuple[int, ...], float]:
        every = product(range(self.scores.shape[1]), repeat=len(sequence))
        return {tags: self.score(sequence, tags) for tags in every}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Streams of up to five sequences; whole numbers make ties common, a wide range certainty."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    width = draw(st.integers(2, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([0.0, 1.0, 4.0, 12.0]))
    shift = draw(st.sampled_from([0.0, 3.0, 8.0]))
    whole = draw(st.booleans())

    def numbers(*shape: int) -> Floats:
        values = rng.normal(0, spread, shape)
        return (np.rint(values) if whole else values).astype(np.float32)

    breaks, sequences = [True], []
    for length in lengths:
        sequences.append(range(len(breaks), len(breaks) + length))
        breaks += [False] * length + [True] * draw(st.integers(1, 2))
    scores = numbers(len(breaks), width)
    scores[:, 0] += shift
    between = numbers(width, width) / 4
    return Case(
        scores,
        np.array(breaks),
        Transitions(between, numbers(width) / 4, numbers(width) / 4),
        sequences,
    )


@given(case=cases())
@settings(max_examples=300, deadline=None)
def test_best_tags_are_best(case: Case) -> None:
    """No path of any sequence scores higher than the one chosen."""
    tags = best_tags(case.scores, case.breaks, case.chain)
    for sequence in case.sequences:
        chosen = case.score(sequence, tuple(tags[sequence.start : sequence.stop].tolist()))
        assert chosen == pytest.approx(max(case.paths(sequence).values()), abs=TOLERANCE)
    assert not tags[case.breaks].any()


@given(case=cases())
@settings(max_examples=200, deadline=None)
def test_closed_tokens_are_outside(case: Case) -> None:
    """A token that is not open is O in a best path; with a margin all else is worse by it."""
    margin = 2.0
    closed = ~open_tokens(case.scores, case.breaks, case.chain)
    sure = ~open_tokens(case.scores, case.breaks, case.chain, margin)
    assert not (sure & ~closed).any()
    for sequence in case.sequences:
        paths = case.paths(sequence)
        best = max(paths.values())
        within = np.array(sequence)
        agreeing = [
            score for tags, score in paths.items() if not np.array(tags)[closed[within]].any()
        ]
        assert max(agreeing) == pytest.approx(best, abs=TOLERANCE)
        for place, at in enumerate(sequence):
            if sure[at]:
                others = [score for tags, score in paths.items() if tags[place]]
                assert max(others) <= best - margin + TOLERANCE


@given(case=cases())
@settings(max_examples=200, deadline=None)
def test_posteriors_are_those_of_all_paths(case: Case) -> None:
    """Probabilities of tags, pairs, first and last tags, and the normaliser, are exact."""
    width = case.scores.shape[1]
    tags = np.zeros(case.scores.shape)
    pairs = np.zeros((width, width))
    starts, ends = np.zeros(width), np.zeros(width)
    log_normaliser = 0.0
    for sequence in case.sequences:
        paths = case.paths(sequence)
        normaliser = np.logaddexp.reduce(list(paths.values()))
        log_normaliser += normaliser
        for path, score in paths.items():
            chance = np.exp(score - normaliser)
            starts[path[0]] += chance
            ends[path[-1]] += chance
            tags[sequence, path] += chance
            np.add.at(pairs, (path[:-1], path[1:]), chance)
    first = np.array([sequence.start for sequence in case.sequences], np.int32)
    length = np.array([len(sequence) for sequence in case.sequences], np.int32)
    found = posteriors(case.scores, case.chain, Sequences.whole(first, length))
    assert found.tags == pytest.approx(tags, abs=TOLERANCE)
    assert found.pairs == pytest.approx(pairs, abs=TOLERANCE)
    assert found.starts == pytest.approx(starts, abs=TOLERANCE)
    assert found.ends == pytest.approx(ends, abs=TOLERANCE)
    assert found.log_normaliser == pytest.approx(log_normaliser, rel=1e-4, abs=TOLERANCE)


@given(case=cases(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_runs_between_outside_tokens_are_parts_of_their_sequences(case: Case, seed: int) -> None:
    """Posteriors of a part of a sequence are those of the whole, given O on both sides."""
    wanted = np.random.default_rng(seed).random(len(case.breaks)) < 0.6
    wanted &= ~case.breaks
    found = posteriors(case.scores, case.chain, Sequences.of_mask(wanted, case.breaks))
    for sequence in case.sequences:
        expected = np.zeros((len(sequence), case.scores.shape[1]))
        given_outside = {
            tags: score
            for tags, score in case.paths(sequence).items()
            if not any(tag and not wanted[at] for at, tag in zip(sequence, tags, strict=True))
        }
        normaliser = np.logaddexp.reduce(list(given_outside.values()))
        for tags, score in given_outside.items():
            expected[range(len(sequence)), tags] += np.exp(score - normaliser)
        within = np.array(sequence)
        expected[~wanted[within]] = 0
        assert found.tags[within] == pytest.approx(expected, abs=TOLERANCE)


@given(case=cases(), tag=st.integers(0, 2))
@settings(max_examples=100, deadline=None)
def test_forbidden_tags_are_never_chosen(case: Case, tag: int) -> None:
    """A forbidden tag is neither chosen nor probable, however high it scores."""
    if case.scores.shape[1] <= tag:
        tag = 1
    case.scores[:, tag] += 30
    forbid(case.chain, [tag])
    words = ~case.breaks
    assert not (best_tags(case.scores, case.breaks, case.chain)[words] == tag).any()
    found = posteriors(case.scores, case.chain, Sequences.of_mask(words, case.breaks))
    assert found.tags[words].sum(1) == pytest.approx(1, abs=TOLERANCE)
    assert not found.tags[:, tag].any()


def odds_of_tags(case: Case) -> NDArray[np.float64]:
    """The odds of each token to have a tag other than O, summed up over all paths."""
    odds = np.zeros(len(case.breaks))
    for sequence in case.sequences:
        paths = case.paths(sequence)
        best = max(paths.values())
        for place, at in enumerate(sequence):
            weights = [0.0, 0.0]
            for tags, score in paths.items():
                weights[tags[place] != 0] += float(np.exp(score - best))
            odds[at] = weights[1] / weights[0] if weights[0] else np.inf
    return odds


@given(case=cases())
@settings(max_examples=150, deadline=None)
def test_probabilities_of_no_tag_are_those_of_all_paths(case: Case) -> None:
    """The compiled and the pure path give the exact probability of O, or 1 where it is certain."""
    expected = 1 / (1 + odds_of_tags(case))
    for scores in (case.scores, case.scores.astype(np.float64)):
        found = outside_probabilities(scores, case.breaks, case.chain, margin=12.0)
        assert found[~case.breaks] == pytest.approx(expected[~case.breaks], abs=1e-3)


@given(case=cases(), lowered=st.sampled_from([0.5, 2.0, 4.0]))
@settings(max_examples=150, deadline=None)
def test_what_is_likely_enough_is_tagged(case: Case, lowered: float) -> None:
    """Every token has a tag whose odds reach what is asked for; scores are left as they were."""
    before = case.scores.copy()
    tags = likely_tags(case.scores, case.breaks, case.chain, lowered)
    odds = odds_of_tags(case)
    assert tags[odds > np.exp(-lowered) * 1.01].all()
    assert not tags[case.breaks].any()
    assert (case.scores == before).all()
