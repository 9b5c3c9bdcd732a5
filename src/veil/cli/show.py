"""`veil show`: records with their spans highlighted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import printable
from veil.io import ReadLog
from veil.render import record_view, render_page, terminal_record

if TYPE_CHECKING:
    import argparse


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "show",
        about="show records with their spans highlighted",
        details="Show records with their spans highlighted, in the terminal or as an HTML page\n"
        "that needs no network.",
        example="  veil show notes/ --html notes.html",
    )
    parser.add_argument("source", metavar="FILE|FOLDER", type=Path, help="what to show")
    parser.add_argument("--html", metavar="PAGE", type=Path, help="write an HTML page instead")
    parser.add_argument(
        "--colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours in the terminal; auto: where it is one",
    )
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    common.check_pages([args.html], [args.source], overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    records = common.read_records(args.source, log, from_format=args.from_format, quiet=args.quiet)
    if args.html:
        views = map(record_view, records)
        page = render_page("records", title=args.source.name, paragraphs=(), records=views)
        common.write_text(args.html, page)
        common.say(f"page written to {args.html}", quiet=args.quiet)
    else:
        colour = args.colour == "always" or (args.colour == "auto" and sys.stdout.isatty())
        for record in records:
            name = printable(record.id)
            rule = "─" * max(4, 72 - len(name))
            shown = terminal_record(record, colour=colour)
            sys.stdout.write(f"── {name} {rule}\n{shown}\n")
    return common.report_reading(log, quiet=args.quiet)
