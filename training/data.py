"""The training data of Veil's models, from written notes, dummy records and open corpora.

    python training/data.py sv --corpora FOLDER -o data/sv.jsonl

Written notes (`training/notes/<language>`) are used unchanged and several times with different
mentions; dummy records are made by `veil.synth`; identities are inserted into open clinical texts.
`FOLDER` contains the open corpora; without it only the first two are used.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.core.document import Document, Record
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import rules_pipeline
from veil.synth.inject import inject
from veil.synth.notes import dummy_records
from veil.synth.segments import Segment, build_record
from veil.synth.styles import apply_styles, styles_of
from veil.synth.swap import MentionPool, swap_mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

NOTES = Path(__file__).parent / "notes"
# Notes of these authors are never trained on: models are calibrated and compared on them.
DEV = "dev-"
_VARIANTS_OF_PLAIN = 2


@dataclass(frozen=True)
class Plan:
    """The composition of the training data of a language."""

    scheme: str
    dummies: int
    variants: int = 6
    injected: int = 0
    excerpts: int = 1500
    plain: int = 0
    open_variants: int = 0


PLANS = {
    "en": Plan("i2b2-2014", dummies=1000, variants=4, injected=150),
    # The records of MEDDOCAN are few beside the notes, each of which comes six times.
    "es": Plan("meddocan", dummies=900, variants=5, open_variants=2),
    "sv": Plan("stockholm", dummies=1200, variants=5, injected=200, plain=5000),
    "ja": Plan("mednlp", dummies=1200, variants=6, injected=300),
}


def training_records(
    language: str, corpora: Path | None = None, *, with_dev: bool = True
) -> Iterator[Record]:
    """Yield the records on which the model of a language is trained, in its scheme.

    `with_dev` includes the development records of open corpora.
    """
    plan = PLANS[language]
    to_scheme = Converter(scheme(VEIL), scheme(plan.scheme)).convert_record
    dummies = [to_scheme(record) for record in dummy_records(language, plan.dummies, seed=1)]
    notes = written_notes(language)
    pool = MentionPool.of([*dummies, *notes])
    yield from dummies
    yield from notes
    for seed in range(plan.variants):
        # Variants of a note without spans differ only in style.
        varied = [note for note in notes if note.spans or seed < _VARIANTS_OF_PLAIN]
        for record in swap_mentions(varied, pool, share=0.8, seed=seed):
            yield restyled(record, f"{record.id}~{seed}", language)
    yield from excerpts([*notes, *dummies], plan.excerpts)
    if corpora is not None:
        docs = _sample(open_texts(language, corpora), plan.injected)
        silver = rules_pipeline(language).detect
        yield from map(to_scheme, inject(docs, language, silver=silver, seed=1))
        for doc in _sample(plain_texts(language, corpora), plan.plain):
            yield to_scheme(Record(doc, silver(doc)))
        for part in ("train", "dev") if with_dev else ("train",):
            annotated = list(open_records(language, corpora, part))
            yield from annotated
            for seed in range(plan.open_variants):
                for record in swap_mentions(annotated, pool, share=0.5, seed=seed):
                    doc = replace(record.document, id=f"{record.id}~{seed}")
                    yield Record(doc, record.spans)


def written_notes(language: str, *, dev: bool = False) -> list[Record]:
    """The notes written for training, or those reserved for development."""
    return [
        record
        for file in sorted((NOTES / language).glob("*.txt"))
        if file.name.startswith(DEV) == dev
        for record in io.read(file, format="tagged")
    ]


def open_records(language: str, corpora: Path, part: str) -> Iterator[Record]:
    """Annotated records of open corpora: the part "train" or "dev"."""
    if language == "es":
        yield from io.read(corpora / "meddocan" / part, format="brat")


def open_texts(language: str, corpora: Path) -> Iterator[Document]:
    """Clinical texts of open corpora that do not name people."""
    texts: Iterable[str] = ()
    if language == "en":
        texts = (row["note"] for row in _rows(corpora / "aci-bench" / "train.csv"))
    elif language == "ja":
        # The report is in brackets after the question.
        rows = _rows(corpora / "jmed-llm" / "CRADE.csv")
        texts = dict.fromkeys(row["question"].partition("\n")[2].strip("「」\n") for row in rows)
    elif language == "sv":
        lines = (corpora / "swedish-medical" / "1177_annotated_sentences.txt").read_text("utf-8")
        sentences = [re.sub(r"[\[\](){}] ?", "", line) for line in lines.splitlines()[::2]]
        texts = (" ".join(sentences[at : at + 12]) for at in range(0, len(sentences), 12))
    for number, text in enumerate(texts):
        yield Document(f"open-{number:05}", text, language)


def plain_texts(language: str, corpora: Path) -> Iterator[Document]:
    """Unchanged sentences of open corpora, in which nothing must be found."""
    if language == "sv":
        folder = corpora / "swedish-medical"
        lines = (folder / "1177_annotated_sentences.txt").read_text("utf-8").splitlines()[::2]
        lines += (folder / "Wiki_annotated_60.txt").read_text("utf-8").splitlines()[::10]
        for number, line in enumerate(lines):
            yield Document(f"plain-{number:05}", re.sub(r"[\[\]{}]", "", line), language)


def excerpts(records: Sequence[Record], count: int) -> Iterator[Record]:
    """Short excerpts of records, cut even inside words, so that ends of texts are weak features."""
    rng = random.Random(1)  # noqa: S311 - no secret
    for number in range(count):
        record = rng.choice(records)
        text = record.document.text
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randint(30, 250))
        for span in record.spans:
            if span.start < start < span.end:
                start = span.end
            if span.start < end < span.end:
                end = span.start
        if start < end:
            spans = [
                replace(span, start=span.start - start, end=span.end - start)
                for span in record.spans
                if start <= span.start and span.end <= end
            ]
            doc = Document(f"excerpt-{number:05}", text[start:end], record.document.language)
            yield Record.of(doc, spans)


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def _sample(docs: Iterable[Document], count: int) -> list[Document]:
    found = list(docs)
    return random.Random(1).sample(found, min(count, len(found)))  # noqa: S311 - no secret


def restyled(record: Record, name: str, language: str) -> Record:
    """The record in another style: capitals, typing errors, fixed width, or unchanged."""
    text = record.document.text
    pieces = []
    position = 0
    for span in record.spans:
        pieces.append(Segment(text[position : span.start]))
        pieces.append(Segment(text[span.start : span.end], span.label, span.part))
        position = span.end
    pieces.append(Segment(text[position:]))
    rng = random.Random(name)  # noqa: S311 - no secret
    return build_record(
        name, apply_styles(pieces, rng, styles_of(language)), language=language, kind="written"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(PLANS))
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    io.write(training_records(args.language, args.corpora), args.output, format="jsonl")


if __name__ == "__main__":
    main()
