"""Training a linear support vector machine on windows: each token is tagged on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.core.extras import require
from veil.detect.linear.chain import Transitions, forbid

if TYPE_CHECKING:
    from veil.detect.linear.chain import Floats
    from veil.detect.linear.dropout import Examples


def train_svm(examples: Examples, *, c: float, seed: int) -> tuple[Floats, Transitions]:
    """Return the weights of a one-against-the-rest linear SVM (cotik-2019, section 3.4).

    After the rows of the features follow those of the dimensions of word vectors, if there are any.
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
    # The features hold a bias; an intercept of its own would have no row among the weights.
    machine = svm.LinearSVC(C=c, random_state=seed, dual=True, fit_intercept=False)
    machine.fit(matrix, examples.tags)
    weights = np.zeros((matrix.shape[1], examples.tag_count), np.float32)
    # Of two tags the machine learns one row: for the second and against the first.
    rows_of_tags = (
        machine.coef_ if len(machine.coef_) > 1 else np.vstack([-machine.coef_, machine.coef_])
    )
    weights[:, machine.classes_] = rows_of_tags.T
    chain = Transitions.none(examples.tag_count)
    forbid(chain, [tag for tag in range(examples.tag_count) if tag not in machine.classes_])
    return weights, chain
