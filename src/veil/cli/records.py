"""`veil convert`, `veil show`, `veil tokens` and `veil synth`: annotated records."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import printable
from veil.files import FilesResult, Reader, convert_files, show_files, synth_files
from veil.languages import LANGUAGES, identify, language
from veil.render import terminal_record
from veil.synth.notes import synth_languages

if TYPE_CHECKING:
    import argparse

_INTO_FOLDER = "write into a folder that is not empty"


def add_convert(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "convert",
        about="convert annotated records between formats and label schemes",
        details="Convert annotated records between formats and label schemes.\n"
        "The text does not change; spans that a scheme cannot represent are counted.",
        example="  veil convert notes-brat/ notes-xml/ --to i2b2-2014 --scheme i2b2-2014",
    )
    common.path_option(parser, "source", "SRC", "file or folder to read")
    common.option(
        parser, "target", "DST", "file or folder to write; a slash at the end makes it a folder"
    )
    common.add_format_option(parser)
    common.add_scheme_option(parser, "label scheme of the output; labels do not change if absent")
    common.option(
        parser,
        "--from-scheme",
        "SCHEME",
        "label scheme of the input, by name or TOML file; identified from its labels if absent",
    )
    common.add_overwrite_option(parser, _INTO_FOLDER)
    common.add_reading_options(parser)
    parser.set_defaults(run=_convert)


def _convert(args: argparse.Namespace) -> int:
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


def add_show(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "show",
        about="show records with their spans highlighted",
        details="Show records with their spans highlighted, in the terminal or as an HTML page\n"
        "that needs no network.",
        example="  veil show notes/ --html notes.html",
    )
    common.path_option(parser, "source", "FILE|FOLDER", "what to show")
    common.path_option(parser, "--html", "PAGE", "write an HTML page instead")
    parser.add_argument(
        "--colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours in the terminal; auto: if the output is a terminal",
    )
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=_show)


def _show(args: argparse.Namespace) -> int:
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


def add_tokens(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "tokens",
        about="show the tokens and sentences of records with their offsets",
        details="Print one token a line: start, end, word; a blank line after each sentence.",
        example="  veil tokens note.txt --lang sv",
    )
    common.path_option(parser, "source", "FILE", "file or folder to read")
    names = LANGUAGES.names()
    common.option(
        parser,
        "--lang",
        "LANG",
        f"language, identified from the text if absent: {', '.join(names)}",
        choices=names,
    )
    common.add_reading_options(parser)
    parser.set_defaults(run=_tokens)


def _tokens(args: argparse.Namespace) -> int:
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


def add_synth(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "synth",
        about="write dummy records with gold spans",
        details="Write fictitious clinical records with gold spans: notes of many kinds, composed\n"
        "at random of sentences written by hand. With --base, identities are put into clinical\n"
        "texts of yours that have none; with --swap, the spans of annotated records are\n"
        "exchanged for others of their label.",
        example="  veil synth sv -n 500 --seed 7 -o dummy/ --to brat --scheme stockholm\n"
        "  veil synth en --base texts/ -o injected.jsonl\n"
        "  veil synth es --swap train/ -o swapped/ --to brat",
    )
    codes = synth_languages()
    common.option(parser, "lang", "LANG", f"language: {', '.join(codes)}", choices=codes)
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="file or folder to write"
    )
    parser.add_argument(
        "-n",
        "--count",
        metavar="N",
        type=common.count,
        default=100,
        help="number of records; 100 if absent",
    )
    common.option(
        parser, "--seed", "S", "the same seed gives the same records", type=int, default=0
    )
    common.option(
        parser,
        "--kind",
        "KIND",
        "only this kind of note; may be given several times; an unknown one lists them",
        dest="kinds",
        action="append",
        default=[],
    )
    source = parser.add_mutually_exclusive_group()
    common.path_option(source, "--base", "FOLDER", "texts to put identities into")
    common.path_option(source, "--swap", "FOLDER", "annotated records whose spans are exchanged")
    common.add_format_option(parser, default="jsonl")
    common.add_scheme_option(parser, "label scheme of the output; Veil's if absent")
    common.add_overwrite_option(parser, _INTO_FOLDER)
    common.add_reading_options(parser)
    parser.set_defaults(run=_synth)


def _synth(args: argparse.Namespace) -> int:
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
