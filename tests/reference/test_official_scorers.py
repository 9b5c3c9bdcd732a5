"""The scorers against second implementations, written from the official definitions by brute force.

The i2b2 one uses Python sets with the public script's non-transitive equality; the MEDDOCAN one
compares every extent with every other. Counts must agree to the last digit.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil.core.document import Document, Record, Span, Spans
from veil.core.labels import scheme
from veil.evaluate.match import Counts, pair_records
from veil.evaluate.metrics import score_i2b2, score_meddocan

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from veil.evaluate.match import Scores

LABELS = ("PATIENT", "DOCTOR", "DATE", "IDNUM")
# The HIPAA patterns of the script, of those labels.
HIPAA = {"PATIENT", "DATE"}


class Exact:
    """An annotation as the script compares it at its strict level."""

    def __init__(self, span: Span) -> None:
        self.span = span

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and self.span.key == other.span.key

    def __hash__(self) -> int:
        return hash(self.span.key)


class NearEnd(Exact):
    """An annotation as the script compares it at its relaxed level: the hash leaves the end out."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NearEnd)
            and (self.span.start, self.span.label) == (other.span.start, other.span.label)
            and abs(self.span.end - other.span.end) <= 2
        )

    def __hash__(self) -> int:
        return hash((self.span.start, self.span.label))


def compare_sets(gold: set[Hashable], predicted: set[Hashable]) -> tuple[int, int, int]:
    """The script's three set operations, element by element, as Python 2 carried them out."""
    return (
        len(gold.intersection(predicted)),
        len([one for one in predicted if one not in gold]),
        len([one for one in gold if one not in predicted]),
    )


def script_tokens(record: Record, spans: Sequence[Span]) -> set[Hashable]:
    """Walk each annotation's characters; one without a letter or digit adds an empty token."""
    tokens: set[Hashable] = set()
    text = record.document.text
    for span in spans:
        start: int | None = None
        is_empty = True
        for position in range(span.start, span.end + 1):
            inside = position < span.end and text[position].isascii() and text[position].isalnum()
            if inside and start is None:
                start = position
            if not inside and start is not None:
                tokens.add((span.label, start, position))
                start = None
                is_empty = False
        if is_empty:
            tokens.add((span.label, span.end, span.end))
    return tokens


def merged_counts(gold: Record, predicted: Record) -> tuple[int, int, int]:
    def joined(record: Record) -> list[tuple[int, int]]:
        extents = sorted((span.start, span.end) for span in record.annotations)
        runs: list[list[tuple[int, int]]] = []
        for extent in extents:
            gap = record.document.text[runs[-1][-1][1] : extent[0]] if runs else ""
            if runs and all(not character.isalnum() for character in gap):
                runs[-1].append(extent)
            else:
                runs.append([extent])
        return [(run[0][0], run[-1][1]) for run in runs]

    gold_extents = {(span.start, span.end) for span in gold.annotations}
    predicted_extents = {(span.start, span.end) for span in predicted.annotations}
    shared = {extent for extent in gold_extents if extent in predicted_extents}
    shared |= {extent for extent in joined(gold) if extent in joined(predicted)}

    def errors(own: set[tuple[int, int]], other: set[tuple[int, int]]) -> int:
        count = 0
        for start, end in own:
            inside = [one for one in shared if one[0] <= start and end <= one[1]]
            count += (start, end) not in other and not inside
        return count

    return (
        len(shared),
        errors(predicted_extents, gold_extents),
        errors(gold_extents, predicted_extents),
    )


@st.composite
def spans_of(draw: st.DrawFn, length: int) -> list[Span]:
    if not length:
        return []
    # Few starts, so that annotations with one start and near ends are common.
    start = st.sampled_from([0, min(length - 1, 5)]) | st.integers(0, length - 1)
    label = st.just(LABELS[0]) | st.sampled_from(LABELS)
    spans = []
    for _ in range(draw(st.integers(0, 7))):
        first = draw(start)
        last = min(length, first + draw(st.integers(1, 9)))
        spans.append(Span(first, last, draw(label)))
    return spans


@st.composite
def corpora_of_two(draw: st.DrawFn) -> tuple[list[Record], list[Record]]:
    gold, predicted = [], []
    for number in range(draw(st.integers(1, 4))):
        text = draw(st.text(st.sampled_from("aB3 .,-_\n"), max_size=24))
        doc = Document(str(number), text)
        gold_spans = draw(spans_of(len(text)))
        kept = [span for span in gold_spans if draw(st.booleans())]
        others = draw(spans_of(len(text)))
        gold.append(Record(doc, Spans(doc), tuple(gold_spans)))
        predicted.append(Record(doc, Spans(doc), (*kept, *others)))
    return gold, predicted


Corpora = tuple[list[Record], list[Record]]


def check(
    scores: Scores, corpora: Corpora, count: Callable[[Record, Record], tuple[int, int, int]]
) -> None:
    counts = [count(*records) for records in zip(*corpora, strict=True)]
    tp, fp, fn = (sum(column) for column in zip(*counts, strict=True))
    assert scores.micro == Counts(tp, fp, fn)
    precisions = [tp / (tp + fp) if tp + fp else 0.0 for tp, fp, fn in counts]
    recalls = [tp / (tp + fn) if tp + fn else 0.0 for tp, fp, fn in counts]
    assert scores.macro.precision == pytest.approx(statistics.fmean(precisions), abs=1e-15)
    assert scores.macro.recall == pytest.approx(statistics.fmean(recalls), abs=1e-15)
    assert scores.macro.precision_sd == pytest.approx(statistics.pstdev(precisions), abs=1e-12)
    assert scores.macro.recall_sd == pytest.approx(statistics.pstdev(recalls), abs=1e-12)


@settings(max_examples=200)
@given(corpora_of_two())
def test_i2b2_agrees_with_the_definitions(corpora: Corpora) -> None:
    """Strict, relaxed and token counts, over all and over HIPAA types, are the script's."""
    scores = score_i2b2(pair_records(*corpora).pairs, scheme=scheme("i2b2-2014"))
    assert scores.hipaa is not None
    for levels, labels in ((scores.all, set(LABELS)), (scores.hipaa, HIPAA)):

        def kept(record: Record, labels: set[str] = labels) -> list[Span]:
            return [span for span in record.annotations if span.label in labels]

        check(
            levels.strict,
            corpora,
            lambda gold, predicted: compare_sets(
                set(map(Exact, kept(gold))), set(map(Exact, kept(predicted)))
            ),
        )
        check(
            levels.relaxed,
            corpora,
            lambda gold, predicted: compare_sets(
                set(map(NearEnd, kept(gold))), set(map(NearEnd, kept(predicted)))
            ),
        )
        check(
            levels.token,
            corpora,
            lambda gold, predicted: compare_sets(
                script_tokens(gold, kept(gold)), script_tokens(predicted, kept(predicted))
            ),
        )


@settings(max_examples=200)
@given(corpora_of_two())
def test_meddocan_agrees_with_the_definitions(corpora: Corpora) -> None:
    """Subtask 1 and both modes of subtask 2 are the script's, and so is the leak."""
    scores = score_meddocan(pair_records(*corpora).pairs, sentences=lambda doc: len(doc.text))
    check(
        scores.subtask1,
        corpora,
        lambda gold, predicted: compare_sets(
            {(span.label, span.start, span.end) for span in gold.annotations},
            {(span.label, span.start, span.end) for span in predicted.annotations},
        ),
    )
    check(
        scores.subtask2_strict,
        corpora,
        lambda gold, predicted: compare_sets(
            {(span.start, span.end) for span in gold.annotations},
            {(span.start, span.end) for span in predicted.annotations},
        ),
    )
    check(scores.subtask2_merged, corpora, merged_counts)
    sentences = sum(len(record.document.text) for record in corpora[0])
    assert scores.leak == (scores.subtask1.micro.fn / sentences if sentences else 0.0)
