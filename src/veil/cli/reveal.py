"""`veil reveal`: the originals of masked records, for those who hold the mapping's passphrase."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.passphrase import add_passphrase_option, find_passphrase
from veil.core.errors import InputError
from veil.io import TableOptions
from veil.masking.mapping import MappingReader
from veil.masking.plan import Plan, make_plan
from veil.masking.reveal import reveal_files, reveal_to_jsonl

if TYPE_CHECKING:
    import argparse

    from veil.masking.reveal import Revealed


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "reveal",
        about="give the originals of masked records back",
        details="Give the originals of masked records back, with the mapping that `veil mask\n"
        "--mapping` wrote and its passphrase. Only texts that were not changed since lead back;\n"
        "the others are named and left out. Without MASKED, list what was replaced in a record.",
        example="  veil reveal masked/ --mapping notes.map -o originals/\n"
        "  veil reveal masked.csv --text-column note --mapping notes.map -o notes.jsonl --to jsonl"
        "\n  veil reveal --mapping notes.map --record note-17 --show",
    )
    parser.add_argument(
        "masked", metavar="MASKED", type=Path, nargs="?", help="file or folder that was masked"
    )
    parser.add_argument(
        "--mapping", metavar="FILE", type=Path, required=True, help="the mapping of its run"
    )
    add_passphrase_option(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="file or folder to write")
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        choices=("jsonl",),
        help="write one file of JSON lines, an id and a text each, instead of the form of MASKED",
    )
    parser.add_argument(
        "--text-column",
        metavar="NAME",
        action="append",
        default=[],
        help="column or key of a table that holds texts, as in masking; may come several times",
    )
    parser.add_argument("--id-column", metavar="NAME", help="column of ids, as in masking")
    parser.add_argument("--record", metavar="ID", help="list what was replaced in this record")
    parser.add_argument("--show", action="store_true", help="with --record: what stood there, too")
    parser.add_argument(
        "--overwrite", action="store_true", help="write into a folder that is not empty"
    )
    common.add_quiet_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    _check_options(args)
    if args.masked is not None:
        common.check_apart(
            (args.mapping, args.passphrase_file),
            [Path(args.output)],
            "lies in the output and might be overwritten; choose another output",
        )
        common.check_output(args.masked, Path(args.output), overwrite=args.overwrite)
    with MappingReader(args.mapping, find_passphrase(args.passphrase_file)) as mapping:
        if args.masked is None:
            _list_record(mapping, args.record, show=args.show)
            return 0
        revealed = _reveal(args, mapping)
    if not (revealed.count or revealed.problems):
        raise InputError(f"{args.masked}: no record found that could be revealed")
    for problem in revealed.problems:
        common.say(str(problem))
    if revealed.problems:
        common.say(f"{len(revealed.problems)} record(s) left out, see above")
    common.say(f"{revealed.count} record(s) written to {args.output}", quiet=args.quiet)
    return 1 if revealed.problems else 0


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that are missing or would change nothing."""
    if args.masked is None and args.record is None:
        raise InputError("give MASKED and -o OUT, or --record ID; see --help")
    if args.masked is not None and args.output is None:
        raise InputError("-o is missing: where shall the originals be written?")
    if args.to_format and args.output and args.output.endswith("/"):
        raise InputError(f"{args.output}: with --to the originals go into one file; name that file")
    wrong = {
        "--record, with MASKED": args.masked and args.record is not None,
        "-o, without MASKED": args.output and not args.masked,
        "--to, without MASKED": args.to_format and not args.masked,
        "--show, without --record": args.show and args.record is None,
    }
    for what, is_wrong in wrong.items():
        if is_wrong:
            raise InputError(f"{what}: it would have no effect; see --help")


def _reveal(args: argparse.Namespace, mapping: MappingReader) -> Revealed:
    options = TableOptions(text_columns=tuple(args.text_column), id_column=args.id_column)
    target = Path(args.output)
    if args.to_format:
        plan = Plan((args.masked,), target.parent, target.name)
        return reveal_to_jsonl(plan, mapping, target, options=options)
    plan = make_plan([args.masked], target, as_folder=args.output.endswith("/"))
    return reveal_files(plan, mapping, options=options)


def _list_record(mapping: MappingReader, record: str, *, show: bool) -> None:
    for edits in mapping.edits(record):
        for edit in edits:
            old = json.dumps(edit.old, ensure_ascii=False) if show else f"({len(edit.old)})"
            sys.stdout.write(f"{edit.start}\t{edit.label}\t{edit.action}\t{old}\n")
