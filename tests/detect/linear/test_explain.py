from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.detect.linear.explain import explain

if TYPE_CHECKING:
    from veil import Record
    from veil.detect.crf import LinearDetector


def test_every_span_is_explained(
    toy_detector: LinearDetector, new_toy_records: list[Record]
) -> None:
    """Each span that is found comes with its explanation, in the order of the text."""
    doc = new_toy_records[0].document
    assert [found.span for found in explain(toy_detector, doc)] == toy_detector.detect(doc)


def test_reasons_and_transitions_add_up(
    toy_detector: LinearDetector, new_toy_records: list[Record]
) -> None:
    """The margins of all features and the transitions are the whole margin."""
    for found in explain(toy_detector, new_toy_records[1].document):
        told = sum(reason.margin for reason in found.reasons)
        assert told + found.transitions == pytest.approx(found.margin, abs=1e-3)
        assert found.margin >= -1e-3
        assert found.runner_up != found.span.label


def test_strongest_reasons_come_first_and_in_words(
    toy_detector: LinearDetector, new_toy_records: list[Record]
) -> None:
    """Reasons are sorted by weight and say which feature had which value where."""
    found = explain(toy_detector, new_toy_records[2].document)
    for each in found:
        weights = [abs(reason.margin) for reason in each.reasons]
        assert weights == sorted(weights, reverse=True)
    features = {reason.feature for each in found for reason in each.reasons}
    assert "line-key[0]=nombre" in features
    assert any(feature.startswith("template[0]=mail") for feature in features)


def test_nothing_found_is_nothing_to_explain(toy_detector: LinearDetector) -> None:
    """A text without spans has no explanations."""
    assert explain(toy_detector, Document("r", "sin fiebre ni tos")) == []
