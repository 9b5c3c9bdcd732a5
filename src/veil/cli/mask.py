"""`veil mask`: whole files and folders without what identifies people."""

from __future__ import annotations

import contextlib
import os
import stat
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common, detection
from veil.cli.passphrase import add_passphrase_option, find_passphrase
from veil.cli.progress import describe_share, drawing
from veil.cli.standard import STANDARD, ending_in_order, laid_aside, written_out
from veil.core.errors import InputError
from veil.detect.known import KnownTable
from veil.io import TableOptions
from veil.languages import language_codes
from veil.masking.files import Detection, MappingFile, MaskJob, mask_files
from veil.masking.plan import make_plan
from veil.masking.reading import CHARACTERS_AT_ONCE
from veil.models import describe, installed
from veil.replace.policy import load_policy, policies
from veil.replace.secret import Key

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from veil.masking.files import Progress, Summary
    from veil.masking.plan import Plan

_TOLD = 20


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "mask",
        about="replace what identifies people in files and folders",
        details="Replace what identifies people, by a policy. Every file goes to the same path\n"
        "below OUT, with all that is no text as it was. The new text is searched and scanned\n"
        "again before it is written; a record that fails is withheld and named. A report lies\n"
        "beside the output. An interrupted run goes on with --resume.",
        example="  veil mask notes/ -o masked/ --policy surrogate --key-file my.key\n"
        "  veil mask notes.csv -o masked.csv --text-column note --patient-column pid\n"
        "  veil mask - -o - < note.txt",
    )
    parser.add_argument(
        "sources",
        metavar="IN",
        nargs="+",
        help="files and folders to mask, or - for standard input, whose kind is found from its "
        "content",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="folder to write, or file if IN is one file; a slash at its end makes a folder, "
        "- is standard output",
    )
    parser.add_argument(
        "--policy",
        metavar="POLICY",
        default="tag",
        help=f"what happens to what is found: {', '.join(policies())}, or a TOML file of your own "
        "(see docs/policies.md); tag if absent",
    )
    detection.add_detector_options(parser)
    detection.add_dial_options(parser)
    parser.add_argument(
        "--key-file",
        metavar="FILE",
        type=Path,
        help="key of the stand-ins (see veil key): the same key gives the same ones in every run; "
        "without, a key is made for this run",
    )
    parser.add_argument(
        "--mapping",
        metavar="FILE",
        type=Path,
        help="keep the way back in this file, closed by a passphrase (see veil reveal)",
    )
    add_passphrase_option(parser)
    parser.add_argument(
        "--text-column",
        metavar="NAME",
        action="append",
        default=[],
        help="for tables: a column whose texts are masked; may be given several times",
    )
    parser.add_argument("--id-column", metavar="NAME", help="for tables: the column of record ids")
    parser.add_argument(
        "--patient-column",
        metavar="NAME",
        help="for tables: the column of patient ids; a patient has the same stand-ins throughout",
    )
    parser.add_argument(
        "--no-rescan",
        action="store_true",
        help="do not scan masked texts again: faster, but finds a little less",
    )
    common.add_workers_option(
        parser, "processes that work side by side, as far as there is work for them"
    )
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on with an interrupted run")
    again.add_argument(
        "--overwrite", action="store_true", help="write into a folder that is not empty"
    )
    common.add_quiet_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    _check_standard(args)
    table = KnownTable.read(args.known) if args.known else KnownTable()
    with ending_in_order(), _sources(args) as sources, _target(args) as target:
        plan = make_plan(sources, target, as_folder=args.output.endswith(os.sep))
        summary = _mask(args, plan, table)
    return _tell(args, plan, summary, table)


def _check_standard(args: argparse.Namespace) -> None:
    """Refuse what standard input and output cannot do."""
    if STANDARD in args.sources and args.sources != [STANDARD]:
        raise InputError("-: standard input is read alone; name no other file")
    if args.output == STANDARD and (len(args.sources) > 1 or Path(args.sources[0]).is_dir()):
        raise InputError("-: standard output takes one file; give a folder with -o")
    detection.refuse_idle({"--resume": args.resume and not _is_resumable(args)})
    for source in map(Path, args.sources):
        if source.exists() and not (source.is_file() or source.is_dir()):
            raise InputError(f"{source}: a pipe or device, no file; give - and pipe the text in")


def _is_resumable(args: argparse.Namespace) -> bool:
    """Whether the input will be there once more, and what was written of the output."""
    return STANDARD not in (args.output, *args.sources)


@contextlib.contextmanager
def _sources(args: argparse.Namespace) -> Iterator[list[Path]]:
    if args.sources == [STANDARD]:
        with laid_aside(is_table=bool(args.text_column)) as file:
            yield [file]
    else:
        yield [Path(source) for source in args.sources]


def _target(args: argparse.Namespace) -> AbstractContextManager[Path]:
    if args.output == STANDARD:
        return written_out()
    return contextlib.nullcontext(Path(args.output))


def _mask(args: argparse.Namespace, plan: Plan, table: KnownTable) -> Summary:
    _check_apart(args, plan)
    job = MaskJob(
        _detection(args, table),
        _policy(args.policy),
        _key(args),
        rescan=not args.no_rescan,
        options=TableOptions(
            text_columns=tuple(args.text_column),
            id_column=args.id_column,
            patient_column=args.patient_column,
        ),
        mapping=_mapping(args),
    )
    try:
        with drawing(quiet=args.quiet) as draw:
            return mask_files(
                plan,
                job,
                workers=_useful_workers(args.workers, plan),
                resume=args.resume,
                overwrite=args.overwrite,
                watch=lambda done: draw(partial(_progress_line, done)),
            )
    except (KeyboardInterrupt, SystemExit):
        if plan.work.exists() and _is_resumable(args):
            common.say("interrupted; all that was written is whole: go on with --resume")
        raise


def _check_apart(args: argparse.Namespace, plan: Plan) -> None:
    """Refuse secrets among what is read or given away, and to write over what is given."""
    written = [plan.folder]
    if plan.alone:
        written = [plan.output, plan.report(".json"), plan.report(".html"), plan.work]
    secrets = (args.key_file, args.mapping, args.passphrase_file)
    common.check_apart(
        secrets, [*plan.sources, *written], "lies in the input or output; keep it apart from both"
    )
    policy = Path(args.policy) if args.policy.endswith(".toml") else None
    common.check_apart(
        (args.known, args.own_rules, policy), written, "lies in the output; choose another output"
    )


def _useful_workers(wanted: int, plan: Plan) -> int:
    """As many processes as were asked for, if there is a batch for each of them."""
    size = 0
    for file in plan.files():
        size += file.size
        if wanted * CHARACTERS_AT_ONCE <= size:
            return wanted
    return min(wanted, 1 + size // CHARACTERS_AT_ONCE)


def _key(args: argparse.Namespace) -> Key | None:
    """The key of the user's; a run that cannot be resumed has one that is never written down."""
    if args.key_file:
        key = Key.read(args.key_file)
        if args.key_file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            common.say(
                f"{args.key_file}: others can read this key; make it yours alone with chmod 600",
                quiet=args.quiet,
            )
        return key
    return None if _is_resumable(args) else Key.generate()


def _mapping(args: argparse.Namespace) -> MappingFile | None:
    detection.refuse_idle(
        {"--passphrase-file, without --mapping": args.passphrase_file and not args.mapping}
    )
    if not args.mapping:
        return None
    new = not args.mapping.exists()
    return MappingFile(args.mapping, find_passphrase(args.passphrase_file, new=new))


def _progress_line(done: Progress, seconds: float) -> str:
    return describe_share(
        done.records,
        "records",
        done.share,
        seconds,
        before=done.before,
        note=f"{done.spans:,} spans",
    )


def _policy(name: str) -> str | Path:
    """The name or file of a policy that can be read."""
    load_policy(name)
    return Path(name).resolve() if name.endswith(".toml") else name


def _detection(args: argparse.Namespace, table: KnownTable) -> Detection:
    detection.refuse_idle(detection.idle_options(args, learned=not args.rules_only))
    load, labels = detection.pipeline_loader(args)
    if labels is None:
        raise InputError(
            f"{args.model}: the model's labels are of no scheme that Veil knows; no policy fits"
        )
    models = _models(args)
    chosen = ("lang", "assume_language", "recall", "bias", "rules_only", "with_rules")
    settings = {name: getattr(args, name) for name in chosen if getattr(args, name)}
    if args.model:
        settings["model"] = describe(models[0]).name
    files = {"own_rules": args.own_rules, "known": args.known}
    return Detection(
        load,
        labels,
        settings,
        models,
        {name: path for name, path in files.items() if path},
        (lambda doc: table(doc) is not None) if args.known else None,
    )


def _models(args: argparse.Namespace) -> tuple[Path, ...]:
    """The folders of the models that may be asked."""
    if args.rules_only:
        return ()
    if args.model:
        return (common.model_folder(args.model),)
    wanted = {f"veil-{code}" for code in ([args.lang] if args.lang else language_codes())}
    return tuple(folder for folder in installed() if folder.name in wanted)


def _tell(args: argparse.Namespace, plan: Plan, summary: Summary, table: KnownTable) -> int:
    """Say what was withheld and where the report is; return the exit code."""
    tally = summary.tally
    for withheld in summary.withheld[:_TOLD]:
        what = f", record {withheld.record}" if withheld.record else ""
        common.say(f"{withheld.place}{what}: {withheld.reason}")
    count = tally.withheld + tally.withheld_files
    if _TOLD < count:
        common.say(f"{count - _TOLD} more withheld, see the report")
    if args.known and not tally.known:
        common.say(f"no record has an id of {args.known}: nothing that is known was looked for")
    elif table.unasked and not args.resume:  # those of an interrupted run were not counted
        common.say(
            f"{len(table.unasked)} id(s) of {args.known} belong to no record", quiet=args.quiet
        )
    hidden = plan.hidden()
    if named := list(islice(hidden, _TOLD)):
        more = sum(1 for _ in hidden)
        common.say(
            f"{len(named) + more:,} hidden file(s) or folder(s) skipped: {', '.join(named)}"
            f"{f' and {more:,} more' if more else ''}",
            quiet=args.quiet,
        )
    common.say(
        f"{tally.records:,} record(s) masked, {tally.found:,} spans found, {count:,} withheld",
        quiet=args.quiet and not count,
    )
    if args.output != STANDARD:
        common.say(f"report: {plan.report('.html')}", quiet=args.quiet)
    if summary.is_empty:
        return 2
    return 0 if summary.is_complete else 1
