"""Calibrated probabilities and a dial for recall, both measured on held-out records."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, Protocol

import numpy as np

from veil.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from veil.core.document import Record
    from veil.detect.linear.model import Settings

SETTINGS_OF_DIAL = (
    *(1.0, 0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0, -3.5, -4.0),
    *(-4.5, -5.0, -5.5, -6.0, -7.0, -8.0),
)
LARGEST_BIAS = 1000.0
_STEPS = 50
# A weak prior for unchanged probabilities, which matters if there are few spans.
_PRIOR = 1.0
AS_THEY_ARE = (1.0, 0.0)
# Scores are clipped to these limits.
_LOWEST, _HIGHEST = 1e-6, 1 - 1e-6
_SHARES_OF_STEP = tuple(0.5**halvings for halvings in range(40))


class TextTagger(Protocol):
    """A tagger that finds spans in texts: start, end, label, probability."""

    def tag(
        self, texts: Sequence[str], *, outside: float = 0.0, probabilities: bool = False
    ) -> list[list[tuple[int, int, str, float]]]: ...


class Dialled(Protocol):
    """A detector with adjustable recall: the bias `outside` is added to the score of the O tag."""

    outside: float

    @property
    def tagger(self) -> TextTagger: ...


Calibration = tuple[float, float]
"""Slope and intercept on the log odds of a score."""


def log_odds(score: float) -> float:
    """The log odds of a score; finite even for 0 and 1."""
    clipped = score if _LOWEST <= score <= _HIGHEST else min(max(score, _LOWEST), _HIGHEST)
    return log(clipped / (1 - clipped))


def calibrated(score: float, calibration: Calibration) -> float:
    """Convert a score to the calibrated probability that the span is right."""
    slope, intercept = calibration
    return 1 / (1 + exp(-slope * log_odds(score) - intercept))


def fit_calibration(detector: Dialled, records: Sequence[Record]) -> tuple[float, float]:
    """Fit slope and intercept on the log odds of spans being right (Platt's scaling).

    The detector must not be calibrated yet: its calibration must be (1, 0).
    """
    found = detector.tagger.tag(
        [record.document.text for record in records],
        outside=detector.outside,
        probabilities=True,
    )
    odds, right = [], []
    for record, spans in zip(records, found, strict=True):
        gold = {span.key for span in record.spans}
        for start, end, label, probability in spans:
            odds.append(log_odds(probability))
            right.append((start, end, label) in gold)
    return fit_odds(odds, right)


def fit_odds(
    odds: Sequence[float],
    right: Sequence[bool],
    *,
    towards: Calibration = AS_THEY_ARE,
    prior: float = _PRIOR,
) -> Calibration:
    """Fit slope and intercept to the log odds of spans and to whether they were right.

    With few spans the result stays close to `towards`; `prior` is the strength of this effect.
    """
    if not odds:
        return towards
    outcomes = np.array(right)
    slope, intercept = _fit_logistic(np.array(odds), outcomes, np.array(towards), prior)
    if slope < 0:
        # Spans with higher scores were more often wrong, which only chance explains: ignore scores.
        level = np.array([0.0, towards[1]])
        slope, intercept = 0.0, _fit_logistic(np.zeros(len(odds)), outcomes, level, prior)[1]
    return round(slope, 6), round(intercept, 6)


def _fit_logistic(
    odds: NDArray[np.float64],
    right: NDArray[np.bool_],
    towards: NDArray[np.float64],
    prior: float,
) -> Calibration:
    """Newton's method; a step that does not reduce the loss is halved, since it goes too far."""
    inputs = np.stack([odds, np.ones(len(odds))], axis=1)
    signs = np.where(right, 1.0, -1.0)

    def loss(point: NDArray[np.float64]) -> float:
        fit = np.logaddexp(0, -signs * (inputs @ point)).sum()
        return float(fit + prior / 2 * ((point - towards) ** 2).sum())

    fitted = towards
    for _ in range(_STEPS):
        chance = np.exp(-np.logaddexp(0, -inputs @ fitted))
        gradient = inputs.T @ (chance - right) + prior * (fitted - towards)
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + prior * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        here = loss(fitted)
        share = next((s for s in _SHARES_OF_STEP if loss(fitted - s * step) < here), 0.0)
        if not share:
            break
        fitted = fitted - share * step
    return float(fitted[0]), float(fitted[1])


def measure_dial(detector: Dialled, records: Sequence[Record]) -> tuple[tuple[float, float], ...]:
    """Measure the character recall at several biases of the O tag."""
    texts = [record.document.text for record in records]
    dial = []
    for outside in SETTINGS_OF_DIAL:
        found = detector.tagger.tag(texts, outside=outside)
        bounds = [[(start, end) for start, end, _, _ in spans] for spans in found]
        dial.append((outside, character_recall(records, bounds)))
    return tuple(dial)


def character_recall(
    records: Sequence[Record], found: Sequence[Iterable[tuple[int, int]]]
) -> float:
    """The share of the characters of all spans that the bounds found in each record cover."""
    gold = hidden = 0
    for record, bounds in zip(records, found, strict=True):
        covered = np.zeros(len(record.document.text), bool)
        for start, end in bounds:
            covered[start:end] = True
        for span in record.spans:
            gold += span.end - span.start
            hidden += int(covered[span.start : span.end].sum())
    return round(hidden / gold, 6) if gold else 1.0


def check_bias(bias: float) -> float:
    """Return a valid bias of the O tag, or raise an error.

    Scores are at most a few dozen: a larger bias has no further effect but rounds the scores away.
    """
    if not -LARGEST_BIAS <= bias <= LARGEST_BIAS:
        raise InputError(
            f"a bias of {bias:g} cannot be set; give a number from {-LARGEST_BIAS:g} to "
            f"{LARGEST_BIAS:g}, such as -3"
        )
    return bias


def check_recall(recall: float) -> float:
    """Return a valid minimum recall, or raise an error."""
    if not 0 < recall <= 1:
        raise InputError(f"the recall must be above 0 and at most 1, such as 0.99, not {recall:g}")
    return recall


def dialled(settings: Settings, recall: float) -> float:
    """The bias of a model for this recall; never higher than the model's own."""
    check_recall(recall)
    if not settings.dial:
        raise InputError(f"model {settings.name}: no recall was measured; train the model again")
    return min(settings.outside, outside_for(settings.dial, recall))


def outside_for(dial: Sequence[tuple[float, float]], recall: float) -> float:
    """The highest measured bias that had at least this recall; the last one if none had."""
    return next((outside for outside, measured in dial if recall <= measured), dial[-1][0])
