"""`veil bench`: how fast a model, the rules of a language, or masking is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.bench import format_benchmark, run_benchmark
from veil.bench_hostile import HOSTILE_SIZE, write_hostile_benchmark
from veil.bench_masking import format_masking_benchmark, run_masking_benchmark
from veil.bench_rules import format_rule_benchmark, run_rule_benchmark
from veil.cli import common
from veil.core.errors import InputError
from veil.formats import ReadLog

if TYPE_CHECKING:
    import argparse

HOSTILE = "hostile"


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "bench",
        about="measure how fast a model, the rules or masking is",
        details="Measure how fast a model tags records on one core, beside the plain way with\n"
        "CRFsuite in the same run, or how fast the rules of a language are, and which of them\n"
        "take the time, or what the steps of masking take. Set OMP_NUM_THREADS=1 to keep NumPy\n"
        "to one core. 'veil bench hostile' masks texts that were made to take long, such as one\n"
        "line of digits and slashes, and compares time and memory with those of dummy records.",
        example="  OMP_NUM_THREADS=1 veil bench meddocan/dev --model veil-es\n"
        "  veil bench notes/ --rules-only --lang sv\n"
        "  veil bench notes/ --policy surrogate\n"
        "  veil bench hostile --lang ja --size 200000",
    )
    parser.add_argument("source", metavar="FOLDER", type=Path, help="records to tag, or 'hostile'")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--model", metavar="MODEL", help="folder or name of a linear model")
    which.add_argument("--rules-only", action="store_true", help="the rules of --lang")
    which.add_argument("--policy", metavar="POLICY", help="masking by this policy")
    common.add_language_option(parser, "language of the rules, or of the records to mask")
    parser.add_argument(
        "--no-plain",
        action="store_true",
        help="leave CRFsuite out: it needs annotated records and the extra 'train'",
    )
    parser.add_argument(
        "--size",
        metavar="N",
        type=int,
        default=HOSTILE_SIZE,
        help=f"characters of each text of '{HOSTILE}'; {HOSTILE_SIZE} if absent",
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if str(args.source) == HOSTILE:
        write_hostile_benchmark(sys.stdout, args.lang, size=args.size, policy=args.policy)
        return 0
    if not (args.model or args.rules_only or args.policy):
        raise InputError("nothing to measure: give --model, --rules-only or --policy")
    log = ReadLog(strict=args.strict)
    records = list(
        common.read_records(args.source, log, from_format=args.from_format, quiet=args.quiet)
    )
    if not records:
        raise InputError(f"{args.source}: no record to measure on")
    if args.rules_only:
        if args.lang is None:
            raise InputError("--rules-only needs --lang: the rules of which language?")
        measured = run_rule_benchmark(args.lang, [record.document for record in records])
        sys.stdout.write(format_rule_benchmark(measured))
        return common.report_reading(log, quiet=args.quiet)
    if args.policy:
        docs = [record.document for record in records]
        masking = run_masking_benchmark(args.lang, args.policy, docs)
        sys.stdout.write(format_masking_benchmark(masking))
        return common.report_reading(log, quiet=args.quiet)
    result = run_benchmark(common.model_folder(args.model), records, plain=not args.no_plain)
    sys.stdout.write(format_benchmark(result))
    return common.report_reading(log, quiet=args.quiet)
