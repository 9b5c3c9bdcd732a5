"""`veil train`, `veil models` and `veil explain`: learned models."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.progress import meter
from veil.core.errors import printable
from veil.files import explain_files, train_files
from veil.learn import names
from veil.learn.card import METRICS
from veil.models import ModelInfo, card_text, describe, find_model, installed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from veil.core.document import Document
    from veil.detect.linear.explain import Explanation
    from veil.learn import CrossValidation, Scores

_HEADING = ("model", "kind", "language", "scheme", "size", "F1", "recall", "data", "licence")


def add_train(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "train",
        about="train a model on annotated records",
        details="Train a model on annotated records by a recipe, and write its card.\n"
        "The same records, recipe and seed give the same bytes.",
        example="  veil train veil-es --corpus train/ --dev dev/ -o my-model/",
    )
    common.option(
        parser,
        "recipe",
        "RECIPE",
        f"name of a recipe, or path of a TOML file of your own: {', '.join(names())}",
    )
    common.path_option(
        parser,
        "--corpus",
        "FOLDER",
        "files or folders with the annotated records to train on",
        nargs="+",
        required=True,
    )
    common.path_option(
        parser,
        "--dev",
        "FOLDER",
        "annotated records for measuring and calibration; without it every tenth record is held "
        "out for calibration",
        nargs="+",
        default=[],
    )
    parser.add_argument("-o", "--output", metavar="MODEL", type=Path, help="model folder to write")
    common.option(
        parser,
        "--folds",
        "N",
        "cross-validate first, by documents; without -o, do only that",
        type=int,
        default=0,
    )
    common.flag(
        parser,
        "--curve",
        "measure the learning curve on --dev, for the card; takes about twice the time",
    )
    common.option(parser, "--seed", "N", "seed instead of the recipe's", type=int)
    common.path_option(
        parser,
        "--vectors",
        "FILE",
        "word vectors in the text format of word2vec and fastText, for recipes with an SVM",
    )
    common.add_scheme_option(parser, "label scheme to train; that of the corpus if absent")
    common.add_language_option(parser, "language of the records, if not the recipe's")
    common.option(
        parser,
        "--data-name",
        "NAME",
        "name of the training data in the card; the names of the folders if absent",
    )
    common.option(
        parser, "--licence", "TEXT", "licence of the training data, for the card", default=""
    )
    common.add_workers_option(parser, "number of processes that train with different seeds")
    common.add_overwrite_option(parser, "replace a model that exists already")
    common.add_reading_options(parser)
    parser.set_defaults(run=_train)


def _train(args: argparse.Namespace) -> int:
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
            scheme=args.scheme,
            lang=args.lang,
            data_name=args.data_name,
            licence=args.licence,
            workers=args.workers,
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


def _score_table(scores: Scores, records: int) -> str:
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
    return "\n".join(rows) + "\n"


def add_models(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "models",
        about="list models, or print the card of one",
        details="List the installed models. With one name or folder, print its card; with\n"
        "several, list these. Recall is the share of identifying characters found in\n"
        "development records.",
        example="  veil models my-model/",
    )
    common.option(
        parser, "models", "MODEL", "names of installed models, or model folders", nargs="*"
    )
    parser.set_defaults(run=_models)


def _models(args: argparse.Namespace) -> int:
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
    """The card of a model that has no card of its own."""
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


def add_explain(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "explain",
        about="show why a model found each span",
        details="Show for each span the features with the highest weights for its label against\n"
        "the label that came second ('O' means: no span).",
        example="  veil explain note.txt --model veil-es --html why.html",
    )
    common.path_option(parser, "source", "FILE", "file or folder to read")
    common.option(parser, "--model", "MODEL", "folder or name of a model", required=True)
    common.option(parser, "--top", "N", "number of features to show (8)", type=int, default=8)
    common.path_option(parser, "--html", "PAGE", "write an HTML page instead")
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=_explain)


def _explain(args: argparse.Namespace) -> int:
    result = explain_files(
        args.source,
        model=args.model,
        top=args.top,
        html=args.html,
        overwrite=args.overwrite,
        **common.reading(args),
    )
    if args.html:
        return common.finish(result, f"page written to {args.html}", quiet=args.quiet)
    for doc, found in result.explanations:
        sys.stdout.write(_paragraph(doc, found, args.top))
    return common.finish(result, quiet=args.quiet)


def _paragraph(doc: Document, found: Explanation, top: int) -> str:
    text = doc.text[found.span.start : found.span.end].replace("\n", "⏎")
    lines = [f"{printable(doc.id)}: «{text}» {found.title}"]
    lines += [f"  {reason.margin:+7.2f}  {reason.feature}" for reason in found.reasons[:top]]
    rest = sum(reason.margin for reason in found.reasons[top:])
    lines.append(f"  {rest:+7.2f}  {len(found.reasons[top:])} other features")
    lines.append(f"  {found.transitions:+7.2f}  the tags beside it, and the setting of recall")
    return "\n".join(lines) + "\n\n"
