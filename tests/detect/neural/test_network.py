"""Tests for networks: training, scores without PyTorch, model folders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from veil.core.errors import InputError
from veil.detect.crf import LinearDetector, LinearRecipe, train_linear_model, with_vectors
from veil.detect.linear.explain import explain
from veil.detect.linear.tagger import Tagger
from veil.detect.neural.network import NetworkSettings, windows
from veil.learn.training import measure, predict

torch = pytest.importorskip("torch", reason="the extra 'neural' is not installed")
training = pytest.importorskip("veil.detect.neural.training")

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from veil.core.document import Record
    from veil.detect.linear.model import LinearModel

SETTINGS = NetworkSettings(
    ("network-words", "network-context"), hidden=24, epochs=14, batch=150, window=30, largest=20
)
ALONE = LinearRecipe("toy-network", "bilstm-crf", "es", "network", sequences="lines")


def recipe(**changes: object) -> LinearRecipe:
    return replace(ALONE, network=replace(SETTINGS, **changes))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def detector(toy_records: list[Record]) -> LinearDetector:
    return LinearDetector.fit(recipe(), toy_records)


def scores(
    model: LinearModel, texts: Sequence[str]
) -> list[np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
    """The scores of the words of each text."""
    tagger = Tagger(model)
    stream = tagger.stream(texts)
    found = tagger.scores(stream)
    return [found[first:last][~stream.breaks[first:last]] for first, last in stream.bounds]


def test_network_alone_learns(detector: LinearDetector, new_toy_records: list[Record]) -> None:
    """A network without linear weights finds most spans of new records."""
    assert detector.model.space.size == 0
    assert measure(new_toy_records, predict(detector, new_toy_records)).f1 > 0.9


def test_scores_equal_those_of_pytorch(
    toy_records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole numbers and NumPy give nearly the scores that PyTorch gives, and the same best tags."""
    kept: list[Any] = []
    export = training._Module.export

    def keep(self: Any, *args: Any) -> Any:
        kept.append((self, args[0]))
        return export(self, *args)

    monkeypatch.setattr(training._Module, "export", keep)
    model = train_linear_model(recipe(epochs=4), toy_records)
    module, inputs = kept[0]
    tagger = Tagger(model)
    stream = tagger.stream([record.document.text for record in toy_records])
    ours = tagger.scores(stream)
    theirs = np.zeros_like(ours)
    trainer = training._Trainer(inputs, None, SETTINGS, 0)
    trainer.module = module.eval()
    with torch.no_grad():
        for start, end in inputs.cuts:
            batch = trainer._batch(inputs, [(start, end)], hide=False)
            theirs[start:end] = module(batch).numpy()[:, 0]
    words = stream.words
    assert np.abs(ours[words] - theirs[words]).max() < 0.1
    assert (ours[words].argmax(1) == theirs[words].argmax(1)).mean() > 0.99


def test_scores_do_not_depend_on_other_texts(
    detector: LinearDetector, new_toy_records: list[Record]
) -> None:
    """A text has the same scores to the last bit alone and among others."""
    texts = [record.document.text for record in new_toy_records]
    together = scores(detector.model, texts)
    for text, expected in zip(texts, together, strict=True):
        assert np.array_equal(scores(detector.model, [text])[0], expected)


def test_saved_network_is_the_same(
    detector: LinearDetector, new_toy_records: list[Record], tmp_path: Path
) -> None:
    """A model folder holds the whole network."""
    detector.save(tmp_path / "model")
    loaded = LinearDetector.load(tmp_path / "model")
    docs = [record.document for record in new_toy_records]
    assert loaded.detect_many(docs) == detector.detect_many(docs)


def test_network_of_words_alone(toy_records: list[Record], tmp_path: Path) -> None:
    """A network without features of the position learns, and its folder holds all of it."""
    model = train_linear_model(recipe(groups=("network-words",)), toy_records)
    LinearDetector(model).save(tmp_path / "model")
    loaded = LinearDetector.load(tmp_path / "model")
    assert measure(toy_records, predict(loaded, toy_records)).f1 > 0.9


def test_network_of_another_model_is_refused(detector: LinearDetector, tmp_path: Path) -> None:
    """A network that does not fit the features of its model is an error that names the file."""
    network = detector.model.network
    assert network is not None
    name, table = next(iter(network.forms.items()))
    damaged = replace(network, forms={**network.forms, name: table[:-1]})
    model = replace(detector.model, network=damaged)
    LinearDetector(model).save(tmp_path / "model")
    with pytest.raises(InputError, match=r"weights\.npz"):
        LinearDetector.load(tmp_path / "model")


def test_same_seed_same_bytes(toy_records: list[Record], tmp_path: Path) -> None:
    """Two trainings with one seed write the same files; another seed gives another network."""
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        made = replace(recipe(epochs=2), seeds=(seed,))
        LinearDetector(train_linear_model(made, toy_records[:20])).save(tmp_path / name)
    a, b, c = ((tmp_path / name / "weights.npz").read_bytes() for name in "abc")
    assert a == b != c


def test_interrupted_training_goes_on(toy_records: list[Record], tmp_path: Path) -> None:
    """Training that is killed after an epoch and started again ends with the same network."""
    whole = train_linear_model(recipe(epochs=3), toy_records[:20])
    made = replace(recipe(epochs=3), checkpoint=tmp_path / "checkpoint")
    epochs: list[int] = []

    def kill(epoch: int, _: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_linear_model(made, toy_records[:20], report=kill)
    resumed = train_linear_model(made, toy_records[:20], report=lambda at, _: epochs.append(at))
    assert epochs == [1, 2]
    text = toy_records[30].document.text
    assert np.array_equal(scores(resumed, [text])[0], scores(whole, [text])[0])


def test_checkpoint_of_other_data_is_refused(toy_records: list[Record], tmp_path: Path) -> None:
    """A checkpoint is used only with the records and settings that it was made with."""
    made = replace(recipe(epochs=1), checkpoint=tmp_path / "checkpoint")
    train_linear_model(made, toy_records[:10])
    with pytest.raises(InputError, match="another training"):
        train_linear_model(made, toy_records[10:20])
    (tmp_path / "checkpoint").write_bytes(b"no checkpoint")
    with pytest.raises(InputError, match="damaged"):
        train_linear_model(made, toy_records[:10])


def test_training_stops_when_nothing_is_gained(toy_records: list[Record]) -> None:
    """The epochs end after some without a lower loss on held-out records."""
    losses: list[float] = []
    made = recipe(epochs=60, patience=1, rate=0.05, dropout=0.0, unseen=0.0)
    held_out = toy_records[40:44]
    train_linear_model(
        made, toy_records[:10], held_out=held_out, report=lambda _, loss: losses.append(loss)
    )
    assert len(losses) < 60
    assert losses[-1] > min(losses)


def test_network_adds_to_linear_features(
    toy_recipe: LinearRecipe, toy_records: list[Record], new_toy_records: list[Record]
) -> None:
    """The scores are a weighted mean of both, as are transitions; a weight of 0 changes nothing."""
    both = replace(toy_recipe, network=replace(SETTINGS, weight=0.5, epochs=2))
    silent = replace(toy_recipe, network=replace(SETTINGS, weight=0.0, epochs=1))
    text = new_toy_records[0].document.text
    linear, added, none = (
        train_linear_model(made, toy_records) for made in (toy_recipe, both, silent)
    )
    assert np.array_equal(scores(none, [text])[0], scores(linear, [text])[0])
    assert added.network is not None
    tagger = Tagger(added)
    stream = tagger.stream([text])
    own = tagger.network_scores(stream, added.space.position_ids(stream))
    assert own is not None
    expected = scores(linear, [text])[0] / 1.5 + own[stream.words]
    assert np.allclose(scores(added, [text])[0], expected, atol=1e-4)
    assert not np.array_equal(added.chain.between, linear.chain.between)


@pytest.mark.parametrize(("trainer", "groups"), [("network", ()), ("dropout", ("veil-words",))])
def test_network_uses_word_vectors(
    toy_records: list[Record], tmp_path: Path, trainer: str, groups: tuple[str, ...]
) -> None:
    """The vectors of a file become a part of the network, alone or beside linear features."""
    file = tmp_path / "toy.vec"
    words = {word for record in toy_records for word in record.document.text.split()}
    file.write_text("".join(f"{word} {i % 3} {i % 5} 1\n" for i, word in enumerate(sorted(words))))
    made = replace(recipe(epochs=1), trainer=trainer, groups=groups)
    model = train_linear_model(with_vectors(made, file), toy_records[:10])
    assert model.network is not None
    assert model.network.vectors is not None
    LinearDetector(model).save(tmp_path / "model")
    loaded = LinearDetector.load(tmp_path / "model").model
    text = toy_records[20].document.text
    assert np.array_equal(scores(loaded, [text])[0], scores(model, [text])[0])


def test_explanation_names_the_network(
    detector: LinearDetector, new_toy_records: list[Record]
) -> None:
    """What the network makes of each word around a span, and of all together, adds up."""
    found = explain(detector, new_toy_records[0].document)
    assert found
    for each in found:
        assert all(reason.feature.startswith("network") for reason in each.reasons)
        assert sum(reason.feature == "network" for reason in each.reasons) <= 1
        told = sum(reason.margin for reason in each.reasons)
        assert told + each.transitions == pytest.approx(each.margin, abs=1e-3)
    texts = [reason.text for each in found for reason in each.reasons]
    assert any(text.startswith("for the network, the word before is '") for text in texts)


@pytest.mark.parametrize("size", [1, 7, 30, 500])
def test_windows_cover_every_word_once(
    detector: LinearDetector, toy_records: list[Record], size: int
) -> None:
    """Windows are disjoint, inside of their documents, and together hold all words."""
    texts = ["", "x", *(record.document.text for record in toy_records[:10]), "y " * 90]
    stream = Tagger(detector.model).stream(texts)
    cuts = windows(stream, size)
    seen = np.concatenate([np.arange(start, end) for start, end in cuts])
    assert len(set(seen.tolist())) == len(seen)
    assert set(stream.words.tolist()) <= set(seen.tolist())
    assert all(stream.doc[start] == stream.doc[end - 1] for start, end in cuts)
    assert all(end - start <= 2 * size for start, end in cuts)


def test_training_leaves_settings_of_floating_point_alone(toy_records: list[Record]) -> None:
    """Numbers near 0 are what they were after a network was trained."""
    train_linear_model(recipe(epochs=1), toy_records[:5])
    assert np.float64(1e-320) * 1 > 0
    assert torch.tensor(1e-320, dtype=torch.float64).item() > 0
