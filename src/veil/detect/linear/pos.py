"""Part-of-speech taggers: linear models that give each token of a stream a universal tag.

A language may make the tags more specific (`fine_tags` of its module `pos`).
"""

from __future__ import annotations

import threading
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veil.core.errors import UnknownNameError
from veil.detect.linear.chain import best_tags
from veil.detect.linear.model import load_model
from veil.detect.linear.tagger import Tagger
from veil.features.columns import SHORT_TAG, value_key
from veil.features.positions import NONE
from veil.features.stream import PAD
from veil.languages import language_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from veil.detect.linear.model import LinearModel
    from veil.features.stream import Longs, Stream

_MODELS = Path(__file__).parents[2] / "models"
_PREFIX = "pos-"
_FINE = frozenset({"fine-pos", "short-fine-pos"})


class PosTagger:
    """Tags the words of streams, whatever model they were prepared for; calls are serialised."""

    def __init__(self, model: LinearModel) -> None:
        self.model = model
        self.tags = model.tagset.tags
        self._tagger = Tagger(model)
        self._lock = threading.Lock()
        self._keys = {
            "pos": np.array([value_key(tag) for tag in self.tags], np.int64),
            "short-pos": np.array([value_key(tag[:SHORT_TAG]) for tag in self.tags], np.int64),
        }

    def tag(self, stream: Stream) -> NDArray[np.int16]:
        """The number of each token's tag."""
        with self._lock:
            own = self._tagger.view(stream)
            # The tagger treats the end of a line as the end of a sentence.
            own.form[own.breaks] = own.table.numbers[PAD]
            scores = self._tagger.scores(own)
        return best_tags(scores, stream.breaks, self.model.chain)

    def columns(self, stream: Stream, names: Sequence[str]) -> dict[str, Longs]:
        """The requested columns with the tags of all tokens, as keys."""
        tags = self.tag(stream)
        found = {
            name: np.where(stream.breaks, NONE, self._keys[name][tags])
            for name in names
            if name in self._keys
        }
        if not _FINE.isdisjoint(names):
            fine = self._fine_tags(stream, tags)
            if "fine-pos" in names:
                found["fine-pos"] = _keys_of(fine)
            if "short-fine-pos" in names:
                found["short-fine-pos"] = _keys_of(tag and tag[:SHORT_TAG] for tag in fine)
        return found

    def _fine_tags(self, stream: Stream, tags: NDArray[np.int16]) -> list[str]:
        """Tags with the details that the language derives from words and their neighbours.

        Tokens that are not words have an empty tag.
        """
        part = language_part(self.model.settings.language, "pos")
        names = [self.tags[number] for number in tags.tolist()]
        fine = [""] * len(stream)
        offsets = zip(
            *(each.tolist() for each in (stream.doc, stream.start, stream.end)), strict=True
        )
        words = [stream.texts[doc][start:end] for doc, start, end in offsets]
        # Sentences lie between breaks, which are not words.
        edges = [-1, *np.flatnonzero(stream.breaks).tolist(), len(stream)]
        for before, end in pairwise(edges):
            own = slice(before + 1, end)
            if own.start < own.stop:
                fine[own] = part.fine_tags(words[own], names[own]) if part else names[own]
        return fine


def _keys_of(tags: Iterable[str]) -> Longs:
    return np.array([value_key(tag) if tag else NONE for tag in tags], np.int64)


def pos_languages() -> list[str]:
    """The codes of the languages with a tagger, sorted."""
    return sorted(path.name.removeprefix(_PREFIX) for path in _MODELS.glob(f"{_PREFIX}*"))


def pos_tagger(language: str) -> PosTagger:
    """The tagger that comes with Veil for a language; variants ("en-x") share their language's."""
    return _load(language.partition("-")[0])


@cache
def _load(code: str) -> PosTagger:
    if code not in pos_languages():
        raise UnknownNameError("language of part-of-speech taggers", code, pos_languages())
    return PosTagger(load_model(_MODELS / f"{_PREFIX}{code}"))
