"""`veil evaluate`: predicted records against gold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import InputError
from veil.core.labels import Converter, Scheme, guess_scheme, scheme
from veil.evaluate import evaluate, format_summary, html_report
from veil.io import ReadLog
from veil.languages import identify, language

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from veil.core.document import Record


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "evaluate",
        about="score predicted records against gold",
        details="Score predicted records against gold with the metrics of i2b2 2006 and 2014,\n"
        "MEDDOCAN, MedNLP and Veil's own, and analyse the errors.",
        example="  veil evaluate gold/ predicted/ --scheme i2b2-2014 --html report.html",
    )
    parser.add_argument("gold", metavar="GOLD", type=Path, help="file or folder with the truth")
    parser.add_argument("predicted", metavar="PREDICTED", type=Path, help="what a system found")
    common.add_scheme_option(parser, "map both sides to this label scheme first")
    parser.add_argument(
        "--baseline",
        metavar="OTHER",
        type=Path,
        help="another system's output: is the difference significant?",
    )
    parser.add_argument(
        "--sentences",
        metavar="FOLDER",
        type=Path,
        help="MEDDOCAN's sentence-split .ann files, one line a sentence, for the official leak "
        "score; counted by Veil's own splitter if absent",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all numbers as JSON")
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a report with pictures and the errors"
    )
    common.add_overwrite_option(parser)
    common.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    sources = [args.gold, args.predicted, args.baseline, args.sentences]
    common.check_pages([args.html, args.json], sources, overwrite=args.overwrite)
    log = ReadLog(strict=args.strict)
    sides = {
        "gold": _read(args.gold, log, args),
        "predicted": _read(args.predicted, log, args),
    }
    if args.baseline:
        sides["baseline"] = _read(args.baseline, log, args)
    _check_shared(sides, log, args)
    common_scheme = scheme(args.scheme) if args.scheme else None
    if common_scheme is not None:
        sides = {
            side: _mapped(records, common_scheme, quiet=args.quiet)
            for side, records in sides.items()
        }
    else:
        common_scheme = guess_scheme(
            {span.label for record in sides["gold"] for span in record.annotations}
        )
    gold, predicted = sides["gold"], sides["predicted"]
    evaluation = evaluate(
        gold,
        predicted,
        scheme=common_scheme,
        sentences=_sentence_counts(gold, args.sentences),
        baseline=sides.get("baseline"),
    )
    sys.stdout.write(format_summary(evaluation))
    _warn_of_missing(evaluation.missing_predictions, "GOLD", "PREDICTED")
    _warn_of_missing(evaluation.missing_gold, "PREDICTED", "GOLD")
    if args.json:
        numbers = json.dumps(evaluation.to_json(), indent=2, ensure_ascii=False)
        common.write_text(args.json, [numbers, "\n"])
    if args.html:
        page = html_report(evaluation, gold, predicted, title=f"Evaluation of {args.predicted}")
        common.write_text(args.html, [page])
    return common.report_reading(log, quiet=args.quiet)


def _read(path: Path, log: ReadLog, args: argparse.Namespace) -> list[Record]:
    return list(common.read_records(path, log, from_format=args.from_format, quiet=args.quiet))


def _check_shared(
    sides: Mapping[str, Sequence[Record]], log: ReadLog, args: argparse.Namespace
) -> None:
    """Refuse sides that have no record in common: their scores would be of nothing."""
    ids = [{record.id for record in records} for records in sides.values()]
    if not set.intersection(*ids):
        common.report_reading(log, quiet=args.quiet)
        names = ", ".join(f"{len(records)} {side}" for side, records in sides.items())
        raise InputError(
            f"{args.gold}, {args.predicted}: no record has the same id on all sides ({names} "
            "records), so that nothing can be compared"
        )


def _mapped(records: Sequence[Record], target: Scheme, *, quiet: bool) -> list[Record]:
    stream, source = common.with_known_scheme(iter(records), None)
    if source is None:
        return list(stream)
    converter = Converter(source, target)
    mapped = [converter.convert_record(record) for record in stream]
    common.report_conversion(converter, quiet=quiet)
    return mapped


def _sentence_counts(gold: Sequence[Record], folder: Path | None) -> Mapping[str, int]:
    if folder is None:
        return {
            record.id: len(
                language(record.document.language or identify(record.document.text)).sentences(
                    record.document.text
                )
            )
            for record in gold
        }
    counts = {}
    for record in gold:
        file = folder / f"{Path(record.id).name}.ann"
        if not file.is_file():
            raise InputError(f"{file}: no such file; --sentences needs one for every gold record")
        counts[record.id] = len(file.read_bytes().splitlines())
    return counts


def _warn_of_missing(ids: Sequence[str], there: str, lacking: str) -> None:
    if ids:
        shown = ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
        common.say(
            f"warning: {len(ids)} record(s) of {there} are not in {lacking} and were not "
            f"counted: {shown}"
        )
