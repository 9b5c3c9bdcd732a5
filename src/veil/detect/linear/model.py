"""A trained linear model and its folder: `model.toml` and `weights.npz`."""

from __future__ import annotations

import os
import zipfile
import zlib
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy

from veil.core.errors import InputError, UnknownNameError
from veil.core.toml import read_text, read_toml, write_toml
from veil.detect.linear.chain import Transitions
from veil.detect.linear.tags import PlainTags, TagSet
from veil.detect.linear.weights import PackedWeights, unpacked
from veil.detect.neural.network import Network
from veil.features.forms import Resources
from veil.features.groups import Channel
from veil.features.space import FeatureSpace
from veil.features.stream import FIRST_VALUE, StoredWords
from veil.features.vectors import WordVectors
from veil.languages import language_with_dictionary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from veil.core.tables import Table
    from veil.detect.linear.chain import Floats


FORMAT_VERSION = 2
# Models of version 1 have compressed arrays, and zeros among their weights.
_READABLE_VERSIONS = (1, FORMAT_VERSION)
POS = "pos"
"""The kind of models that give every token a part of speech."""

SETTINGS_FILE, _WEIGHTS = "model.toml", "weights.npz"
_DICTIONARY = "dictionary.txt"
_LONGEST_HEADER = 1 << 10
# Ends each string; white space, which no token contains.
_STRING_END = "\x1f"
# Exceptions from an array or a setting that is not as `save_model` wrote it.
_DAMAGE = (
    *(OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, UnknownNameError),
)


@dataclass(frozen=True)
class Settings:
    """What is stored with a model in addition to its weights.

    `outside` is the bias of the O tag: lower values raise recall and lower precision. `calibration`
    (slope and intercept on the log odds) makes its probabilities reliable. `dial` are pairs of
    `outside` and the character recall with it on held-out records. `joined` is the `calibration` of
    the spans of the model joined with the rules, by the family of their label, or by their source
    if they are not the model's.
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
    joined: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    card: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LinearModel:
    """Features, weights (one row per feature, one column per tag), and transitions between tags.

    `stored` are the weights as they are in the model's file. With word vectors there are weights
    for these too: one row per dimension. The scores of a `network` and those of the features form a
    weighted mean; with a network alone there are no weights. `dictionary` is the content of the
    user dictionary that its texts are split with.
    """

    settings: Settings
    space: FeatureSpace
    tagset: TagSet
    stored: Floats | PackedWeights
    chain: Transitions
    vectors: WordVectors | None = None
    vector_weights: Floats | None = None
    network: Network | None = None
    dictionary: str = ""

    @cached_property
    def weights(self) -> Floats:
        """All weights as floats, which need much memory; tagging does not need them."""
        return unpacked(self.stored)

    def scores_of_vectors(self) -> Floats | None:
        """What each word vector adds to the score of each tag; the last row, 0, is for no vector.

        Computed once for all words, so that the result is exactly the same in any batch.
        """
        if self.vectors is None or self.vector_weights is None:
            return None
        scores: Floats = self.vectors.values.astype(np.float32) @ self.vector_weights
        return np.vstack([scores, np.zeros_like(scores, shape=(1, scores.shape[1]))])

    def with_settings(self, **changes: Any) -> LinearModel:
        return replace(self, settings=replace(self.settings, **changes))


def save_model(model: LinearModel, folder: Path, *, compact: bool = False) -> None:
    """Write a model; `compact` keeps one byte per weight, which is precise enough for tagging.

    The same model always gives the same bytes.
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
            **({"user_dictionary": True} if model.dictionary else {}),
        },
    )
    arrays: dict[str, NDArray[Any]] = {
        "between": model.chain.between,
        "start": model.chain.start,
        "end": model.chain.end,
        **_weight_arrays(model, compact=compact),
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
    if model.network is not None:
        for name, part in model.network.arrays():
            arrays[f"network.{name}"] = _pack_strings(part) if isinstance(part, list) else part
    # Not compressed: decompression would take most of the loading time.
    np.savez(folder / _WEIGHTS, allow_pickle=False, **arrays)
    if model.dictionary:
        (folder / _DICTIONARY).write_text(model.dictionary, encoding="utf-8", newline="")


def load_model(folder: Path) -> LinearModel:
    """Read a model, or raise an error that says what is wrong with its folder."""
    settings = load_settings(folder)
    file = folder / _WEIGHTS
    dictionary = _dictionary_of(folder, settings)
    try:
        return replace(_assemble(settings, _read_arrays(file)), dictionary=dictionary)
    except _DAMAGE as error:
        reason = getattr(error, "strerror", None) or (
            f"damaged, or not the weights of {SETTINGS_FILE}; copy or train the model again"
        )
        raise InputError(f"{file}: {reason}") from None


def _dictionary_of(folder: Path, settings: Mapping[str, Any]) -> str:
    """Read the user dictionary of a model, if it was trained with one."""
    if not settings.get("user_dictionary", False):
        return ""
    file = folder / _DICTIONARY
    content = read_text(file)
    language_with_dictionary(settings["tokens"], content, file)
    return content


def load_settings(folder: Path) -> dict[str, Any]:
    """Read the settings of a model without its weights."""
    file = folder / SETTINGS_FILE
    if not file.is_file():
        raise InputError(f"{folder}: no model here: {SETTINGS_FILE} is missing")
    settings = read_toml(file)
    if settings.get("format_version") not in _READABLE_VERSIONS:
        raise InputError(
            f"{file}: format version {settings.get('format_version')}, this Veil reads "
            f"{FORMAT_VERSION}; train the model again"
        )
    return settings


def forms_table(folder: Path) -> Table:
    """Return the table that describes the words of a model (see `StoredWords`)."""
    return _stored_words(load_settings(folder), _read_arrays(folder / _WEIGHTS)).table()


def _read_arrays(file: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an `np.savez` file.

    Each uncompressed one has memory of its own, which is free again when only that one is deleted.
    """
    arrays = {}
    with file.open("rb") as content, zipfile.ZipFile(content) as archive:
        for info in archive.infolist():
            if info.compress_type == zipfile.ZIP_STORED:
                # The name and a field of variable length follow the fixed part of a member's
                # header.
                content.seek(info.header_offset + 26)
                name_length, extra_length = np.fromfile(content, "<u2", 2)
                content.seek(int(name_length) + int(extra_length), os.SEEK_CUR)
                member = np.fromfile(content, np.uint8, info.file_size)
                if zlib.crc32(member.data) != info.CRC:
                    raise zipfile.BadZipFile("a member is damaged")
            else:
                member = np.frombuffer(archive.read(info), np.uint8)
            arrays[info.filename.removesuffix(".npy")] = _array_of(member)
    return arrays


def _array_of(member: NDArray[np.uint8]) -> NDArray[Any]:
    """The array of an `np.save` file, copied only if its data is not aligned."""
    header = BytesIO(member[:_LONGEST_HEADER].tobytes())
    if npy.read_magic(header) != (1, 0):
        raise ValueError("the array is not as NumPy writes plain ones")
    shape, by_columns, dtype = npy.read_array_header_1_0(header)
    if dtype.hasobject:
        raise ValueError("the array is not a plain one")
    array = member[header.tell() :].view(dtype).reshape(shape, order="F" if by_columns else "C")
    return array if array.flags.aligned else array.copy()


def _assemble(data: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> LinearModel:
    words = _stored_words(data, arrays)
    space = FeatureSpace(
        tuple(_channel_from_toml(entry) for entry in data["channels"]),
        words.resources,
        words.vocabularies,
        _of_kind("place", arrays),
        data["usual"],
        words.read(),
    )
    settings = Settings(
        **{name: data[name] for name in ("name", "kind", "language", "tokens", "sequences")},
        scheme=data.get("scheme"),
        outside=data["outside"],
        calibration=tuple(data["calibration"]),
        dial=tuple((outside, recall) for outside, recall in data["dial"]),
        joined={key: (slope, to) for key, (slope, to) in data.get("joined", {}).items()},
        card=data.get("card", {}),
    )
    tagset = (PlainTags if settings.kind == POS else TagSet)(data["labels"])
    weights = _stored_weights(arrays, len(tagset))
    chain = Transitions(arrays["between"], arrays["start"], arrays["end"])
    tags = len(tagset)
    shapes = (weights.shape, chain.between.shape, chain.start.shape, chain.end.shape)
    if shapes != ((space.size, tags), (tags, tags), (tags,), (tags,)):
        raise ValueError("the weights are of other features or labels than the settings")
    model = LinearModel(
        settings, space, tagset, weights, chain, network=_network(arrays, space, tags)
    )
    return _with_vectors(model, arrays) if "vectors" in arrays else model


def _network(arrays: Mapping[str, NDArray[Any]], space: FeatureSpace, tags: int) -> Network | None:
    own: dict[str, Any] = _of_kind("network", arrays)
    if not own:
        return None
    for name in Network.TEXTS & own.keys():
        own[name] = _unpack_strings(own[name])
    network = Network.of_arrays(own)
    network.check(space, tags)
    return network


def _of_kind(kind: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with this prefix, by the rest of their names."""
    own = f"{kind}."
    return {name.removeprefix(own): arrays[name] for name in arrays if name.startswith(own)}


def _stored_words(data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> StoredWords:
    dictionaries, forms = _of_kind("dictionary", arrays), _of_kind("form", arrays)
    digest = blake2b(digest_size=16)
    for name, array in (*dictionaries.items(), *forms.items()):
        digest.update(f"{name} {len(array)} ".encode())
        digest.update(array.tobytes())
    values = {name: _unpack_strings(array) for name, array in forms.items()}
    largest = max(map(len, values.values()), default=0)
    numbers = list(range(FIRST_VALUE, FIRST_VALUE + largest))  # shared: each is an object
    return StoredWords(
        data["name"],
        digest.hexdigest(),
        {name: dict(zip(own, numbers, strict=False)) for name, own in values.items()},
        Resources(
            data["language"],
            {name: frozenset(_unpack_strings(array)) for name, array in dictionaries.items()},
        ),
    )


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
    # A file may contain half a surrogate pair, and so may a word.
    return np.frombuffer(joined.encode("utf-8", "surrogatepass"), np.uint8)


def _unpack_strings(array: NDArray[np.uint8]) -> list[str]:
    return array.tobytes().decode("utf-8", "surrogatepass").split(_STRING_END)[:-1]


def _weight_arrays(model: LinearModel, *, compact: bool) -> dict[str, NDArray[Any]]:
    if compact:
        stored = model.stored
        packed = stored if isinstance(stored, PackedWeights) else PackedWeights.of(stored)
        return packed.arrays()
    at = np.flatnonzero(model.weights)
    steps = np.diff(at, prepend=0).astype(np.uint32)
    values = model.weights.ravel()[at]
    return {"steps": steps, "values": values, "rows": np.array([len(model.weights)])}


def _stored_weights(arrays: Mapping[str, NDArray[Any]], tags: int) -> Floats | PackedWeights:
    if "packed.steps" in arrays:
        return PackedWeights.of_arrays(arrays, tags)
    if "bytes" in arrays:
        return PackedWeights.of_steps(arrays["bytes"], arrays["scale"])
    weights = np.zeros(int(arrays["rows"][0]) * tags, np.float32)
    weights[np.cumsum(arrays["steps"], dtype=np.int64)] = arrays["values"]
    return weights.reshape(-1, tags)
