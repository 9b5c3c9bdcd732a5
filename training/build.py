"""Train the models that come with Veil, from the data that `training/data.py` puts together.

    python training/build.py --corpora FOLDER [en es ja sv]

The same data give the same bytes. Each model is then measured, with the rules as users get it, on
records that had no part in training, and its card is written.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from data import PLANS, training_records, written_notes
from veil import formats
from veil.assembly import default_pipeline
from veil.core.document import Document, Record
from veil.core.errors import RecordError
from veil.core.labels import VEIL, Converter, scheme
from veil.recipes import recipe
from veil.train import TrainingData, train_model
from veil.train.card import describe_measurement
from veil.train.model import add_to_card

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "src" / "veil" / "models"
EVALUATION = ROOT / "tests" / "data"
DATA = {
    "en": (
        "notes written for Veil, dummy records, and ACI-Bench notes with identities put in",
        "Veil's own (Apache-2.0) and CC BY 4.0 (ACI-Bench)",
    ),
    "es": (
        "MEDDOCAN train, notes written for Veil, and dummy records",
        "CC BY 4.0, (c) 2019 SEAD (MEDDOCAN) and Veil's own (Apache-2.0)",
    ),
    "ja": (
        "notes written for Veil, dummy records, and JMED-LLM case reports with identities put in",
        "Veil's own (Apache-2.0) and CC BY 4.0 (JMED-LLM)",
    ),
    "sv": (
        "notes written for Veil, dummy records, and sentences of 1177 with identities put in",
        "Veil's own (Apache-2.0) and CC BY-SA 4.0 (1177 sentences of swedish-medical)",
    ),
}


def build(language: str, corpora: Path, *, workers: int) -> None:
    """Train the model of a language, measure it and write it down."""
    made = replace(recipe(f"veil-{language}"), scheme=PLANS[language].scheme, workers=workers)
    names, licence = DATA[language]
    trained = train_model(
        made,
        TrainingData(list(training_records(language, corpora)), (names,), licence),
        dev=TrainingData(development_records(language, corpora), (DEVELOPMENT[language],)),
        report=lambda epoch, _: say(f"veil-{language}: epoch {epoch + 1}"),
    )
    folder = MODELS / f"veil-{language}"
    trained.save(folder, overwrite=True)
    measured = [
        describe_measurement(name, how, gold, found_in(gold, language, high=high))
        for name, gold in evaluation_sets(language, corpora)
        for how, high in (("model and rules", False), ("the same, recall high", True))
    ]
    add_to_card(folder, measured)
    for each in measured:
        say(
            f"{each['data']}, {each['how']}: F1 {each['f1']:.4f}, characters found "
            f"{each['character_recall']:.4f}, precision of characters "
            f"{each['character_precision']:.4f}"
        )


DEVELOPMENT = {
    "en": "notes written for Veil by another author",
    "es": "MEDDOCAN dev",
    "ja": "notes written for Veil by another author",
    "sv": "notes written for Veil by another author",
}


def development_records(language: str, corpora: Path) -> list[Record]:
    """What the model is calibrated on."""
    if language == "es":
        return list(formats.read(corpora / "meddocan" / "dev", format="brat"))
    return written_notes(language, dev=True)


def evaluation_sets(language: str, corpora: Path) -> Iterator[tuple[str, list[Record]]]:
    """Names and records of what the whole pipeline is measured on."""
    folder = EVALUATION / f"dummy-{language}"
    yield f"tests/data/{folder.name}", list(formats.read(folder, format="tagged"))
    if language == "es":
        yield "MEDDOCAN dev", development_records(language, corpora)


def found_in(gold: Sequence[Record], language: str, *, high: bool) -> list[Record]:
    """What the default pipeline finds in the texts of records, in the labels of the language."""
    converter = Converter(scheme(VEIL), scheme(PLANS[language].scheme))
    pipeline = default_pipeline(language, recall="high" if high else None)
    docs = [Document(record.id, record.document.text) for record in gold]
    found = []
    for outcome in pipeline.detect_many(docs):
        if isinstance(outcome, RecordError):
            raise outcome
        found.append(converter.convert_record(outcome))
    return found


def say(words: str) -> None:
    sys.stderr.write(words + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", default=sorted(PLANS))
    parser.add_argument("--corpora", type=Path, default=os.environ.get("VEIL_CORPORA"))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    if args.corpora is None:
        parser.error("give --corpora FOLDER, or set VEIL_CORPORA to the folder with the corpora")
    for language in args.languages:
        build(language, args.corpora, workers=args.workers)


if __name__ == "__main__":
    main()
