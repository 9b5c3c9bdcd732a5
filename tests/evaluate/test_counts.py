"""Counts and the scores that follow from them."""

from __future__ import annotations

import math

from veil.evaluate.match import Counts, Scores


def test_scores_follow_from_counts() -> None:
    """Precision, recall and F1 are the textbook ones."""
    counts = Counts(tp=6, fp=2, fn=4)
    assert counts.precision == 0.75
    assert counts.recall == 0.6
    assert math.isclose(counts.f1, 2 * 0.75 * 0.6 / 1.35)


def test_nothing_to_find_and_nothing_found_scores_zero() -> None:
    """0/0 is 0.0, as both official scripts have it."""
    assert (Counts().precision, Counts().recall, Counts().f1) == (0.0, 0.0, 0.0)


def test_micro_sums_and_macro_averages() -> None:
    """Micro is over the sums; macro is the mean of the documents, an empty one counting as 0."""
    scores = Scores.of([Counts(tp=1, fp=1), Counts(tp=3, fn=1), Counts()])
    assert scores.micro == Counts(tp=4, fp=1, fn=1)
    assert math.isclose(scores.macro.precision, (0.5 + 1 + 0) / 3)
    assert math.isclose(scores.macro.recall, (1 + 0.75 + 0) / 3)


def test_macro_deviation_is_that_of_the_population() -> None:
    """The standard deviation divides by the number of documents; F1 is that of the means."""
    macro = Scores.of([Counts(tp=1), Counts(fp=1, fn=1)]).macro
    assert (macro.precision, macro.precision_sd) == (0.5, 0.5)
    assert (macro.recall, macro.recall_sd) == (0.5, 0.5)
    assert macro.f1 == 0.5


def test_no_documents_score_zero() -> None:
    """Without documents nothing fails."""
    scores = Scores.of([])
    assert scores.micro == Counts()
    assert scores.macro.f1 == 0.0


def test_order_of_documents_changes_no_digit() -> None:
    """The macro scores are rounded once."""
    documents = [Counts(tp=n, fp=7 - n, fn=n % 3) for n in range(7)] * 30
    assert Scores.of(documents) == Scores.of(documents[::-1])
