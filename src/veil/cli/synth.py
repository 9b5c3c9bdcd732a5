"""`veil synth`: dummy records to train, test and show with."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.cli import common
from veil.cli.progress import track
from veil.core.errors import InputError
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import rules_pipeline
from veil.io import ReadLog
from veil.synth.inject import inject
from veil.synth.notes import dummy_records, synth_languages
from veil.synth.swap import MentionPool, swap_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.core.document import Record


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "synth",
        about="write dummy records with gold spans",
        details="Write fictitious clinical records with gold spans: notes of many kinds, put\n"
        "together at random from sentences written by hand. With --base, identities are put\n"
        "into clinical texts of yours that have none; with --swap, the spans of annotated\n"
        "records are exchanged for others of their label.",
        example="  veil synth sv -n 500 --seed 7 -o dummy/ --to brat --scheme stockholm\n"
        "  veil synth en --base texts/ -o injected.jsonl\n"
        "  veil synth es --swap train/ -o swapped/ --to brat",
    )
    codes = synth_languages()
    parser.add_argument("lang", metavar="LANG", choices=codes, help=f"language: {', '.join(codes)}")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="where to write")
    parser.add_argument(
        "-n", "--count", metavar="N", type=_count, default=100, help="records; 100 if absent"
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, default=0, help="the same seed gives the same records"
    )
    parser.add_argument(
        "--kind",
        dest="kinds",
        metavar="KIND",
        action="append",
        default=[],
        help="only this kind of note; may be given several times; an unknown one lists them",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--base", metavar="FOLDER", type=Path, help="texts to put identities into")
    source.add_argument(
        "--swap", metavar="FOLDER", type=Path, help="annotated records whose spans are exchanged"
    )
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        choices=io.writable_names(),
        default="jsonl",
        help=f"format of the output, jsonl if absent: {', '.join(io.writable_names())}",
    )
    common.add_scheme_option(parser, "label scheme of the output; Veil's without")
    parser.add_argument(
        "--overwrite", action="store_true", help="write into a folder that is not empty"
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    if text.isdecimal() and 0 < int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of records; give 1 or more")


def run(args: argparse.Namespace) -> int:
    target = Path(args.output)
    common.check_free(target, overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    records = _records(args, log)
    converter = None
    if args.scheme is not None and args.swap:
        raise InputError("--scheme, with --swap: the records keep their own labels")
    if args.scheme not in (None, VEIL):
        converter = Converter(scheme(VEIL), scheme(args.scheme))
        records = map(converter.convert_record, records)
    count = io.write(records, args.output, format=args.to_format)
    if converter:
        common.report_conversion(converter, quiet=args.quiet)
    code = common.report_reading(log, quiet=args.quiet)
    common.say(f"{count} record(s) written to {args.output}", quiet=args.quiet)
    return code


def _records(args: argparse.Namespace, log: ReadLog) -> Iterator[Record]:
    if args.base:
        common.check_output(args.base, Path(args.output), overwrite=args.overwrite)
        texts = common.read_records(args.base, log, from_format=args.from_format, quiet=args.quiet)
        rules = rules_pipeline(args.lang)
        docs = (record.document for record in texts)
        return inject(docs, args.lang, silver=rules.detect, seed=args.seed)
    if args.swap:
        common.check_output(args.swap, Path(args.output), overwrite=args.overwrite)
        read = common.read_records(args.swap, log, from_format=args.from_format, quiet=args.quiet)
        annotated = list(read)
        return swap_mentions(annotated, MentionPool.of(annotated), seed=args.seed)
    made = dummy_records(args.lang, args.count, seed=args.seed, only=args.kinds)
    return track(made, total=args.count, what="records", quiet=args.quiet)
