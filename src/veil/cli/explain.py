"""`veil explain`: why a model found what it found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import InputError, printable
from veil.detect.base import load_linear
from veil.detect.linear.explain import Explanation, explain
from veil.io import ReadLog
from veil.render import render_page

if TYPE_CHECKING:
    import argparse

    from veil.core.document import Document


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "explain",
        about="show why a model found each span",
        details="Show for each span which features spoke for its label and against the label\n"
        "that came second ('O' means: no span at all), with their weights.",
        example="  veil explain note.txt --model veil-es --html why.html",
    )
    parser.add_argument("source", metavar="FILE", type=Path, help="file or folder to read")
    parser.add_argument("--model", metavar="MODEL", required=True, help="folder or name of a model")
    parser.add_argument("--top", metavar="N", type=int, default=8, help="features to show (8)")
    parser.add_argument("--html", metavar="PAGE", type=Path, help="write an HTML page instead")
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.top < 1:
        raise InputError("--top must be at least 1")
    common.check_pages([args.html], [args.source], overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    detector = load_linear(common.model_folder(args.model))
    views = []
    for record in common.read_records(
        args.source, log, from_format=args.from_format, quiet=args.quiet
    ):
        for found in explain(detector, record.document):
            if args.html:
                views.append(_view(record.document, found, args.top))
            else:
                sys.stdout.write(_paragraph(record.document, found, args.top))
    if args.html:
        title = f"Why {detector.name} found this"
        page = render_page("explanation", title=title, explanations=views)
        common.write_text(args.html, page)
        common.say(f"page written to {args.html}", quiet=args.quiet)
    return common.report_reading(log, quiet=args.quiet)


def _title(found: Explanation) -> str:
    span = found.span
    return (
        f"{span.label} {span.start}-{span.end}, probability {span.score:.3f}; second: "
        f"{found.runner_up}, {found.margin:.1f} behind"
    )


def _paragraph(doc: Document, found: Explanation, top: int) -> str:
    text = doc.text[found.span.start : found.span.end].replace("\n", "⏎")
    lines = [f"{printable(doc.id)}: «{text}» {_title(found)}"]
    lines += [f"  {reason.margin:+7.2f}  {reason.feature}" for reason in found.reasons[:top]]
    rest = sum(reason.margin for reason in found.reasons[top:])
    lines.append(f"  {rest:+7.2f}  {len(found.reasons[top:])} other features")
    lines.append(f"  {found.transitions:+7.2f}  the tags beside it, and the setting of recall")
    return "\n".join(lines) + "\n\n"


def _view(doc: Document, found: Explanation, top: int) -> dict[str, object]:
    """An explanation as the page template shows it."""
    span = found.span
    return {
        "record": printable(doc.id),
        "before": doc.text[max(0, span.start - 60) : span.start],
        "text": doc.text[span.start : span.end],
        "after": doc.text[span.end :][:60],
        "title": _title(found),
        "reasons": found.reasons[:top],
    }
