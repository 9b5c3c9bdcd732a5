"""An evaluation as one HTML page."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import printable
from veil.evaluate.errors import EXTENT_ERRORS, KINDS, Error
from veil.evaluate.match import ratio
from veil.evaluate.tally import cover
from veil.evaluate.terminal import difference_rows
from veil.render import render_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Record
    from veil.evaluate.summary import Evaluation

MOST_ERRORS = 2_000
_MOST_DOCUMENTS = 50
_MEANINGS = {
    "missing": "in the gold standard, not found at all",
    "extent": "found with wrong offsets, under its label or another",
    "type": "found with the right offsets under another label",
    "spurious": "found, but nothing of it is in the gold standard",
}
_CONTEXT = 60
_LONGEST_EXCERPT = 400
_MARKS = {
    (True, True): ("both", "identifying and found"),
    (True, False): ("gold", "identifying, not found"),
    (False, True): ("predicted", "found, but not identifying"),
}


def html_report(
    evaluation: Evaluation, gold: Sequence[Record], predicted: Sequence[Record], *, title: str
) -> str:
    """Return the page. It contains text around errors: protect it like the records."""
    analysis = evaluation.analysis
    counts = analysis.by_kind()
    leaks = Counter(error.kind for error in analysis.errors if error.leak)
    ranked = sorted(analysis.errors, key=lambda error: (not error.leak, KINDS.index(error.kind)))
    shown = ranked[:MOST_ERRORS]
    kinds = Counter(error.kind for error in shown)
    return "".join(
        render_page(
            "evaluation",
            title=title,
            evaluation=evaluation,
            leaking=[
                (printable(record_id), count)
                for record_id, count in evaluation.protection.leaking[:_MOST_DOCUMENTS]
            ],
            differences=difference_rows(evaluation),
            kinds=[
                {
                    "name": kind,
                    "meaning": _MEANINGS[kind],
                    "count": counts[kind],
                    "share": ratio(counts[kind], sum(counts.values())),
                    "leaks": leaks[kind],
                }
                for kind in KINDS
            ],
            offset_header=["label", *EXTENT_ERRORS],
            wrong_offsets=[
                (label, *by_extent.values())
                for label, by_extent in analysis.extents_by_label().items()
            ],
            errors=_error_views(shown, gold, predicted),
            error_count=len(ranked),
            filters=[
                ("all", "all", len(shown)),
                ("leak", "leaks", sum(error.leak for error in shown)),
                *((kind, kind, kinds[kind]) for kind in KINDS),
            ],
            labels=sorted({label for error in shown for label in _labels(error)}),
        )
    )


class _Piece(NamedTuple):
    text: str
    mark: str = ""
    title: str = ""


def _error_views(
    errors: Sequence[Error], gold: Sequence[Record], predicted: Sequence[Record]
) -> list[dict[str, object]]:
    """The errors for the page."""
    gold_by_id = {record.id: record for record in gold}
    predicted_by_id = {record.id: record for record in predicted}

    @cache
    def covers(record_id: str) -> tuple[str, bytearray, bytearray]:
        doc = gold_by_id[record_id].document
        annotations = gold_by_id[record_id].annotations, predicted_by_id[record_id].annotations
        return doc.text, cover(doc, annotations[0]), cover(doc, annotations[1])

    return [
        {
            "document": printable(error.document),
            **{name: getattr(error, name) for name in ("kind", "extent", "leak", "start", "end")},
            "labels": _labels(error),
            "excerpt": _excerpt(error, *covers(error.document)),
        }
        for error in errors
    ]


def _labels(error: Error) -> list[str]:
    return [span.label for span in (error.gold, error.predicted) if span]


def _excerpt(error: Error, text: str, gold: bytearray, predicted: bytearray) -> list[_Piece]:
    """Return the error with some characters before and after it; gold and predicted are marked."""
    start = max(0, error.start - _CONTEXT)
    end = min(len(text), error.end + _CONTEXT, start + _LONGEST_EXCERPT)
    spans = [span for span in (error.gold, error.predicted) if span]

    def state(offset: int) -> tuple[bool, bool, bool]:
        in_error = any(span.start <= offset < span.end for span in spans)
        return bool(gold[offset]), bool(predicted[offset]), in_error

    pieces = [_Piece("… ")] if 0 < start else []
    for (is_gold, is_predicted, in_error), group in groupby(range(start, end), state):
        offsets = list(group)
        piece = text[offsets[0] : offsets[-1] + 1]
        if is_gold or is_predicted:
            mark, title = _MARKS[is_gold, is_predicted]
            pieces.append(_Piece(piece, mark if in_error else f"{mark} near", title))
        else:
            pieces.append(_Piece(piece))
    return [*pieces, _Piece(" …")] if end < len(text) else pieces
