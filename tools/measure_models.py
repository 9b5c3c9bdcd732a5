"""Measure the default pipelines on notes that had no part in training, for docs/benchmarks.md.

    python tools/measure_models.py [en es ja sv]

The evaluation notes are in `tests/data/dummy-<language>` and `tests/data/unseen-<language>`, the
development notes in `training/notes/<language>/dev-*.txt`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from veil import io
from veil.core.document import Document, Record
from veil.core.errors import RecordError
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import HIGH, default_pipeline
from veil.evaluate import Evaluation, evaluate
from veil.languages import language, language_codes
from veil.models import describe, find_model

ROOT = Path(__file__).parents[1]
HEADING = (
    "| set | notes | precision | recall | F1 (95 % interval) | recall (characters) | "
    "precision (characters) | notes that leak | at high recall: F1 | recall (characters) | "
    "precision (characters) | notes that leak |"
)


def sets_of(code: str) -> dict[str, list[Record]]:
    """The evaluation notes and the development notes of a language."""
    development = sorted((ROOT / "training" / "notes" / code).glob("dev-*.txt"))
    sets = {
        name: list(io.read(ROOT / "tests" / "data" / name, format="tagged"))
        for name in (f"unseen-{code}", f"dummy-{code}")
    }
    return sets | {
        "dev notes": [note for file in development for note in io.read(file, format="tagged")]
    }


def measure(code: str, gold: list[Record], *, high: bool) -> Evaluation:
    """Score what the default pipeline finds, in the labels of the language's model."""
    labels = scheme(describe(find_model(f"veil-{code}")).scheme or VEIL)
    converter = Converter(scheme(VEIL), labels)
    pipeline = default_pipeline(code, recall=HIGH if high else None)
    found = []
    for outcome in pipeline.detect_many([Document(note.id, note.document.text) for note in gold]):
        if isinstance(outcome, RecordError):
            raise outcome
        found.append(converter.convert_record(outcome))
    return evaluate(gold, found, scheme=labels)


def row(code: str, name: str, gold: list[Record]) -> str:
    """A row of the table."""
    usual, high = (measure(code, gold, high=high) for high in (False, True))
    strict = usual.meddocan.subtask1.micro
    metrics, at_high = usual.protection.metrics, high.protection.metrics
    f1, recall = metrics["strict f1"], metrics["character recall"]
    cells = [
        f"{language(code).name}, {name}",
        str(len(gold)),
        f"{strict.precision:.3f}",
        f"{strict.recall:.3f}",
        f"{f1.value:.3f} ({f1.low:.3f}–{f1.high:.3f})",
        f"{recall.value:.4f} ({recall.low:.4f}–{recall.high:.4f})",
        f"{metrics['character precision'].value:.4f}",
        f"{metrics['document leak'].value:.0%}",
        f"{at_high['strict f1'].value:.3f}",
        f"{at_high['character recall'].value:.4f}",
        f"{at_high['character precision'].value:.4f}",
        f"{at_high['document leak'].value:.0%}",
    ]
    kinds = ", ".join(f"{count} {kind}" for kind, count in usual.analysis.by_kind().items())
    print(f"{language(code).name}, {name}: {kinds}", file=sys.stderr)
    return f"| {' | '.join(cells)} |"


def main(codes: list[str]) -> int:
    """Print a table in Markdown; the kinds of errors go to standard error."""
    print(HEADING)
    print("|---" * (HEADING.count("|") - 1) + "|")
    for code in codes or language_codes():
        for name, gold in sets_of(code).items():
            print(row(code, name, gold), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
