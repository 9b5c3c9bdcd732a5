"""`veil detect`: find identifying spans in records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.standard import STANDARD, ending_in_order, opened_sources, opened_target
from veil.core.errors import InputError
from veil.files.detection import detect_files
from veil.io import FORMATS

if TYPE_CHECKING:
    import argparse


def run_detect(args: argparse.Namespace) -> int:
    other = args.method or args.order
    common.refuse_idle(
        {
            "--own-rules, with --method or --order": args.own_rules and other,
            "--assume-language, with --method or --order": args.assume_language and other,
            "--known, with --method or --order": args.known and other,
            "--allow or --deny, with --method or --order": (args.allow or args.deny) and other,
            "--detector, with --method or --order": args.detectors and other,
            "--two-pass, with --method or --order": args.two_pass and other,
            "--memory, without an --order with L": args.memory
            and "L" not in (args.order or "").upper(),
            "--order, without --lang": args.order and not args.lang,
            "--corpus, without --model": args.corpus and not args.model,
            "--dictionary, without --method or --model": args.dictionary
            and not (args.method or args.model),
        }
    )
    if args.output == STANDARD and FORMATS.get(args.to_format).in_folder:
        raise InputError(f"-: {args.to_format} needs a folder; give one with -o")
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
            dictionary=args.dictionary,
            two_pass=args.two_pass,
            workers=args.workers,
            overwrite=args.overwrite,
            **common.detection(args, learned=not other),
            **common.reading(args),
        )
    message = f"{result.count} record(s) written to {args.output}"
    return common.finish(result, message, quiet=args.quiet)
