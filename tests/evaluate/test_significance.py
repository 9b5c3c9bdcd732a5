"""Intervals and tests of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.evaluate.match import Counts, pair_records
from veil.evaluate.significance import Difference, differences, f1_interval, intervals
from veil.evaluate.tally import METRICS, tally

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record
    from veil.evaluate.tally import Metric


def corpus(record: MakeRecord, *, missed_in: int, documents: int = 40) -> list[Record]:
    """Documents with two spans each; the last `missed_in` of them lack the second."""
    whole, half = [(0, 8, "PATIENT"), (22, 26, "CITY")], [(0, 8, "PATIENT")]
    return [
        record(*(half if documents - missed_in <= index else whole), name=str(index))
        for index in range(documents)
    ]


def difference(gold: list[Record], a: list[Record], b: list[Record], metric: Metric) -> Difference:
    return next(each for each in differences(gold, a, b) if each.metric == metric)


def test_intervals_hold_their_value(record: MakeRecord) -> None:
    """Ten of forty documents leak: the value is exact and lies strictly inside its interval."""
    pairs = pair_records(corpus(record, missed_in=0), corpus(record, missed_in=10)).pairs
    found = intervals([tally(pair) for pair in pairs])
    assert found["document leak"].value == 0.25
    assert found["character recall"].value == (40 * 12 - 40) / (40 * 12)
    for metric in METRICS:
        interval = found[metric]
        assert interval.low <= interval.value <= interval.high
    # The binomial's 95 % interval for 10 of 40, give or take.
    assert 0.08 < found["document leak"].low < 0.17
    assert 0.33 < found["document leak"].high < 0.42


def test_intervals_are_the_same_each_time(record: MakeRecord) -> None:
    """The draws have a fixed seed."""
    pairs = pair_records(corpus(record, missed_in=0), corpus(record, missed_in=7)).pairs
    tallies = [tally(pair) for pair in pairs]
    assert intervals(tallies) == intervals(tallies)


def test_intervals_of_a_perfect_system_have_no_width(record: MakeRecord) -> None:
    """Whatever is drawn, nothing is wrong."""
    pairs = pair_records(corpus(record, missed_in=0), corpus(record, missed_in=0)).pairs
    found = intervals([tally(pair) for pair in pairs])
    assert (found["strict f1"].low, found["strict f1"].high) == (1.0, 1.0)
    assert (found["document leak"].low, found["document leak"].high) == (0.0, 0.0)


def test_intervals_of_no_documents_are_zero() -> None:
    """Without documents nothing fails."""
    assert intervals([])["strict f1"].high == 0.0


@pytest.mark.parametrize("metric", ["strict f1", "character recall", "document leak"])
def test_a_system_does_not_differ_from_itself(record: MakeRecord, metric: Metric) -> None:
    """Identical output has p = 1."""
    gold, system = corpus(record, missed_in=0), corpus(record, missed_in=9)
    found = difference(gold, system, system, metric)
    assert (found.difference, found.p) == (0.0, 1.0)


def test_a_large_difference_is_significant(record: MakeRecord) -> None:
    """Ten documents that all change one way: by hand p is 2/1024, give or take."""
    gold = corpus(record, missed_in=0)
    found = difference(gold, corpus(record, missed_in=10), gold, "document leak")
    assert (found.first, found.second, found.difference) == (0.25, 0.0, -0.25)
    assert 0.0005 < found.p < 0.004


def test_p_is_never_zero(record: MakeRecord) -> None:
    """What was seen counts as one of the shuffles."""
    gold = corpus(record, missed_in=0)
    found = difference(gold, corpus(record, missed_in=40), gold, "document leak")
    assert found.p == 1 / 10_001


def test_one_changed_document_is_not_significant(record: MakeRecord) -> None:
    """With one document that differs every swap is as large as what was seen."""
    gold = corpus(record, missed_in=0)
    found = differences(gold, corpus(record, missed_in=1), gold)
    assert [one.metric for one in found] == ["strict f1", "character recall", "document leak"]
    assert {one.p for one in found} == {1.0}


def test_only_documents_of_all_three_are_compared(record: MakeRecord) -> None:
    """A document that one system lacks does not count for the other."""
    gold = corpus(record, missed_in=0)
    found = difference(gold, corpus(record, missed_in=10)[:-10], gold, "document leak")
    assert (found.first, found.second) == (0.0, 0.0)


def test_the_interval_of_f_narrows_with_more_documents() -> None:
    """Ten times the same documents have the same F and a narrower interval; none have zeros."""
    few = [Counts(3, 1, 1), Counts(1, 2, 0), Counts(4, 0, 1), Counts()]
    one, many = f1_interval(few), f1_interval(few * 10)
    assert one.value == many.value == sum(few, Counts()).f1
    assert one.low < many.low < many.value < many.high < one.high
    assert f1_interval([]).high == f1_interval([Counts()]).high == 0.0
