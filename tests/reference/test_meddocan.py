"""What the Spanish rules reach on MEDDOCAN's development records, and model and rules on notes.

The bundled model is trained on these records.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from veil import Record
from veil.core.labels import Converter, scheme
from veil.detect.assembly import load_pipeline, rules_pipeline
from veil.evaluate import evaluate
from veil.evaluate.match import Counts
from veil.io import read
from veil.models import find_model

if TYPE_CHECKING:
    from veil.detect.pipeline import DetectionPipeline
    from veil.evaluate.tally import Tally


NOTES = Path(__file__).parents[1] / "data" / "dummy-es"


@pytest.fixture(scope="module")
def gold(corpora: Path) -> list[Record]:
    return list(read(corpora / "meddocan" / "dev"))


def totals(pipeline: DetectionPipeline, gold: list[Record], *, labels: str = "meddocan") -> Tally:
    converter = Converter(scheme(labels), scheme("meddocan"))
    found = []
    for outcome in pipeline.detect_many(record.document for record in gold):
        assert isinstance(outcome, Record)
        found.append(converter.convert_record(outcome))
    return evaluate(gold, found).protection.totals


def test_rules_alone(gold: list[Record]) -> None:
    """Rules without a model find four fifths of the identifying characters, nine in ten rightly."""
    rules = totals(rules_pipeline("es"), gold, labels="veil")
    assert 0.80 * rules.gold_characters <= rules.common_characters
    assert 0.90 * rules.predicted_characters <= rules.common_characters


def test_the_hybrid_is_hardly_worse_than_its_model_and_finds_more() -> None:
    """With rules the model loses little F1, and finds more characters of notes it never saw."""
    gold = list(read(NOTES))
    model = find_model("veil-es")
    alone = totals(load_pipeline(model), gold)
    joined = totals(load_pipeline(model, rules=True), gold, labels="veil")
    alone_counts, joined_counts = (
        Counts(each.strict_tp, each.strict_fp, each.strict_fn) for each in (alone, joined)
    )
    assert alone_counts.f1 - 0.015 <= joined_counts.f1
    assert alone.common_characters < joined.common_characters
