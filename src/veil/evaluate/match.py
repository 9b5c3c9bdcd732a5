"""Pairs of gold and predicted annotations, the ways to match them, and counts."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from veil.core.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set

    from veil.core.document import Document, Record, Span


def ratio(part: float, whole: float) -> float:
    """Return part / whole, or 0.0 if whole is 0, as both official scripts do."""
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


@dataclass(frozen=True, slots=True)
class Pair:
    """The gold and the predicted annotations of one document."""

    document: Document
    gold: tuple[Span, ...]
    predicted: tuple[Span, ...]

    def only(self, keep: Callable[[str], bool]) -> Pair:
        """Return the pair with only the annotations whose label is kept."""
        return Pair(
            self.document,
            tuple(span for span in self.gold if keep(span.label)),
            tuple(span for span in self.predicted if keep(span.label)),
        )

    def relabelled(self, relabel: Callable[[str], str]) -> Pair:
        """Return the pair with other labels."""
        return Pair(
            self.document,
            tuple(replace(span, label=relabel(span.label)) for span in self.gold),
            tuple(replace(span, label=relabel(span.label)) for span in self.predicted),
        )


@dataclass(frozen=True, slots=True)
class Pairing:
    """The documents of both sides, in gold's order, and the ids that one side lacks.

    Scores are over `pairs` only, as in both official scripts; always show them together with the
    missing ids.
    """

    pairs: tuple[Pair, ...]
    missing_predictions: tuple[str, ...] = ()
    missing_gold: tuple[str, ...] = ()


def pair_records(gold: Sequence[Record], predicted: Sequence[Record]) -> Pairing:
    """Pair records by id; the texts of a pair must be equal, so that offsets are comparable."""
    gold_by_id = _by_id(gold, "gold")
    predicted_by_id = _by_id(predicted, "predicted")
    pairs = []
    for record_id, record in gold_by_id.items():
        other = predicted_by_id.get(record_id)
        if other is None:
            continue
        if record.document.text != other.document.text:
            raise RecordError(
                "the predicted record's text differs from the gold record's, so offsets cannot be "
                "compared; annotate the gold text itself",
                record=record_id,
            )
        pairs.append(Pair(record.document, record.annotations, other.annotations))
    return Pairing(
        tuple(pairs),
        tuple(record_id for record_id in gold_by_id if record_id not in predicted_by_id),
        tuple(record_id for record_id in predicted_by_id if record_id not in gold_by_id),
    )


def _by_id(records: Sequence[Record], side: str) -> dict[str, Record]:
    by_id = {record.id: record for record in records}
    if len(by_id) < len(records):
        twice = Counter(record.id for record in records).most_common(1)[0][0]
        raise RecordError(f"duplicate id among the {side} records", record=twice)
    return by_id


# The i2b2 script takes runs of ASCII letters and digits. These are runs of Unicode ones: the same
# on ASCII text, and "Muñoz" or "山田" are tokens too.
_ALPHANUMERICS = re.compile(r"[^\W_]+")

RELAXED_DISTANCE = 2
"""The number of characters by which ends may differ at the i2b2 script's relaxed level."""


class TokenPiece(NamedTuple):
    """A token of an annotation."""

    start: int
    end: int
    label: str


def count_common(gold: Set[Hashable], predicted: Set[Hashable]) -> Counts:
    """Compare two sets."""
    common = len(gold & predicted)
    return Counts(common, len(predicted) - common, len(gold) - common)


def count_strict(pair: Pair) -> Counts:
    """Same start, end and label.

    The i2b2 script compares the family (its XML element) as well; it follows from the label.
    """
    return count_common({span.key for span in pair.gold}, {span.key for span in pair.predicted})


def count_extents(pair: Pair) -> Counts:
    """Same start and end, whatever the label."""
    return count_common(
        {(span.start, span.end) for span in pair.gold},
        {(span.start, span.end) for span in pair.predicted},
    )


def count_relaxed(pair: Pair) -> Counts:
    """Same start and label, ends at most two characters apart, as the i2b2 script counts them.

    The script puts annotations into sets whose equality is not transitive: 0-4, 0-6 and 0-8 are
    pairwise near, near and apart. So a set keeps an annotation if it holds nothing near it yet;
    the true positives are the members of the smaller set (the predicted one if both are as large)
    that have a near one in the other; and tp + fp may exceed what was predicted.
    """
    gold = _Relaxed(pair.gold)
    predicted = _Relaxed(pair.predicted)
    fn = sum(not predicted.has_near(span) for span in gold.members)
    fp = sum(not gold.has_near(span) for span in predicted.members)
    if len(gold.members) < len(predicted.members):
        return Counts(len(gold.members) - fn, fp, fn)
    return Counts(len(predicted.members) - fp, fp, fn)


class _Relaxed:
    """The annotations that a set with the script's relaxed equality keeps."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.members: list[Span] = []
        self._ends: dict[tuple[int, str], list[int]] = {}
        for span in spans:
            if not self.has_near(span):
                self.members.append(span)
                self._ends.setdefault((span.start, span.label), []).append(span.end)

    def has_near(self, span: Span) -> bool:
        ends = self._ends.get((span.start, span.label), ())
        return any(abs(span.end - end) <= RELAXED_DISTANCE for end in ends)


def pieces(text: str, spans: Iterable[Span]) -> Iterator[TokenPiece]:
    """Yield the alphanumeric pieces of each annotation's text.

    An annotation without any has one empty piece at its end, as in the i2b2 script.
    """
    for span in spans:
        end = None
        for match in _ALPHANUMERICS.finditer(text, span.start, span.end):
            end = match.end()
            yield TokenPiece(match.start(), end, span.label)
        if end is None:
            yield TokenPiece(span.end, span.end, span.label)


def count_tokens(pair: Pair) -> Counts:
    """The pieces of the annotations with their labels, as the i2b2 script counts them."""
    text = pair.document.text
    return count_common({*pieces(text, pair.gold)}, {*pieces(text, pair.predicted)})


def count_token_extents(pair: Pair) -> Counts:
    """The pieces of the annotations, whatever the label."""
    text = pair.document.text
    return count_common(
        {(piece.start, piece.end) for piece in pieces(text, pair.gold)},
        {(piece.start, piece.end) for piece in pieces(text, pair.predicted)},
    )
