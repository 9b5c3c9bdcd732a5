"""`veil inspect`: propose the role of each column of a table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import printable
from veil.io.outputs import check_free
from veil.masking.inspect import ID, KEPT, PATIENT, TEXT, inspect_file

if TYPE_CHECKING:
    import argparse

_SHOWN = {TEXT: "text", ID: "ids of records", PATIENT: "ids of patients", KEPT: "unchanged"}


def run_inspect(args: argparse.Namespace) -> int:
    if args.save:
        check_free(args.save, overwrite=args.overwrite)
    found = inspect_file(args.file, encoding=args.encoding, lang=args.lang)
    lines = [("column", "proposal", "filled", "reason")]
    for each in found.columns:
        name = printable(each.name) if each.name else f"(column {each.number})"
        filled = f"{each.filled} of {found.rows}"
        lines.append((name, _SHOWN.get(each.role, each.role), filled, each.reason))
    widths = [max(len(line[index]) for line in lines) for index in range(3)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=False)]
        sys.stdout.write("  ".join([*cells, line[-1]]).rstrip() + "\n")
    sys.stdout.write(f"\n{printable(found.command())}\n")
    for warning in found.warnings:
        common.say(warning)
    if args.save:
        found.save(args.save)
        common.say(f"columns written to {args.save}, for veil mask --columns", quiet=args.quiet)
    return 0
