"""`veil reveal` and `veil audit`: restore and check masked output."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import InputError, printable
from veil.masking.audit import meaning, sample_text
from veil.masking.masked_files import (
    audit_files,
    changed_values,
    reveal_files,
    reveal_record,
    sample_files,
)

if TYPE_CHECKING:
    import argparse

_AS_REPORTED = 0


def run_reveal(args: argparse.Namespace) -> int:
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
        encoding=args.encoding,
        **common.roles(args),
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
    """Raise an error if an option is missing or would have no effect."""
    if args.masked is None and args.record is None:
        raise InputError("give MASKED and -o OUT, or --record ID; see --help")
    if args.masked is not None and args.output is None:
        raise InputError("-o is missing: give the file or folder to write the originals to")
    if args.to_format and args.output and args.output.endswith("/"):
        raise InputError(f"{args.output}: --to writes one file; give a file with -o, not a folder")
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


def run_audit(args: argparse.Namespace) -> int:
    common.refuse_idle(
        {
            "--seed, with --check": args.check and args.seed is not None,
            "-o, with --check": args.check and args.page,
            "--seed, with --values": args.values and args.seed is not None,
            "-o, with --values": args.values and args.page,
            "--input, without --check": args.input and not args.check,
            "--input, without --key-file": args.input and not args.key_file,
            "--key-file, without --input": args.key_file and not args.input,
        }
    )
    if args.check:
        return _check_seal(args)
    if args.values:
        return _list_values(args)
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


def _list_values(args: argparse.Namespace) -> int:
    values = changed_values(args.output)
    for each in values.listed:
        fields = each.path, each.record, f"{each.start}-{each.end}", each.label, each.rule
        sys.stdout.write("\t".join(map(printable, fields)) + "\n")
    common.say(f"{values.changed:,} of {values.found:,} clinical values changed", quiet=args.quiet)
    return 1 if values.changed else 0


def _check_seal(args: argparse.Namespace) -> int:
    audit = audit_files(args.output, inputs=args.input, key=args.key_file)
    for message in (*audit.warnings, *audit.problems):
        common.say(message)
    if not audit.problems:
        common.say(f"the seal holds: {audit.files:,} file(s), {audit.digest}", quiet=args.quiet)
    return 1 if audit.problems else 0
