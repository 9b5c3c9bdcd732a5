"""`veil convert`, `veil show`, `veil tokens` and `veil synth`: annotated records."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import printable
from veil.files.reading import FilesResult, Reader
from veil.files.records import convert_files, show_files, synth_files
from veil.languages import identify, language
from veil.render import terminal_record

if TYPE_CHECKING:
    import argparse


def run_convert(args: argparse.Namespace) -> int:
    result = convert_files(
        args.source,
        args.target,
        to=args.to_format,
        scheme=args.scheme,
        from_scheme=args.from_scheme,
        overwrite=args.overwrite,
        **common.reading(args),
    )
    message = f"{result.count} record(s) written to {args.target}"
    return common.finish(result, message, quiet=args.quiet)


def run_show(args: argparse.Namespace) -> int:
    if args.html:
        result = show_files(
            args.source, args.html, overwrite=args.overwrite, **common.reading(args)
        )
        return common.finish(result, f"page written to {args.html}", quiet=args.quiet)
    colour = args.colour == "always" or (args.colour == "auto" and sys.stdout.isatty())
    reader = Reader(common.reading(args))
    for record in reader.read(args.source):
        name = printable(record.id)
        rule = "─" * max(4, 72 - len(name))
        sys.stdout.write(f"── {name} {rule}\n{terminal_record(record, colour=colour)}\n")
    return common.finish(FilesResult.of(reader), quiet=args.quiet)


def run_tokens(args: argparse.Namespace) -> int:
    reader = Reader(common.reading(args))
    for record in reader.read(args.source):
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
    return common.finish(FilesResult.of(reader), quiet=args.quiet)


def run_synth(args: argparse.Namespace) -> int:
    result = synth_files(
        args.lang,
        args.output,
        count=args.count,
        seed=args.seed,
        kinds=args.kinds,
        base=args.base,
        swap=args.swap,
        to=args.to_format,
        scheme=args.scheme,
        overwrite=args.overwrite,
        **common.reading(args),
    )
    message = f"{result.count} record(s) written to {args.output}"
    return common.finish(result, message, quiet=args.quiet)
