"""`veil mask` and `veil key`: mask files and folders, and make keys."""

from __future__ import annotations

import stat
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.progress import describe_share, drawing
from veil.cli.standard import STANDARD, ending_in_order, opened_sources, opened_target
from veil.core.errors import InputError
from veil.masking.files import mask_files
from veil.masking.plan import make_plan
from veil.masking.verdict import ORIGINAL, verdict_lines
from veil.replace.secret import Key, new_key, write_key

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from veil.masking.corrections import Corrections
    from veil.masking.files import MaskResult
    from veil.masking.journal import Withheld
    from veil.masking.run import Progress

_LISTED = 20


def run_mask(args: argparse.Namespace) -> int:
    _check_standard(args)
    is_table = bool(args.text_column or args.column or args.columns_file or args.preset)
    with (
        ending_in_order(),
        opened_sources(args.sources, is_table=is_table) as sources,
        opened_target(args.output) as target,
    ):
        try:
            result = _run(args, sources, target)
        except (KeyboardInterrupt, SystemExit):
            plan = make_plan(list(map(Path, sources)), Path(target))
            if plan.work.exists() and _is_resumable(args):
                common.say("interrupted; all files written are complete; continue with --resume")
            raise
    return finish_masking(args, result)


def _run(args: argparse.Namespace, sources: Sequence[str | Path], target: str | Path) -> MaskResult:
    common.refuse_idle(
        {"--passphrase-file, without --mapping": args.passphrase_file and not args.mapping}
    )
    bars = Bars()
    with drawing(quiet=args.quiet) as draw:
        return mask_files(
            sources,
            target,
            policy=args.policy,
            key=key_of(args),
            mapping=args.mapping,
            passphrase=lambda: common.find_passphrase(
                args.passphrase_file, new=not args.mapping.exists()
            ),
            **common.table(args),
            **common.roles(args),
            drop_columns=args.drop_column,
            output_encoding=args.output_encoding,
            security_label=args.security_label,
            rescan=not args.no_rescan,
            two_pass=args.two_pass,
            rename=args.rename,
            workers=args.workers,
            resume=args.resume,
            overwrite=args.overwrite,
            apart=[each for each in (args.passphrase_file, args.apply_review) if each],
            watch=lambda done: draw(partial(bars.line, done)),
            announce=lambda done: draw(partial(bars.line, done)),
            report=args.output != STANDARD,
            corrections=_corrections(args),
            **common.detection(args),
        )


def _check_standard(args: argparse.Namespace) -> None:
    """Raise an error for options that standard input and output do not support."""
    if args.output == STANDARD and (len(args.sources) > 1 or Path(args.sources[0]).is_dir()):
        raise InputError("-: standard output can hold only one file; give a folder with -o")
    common.refuse_idle({"--resume": args.resume and not _is_resumable(args)})
    for source in map(Path, args.sources):
        if source.exists() and not (source.is_file() or source.is_dir()):
            raise InputError(f"{source}: a pipe or device, not a file; give - and pipe the text in")


def _is_resumable(args: argparse.Namespace) -> bool:
    """Whether the input can be read again and partial output is kept."""
    return STANDARD not in (args.output, *args.sources)


def key_of(args: argparse.Namespace) -> Path | Key | None:
    """The user's key; for a run that cannot be resumed, a key that is never written to disk."""
    if not args.key_file:
        return None if _is_resumable(args) else Key.generate()
    file: Path = args.key_file
    if file.is_file() and file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        common.say(
            f"{file}: other users can read this key; protect it with chmod 600", quiet=args.quiet
        )
    return file


def _corrections(args: argparse.Namespace) -> Corrections | None:
    if args.apply_review is None:
        return None
    from veil.review.files import corrections_of  # rarely needed

    return corrections_of(args.apply_review)


class Bars:
    """Describes the progress of each pass, timed from the start of that pass."""

    def __init__(self) -> None:
        self._first_pass = 0.0

    def line(self, done: Progress, seconds: float) -> str:
        note = f"{done.spans:,} spans"
        if done.first_of_two:
            self._first_pass, note = seconds, "first of two passes"
        else:
            seconds -= self._first_pass
        if not done.records:
            note = "loading"
        return describe_share(
            done.records,
            "records",
            done.share,
            seconds,
            before=done.before,
            total=done.total,
            note=note,
        )


def finish_masking(args: argparse.Namespace, result: MaskResult) -> int:
    """Print the withheld records and the path of the report; return the exit code."""
    summary, tally = result.summary, result.summary.tally
    count = tally.withheld + tally.withheld_files
    listed = 0
    for (path, reason), records in islice(_by_reason(summary.withheld).items(), _LISTED):
        what = f", record {records[0]}" if records[0] else ""
        more = f"; {len(records) - 1:,} more record(s) of this file" if records[1:] else ""
        common.say(f"{path}{what}: {reason}{more}")
        listed += len(records)
    if listed < count:
        common.say(f"{count - listed} more withheld, see the report")
    for warning in result.warnings:
        common.say(warning)
    for note in result.notes:
        common.say(note, quiet=args.quiet)
    common.say(
        f"{tally.records:,} record(s) masked, {tally.found:,} spans found, {count:,} withheld",
        quiet=args.quiet and not count,
    )
    common.say(
        f"{tally.changed_values:,} of {tally.values:,} clinical values changed", quiet=args.quiet
    )
    if summary.verdict:
        sources = [ORIGINAL if each == STANDARD else str(each) for each in args.sources]
        for line in verdict_lines(summary.verdict, str(args.output), sources):
            common.say(line, quiet=args.quiet)
        common.say(f"report: {result.report}", quiet=args.quiet)
    if summary.is_empty:
        return 2
    return 0 if summary.is_complete else 1


def _by_reason(withheld: Sequence[Withheld]) -> dict[tuple[str, str], list[str | None]]:
    """Group withheld records by file and reason, so that each reason is printed once per file."""
    groups: dict[tuple[str, str], list[str | None]] = {}
    for each in withheld:
        groups.setdefault((each.path, each.reason), []).append(each.record)
    return groups


def run_key(args: argparse.Namespace) -> int:
    key = write_key(args.file, new_key())
    common.say(f"key {key.fingerprint} written to {args.file}", quiet=args.quiet)
    return 0
