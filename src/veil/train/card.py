"""The model card: what a model was trained on, what it reached, and what it cannot do.

It holds names, numbers and labels; no text of a record and no absolute path. The same training
gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veil
from veil.detect.crf import VECTORS
from veil.recipes import about, names
from veil.train.validation import measure, sum_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil.core.document import Record
    from veil.detect.crf import LinearRecipe
    from veil.train.validation import CrossValidation, CurvePoint, Scores

_DIGITS = 6


def describe_data(names_of_data: Sequence[str], records: Sequence[Record]) -> dict[str, Any]:
    """Names and numbers of a set of records."""
    labels = Counter(span.label for record in records for span in record.spans)
    return {
        "data": list(names_of_data),
        "records": len(records),
        "characters": sum(len(record.document.text) for record in records),
        "spans": sum(labels.values()),
        "labels": dict(sorted(labels.items())),
    }


def describe_measurement(
    name: str, how: str, gold: Sequence[Record], predicted: Sequence[Record]
) -> dict[str, Any]:
    """What a pipeline reached on records of that name; `how` says which pipeline it was."""
    totals = sum_up(gold, predicted)
    return {
        "data": name,
        "how": how,
        "records": totals.documents,
        "leaking_records": totals.leaking_documents,
        "spans": totals.gold_spans,
        "leaked_spans": totals.leaked_spans,
        **_rounded(asdict(measure(gold, predicted))),
    }


def make_card(
    recipe: LinearRecipe,
    training: Mapping[str, Any],
    *,
    dev: Mapping[str, Any] | None,
    licence: str,
    scores: Scores | None,
    validation: CrossValidation | None,
    curve: Sequence[CurvePoint],
) -> dict[str, Any]:
    """Return the card as it stands in `model.toml`."""
    card: dict[str, Any] = {
        "recipe": recipe.name,
        "about": about(recipe.name) if recipe.name in names() else "",
        "veil_version": veil.__version__,
        "trainer": recipe.trainer,
        "groups": list(recipe.groups),
        "seeds": list(recipe.seeds),
        "licence": licence,
        "limits": _limits(recipe, scores),
        "training": dict(training),
    }
    if VECTORS in recipe.parameters:
        card["vectors"] = Path(recipe.parameters[VECTORS]).name
    if dev is not None:
        card["dev"] = dict(dev)
    if scores is not None:
        card["scores"] = _rounded(asdict(scores))
    if validation is not None:
        card["cross_validation"] = {
            "folds": len(validation.folds),
            **_rounded(asdict(validation.pooled)),
            "mean": _rounded({name: mean for name, (mean, _) in validation.spread().items()}),
            "deviation": _rounded({name: sd for name, (_, sd) in validation.spread().items()}),
        }
    if curve:
        card["curve"] = [
            {"records": point.records, **_rounded(asdict(point.scores))} for point in curve
        ]
    return card


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: round(score, _DIGITS) for name, score in scores.items()}


def _limits(recipe: LinearRecipe, scores: Scores | None) -> list[str]:
    limits = [
        f"It reads text in one language ({recipe.language}) and finds the labels that it was "
        "trained on, no others.",
        "Records of another place, time or kind may differ from those that it was trained on: "
        "measure it on some of your own before you rely on it.",
    ]
    if scores is None:
        limits.append("It was not measured on development records.")
    elif scores.document_leak > 0:
        limits.append(
            f"In {scores.document_leak:.1%} of the development records something identifying "
            "stayed readable."
        )
    return limits
