"""`veil train`: from annotated records and a recipe to a model."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.progress import meter
from veil.core.errors import InputError
from veil.core.labels import Converter, guess_scheme, scheme
from veil.detect.crf import with_vectors
from veil.io import ReadLog
from veil.learn import (
    TrainingData,
    cross_validate,
    epochs,
    for_language,
    names,
    recipe,
    train_model,
)
from veil.learn.card import METRICS
from veil.learn.model import check_model_folder
from veil.learn.training import SHARES

if TYPE_CHECKING:
    import argparse

    from veil.core.document import Record
    from veil.detect.crf import LinearRecipe
    from veil.learn import CrossValidation, Scores


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "train",
        about="train a model on annotated records",
        details="Train a model on annotated records by a recipe, and write its card.\n"
        "The same records, recipe and seed give the same bytes.",
        example="  veil train veil-es --corpus train/ --dev dev/ -o my-model/",
    )
    parser.add_argument(
        "recipe",
        metavar="RECIPE",
        help=f"name of a recipe, or path of your own TOML file: {', '.join(names())}",
    )
    parser.add_argument(
        "--corpus",
        metavar="FOLDER",
        type=Path,
        nargs="+",
        required=True,
        help="files or folders with the annotated records to train on",
    )
    parser.add_argument(
        "--dev",
        metavar="FOLDER",
        type=Path,
        nargs="+",
        default=[],
        help="annotated records to measure and calibrate on; without, every tenth is held out to "
        "calibrate",
    )
    parser.add_argument("-o", "--output", metavar="MODEL", type=Path, help="model folder to write")
    parser.add_argument(
        "--folds",
        metavar="N",
        type=int,
        default=0,
        help="cross-validate first, by documents; without -o that is all",
    )
    parser.add_argument(
        "--curve",
        action="store_true",
        help="measure the learning curve on --dev, for the card; takes about twice the time",
    )
    parser.add_argument("--seed", metavar="N", type=int, help="seed instead of the recipe's")
    parser.add_argument(
        "--vectors",
        metavar="FILE",
        type=Path,
        help="word vectors in the text format of word2vec and fastText, for recipes with an SVM",
    )
    common.add_scheme_option(parser, "label scheme to train; that of the corpus without")
    common.add_language_option(parser, "language of the records, if not the recipe's")
    parser.add_argument(
        "--data-name",
        metavar="NAME",
        help="what the card calls the training data; the names of the folders without",
    )
    parser.add_argument(
        "--licence", metavar="TEXT", default="", help="licence of the training data, for the card"
    )
    common.add_workers_option(parser, "processes that train seeds side by side")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace a model that is there already"
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.output is None and not args.folds:
        raise InputError("give -o MODEL to train a model, or --folds N to cross-validate alone")
    if args.curve and not args.dev:
        raise InputError("--curve needs --dev: the learning curve is measured there")
    if args.output is not None:
        check_model_folder(args.output, overwrite=args.overwrite)
    made = recipe(args.recipe)
    if args.lang:
        made = for_language(made, args.lang)
    if args.vectors:
        made = with_vectors(made, args.vectors)
    log = ReadLog(strict=args.strict)
    (records, dev), scheme_name = _mapped(
        [_read(args.corpus, log, args), _read(args.dev, log, args)],
        args.scheme or made.scheme,
        quiet=args.quiet,
    )
    made = replace(made, scheme=scheme_name, workers=args.workers)
    common.say(f"{len(records)} record(s) to train on, recipe {made.name}", quiet=args.quiet)
    if args.output is None:
        total = _steps(made, args.folds)
        with meter(total=total, what="epochs", quiet=args.quiet) as step:
            found = cross_validate(
                made, records, folds=args.folds, seed=args.seed, report=lambda *_: step()
            )
        sys.stdout.write(_validation_table(found))
        return common.report_reading(log, quiet=args.quiet)
    total = _steps(made, 1 + args.folds + (len(SHARES) - 1 if args.curve else 0))
    with meter(total=total, what="epochs", quiet=args.quiet) as step:
        trained = train_model(
            made,
            TrainingData(records, _data_names(args.corpus, args.data_name), args.licence),
            dev=TrainingData(dev, _data_names(args.dev, None)) if dev else None,
            seed=args.seed,
            folds=args.folds,
            curve=args.curve,
            report=lambda *_: step(),
        )
    trained.save(args.output, overwrite=args.overwrite)
    if trained.validation:
        sys.stdout.write(_validation_table(trained.validation))
    if trained.scores:
        sys.stdout.write(_score_table(trained.scores, len(dev)))
    common.say(f"model written to {args.output}", quiet=args.quiet)
    return common.report_reading(log, quiet=args.quiet)


def _read(paths: list[Path], log: ReadLog, args: argparse.Namespace) -> list[Record]:
    """Read all records; of several corpora the ids are numbered, so that none comes twice."""
    records = []
    for number, path in enumerate(paths, start=1):
        for record in common.read_records(
            path, log, from_format=args.from_format, quiet=args.quiet
        ):
            if len(paths) > 1:
                document = replace(record.document, id=f"{number}/{record.id}")
                record = replace(record, document=document)
            records.append(record)
    return records


def _mapped(
    sides: list[list[Record]], wanted: str | None, *, quiet: bool
) -> tuple[list[list[Record]], str | None]:
    """Map the labels of all records to the wanted scheme, if they are of a known one."""
    source = guess_scheme(
        {span.label for records in sides for record in records for span in record.annotations}
    )
    if source is None or wanted in (None, source.name):
        return sides, source.name if source else None
    converter = Converter(source, scheme(wanted))
    mapped = [[converter.convert_record(record) for record in records] for records in sides]
    common.report_conversion(converter, quiet=quiet)
    return mapped, wanted


def _data_names(paths: list[Path], given: str | None) -> tuple[str, ...]:
    """Names for the card: as given, but of an absolute path no more than its last part."""
    if given:
        return (given,)
    return tuple(
        path.resolve().name
        if path.is_absolute() or ".." in path.parts or not path.name
        else path.as_posix()
        for path in paths
    )


def _steps(made: LinearRecipe, trainings: int) -> int | None:
    steps = epochs(made)
    return steps * trainings if steps else None


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
