"""`veil bench`: how fast a model, the rules of a language, or masking is, and how robust."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.bench.hostile import HOSTILE_SIZE, write_hostile_benchmark
from veil.bench.robustness import (
    direct_identifiers,
    format_robustness_benchmark,
    run_robustness_benchmark,
)
from veil.bench.speed import (
    format_benchmark,
    format_masking_benchmark,
    format_rule_benchmark,
    run_benchmark,
    run_masking_benchmark,
    run_rule_benchmark,
)
from veil.cli import common
from veil.core.errors import InputError
from veil.core.labels import VEIL, scheme
from veil.io import ReadLog
from veil.synth.notes import dummy_records, synth_languages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from veil.core.document import Record

ROBUSTNESS = "robustness"
HOSTILE = "hostile"
_DUMMY_RECORDS = 60


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "bench",
        about="measure how fast a model, the rules or masking is, or how robust",
        details="Measure how fast a model tags records on one core, beside the plain way with\n"
        "CRFsuite in the same run, or how fast the rules of a language are, and which of them\n"
        "take the time, or what the steps of masking take. Set OMP_NUM_THREADS=1 to keep NumPy\n"
        "to one core. 'veil bench robustness' measures the recall of names, numbers and other\n"
        "direct identifiers when their characters are changed: invisible characters inside,\n"
        "full-width letters, words broken at a line end and others. It reads annotated records\n"
        "of the folders given, or makes dummy records. 'veil bench hostile' masks texts that were\n"
        "made to take long, such as one line of digits and slashes, and compares time and memory\n"
        "with those of dummy records.",
        example="  OMP_NUM_THREADS=1 veil bench meddocan/dev --model veil-es\n"
        "  veil bench notes/ --rules-only --lang sv\n"
        "  veil bench notes/ --policy surrogate\n"
        "  veil bench robustness\n"
        "  veil bench robustness meddocan/dev --lang es\n"
        "  veil bench hostile --lang ja --size 200000",
    )
    parser.add_argument(
        "sources",
        metavar="FOLDER",
        type=Path,
        nargs="+",
        help=f"records to tag; or '{ROBUSTNESS}', with or without folders after it; or '{HOSTILE}'",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--model", metavar="MODEL", help="folder or name of a linear model")
    which.add_argument("--rules-only", action="store_true", help="the rules of --lang")
    which.add_argument("--policy", metavar="POLICY", help="masking by this policy")
    common.add_language_option(parser, "language of the rules, or of the records")
    parser.add_argument(
        "--seed",
        metavar="S",
        type=int,
        default=0,
        help=f"seed of the dummy records of '{ROBUSTNESS}'; 0 if absent",
    )
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
    log = ReadLog(strict=args.strict)
    first, *folders = args.sources
    if str(first) == ROBUSTNESS:
        return _run_robustness(args, folders, log)
    if folders:
        raise InputError(f"{folders[0]}: give one folder")
    if str(first) == HOSTILE:
        write_hostile_benchmark(sys.stdout, args.lang, size=args.size, policy=args.policy)
        return 0
    if not (args.model or args.rules_only or args.policy):
        raise InputError("nothing to measure: give --model, --rules-only or --policy")
    records = list(common.read_records(first, log, from_format=args.from_format, quiet=args.quiet))
    if not records:
        raise InputError(f"{first}: no record to measure on")
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


def _run_robustness(args: argparse.Namespace, folders: Sequence[Path], log: ReadLog) -> int:
    if args.model or args.rules_only or args.policy:
        raise InputError(f"{ROBUSTNESS}: measures the default pipeline; leave the option out")
    records: list[Record] = []
    for folder in folders:
        read = common.read_records(folder, log, from_format=args.from_format, quiet=args.quiet)
        annotated, source = common.with_known_scheme(read, None)
        own = [direct_identifiers(record, source) for record in annotated]
        if not any(record.spans for record in own):
            raise InputError(f"{folder}: no direct identifier is annotated; give annotated records")
        records += own
    if not folders:
        codes = synth_languages() if args.lang is None else [args.lang]
        records = [
            direct_identifiers(record, scheme(VEIL))
            for code in codes
            for record in dummy_records(code, _DUMMY_RECORDS, seed=args.seed)
        ]
    measured = run_robustness_benchmark(records, language=args.lang)
    sys.stdout.write(format_robustness_benchmark(measured))
    return common.report_reading(log, quiet=args.quiet)
