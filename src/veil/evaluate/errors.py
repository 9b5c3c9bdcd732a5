"""The errors, in the groups of wi-deid-2015 (section 3.4, tables 6 to 8)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from veil.evaluate.tally import cover, leaks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from veil.core.document import Span
    from veil.evaluate.match import Pair

Kind = Literal["missing", "extent", "type", "spurious"]
KINDS: tuple[Kind, ...] = ("missing", "extent", "type", "spurious")
ExtentError = Literal["short", "long", "short and long"]
EXTENT_ERRORS: tuple[ExtentError, ...] = ("short", "long", "short and long")


@dataclass(frozen=True, slots=True)
class Error:
    """One error: its place and labels, and whether a letter or digit of gold stays readable."""

    document: str
    kind: Kind
    gold: Span | None
    predicted: Span | None
    leak: bool

    derived: ClassVar = ("extent",)

    @property
    def extent(self) -> ExtentError | None:
        """The kind of wrong extent: short is inside gold, long contains gold."""
        if self.kind != "extent" or self.gold is None or self.predicted is None:
            return None
        if self.gold.start <= self.predicted.start and self.predicted.end <= self.gold.end:
            return "short"
        if self.predicted.start <= self.gold.start and self.gold.end <= self.predicted.end:
            return "long"
        return "short and long"

    @property
    def start(self) -> int:
        return min(span.start for span in (self.gold, self.predicted) if span)

    @property
    def end(self) -> int:
        return max(span.end for span in (self.gold, self.predicted) if span)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of gold labels by predicted label, for equal extents (table 7).

    With the margins, a row sums to the gold annotations and a column to the predicted annotations
    of its label.
    """

    cells: Mapping[tuple[str, str], int]
    missing: Mapping[str, int]
    spurious: Mapping[str, int]
    gold_extent: Mapping[str, int]
    predicted_extent: Mapping[str, int]

    @property
    def labels(self) -> tuple[str, ...]:
        seen = {label for pair in self.cells for label in pair}
        margins = (self.missing, self.spurious, self.gold_extent, self.predicted_extent)
        return tuple(sorted(seen.union(*margins)))


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """All errors in the order of the documents, and the confusion matrix."""

    errors: tuple[Error, ...]
    confusion: Confusion

    def by_kind(self) -> dict[Kind, int]:
        """Table 6."""
        counts = Counter(error.kind for error in self.errors)
        return {kind: counts[kind] for kind in KINDS}

    def extents_by_label(self) -> dict[str, dict[ExtentError, int]]:
        """Table 8: predicted annotations with a wrong extent, by their own label.

        The paper's row sums equal its predicted annotations less the columns of its table 7: it
        counts each prediction once, however many gold annotations it overlaps.
        """
        seen: set[tuple[str, tuple[int, int, str]]] = set()
        counts: Counter[tuple[str, ExtentError]] = Counter()
        for error in self.errors:
            if error.predicted and error.extent:
                key = (error.document, error.predicted.key)
                if key not in seen:
                    counts[error.predicted.label, error.extent] += 1
                seen.add(key)
        labels = sorted({label for label, _ in counts})
        return {
            label: {extent: counts[label, extent] for extent in EXTENT_ERRORS} for label in labels
        }


def analyse(pairs: Sequence[Pair]) -> ErrorAnalysis:
    """Find the errors of all documents, and count the confusions of labels."""
    cells: Counter[tuple[str, str]] = Counter()
    errors: list[Error] = []
    for pair in pairs:
        same_extent, document_errors = _align(pair)
        cells.update(same_extent)
        errors += document_errors
    # An annotation may be part of two extent errors; the margins count it once.
    wrong_extent = [error for error in errors if error.kind == "extent"]
    gold = {(error.document, error.gold.key) for error in wrong_extent if error.gold}
    predicted = {(error.document, error.predicted.key) for error in wrong_extent if error.predicted}
    return ErrorAnalysis(
        tuple(errors),
        Confusion(
            cells=dict(sorted(cells.items())),
            missing=_count(
                error.gold.label for error in errors if error.gold and not error.predicted
            ),
            spurious=_count(
                error.predicted.label for error in errors if error.predicted and not error.gold
            ),
            gold_extent=_count(label for _, (_, _, label) in gold),
            predicted_extent=_count(label for _, (_, _, label) in predicted),
        ),
    )


def _count(labels: Iterable[str]) -> dict[str, int]:
    """Count labels in an order that is independent of the hash seed."""
    return dict(sorted(Counter(labels).items()))


def _align(pair: Pair) -> tuple[list[tuple[str, str]], list[Error]]:
    """Align one document; return the pairs of labels with the same extent, and the errors.

    Matches are the same extent with the same label, then the same extent, then an overlap: each
    remaining annotation is matched with the one that shares most characters with it, preferably of
    the same label, then the earlier one. All others are missing or spurious.
    """
    gold = {span.key: span for span in sorted(pair.gold, key=lambda span: span.key)}
    predicted = {span.key: span for span in sorted(pair.predicted, key=lambda span: span.key)}
    correct = gold.keys() & predicted.keys()
    gold_left = [span for key, span in gold.items() if key not in correct]
    predicted_left = [span for key, span in predicted.items() if key not in correct]

    found: list[tuple[Kind, Span | None, Span | None]] = []
    for gold_span, predicted_span in _same_extent(gold_left, predicted_left):
        found.append(("type", gold_span, predicted_span))
        gold_left.remove(gold_span)
        predicted_left.remove(predicted_span)
    same_extent = [(label, label) for _, _, label in correct]
    same_extent += [(one.label, other.label) for _, one, other in found if one and other]

    paired_gold: set[tuple[int, int, str]] = set()
    for span in predicted_left:
        partner = _most_overlapping(span, gold_left)
        if partner:
            paired_gold.add(partner.key)
        found.append(("extent" if partner else "spurious", partner, span))
    for span in gold_left:
        if span.key not in paired_gold:
            partner = _most_overlapping(span, predicted_left)
            found.append(("extent" if partner else "missing", span, partner))

    doc = pair.document
    covered = cover(doc, pair.predicted)
    errors = [
        Error(doc.id, kind, one, other, one is not None and leaks(doc, covered, one.start, one.end))
        for kind, one, other in found
    ]
    return same_extent, sorted(errors, key=lambda error: (error.start, error.end))


def _same_extent(gold: Sequence[Span], predicted: Sequence[Span]) -> list[tuple[Span, Span]]:
    by_extent: dict[tuple[int, int], list[Span]] = {}
    for span in predicted:
        by_extent.setdefault((span.start, span.end), []).append(span)
    pairs = []
    for span in gold:
        candidates = by_extent.get((span.start, span.end))
        if candidates:
            pairs.append((span, candidates.pop(0)))
    return pairs


def _most_overlapping(span: Span, others: Sequence[Span]) -> Span | None:
    def overlap(other: Span) -> int:
        return min(span.end, other.end) - max(span.start, other.start)

    near = [other for other in others if overlap(other) > 0]
    same_label = [other for other in near if other.label == span.label]
    return max(same_label or near, key=overlap, default=None)
