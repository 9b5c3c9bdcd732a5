"""Training: from a recipe and records to a detector; scores, cross-validation, learning curve."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from veil.core.errors import InputError, RecordError
from veil.core.labels import guess_scheme
from veil.detect.base import detector_class
from veil.detect.crf import NETWORK
from veil.detect.linear.dropout import DropoutSettings
from veil.detect.linear.trainers import ALGORITHMS
from veil.detect.pipeline import DetectionPipeline
from veil.evaluate.match import Counts, pair_records, ratio
from veil.evaluate.metrics import score_labels, score_meddocan
from veil.evaluate.tally import Tally, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veil.core.document import Record
    from veil.detect.base import Detector, TrainedDetector
    from veil.detect.crf import LinearRecipe

    Report = Callable[[int, float], None]


def train(
    recipe: LinearRecipe,
    records: Sequence[Record],
    *,
    dev: Sequence[Record] = (),
    seed: int | None = None,
    report: Report | None = None,
) -> TrainedDetector:
    """Train a detector; the same recipe, records and seed give the same detector.

    `dev` calibrates its probabilities and its recall dial. `seed` replaces the recipe's first seed,
    and the following numbers replace the others. `report` is called with each epoch and its loss.
    If the recipe names no label scheme, the detector gets the one that has the records' labels.
    """
    if not records:
        raise InputError("no record to train on")
    labels = {span.label for record in records for span in record.spans}
    if not labels:
        raise InputError("no annotated span in the training records: nothing to learn from")
    recipe = with_seed(recipe, seed)
    if recipe.scheme is None:
        guessed = guess_scheme(labels)
        recipe = replace(recipe, scheme=guessed.name if guessed else None)
    return detector_class(recipe.kind).fit(recipe, records, dev=dev, report=report)


def with_seed(recipe: LinearRecipe, seed: int | None) -> LinearRecipe:
    """The recipe with other seeds: this one and those that follow it."""
    if seed is None:
        return recipe
    return replace(recipe, seeds=tuple(range(seed, seed + len(recipe.seeds))))


def epochs(recipe: LinearRecipe) -> int | None:
    """The maximum number of reports of a training, if it is known in advance."""
    # A two-stage model is trained fold by fold, and then both of its stages.
    trainings = recipe.folds + 2 if recipe.kind == "two-stage" else 1
    of_network = recipe.network.epochs if recipe.network else 0
    if recipe.trainer == NETWORK:
        return of_network * trainings
    if recipe.trainer == "dropout":
        runs = len(recipe.seeds) if recipe.workers < 2 else 1
        own = int(recipe.parameters.get("epochs", DropoutSettings.epochs)) * runs
        return (own + of_network) * trainings
    limit = {**ALGORITHMS.get(recipe.trainer, {}), **recipe.parameters}.get("max_iterations")
    return None if limit is None else int(limit) * trainings


SHARES = (0.1, 0.25, 0.5, 1.0)
"""The shares of the training records at which the learning curve is measured."""


@dataclass(frozen=True, slots=True)
class ModelScores:
    """The scores of a detector on records.

    Precision, recall and F1 are of exact spans with their labels (i2b2 strict, MEDDOCAN subtask 1);
    `extent_f1` and `merged_f1` are MEDDOCAN's subtask 2, strict and merged; the others measure how
    well the records are protected, ignoring labels.
    """

    precision: float
    recall: float
    f1: float
    extent_f1: float
    merged_f1: float
    character_recall: float
    character_precision: float
    document_leak: float


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The scores on the development records after training on so many records."""

    records: int
    scores: ModelScores


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Scores of all predictions taken together, and of each fold by itself.

    `predictions` are in the order of the records. `tags` has the counts of exact spans by label in
    each source of records, where there are several, and in all of them under "".
    """

    pooled: ModelScores
    folds: tuple[ModelScores, ...]
    predictions: tuple[Record, ...] = field(default=(), repr=False)
    tags: Mapping[str, Mapping[str, Counts]] = field(default_factory=dict)

    def spread(self) -> dict[str, tuple[float, float]]:
        """For each score: its mean over the folds and their standard deviation."""
        found = {}
        for name in (each.name for each in fields(ModelScores)):
            values = [getattr(scores, name) for scores in self.folds]
            mean = math.fsum(values) / len(values)
            variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
            found[name] = (mean, math.sqrt(variance))
        return found


def predict(detector: Detector, records: Sequence[Record]) -> list[Record]:
    """Run a detector on the texts of records; a text on which it fails is an error."""
    predicted = []
    for outcome in DetectionPipeline([detector]).detect_many(
        [record.document for record in records]
    ):
        if isinstance(outcome, RecordError):
            raise outcome
        predicted.append(outcome)
    return predicted


def measure(gold: Sequence[Record], predicted: Sequence[Record]) -> ModelScores:
    """Score predicted records against gold."""
    meddocan = score_meddocan(pair_records(gold, predicted).pairs)
    totals = sum_up(gold, predicted)
    strict = meddocan.subtask1.micro
    return ModelScores(
        precision=strict.precision,
        recall=strict.recall,
        f1=strict.f1,
        extent_f1=meddocan.subtask2_strict.micro.f1,
        merged_f1=meddocan.subtask2_merged.micro.f1,
        character_recall=ratio(totals.common_characters, totals.gold_characters),
        character_precision=ratio(totals.common_characters, totals.predicted_characters),
        document_leak=ratio(totals.leaking_documents, totals.documents),
    )


def sum_up(gold: Sequence[Record], predicted: Sequence[Record]) -> Tally:
    """Count all records together."""
    pairs = pair_records(gold, predicted).pairs
    return Tally(*map(sum, zip(*map(tally, pairs), strict=True)))


def cross_validate(
    recipe: LinearRecipe,
    records: Sequence[Record],
    *,
    folds: int = 10,
    seed: int | None = None,
    sources: Sequence[str] = (),
    report: Report | None = None,
) -> CrossValidation:
    """Train once per fold, each time without that fold, and score on it.

    The folds consist of whole documents, distributed after a shuffle by the seed. With `sources`,
    the source of each record, every fold has its share of each source.
    """
    if not 2 <= folds <= len(records):
        raise InputError(
            f"{folds} folds of {len(records)} record(s): give 2 to as many folds as records"
        )
    order = shuffled(len(records), seed)
    if sources:
        order.sort(key=lambda index: sources[index])
    predictions: dict[int, Record] = {}
    scores = []
    for fold in range(folds):
        held_out = set(order[fold::folds])
        kept = [record for index, record in enumerate(records) if index not in held_out]
        # These scores do not depend on calibration: any records will do, so that training keeps
        # all.
        detector = train(recipe, kept, dev=kept[::10], seed=seed, report=report)
        gold = [records[index] for index in sorted(held_out)]
        predicted = predict(detector, gold)
        scores.append(measure(gold, predicted))
        predictions.update(zip(sorted(held_out), predicted, strict=True))
    in_order = tuple(predictions[index] for index in range(len(records)))
    return CrossValidation(
        measure(records, in_order),
        tuple(scores),
        in_order,
        score_sources(records, in_order, sources),
    )


ALL = ""
"""The name of all sources, or of all labels, taken together."""


def score_sources(
    gold: Sequence[Record], predicted: Sequence[Record], sources: Sequence[str] = ()
) -> dict[str, dict[str, Counts]]:
    """Count exact spans by label, and of all labels, in each source of records and in all of them.

    This is the strict match of MedNLP-1, which kajiyama-2018 uses for its scores (section 2.2).
    """
    names = [*dict.fromkeys(sources), ALL]
    found = {}
    for name in names:
        own = [
            index
            for index in range(len(gold))
            if name == ALL or (sources and sources[index] == name)
        ]
        pairs = pair_records(
            [gold[index] for index in own], [predicted[index] for index in own]
        ).pairs
        labels = {scores.label: scores.strict for scores in score_labels(pairs)}
        found[name] = {ALL: sum(labels.values(), Counts()), **labels}
    return found


def learning_curve(
    recipe: LinearRecipe,
    records: Sequence[Record],
    dev: Sequence[Record],
    *,
    shares: Sequence[float] = SHARES,
    seed: int | None = None,
    report: Report | None = None,
) -> tuple[CurvePoint, ...]:
    """Measure the scores on development records after training on growing parts of the records."""
    if not dev:
        raise InputError("a learning curve needs development records to be measured on")
    order = shuffled(len(records), seed)
    points = []
    for share in shares:
        count = max(1, round(share * len(records)))
        part = [records[index] for index in sorted(order[:count])]
        if not any(record.spans for record in part):
            continue  # too few records to learn anything from
        detector = train(recipe, part, dev=dev, seed=seed, report=report)
        points.append(CurvePoint(count, measure(dev, predict(detector, dev))))
    return tuple(points)


def shuffled(count: int, seed: int | None) -> list[int]:
    """The numbers below `count` in an order that depends on the seed."""
    order = list(range(count))
    random.Random(seed or 0).shuffle(order)  # noqa: S311 - nothing secret
    return order
