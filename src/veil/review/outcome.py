"""The outcome of a review: the leak with its exact bound, reviewer agreement, and conflicts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import combinations
from math import exp, lgamma, log
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core.document import Span, prefer_longest
from veil.masking.report import CONFIDENCE
from veil.review.store import CHOOSE, DELETED, FINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.review.store import Event, ReviewedSpan, State

    Extent = tuple[int, int]
    Key = tuple[int, int, str]

# Comparisons with the level of significance allow for rounding.
_MARGIN = 1e-9


def finite_bound(population: int, read: int, leaking: int, confidence: float = CONFIDENCE) -> float:
    """The largest share of leaking records that the sample does not exclude.

    `read` records were drawn without replacement from the population, and `leaking` of them leak.
    The bound is exact (hypergeometric), one-sided, and applies to these records only.
    """
    if not 0 <= leaking <= read <= population:
        raise ValueError("the sample does not fit the population")
    if not population:
        return 0.0
    low, high = leaking, population - (read - leaking)
    while low < high:
        middle = (low + high + 1) // 2
        if 1 - confidence < _hypergeometric(population, middle, read, leaking) - _MARGIN:
            low = middle
        else:
            high = middle - 1
    return low / population


def process_bound(read: int, leaking: int, confidence: float = CONFIDENCE) -> float:
    """The one-sided bound of Clopper and Pearson (1934), for all records of the same kind."""
    if not 0 <= leaking <= read:
        raise ValueError("more records leak than were read")
    if leaking == read:
        return 1.0
    low, high = leaking / read, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if 1 - confidence < _binomial(read, middle, leaking):
            low = middle
        else:
            high = middle
    return high


def _hypergeometric(population: int, marked: int, drawn: int, most: int) -> float:
    """The probability that at most `most` of the drawn records are marked."""
    whole = _log_choose(population, drawn)
    return sum(
        exp(_log_choose(marked, k) + _log_choose(population - marked, drawn - k) - whole)
        for k in range(max(0, drawn - (population - marked)), min(most, marked, drawn) + 1)
    )


def _binomial(trials: int, share: float, most: int) -> float:
    if share in (0.0, 1.0):
        return 1.0 if share == 0.0 or most >= trials else 0.0
    return sum(
        exp(_log_choose(trials, k) + k * log(share) + (trials - k) * log(1 - share))
        for k in range(most + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


@dataclass(frozen=True)
class Conflict:
    """A place where reviewers disagree: the active spans of each, and the choice."""

    start: int
    end: int
    versions: Mapping[str, tuple[ReviewedSpan, ...]]
    choice: str | None = None


class Final(NamedTuple):
    """A record after the review: its spans, including deleted ones, and whether it was read."""

    spans: tuple[ReviewedSpan, ...]
    done: bool
    conflicts: tuple[Conflict, ...] = ()

    @property
    def active(self) -> list[ReviewedSpan]:
        return [span for span in self.spans if span.is_active]

    @property
    def leaks(self) -> int:
        return sum(span.is_active and span.is_leak for span in self.spans)

    @property
    def wrongly_masked(self) -> int:
        return sum(span.state == DELETED for span in self.spans)

    @property
    def open_conflicts(self) -> int:
        return sum(each.choice is None for each in self.conflicts)


def joined(states: Mapping[str, State], choices: Iterable[Event]) -> Final:
    """The final state of a record that several reviewers read independently.

    Where they disagree and no choice was made, every span that one of them marked counts.
    """
    done = {name: state for name, state in states.items() if state.done}
    if len(done) < 2:
        for state in (*done.values(), *states.values()):
            return Final(state.spans, done=False)
        return Final((), done=False)
    chosen = _choices(choices)
    spans: list[ReviewedSpan] = []
    conflicts = []
    for start, end in _components(span for state in done.values() for span in state.active):
        versions = {
            name: tuple(span for span in state.active if span.overlaps(start, end))
            for name, state in done.items()
        }
        first, *others = versions.values()
        if all(_keys(first) == _keys(other) for other in others):
            spans += first
            continue
        choice = chosen.get((start, end))
        choice = choice if choice in versions else None
        conflicts.append(Conflict(start, end, versions, choice))
        spans += versions[choice] if choice else _longest(versions.values())
    kept = {span.id for span in spans if span.first}
    gone = {
        span.id: span
        for state in done.values()
        for span in state.spans
        if span.state == DELETED and span.id not in kept
    }
    return Final((*spans, *gone.values()), done=True, conflicts=tuple(conflicts))


def _choices(events: Iterable[Event]) -> dict[Extent, str]:
    found: dict[Extent, str] = {}
    for event in events:
        if event.action == CHOOSE and event.lane == FINAL:
            data = json.loads(event.payload)
            found[data["start"], data["end"]] = data["choice"]
    return found


def _components(spans: Iterable[ReviewedSpan]) -> list[Extent]:
    """The groups of overlapping spans."""
    found: list[Extent] = []
    for span in sorted(spans, key=lambda span: span.start):
        if found and span.start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], span.end))
        else:
            found.append((span.start, span.end))
    return found


def _keys(spans: Iterable[ReviewedSpan]) -> set[Key]:
    return {(span.start, span.end, span.label) for span in spans}


def _longest(versions: Iterable[Sequence[ReviewedSpan]]) -> list[ReviewedSpan]:
    by_key = {(span.start, span.end, span.label): span for each in versions for span in each}
    kept, _ = prefer_longest([Span(*key) for key in by_key])
    return [by_key[span.key] for span in kept]


@dataclass
class Agreement:
    """The agreement of pairs of reviewers on the records that both have read.

    F1 compares exact spans with their labels; kappa compares the labels of tokens (Cohen 1960).
    """

    records: int = 0
    _common: int = 0
    _spans: int = 0
    _pairs: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, states: Mapping[str, State], tokens: Callable[[], Sequence[Extent]]) -> None:
        """Add a record with the states of all reviewers who have read it."""
        done = [state.active for state in states.values() if state.done]
        if len(done) < 2:
            return
        self.records += 1
        extents = tokens()
        for first, second in combinations(done, 2):
            self._common += len(_keys(first) & _keys(second))
            self._spans += len(first) + len(second)
            for pair in zip(_labels(first, extents), _labels(second, extents), strict=True):
                self._pairs[pair] = self._pairs.get(pair, 0) + 1

    @property
    def f1(self) -> float:
        return 2 * self._common / self._spans if self._spans else 1.0

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None if chance alone explains everything: all tokens have one label."""
        total = sum(self._pairs.values())
        if not total:
            return None
        observed = sum(count for (a, b), count in self._pairs.items() if a == b) / total
        labels = {label for pair in self._pairs for label in pair}
        expected = sum(
            sum(count for (a, _), count in self._pairs.items() if a == label)
            * sum(count for (_, b), count in self._pairs.items() if b == label)
            for label in labels
        ) / (total * total)
        return (observed - expected) / (1 - expected) if expected < 1 else None

    def data(self) -> dict[str, Any] | None:
        if not self.records:
            return None
        return {"f1": self.f1, "kappa": self.kappa, "records": self.records}


def _labels(spans: Sequence[ReviewedSpan], tokens: Sequence[Extent]) -> list[str]:
    """The label of each token: that of the span that covers part of it."""
    found = []
    ordered = sorted(spans, key=lambda span: span.start)
    at = 0
    for start, end in tokens:
        while at < len(ordered) and ordered[at].end <= start:
            at += 1
        under = at < len(ordered) and ordered[at].start < end
        found.append(ordered[at].label if under else "")
    return found
