"""Measure the default pipelines on notes that had no part in training, for docs/benchmarks.md.

    python tools/measure_models.py [en es ja sv]

The evaluation notes are in `tests/data/unseen-<language>`, `dummy-<language>` and
`stress-<language>`, the development notes in `training/notes/<language>/dev-*.txt`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.core.document import Document, Record
from veil.core.errors import RecordError
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import HIGH, default_pipeline
from veil.evaluate import evaluate
from veil.evaluate.errors import KINDS
from veil.languages import language, language_codes
from veil.models import describe, find_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.evaluate import Evaluation

ROOT = Path(__file__).parents[1]
TABLES = {
    "Default": (
        "set | notes | precision | recall | F1 (95 % interval) | recall (characters) | "
        "precision (characters) | notes that leak | calibration error"
    ),
    "`--recall high`": (
        "set | F1 | recall (characters) | precision (characters) | notes that leak"
    ),
    "Errors by default": "set | missing | wrong extent | wrong label | spurious",
}
BINS = 10


def sets_of(code: str) -> dict[str, list[Record]]:
    """The evaluation notes and the development notes of a language."""
    development = sorted((ROOT / "training" / "notes" / code).glob("dev-*.txt"))
    sets = {
        name: list(io.read(ROOT / "tests" / "data" / name, format="tagged"))
        for name in (f"unseen-{code}", f"dummy-{code}", f"stress-{code}")
    }
    return sets | {
        "dev notes": [note for file in development for note in io.read(file, format="tagged")]
    }


def measure(
    code: str, gold: Sequence[Record], *, high: bool = False
) -> tuple[Evaluation, list[Record]]:
    """Score what the default pipeline finds, in the labels of the language's model."""
    labels = scheme(describe(find_model(f"veil-{code}")).scheme or VEIL)
    converter = Converter(scheme(VEIL), labels)
    pipeline = default_pipeline(code, recall=HIGH if high else None)
    found = []
    for outcome in pipeline.detect_many([Document(note.id, note.document.text) for note in gold]):
        if isinstance(outcome, RecordError):
            raise outcome
        found.append(converter.convert_record(outcome))
    return evaluate(gold, found, scheme=labels), found


def calibration_error(gold: Sequence[Record], found: Sequence[Record]) -> float:
    """The mean difference of score and precision over ten bins of scores, weighted by spans."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for expected, predicted in zip(gold, found, strict=True):
        right = {span.key for span in expected.spans}
        for span in predicted.spans:
            bins[min(int(span.score * BINS), BINS - 1)].append((span.score, span.key in right))
    differences = (abs(sum(score - is_right for score, is_right in each)) for each in bins)
    return sum(differences) / max(1, sum(map(len, bins)))


def rows_of(name: str, gold: Sequence[Record], code: str) -> list[list[str]]:
    """The cells of a set in each of the tables."""
    usual, found = measure(code, gold)
    high, _ = measure(code, gold, high=True)
    strict, metrics = usual.meddocan.subtask1.micro, usual.protection.metrics
    f1, recall = metrics["strict f1"], metrics["character recall"]
    at_high = high.protection.metrics
    kinds = usual.analysis.by_kind()
    return [
        [
            name,
            str(len(gold)),
            f"{strict.precision:.3f}",
            f"{strict.recall:.3f}",
            f"{f1.value:.3f} ({f1.low:.3f}–{f1.high:.3f})",
            f"{recall.value:.4f} ({recall.low:.4f}–{recall.high:.4f})",
            f"{metrics['character precision'].value:.4f}",
            f"{metrics['document leak'].value:.0%}",
            f"{calibration_error(gold, found):.3f}",
        ],
        [
            name,
            f"{at_high['strict f1'].value:.3f}",
            f"{at_high['character recall'].value:.4f}",
            f"{at_high['character precision'].value:.4f}",
            f"{at_high['document leak'].value:.0%}",
        ],
        [name, *(str(kinds[kind]) for kind in KINDS)],
    ]


def main(codes: list[str]) -> int:
    """Print tables in Markdown."""
    rows = [
        rows_of(f"{language(code).name}, {name}", gold, code)
        for code in codes or language_codes()
        for name, gold in sets_of(code).items()
    ]
    for (title, heading), cells in zip(TABLES.items(), zip(*rows, strict=True), strict=True):
        print(f"{title}\n\n| {heading} |")
        print("|---" * (heading.count("|") + 1) + "|")
        for row in cells:
            print(f"| {' | '.join(row)} |")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
