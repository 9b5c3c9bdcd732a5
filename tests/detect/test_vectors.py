"""Tests for linear models with word vectors, from the file to the spans."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from veil.core.document import Document, Record, Span
from veil.core.errors import InputError
from veil.detect.crf import LinearDetector, LinearRecipe, with_vectors
from veil.detect.linear.explain import WORD_VECTOR, explain
from veil.detect.linear.model import load_model

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("sklearn")

SEEN = "ona irt sul ake mor tev".split()
UNSEEN = "elb nuk dri ozo fam gil".split()
OTHERS = "ver nas tol ibu kre lam sop und".split()
UNSEEN_OTHERS = "pra hes wok jut".split()
WITHOUT = LinearRecipe(
    name="toy", kind="window-svm", language="es", groups=("bias", "cotik-svm"), trainer="svm"
)


def make_record(number: int, names: list[str], others: list[str]) -> Record:
    """Words in a random order; only their vectors show which ones are names."""
    rng = random.Random(number)  # noqa: S311
    text = ""
    spans = []
    for _ in range(30):
        is_name = rng.random() < 0.3
        word = rng.choice(names if is_name else others)
        if is_name:
            spans.append(Span(len(text), len(text) + len(word), "NAME"))
        text += f"{word} ver "
    return Record.of(Document(f"toy-{number}", text, "es"), spans)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> LinearRecipe:
    """A recipe with vectors whose first number is near 1 for names, and near -1 for others."""
    file = tmp_path_factory.mktemp("secret-place") / "toy.vec"
    rng = np.random.default_rng(0)
    lines = []
    for side, words in ((1, SEEN + UNSEEN), (-1, OTHERS + UNSEEN_OTHERS)):
        for word in words:
            numbers = rng.normal((side, 0, 0), 0.1)
            lines.append(f"{word} {' '.join(f'{number:.4f}' for number in numbers)}\n")
    file.write_text(f"{len(lines)} 3\n{''.join(lines)}", "utf-8")
    return with_vectors(WITHOUT, file)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [make_record(number, SEEN, OTHERS) for number in range(12)]


@pytest.fixture(scope="module")
def new_records() -> list[Record]:
    return [make_record(number, UNSEEN, UNSEEN_OTHERS) for number in range(100, 110)]


@pytest.fixture(scope="module")
def detector(recipe: LinearRecipe, records: list[Record]) -> LinearDetector:
    return LinearDetector.fit(recipe, records)


def share_found(detector: LinearDetector, records: list[Record]) -> float:
    docs = [record.document for record in records]
    found = {
        (doc.id, *span.key)
        for doc, spans in zip(docs, detector.detect_many(docs), strict=True)
        for span in spans
    }
    gold = {(record.id, *span.key) for record in records for span in record.spans}
    return len(found & gold) / len(found | gold)


def test_vectors_tell_what_new_words_are(
    detector: LinearDetector, records: list[Record], new_records: list[Record]
) -> None:
    """Names that no training record holds are found by their vectors, and not without."""
    without = LinearDetector.fit(WITHOUT, records)
    assert share_found(without, records) == 1
    assert share_found(without, new_records) < 0.5
    assert share_found(detector, records) == 1
    assert share_found(detector, new_records) == 1


def test_scores_are_those_of_the_training_matrix(
    detector: LinearDetector, new_records: list[Record]
) -> None:
    """The fast way adds up to features times weights plus vectors times weights."""
    model = detector.model
    assert model.vectors is not None
    assert model.vector_weights is not None
    stream = detector.tagger.stream([record.document.text for record in new_records])
    words = [
        stream.texts[doc][start:end]
        for doc, start, end in zip(stream.doc, stream.start, stream.end, strict=True)
    ]
    at = stream.words
    expected = model.weights[model.space.matrix(stream)].sum(1)
    expected += (model.vectors.rows(words).astype(np.float32) @ model.vector_weights)[at]
    assert detector.tagger.scores(stream)[at] == pytest.approx(expected, abs=1e-4)


def test_vectors_count_where_no_feature_is_at_the_token(
    recipe: LinearRecipe, records: list[Record], new_records: list[Record]
) -> None:
    """A model with a bias alone still has the vector of each token."""
    bare = LinearDetector.fit(replace(recipe, groups=("bias",)), records)
    assert share_found(bare, new_records) == 1


def test_alone_or_together_the_same_spans(
    detector: LinearDetector, new_records: list[Record]
) -> None:
    """What is found in a record does not depend on the records beside it or before it."""
    docs = [record.document for record in new_records]
    together = LinearDetector(detector.model).detect_many(docs)
    assert [LinearDetector(detector.model).detect(doc) for doc in docs] == together
    one_by_one = LinearDetector(detector.model)
    assert [one_by_one.detect(doc) for doc in reversed(docs)] == together[::-1]


def test_saved_and_loaded_it_finds_the_same(
    detector: LinearDetector, new_records: list[Record], tmp_path: Path
) -> None:
    """Vectors and their weights are kept to the last bit, without a trace of their folder."""
    detector.save(tmp_path / "a")
    loaded = LinearDetector.load(tmp_path / "a")
    loaded.save(tmp_path / "b")
    for name in ("model.toml", "weights.npz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    docs = [record.document for record in new_records]
    assert loaded.detect_many(docs) == detector.detect_many(docs)
    assert "secret-place" not in (tmp_path / "a" / "model.toml").read_text("utf-8")


def test_a_model_without_vectors_is_as_before(
    detector: LinearDetector, records: list[Record], tmp_path: Path
) -> None:
    """Without vectors the folder holds nothing of them, and the rest is the same bytes."""
    detector.save(tmp_path / "with")
    bare = replace(detector.model, vectors=None, vector_weights=None)
    LinearDetector(bare).save(tmp_path / "bare")
    arrays = dict(np.load(tmp_path / "with" / "weights.npz"))
    left = {name: array for name, array in arrays.items() if not name.startswith("vector")}
    assert len(left) == len(arrays) - 3
    np.savez(tmp_path / "left.npz", allow_pickle=False, **left)
    assert (tmp_path / "left.npz").read_bytes() == (tmp_path / "bare/weights.npz").read_bytes()
    for place in ("with", "bare"):
        settings = (tmp_path / place / "model.toml").read_text("utf-8")
        assert "vector" not in settings
    without = LinearDetector.fit(WITHOUT, records)
    assert without.model.vectors is None
    assert len(without.model.weights) == without.model.space.size


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("vectors", np.zeros((2, 3), np.float16)),
        ("vectors", np.zeros((24, 4), np.float16)),
        ("vectors", np.zeros((24, 3), np.float32)),
        ("vector_weights", np.zeros((4, 3), np.float32)),
        ("vector_weights", np.zeros((3, 2), np.float32)),
        ("vector_weights", np.zeros(3, np.float32)),
        ("vector_words", np.frombuffer(b"a\x1fa\x1f", np.uint8)),
        ("vector_words", None),
    ],
)
def test_vectors_that_do_not_fit_are_refused(
    detector: LinearDetector, tmp_path: Path, name: str, array: np.ndarray | None
) -> None:
    """Vectors, words and weights of sizes that do not fit are an error, not half believed."""
    detector.save(tmp_path)
    file = tmp_path / "weights.npz"
    arrays: dict[str, Any] = dict(np.load(file))
    assert arrays["vectors"].shape == (24, 3)
    del arrays[name]
    if array is not None:
        arrays[name] = array
    np.savez(file, **arrays)
    with pytest.raises(InputError, match=r"weights\.npz: damaged"):
        load_model(tmp_path)


def test_the_word_vector_is_one_of_the_reasons(
    detector: LinearDetector, new_records: list[Record]
) -> None:
    """A span of an unseen word is there because of its vector, and all reasons add up."""
    explained = explain(detector, new_records[0].document)
    assert explained
    for found in explained:
        assert [reason.feature for reason in found.reasons].count(WORD_VECTOR) == 1
        assert found.reasons[0].feature == WORD_VECTOR
        told = sum(reason.margin for reason in found.reasons)
        assert told + found.transitions == pytest.approx(found.margin, abs=1e-3)
        # Each token by itself: there is nothing but the features.
        assert found.transitions == pytest.approx(0, abs=1e-3)


def test_other_trainers_take_no_vectors(
    recipe: LinearRecipe, records: list[Record], tmp_path: Path
) -> None:
    """Another trainer, and a file that is not there, are refused before any training."""
    with pytest.raises(
        InputError, match="trainer 'svm' or with a network; this one has the trainer 'dropout'"
    ):
        LinearDetector.fit(replace(recipe, trainer="dropout"), records)
    with pytest.raises(InputError, match="no such file of word vectors"):
        with_vectors(WITHOUT, tmp_path / "absent.vec")
