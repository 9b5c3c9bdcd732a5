"""`veil detect`: what identifies people in records."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.batch import detect_documents
from veil.cli import common, detection
from veil.core.errors import InputError, RecordError
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import names_pipeline
from veil.detect.known import KnownTable
from veil.detect.names import NameMemory, NameModules
from veil.io import ReadLog
from veil.learn.recipe import METHODS, method_pipeline
from veil.models import describe

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from veil.core.document import Document, Record
    from veil.detect.pipeline import DetectionPipeline, Outcome


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "detect",
        about="find identifying spans in records",
        details="Find identifying spans in records with Veil's model and rules for their\n"
        "language, or with what you choose. Only the texts of the input are used; a record that\n"
        "fails is withheld and named.",
        example="  veil detect notes/ -o found/ --to brat\n"
        "  veil detect notes/ -o found/ --rules-only --lang sv --known patients.csv\n"
        "  veil detect notes/ -o found/ --model my-model/ --with-rules",
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
    _add_detector_options(parser)
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        choices=io.writable_names(),
        default="jsonl",
        help=f"format of the output, jsonl if absent: {', '.join(io.writable_names())}",
    )
    common.add_scheme_option(parser, "label scheme of the output; Veil's or the model's without")
    detection.add_dial_options(parser)
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


def _add_detector_options(parser: argparse.ArgumentParser) -> None:
    which = detection.add_detector_options(parser)
    which.add_argument(
        "--method",
        metavar="NAME",
        choices=METHODS.names(),
        help=f"a paper's method that learns nothing: {', '.join(METHODS.names())}",
    )
    which.add_argument(
        "--order",
        metavar="MODULES",
        help="names alone, by the modules of carlsson-2010 in this order: TCD, CDTL "
        "(T titles, C common words, D dictionaries, L learning); needs --lang",
    )
    parser.add_argument(
        "--memory",
        metavar="FILE",
        type=Path,
        help="for orders with L: the names learnt so far, kept in this file and added to; "
        "without, the input is read twice",
    )


def run(args: argparse.Namespace) -> int:
    for source in args.sources:
        common.check_output(source, Path(args.output), overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    load, labels = _loader(args, log)
    wanted = args.scheme or _scheme_of_model(args) or labels
    converter = None if wanted == labels else Converter(scheme(labels), scheme(wanted))
    table = KnownTable.read(args.known) if args.known else KnownTable()
    records = common.read_all(args.sources, log, from_format=args.from_format, quiet=args.quiet)
    docs = (_looked_up(record.document, table) for record in records)
    found = _kept(detect_documents(docs, load, workers=args.workers), log)
    if converter:
        found = map(converter.convert_record, found)
    count = io.write(found, args.output, format=args.to_format, log=log)
    if converter:
        common.report_conversion(converter, quiet=args.quiet)
    if table.unasked:
        common.say(
            f"{len(table.unasked)} id(s) of {args.known} belong to no record", quiet=args.quiet
        )
    code = common.report_reading(log, quiet=args.quiet)
    common.say(f"{count} record(s) written to {args.output}", quiet=args.quiet)
    return code


def _loader(args: argparse.Namespace, log: ReadLog) -> tuple[Callable[[], DetectionPipeline], str]:
    """How to make the pipeline that was asked for, and the scheme of its labels."""
    _check_options(args)
    if args.method:
        return partial(method_pipeline, args.method), VEIL
    if args.order:
        return partial(names_pipeline, args.lang, args.order, _memory(args, log)), VEIL
    load, labels = detection.pipeline_loader(args, corpus=_corpus(args, log))
    if labels is None and args.scheme is not None:
        raise InputError(
            f"{args.model}: the model's labels are of no scheme that Veil knows; leave out --scheme"
        )
    return load, labels or VEIL


def _scheme_of_model(args: argparse.Namespace) -> str | None:
    """The scheme of the model that was asked for by name."""
    return describe(common.model_folder(args.model)).scheme if args.model else None


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that would change nothing."""
    learned = not (args.rules_only or args.method or args.order)
    with_rules = not (args.method or args.order)
    wrong = {
        **detection.idle_options(args, learned=learned),
        "--corpus, without --model": args.corpus and not args.model,
        "--own-rules, with --method or --order": args.own_rules and not with_rules,
        "--assume-language, with --method or --order": args.assume_language and not with_rules,
        "--known, with --method or --order": args.known and not with_rules,
        "--memory, without an --order with L": args.memory
        and "L" not in (args.order or "").upper(),
        "--order, without --lang": args.order and not args.lang,
    }
    detection.refuse_idle(wrong)
    if args.method and args.lang not in (None, METHODS.get(args.method).language):
        raise InputError(
            f"{args.method} is a method for '{METHODS.get(args.method).language}', "
            f"not for '{args.lang}'"
        )


def _memory(args: argparse.Namespace, log: ReadLog) -> NameMemory | None:
    """What the learning module is to know: learnt from the input, added to what the user keeps."""
    order = args.order.upper()
    if "L" not in order:
        return None
    learner = NameModules(args.lang, order)
    kept = NameMemory.load(args.memory) if args.memory and args.memory.exists() else None
    first_pass = ReadLog(strict=log.strict)  # what cannot be read is told in the second pass
    records = common.read_all(
        args.sources, first_pass, from_format=args.from_format, quiet=args.quiet
    )
    memory = learner.learn((record.document for record in records), kept)
    if args.memory:
        memory.save(args.memory)
    return memory


def _looked_up(doc: Document, table: KnownTable) -> Document:
    """The document, looked up in the table, which so learns whom it is never asked for."""
    table(doc)
    return doc


def _corpus(args: argparse.Namespace, log: ReadLog) -> list[Document]:
    if args.corpus is None:
        return []
    records = common.read_records(args.corpus, log, from_format=args.from_format, quiet=args.quiet)
    return [record.document for record in records]


def _kept(outcomes: Iterable[Outcome], log: ReadLog) -> Iterator[Record]:
    """The records of outcomes; the others are withheld and told of at the end."""
    for outcome in outcomes:
        if isinstance(outcome, RecordError):
            log.withhold(outcome)
        else:
            yield outcome
