"""The error analysis of wi-deid-2015."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.evaluate.errors import analyse
from veil.evaluate.match import pair_records

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record
    from veil.evaluate.errors import ErrorAnalysis


def analysis(gold: Record, predicted: Record) -> ErrorAnalysis:
    return analyse(pair_records([gold], [predicted]).pairs)


def test_each_kind_is_told_apart(record: MakeRecord) -> None:
    """One hit, one wrong type, one wrong extent, one miss and one spurious annotation."""
    gold = record((0, 8, "PATIENT"), (10, 12, "AGE"), (22, 26, "CITY"), (46, 54, "DATE"))
    predicted = record((0, 8, "PATIENT"), (10, 12, "DATE"), (48, 54, "DATE"), (65, 68, "PHONE"))
    found = analysis(gold, predicted)
    assert [error.kind for error in found.errors] == ["type", "missing", "extent", "spurious"]
    assert [error.leak for error in found.errors] == [False, True, True, False]
    assert found.by_kind() == {"missing": 1, "extent": 1, "type": 1, "spurious": 1}
    assert found.confusion.cells == {("PATIENT", "PATIENT"): 1, ("AGE", "DATE"): 1}
    assert found.confusion.missing == {"CITY": 1}
    assert found.confusion.spurious == {"PHONE": 1}
    assert found.confusion.gold_extent == found.confusion.predicted_extent == {"DATE": 1}
    assert found.confusion.labels == ("AGE", "CITY", "DATE", "PATIENT", "PHONE")


@pytest.mark.parametrize(
    ("start", "end", "extent"),
    [
        (48, 54, "short"),
        (46, 50, "short"),
        (48, 50, "short"),
        (43, 54, "long"),
        (46, 56, "long"),
        (43, 56, "long"),
        (43, 50, "short and long"),
        (48, 56, "short and long"),
    ],
)
def test_extents_are_short_long_or_both(
    record: MakeRecord, start: int, end: int, extent: str
) -> None:
    """Short lies inside gold, long holds it, both does neither."""
    found = analysis(record((46, 54, "DATE")), record((start, end, "DATE")))
    (error,) = found.errors
    assert (error.kind, error.extent) == ("extent", extent)
    assert {key: n for key, n in found.extents_by_label()["DATE"].items() if n} == {extent: 1}


def test_the_pieces_of_a_gold_span_are_all_wrong_extents(record: MakeRecord) -> None:
    """'Ana' and 'Ruiz' for 'Ana Ruiz' are two short ones, and the gold span is counted once."""
    found = analysis(record((0, 8, "PATIENT")), record((0, 3, "PATIENT"), (4, 8, "PATIENT")))
    assert [error.extent for error in found.errors] == ["short", "short"]
    assert not any(error.leak for error in found.errors)
    assert found.confusion.gold_extent == {"PATIENT": 1}
    assert found.confusion.predicted_extent == {"PATIENT": 2}


def test_a_prediction_over_two_gold_spans_makes_neither_missing(record: MakeRecord) -> None:
    """It is too long for each; it is counted once."""
    found = analysis(record((0, 3, "PATIENT"), (4, 8, "PATIENT")), record((0, 8, "PATIENT")))
    assert [error.extent for error in found.errors] == ["long", "long"]
    assert found.confusion.predicted_extent == {"PATIENT": 1}
    assert found.confusion.gold_extent == {"PATIENT": 2}


def test_the_larger_overlap_decides(record: MakeRecord) -> None:
    """A prediction goes with the gold span of its label that shares most characters with it."""
    found = analysis(record((0, 8, "A"), (10, 20, "A")), record((0, 5, "A"), (6, 18, "A")))
    extents = [
        (error.gold.start, error.predicted.start)
        for error in found.errors
        if error.gold and error.predicted
    ]
    assert extents == [(0, 0), (10, 6)]


def test_another_label_on_another_extent_is_an_extent_error(record: MakeRecord) -> None:
    """It counts under the predicted label, and the gold span is not missing."""
    found = analysis(record((0, 3, "PATIENT")), record((0, 8, "CITY")))
    assert [(error.kind, error.extent) for error in found.errors] == [("extent", "long")]
    assert found.extents_by_label() == {"CITY": {"short": 0, "long": 1, "short and long": 0}}
    assert found.confusion.gold_extent == {"PATIENT": 1}
    assert found.confusion.predicted_extent == {"CITY": 1}
    assert found.confusion.labels == ("CITY", "PATIENT")


def test_the_same_label_comes_before_a_larger_overlap(record: MakeRecord) -> None:
    """A prediction over a long span of another label goes with the short one of its own."""
    found = analysis(record((0, 8, "CITY"), (10, 12, "AGE")), record((2, 11, "AGE")))
    partners = [(error.gold and error.gold.label, error.extent) for error in found.errors]
    assert partners == [("CITY", "short and long"), ("AGE", "short and long")]
    assert found.extents_by_label()["AGE"]["short and long"] == 1


def test_rows_and_columns_sum_to_the_annotations(record: MakeRecord) -> None:
    """With its margins the matrix accounts for every distinct annotation on both sides."""
    gold = record((0, 8, "A"), (10, 12, "B"), (22, 26, "A"), (28, 35, "B"), (46, 54, "A"))
    predicted = record((0, 3, "A"), (4, 8, "A"), (10, 12, "A"), (22, 26, "A"), (60, 63, "B"))
    confusion = analysis(gold, predicted).confusion
    for label in confusion.labels:
        row = sum(n for (one, _), n in confusion.cells.items() if one == label)
        row += confusion.missing.get(label, 0) + confusion.gold_extent.get(label, 0)
        column = sum(n for (_, other), n in confusion.cells.items() if other == label)
        column += confusion.spurious.get(label, 0) + confusion.predicted_extent.get(label, 0)
        assert row == sum(span.label == label for span in gold.annotations)
        assert column == sum(span.label == label for span in predicted.annotations)


def test_the_order_of_annotations_does_not_matter(record: MakeRecord) -> None:
    """The alignment is the same from front and back."""
    gold = [(0, 8, "A"), (0, 8, "B"), (22, 26, "A"), (28, 35, "B")]
    predicted = [(0, 8, "C"), (0, 8, "D"), (20, 24, "A"), (24, 30, "A"), (30, 40, "B")]
    forward = analysis(record(*gold), record(*predicted))
    backward = analysis(record(*reversed(gold)), record(*reversed(predicted)))
    assert forward.by_kind()["type"] == 2
    assert forward == backward


def test_a_perfect_system_has_no_errors(record: MakeRecord) -> None:
    """Everything lies on the diagonal."""
    gold = record((0, 8, "PATIENT"), (10, 12, "AGE"))
    found = analysis(gold, gold)
    assert found.errors == ()
    assert found.confusion.cells == {("PATIENT", "PATIENT"): 1, ("AGE", "AGE"): 1}
