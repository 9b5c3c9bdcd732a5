"""The MEDDOCAN metrics, as the track's official script counts them.

Marimon et al. 2019; the script is github.com/PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.evaluate.counts import Counts, Scores, ratio
from veil.evaluate.match import count_extents, count_strict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from veil.core.document import Document, Span
    from veil.evaluate.pairing import Pair

    SentenceCounts = Mapping[str, int] | Callable[[Document], int]

Extent = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MeddocanScores:
    """Subtask 1, and subtask 2 in its two modes.

    `leak` is false negatives of subtask 1 a sentence; None where a document's sentences are not
    known (the script prints NA).
    """

    subtask1: Scores
    leak: float | None
    subtask2_strict: Scores
    subtask2_merged: Scores


def score_meddocan(
    pairs: Sequence[Pair], *, sentences: SentenceCounts | None = None
) -> MeddocanScores:
    """Score as the MEDDOCAN script; `sentences` maps an id to its count, or counts a document's."""
    subtask1 = Scores.of([count_strict(pair) for pair in pairs])
    counts = [_sentence_count(pair.document, sentences) for pair in pairs]
    known = [count for count in counts if count is not None]
    return MeddocanScores(
        subtask1=subtask1,
        leak=ratio(subtask1.micro.fn, sum(known)) if len(known) == len(counts) else None,
        subtask2_strict=Scores.of([count_extents(pair) for pair in pairs]),
        subtask2_merged=Scores.of([count_merged(pair) for pair in pairs]),
    )


def _sentence_count(doc: Document, sentences: SentenceCounts | None) -> int | None:
    if sentences is None:
        return None
    return sentences.get(doc.id) if isinstance(sentences, Mapping) else sentences(doc)


def count_merged(pair: Pair) -> Counts:
    """Extents, those included that match once their neighbours are joined to them.

    A joined extent that both sides share is one true positive however many annotations it holds.
    """
    gold = {(span.start, span.end) for span in pair.gold}
    predicted = {(span.start, span.end) for span in pair.predicted}
    text = pair.document.text
    shared = gold & predicted | merge(text, pair.gold) & merge(text, pair.predicted)
    return Counts(
        len(shared),
        sum(not _is_inside(extent, shared) for extent in predicted - gold),
        sum(not _is_inside(extent, shared) for extent in gold - predicted),
    )


def merge(text: str, spans: Iterable[Span]) -> set[Extent]:
    """Join annotations with no alphanumeric character between them.

    As in the script, a joined extent ends where its last annotation ends, even if an earlier one
    reaches further.
    """
    merged: list[Extent] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and not any(map(str.isalnum, text[merged[-1][1] : start])):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return set(merged)


def _is_inside(extent: Extent, containers: Iterable[Extent]) -> bool:
    return any(start <= extent[0] and extent[1] <= end for start, end in containers)
