"""Part-of-speech taggers: linear models that give each token of a stream a universal tag."""

from __future__ import annotations

import threading
from functools import cache
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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from veil.detect.linear.model import LinearModel
    from veil.features.stream import Longs, Stream

_MODELS = Path(__file__).parents[2] / "models"
_PREFIX = "pos-"


class PosTagger:
    """Tags the words of streams, whatever model they were laid out for. Threads take turns."""

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
            # The end of a line is the end of a sentence to it.
            own.form[own.breaks] = own.table.numbers[PAD]
            scores = self._tagger.scores(own)
        return best_tags(scores, stream.breaks, self.model.chain)

    def columns(self, stream: Stream) -> dict[str, Longs]:
        """The tags and the short tags of all tokens, as keys."""
        tags = self.tag(stream)
        return {
            name: np.where(stream.breaks, NONE, keys[tags]) for name, keys in self._keys.items()
        }


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
