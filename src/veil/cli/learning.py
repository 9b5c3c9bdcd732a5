"""`veil train`, `vectors`, `reproduce`, `models` and `explain`: learned models."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.progress import meter
from veil.core.errors import InputError, printable
from veil.detect.linear.explain import merged
from veil.files.explanation import explain_files
from veil.files.reproduction import reproduce_files
from veil.files.training import train_files, vectors_of_files
from veil.learn.card import METRICS
from veil.learn.reproduce import format_reproduction
from veil.learn.training import ALL
from veil.learn.vectors import VectorSettings
from veil.models import ModelInfo, card_text, describe, find_model, installed
from veil.render.terminal import text_table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from veil.core.document import Document, Record
    from veil.detect.linear.explain import Explanation
    from veil.detect.why import Why
    from veil.evaluate.match import Counts
    from veil.learn.training import CrossValidation, ModelScores

_HEADING = ("model", "kind", "language", "scheme", "size", "F1", "recall", "data", "licence")


def run_train(args: argparse.Namespace) -> int:
    if not (args.corpus or args.from_review):
        raise InputError("nothing to train on; give --corpus FOLDER, --from-review STORE, or both")
    reviewed: list[Record] = []
    for store in args.from_review:
        from veil.review.files import reviewed_records  # rarely needed

        reviewed += reviewed_records(store)
    with meter(what="epochs", quiet=args.quiet) as step:
        result = train_files(
            args.recipe,
            args.corpus,
            args.output,
            dev=args.dev,
            folds=args.folds,
            curve=args.curve,
            seed=args.seed,
            vectors=args.vectors,
            dictionary=args.dictionary,
            scheme=args.scheme,
            lang=args.lang,
            data_name=args.data_name,
            licence=args.licence,
            workers=args.workers,
            checkpoint=args.checkpoint,
            reviewed=reviewed,
            overwrite=args.overwrite,
            step=step,
            **common.reading(args),
        )
    if result.validation:
        sys.stdout.write(_validation_table(result.validation))
    if result.model and result.model.scores:
        sys.stdout.write(_score_table(result.model.scores, result.dev_records))
    messages = [f"{result.count} record(s) to train on, recipe {result.recipe}"]
    messages += [f"model written to {args.output}"] if result.model else []
    return common.finish(result, *messages, quiet=args.quiet)


def _score_table(scores: ModelScores, records: int) -> str:
    rows = [f"Scores on {records} development record(s)"]
    rows += [f"  {getattr(scores, name):.4f}  {words}" for name, words in METRICS.items()]
    return "\n".join(rows) + "\n"


def _validation_table(found: CrossValidation) -> str:
    rows = [
        f"Cross-validation, {len(found.folds)} folds by document",
        "  pooled  mean of folds (SD)",
    ]
    spread = found.spread()
    for name, words in METRICS.items():
        mean, deviation = spread[name]
        rows.append(f"  {getattr(found.pooled, name):.4f}  {mean:.4f} ({deviation:.4f})  {words}")
    return "\n".join(rows) + "\n\n" + _tag_table(found.tags) + "\n"


def _tag_table(tags: Mapping[str, Mapping[str, Counts]]) -> str:
    """F1 of exact spans by label, with a column for each source and one for all sources."""
    header = ["F1 by label", "spans", *(name or "all" for name in tags)]
    everything = tags[ALL]
    rows = [
        [
            label or "all",
            str(total.tp + total.fn),
            *(_f1(of_source.get(label)) for of_source in tags.values()),
        ]
        for label, total in everything.items()
    ]
    return text_table(header, rows)


def _f1(counts: Counts | None) -> str:
    """The F1 score, or "-" if the source does not have the label."""
    return "-" if counts is None or not counts.tp + counts.fn else f"{counts.f1:.4f}"


def run_reproduce(args: argparse.Namespace) -> int:
    with meter(what="epochs", quiet=args.quiet) as step:
        result = reproduce_files(
            args.paper,
            args.corpus,
            fast=args.fast,
            json=args.json,
            html=args.html,
            overwrite=args.overwrite,
            step=step,
            **common.reading(args),
        )
    sys.stdout.write(format_reproduction(result.reproduction))
    return common.finish(result, quiet=args.quiet)


def run_vectors(args: argparse.Namespace) -> int:
    result = vectors_of_files(
        args.corpus,
        args.output,
        lang=args.lang,
        settings=VectorSettings(args.dimensions, args.window, args.minimum),
        overwrite=args.overwrite,
        **common.reading(args),
    )
    message = f"vectors of {result.count:,} words written to {args.output}"
    return common.finish(result, message, quiet=args.quiet)


def run_models(args: argparse.Namespace) -> int:
    folders = [find_model(name) for name in args.models] or installed()
    if len(args.models) == 1:
        sys.stdout.write(card_text(folders[0]) or _short_card(describe(folders[0])))
    elif folders:
        sys.stdout.write(_table([_HEADING, *(_row(describe(folder)) for folder in folders)]))
    else:
        common.say("no model is installed; train one with veil train")
    return 0


def _row(model: ModelInfo) -> tuple[str, ...]:
    card = model.card
    scores = card.get("scores") or card.get("cross_validation") or {}
    return (
        model.folder.name,
        model.kind,
        model.language,
        model.scheme or "-",
        f"{model.size / 1e6:.1f} MB",
        _number(scores.get("f1")),
        _number(scores.get("character_recall")),
        ", ".join(card.get("training", {}).get("data", ())) or card.get("data", "-"),
        card.get("licence") or "-",
    )


def _short_card(model: ModelInfo) -> str:
    """A short card for a model without a card file."""
    lines = [f"# Model {model.name}", "", f"- kind: {model.kind}", f"- language: {model.language}"]
    lines += [f"- {key}: {value}" for key, value in model.card.items()]
    return "\n".join(lines) + "\n"


def _number(score: object) -> str:
    return f"{score:.4f}" if isinstance(score, float) else "-"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def run_explain(args: argparse.Namespace) -> int:
    result = explain_files(
        args.source,
        model=args.model,
        missed=[*args.missed, *args.missed_text],
        record=args.record,
        lang=args.lang,
        recall=args.recall,
        bias=args.bias,
        top=args.top,
        html=args.html,
        overwrite=args.overwrite,
        **common.reading(args),
    )
    if args.html:
        return common.finish(result, f"page written to {args.html}", quiet=args.quiet)
    for doc, found in result.explanations:
        sys.stdout.write(_paragraph(doc, found, args.top))
    for doc, why in result.missed:
        sys.stdout.write(_missed_paragraph(doc, why, args.top))
    return common.finish(result, quiet=args.quiet)


def _paragraph(doc: Document, found: Explanation, top: int) -> str:
    text = doc.text[found.span.start : found.span.end].replace("\n", "⏎")
    lines = [f"{printable(doc.id)}: «{text}» {found.title}"]
    reasons = merged(found.reasons)
    lines += [f"  {reason.margin:+7.2f}  {printable(reason.text)}" for reason in reasons[:top]]
    rest = sum(reason.margin for reason in reasons[top:])
    lines.append(f"  {rest:+7.2f}  {len(reasons[top:])} other features")
    lines.append(f"  {found.transitions:+7.2f}  the neighbouring tags, and the recall setting")
    return "\n".join(lines) + "\n\n"


def _missed_paragraph(doc: Document, why: Why, top: int) -> str:
    text = doc.text[why.start : why.end].replace("\n", "⏎")
    causes = ", ".join(why.causes)
    lines = [f"{printable(doc.id)}: «{printable(text)}» {why.start}-{why.end}: {causes}"]
    lines += [f"  {printable(sentence)}" for sentence in why.sentences]
    reasons = merged(why.reasons)
    if reasons:
        closest = why.candidates[0].label if why.candidates else why.span and why.span.label
        lines.append(f"  Features for {closest} (+) and against it (-):")
    lines += [f"  {reason.margin:+7.2f}  {printable(reason.text)}" for reason in reasons[:top]]
    return "\n".join(lines) + "\n\n"
