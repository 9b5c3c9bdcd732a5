from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Record, Span
from veil.evaluate.match import Counts
from veil.learn import cross_validate, recipe
from veil.learn.training import learning_curve, measure, score_sources

if TYPE_CHECKING:
    from pathlib import Path


def record(name: str, *spans: Span) -> Record:
    return Record.of(Document(name, "Ana Ruiz, Lugo, 12/03/2018"), spans)


def test_scores_count_spans_characters_and_documents() -> None:
    """One span of four found with its label, one with another, one missed, in two documents."""
    gold = [
        record("a", Span(0, 8, "NAME"), Span(10, 14, "CITY")),
        record("b", Span(0, 8, "NAME"), Span(10, 14, "CITY")),
    ]
    predicted = [record("a", Span(0, 8, "NAME"), Span(10, 14, "STATE")), record("b")]
    scores = measure(gold, predicted)
    assert (scores.precision, scores.recall) == (0.5, 0.25)
    assert scores.extent_f1 == pytest.approx(2 / 3)
    assert (scores.character_recall, scores.character_precision) == (0.5, 1.0)
    assert scores.document_leak == 0.5


def test_cross_validation_scores_every_document_once(
    quick_recipe: Path, small_corpus: list[Record]
) -> None:
    """Three folds give three scores and one of all predictions together, the same each time."""
    first, second = (
        cross_validate(recipe(quick_recipe), small_corpus, folds=3, seed=5) for _ in range(2)
    )
    assert first == second
    assert len(first.folds) == 3
    assert 0.5 < first.pooled.f1 <= 1
    mean, deviation = first.spread()["f1"]
    assert mean == pytest.approx(sum(fold.f1 for fold in first.folds) / 3)
    assert 0 <= deviation
    assert [each.id for each in first.predictions] == [each.id for each in small_corpus]
    assert measure(small_corpus, first.predictions) == first.pooled


@pytest.mark.parametrize("folds", [1, 13])
def test_folds_must_fit_the_records(
    folds: int, quick_recipe: Path, small_corpus: list[Record]
) -> None:
    """One fold leaves nothing to train on, and thirteen of twelve records leave one empty."""
    with pytest.raises(InputError, match=f"{folds} folds of 12"):
        cross_validate(recipe(quick_recipe), small_corpus, folds=folds)


def test_the_learning_curve_grows_with_the_records(
    quick_recipe: Path, small_corpus: list[Record]
) -> None:
    """Its points have the shares of the records, and all of them are better than one."""
    points = learning_curve(
        recipe(quick_recipe), small_corpus[:8], small_corpus[8:], shares=(0.1, 0.5, 1.0)
    )
    assert [point.records for point in points] == [1, 4, 8]
    assert points[0].scores.f1 < points[-1].scores.f1


def test_a_learning_curve_needs_development_records(
    quick_recipe: Path, small_corpus: list[Record]
) -> None:
    """Without records to measure on there is no curve."""
    with pytest.raises(InputError, match="needs development records"):
        learning_curve(recipe(quick_recipe), small_corpus, [])


def test_folds_hold_their_share_of_each_source(
    monkeypatch: pytest.MonkeyPatch, small_corpus: list[Record], quick_recipe: Path
) -> None:
    """With two sources of eight and four records, each of four folds has two and one of them."""
    held_out: list[list[str]] = []

    class Silent:
        name = "silent"

        def detect_many(self, docs: list[Document]) -> list[list[Span]]:
            held_out.append([doc.id for doc in docs])
            return [[] for _ in docs]

    monkeypatch.setattr("veil.learn.training.train", lambda *_, **__: Silent())
    sources = ["b" if index % 3 == 0 else "a" for index in range(12)]
    found = cross_validate(recipe(quick_recipe), small_corpus, folds=4, seed=3, sources=sources)
    of_record = dict(zip((each.id for each in small_corpus), sources, strict=True))
    assert [sorted(of_record[name] for name in fold) for fold in held_out] == [["a", "a", "b"]] * 4
    assert [each.id for each in found.predictions] == [each.id for each in small_corpus]
    assert list(found.tags) == ["b", "a", ""]


def test_labels_are_counted_in_each_source() -> None:
    """A label is counted where its records are, all labels and all sources together as sums."""
    gold = [
        record("a", Span(0, 8, "NAME"), Span(10, 14, "CITY")),
        record("b", Span(0, 8, "NAME")),
        record("c", Span(16, 26, "DATE")),
    ]
    predicted = [
        record("a", Span(0, 8, "NAME")),
        record("b", Span(0, 3, "NAME")),
        record("c", Span(16, 26, "DATE")),
    ]
    found = score_sources(gold, predicted, ["ours", "theirs", "theirs"])
    assert found["ours"] == {"": Counts(1, 0, 1), "CITY": Counts(0, 0, 1), "NAME": Counts(1, 0, 0)}
    assert found["theirs"]["NAME"] == Counts(0, 1, 1)
    assert found[""][""] == Counts(2, 1, 2)
