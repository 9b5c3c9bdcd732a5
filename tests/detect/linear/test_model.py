"""Tests for veil.detect.linear.model."""

from __future__ import annotations

import random
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from veil.core.errors import InputError, VeilError
from veil.detect.linear.model import LinearModel, load_model, load_settings, save_model
from veil.detect.linear.weights import PackedWeights
from veil.features.forms import Resources
from veil.features.space import FeatureSpace

if TYPE_CHECKING:
    from pathlib import Path

    from veil.detect.crf import LinearDetector


@pytest.fixture(scope="module")
def model(toy_detector: LinearDetector) -> LinearModel:
    return toy_detector.model


@pytest.fixture
def folder(model: LinearModel, tmp_path: Path) -> Path:
    save_model(model, tmp_path / "model")
    return tmp_path / "model"


def assert_same_but_weights(left: LinearModel, right: LinearModel) -> None:
    assert left.settings == right.settings
    assert left.tagset.tags == right.tagset.tags
    assert left.space.channels == right.space.channels
    assert left.space.resources == right.space.resources
    assert left.space.forms == right.space.forms
    assert left.space.usual == right.space.usual
    assert left.space.positions.keys() == right.space.positions.keys()
    for feature, keys in left.space.positions.items():
        assert keys.tolist() == right.space.positions[feature].tolist()
    for name in ("between", "start", "end"):
        assert (getattr(left.chain, name) == getattr(right.chain, name)).all()


def test_round_trip_is_exact(model: LinearModel, folder: Path) -> None:
    """What is loaded is what was saved, to the last bit."""
    loaded = load_model(folder)
    assert_same_but_weights(model, loaded)
    assert loaded.weights.dtype == np.float32
    assert (loaded.weights == model.weights).all()


def test_compact_round_trip_is_near(model: LinearModel, tmp_path: Path) -> None:
    """A byte a weight is within a hundredth of the largest weight of its feature."""
    save_model(model, tmp_path, compact=True)
    loaded = load_model(tmp_path)
    assert_same_but_weights(model, loaded)
    largest = np.abs(model.weights).max(1, keepdims=True)
    assert (np.abs(loaded.weights - model.weights) <= 0.04 + largest / 100).all()


def test_values_and_dictionaries_of_any_text(model: LinearModel, tmp_path: Path) -> None:
    """A feature with the empty value alone, a dictionary, and odd characters are kept."""
    forms = {
        "in-names": {"": 2},
        "word": {"": 2, "\x00": 3, "a\u2028b": 4, "山": 5, "\ud800": 6, "😀": 7},
        "lower": {},
    }
    resources = Resources("es", {"city": frozenset({"málaga", "øst"}), "state": frozenset()})
    space = FeatureSpace((), resources, forms, {})
    odd = replace(model, space=space, stored=np.zeros((0, len(model.tagset)), np.float32))
    save_model(odd, tmp_path)
    assert_same_but_weights(odd, load_model(tmp_path))


def test_card_is_kept(model: LinearModel, tmp_path: Path) -> None:
    """The card of a model is any nested data, and settings are read without the weights."""
    card = {"licence": "CC BY 4.0", "scores": {"dev": {"f1": 0.5}}, "data": ["a", "b"]}
    save_model(model.with_settings(card=card, scheme="meddocan"), tmp_path)
    assert load_model(tmp_path).settings.card == card
    settings = load_settings(tmp_path)
    assert settings["card"] == card
    assert settings["scheme"] == "meddocan"


@pytest.mark.parametrize("compact", [False, True])
def test_same_model_same_bytes(model: LinearModel, tmp_path: Path, compact: bool) -> None:
    """Saving twice, or what was loaded, gives the same files, with no date in them."""
    save_model(model, tmp_path / "a", compact=compact)
    save_model(model, tmp_path / "b", compact=compact)
    for name in ("model.toml", "weights.npz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    with zipfile.ZipFile(tmp_path / "a" / "weights.npz") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    save_model(load_model(tmp_path / "a"), tmp_path / "c", compact=compact)
    for name in ("model.toml", "weights.npz"):
        assert (tmp_path / "c" / name).read_bytes() == (tmp_path / "a" / name).read_bytes()


def test_no_model(tmp_path: Path) -> None:
    """A folder without a model is an error that says what is missing."""
    with pytest.raises(InputError, match=r"no model here: model\.toml is missing"):
        load_model(tmp_path)


def test_no_weights(folder: Path) -> None:
    """A model without its weights is an error that names the file."""
    (folder / "weights.npz").unlink()
    with pytest.raises(InputError, match=r"weights\.npz: No such file"):
        load_model(folder)


@pytest.mark.parametrize("version", ["format_version = 99", ""])
def test_other_versions(folder: Path, version: str) -> None:
    """Another version of the format, or none, is refused with advice."""
    file = folder / "model.toml"
    file.write_text(file.read_text("utf-8").replace("format_version = 2", version), "utf-8")
    with pytest.raises(InputError, match=r"format version (99|None).*train the model again"):
        load_model(folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('labels = ["', 'labels = ["MORE", "'),
        ("labels = [", "label = ["),
        ("channels = [", "channels = 3\nold = ["),
        ('feature = "template"', 'feature = "no-such-feature"'),
        ('feature = "template"', 'feature = "bias"'),
        ("calibration = [", "calibration = 0\nold = ["),
        ("dial = [", "dial = [1, 2]\nold = ["),
    ],
)
def test_settings_that_do_not_fit_the_weights(folder: Path, old: str, new: str) -> None:
    """Settings that were changed by hand are refused, not half believed."""
    file = folder / "model.toml"
    content = file.read_text("utf-8")
    assert old in content
    file.write_text(content.replace(old, new, 1), "utf-8")
    with pytest.raises(InputError, match=r"weights\.npz: damaged, or not the weights of"):
        load_model(folder)


@pytest.mark.parametrize("compact", [False, True])
def test_models_of_version_1_are_read(model: LinearModel, tmp_path: Path, compact: bool) -> None:
    """A model that an earlier Veil wrote, with compressed arrays and all zeros, is still read."""
    save_model(model, tmp_path, compact=compact)
    expected = load_model(tmp_path)
    arrays: dict[str, Any] = dict(np.load(tmp_path / "weights.npz"))
    if compact:
        packed = expected.stored
        assert isinstance(packed, PackedWeights)
        scale = np.where(packed.scale > 0, packed.scale, 1).astype(np.float32)
        arrays = {name: each for name, each in arrays.items() if not name.startswith("packed.")}
        arrays["scale"] = packed.scale
        arrays["bytes"] = np.rint(packed.unpacked() / scale[:, None]).astype(np.int8)
    np.savez_compressed(tmp_path / "weights.npz", **arrays)
    file = tmp_path / "model.toml"
    file.write_text(file.read_text("utf-8").replace("_version = 2", "_version = 1"), "utf-8")
    loaded = load_model(tmp_path)
    assert_same_but_weights(loaded, expected)
    assert (loaded.weights == expected.weights).all()


@pytest.mark.parametrize("compact", [False, True])
def test_damaged_weights(model: LinearModel, tmp_path: Path, compact: bool) -> None:
    """Whatever byte is flipped or cut off: an error without a traceback, or the same model."""
    folder = tmp_path / "model"
    save_model(model, folder, compact=compact)
    file = folder / "weights.npz"
    whole = file.read_bytes()
    expected = load_model(folder)
    rng = random.Random(0)  # noqa: S311
    for _ in range(60):
        damaged = bytearray(whole)
        place = rng.randrange(len(damaged))
        damaged[place] ^= 1 << rng.randrange(8)
        if rng.random() < 0.3:
            del damaged[place:]
        file.write_bytes(damaged)
        try:
            loaded = load_model(folder)
        except VeilError as error:
            assert str(file) in str(error)  # noqa: PT017 - either outcome is right
        else:
            assert (loaded.weights == expected.weights).all()


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("steps", np.array([2**31], np.uint32)),
        ("rows", np.array([2**40])),
        ("rows", np.array([3])),
        ("between", np.zeros((2, 2), np.float32)),
        ("start", np.zeros(1, np.float32)),
        ("form.normal", np.frombuffer(b"\xff\x1f", np.uint8)),
        ("values", np.array(["text"])),
    ],
)
def test_wrong_arrays(folder: Path, name: str, array: np.ndarray) -> None:
    """Arrays of the wrong size or type are refused."""
    file = folder / "weights.npz"
    arrays: dict[str, Any] = dict(np.load(file))
    arrays[name] = array
    np.savez(file, **arrays)
    with pytest.raises(InputError, match=r"weights\.npz"):
        load_model(folder)


def test_pickles_are_refused(folder: Path) -> None:
    """An array that only pickle can read is never unpickled."""
    ran: list[str] = []

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return ran.append, ("unpickled",)

    file = folder / "weights.npz"
    arrays: dict[str, Any] = dict(np.load(file))
    np.savez(file, **{**arrays, "values": np.array([Trap()], object)})
    with pytest.raises(InputError, match=r"weights\.npz"):
        load_model(folder)
    assert ran == []
