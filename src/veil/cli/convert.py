"""`veil convert`: annotated records from one format and label scheme to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.cli import common
from veil.core.errors import InputError
from veil.core.labels import SCHEMES, Converter, scheme
from veil.io import ReadLog

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from veil.core.document import Record


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "convert",
        about="convert annotated records between formats and label schemes",
        details="Convert annotated records between formats and label schemes.\n"
        "The text stays as it is to the byte; what a scheme cannot hold is said and counted.",
        example="  veil convert notes-brat/ notes-xml/ --to i2b2-2014 --scheme i2b2-2014",
    )
    parser.add_argument("source", metavar="SRC", type=Path, help="file or folder to read")
    parser.add_argument(
        "target", metavar="DST", help="file or folder to write; a slash at its end makes a folder"
    )
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        choices=io.writable_names(),
        required=True,
        help=f"format of the output: {', '.join(io.writable_names())}",
    )
    common.add_scheme_option(parser, "label scheme of the output; labels stay as they are without")
    parser.add_argument(
        "--from-scheme",
        metavar="SCHEME",
        choices=SCHEMES,
        help="label scheme of the input, found from its labels if absent",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="write into a folder that is not empty"
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    common.check_output(args.source, Path(args.target), overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    records = common.read_records(args.source, log, from_format=args.from_format, quiet=args.quiet)
    converter = None
    if args.scheme:
        records, source_scheme = common.with_known_scheme(records, args.from_scheme)
        if source_scheme is not None:
            converter = Converter(source_scheme, scheme(args.scheme))
            records = _converted(records, converter)
    elif args.from_scheme:
        raise InputError("--from-scheme needs --scheme: which scheme shall the output have?")
    count = io.write(records, args.target, format=args.to_format, log=log)
    if converter:
        common.report_conversion(converter, quiet=args.quiet)
    code = common.report_reading(log, quiet=args.quiet)
    common.say(f"{count} record(s) written to {args.target}", quiet=args.quiet)
    return code


def _converted(records: Iterator[Record], converter: Converter) -> Iterator[Record]:
    return map(converter.convert_record, records)
