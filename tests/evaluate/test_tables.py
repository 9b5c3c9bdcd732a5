"""Scores by label, by family, of PHI against the rest, and of names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from veil.core.document import Record, Span, Spans
from veil.core.labels import scheme
from veil.evaluate.match import Counts, pair_records
from veil.evaluate.metrics import score_families, score_labels, score_names, score_two_way

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord


def test_labels_are_scored_apart(record: MakeRecord) -> None:
    """A wrong type is missing from its own label and spurious in the other."""
    gold = record((0, 8, "PATIENT"), (32, 35, "DOCTOR"))
    predicted = record((0, 6, "PATIENT"), (32, 35, "PATIENT"))
    rows = {row.label: row for row in score_labels(pair_records([gold], [predicted]).pairs)}
    assert list(rows) == ["DOCTOR", "PATIENT"]
    assert rows["DOCTOR"].strict == Counts(fn=1)
    assert rows["PATIENT"].strict == Counts(fp=2, fn=1)
    assert rows["PATIENT"].relaxed == Counts(tp=1, fp=1)
    assert (rows["DOCTOR"].support, rows["PATIENT"].support) == (1, 1)


def test_a_family_counts_its_types_as_one(record: MakeRecord) -> None:
    """A doctor's name found as a patient's is a name found."""
    gold = record((0, 8, "PATIENT"), (32, 35, "DOCTOR"))
    predicted = record((0, 8, "PATIENT"), (32, 35, "PATIENT"))
    pairs = pair_records([gold], [predicted]).pairs
    (row,) = score_families(pairs, scheme=scheme("i2b2-2014"))
    assert (row.label, row.support, row.strict) == ("NAME", 2, Counts(tp=2))
    assert score_families(pairs, scheme=None) == ()


def test_two_way_ignores_the_label(record: MakeRecord) -> None:
    """By annotation the extent counts, by token each piece; no empty token at offset 0."""
    gold = record((0, 8, "PATIENT"), (32, 35, "DOCTOR"))
    predicted = record((0, 3, "DOCTOR"), (32, 35, "PATIENT"))
    scores = score_two_way(pair_records([gold], [predicted]).pairs)
    assert scores.instance == Counts(tp=1, fp=1, fn=1)
    assert scores.token == Counts(tp=2, fn=1)


def test_names_are_scored_by_their_labels(record: MakeRecord) -> None:
    """First and last names apart; a last name found as a first name is wrong in both."""
    gold = record((0, 3, "FIRST_NAME"), (4, 8, "LAST_NAME"), (32, 35, "LAST_NAME"))
    predicted = record((0, 3, "FIRST_NAME"), (4, 8, "FIRST_NAME"), (10, 12, "AGE"))
    pairs = pair_records([gold], [predicted]).pairs
    for known in (scheme("stockholm"), None):
        scores = score_names(pairs, scheme=known)
        assert scores is not None
        assert scores.first == Counts(tp=1, fp=1)
        assert scores.last == Counts(fn=2)
        assert scores.total == Counts(tp=1, fp=1, fn=2)


def test_names_are_scored_by_their_parts(record: MakeRecord) -> None:
    """A span that says which part of a name it is needs no label for it."""
    whole = record()
    first, last = Span(0, 3, "PATIENT", part="first"), Span(4, 8, "PATIENT", part="last")
    gold = Record(whole.document, Spans(whole.document, [first, last]))
    predicted = Record(whole.document, Spans(whole.document, [first, replace(last, end=7)]))
    scores = score_names(pair_records([gold], [predicted]).pairs)
    assert scores is not None
    assert scores.first == Counts(tp=1)
    assert scores.last == Counts(fp=1, fn=1)


def test_names_need_a_part(record: MakeRecord) -> None:
    """Where neither side tells first from last names there are no such scores."""
    pairs = pair_records([record((0, 8, "PATIENT"))], [record((0, 8, "PATIENT"))]).pairs
    assert score_names(pairs) is None
