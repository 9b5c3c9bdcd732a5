"""From data and a recipe to a model folder, which is written completely or not at all."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.core.labels import SCHEMES, scheme, write_scheme
from veil.core.toml import read_toml, write_toml
from veil.detect.crf import LinearDetector
from veil.learn.card import card_html, card_markdown, describe_data, make_card
from veil.learn.joined import calibrate_joined
from veil.learn.training import (
    SHARES,
    CrossValidation,
    CurvePoint,
    ModelScores,
    cross_validate,
    learning_curve,
    measure,
    predict,
    train,
    with_seed,
)
from veil.models import CARD, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil.core.document import Record
    from veil.detect.base import TrainedDetector
    from veil.detect.crf import LinearRecipe
    from veil.learn.training import Report

CARD_PAGE = "CARD.html"


@dataclass(frozen=True)
class TrainingData:
    """Records and their names; names appear in the card, so they should not contain a path.

    `sources` names the source of each record, if there are several (see `cross_validate`).
    """

    records: Sequence[Record]
    names: tuple[str, ...] = ()
    licence: str = ""
    sources: Sequence[str] = ()


@dataclass(frozen=True)
class TrainedModel:
    """A detector with its recipe and its card."""

    detector: TrainedDetector
    recipe: LinearRecipe
    card: Mapping[str, Any]
    scores: ModelScores | None = None
    validation: CrossValidation | None = None

    def save(self, folder: Path, *, overwrite: bool = False) -> None:
        """Write a model folder with its card: completely, or not at all."""
        check_model_folder(folder, overwrite=overwrite)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".veil-") as name:
            made = Path(name, "model")
            self.detector.save(made, compact=self.recipe.compact)
            settings = read_toml(made / SETTINGS)
            if settings.get("scheme") and settings["scheme"] not in SCHEMES:
                write_scheme(scheme(settings["scheme"]), made)
            _write_card(made, {**settings, "card": dict(self.card)})
            if folder.exists():
                os.replace(folder, Path(name, "replaced"))  # noqa: PTH105
            os.replace(made, folder)  # noqa: PTH105


def add_to_card(folder: Path, found: Sequence[Mapping[str, Any]]) -> None:
    """Add to a model's card what was measured elsewhere (see `describe_measurement`)."""
    settings = read_toml(folder / SETTINGS)
    card = {**settings["card"], "measured": [dict(each) for each in found]}
    _write_card(folder, {**settings, "card": card})


def _write_card(folder: Path, settings: Mapping[str, Any]) -> None:
    write_toml(folder / SETTINGS, settings)
    (folder / CARD).write_text(card_markdown(settings), encoding="utf-8")
    (folder / CARD_PAGE).write_text(card_html(settings), encoding="utf-8")


def check_model_folder(folder: Path, *, overwrite: bool) -> None:
    """Raise an error if the folder is something else, or an older model without `overwrite`."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder}: is a file; a model is a folder")
    if any(folder.iterdir()) and not (folder / SETTINGS).is_file():
        raise InputError(f"{folder}: holds something else than a model; choose another folder")
    if any(folder.iterdir()) and not overwrite:
        raise InputError(f"{folder}: exists already; choose another or overwrite it")


def train_model(
    recipe: LinearRecipe,
    data: TrainingData,
    *,
    dev: TrainingData | None = None,
    seed: int | None = None,
    folds: int = 0,
    curve: bool = False,
    report: Report | None = None,
) -> TrainedModel:
    """Train, measure on development records, and write the card.

    With `folds` the recipe is cross-validated first; with `curve` it is also trained on parts of
    the records. The model itself is always trained on all of them.
    """
    held_out = dev.records if dev else ()
    validation = None
    if folds:
        validation = cross_validate(
            recipe, data.records, folds=folds, seed=seed, sources=data.sources, report=report
        )
    points: tuple[CurvePoint, ...] = ()
    if curve:
        points = learning_curve(
            recipe, data.records, held_out, shares=SHARES[:-1], seed=seed, report=report
        )
    detector = train(recipe, data.records, dev=held_out, seed=seed, report=report)
    if held_out and isinstance(detector, LinearDetector) and detector.weighs_rules:
        detector = calibrate_joined(detector, held_out)
    scores = measure(held_out, predict(detector, held_out)) if held_out else None
    if curve and scores:
        points += (CurvePoint(len(data.records), scores),)
    card = make_card(
        with_seed(recipe, seed),
        describe_data(data.names, data.records),
        dev=describe_data(dev.names, dev.records) if dev else None,
        licence=data.licence,
        scores=scores,
        validation=validation,
        curve=points,
    )
    return TrainedModel(detector, recipe, card, scores, validation)
