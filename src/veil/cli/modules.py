"""`veil modules`: the name modules in every order, measured on annotated records."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.progress import meter
from veil.core.errors import InputError
from veil.detect.names import AS_PUBLISHED, NameOptions
from veil.io import ReadLog
from veil.languages import identify
from veil.learn.name_study import all_orders, run_orders
from veil.learn.name_study_report import format_study, study_csv, study_page

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from veil.core.document import Record

_CHARACTERS_TO_IDENTIFY = 20_000


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "modules",
        about="measure the name modules in every order",
        details="Measure the modules for names on annotated records: titles (T), common words\n"
        "(C), dictionaries (D) and learning (L). Which order is best, and what does each\n"
        "module add? This is the experiment of Carlsson and Dalianis 2010.",
        example="  veil modules --corpus gold/ --all-orders --lang sv --html orders.html",
    )
    parser.add_argument(
        "--corpus", metavar="FOLDER", type=Path, required=True, help="annotated records"
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--all-orders", action="store_true", help="every order of every combination of modules"
    )
    which.add_argument("--order", metavar="ORDER", help="one order alone: TCD")
    parser.add_argument(
        "--modules", metavar="CODES", default="TCDL", help="the modules to combine, TCDL if absent"
    )
    common.add_language_option(parser, "language of the records, found from them if absent")
    parser.add_argument(
        "--label",
        dest="labels",
        metavar="LABEL",
        action="append",
        default=[],
        help="a label of names, if not one that Veil knows; may be given several times",
    )
    parser.add_argument(
        "--dictionaries",
        metavar="KINDS",
        help="dictionaries in the order in which they are asked: given_female,given_male,surname",
    )
    parser.add_argument(
        "--as-published",
        action="store_true",
        help="the modules as the paper has them: words in any case, names among the common words "
        "lost, no medical words",
    )
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page with the figures")
    parser.add_argument(
        "--save-table", metavar="FILE", type=Path, help="write the scores of all orders as CSV"
    )
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    common.check_pages([args.html, args.save_table], [args.corpus], overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    records = list(
        common.read_records(args.corpus, log, from_format=args.from_format, quiet=args.quiet)
    )
    if not records:
        raise InputError(f"{args.corpus}: no record to measure on")
    orders = [args.order] if args.order else all_orders(args.modules)
    with meter(total=len(orders), what="orders", quiet=args.quiet) as step:
        study = run_orders(
            records,
            args.lang or _language(records),
            orders,
            options=_options(args),
            labels=args.labels,
            step=step,
        )
    sys.stdout.write(format_study(study))
    if args.save_table:
        common.write_text(args.save_table, [study_csv(study)])
    if args.html:
        page = study_page(study, title=f"Orders of name modules on {args.corpus.name}")
        common.write_text(args.html, [page])
    return common.report_reading(log, quiet=args.quiet)


def _language(records: Sequence[Record]) -> str:
    """The language that the first records name, or that their text is in."""
    named = next((each.document.language for each in records if each.document.language), None)
    if named is not None:
        return named
    text = ""
    for record in records:
        text += record.document.text[:_CHARACTERS_TO_IDENTIFY]
        if _CHARACTERS_TO_IDENTIFY <= len(text):
            break
    return identify(text)


def _options(args: argparse.Namespace) -> NameOptions:
    options = AS_PUBLISHED if args.as_published else NameOptions()
    if args.dictionaries:
        return replace(options, dictionaries=tuple(args.dictionaries.split(",")))
    return options
