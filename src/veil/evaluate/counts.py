"""Counts of hits and errors, and the scores that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


def ratio(part: float, whole: float) -> float:
    """Return part / whole, and 0.0 where there is nothing, as both official scripts do."""
    return part / whole if whole else 0.0


def f_score(precision: float, recall: float) -> float:
    """Return the balanced F-measure, in the official scripts' order of operations."""
    return 2 * ratio(precision * recall, precision + recall)


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    derived: ClassVar = ("precision", "recall", "f1")

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return f_score(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over documents with their population standard deviations; `f1` is that of the means."""

    precision: float
    precision_sd: float
    recall: float
    recall_sd: float

    derived: ClassVar = ("f1",)

    @property
    def f1(self) -> float:
        return f_score(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Scores:
    """One metric over all documents taken together (micro) and document by document (macro)."""

    micro: Counts
    macro: Macro

    @classmethod
    def of(cls, documents: Sequence[Counts]) -> Scores:
        """Sum and average the counts of documents.

        A document with nothing to find and nothing found has precision and recall 0.0, as in the
        i2b2 script: it lowers the macro scores.
        """
        precision, precision_sd = _mean_and_deviation([counts.precision for counts in documents])
        recall, recall_sd = _mean_and_deviation([counts.recall for counts in documents])
        return cls(
            sum(documents, Counts()),
            Macro(precision, precision_sd, recall, recall_sd),
        )


def _mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    # fsum rounds once, so that the order of the documents cannot change a digit.
    mean = ratio(math.fsum(values), len(values))
    variance = ratio(math.fsum((value - mean) ** 2 for value in values), len(values))
    return mean, math.sqrt(variance)
