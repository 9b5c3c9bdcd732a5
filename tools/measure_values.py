"""Measure what the default pipelines find in lines that contain clinical values and no identifier.

    python tools/measure_values.py

Every span is wrong there. The lines are in `tests/data/values`: those of `dev` files were read when
the rules were written, those of `test` files were not.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from veil.core.document import Document, Record
from veil.detect.assembly import default_pipeline
from veil.languages import language, language_codes

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "values"


@dataclass(frozen=True)
class OverMasking:
    """How many lines have a span, and how many spans and tokens there are."""

    lines: int
    lines_with_spans: int
    spans: int
    tokens: int

    @property
    def share(self) -> float:
        """The share of lines with a span."""
        return self.lines_with_spans / self.lines

    @property
    def rate(self) -> float:
        """Spans per 1,000 tokens."""
        return 1000 * self.spans / self.tokens


def measure(code: str, part: str, *, high: bool = False) -> OverMasking:
    """Count the spans in the lines of a language; `part` is "dev" or "test"."""
    lines = (FOLDER / f"{code}-{part}.txt").read_text("utf-8").splitlines()
    pipeline = default_pipeline(code, recall="high" if high else None)
    found = pipeline.detect_batch(
        [Document(str(number), line) for number, line in enumerate(lines)]
    )
    spans = []
    for record in found:
        if not isinstance(record, Record):
            raise record
        spans.append(len(record.spans))
    tokens = sum(len(language(code).tokens(line)) for line in lines)
    return OverMasking(len(lines), sum(map(bool, spans)), sum(spans), tokens)


def main() -> int:
    """Print a table in Markdown."""
    print("| lines | lines with a span | spans per 1,000 tokens | at high recall | |")
    print("|---|---|---|---|---|")
    for code in language_codes():
        for part in ("dev", "test"):
            cells = [f"{code}-{part}"]
            for high in (False, True):
                found = measure(code, part, high=high)
                cells += [f"{found.share:.1%}", f"{found.rate:.1f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
