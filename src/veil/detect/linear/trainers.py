"""Training with CRFsuite and as a support vector machine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core.errors import InputError, require
from veil.detect.linear.chain import Transitions, forbid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.detect.linear.dropout import Examples
    from veil.features.stream import Ints


ALGORITHMS: dict[str, dict[str, Any]] = {
    "lbfgs": {"c1": 0.1, "c2": 0.1, "max_iterations": 200},
    "l2sgd": {"c2": 0.1, "max_iterations": 100},
    "ap": {"max_iterations": 50},
    "pa": {"max_iterations": 50},
    "arow": {"max_iterations": 50},
}
"""CRFsuite's algorithms, with the parameters that apply unless a recipe sets others."""


def train_crfsuite(
    examples: Examples,
    algorithm: str,
    parameters: Mapping[str, Any],
    report: Callable[[int, float], None] | None = None,
) -> tuple[Floats, Transitions]:
    """Train with CRFsuite and return its weights, one row per feature."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "model.crfsuite"))
        train_file(examples, algorithm, parameters, file, report)
        return read_file(file, examples.size, examples.tag_count)


def train_file(
    examples: Examples,
    algorithm: str,
    parameters: Mapping[str, Any],
    file: str,
    report: Callable[[int, float], None] | None = None,
) -> None:
    """Train with CRFsuite and write its own model file."""
    pycrfsuite = require("pycrfsuite", extra="train")

    trainer = pycrfsuite.Trainer(algorithm, verbose=report is not None)
    # CRFsuite reports iterations only through these methods of its trainer, and prints otherwise.
    for event in filter(lambda name: name.startswith("on_"), dir(trainer)):
        setattr(trainer, event, lambda *_: None)
    trainer.on_iteration = lambda log, info: report and report(info["num"], info.get("loss", 0.0))
    try:
        trainer.set_params({**ALGORITHMS[algorithm], **parameters})
    except ValueError:
        names = ", ".join(sorted(parameters))
        known = ", ".join(sorted(trainer.params()))
        raise InputError(
            f"trainer {algorithm}: one of the parameters {names} is not known; known: {known}"
        ) from None
    tags = examples.tags.astype(str)
    for first, length in zip(examples.first.tolist(), examples.length.tolist(), strict=True):
        rows = slice(first, first + length)
        trainer.append(attributes(examples.features[rows]), tags[rows].tolist())
    trainer.train(file)


def attributes(features: Ints) -> list[list[str]]:
    """Features as the strings that CRFsuite requires."""
    return [list(map(str, row)) for row in features.tolist()]


def read_file(file: str, size: int, tag_count: int) -> tuple[Floats, Transitions]:
    """Read the weights and transitions of a CRFsuite model."""
    pycrfsuite = require("pycrfsuite", extra="train")
    tagger = pycrfsuite.Tagger()
    tagger.open(file)
    info = tagger.info()
    weights = np.zeros((size, tag_count), np.float32)
    for (feature, tag), weight in info.state_features.items():
        weights[int(feature), int(tag)] = weight
    chain = Transitions.none(tag_count)
    for (before, after), weight in info.transitions.items():
        chain.between[int(before), int(after)] = weight
    # Tags that never occurred in training are unknown to CRFsuite: they must not win here either.
    forbid(chain, [tag for tag in range(tag_count) if str(tag) not in info.labels])
    tagger.close()
    return weights, chain


def tag_plainly(file: str, features: Ints, first: Ints, length: Ints) -> NDArray[np.int32]:
    """Tag the sequences of a feature matrix with CRFsuite itself."""
    pycrfsuite = require("pycrfsuite", extra="train")
    tagger = pycrfsuite.Tagger()
    tagger.open(file)
    tags = np.zeros(len(features), np.int32)
    for start, count in zip(first.tolist(), length.tolist(), strict=True):
        rows = slice(start, start + count)
        tags[rows] = [int(tag) for tag in tagger.tag(attributes(features[rows]))]
    tagger.close()
    return tags


def train_svm(examples: Examples, *, c: float, seed: int) -> tuple[Floats, Transitions]:
    """Return the weights of a one-against-the-rest linear SVM (cotik-2019, section 3.4).

    The rows of the features are followed by those of the dimensions of word vectors, if there are
    any.
    """
    svm = require("sklearn.svm", extra="train")
    sparse = require("scipy.sparse", extra="train")
    rows, width = examples.features.shape
    matrix = sparse.csr_array(
        (
            np.ones(rows * width, np.float32),
            examples.features.ravel(),
            np.arange(0, rows * width + 1, width, dtype=np.int32),
        ),
        shape=(rows, examples.size),
    )
    if examples.vectors is not None:
        dense = sparse.csr_array(examples.vectors.astype(np.float32))
        matrix = sparse.hstack([matrix, dense], format="csr")
    # The features include a bias; a separate intercept would have no row among the weights.
    machine = svm.LinearSVC(C=c, random_state=seed, dual=True, fit_intercept=False)
    machine.fit(matrix, examples.tags)
    weights = np.zeros((matrix.shape[1], examples.tag_count), np.float32)
    # For two tags scikit-learn returns one row: positive for the second, negative for the first.
    rows_of_tags = (
        machine.coef_ if len(machine.coef_) > 1 else np.vstack([-machine.coef_, machine.coef_])
    )
    weights[:, machine.classes_] = rows_of_tags.T
    chain = Transitions.none(examples.tag_count)
    forbid(chain, [tag for tag in range(examples.tag_count) if tag not in machine.classes_])
    return weights, chain
