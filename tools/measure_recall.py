"""Compare two trained models at equal character recall, for docs/benchmarks.md.

    python tools/measure_recall.py GOLD MODEL MODEL

GOLD are annotated records, for example the development records of MEDDOCAN. For each recall, the
bias of each model is the one closest to 0 that reaches it. p: approximate randomisation over
documents.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veil import io
from veil.core.document import Record, Span
from veil.detect.linear.model import load_model
from veil.detect.linear.tagger import Tagger
from veil.evaluate.significance import differences
from veil.learn.training import measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.learn.training import ModelScores

RECALLS = (0.985, 0.988, 0.990, 0.991, 0.992, 0.993)
_LOWEST = -9.0
_HALVINGS = 8


class Setting(NamedTuple):
    """The output of a model at a bias, and its scores."""

    bias: float
    found: list[Record]
    scores: ModelScores


class Dialled:
    """A model whose scores of the records are computed once, for any bias."""

    def __init__(self, folder: Path, gold: Sequence[Record]) -> None:
        self.gold = gold
        self.model = load_model(folder)
        self.tagger = Tagger(self.model)
        self.stream = self.tagger.stream([record.document.text for record in gold])
        self.scores = self.tagger.scores(self.stream)

    def at_bias(self, bias: float) -> Setting:
        """Tag all records with a bias of the tag O."""
        tags = self.tagger.tags(self.stream, self.scores.copy(), bias)
        spans: list[list[Span]] = [[] for _ in self.gold]
        for doc, start, end, label, _ in self.model.tagset.spans(self.stream, tags, None):
            spans[doc].append(Span(start, end, label))
        found = [
            Record.of(record.document, own) for record, own in zip(self.gold, spans, strict=True)
        ]
        return Setting(bias, found, measure(self.gold, found))

    def at_recall(self, recall: float) -> Setting:
        """Return the bias closest to 0 that finds this share of the characters."""
        low, high = _LOWEST, 0.0
        best = self.at_bias(low)
        if best.scores.character_recall < recall:
            raise SystemExit(f"no bias from {_LOWEST} to 0 reaches a recall of {recall}")
        for _ in range(_HALVINGS):
            middle = self.at_bias((low + high) / 2)
            if recall <= middle.scores.character_recall:
                low, best = middle.bias, middle
            else:
                high = middle.bias
        return best


def main(arguments: list[str]) -> int:
    """Print a table in Markdown."""
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    gold = list(io.read(Path(arguments[0])))
    models = [Dialled(Path(folder), gold) for folder in arguments[1:]]
    names = ["recall (characters)", "F1, first", "F1, second", "difference", "p"]
    names += ["precision (characters), first", "second", "documents that leak, first", "second"]
    print(f"| {' | '.join(names)} |")
    print("|---" * len(names) + "|")
    for recall in RECALLS:
        first, second = (model.at_recall(recall) for model in models)
        (p,) = (
            each.p
            for each in differences(gold, first.found, second.found)
            if each.metric == "strict f1"
        )
        a, b = first.scores, second.scores
        cells = [f"{recall:.3f}", f"{a.f1:.4f}", f"{b.f1:.4f}", f"{b.f1 - a.f1:+.4f}", f"{p:.4f}"]
        cells += [f"{each.character_precision:.4f}" for each in (a, b)]
        cells += [f"{each.document_leak:.1%}" for each in (a, b)]
        print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
