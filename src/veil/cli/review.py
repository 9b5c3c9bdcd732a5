"""`veil review`: the page on which a person reads records, corrects spans and signs."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.cli import common
from veil.cli.progress import meter
from veil.core.errors import InputError
from veil.detect.assembly import DetectionOptions
from veil.io.outputs import check_free, write_text
from veil.replace.secret import Key
from veil.review.files import (
    export_review,
    is_store,
    open_project,
    source_of_store,
)
from veil.review.server import serve_project
from veil.review.source import ReviewSource
from veil.review.statement import statement_page, verdict, verify
from veil.review.store import Store

if TYPE_CHECKING:
    import argparse

    from veil.review.project import Project

_STORE_ALONE = ""


def run_review(args: argparse.Namespace) -> int:
    of_store = is_store(args.source)
    if args.statement is not None or args.verify is not None:
        if not of_store:
            raise InputError(f"{args.source}: give the store of the review")
        return _print_statement(args) if args.verify is None else _verify(args)
    common.refuse_idle(
        {
            "--original, with a store": of_store and args.original,
            "--store, with a store": of_store and args.store,
            "--double, with a store": of_store and args.double,
            "--to, without --export": args.to_format and not args.export,
            "--scheme, without --export": args.scheme and not args.export,
            "--only-done, without --export": args.only_done and not args.export,
            "--order, with --export": args.order and args.export,
            "--port, with --export": args.port is not None and args.export,
        }
    )
    if args.export:
        check_free(Path(args.export), overwrite=args.overwrite)
    project = _open(args, of_store=of_store)
    with closing(project.store):
        if args.export:
            count = export_review(
                project,
                args.export,
                to=args.to_format or "jsonl",
                scheme=args.scheme,
                only_done=args.only_done,
            )
            common.say(f"{count} record(s) written to {args.export}", quiet=args.quiet)
            return 0
        return _serve(args, project)


def _open(args: argparse.Namespace, *, of_store: bool) -> Project:
    key = Key.read(args.key_file) if args.key_file else None
    if of_store:
        return open_project(source_of_store(args.source, key), args.source)
    options: dict[str, Any] = dict(common.detection(args))
    options["encoding"] = args.encoding
    reading = {**common.reading(args), "progress": None}
    source = ReviewSource(
        args.source,
        tuple(args.original),
        key=key,
        reading=reading,
        detection=DetectionOptions.of(options) if _is_chosen(options) else None,
        sample=args.sample,
        only_sample=args.only_sample,
        double=args.double,
    )
    with meter(what="records", quiet=args.quiet) as step:
        return open_project(source, args.store, progress=step)


def _is_chosen(options: dict[str, Any]) -> bool:
    """Whether the user gave detection options; otherwise those of the run are used."""
    return any(value for name, value in options.items() if name != "encoding")


def _serve(args: argparse.Namespace, project: Project) -> int:
    def ready(address: str) -> None:
        address += f"&order={args.order}" if args.order else ""
        common.say(f"the decisions are saved in {project.store.path}", quiet=args.quiet)
        common.say("only this machine can open the page; stop with Ctrl+C", quiet=args.quiet)
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        if args.open:
            webbrowser.open(address)

    serve_project(project, port=args.port, ready=ready)
    return 0


def _print_statement(args: argparse.Namespace) -> int:
    with closing(Store.open(args.source)) as store:
        statements = store.statements()
        if not statements:
            raise InputError(f"{args.source}: no statement was signed yet")
        number = args.statement or len(statements)
        if number > len(statements):
            raise InputError(f"{args.source}: no such statement; give 1 to {len(statements)}")
        page = statement_page(statements[number - 1])
    if args.output is None:
        sys.stdout.write(page)
    else:
        check_free(args.output, overwrite=args.overwrite)
        write_text(args.output, [page])
        common.say(f"statement {number} written to {args.output}", quiet=args.quiet)
    return 0


def _verify(args: argparse.Namespace) -> int:
    with closing(Store.open(args.source)) as store:
        page = None if args.verify == _STORE_ALONE else Path(args.verify)
        source = source_of_store(args.source)
        differences: list[str] = []
        if source.originals and source.path.exists():
            differences = source.seal_problems(store.meta["seal"])
        elif source.originals:
            common.say(f"{source.path}: not found; its seal was not checked")
        found = verify(store, page, differences=differences)
        for problem in found.problems:
            common.say(problem)
        if found.problems:
            return 1
        last = store.statements()[-1]
    common.say(
        f"{found.statements} statement(s) are valid. {verdict(last.payload)}", quiet=args.quiet
    )
    if found.decisions_since:
        common.say(f"{found.decisions_since} decision(s) were made after the last statement")
    return 0
