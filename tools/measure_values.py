"""Measure what the default pipelines find in text without identifiers, for docs/benchmarks.md.

    python tools/measure_values.py [CORPORA]

In the lines of clinical values in `tests/data/values` every span is wrong. Spans in `dev` and
`test` files were inspected and led to rules; those in `unseen` files were never inspected. With
CORPORA, the folder with the corpora, medical texts are added that are not about a person and were
not used for training; they do contain years, countries and ages.
"""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.document import Document, Record
from veil.core.labels import family
from veil.detect.assembly import default_pipeline
from veil.languages import language, language_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "values"


@dataclass(frozen=True)
class OverMasking:
    """The numbers of lines with a span, of spans and of tokens."""

    lines: int
    lines_with_spans: int
    spans: int
    names_and_places: int
    tokens: int

    @property
    def share(self) -> float:
        """The share of lines with a span."""
        return self.lines_with_spans / self.lines

    @property
    def rate(self) -> float:
        """Spans per 1,000 tokens."""
        return 1000 * self.spans / self.tokens

    @property
    def rate_of_names(self) -> float:
        """Names and places per 1,000 tokens."""
        return 1000 * self.names_and_places / self.tokens


def lines_of_values(code: str, part: str) -> list[str]:
    """The lines of a language; `part` is "dev", "test" or "unseen"."""
    return (FOLDER / f"{code}-{part}.txt").read_text("utf-8").splitlines()


def open_texts(corpora: Path) -> dict[str, tuple[str, list[str]]]:
    """Texts of open corpora, not about a person and not used for training, with their language."""
    folder = corpora / "swedish-medical"
    sentences = (folder / "1177_annotated_sentences.txt").read_text("utf-8").splitlines()[1::2]
    articles = (folder / "Wiki_annotated_60.txt").read_text("utf-8").splitlines()[5::10]
    with (corpora / "jmed-llm" / "RRTNM.csv").open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)]
    reports = dict.fromkeys(question.partition("\n")[2].strip("「」\n") for question in questions)
    return {
        "Swedish, 1177": ("sv", [re.sub(r"[\[\](){}] ?", "", line) for line in sentences]),
        "Swedish, Wikipedia": ("sv", [re.sub(r"[\[\]{}]", "", line) for line in articles]),
        "Japanese, radiology": ("ja", list(reports)),
    }


def measure(code: str, lines: Sequence[str], *, high: bool = False) -> OverMasking:
    """Count the spans in lines of a language."""
    pipeline = default_pipeline(code, recall="high" if high else None)
    found = pipeline.detect_batch(
        [Document(str(number), line) for number, line in enumerate(lines)]
    )
    spans = []
    for record in found:
        if not isinstance(record, Record):
            raise record
        spans.append([family(span.label) for span in record.spans])
    tokens = sum(len(language(code).tokens(line)) for line in lines)
    every = [each for own in spans for each in own]
    named = sum(each in {"NAME", "LOCATION"} for each in every)
    return OverMasking(len(lines), sum(map(bool, spans)), len(every), named, tokens)


def main(arguments: list[str]) -> int:
    """Print the tables in Markdown."""
    print("| lines | lines with a span | spans per 1,000 tokens | at high recall | |")
    print("|---|---|---|---|---|")
    for code in language_codes():
        for part in ("dev", "test", "unseen"):
            cells = [f"{code}-{part}"]
            for high in (False, True):
                found = measure(code, lines_of_values(code, part), high=high)
                cells += [f"{found.share:.1%}", f"{found.rate:.1f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    if not arguments:
        return 0
    print("\n| text | tokens | spans per 1,000 | names and places | at high recall | |")
    print("|---|---|---|---|---|---|")
    for name, (code, lines) in open_texts(Path(arguments[0])).items():
        usual, generous = (measure(code, lines, high=each) for each in (False, True))
        rates = (usual.rate, usual.rate_of_names, generous.rate, generous.rate_of_names)
        cells = [name, f"{usual.tokens:,}", *(f"{rate:.2f}" for rate in rates)]
        print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
