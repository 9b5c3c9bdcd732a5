"""One training: a recipe and records give a detector."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.core.labels import guess_scheme
from veil.detect.base import detector_class
from veil.detect.linear.dropout import DropoutSettings
from veil.detect.linear.trainers import ALGORITHMS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Record
    from veil.detect.base import TrainedDetector
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
    and the numbers after it the others. `report` hears of each epoch and its loss. Where the recipe
    names no label scheme, the detector has the one that knows the records' labels.
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
    """How often a training reports at most, where that is known before."""
    # A two-stage model is trained fold by fold, and then both of its stages.
    trainings = recipe.folds + 2 if recipe.kind == "two-stage" else 1
    if recipe.trainer == "dropout":
        runs = len(recipe.seeds) if recipe.workers < 2 else 1
        return int(recipe.parameters.get("epochs", DropoutSettings.epochs)) * runs * trainings
    limit = {**ALGORITHMS.get(recipe.trainer, {}), **recipe.parameters}.get("max_iterations")
    return None if limit is None else int(limit) * trainings
