"""Tests for veil.detect.crf."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil.core.document import Record, Span
from veil.core.errors import InputError, UnknownNameError
from veil.detect import crf
from veil.detect.crf import NETWORK, TRAINERS, LinearDetector, LinearRecipe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def spans_of(detector: LinearDetector, records: Sequence[Record]) -> list[list[Span]]:
    return detector.detect_many([record.document for record in records])


def covered_share(detector: LinearDetector, records: Sequence[Record]) -> float:
    """The share of annotated characters that are found."""
    total = hidden = 0
    for record, spans in zip(records, spans_of(detector, records), strict=True):
        places = {place for span in spans for place in range(span.start, span.end)}
        for span in record.spans:
            total += span.end - span.start
            hidden += len(places & set(range(span.start, span.end)))
    return hidden / total


def test_finds_what_it_learned(toy_detector: LinearDetector, new_toy_records: list[Record]) -> None:
    """New records of the same kind are annotated without an error."""
    found = spans_of(toy_detector, new_toy_records)
    for record, spans in zip(new_toy_records, found, strict=True):
        assert [span.key for span in spans] == [span.key for span in record.spans]
        assert all(span.source == "toy" and 0.5 < span.score <= 1 for span in spans)
        assert toy_detector.detect(record.document) == spans


def test_saved_and_loaded_it_finds_the_same(
    toy_detector: LinearDetector, new_toy_records: list[Record], tmp_path: Path
) -> None:
    """A loaded detector finds the same spans with the same scores."""
    toy_detector.save(tmp_path)
    loaded = LinearDetector.load(tmp_path)
    assert spans_of(loaded, new_toy_records) == spans_of(toy_detector, new_toy_records)
    plain = LinearDetector.load(tmp_path, outside=-1000.0, probabilities=False)
    assert all(span.score == 1 for spans in spans_of(plain, new_toy_records) for span in spans)


def test_compact_finds_the_same(
    toy_detector: LinearDetector, new_toy_records: list[Record], tmp_path: Path
) -> None:
    """A byte a weight is enough to find the same spans."""
    toy_detector.save(tmp_path, compact=True)
    found = spans_of(LinearDetector.load(tmp_path), new_toy_records)
    for left, right in zip(found, spans_of(toy_detector, new_toy_records), strict=True):
        assert [span.key for span in left] == [span.key for span in right]


def test_same_recipe_same_model(
    toy_recipe: LinearRecipe, toy_records: list[Record], tmp_path: Path
) -> None:
    """Training twice writes the same bytes, with several seeds too."""
    recipe = replace(toy_recipe, parameters={"epochs": 2}, seeds=(0, 1))
    for name in ("a", "b"):
        LinearDetector.fit(recipe, toy_records[:20]).save(tmp_path / name)
    for file in ("model.toml", "weights.npz"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize("trainer", [name for name in TRAINERS.names() if name != NETWORK])
@pytest.mark.parametrize("sequences", ["lines", "sentences"])
def test_every_trainer_learns(
    trainer: str,
    sequences: str,
    toy_recipe: LinearRecipe,
    toy_records: list[Record],
    new_toy_records: list[Record],
) -> None:
    """Each trainer gives a detector that finds nearly all of the names and dates."""
    pytest.importorskip("pycrfsuite")
    pytest.importorskip("sklearn")
    recipe = replace(
        toy_recipe,
        trainer=trainer,
        sequences=sequences,
        groups=("bias", "veil-words", "veil-shapes"),
        parameters={} if trainer in ("dropout", "svm") else {"max_iterations": 20},
    )
    detector = LinearDetector.fit(recipe, toy_records)
    assert 0.9 < covered_share(detector, new_toy_records)


def test_average_of_seeds(toy_recipe: LinearRecipe, toy_records: list[Record]) -> None:
    """Of two seeds the weights and transitions are averaged."""
    recipe = replace(toy_recipe, parameters={"epochs": 1})
    models = [
        LinearDetector.fit(replace(recipe, seeds=seeds), toy_records[:9]).model
        for seeds in ((0,), (1,), (0, 1))
    ]
    weights = [model.weights for model in models]
    assert weights[2] == pytest.approx((weights[0] + weights[1]) / 2, abs=1e-6)
    between = [model.chain.between for model in models]
    assert between[2] == pytest.approx((between[0] + between[1]) / 2, abs=1e-6)
    assert (models[2].chain.start == models[2].chain.between[0]).all()
    assert models[2].weights.dtype == np.float32


def test_with_recall_finds_more(
    toy_recipe: LinearRecipe, toy_records: list[Record], new_toy_records: list[Record]
) -> None:
    """The dial turned up covers more of what identifies, and says what it was set to."""
    recipe = replace(
        toy_recipe, groups=("bias", "veil-words"), parameters={"epochs": 1}, outside=1.0
    )
    detector = LinearDetector.fit(recipe, toy_records[:6], dev=toy_records[6:])
    turned_up = detector.with_recall(0.999)
    assert detector.outside == 1.0
    assert turned_up.outside < detector.outside
    assert turned_up.model is detector.model
    before, after = (covered_share(d, new_toy_records) for d in (detector, turned_up))
    assert before < 0.9
    assert 0.95 < after


def test_with_recall_without_a_dial(toy_detector: LinearDetector) -> None:
    """A model whose recall was never measured cannot be set to one."""
    bare = LinearDetector(toy_detector.model.with_settings(dial=()))
    with pytest.raises(InputError, match="no recall was measured"):
        bare.with_recall(0.99)


@pytest.mark.parametrize(("count", "kept", "held_out"), [(9, 9, 9), (10, 9, 1), (25, 23, 2)])
def test_hold_out(count: int, kept: int, held_out: int, toy_records: list[Record]) -> None:
    """From ten records on, every tenth is held out and not trained on."""
    trained, measured = crf.hold_out(toy_records[:count])
    assert (len(trained), len(measured)) == (kept, held_out)
    if count >= 10:
        ids = {record.id for record in trained} | {record.id for record in measured}
        assert len(ids) == count


def test_records_held_out_are_measured(
    toy_recipe: LinearRecipe, toy_records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without development records the held-out ones are measured, with them only these."""
    measured: list[list[str]] = []

    def fake(detector: LinearDetector, records: Sequence[Record]) -> tuple[float, float]:
        measured.append([record.id for record in records])
        return 1.0, 0.0

    monkeypatch.setattr(crf, "fit_calibration", fake)
    recipe = replace(toy_recipe, groups=("bias",), parameters={"epochs": 1})
    LinearDetector.fit(recipe, toy_records[:20])
    LinearDetector.fit(recipe, toy_records[:20], dev=toy_records[20:22])
    assert measured == [["toy-9", "toy-19"], ["toy-20", "toy-21"]]


def test_nothing_to_learn_from(toy_recipe: LinearRecipe, toy_records: list[Record]) -> None:
    """Records without annotations, or no records, are an error that says so."""
    bare = [Record.of(record.document) for record in toy_records]
    for records in (bare, []):
        with pytest.raises(InputError, match="no annotated span"):
            LinearDetector.fit(toy_recipe, records)


def test_features_without_a_frequent_value(
    toy_recipe: LinearRecipe, toy_records: list[Record], tmp_path: Path
) -> None:
    """One record trains a model, though hardly any value is frequent enough in it."""
    detector = LinearDetector.fit(toy_recipe, toy_records[:1])
    detector.save(tmp_path)
    assert spans_of(LinearDetector.load(tmp_path), toy_records) == spans_of(detector, toy_records)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"groups": ("no-such-group",)}, "feature group"),
        ({"trainer": "no-such-trainer"}, "trainer"),
        ({"language": "xx"}, "language"),
    ],
)
def test_unknown_names(
    changes: dict[str, object], kind: str, toy_recipe: LinearRecipe, toy_records: list[Record]
) -> None:
    """An unknown name is an error that lists the known ones."""
    recipe = replace(toy_recipe, **changes)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match=f"unknown {kind} '.*'; known: "):
        LinearDetector.fit(recipe, toy_records[:3])
