"""`veil tokens`: tokens and sentences of a file, with their offsets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import printable
from veil.io import ReadLog
from veil.languages import LANGUAGES, identify, language

if TYPE_CHECKING:
    import argparse


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "tokens",
        about="show the tokens and sentences of records with their offsets",
        details="Print one token a line: start, end, word; a blank line after each sentence.",
        example="  veil tokens note.txt --lang sv",
    )
    parser.add_argument("source", metavar="FILE", type=Path, help="file or folder to read")
    parser.add_argument(
        "--lang",
        metavar="LANG",
        choices=LANGUAGES.names(),
        help=f"language, found from the text if absent: {', '.join(LANGUAGES.names())}",
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    log = ReadLog(strict=args.strict)
    for record in common.read_records(
        args.source, log, from_format=args.from_format, quiet=args.quiet
    ):
        doc = record.document
        code = args.lang or doc.language or identify(doc.text)
        spoken = language(code)
        lines = [f"# {printable(doc.id)} ({code})"]
        sentences = iter(spoken.sentences(doc.text))
        sentence = next(sentences, None)
        for start, end in spoken.tokens(doc.text):
            while sentence is not None and sentence.end <= start:
                lines.append("")
                sentence = next(sentences, None)
            lines.append(f"{start}\t{end}\t{doc.text[start:end]}")
        sys.stdout.write("\n".join(lines) + "\n\n")
    return common.report_reading(log, quiet=args.quiet)
