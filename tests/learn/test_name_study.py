from __future__ import annotations

from dataclasses import replace

import pytest

from veil import Document, Record, Span
from veil.core.errors import InputError
from veil.detect.names import NameModules
from veil.evaluate.match import Counts
from veil.learn.name_study import Study, all_orders, run_orders


def total(study: Study, order: str) -> Counts:
    return dict(study.ranked("total"))[order]


def test_all_orders_of_four_modules() -> None:
    """Four alone, twelve pairs, 24 of three and 24 of four."""
    orders = all_orders("TCDL")
    assert [sum(len(order) == size for order in orders) for size in range(1, 5)] == [4, 12, 24, 24]
    assert len(set(orders)) == len(orders)


def test_scores_are_by_word_and_part(notes: list[Record]) -> None:
    """T finds three of six words as what they are; the total is the sum of both parts."""
    study = run_orders(notes, "sv", ["T", "TL"])
    assert study.names == 6
    assert study.has_parts
    assert dict(study.ranked("first"))["T"] == Counts(tp=1, fn=1)
    assert dict(study.ranked("last"))["T"] == Counts(tp=2, fn=2)
    assert total(study, "T") == Counts(tp=3, fn=3)
    assert total(study, "TL") == Counts(tp=4, fn=2)


def test_a_wrong_part_is_an_error(notes: list[Record]) -> None:
    """A last name found as a first name is one too many there and one too few here."""
    swapped = [
        Record.of(
            record.document, [replace(span, label="FIRST_NAME") for span in record.annotations]
        )
        for record in notes
    ]
    study = run_orders(swapped, "sv", ["T"])
    assert dict(study.ranked("last"))["T"] == Counts(fp=2)
    assert dict(study.ranked("first"))["T"] == Counts(tp=1, fn=5)


@pytest.mark.parametrize("label", ["PER", "PERSON", "PATIENT", "NOMBRE_SUJETO_ASISTENCIA"])
def test_gold_without_parts_has_a_total_only(notes: list[Record], label: str) -> None:
    """Whatever names are called, a name found as any part is found."""
    renamed = [
        Record.of(record.document, [replace(span, label=label) for span in record.annotations])
        for record in notes
    ]
    study = run_orders(renamed, "sv", ["T"])
    assert study.groups == ("total",)
    assert total(study, "T") == Counts(tp=3, fn=3)


def test_parts_beside_the_label_count() -> None:
    """Veil's own spans say the part beside the label; words of a span are counted one by one."""
    text = "dr Anna von Essen, ek"
    spans = [Span(3, 7, "NAME", part="first"), Span(8, 17, "NAME", part="last")]
    study = run_orders([Record.of(Document("n", text), spans)], "sv", ["T"])
    assert dict(study.ranked("last"))["T"] == Counts(tp=2)


def test_own_labels(notes: list[Record]) -> None:
    """Labels that Veil does not know can be named; without, nothing can be scored."""
    renamed = [
        Record.of(record.document, [replace(span, label="WHO") for span in record.annotations])
        for record in notes
    ]
    with pytest.raises(InputError, match="no name is annotated"):
        run_orders(renamed, "sv", ["T"])
    assert total(run_orders(renamed, "sv", ["T"], labels=["WHO"]), "T").tp == 3


def test_usernames_are_no_names() -> None:
    """A user's name for a computer is not a person's name."""
    record = Record.of(Document("n", "Anna och aberg12"), [Span(9, 16, "USERNAME")])
    with pytest.raises(InputError, match="no name is annotated"):
        run_orders([record], "sv", ["D"])


def test_orders_score_as_the_detector_finds(notes: list[Record]) -> None:
    """The common beginning of several orders runs once, with the result of separate runs."""
    study = run_orders(notes, "sv", all_orders("TCDL"))
    docs = [record.document for record in notes]
    for order, scores in study.orders.items():
        found = NameModules("sv", order).detect_many(docs)
        assert sum(map(len, found)) == scores["total"].tp + scores["total"].fp, order


def test_orders_are_checked_and_counted_once(notes: list[Record]) -> None:
    """Small letters are the same order, a wrong one is an error; each order is a step."""
    steps: list[None] = []
    study = run_orders(notes, "sv", ["tcd", "TCD", "D"], step=lambda: steps.append(None))
    assert list(study.orders) == ["TCD", "D"]
    assert len(steps) == 2
    with pytest.raises(InputError, match="unknown module 'X'"):
        run_orders(notes, "sv", ["X"])
