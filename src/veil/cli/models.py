"""`veil models`: which models there are, and their cards."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.cli import common
from veil.models import ModelInfo, card_text, describe, installed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_HEADING = ("model", "kind", "language", "scheme", "size", "F1", "recall", "data", "licence")


def add_parser(subparsers: common.Subparsers) -> None:
    parser = common.add_command(
        subparsers,
        "models",
        about="list models, or print the card of one",
        details="List the installed models; with one name or folder print its card, with several\n"
        "list these. Recall is the share of identifying characters found on development records.",
        example="  veil models my-model/",
    )
    parser.add_argument(
        "models", metavar="MODEL", nargs="*", help="names of installed models, or model folders"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    folders = [common.model_folder(name) for name in args.models] or installed()
    if len(args.models) == 1:
        sys.stdout.write(card_text(folders[0]) or _short_card(describe(folders[0])))
        return 0
    if not folders:
        common.say("no model is installed; train one with veil train")
        return 0
    sys.stdout.write(_table([_HEADING, *(_row(describe(folder)) for folder in folders)]))
    return 0


def _row(model: ModelInfo) -> tuple[str, ...]:
    card = model.card
    scores = card.get("scores") or card.get("cross_validation") or {}
    return (
        model.folder.name,
        model.kind,
        model.language,
        model.scheme or "-",
        f"{model.size / 1e6:.1f} MB",
        _number(scores.get("f1")),
        _number(scores.get("character_recall")),
        ", ".join(card.get("training", {}).get("data", ())) or card.get("data", "-"),
        card.get("licence") or "-",
    )


def _short_card(model: ModelInfo) -> str:
    """What is written down of a model that has no page of its own."""
    lines = [f"# Model {model.name}", "", f"- kind: {model.kind}", f"- language: {model.language}"]
    lines += [f"- {key}: {value}" for key, value in model.card.items()]
    return "\n".join(lines) + "\n"


def _number(score: object) -> str:
    return f"{score:.4f}" if isinstance(score, float) else "-"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )
