"""Tests for veil.detect.linear.calibration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil.core.document import Record, Span
from veil.detect.crf import LinearDetector
from veil.detect.linear.calibration import (
    SETTINGS_OF_DIAL,
    calibrated,
    fit_calibration,
    fit_odds,
    measure_dial,
    outside_for,
)

if TYPE_CHECKING:
    from veil.detect.crf import LinearRecipe

DIAL = ((1.0, 0.90), (0.0, 0.95), (-1.0, 0.97), (-2.0, 0.99))


@pytest.fixture(scope="module")
def weak(toy_recipe: LinearRecipe, toy_records: list[Record]) -> LinearDetector:
    """A detector that has seen too little and is not calibrated: it errs."""
    recipe = replace(toy_recipe, groups=("bias", "veil-words"), parameters={"epochs": 1})
    model = LinearDetector.fit(recipe, toy_records[:6]).model
    return LinearDetector(model.with_settings(calibration=(1.0, 0.0)))


@pytest.mark.parametrize(
    ("recall", "outside"),
    [(0.5, 1.0), (0.95, 0.0), (0.951, -1.0), (0.99, -2.0), (0.999, -2.0)],
)
def test_outside_for(recall: float, outside: float) -> None:
    """The first setting with the recall that is asked for, or the last if none has it."""
    assert outside_for(DIAL, recall) == outside


def test_dial_rises(weak: LinearDetector, new_toy_records: list[Record]) -> None:
    """Turning the dial covers more of the annotated characters, up to all of them."""
    dial = measure_dial(weak, new_toy_records)
    assert [outside for outside, _ in dial] == list(SETTINGS_OF_DIAL)
    recalls = [recall for _, recall in dial]
    assert recalls == sorted(recalls)
    assert recalls[0] < 0.9
    assert 0.99 < recalls[-1]


def test_dial_counts_characters(weak: LinearDetector, new_toy_records: list[Record]) -> None:
    """The recall of a setting is the share of annotated characters that its spans cover."""
    covered = total = 0
    texts = [record.document.text for record in new_toy_records]
    for record, spans in zip(new_toy_records, weak.tagger.tag(texts, outside=-1.0), strict=True):
        places = {place for start, end, _, _ in spans for place in range(start, end)}
        for span in record.spans:
            total += span.end - span.start
            covered += len(places & set(range(span.start, span.end)))
    assert dict(measure_dial(weak, new_toy_records))[-1.0] == pytest.approx(covered / total)


def test_nothing_to_measure(weak: LinearDetector, new_toy_records: list[Record]) -> None:
    """Without annotations recall is whole, and without spans probabilities stay as they are."""
    bare = [Record.of(record.document) for record in new_toy_records[:2]]
    assert {recall for _, recall in measure_dial(weak, bare)} == {1.0}
    assert fit_calibration(weak, []) == (1.0, 0.0)


def test_calibrated_probabilities_are_shares(
    weak: LinearDetector, new_toy_records: list[Record]
) -> None:
    """Of the spans found, as many are right as their probabilities say in all."""
    calibration = fit_calibration(weak, new_toy_records)
    texts = [record.document.text for record in new_toy_records]
    tagger = LinearDetector(weak.model.with_settings(calibration=calibration)).tagger
    chances, right = [], []
    for record, spans in zip(new_toy_records, tagger.tag(texts, probabilities=True), strict=True):
        gold = {span.key for span in record.spans}
        for start, end, label, chance in spans:
            chances.append(chance)
            right.append((start, end, label) in gold)
    assert 0.05 < np.mean(right) < 0.99
    assert np.mean(chances) == pytest.approx(np.mean(right), abs=0.03)


def test_calibration_never_turns_the_order_round(
    weak: LinearDetector, new_toy_records: list[Record]
) -> None:
    """Where the surer spans were wrong more often, all get the same probability."""
    texts = [record.document.text for record in new_toy_records]
    records = [
        Record.of(
            record.document,
            [Span(start, end, label) for start, end, label, chance in spans if chance < 0.6],
        )
        for record, spans in zip(
            new_toy_records, weak.tagger.tag(texts, probabilities=True), strict=True
        )
    ]
    slope, intercept = fit_calibration(weak, records)
    assert slope == 0
    assert -3 < intercept < 3


def test_logistic_fit_finds_slope_and_intercept() -> None:
    """Odds that are drawn with a slope and an intercept give them back."""
    rng = np.random.default_rng(0)
    odds = rng.normal(1, 3, 20_000)
    right = rng.random(len(odds)) < 1 / (1 + np.exp(-(0.5 * odds - 1)))
    slope, intercept = fit_odds([*odds], [*right])
    assert slope == pytest.approx(0.5, abs=0.03)
    assert intercept == pytest.approx(-1, abs=0.06)


@pytest.mark.parametrize("odds", [13.8, -13.8])
@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("count", [1, 3000])
def test_logistic_fit_of_the_overconfident(odds: float, right: bool, count: int) -> None:
    """Where all were sure and all were wrong, the fit settles and says so."""
    slope, intercept = fit_odds([odds] * count, [right] * count)
    logit = slope * odds + intercept
    assert np.isfinite(logit)
    assert (logit > 0) == right if count > 1 else True
    assert abs(logit) < 30


def test_few_spans_pull_little_away_from_what_is_usual() -> None:
    """One wrong span among usually right ones lowers their score a little, a thousand by much."""
    usual = (1.0, 2.0)
    scores = [
        calibrated(0.5, fit_odds([0.0] * count, [False] * count, towards=usual, prior=10.0))
        for count in (0, 1, 1000)
    ]
    assert scores[0] == pytest.approx(0.88, abs=0.01)
    assert 0.8 < scores[1] < scores[0]
    assert scores[2] < 0.2


def test_calibrated_scores_keep_their_order() -> None:
    """0 and 1 stay apart, and a calibration that changes nothing changes nothing."""
    assert calibrated(0.25, (1.0, 0.0)) == pytest.approx(0.25)
    assert 0 < calibrated(0.0, (0.5, -1.0)) < calibrated(1.0, (0.5, -1.0)) < 1
