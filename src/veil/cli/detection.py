"""What `veil detect` and `veil mask` share: options that say what finds identifying spans."""

from __future__ import annotations

import argparse
import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import InputError
from veil.core.labels import VEIL
from veil.detect.assembly import HIGH, default_pipeline, load_pipeline, rules_pipeline
from veil.detect.linear.calibration import check_bias
from veil.models import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veil.core.document import Document
    from veil.detect.pipeline import DetectionPipeline


def add_detector_options(
    parser: argparse.ArgumentParser,
) -> argparse._MutuallyExclusiveGroup:
    """Add what finds spans; a command may add further kinds of detectors to the returned group."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--model",
        metavar="MODEL",
        help="this model alone: a folder, or the name of an installed model (see veil models)",
    )
    which.add_argument("--rules-only", action="store_true", help="rules alone, no model")
    parser.add_argument(
        "--with-rules", action="store_true", help="join the rules of its language to --model"
    )
    parser.add_argument(
        "--own-rules",
        metavar="FOLDER",
        type=Path,
        help="rules of your own (*.toml) beside Veil's (see docs/rules.md)",
    )
    parser.add_argument(
        "--known",
        metavar="TABLE",
        type=Path,
        help="a CSV table of what is known of the patients: names, numbers, addresses "
        "(see docs/known.md)",
    )
    return which


def add_dial_options(parser: argparse.ArgumentParser) -> None:
    """Add the language and the balance between too little and too much."""
    common.add_language_option(
        parser, "language of the records; found from each record's text if absent"
    )
    common.add_language_option(
        parser,
        "treat records in a language that Veil does not know as this one, instead of "
        "withholding them",
        option="--assume-language",
    )
    dial = parser.add_mutually_exclusive_group()
    dial.add_argument(
        "--recall",
        metavar="SHARE",
        type=_share,
        help="find at least this share of identifying characters, as measured on development "
        "records (0.99), or 'high': the most that costs some precision but not the text",
    )
    dial.add_argument(
        "--bias",
        metavar="NUMBER",
        type=_bias,
        help="score of being nothing; the lower, the more is found and the more wrongly",
    )


def _share(text: str) -> float | str:
    if text == HIGH:
        return text
    with contextlib.suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"'{text}' is no share; give a number up to 1, such as 0.99, or '{HIGH}'"
    )


def _bias(text: str) -> float:
    try:
        return check_bias(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def idle_options(args: argparse.Namespace, *, learned: bool) -> dict[str, object]:
    """Options that would change nothing, each with whether it was given."""
    return {
        "--assume-language, with --lang": args.assume_language and args.lang,
        "--assume-language, with --model": args.assume_language and args.model,
        "--with-rules, without --model": args.with_rules and not args.model,
        "--recall, without a model": args.recall is not None and not learned,
        "--bias, without a model": args.bias is not None and not learned,
    }


def refuse_idle(wrong: Mapping[str, object]) -> None:
    """Refuse the first option that would change nothing."""
    for what, is_wrong in wrong.items():
        if is_wrong:
            raise InputError(f"{what}: it would have no effect, or cannot work; see --help")


def pipeline_loader(
    args: argparse.Namespace, *, corpus: Sequence[Document] = ()
) -> tuple[Callable[[], DetectionPipeline], str | None]:
    """How to make the pipeline of these options, and the scheme of its labels if Veil knows it."""
    beside = {"own_rules": args.own_rules, "known": args.known}
    dial = {"recall": args.recall, "bias": args.bias}
    assumed = {"assume_language": args.assume_language}
    if args.rules_only:
        return partial(rules_pipeline, args.lang, **beside, **assumed), VEIL
    if not args.model:
        return partial(default_pipeline, args.lang, **dial, **beside, **assumed), VEIL
    folder = common.model_folder(args.model)
    load = partial(
        load_pipeline,
        folder,
        language=args.lang,
        corpus=corpus,
        rules=args.with_rules,
        **dial,
        **beside,
    )
    joined = args.with_rules or args.own_rules or args.known
    return load, VEIL if joined else describe(folder).scheme
