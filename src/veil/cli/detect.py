"""`veil detect`: what identifies people in records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.standard import STANDARD, ending_in_order, opened_sources, opened_target
from veil.core.errors import InputError
from veil.files import detect_files
from veil.io import FORMATS
from veil.learn.recipe import METHODS

if TYPE_CHECKING:
    import argparse


def add_detect(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "detect",
        about="find identifying spans in records",
        details="Find identifying spans in records with Veil's model and rules for their\n"
        "language, or with what you choose. Only the texts of the input are used; a record that\n"
        "fails is withheld and named.",
        example="  veil detect notes/ -o found/ --to brat\n"
        "  veil detect notes/ -o found/ --rules-only --lang sv --known patients.csv\n"
        "  veil detect notes/ -o found/ --model my-model/ --with-rules\n"
        "  veil detect notes.csv -o found.jsonl --text-column note --id-column id\n"
        "  veil detect - -o - < note.txt",
    )
    common.option(
        parser, "sources", "IN", "files and folders to read, or - for standard input", nargs="+"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="file or folder to write; a slash at the end makes it a folder, - is standard output",
    )
    which = common.add_detection_options(parser)
    common.option(
        which,
        "--method",
        "NAME",
        f"method of a paper that needs no training: {', '.join(METHODS.names())}",
        choices=METHODS.names(),
    )
    common.option(
        which,
        "--order",
        "MODULES",
        "find names only, by the modules of carlsson-2010 in this order: TCD, CDTL "
        "(T titles, C common words, D dictionaries, L learning); needs --lang",
    )
    common.path_option(
        parser,
        "--memory",
        "FILE",
        "for orders with L: file of the names learnt so far, to which new ones are added; "
        "without it the input is read twice",
    )
    common.add_format_option(parser, default="jsonl")
    common.add_scheme_option(
        parser, "label scheme of the output; that of Veil or of the model if absent"
    )
    common.path_option(
        parser,
        "--corpus",
        "FOLDER",
        "for two-stage models: records whose majorities count, instead of those of each batch",
    )
    common.add_workers_option(parser, "number of processes", default=1)
    common.add_overwrite_option(parser, "write into a folder that is not empty")
    common.add_reading_options(parser)
    parser.set_defaults(run=_detect)


def _detect(args: argparse.Namespace) -> int:
    other = args.method or args.order
    common.refuse_idle(
        {
            "--own-rules, with --method or --order": args.own_rules and other,
            "--assume-language, with --method or --order": args.assume_language and other,
            "--known, with --method or --order": args.known and other,
            "--allow or --deny, with --method or --order": (args.allow or args.deny) and other,
            "--detector, with --method or --order": args.detectors and other,
            "--memory, without an --order with L": args.memory
            and "L" not in (args.order or "").upper(),
            "--order, without --lang": args.order and not args.lang,
            "--corpus, without --model": args.corpus and not args.model,
        }
    )
    if args.output == STANDARD and FORMATS.get(args.to_format).in_folder:
        raise InputError(f"-: {args.to_format} is written to a folder; name one with -o")
    with (
        ending_in_order(),
        opened_sources(args.sources, is_table=bool(args.text_column)) as sources,
        opened_target(args.output) as target,
    ):
        result = detect_files(
            sources,
            target,
            to=args.to_format,
            scheme=args.scheme,
            method=args.method,
            order=args.order,
            memory=args.memory,
            corpus=args.corpus,
            workers=args.workers,
            overwrite=args.overwrite,
            **common.detection(args, learned=not other),
            **common.reading(args),
        )
    message = f"{result.count} record(s) written to {args.output}"
    return common.finish(result, message, quiet=args.quiet)
