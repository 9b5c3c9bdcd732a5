"""`veil audit`: masked output, looked at again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from veil.cli import common, detection
from veil.masking.audit import OLD_REPORT, MaskedOutput, check_inputs, check_seal, draw_sample
from veil.masking.audit_page import meaning, sample_page, sample_text
from veil.replace.secret import Key

_AS_REPORTED = 0


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "audit",
        about="draw a sample of masked records to read, or check the seal",
        details="Draw records at random from what `veil mask` wrote, for a person to read, and\n"
        "say what they prove; or check that the output is what was written.",
        example="  veil audit masked/ --sample 299 -o sample.html\n  veil audit masked/ --check",
    )
    parser.add_argument(
        "output", metavar="OUT", type=Path, help="folder or file that `veil mask` wrote"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--sample",
        metavar="N",
        type=_size,
        nargs="?",
        const=_AS_REPORTED,
        help="draw so many records; without a number, as many as the report asks for",
    )
    what.add_argument(
        "--check", action="store_true", help="compare all files with the hashes of the report"
    )
    parser.add_argument(
        "--input",
        metavar="IN",
        type=Path,
        action="append",
        default=[],
        help="with --check: a file or folder that was masked; compare it with the report, too. "
        "Give it as often as IN was given to `veil mask`",
    )
    parser.add_argument(
        "--key-file", metavar="FILE", type=Path, help="for --input: the key of the run"
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, help="draw the same sample as with this seed before"
    )
    parser.add_argument(
        "-o",
        "--page",
        metavar="FILE",
        type=Path,
        help="write the sample there: as a page if its name ends with .html, else as text; "
        "printed if absent",
    )
    common.add_overwrite_option(parser)
    common.add_quiet_option(parser)
    parser.set_defaults(run=run)


def _size(text: str) -> int:
    if text.isdecimal() and 0 < int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of records; give 1 or more")


def run(args: argparse.Namespace) -> int:
    detection.refuse_idle(
        {
            "--seed, with --check": args.check and args.seed is not None,
            "-o, with --check": args.check and args.page,
            "--input, without --check": args.input and not args.check,
            "--input, without --key-file": args.input and not args.key_file,
            "--key-file, without --input": args.key_file and not args.input,
        }
    )
    common.check_pages([args.page], [args.output], overwrite=args.overwrite)
    output = MaskedOutput.open(args.output)
    if args.check:
        return _check(args, output)
    size = output.report["sample"]["size"] if args.sample == _AS_REPORTED else args.sample
    sample = draw_sample(output, size, seed=args.seed)
    if args.page is None:
        sys.stdout.writelines(sample_text(sample))
        return 0
    is_page = args.page.suffix.lower() in (".html", ".htm")
    common.write_text(args.page, sample_page(output, sample) if is_page else sample_text(sample))
    for line in meaning(sample):
        common.say(line, quiet=args.quiet)
    return 0


def _check(args: argparse.Namespace, output: MaskedOutput) -> int:
    problems = check_seal(output)
    if args.input:
        problems += check_inputs(output, args.input, Key.read(args.key_file))
    elif not output.has_keyed_inputs:
        common.say(f"{output.path}: {OLD_REPORT}")
    for problem in problems:
        common.say(problem)
    if not problems:
        seal = output.report["seal"]
        common.say(f"the seal holds: {seal['files']:,} file(s), {seal['digest']}", quiet=args.quiet)
    return 1 if problems else 0
