"""The linear chain: the best tags of a sequence, and how probable each tag is.

A chain is given by the scores of its tokens (one row per token) and by transitions between tags,
from the start and to the end. Sequences are processed together, longest first, one token per step,
so that the work is done by few large array operations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core import native

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from veil.features.stream import Ints

    Floats = NDArray[np.floating[Any]]

_NEVER = -1e4
_ROUNDING = 1e-3
# Lower scores are raised to this, so that their exponentials do not vanish in single precision.
_LOWEST = -60.0
_TOGETHER = 512
# A longer run, which is rare in notes, is cut into pieces that are processed in parallel; as one
# run it would take one step per token and keep them all in memory. The pieces overlap by so many
# tokens that the tags at one end no longer depend on those at the other.
_LONGEST_RUN = 1024
_PIECE, _OVERLAP = 256, 64
# Rows that are transposed together: few enough to stay in the processor's cache.
_CHUNK = 2048
# Tokens this far from certainly being O are left out of probabilities: exp(-8) is negligible.
_MARGIN = 8.0
# The penalty for O on a token that must have another tag: more than any path gains by O.
_BARRED = 100.0
# Few enough that a matrix product is not split over threads, which would wait more than work.
_RUNS_TOGETHER = 64


@dataclass(frozen=True)
class Transitions:
    """Scores of a tag after another, of a first tag and of a last one."""

    between: Floats
    start: Floats
    end: Floats

    @classmethod
    def none(cls, tags: int) -> Transitions:
        """Zero scores for all transitions: each token is tagged on its own."""
        zeros = np.zeros
        return cls(
            zeros((tags, tags), np.float32), zeros(tags, np.float32), zeros(tags, np.float32)
        )

    @cached_property
    def leads(self) -> Floats:
        """How much lower the second of two tags may score and still be the better predecessor."""
        between = self.between.astype(np.float64)
        leads = np.array([(between - row).max(1) for row in between])
        return (leads + _ROUNDING).astype(self.between.dtype)

    @cached_property
    def gains(self) -> tuple[float, float, float]:
        """The most that the transitions into, out of and within a run of tags gain over O."""
        between, start, end = self.between.astype(np.float64), self.start, self.end
        rest = between[0, 0]
        enter = max((between[0, 1:] - rest).max(), (start[1:] - start[0]).max())
        leave = max((between[1:, 0] - rest).max(), (end[1:] - end[0]).max())
        stay = (between[1:, 1:] - rest).max()
        return float(enter), float(leave), float(stay)

    @cached_property
    def compiled(self) -> Any:
        """The compiled twin for scores in single precision; None if it cannot be used."""
        arrays = (self.between, self.start, self.end)
        if native.CORE is None or any(array.dtype != np.float32 for array in arrays):
            return None
        between, start, end = map(np.ascontiguousarray, arrays)
        return native.CORE.Chain(
            *(between, start, end, self.leads),
            *(np.exp(between), np.exp(start), np.exp(end)),
            *self.gains,
        )


def forbid(chain: Transitions, tags: Sequence[int]) -> None:
    """Prevent tags from being chosen, whatever their scores; only for chains under construction."""
    chain.between[:, tags] = _NEVER
    chain.start[tags] = _NEVER


@dataclass(frozen=True)
class Sequences:
    """Runs of tokens: their first tokens and lengths, longest first.

    `opens` and `closes` say whether a run begins and ends where a whole sequence does; otherwise
    the tokens before and after it are O.
    """

    first: Ints
    length: Ints
    opens: NDArray[np.bool_]
    closes: NDArray[np.bool_]

    @classmethod
    def whole(cls, first: Ints, length: Ints) -> Sequences:
        order = np.argsort(-length, kind="stable")
        true = np.ones(len(first), bool)
        return cls(first[order], length[order], true, true)

    @classmethod
    def of_mask(cls, wanted: NDArray[np.bool_], breaks: NDArray[np.bool_]) -> Sequences:
        """The runs of wanted tokens in a stream."""
        edges = np.diff(np.concatenate(([False], wanted, [False])).astype(np.int8))
        first = np.flatnonzero(edges == 1).astype(np.int32)
        length = np.flatnonzero(edges == -1).astype(np.int32) - first
        order = np.argsort(-length, kind="stable")
        first, length = first[order], length[order]
        return cls(first, length, breaks[first - 1], breaks[first + length])

    def holding(self, wanted: NDArray[np.bool_]) -> Sequences:
        """The runs that hold at least one of the wanted tokens."""
        before = np.concatenate(([0], np.cumsum(wanted)))
        return self._at(before[self.first] < before[self.first + self.length])

    def _at(self, at: slice | NDArray[Any]) -> Sequences:
        return Sequences(self.first[at], self.length[at], self.opens[at], self.closes[at])

    def gathered(self, together: int) -> Iterator[tuple[Sequences, Ints, NDArray[np.bool_]]]:
        """Yield `together` runs at a time: the runs in a row of tokens, that row, and what counts.

        The row holds the numbers of the tokens. Long runs are cut into pieces that overlap; each
        token counts in only one of them.
        """
        pieces, before, after = self._pieces()
        for start in range(0, len(pieces.first), together):
            own = slice(start, start + together)
            part = pieces._at(own)
            ends = np.cumsum(part.length, dtype=np.int32)
            first = ends - part.length
            row = np.arange(ends[-1], dtype=np.int32)
            tokens = row + np.repeat(part.first - first, part.length)
            counts = np.repeat(first + before[own], part.length) <= row
            counts &= row < np.repeat(ends - after[own], part.length)
            yield replace(part, first=first), tokens, counts

    def _pieces(self) -> tuple[Sequences, Ints, Ints]:
        """Split long runs into pieces; also return how many tokens at each end do not count."""
        pieces = np.where(self.length <= _LONGEST_RUN, 1, -(-self.length // _PIECE))
        run = np.repeat(np.arange(len(pieces)), pieces)
        number = np.arange(len(run)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        whole = self.length[run]
        begin = number * _PIECE
        finish = np.where(number + 1 == pieces[run], whole, begin + _PIECE)
        start = np.maximum(begin - _OVERLAP, 0)
        end = np.minimum(finish + _OVERLAP, whole)
        order = np.argsort(start - end, kind="stable")
        cut = Sequences(
            (self.first[run] + start).astype(np.int32),
            (end - start).astype(np.int32),
            self.opens[run] & (start == 0),
            self.closes[run] & (end == whole),
        )
        return cut._at(order), (begin - start)[order], (end - finish)[order]

    def alive(self) -> list[int]:
        """How many sequences are longer than 0, 1, 2 ... tokens."""
        steps = np.arange(int(self.length[0]) if len(self.length) else 0)
        alive: list[int] = np.searchsorted(-self.length, -steps, "left").tolist()
        return alive


def best_tags(
    scores: Floats,
    breaks: NDArray[np.bool_],
    chain: Transitions,
    about: NDArray[np.bool_] | None = None,
) -> NDArray[np.int16]:
    """Return the best tags of all tokens of a stream (Viterbi).

    Most tokens of a record are certainly O (see `open_tokens`), and only the runs between them need
    the full search. The result is the same as that of a search over whole sequences. With `about`,
    only runs that contain one of its tokens are searched; all others are O.
    """
    tags = np.zeros(len(scores), np.int16)
    if chain.compiled is not None and _is_single(scores):
        chain.compiled.best_tags(scores, breaks, about, tags, _cutting())
        return tags
    undecided = open_tokens(scores, breaks, chain)
    runs = Sequences.of_mask(undecided, breaks)
    if about is not None:
        runs = runs.holding(about)
    for part, tokens, counts in runs.gathered(_TOGETHER):
        found = np.zeros(len(tokens), np.int16)
        _search(scores[tokens], chain, part, found)
        tags[tokens[counts]] = found[counts]
    return tags


def likely_tags(
    scores: Floats, breaks: NDArray[np.bool_], chain: Transitions, lowered: float
) -> NDArray[np.int16]:
    """Return the best tags, with another tag than O wherever its odds suffice.

    The log odds of O against all other tags together are lowered by `lowered`. A lower bias of O
    would also find more, but the search for the best tags would then extend existing spans token by
    token.
    """
    sure = 1 / (1 + np.exp(-lowered))
    barred = outside_probabilities(scores, breaks, chain, lowered + _MARGIN) < sure
    own = scores[barred, 0]
    scores[barred, 0] -= _BARRED
    tags = best_tags(scores, breaks, chain)
    scores[barred, 0] = own
    return tags


def outside_probabilities(
    scores: Floats, breaks: NDArray[np.bool_], chain: Transitions, margin: float
) -> NDArray[np.float64]:
    """The probability that each token is O; 1 where the odds are surely below exp(-margin)."""
    probabilities = np.ones(len(scores))
    if chain.compiled is not None and _is_single(scores):
        chain.compiled.probabilities(
            scores, breaks, None, margin, (1.0, 0.0), probabilities, None, _cutting()
        )
        return probabilities
    runs = Sequences.of_mask(open_tokens(scores, breaks, chain, margin), breaks)
    for part, tokens, counts in runs.gathered(_RUNS_TOGETHER):
        nodes = posteriors(scores[tokens].astype(np.float64), chain, part, with_pairs=False).tags
        probabilities[tokens[counts]] = nodes[counts, 0]
    return probabilities


def _is_single(scores: Floats) -> bool:
    return scores.dtype == np.float32 and scores.flags.c_contiguous


def _cutting() -> tuple[int, int, int]:
    return _LONGEST_RUN, _PIECE, _OVERLAP


def open_tokens(
    scores: Floats, breaks: NDArray[np.bool_], chain: Transitions, margin: float = 0.0
) -> NDArray[np.bool_]:
    """Tokens that may have another tag than O; with `margin`, also those that nearly may.

    In the best path a run of tags other than O gains over O in all its tokens. It gains at most the
    best margin of each token, and the best transitions into it, within it and out of it. A token
    that lies in no run with such a gain is O.
    """
    enter, leave, stay = chain.gains
    gain = (_highest(scores[:, 1:]) - scores[:, 0]).astype(np.float64) + stay
    gain[breaks] = _NEVER
    through = _best_run_to(gain) + _best_run_to(gain[::-1])[::-1] - gain
    undecided: NDArray[np.bool_] = through + enter + leave - stay > -margin - _ROUNDING
    undecided[breaks] = False
    return undecided


def _highest(rows: Floats) -> Floats:
    """The highest number of each row; processing columns is far faster than processing rows."""
    highest = np.empty_like(rows, shape=len(rows))
    for start in range(0, len(rows), _CHUNK):
        columns = np.ascontiguousarray(rows[start : start + _CHUNK].T)
        columns.max(0, out=highest[start : start + _CHUNK])
    return highest


def _best_run_to(gain: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each token the largest sum of a run that ends with it."""
    total = np.cumsum(gain)
    before = np.concatenate(([0.0], total[:-1]))
    best: NDArray[np.float64] = total - np.minimum.accumulate(before)
    return best


def _search(scores: Floats, chain: Transitions, runs: Sequences, tags: NDArray[np.int16]) -> None:
    between, alive = chain.between, runs.alive()
    before = np.where(runs.opens[:, None], chain.start, between[0])
    after = np.where(runs.closes[:, None], chain.end, between[:, 0])
    best = [scores[runs.first] + before]
    for step in range(1, len(alive)):
        count = alive[step]
        reached = _best_after(best[-1][:count], chain)
        reached += scores[runs.first[:count] + step]
        best.append(reached)
    chosen = np.zeros(len(runs.first), np.int64)
    for step in range(len(alive) - 1, -1, -1):
        count = alive[step]
        going_on = alive[step + 1] if step + 1 < len(alive) else 0
        onward = after[:count].copy()
        onward[:going_on] = between.T[chosen[:going_on]]
        chosen[:count] = (best[step][:count] + onward).argmax(1)
        tags[runs.first[:count] + step] = chosen[:count]


def _best_after(best: Floats, chain: Transitions) -> Floats:
    """For each sequence and tag: the best score of a path to the tag before plus the transition.

    The best path leads most others by more than any transition can make up; only the remaining few
    are evaluated.
    """
    count, width = best.shape
    highest = best.argmax(1)
    # Adding numbers that were repeated beforehand is several times as fast as broadcasting.
    least = np.repeat(best[np.arange(count), highest], width).reshape(best.shape)
    least -= chain.leads[highest]
    sequence, tag = np.divmod(np.flatnonzero(least <= best), width)
    paths = chain.between[tag]
    paths += np.repeat(best[sequence, tag], width).reshape(paths.shape)
    reached: Floats = np.maximum.reduceat(paths, np.searchsorted(sequence, np.arange(count)))
    return reached


@dataclass(frozen=True)
class Posteriors:
    """Probabilities of tags (one row per token; 0 outside the runs), and sums over pairs of tags.

    `pairs` is 0 if it was not requested.
    """

    tags: Floats
    pairs: Floats
    starts: Floats
    ends: Floats
    log_normaliser: float


def posteriors(
    scores: Floats, chain: Transitions, runs: Sequences, *, with_pairs: bool = True
) -> Posteriors:
    """Forward and backward over all runs (Rabiner's scaled version), in the scores' precision."""
    alive = runs.alive()
    width = scores.shape[1]
    transit = np.exp(chain.between)
    first = np.where(runs.opens[:, None], np.exp(chain.start), transit[0])
    last = np.where(runs.closes[:, None], np.exp(chain.end), transit[:, 0])
    highest = _highest(scores)[:, None]
    weights = np.exp(np.maximum(scores - highest, _LOWEST))
    # Lists of arrays that get shorter: one long sequence must not make all arrays as long.
    forward: list[Floats] = []
    scale: list[Floats] = []
    for step, going in enumerate(alive):
        before = first[:going] if step == 0 else forward[-1][:going] @ transit
        reached = before * weights[runs.first[:going] + step]
        scale.append(reached.sum(1, keepdims=True))
        forward.append(reached / scale[-1])
    tags = np.zeros_like(scores)
    pairs = np.zeros_like(transit)
    starts = np.zeros(width, scores.dtype)
    ends = np.zeros(width, scores.dtype)
    backward = last.astype(scores.dtype)
    log_normaliser = 0.0
    for step in range(len(alive) - 1, -1, -1):
        going = alive[step]
        further = alive[step + 1] if step + 1 < len(alive) else 0
        at = runs.first[:going] + step
        if further:
            ahead = weights[at[:further] + 1] * backward[:further] / scale[step + 1]
            if with_pairs:
                pairs += forward[step][:further].T @ ahead
            backward[:further] = ahead @ transit.T
        # Runs that end here: this last factor normalises their probabilities.
        total = (forward[step][further:] * backward[further:going]).sum(1, keepdims=True)
        backward[further:going] /= total
        log_normaliser += float(np.log(total).sum())
        node = forward[step] * backward[:going]
        tags[at] = node
        ends += node[further:].sum(0)
        log_normaliser += float((np.log(scale[step]) + highest[at]).sum())
    starts += tags[runs.first].sum(0)
    return Posteriors(tags, pairs * transit, starts, ends, log_normaliser)


def tag_probabilities(
    scores: Floats,
    breaks: NDArray[np.bool_],
    tags: NDArray[np.int16],
    chain: Transitions,
    calibration: tuple[float, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The calibrated probability of each tag that is not O, and that of O for the other tokens.

    The first is 0 where the tag is O; the second is 1 where it is not, or where O is certain.
    """
    probabilities, outside = np.zeros(len(tags)), np.ones(len(tags))
    if chain.compiled is not None and _is_single(scores):
        chain.compiled.probabilities(
            scores, breaks, tags, _MARGIN, calibration, probabilities, outside, _cutting()
        )
        return probabilities, outside
    tagged = tags > 0
    runs = Sequences.of_mask(open_tokens(scores, breaks, chain, _MARGIN) | tagged, breaks)
    for part, tokens, counts in runs.gathered(_RUNS_TOGETHER):
        # In double precision, so that the result does not depend on the other texts of the batch.
        rows = scores[tokens].astype(np.float64)
        nodes = posteriors(rows, chain, part, with_pairs=False).tags
        own, nodes = tokens[counts], nodes[counts]
        likely = nodes[np.arange(len(own)), tags[own]]
        probabilities[own[tagged[own]]] = likely[tagged[own]]
        outside[own[~tagged[own]]] = likely[~tagged[own]]
    probabilities[tagged] = calibrate(probabilities[tagged], calibration)
    return probabilities, outside


def calibrate(probabilities: Floats, calibration: tuple[float, float]) -> Floats:
    """Calibrate probabilities with slope and intercept fitted on held-out records."""
    slope, intercept = calibration
    clipped = probabilities.clip(1e-6, 1 - 1e-6)
    odds = np.log(clipped / (1 - clipped)) * slope + intercept
    calibrated: Floats = np.exp(-np.logaddexp(0, -odds))
    return calibrated
