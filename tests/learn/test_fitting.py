from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Record
from veil.learn import recipe, train
from veil.learn.training import epochs, with_seed

if TYPE_CHECKING:
    from pathlib import Path


def test_the_papers_algorithm_trains_by_the_same_call(
    quick_recipe: Path, small_corpus: list[Record]
) -> None:
    """A recipe with L-BFGS gives a detector that finds the training spans."""
    made = replace(recipe(quick_recipe), trainer="lbfgs", parameters={"max_iterations": 30})
    detector = train(made, small_corpus, dev=small_corpus)
    found = detector.detect(small_corpus[0].document)
    assert [span.key for span in found] == [span.key for span in small_corpus[0].spans]


@pytest.mark.parametrize("trainer", ["dropout", "lbfgs"])
def test_training_tells_of_each_epoch_and_prints_nothing(
    trainer: str,
    quick_recipe: Path,
    small_corpus: list[Record],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """`report` hears as many epochs as `epochs` foretold at most; standard output stays empty."""
    name = "epochs" if trainer == "dropout" else "max_iterations"
    made = replace(recipe(quick_recipe), trainer=trainer, parameters={name: 3}, seeds=(0,))
    heard: list[float] = []
    train(made, small_corpus, report=lambda epoch, loss: heard.append(loss))
    assert epochs(made) == 3
    assert 1 <= len(heard) <= 3
    assert heard[-1] < heard[0]
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("texts", "message"), [([], "no record to train on"), (["Sin datos"], "no annotated span")]
)
def test_nothing_to_learn_from_is_said(quick_recipe: Path, texts: list[str], message: str) -> None:
    """No records, or records without spans, are refused."""
    records = [Record.of(Document("r", text)) for text in texts]
    with pytest.raises(InputError, match=message):
        train(recipe(quick_recipe), records)


def test_a_parameter_that_crfsuite_lacks_is_said(
    quick_recipe: Path, small_corpus: list[Record]
) -> None:
    """The message names the trainer and lists what it knows."""
    made = replace(recipe(quick_recipe), trainer="lbfgs", parameters={"speed": 3})
    with pytest.raises(InputError, match="speed is not known; known: c1"):
        train(made, small_corpus)


def test_a_seed_replaces_all_seeds(quick_recipe: Path) -> None:
    """Two seeds from 7 on are 7 and 8; without a seed the recipe keeps its own."""
    made = recipe(quick_recipe)
    assert with_seed(made, 7).seeds == (7, 8)
    assert with_seed(made, None).seeds == (0, 1)
