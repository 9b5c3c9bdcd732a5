"""Tests for veil.detect.linear.trainers: the tables tag exactly as CRFsuite does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil.detect.linear.chain import best_tags
from veil.detect.linear.model import LinearModel, Settings
from veil.detect.linear.tagger import Tagger
from veil.detect.linear.trainers import ALGORITHMS, read_file, tag_plainly, train_file
from veil.detect.linear.training import examples_of, prepare, sequences_of
from veil.features.forms import Resources
from veil.features.groups import feature_group
from veil.io import read

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from veil.core.document import Record
    from veil.features.groups import Channel

pytest.importorskip("pycrfsuite")

SMALL = ("bias", "veil-words", "veil-lines", "veil-templates")


def train(
    records: Sequence[Record],
    groups: Sequence[str],
    file: Path,
    *,
    algorithm: str,
    iterations: int,
    sequences: str = "lines",
) -> LinearModel:
    channels: tuple[Channel, ...] = tuple(c for name in groups for c in feature_group(name))
    space, tagset, stream = prepare(
        records, channels, Resources("es"), tokens="es", sequences=sequences
    )
    examples = examples_of(stream, space, tagset, records)
    train_file(examples, algorithm, {"max_iterations": iterations}, str(file))
    weights, chain = read_file(str(file), examples.size, examples.tag_count)
    settings = Settings("crf", "crf", "es", "es", sequences)
    return LinearModel(settings, space, tagset, weights, chain)


def assert_same_tags(model: LinearModel, file: Path, texts: Sequence[str]) -> int:
    """Every word of the texts has the tag that CRFsuite gives it; return how many are not O."""
    tagger = Tagger(model)
    stream = tagger.stream(texts)
    words = stream.words
    ours = best_tags(tagger.scores(stream), stream.breaks, model.chain)[words]
    theirs = tag_plainly(str(file), model.space.matrix(stream), *sequences_of(stream, words))
    assert ours.tolist() == theirs.tolist()
    return int((theirs > 0).sum())


@pytest.mark.parametrize("sequences", ["lines", "sentences"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_toy_records_are_tagged_as_by_crfsuite(
    algorithm: str,
    sequences: str,
    toy_records: list[Record],
    new_toy_records: list[Record],
    tmp_path: Path,
) -> None:
    """All algorithms train, and their weights in tables give the same tags."""
    file = tmp_path / "model.crfsuite"
    model = train(
        toy_records[:30], SMALL, file, algorithm=algorithm, iterations=10, sequences=sequences
    )
    texts = [record.document.text for record in new_toy_records]
    # Records cut into pieces are unlike all that was learned.
    texts += [text[place:-place] for place, text in enumerate(texts, start=1)]
    assert assert_same_tags(model, file, texts) > 100


def test_tags_that_never_occurred_are_never_given(
    toy_records: list[Record], tmp_path: Path
) -> None:
    """A tag without an example is unknown to CRFsuite and must not win in the tables."""
    channels = feature_group("bias")
    space, tagset, stream = prepare(
        toy_records[:5], channels, Resources("es"), tokens="es", sequences="lines"
    )
    examples = examples_of(stream, space, tagset, toy_records[:5])
    examples.tags[examples.tags == tagset.numbers["I-NAME"]] = tagset.numbers["B-NAME"]
    file = tmp_path / "model.crfsuite"
    train_file(examples, "lbfgs", {"max_iterations": 5}, str(file))
    _, chain = read_file(str(file), examples.size, examples.tag_count)
    scores = np.zeros((4, len(tagset)), np.float32)
    scores[:, tagset.numbers["I-NAME"]] = 50
    tags = best_tags(scores, np.array([True, False, False, True]), chain)
    assert tagset.numbers["I-NAME"] not in tags


def test_report_hears_of_each_iteration(toy_records: list[Record], tmp_path: Path) -> None:
    """The number of the iteration and its loss are reported."""
    space, tagset, stream = prepare(
        toy_records[:5], feature_group("bias"), Resources("es"), tokens="es", sequences="lines"
    )
    examples = examples_of(stream, space, tagset, toy_records[:5])
    heard: list[tuple[int, float]] = []
    file = str(tmp_path / "model.crfsuite")
    train_file(
        examples,
        "lbfgs",
        {"max_iterations": 4},
        file,
        lambda number, loss: heard.append((number, loss)),
    )
    assert [number for number, _ in heard] == [1, 2, 3, 4]
    assert heard[-1][1] < heard[0][1]


def test_meddocan_is_tagged_as_by_crfsuite(corpora: Path, tmp_path: Path) -> None:
    """Every word of the development records has the tag that CRFsuite gives it."""
    file = tmp_path / "model.crfsuite"
    model = train(
        _meddocan(corpora, "train")[:60],
        ("bias", "veil-words", "veil-lexicons", "veil-lines"),
        file,
        algorithm="lbfgs",
        iterations=12,
    )
    texts = [record.document.text for record in _meddocan(corpora, "dev")]
    assert assert_same_tags(model, file, texts) > 1000


def _meddocan(corpora: Path, part: str) -> list[Record]:
    return list(read(corpora / "meddocan" / part))
