"""Gold and predicted records brought together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.core.errors import RecordError
from veil.evaluate.match import pair_records

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord


def test_only_documents_of_both_sides_are_paired(record: MakeRecord) -> None:
    """The ids that are missing on each side are listed separately."""
    gold = [record(name="a"), record(name="b")]
    predicted = [record(name="c"), record(name="b")]
    pairing = pair_records(gold, predicted)
    assert [pair.document.id for pair in pairing.pairs] == ["b"]
    assert pairing.missing_predictions == ("a",)
    assert pairing.missing_gold == ("c",)


def test_pairs_come_in_the_order_of_gold(record: MakeRecord) -> None:
    """The order of the predicted records does not matter."""
    names = ["b", "a", "c"]
    gold = [record(name=name) for name in names]
    pairing = pair_records(gold, [record(name=name) for name in sorted(names)])
    assert [pair.document.id for pair in pairing.pairs] == names


def test_texts_must_be_the_same(record: MakeRecord) -> None:
    """Offsets into different texts are not compared, and the error holds no text."""
    with pytest.raises(RecordError, match="record one") as caught:
        pair_records([record(text="Ana Ruiz")], [record(text="Ana  Ruiz")])
    assert "Ruiz" not in str(caught.value)


@pytest.mark.parametrize("side", ["gold", "predicted"])
def test_an_id_comes_once(record: MakeRecord, side: str) -> None:
    """Two records of one id on one side are an error that names the side and the id."""
    once, twice = [record()], [record(), record()]
    gold, predicted = (twice, once) if side == "gold" else (once, twice)
    with pytest.raises(RecordError, match=f"record one.*{side}"):
        pair_records(gold, predicted)
