"""`veil evaluate`, `veil modules` and `veil bench`: how good and how fast Veil is."""

from __future__ import annotations

import sys
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
from veil.cli.progress import meter
from veil.core.errors import InputError
from veil.core.labels import VEIL, scheme
from veil.evaluate import format_summary
from veil.files import FilesResult, Reader, evaluate_files, study_name_modules, with_known_scheme
from veil.learn.name_study_report import format_study
from veil.models import find_model
from veil.synth.notes import dummy_records, synth_languages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.core.document import Record

ROBUSTNESS = "robustness"
HOSTILE = "hostile"
_DUMMY_RECORDS = 60


def add_evaluate(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "evaluate",
        about="score predicted records against gold",
        details="Score predicted records against gold with the metrics of i2b2 2006 and 2014,\n"
        "MEDDOCAN, MedNLP and Veil's own, and analyse the errors.",
        example="  veil evaluate gold/ predicted/ --scheme i2b2-2014 --html report.html",
    )
    common.path_option(parser, "gold", "GOLD", "file or folder with the gold annotations")
    common.path_option(parser, "predicted", "PREDICTED", "output of a system")
    common.add_scheme_option(parser, "convert both sides to this label scheme first")
    common.path_option(
        parser,
        "--baseline",
        "OTHER",
        "output of another system; test whether the difference is significant",
    )
    common.path_option(
        parser,
        "--sentences",
        "FOLDER",
        "MEDDOCAN's sentence-split .ann files, with a line for each sentence, for the official "
        "leak score; Veil splits sentences itself if absent",
    )
    common.path_option(parser, "--json", "FILE", "write all numbers as JSON")
    common.path_option(parser, "--html", "FILE", "write a report with charts and the errors")
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=_evaluate)


def _evaluate(args: argparse.Namespace) -> int:
    result = evaluate_files(
        args.gold,
        args.predicted,
        scheme=args.scheme,
        baseline=args.baseline,
        sentences=args.sentences,
        json=args.json,
        html=args.html,
        overwrite=args.overwrite,
        **common.reading(args),
    )
    sys.stdout.write(format_summary(result.evaluation))
    return common.finish(result, quiet=args.quiet)


def add_modules(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "modules",
        about="measure the name modules in every order",
        details="Measure the modules for names on annotated records: titles (T), common words\n"
        "(C), dictionaries (D) and learning (L). Which order is best, and what does each\n"
        "module add? This is the experiment of Carlsson and Dalianis 2010.",
        example="  veil modules --corpus gold/ --all-orders --lang sv --html orders.html",
    )
    common.path_option(parser, "--corpus", "FOLDER", "annotated records", required=True)
    which = parser.add_mutually_exclusive_group(required=True)
    common.flag(which, "--all-orders", "every order of every combination of modules")
    common.option(which, "--order", "ORDER", "one order alone: TCD")
    common.option(
        parser, "--modules", "CODES", "the modules to combine, TCDL if absent", default="TCDL"
    )
    common.add_language_option(parser, "language of the records, identified from them if absent")
    common.option(
        parser,
        "--label",
        "LABEL",
        "a label of names that is not in a scheme of Veil; may be given several times",
        dest="labels",
        action="append",
        default=[],
    )
    common.option(
        parser,
        "--dictionaries",
        "KINDS",
        "dictionaries in the order of their use: given_female,given_male,surname",
        default="",
    )
    common.flag(
        parser,
        "--as-published",
        "use the modules as in the paper: words in any case, without the names that are also "
        "common words, without medical words",
    )
    common.path_option(parser, "--html", "FILE", "write a page with the figures")
    common.path_option(parser, "--save-table", "FILE", "write the scores of all orders as CSV")
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=_modules)


def _modules(args: argparse.Namespace) -> int:
    with meter(what="orders", quiet=args.quiet) as step:
        result = study_name_modules(
            args.corpus,
            order=args.order,
            modules=args.modules,
            lang=args.lang,
            labels=args.labels,
            dictionaries=args.dictionaries.split(",") if args.dictionaries else (),
            as_published=args.as_published,
            html=args.html,
            table=args.save_table,
            overwrite=args.overwrite,
            step=step,
            **common.reading(args),
        )
    sys.stdout.write(format_study(result.study))
    return common.finish(result, quiet=args.quiet)


def add_bench(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "bench",
        about="measure how fast a model, the rules or masking is, or how robust",
        details="Measure how fast a model tags records on one core, next to CRFsuite with the\n"
        "same features in the same run, or how fast the rules of a language are and which of\n"
        "them take the time, or what the steps of masking take. Set OMP_NUM_THREADS=1 to keep\n"
        "NumPy to one core. 'veil bench robustness' measures the recall of names, numbers and\n"
        "other direct identifiers when their characters are changed: invisible characters\n"
        "inside, full-width letters, words broken at a line end and others. It reads annotated\n"
        "records of the folders given, or makes dummy records. 'veil bench hostile' masks texts\n"
        "that are designed to take long, such as one line of digits and slashes, and compares\n"
        "time and memory with those of dummy records.",
        example="  OMP_NUM_THREADS=1 veil bench meddocan/dev --model veil-es\n"
        "  veil bench notes/ --rules-only --lang sv\n"
        "  veil bench notes/ --policy surrogate\n"
        "  veil bench robustness\n"
        "  veil bench robustness meddocan/dev --lang es\n"
        "  veil bench hostile --lang ja --size 200000",
    )
    common.path_option(
        parser,
        "sources",
        "FOLDER",
        f"records to tag; or '{ROBUSTNESS}', with or without folders after it; or '{HOSTILE}'",
        nargs="+",
    )
    which = parser.add_mutually_exclusive_group()
    common.option(which, "--model", "MODEL", "folder or name of a linear model")
    common.flag(which, "--rules-only", "the rules of --lang")
    common.option(which, "--policy", "POLICY", "masking by this policy")
    common.add_language_option(parser, "language of the rules, or of the records")
    common.option(
        parser,
        "--seed",
        "S",
        f"seed of the dummy records of '{ROBUSTNESS}'; 0 if absent",
        type=int,
        default=0,
    )
    common.flag(
        parser,
        "--no-plain",
        "do not measure CRFsuite, which needs annotated records and the extra 'train'",
    )
    common.option(
        parser,
        "--size",
        "N",
        f"characters of each text of '{HOSTILE}'; {HOSTILE_SIZE} if absent",
        type=int,
        default=HOSTILE_SIZE,
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=_bench)


def _bench(args: argparse.Namespace) -> int:
    first, *folders = args.sources
    reader = Reader(common.reading(args))
    if str(first) == ROBUSTNESS:
        if args.model or args.rules_only or args.policy:
            raise InputError(f"{ROBUSTNESS}: measures the default pipeline; leave the option out")
        records = list(_annotated(reader, folders) if folders else _dummies(args))
        measured = run_robustness_benchmark(records, language=args.lang)
        sys.stdout.write(format_robustness_benchmark(measured))
    elif folders:
        raise InputError(f"{folders[0]}: give one folder")
    elif str(first) == HOSTILE:
        write_hostile_benchmark(sys.stdout, args.lang, size=args.size, policy=args.policy)
    else:
        sys.stdout.write(_measure_speed(args, reader, first))
    return common.finish(FilesResult.of(reader), quiet=args.quiet)


def _measure_speed(args: argparse.Namespace, reader: Reader, folder: Path) -> str:
    if not (args.model or args.rules_only or args.policy):
        raise InputError("nothing to measure: give --model, --rules-only or --policy")
    if args.rules_only and args.lang is None:
        raise InputError("--rules-only needs --lang: the rules of which language?")
    records = list(reader.read(folder))
    if not records:
        raise InputError(f"{folder}: no record to measure on")
    docs = [record.document for record in records]
    if args.rules_only:
        return format_rule_benchmark(run_rule_benchmark(args.lang, docs))
    if args.policy:
        return format_masking_benchmark(run_masking_benchmark(args.lang, args.policy, docs))
    return format_benchmark(run_benchmark(find_model(args.model), records, plain=not args.no_plain))


def _annotated(reader: Reader, folders: Sequence[Path]) -> Iterator[Record]:
    for folder in folders:
        annotated, source = with_known_scheme(reader.read(folder))
        own = [direct_identifiers(record, source) for record in annotated]
        if not any(record.spans for record in own):
            raise InputError(f"{folder}: no direct identifier is annotated; give annotated records")
        yield from own


def _dummies(args: argparse.Namespace) -> Iterator[Record]:
    for code in synth_languages() if args.lang is None else [args.lang]:
        for record in dummy_records(code, _DUMMY_RECORDS, seed=args.seed):
            yield direct_identifiers(record, scheme(VEIL))
