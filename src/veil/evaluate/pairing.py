"""Gold and predicted records brought together by id."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Document, Record, Span


@dataclass(frozen=True, slots=True)
class Pair:
    """The gold and the predicted annotations of one document."""

    document: Document
    gold: tuple[Span, ...]
    predicted: tuple[Span, ...]

    def only(self, keep: Callable[[str], bool]) -> Pair:
        """Return the pair without the annotations whose label is not to be kept."""
        return Pair(
            self.document,
            tuple(span for span in self.gold if keep(span.label)),
            tuple(span for span in self.predicted if keep(span.label)),
        )


@dataclass(frozen=True, slots=True)
class Pairing:
    """The documents that both sides hold, in gold's order, and the ids that one side lacks.

    Scores are over `pairs` alone, as in both official scripts: whoever shows them must also show
    the ids that are missing.
    """

    pairs: tuple[Pair, ...]
    missing_predictions: tuple[str, ...] = ()
    missing_gold: tuple[str, ...] = ()


def pair_records(gold: Sequence[Record], predicted: Sequence[Record]) -> Pairing:
    """Pair records by id; the texts of a pair must be the same, or offsets would mean nothing."""
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
        raise RecordError(f"this id comes twice among the {side} records", record=twice)
    return by_id
