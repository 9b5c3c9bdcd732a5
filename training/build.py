"""Train the models that come with Veil, on the data of `training/data.py`.

    python training/build.py --corpora FOLDER [en es ja sv] [--keep-weights]

The same data give the same bytes for any number of `--workers`; each worker trains one language at
a time. Each model is then measured, together with the rules, on records that were not used for
training, and its card is written. `--keep-weights` skips training and repeats only the steps after
it, for example after a change of the development notes.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data import PLANS, open_records, training_records, written_notes
from veil import io
from veil.core.document import Document, Record
from veil.core.errors import RecordError
from veil.core.labels import VEIL, Converter, scheme
from veil.detect.assembly import default_pipeline
from veil.detect.crf import LinearDetector, with_vectors
from veil.detect.linear.calibration import fit_calibration
from veil.detect.linear.model import load_model, load_settings
from veil.learn import TrainingData, recipe, train_model
from veil.learn.card import describe_data, describe_measurement, make_card
from veil.learn.joined import calibrate_joined
from veil.learn.model import CARD_PAGE, TrainedModel, add_to_card
from veil.learn.training import measure, predict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.detect.crf import LinearRecipe

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "src" / "veil" / "models"
EVALUATION = ROOT / "tests" / "data"
VECTORS = Path(__file__).parent / "vectors"
NETWORK_EPOCHS = 3
DEVELOPMENT = "notes written for Veil by other authors"
OPEN_DEV = "MEDDOCAN dev, by a model trained without it"
DATA = {
    "en": (
        "notes written for Veil, dummy records, and ACI-Bench notes with identities put in",
        "Veil's own (Apache-2.0) and CC BY 4.0 (ACI-Bench); word vectors of GloVe 6B (PDDL 1.0)",
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


def bundled_recipe(language: str) -> LinearRecipe:
    """The recipe of a bundled model: linear features, a network, and word vectors if there are any.

    The data have each note several times with different mentions, so few epochs are enough.
    """
    made = recipe(f"veil-{language}-max")
    if made.network is None:
        raise ValueError(f"the recipe '{made.name}' has no network")
    made = replace(
        made,
        name=f"veil-{language}",
        scheme=PLANS[language].scheme,
        network=replace(made.network, epochs=NETWORK_EPOCHS),
    )
    vectors = VECTORS / f"{language}.vec.xz"
    return with_vectors(made, vectors) if vectors.is_file() else made


def build(language: str, corpora: Path, *, keep_weights: bool) -> None:
    """Train the model of a language, measure it and write it."""
    made = bundled_recipe(language)
    names, licence = DATA[language]
    dev = TrainingData(written_notes(language, dev=True), (DEVELOPMENT,))
    folder = MODELS / f"veil-{language}"

    def train(*, with_dev: bool) -> None:
        records = list(training_records(language, corpora, with_dev=with_dev))
        data = TrainingData(records, (names,), licence)
        if keep_weights:
            trained = with_weights_of(folder, made, data, dev)
        else:
            trained = train_model(
                made,
                data,
                dev=dev,
                report=lambda epoch, _: say(f"veil-{language}: epoch {epoch + 1}"),
            )
        trained.save(folder, overwrite=True)

    measured: list[dict[str, Any]] = []
    open_dev = list(open_records(language, corpora, "dev"))
    if open_dev and keep_weights:
        card = load_settings(folder)["card"]
        measured += [each for each in card["measured"] if each["data"] == OPEN_DEV]
    elif open_dev:
        # The final model is trained on these records, so another one without them is measured.
        train(with_dev=False)
        measured += measurements(OPEN_DEV, open_dev, language)
    train(with_dev=True)
    name = f"dummy-{language}"
    gold = list(io.read(EVALUATION / name, format="tagged"))
    measured += measurements(f"tests/data/{name}", gold, language)
    add_to_card(folder, measured)
    (folder / CARD_PAGE).unlink()  # only the text card is bundled
    for each in measured:
        say(
            f"{each['data']}, {each['how']}: F1 {each['f1']:.4f}, recall (characters) "
            f"{each['character_recall']:.4f}, precision (characters) "
            f"{each['character_precision']:.4f}"
        )


def measurements(name: str, gold: Sequence[Record], language: str) -> list[dict[str, Any]]:
    """The scores of the whole pipeline on records, by default and with high recall."""
    return [
        describe_measurement(name, how, gold, found_in(gold, language, high=high))
        for how, high in (("model and rules", False), ("the same, recall high", True))
    ]


def with_weights_of(
    folder: Path, made: LinearRecipe, data: TrainingData, dev: TrainingData
) -> TrainedModel:
    """The result of training with this recipe and data, assuming that it gives these weights."""
    model = load_model(folder).with_settings(outside=made.outside, calibration=(1.0, 0.0), dial=())
    plain = LinearDetector(model)
    detector = calibrate_joined(
        LinearDetector(
            model.with_settings(calibration=fit_calibration(plain, dev.records)),
        ),
        dev.records,
    )
    scores = measure(dev.records, predict(detector, dev.records))
    card = make_card(
        made,
        describe_data(data.names, data.records),
        dev=describe_data(dev.names, dev.records),
        licence=data.licence,
        scores=scores,
        validation=None,
        curve=(),
    )
    return TrainedModel(detector, made, card, scores)


def found_in(gold: Sequence[Record], language: str, *, high: bool) -> list[Record]:
    """The spans that the default pipeline finds in records, in the labels of the language."""
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
    parser.add_argument("--keep-weights", action="store_true")
    args = parser.parse_args()
    if args.corpora is None:
        parser.error("give --corpora FOLDER, or set VEIL_CORPORA to the folder with the corpora")
    one = partial(build, corpora=args.corpora, keep_weights=args.keep_weights)
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for _ in pool.map(one, args.languages):
            pass


if __name__ == "__main__":
    main()
