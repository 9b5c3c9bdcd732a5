"""`veil key`: a new key for stand-ins that agree across runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.masking.keys import new_key, write_key

if TYPE_CHECKING:
    import argparse


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "key",
        about="make a key file for veil mask",
        details="Make a new key: 32 random bytes as text, in a file that only you can read.\n"
        "Records that are masked with the same key have the same stand-ins. Whoever has it can\n"
        "link records with each other: keep it apart from them.",
        example="  veil key my.key\n  veil mask notes/ -o masked/ --key-file my.key",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="file to make; never overwritten")
    common.add_quiet_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    key = write_key(args.file, new_key())
    common.say(f"key {key.fingerprint} written to {args.file}", quiet=args.quiet)
    return 0
