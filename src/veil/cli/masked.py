"""`veil reveal` and `veil audit`: what can be done with masked output."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import InputError
from veil.masking.audit import meaning, sample_text
from veil.masking.files import audit_files, reveal_files, reveal_record, sample_files

if TYPE_CHECKING:
    import argparse

_AS_REPORTED = 0


def add_reveal(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "reveal",
        about="restore the originals of masked records",
        details="Restore the originals of masked records, with the mapping that `veil mask\n"
        "--mapping` wrote and its passphrase. Only texts that were not changed since can be\n"
        "restored; the others are named and left out. Without MASKED, list what was replaced in\n"
        "a record.",
        example="  veil reveal masked/ --mapping notes.map -o originals/\n"
        "  veil reveal masked.csv --text-column note --mapping notes.map -o notes.jsonl --to jsonl"
        "\n  veil reveal --mapping notes.map --record note-17 --show",
    )
    common.path_option(parser, "masked", "MASKED", "file or folder that was masked", nargs="?")
    common.path_option(parser, "--mapping", "FILE", "the mapping of its run", required=True)
    common.add_passphrase_option(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="file or folder to write")
    common.option(
        parser,
        "--to",
        "FORMAT",
        "write one file of JSON lines, an id and a text each, instead of the format of MASKED",
        dest="to_format",
        choices=("jsonl",),
    )
    common.option(
        parser,
        "--text-column",
        "NAME",
        "column or key of a table that contains texts, as in masking; may be given several times",
        action="append",
        default=[],
    )
    common.option(parser, "--id-column", "NAME", "column of ids, as in masking")
    common.option(parser, "--record", "ID", "list what was replaced in this record")
    common.flag(parser, "--show", "with --record: show the original text, too")
    common.add_overwrite_option(parser, "write into a folder that is not empty")
    common.add_quiet_option(parser)
    parser.set_defaults(run=_reveal)


def _reveal(args: argparse.Namespace) -> int:
    _check_reveal(args)
    if args.masked is None:
        _list_record(args)
        return 0
    revealed = reveal_files(
        args.masked,
        args.output,
        mapping=args.mapping,
        passphrase=lambda: common.find_passphrase(args.passphrase_file),
        as_jsonl=args.to_format is not None,
        text_columns=args.text_column,
        id_column=args.id_column,
        overwrite=args.overwrite,
        apart=[args.passphrase_file] if args.passphrase_file else [],
    )
    for problem in revealed.problems:
        common.say(str(problem))
    if revealed.problems:
        common.say(f"{len(revealed.problems)} record(s) left out, see above")
    common.say(f"{revealed.count} record(s) written to {args.output}", quiet=args.quiet)
    return 1 if revealed.problems else 0


def _check_reveal(args: argparse.Namespace) -> None:
    """Refuse options that are missing or would have no effect."""
    if args.masked is None and args.record is None:
        raise InputError("give MASKED and -o OUT, or --record ID; see --help")
    if args.masked is not None and args.output is None:
        raise InputError("-o is missing: where shall the originals be written?")
    if args.to_format and args.output and args.output.endswith("/"):
        raise InputError(f"{args.output}: with --to the originals go into one file; name that file")
    common.refuse_idle(
        {
            "--record, with MASKED": args.masked and args.record is not None,
            "-o, without MASKED": args.output and not args.masked,
            "--to, without MASKED": args.to_format and not args.masked,
            "--show, without --record": args.show and args.record is None,
        }
    )


def _list_record(args: argparse.Namespace) -> None:
    passphrase = common.find_passphrase(args.passphrase_file)
    for edits in reveal_record(args.record, mapping=args.mapping, passphrase=passphrase):
        for edit in edits:
            old = json.dumps(edit.old, ensure_ascii=False) if args.show else f"({len(edit.old)})"
            sys.stdout.write(f"{edit.start}\t{edit.label}\t{edit.action}\t{old}\n")


def add_audit(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "audit",
        about="draw a sample of masked records to read, or check the seal",
        details="Draw records at random from what `veil mask` wrote, for a person to read, and\n"
        "print what the sample proves; or check that the output is what was written.",
        example="  veil audit masked/ --sample 299 -o sample.html\n  veil audit masked/ --check",
    )
    common.path_option(parser, "output", "OUT", "folder or file that `veil mask` wrote")
    what = parser.add_mutually_exclusive_group(required=True)
    common.option(
        what,
        "--sample",
        "N",
        "draw this number of records; without a number, as many as the report asks for",
        type=common.count,
        nargs="?",
        const=_AS_REPORTED,
    )
    common.flag(what, "--check", "compare all files with the hashes in the report")
    common.path_option(
        parser,
        "--input",
        "IN",
        "with --check: compare this masked file or folder with the report, too. Give it for every "
        "IN that was given to `veil mask`",
        action="append",
        default=[],
    )
    common.path_option(parser, "--key-file", "FILE", "for --input: the key of the run")
    common.option(parser, "--seed", "S", "draw the sample of this seed again", type=int)
    parser.add_argument(
        "-o",
        "--page",
        metavar="FILE",
        type=Path,
        help="write the sample to this file: as a page if its name ends with .html, else as text; "
        "printed if absent",
    )
    common.add_overwrite_option(parser)
    common.add_quiet_option(parser)
    parser.set_defaults(run=_audit)


def _audit(args: argparse.Namespace) -> int:
    common.refuse_idle(
        {
            "--seed, with --check": args.check and args.seed is not None,
            "-o, with --check": args.check and args.page,
            "--input, without --check": args.input and not args.check,
            "--input, without --key-file": args.input and not args.key_file,
            "--key-file, without --input": args.key_file and not args.input,
        }
    )
    if args.check:
        return _check_seal(args)
    size = None if args.sample == _AS_REPORTED else args.sample
    sample = sample_files(
        args.output, size, seed=args.seed, page=args.page, overwrite=args.overwrite
    )
    if args.page is None:
        sys.stdout.writelines(sample_text(sample))
    else:
        for line in meaning(sample):
            common.say(line, quiet=args.quiet)
    return 0


def _check_seal(args: argparse.Namespace) -> int:
    audit = audit_files(args.output, inputs=args.input, key=args.key_file)
    for message in (*audit.warnings, *audit.problems):
        common.say(message)
    if not audit.problems:
        common.say(f"the seal holds: {audit.files:,} file(s), {audit.digest}", quiet=args.quiet)
    return 1 if audit.problems else 0
