"""The contribution of one document to each metric with an interval, as summable numbers.

Intervals and significance draw documents; a metric of a draw is a function of the draw's sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from veil.evaluate.match import count_strict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from veil.core.document import Document, Span
    from veil.evaluate.match import Pair

    Numbers = npt.NDArray[np.float64]

Metric = Literal[
    "document leak",
    "span leak",
    "span recall",
    "character recall",
    "character precision",
    "strict f1",
]
METRICS: tuple[Metric, ...] = get_args(Metric)
# The two numbers of a tally whose ratio is the metric.
SHARES: Mapping[Metric, tuple[str, str]] = {
    "document leak": ("leaking_documents", "documents"),
    "span leak": ("leaked_spans", "gold_spans"),
    "span recall": ("covered_spans", "gold_spans"),
    "character recall": ("common_characters", "gold_characters"),
    "character precision": ("common_characters", "predicted_characters"),
}


class Tally(NamedTuple):
    """The numbers of one document. `gold_spans` and numbers derived from it count extents once."""

    documents: int
    leaking_documents: int
    gold_spans: int
    covered_spans: int
    leaked_spans: int
    gold_characters: int
    predicted_characters: int
    common_characters: int
    strict_tp: int
    strict_fp: int
    strict_fn: int


def tally(pair: Pair) -> Tally:
    """Count one document."""
    doc = pair.document
    gold = cover(doc, pair.gold)
    predicted = cover(doc, pair.predicted)
    extents = {(span.start, span.end) for span in pair.gold}
    leaked = sum(leaks(doc, predicted, start, end) for start, end in extents)
    strict = count_strict(pair)
    return Tally(
        documents=1,
        leaking_documents=int(leaked > 0),
        gold_spans=len(extents),
        covered_spans=sum(predicted.find(0, start, end) < 0 for start, end in extents),
        leaked_spans=leaked,
        gold_characters=gold.count(1),
        predicted_characters=predicted.count(1),
        common_characters=int(
            np.count_nonzero(np.frombuffer(gold, np.uint8) & np.frombuffer(predicted, np.uint8))
        ),
        strict_tp=strict.tp,
        strict_fp=strict.fp,
        strict_fn=strict.fn,
    )


def cover(doc: Document, spans: Iterable[Span]) -> bytearray:
    """Return a byte for each character: 1 where a span covers it."""
    covered = bytearray(len(doc.text))
    for span in spans:
        end = min(span.end, len(covered))
        covered[span.start : end] = b"\1" * (end - span.start)
    return covered


def leaks(doc: Document, covered: bytearray, start: int, end: int) -> bool:
    """Whether a letter or digit of a gold span stays readable.

    White space and punctuation beside masked text do not identify anyone.
    """
    return covered.find(0, start, end) >= 0 and any(
        not hidden and character.isalnum()
        for hidden, character in zip(covered[start:end], doc.text[start:end], strict=True)
    )


def table(tallies: Sequence[Tally]) -> Numbers:
    """Return the tallies as rows of an array."""
    return np.array(tallies, dtype=np.float64).reshape(len(tallies), len(Tally._fields))


def compute(metric: Metric, sums: Numbers) -> Numbers:
    """Return a metric from sums of tallies, which lie along the last axis; 0/0 is 0."""
    column = dict(zip(Tally._fields, np.moveaxis(sums, -1, 0), strict=True))
    if metric in SHARES:
        part, whole = (column[name] for name in SHARES[metric])
    else:
        part = 2 * column["strict_tp"]
        whole = part + column["strict_fp"] + column["strict_fn"]
    return np.asarray(np.divide(part, whole, out=np.zeros_like(part), where=whole != 0))
