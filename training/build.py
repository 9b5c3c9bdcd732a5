"""Train the models that come with Veil, from the data that `training/data.py` puts together.

    python training/build.py --corpora FOLDER [en es ja sv] [--development FOLDER]

The same data give the same bytes. A model is trained twice. The first one has not seen the records
for development: scores are calibrated and figures measured with it, together with the rules. The
second one, which is bundled, is trained on all records and has the calibration of the first.
`--development` trains the first ones alone and writes them to a folder, for work on rules.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data import PLANS, open_records, training_records, written_notes
from veil import io
from veil.core.document import Document, Record
from veil.core.errors import RecordError
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import default_pipeline
from veil.detect.crf import LinearDetector
from veil.learn import TrainingData, recipe, train_model
from veil.learn.card import describe_measurement
from veil.learn.model import CARD_PAGE, TrainedModel, add_to_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.detect.crf import LinearRecipe

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "src" / "veil" / "models"
EVALUATION = ROOT / "tests" / "data"
DEVELOPMENT = "notes written for Veil by other authors"
WITHOUT = "by a model trained without them"
DATA = {
    "en": (
        "notes written for Veil, dummy records, and ACI-Bench notes with identities put in",
        "Veil's own (Apache-2.0) and CC BY 4.0 (ACI-Bench)",
    ),
    "es": (
        "MEDDOCAN train and dev, notes written for Veil, and dummy records",
        "CC BY 4.0, (c) 2019 SEAD (MEDDOCAN) and Veil's own (Apache-2.0)",
    ),
    "ja": (
        "notes written for Veil, dummy records, and JMED-LLM case reports with identities put in",
        "Veil's own (Apache-2.0) and CC BY 4.0 (JMED-LLM)",
    ),
    "sv": (
        "notes written for Veil, dummy records, and sentences of 1177 and Wikipedia, some with "
        "identities put in",
        "Veil's own (Apache-2.0) and CC BY-SA 4.0 (swedish-medical)",
    ),
}


def build(language: str, corpora: Path, *, workers: int, development: Path | None) -> None:
    """Train the model of a language, measure it and write it down."""
    made = replace(recipe(f"veil-{language}"), scheme=PLANS[language].scheme, workers=workers)
    notes = written_notes(language, dev=True)
    held_out = trained(
        language, made, corpora, dev=TrainingData(notes, (f"{DEVELOPMENT}, {WITHOUT}",))
    )
    held_out.save((development or MODELS) / f"veil-{language}", overwrite=True)
    if development:
        return
    measured = measurements(f"{DEVELOPMENT}, {WITHOUT}", notes, language)
    if open_dev := list(open_records(language, corpora, "dev")):
        measured += measurements(f"MEDDOCAN dev, {WITHOUT}", open_dev, language)
    bundled = calibrated_as(held_out, trained(language, made, corpora))
    folder = MODELS / f"veil-{language}"
    bundled.save(folder, overwrite=True)
    name = f"dummy-{language}"
    gold = list(io.read(EVALUATION / name, format="tagged"))
    measured += measurements(f"tests/data/{name}", gold, language)
    add_to_card(folder, measured)
    (folder / CARD_PAGE).unlink()  # what is bundled is the card as text
    for each in measured:
        say(
            f"{each['data']}, {each['how']}: F1 {each['f1']:.4f}, recall (characters) "
            f"{each['character_recall']:.4f}, precision (characters) "
            f"{each['character_precision']:.4f}"
        )


def trained(
    language: str, made: LinearRecipe, corpora: Path, *, dev: TrainingData | None = None
) -> TrainedModel:
    """Train on all records, or on all but those for development where they are given."""
    names, licence = DATA[language]
    records = list(training_records(language, corpora, with_dev=dev is None))
    return train_model(
        made,
        TrainingData(records, (names,), licence),
        dev=dev,
        report=lambda epoch, _: say(f"veil-{language}: epoch {epoch + 1}"),
    )


def calibrated_as(first: TrainedModel, second: TrainedModel) -> TrainedModel:
    """The second model with the calibration of the first, whose scores on unseen records it has."""
    assert isinstance(first.detector, LinearDetector)  # noqa: S101 - for the type checker
    assert isinstance(second.detector, LinearDetector)  # noqa: S101
    settings = first.detector.model.settings
    model = second.detector.model.with_settings(
        calibration=settings.calibration, dial=settings.dial, joined=settings.joined
    )
    card = {**first.card, "training": second.card["training"]}
    return replace(second, detector=LinearDetector(model), card=card)


def measurements(name: str, gold: Sequence[Record], language: str) -> list[dict[str, Any]]:
    """What the whole pipeline reaches on records, by default and with high recall."""
    return [
        describe_measurement(name, how, gold, found_in(gold, language, high=high))
        for how, high in (("model and rules", False), ("the same, recall high", True))
    ]


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
    parser.add_argument("--development", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if args.corpora is None:
        parser.error("give --corpora FOLDER, or set VEIL_CORPORA to the folder with the corpora")
    for language in args.languages:
        build(language, args.corpora, workers=args.workers, development=args.development)


if __name__ == "__main__":
    main()
