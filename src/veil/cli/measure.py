"""`veil evaluate`, `compare`, `check`, `modules` and `bench`: measure quality and speed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

from veil.bench.hostile import write_hostile_benchmark
from veil.bench.robustness import (
    direct_identifiers,
    format_robustness_benchmark,
    run_robustness_benchmark,
)
from veil.bench.service import service_benchmark
from veil.bench.speed import detection_benchmark, masking_benchmark, rule_benchmark
from veil.cli import common
from veil.cli.progress import meter
from veil.core.errors import InputError, printable
from veil.core.labels import VEIL, scheme
from veil.evaluate import format_summary
from veil.evaluate.compare import format_comparison
from veil.files.checking import check_files
from veil.files.comparison import compare_files
from veil.files.evaluation import evaluate_files
from veil.files.reading import FilesResult, Reader
from veil.files.reproduction import study_name_modules
from veil.files.schemes import with_known_scheme
from veil.io.outputs import check_pages, write_text
from veil.learn.name_study_report import format_study
from veil.models import find_model
from veil.synth.notes import dummy_records, synth_languages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.bench.tables import Report
    from veil.core.document import Record
    from veil.evaluate.guideline import Finding

ROBUSTNESS = "robustness"
HOSTILE = "hostile"
SERVE = "serve"
_DUMMY_RECORDS = 60
_POLICY = "surrogate"


def run_evaluate(args: argparse.Namespace) -> int:
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


def run_compare(args: argparse.Namespace) -> int:
    with meter(what="systems", quiet=args.quiet) as step:
        result = compare_files(
            args.corpus,
            lang=args.lang,
            models=args.model,
            train=args.train,
            recipes=args.recipe,
            scheme=args.scheme,
            json=args.json,
            html=args.html,
            overwrite=args.overwrite,
            step=step,
            **common.reading(args),
        )
    sys.stdout.write(format_comparison(result.comparison))
    return common.finish(result, quiet=args.quiet)


def run_check(args: argparse.Namespace) -> int:
    result = check_files(
        args.sources,
        lang=args.lang,
        hints=args.hints,
        show_text=args.show_text,
        json=args.json,
        overwrite=args.overwrite,
        **common.reading(args),
    )
    for found in result.findings:
        sys.stdout.write(_finding_line(found))
    kinds = Counter(found.kind for found in result.findings)
    messages = [f"{kind}: {count}" for kind, count in kinds.most_common()]
    total = f"{len(result.violations)} violation(s) in {result.count} record(s)"
    code = common.finish(result, *messages, total, quiet=args.quiet)
    return 1 if result.violations else code


def _finding_line(found: Finding) -> str:
    place = printable(f"{found.file}:{found.line}: {found.record}")
    text = "" if found.text is None else f" «{printable(found.text)}»"
    hint = " (hint)" if found.is_hint else ""
    what = f"{found.kind}{hint}: {found.about}"
    return f"{place}: {found.start}-{found.end} {found.label}{text}: {what}\n"


def run_modules(args: argparse.Namespace) -> int:
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


def run_bench(args: argparse.Namespace) -> int:
    first, *folders = args.sources
    reader = Reader(common.reading(args))
    if str(first) == ROBUSTNESS:
        if args.model or args.rules_only or args.policy:
            raise InputError(
                f"{ROBUSTNESS}: measures only the default pipeline; leave the option out"
            )
        records = list(_annotated(reader, folders) if folders else _dummies(args))
        measured = run_robustness_benchmark(records, language=args.lang)
        sys.stdout.write(format_robustness_benchmark(measured))
    elif folders:
        raise InputError(f"{folders[0]}: only one folder can be measured")
    elif str(first) == HOSTILE:
        write_hostile_benchmark(sys.stdout, args.lang, size=args.size, policy=args.policy)
    elif str(first) == SERVE:
        if args.model or args.rules_only or args.lang is None:
            raise InputError(f"{SERVE}: measures only the default pipeline; give --lang alone")
        policy = args.policy or _POLICY
        _print_report(
            args,
            service_benchmark(
                args.lang,
                policy=policy,
                workers=args.workers,
                seconds=args.seconds,
                seed=args.seed,
            ),
        )
    else:
        check_pages([args.json], [first], overwrite=args.overwrite)
        _print_report(args, _measure_speed(args, reader, first))
    return common.finish(FilesResult.of(reader), quiet=args.quiet)


def _print_report(args: argparse.Namespace, report: Report) -> None:
    sys.stdout.write(str(report))
    if args.json is not None:
        write_text(args.json, [json.dumps(report.to_json(), indent=2), "\n"])


def _measure_speed(args: argparse.Namespace, reader: Reader, folder: Path) -> Report:
    if args.rules_only and args.lang is None:
        raise InputError("--rules-only needs --lang, the language of the rules")
    if args.compare and args.lang is None:
        raise InputError("--compare needs --lang, the language of the other system")
    docs = [record.document for record in reader.read(folder)]
    if not any(doc.text for doc in docs):
        raise InputError(f"{folder}: no text to measure; give a folder with records")
    if args.rules_only:
        return rule_benchmark(docs, args.lang)
    if args.policy:
        return masking_benchmark(docs, language=args.lang, policy=args.policy)
    return detection_benchmark(
        docs,
        language=args.lang,
        model=find_model(args.model) if args.model else None,
        policy=None if args.model else _POLICY,
        plain=not args.no_plain,
        peer=args.compare,
    )


def _annotated(reader: Reader, folders: Sequence[Path]) -> Iterator[Record]:
    for folder in folders:
        annotated, source = with_known_scheme(reader.read(folder))
        own = [direct_identifiers(record, source) for record in annotated]
        if not any(record.spans for record in own):
            raise InputError(f"{folder}: no annotated direct identifiers; give annotated records")
        yield from own


def _dummies(args: argparse.Namespace) -> Iterator[Record]:
    for code in synth_languages() if args.lang is None else [args.lang]:
        for record in dummy_records(code, _DUMMY_RECORDS, seed=args.seed):
            yield direct_identifiers(record, scheme(VEIL))
