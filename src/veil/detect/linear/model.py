"""A trained linear model and the folder that it is kept in: `model.toml` and `weights.npz`."""

from __future__ import annotations

import zipfile
import zlib
from collections import defaultdict
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core.errors import InputError, UnknownNameError
from veil.core.toml import read_toml, write_toml
from veil.detect.linear.chain import Transitions
from veil.detect.linear.tags import PlainTags, TagSet
from veil.features.forms import Resources
from veil.features.groups import Channel
from veil.features.space import FeatureSpace
from veil.features.stream import FIRST_VALUE
from veil.features.vectors import WordVectors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from veil.detect.linear.chain import Floats
    from veil.features.stream import Ints


# Weights this small change no decision; without them the file packs better.
_NEGLIGIBLE = 0.02
_LARGEST = 127


@dataclass(frozen=True)
class PackedWeights:
    """Rows of weights: how many steps each weight is, and how large a step of each row is."""

    steps: NDArray[np.int8]
    scale: NDArray[np.float16]

    def __post_init__(self) -> None:
        if (self.steps.dtype, self.scale.dtype) != (np.dtype(np.int8), np.dtype(np.float16)):
            raise ValueError("packed weights are bytes, each row with a scale of two bytes")
        if self.steps.ndim != 2 or self.scale.shape != self.steps.shape[:1]:
            raise ValueError("packed weights need a scale for each row")

    @classmethod
    def of(cls, weights: Floats) -> PackedWeights:
        """Round weights so that a byte holds each; rounding them again changes nothing."""
        kept = np.where(np.abs(weights) < _NEGLIGIBLE, 0, weights)
        scale = (np.abs(kept).max(1) / _LARGEST).astype(np.float16)
        divisor = np.where(scale > 0, scale, 1).astype(np.float32)[:, None]
        return cls(np.rint(kept / divisor).clip(-_LARGEST, _LARGEST).astype(np.int8), scale)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.steps.shape

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, rows: slice) -> PackedWeights:
        return PackedWeights(self.steps[rows], self.scale[rows])

    def unpacked(self) -> Floats:
        """All weights as numbers."""
        weights: Floats = self.steps.astype(np.float32)
        weights *= self.scale.astype(np.float32)[:, None]
        return weights

    def take(self, rows: Ints, out: Floats) -> None:
        """Unpack some rows into an array that is there already."""
        out[:] = self.steps.take(rows, axis=0, mode="clip")
        scale = self.scale.take(rows, mode="clip").astype(np.float32)
        # Numbers that are repeated beforehand are multiplied faster than broadcast ones.
        out *= np.repeat(scale, out.shape[1]).reshape(out.shape)


def take_rows(weights: Floats | PackedWeights, rows: Ints, out: Floats) -> None:
    """Copy rows of weights, packed or not, into an array that is there already."""
    if isinstance(weights, PackedWeights):
        weights.take(rows, out)
    else:
        np.take(weights, rows, axis=0, out=out, mode="clip")


def unpacked(weights: Floats | PackedWeights) -> Floats:
    """The weights as numbers, packed or not."""
    return weights.unpacked() if isinstance(weights, PackedWeights) else weights


FORMAT_VERSION = 1
POS = "pos"
"""The kind of models that give every token a part of speech."""

SETTINGS_FILE, _WEIGHTS = "model.toml", "weights.npz"
# Ends each string; white space, so no token holds it.
_STRING_END = "\x1f"
# What reading an array or a setting that is not as `save_model` wrote it can raise.
_DAMAGE = (
    *(OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, UnknownNameError),
)


@dataclass(frozen=True)
class Settings:
    """What is written down about a model beside its weights.

    `outside` is added to the score of O: below 0 the model finds more and errs more. `calibration`
    turns its probabilities into ones that can be trusted: slope and intercept on the log odds.
    `dial` are pairs of `outside` and the character recall that it had on held-out records.
    """

    name: str
    kind: str
    language: str
    tokens: str
    sequences: str
    scheme: str | None = None
    outside: float = 0.0
    calibration: tuple[float, float] = (1.0, 0.0)
    dial: tuple[tuple[float, float], ...] = ()
    card: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LinearModel:
    """Features, weights (a row a feature, a column a tag), and transitions between tags.

    `stored` are the weights as the model's file has them. A model with word vectors has weights
    for these too: a row a dimension.
    """

    settings: Settings
    space: FeatureSpace
    tagset: TagSet
    stored: Floats | PackedWeights
    chain: Transitions
    vectors: WordVectors | None = None
    vector_weights: Floats | None = None

    @cached_property
    def weights(self) -> Floats:
        """All weights as numbers, which take much room: to tag does not need them."""
        return unpacked(self.stored)

    def scores_of_vectors(self) -> Floats | None:
        """What each word vector adds to the score of each tag; the last row, 0, is for no vector.

        Found once for all words: so it is the same to the last bit whatever words come together.
        """
        if self.vectors is None or self.vector_weights is None:
            return None
        scores: Floats = self.vectors.values.astype(np.float32) @ self.vector_weights
        return np.vstack([scores, np.zeros_like(scores, shape=(1, scores.shape[1]))])

    def with_settings(self, **changes: Any) -> LinearModel:
        return replace(self, settings=replace(self.settings, **changes))


def save_model(model: LinearModel, folder: Path, *, compact: bool = False) -> None:
    """Write a model; `compact` keeps a byte for each weight, which is precise enough to tag with.

    The same model gives the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    space = model.space
    settings = asdict(model.settings)
    write_toml(
        folder / SETTINGS_FILE,
        {
            "format_version": FORMAT_VERSION,
            **settings,
            "labels": list(model.tagset.labels),
            "channels": [asdict(channel) for channel in space.channels],
            "usual": dict(space.usual),
        },
    )
    arrays: dict[str, NDArray[Any]] = {
        "between": model.chain.between,
        "start": model.chain.start,
        "end": model.chain.end,
        **_pack_weights(model.weights, compact=compact),
    }
    for feature, values in space.forms.items():
        arrays[f"form.{feature}"] = _pack_strings(list(values))
    for feature, keys in space.positions.items():
        arrays[f"place.{feature}"] = keys
    for name, words in space.resources.dictionaries.items():
        arrays[f"dictionary.{name}"] = _pack_strings(sorted(words))
    if model.vectors is not None and model.vector_weights is not None:
        arrays["vectors"] = model.vectors.values
        arrays["vector_words"] = _pack_strings(list(model.vectors.words))
        arrays["vector_weights"] = model.vector_weights
    np.savez_compressed(folder / _WEIGHTS, allow_pickle=False, **arrays)


def load_model(folder: Path) -> LinearModel:
    """Read a model, or say what is wrong with its folder."""
    settings = load_settings(folder)
    file = folder / _WEIGHTS
    try:
        # NumPy leaves a file that it opened itself open when it is damaged.
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            return _assemble(settings, {name: arrays[name] for name in arrays.files})
    except _DAMAGE as error:
        reason = getattr(error, "strerror", None) or (
            f"damaged, or not the weights of {SETTINGS_FILE}; copy or train the model again"
        )
        raise InputError(f"{file}: {reason}") from None


def load_settings(folder: Path) -> dict[str, Any]:
    """Read the settings of a model without its weights."""
    file = folder / SETTINGS_FILE
    if not file.is_file():
        raise InputError(f"{folder}: no model here: {SETTINGS_FILE} is missing")
    settings = read_toml(file)
    if settings.get("format_version") != FORMAT_VERSION:
        raise InputError(
            f"{file}: format version {settings.get('format_version')}, this Veil reads "
            f"{FORMAT_VERSION}; train the model again"
        )
    return settings


def _assemble(data: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> LinearModel:
    by_kind: defaultdict[str, dict[str, NDArray[Any]]] = defaultdict(dict)
    for name, array in arrays.items():
        kind, _, feature = name.partition(".")
        by_kind[kind][feature] = array
    dictionaries = {
        name: frozenset(_unpack_strings(array)) for name, array in by_kind["dictionary"].items()
    }
    forms = {
        name: {value: number for number, value in enumerate(_unpack_strings(array), FIRST_VALUE)}
        for name, array in by_kind["form"].items()
    }
    space = FeatureSpace(
        tuple(_channel_from_toml(entry) for entry in data["channels"]),
        Resources(data["language"], dictionaries),
        forms,
        by_kind["place"],
        data["usual"],
    )
    settings = Settings(
        **{name: data[name] for name in ("name", "kind", "language", "tokens", "sequences")},
        scheme=data.get("scheme"),
        outside=data["outside"],
        calibration=tuple(data["calibration"]),
        dial=tuple((outside, recall) for outside, recall in data["dial"]),
        card=data.get("card", {}),
    )
    tagset = (PlainTags if settings.kind == POS else TagSet)(data["labels"])
    weights = _stored_weights(arrays, len(tagset))
    chain = Transitions(arrays["between"], arrays["start"], arrays["end"])
    tags = len(tagset)
    shapes = (weights.shape, chain.between.shape, chain.start.shape, chain.end.shape)
    if shapes != ((space.size, tags), (tags, tags), (tags,), (tags,)):
        raise ValueError("the weights are of other features or labels than the settings")
    model = LinearModel(settings, space, tagset, weights, chain)
    return _with_vectors(model, arrays) if "vectors" in arrays else model


def _with_vectors(model: LinearModel, arrays: Mapping[str, NDArray[Any]]) -> LinearModel:
    values, weights = arrays["vectors"], arrays["vector_weights"]
    words = {word: row for row, word in enumerate(_unpack_strings(arrays["vector_words"]))}
    shapes = (values.shape, weights.shape)
    if shapes != ((len(words), len(weights)), (len(weights), len(model.tagset))) or (
        (values.dtype, weights.dtype) != (np.dtype(np.float16), np.dtype(np.float32))
    ):
        raise ValueError("the word vectors do not fit their words, their weights or the labels")
    return replace(model, vectors=WordVectors(words, values), vector_weights=weights)


def _channel_from_toml(entry: Mapping[str, Any]) -> Channel:
    windows = tuple(tuple(window) for window in entry["windows"])
    return Channel(entry["feature"], windows, entry["minimum"])


def _pack_strings(strings: list[str]) -> NDArray[np.uint8]:
    joined = "".join(string + _STRING_END for string in strings)
    # A file may hold half a surrogate pair, and then so does a word.
    return np.frombuffer(joined.encode("utf-8", "surrogatepass"), np.uint8)


def _unpack_strings(array: NDArray[np.uint8]) -> list[str]:
    return array.tobytes().decode("utf-8", "surrogatepass").split(_STRING_END)[:-1]


def _pack_weights(weights: Floats, *, compact: bool) -> dict[str, NDArray[Any]]:
    if not compact:
        at = np.flatnonzero(weights)
        steps = np.diff(at, prepend=0).astype(np.uint32)
        return {"steps": steps, "values": weights.ravel()[at], "rows": np.array([len(weights)])}
    packed = PackedWeights.of(weights)
    return {"bytes": packed.steps, "scale": packed.scale}


def rounded(weights: Floats) -> Floats:
    """Weights as they come back from a compact model; rounding them again changes nothing."""
    return PackedWeights.of(weights).unpacked()


def _stored_weights(arrays: Mapping[str, NDArray[Any]], tags: int) -> Floats | PackedWeights:
    if "bytes" in arrays:
        return PackedWeights(arrays["bytes"], arrays["scale"])
    weights = np.zeros(int(arrays["rows"][0]) * tags, np.float32)
    weights[np.cumsum(arrays["steps"], dtype=np.int64)] = arrays["values"]
    return weights.reshape(-1, tags)
