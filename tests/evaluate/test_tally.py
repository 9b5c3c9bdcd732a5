"""What a document adds to the label-blind metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.evaluate.match import pair_records
from veil.evaluate.tally import METRICS, Tally, compute, table, tally

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record


def count(gold: Record, predicted: Record) -> Tally:
    return tally(pair_records([gold], [predicted]).pairs[0])


def test_characters_are_counted_once_and_without_label(record: MakeRecord) -> None:
    """Of eight gold characters six are covered, by two predictions that overlap."""
    found = count(record((0, 8, "PATIENT")), record((0, 4, "CITY"), (2, 6, "AGE"), (10, 12, "AGE")))
    assert (found.gold_characters, found.common_characters) == (8, 6)
    assert found.predicted_characters == 8


def test_a_span_is_covered_by_the_union_of_predictions(record: MakeRecord) -> None:
    """Two predictions that meet inside a gold span cover it, whatever their labels."""
    found = count(record((0, 8, "PATIENT")), record((0, 4, "CITY"), (4, 8, "AGE")))
    assert (found.gold_spans, found.covered_spans, found.leaked_spans) == (1, 1, 0)
    assert found.leaking_documents == 0


def test_white_space_left_over_is_no_leak(record: MakeRecord) -> None:
    """'Ana' and 'Ruiz' hidden apart leave a blank: not covered whole, but nothing leaks."""
    found = count(record((0, 8, "PATIENT")), record((0, 3, "PATIENT"), (4, 8, "PATIENT")))
    assert (found.covered_spans, found.leaked_spans, found.leaking_documents) == (0, 0, 0)


@pytest.mark.parametrize("text", ["Ana Ruiz", "Ana Ruí9", "Ana Rui花"])
def test_one_letter_or_digit_left_over_is_a_leak(record: MakeRecord, text: str) -> None:
    """A single character of any script is a leak of its span and of its document."""
    found = count(record((0, 8, "PATIENT"), text=text), record((0, 7, "PATIENT"), text=text))
    assert (found.leaked_spans, found.leaking_documents) == (1, 1)


def test_extents_with_two_labels_are_one_span(record: MakeRecord) -> None:
    """What leaks once is counted once."""
    found = count(record((0, 8, "PATIENT"), (0, 8, "DOCTOR")), record())
    assert (found.gold_spans, found.leaked_spans) == (1, 1)


def test_metrics_follow_from_sums(record: MakeRecord) -> None:
    """Each metric by hand: one of two spans found, of eight and two characters eight."""
    sums = table([count(record((0, 8, "PATIENT"), (10, 12, "AGE")), record((0, 8, "PATIENT")))])[0]
    found = {metric: float(compute(metric, sums)) for metric in METRICS}
    assert found == {
        "document leak": 1.0,
        "span leak": 0.5,
        "span recall": 0.5,
        "character recall": 0.8,
        "character precision": 1.0,
        "strict f1": 2 / 3,
    }


def test_metrics_of_nothing_are_zero(record: MakeRecord) -> None:
    """An empty text without annotations divides nothing by nothing."""
    sums = table([count(record(text=""), record(text=""))])[0]
    assert {float(compute(metric, sums)) for metric in METRICS} == {0.0}
