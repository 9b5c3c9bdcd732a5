"""`veil detect`: what a trained model finds in records."""

from __future__ import annotations

import argparse
import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veil import formats
from veil.batch import detect_documents
from veil.cli import common
from veil.core.errors import InputError, RecordError
from veil.core.labels import Converter, scheme
from veil.formats import ReadLog
from veil.models import describe
from veil.pipeline import load_pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Document, Record
    from veil.pipeline import Outcome


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "detect",
        about="find identifying spans in records with a trained model",
        details="Find identifying spans in records with a trained model.\n"
        "Only the texts of the input are used; a record that fails is withheld and named.",
        example="  veil detect notes/ -o found/ --model my-model/ --to brat",
    )
    parser.add_argument(
        "sources", metavar="IN", type=Path, nargs="+", help="files and folders to read"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="file or folder to write; a slash at its end makes a folder",
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        required=True,
        help="model folder, or name of an installed model (see veil models)",
    )
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        choices=formats.names(),
        default="jsonl",
        help=f"format of the output, jsonl if absent: {', '.join(formats.names())}",
    )
    common.add_scheme_option(parser, "label scheme of the output; the model's without")
    common.add_language_option(parser, "language of the records; it must be the model's")
    dial = parser.add_mutually_exclusive_group()
    dial.add_argument(
        "--recall",
        metavar="SHARE",
        type=_share,
        help="find at least this share of identifying characters, as measured in training: 0.99",
    )
    dial.add_argument(
        "--bias",
        metavar="NUMBER",
        type=float,
        help="score of being nothing; the lower, the more is found and the more wrongly",
    )
    parser.add_argument(
        "--corpus",
        metavar="FOLDER",
        type=Path,
        help="for two-stage models: records whose majorities count, instead of those that are "
        "worked on together",
    )
    common.add_workers_option(parser, "processes that work side by side", default=1)
    parser.add_argument(
        "--overwrite", action="store_true", help="write into a folder that is not empty"
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def _share(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no share; give a number up to 1, such as 0.99")


def run(args: argparse.Namespace) -> int:
    for source in args.sources:
        common.check_output(source, Path(args.output), overwrite=args.overwrite)
    folder = common.model_folder(args.model)
    converter = _converter(folder, args.scheme)
    log = ReadLog(strict=args.strict)
    load = partial(
        load_pipeline,
        folder,
        language=args.lang,
        recall=args.recall,
        bias=args.bias,
        corpus=_corpus(args, log),
    )
    records = common.read_all(args.sources, log, from_format=args.from_format, quiet=args.quiet)
    outcomes = detect_documents((record.document for record in records), load, workers=args.workers)
    found = _kept(outcomes, log)
    if converter:
        found = map(converter.convert_record, found)
    count = formats.write(found, args.output, format=args.to_format)
    if converter:
        common.report_conversion(converter, quiet=args.quiet)
    code = common.report_reading(log, quiet=args.quiet)
    common.say(f"{count} record(s) written to {args.output}", quiet=args.quiet)
    return code


def _corpus(args: argparse.Namespace, log: ReadLog) -> list[Document]:
    if args.corpus is None:
        return []
    records = common.read_records(args.corpus, log, from_format=args.from_format, quiet=args.quiet)
    return [record.document for record in records]


def _converter(folder: Path, target: str | None) -> Converter | None:
    source = describe(folder).scheme
    if target is None or target == source:
        return None
    if source is None:
        raise InputError(
            f"{folder}: the model's labels are of no scheme that Veil knows; leave out --scheme"
        )
    return Converter(scheme(source), scheme(target))


def _kept(outcomes: Iterable[Outcome], log: ReadLog) -> Iterator[Record]:
    """The records of outcomes; the others are withheld and told of at the end."""
    for outcome in outcomes:
        if isinstance(outcome, RecordError):
            log.withhold(outcome)
        else:
            yield outcome
