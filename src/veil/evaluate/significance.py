"""Bootstrap intervals of metrics, and randomisation tests between two systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from veil.evaluate.match import Counts, pair_records
from veil.evaluate.tally import METRICS, compute, table, tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from veil.core.document import Record
    from veil.evaluate.tally import Metric, Numbers, Tally

RESAMPLES = 1_000
SHUFFLES = 10_000
_SEED = 20140
_CELLS_AT_ONCE = 4_000_000  # limits memory for any number of documents
_COMPARED: tuple[Metric, ...] = ("strict f1", "character recall", "document leak")


@dataclass(frozen=True, slots=True)
class Interval:
    """A metric with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A metric of two systems on the same documents; `p` is two-sided."""

    metric: Metric
    first: float
    second: float
    p: float

    derived: ClassVar = ("difference",)

    @property
    def difference(self) -> float:
        return self.second - self.first


def intervals(tallies: Sequence[Tally]) -> Mapping[Metric, Interval]:
    """Return every metric with its percentile interval over documents drawn with replacement."""
    rows = table(tallies)
    count = len(rows)
    if not count:
        return {metric: Interval(0.0, 0.0, 0.0) for metric in METRICS}
    generator = np.random.default_rng(_SEED)
    # A sum needs only the number of times that each document is drawn.
    sums = np.concatenate(
        [
            generator.multinomial(count, np.full(count, 1 / count), size=size) @ rows
            for size in _batches(RESAMPLES, count)
        ]
    )
    total = rows.sum(axis=0)
    found = {}
    for metric in METRICS:
        low, high = np.percentile(compute(metric, sums), [2.5, 97.5])
        found[metric] = Interval(float(compute(metric, total)), float(low), float(high))
    return found


def f1_interval(documents: Sequence[Counts]) -> Interval:
    """Return the F-measure of counts by document with its percentile interval."""
    count = len(documents)
    if not count:
        return Interval(0.0, 0.0, 0.0)
    rows = np.array([(2 * each.tp, each.fp + each.fn) for each in documents], np.float64)
    generator = np.random.default_rng(_SEED)
    drawn = np.concatenate(
        [
            generator.multinomial(count, np.full(count, 1 / count), size=size) @ rows
            for size in _batches(RESAMPLES, count)
        ]
    )
    part, whole = drawn[:, 0], drawn.sum(axis=1)
    scores = np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)
    low, high = np.percentile(scores, [2.5, 97.5])
    return Interval(sum(documents, Counts()).f1, float(low), float(high))


def differences(
    gold: Sequence[Record], a: Sequence[Record], b: Sequence[Record]
) -> tuple[Difference, ...]:
    """Test whether system b differs from system a, by approximate randomisation over documents.

    Strict F1, character recall and the share of leaking documents are compared, over the documents
    that all three hold.
    """
    first = {pair.document.id: pair for pair in pair_records(gold, a).pairs}
    second = {pair.document.id: pair for pair in pair_records(gold, b).pairs}
    common = [record_id for record_id in first if record_id in second]
    return _test(
        table([tally(first[record_id]) for record_id in common]),
        table([tally(second[record_id]) for record_id in common]),
    )


def _test(first: Numbers, second: Numbers) -> tuple[Difference, ...]:
    first_total, second_total = first.sum(axis=0), second.sum(axis=0)
    change = second - first
    change = change[change.any(axis=1)]  # swapping documents that do not differ changes nothing
    generator = np.random.default_rng(_SEED)
    moved = np.concatenate(
        [
            generator.integers(0, 2, size=(size, len(change))) @ change
            for size in _batches(SHUFFLES, len(change))
        ]
    )
    tested = []
    for metric in _COMPARED:
        observed = compute(metric, second_total) - compute(metric, first_total)
        shuffled = compute(metric, second_total - moved) - compute(metric, first_total + moved)
        # The margin prevents rounding from separating equal values.
        as_large = int(np.count_nonzero(np.abs(observed) - 1e-12 <= np.abs(shuffled)))
        tested.append(
            Difference(
                metric,
                float(compute(metric, first_total)),
                float(compute(metric, second_total)),
                (as_large + 1) / (SHUFFLES + 1),
            )
        )
    return tuple(tested)


def _batches(total: int, width: int) -> Iterator[int]:
    size = max(1, _CELLS_AT_ONCE // max(1, width))
    for start in range(0, total, size):
        yield min(size, total - start)
