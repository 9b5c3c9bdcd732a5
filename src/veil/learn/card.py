"""The model card: training data, scores and limits of a model, as data, Markdown and HTML.

It contains names, numbers and labels; no text of a record and no absolute path. The same training
gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veil
from veil.detect.crf import VECTORS
from veil.learn.recipe import about, names
from veil.learn.training import measure, sum_up
from veil.render import NO_TEXT_NOTICE, render_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from veil.core.document import Record
    from veil.detect.crf import LinearRecipe
    from veil.learn.training import CrossValidation, CurvePoint, ModelScores


_DIGITS = 6


def describe_data(names_of_data: Sequence[str], records: Sequence[Record]) -> dict[str, Any]:
    """Describe a set of records: names of data, and numbers."""
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
    """Describe the scores of a pipeline on named records; `how` says which pipeline it was."""
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
    scores: ModelScores | None,
    validation: CrossValidation | None,
    curve: Sequence[CurvePoint],
) -> dict[str, Any]:
    """Return the card as it is stored in `model.toml`."""
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
    if recipe.windows:
        card["windows"] = {name: list(pair) for name, pair in recipe.windows.items()}
    if VECTORS in recipe.parameters:
        card["vectors"] = Path(recipe.parameters[VECTORS]).name
    if recipe.dictionary is not None:
        card["dictionary"] = recipe.dictionary.name
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


def _limits(recipe: LinearRecipe, scores: ModelScores | None) -> list[str]:
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


METRICS = {
    "precision": "precision, exact spans and labels",
    "recall": "recall, exact spans and labels",
    "f1": "F1, exact spans and labels (i2b2 strict, MEDDOCAN subtask 1)",
    "extent_f1": "F1, exact spans, labels ignored (MEDDOCAN subtask 2, strict)",
    "merged_f1": "F1, neighbouring spans merged, labels ignored (MEDDOCAN subtask 2, merged)",
    "character_recall": "share of identifying characters found",
    "character_precision": "share of found characters that are identifying",
    "document_leak": "share of documents in which a letter or digit stays readable",
}
"""The scores of a card in words."""

_SHORT = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "character_recall": "characters found",
    "character_precision": "of those found identifying",
}


@dataclass(frozen=True)
class _Section:
    """A part of the card: sentences, a table with its heading, or the points of a curve."""

    title: str
    sentences: Sequence[str] = ()
    heading: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    points: Sequence[Mapping[str, Any]] = ()


def card_markdown(settings: Mapping[str, Any]) -> str:
    """The card as a page of Markdown."""
    lines = [f"# Model {settings['name']}"]
    for section in _sections(settings):
        lines += ["", f"## {section.title}", ""]
        lines += [f"- {sentence}" for sentence in section.sentences]
        if section.heading:
            rule = "|" + "---|" * len(section.heading)
            lines += [_row(section.heading), rule, *map(_row, section.rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def card_html(settings: Mapping[str, Any]) -> str:
    """The card as a page of HTML, with the learning curve as a chart."""
    title = f"Model {settings['name']}"
    sections = list(_sections(settings))
    return "".join(render_page("model_card", title=title, notice=NO_TEXT_NOTICE, sections=sections))


def _sections(settings: Mapping[str, Any]) -> Iterator[_Section]:
    card = settings["card"]
    yield _Section("Training", _facts(settings))
    labels = card["training"]["labels"]
    yield _Section(
        "Labels",
        heading=("label", "spans"),
        rows=[(label, f"{count:,}") for label, count in labels.items()],
    )
    if "scores" in card:
        dev = card["dev"]
        yield _Section(
            f"Scores on {', '.join(dev['data'])}, {dev['records']:,} records",
            heading=("score", "value"),
            rows=[(METRICS[name], f"{score:.4f}") for name, score in card["scores"].items()],
        )
    if "measured" in card:
        yield _measured(card["measured"])
    if "cross_validation" in card:
        yield _cross_validation(card["cross_validation"])
    if "curve" in card:
        yield _curve(card["curve"])
    if settings.get("dial"):
        yield _Section(
            "Recall dial",
            heading=("bias", "character recall"),
            rows=[(f"{bias:g}", f"{recall:.4f}") for bias, recall in settings["dial"]],
        )
    yield _Section("Limits", card["limits"])


def _facts(settings: Mapping[str, Any]) -> list[str]:
    card = settings["card"]
    training = card["training"]
    vectors = [f"Word vectors: {card['vectors']}."] if "vectors" in card else []
    words = [f"User dictionary: {card['dictionary']}."] if "dictionary" in card else []
    return [
        f"Recipe: {card['recipe']}. {card['about']}".strip(),
        f"Kind: {settings['kind']}; language: {settings['language']}; label scheme: "
        f"{settings.get('scheme') or 'none that Veil knows'}; trainer: {card['trainer']}; "
        f"seeds: {', '.join(map(str, card['seeds']))}; Veil {card['veil_version']}.",
        f"Feature groups: {', '.join(card['groups'])}.",
        *vectors,
        *words,
        f"Data: {', '.join(training['data'])}; {training['records']:,} records, "
        f"{training['characters']:,} characters, {training['spans']:,} spans.",
        f"Licence of the data: {card['licence'] or 'not stated'}.",
    ]


def _measured(found: Sequence[Mapping[str, Any]]) -> _Section:
    shown = ("precision", "recall", "f1", "character_recall", "character_precision")
    return _Section(
        "Measured on records that had no part in training",
        heading=("records of", "with", "records", *(_SHORT[name] for name in shown), "leaks"),
        rows=[
            (
                each["data"],
                each["how"],
                f"{each['records']:,}",
                *(f"{each[name]:.4f}" for name in shown),
                f"{each['leaked_spans']:,} of {each['spans']:,} spans",
            )
            for each in found
        ],
    )


def _cross_validation(found: Mapping[str, Any]) -> _Section:
    return _Section(
        f"Cross-validation, {found['folds']} folds by document",
        heading=("score", "pooled", "mean of folds", "SD"),
        rows=[
            (METRICS[name], f"{found[name]:.4f}", f"{mean:.4f}", f"{found['deviation'][name]:.4f}")
            for name, mean in found["mean"].items()
        ],
    )


def _curve(points: Sequence[Mapping[str, Any]]) -> _Section:
    return _Section(
        "Learning curve",
        heading=("training records", "F1", "character recall"),
        rows=[
            (f"{point['records']:,}", f"{point['f1']:.4f}", f"{point['character_recall']:.4f}")
            for point in points
        ],
        points=points,
    )
