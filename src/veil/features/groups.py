"""Channels, and the groups of them that a recipe enables, each from a paper or from Veil."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import UnknownNameError
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDEST_WINDOW = 5
"""The maximum distance of a channel's offsets from a token, in tokens."""


@dataclass(frozen=True)
class Channel:
    """A feature, the offsets of the tokens at which it is read, and its minimum frequency.

    Each window is a group of offsets that share weights: `((-1,), (0,))` reads the previous and the
    current token; `((4, 5),)` is a bag of the fourth and fifth. Values that occur less often than
    `minimum` in the training set are all one value, "rare", which also stands for unseen values.
    """

    feature: str
    windows: tuple[tuple[int, ...], ...] = ((0,),)
    minimum: int = 1

    def __post_init__(self) -> None:
        if any(WIDEST_WINDOW < abs(offset) for window in self.windows for offset in window):
            raise ValueError(f"{self.feature}: a window reaches {WIDEST_WINDOW} tokens at most")


@cache
def feature_groups() -> dict[str, tuple[Channel, ...]]:
    """Return the named groups of channels that a recipe enables, from `groups.toml`."""
    data = read_toml(Path(__file__).with_name("groups.toml"))
    return {
        name: tuple(channel for entry in entries for channel in _channels(**entry))
        for name, entries in data.items()
    }


def feature_group(name: str) -> tuple[Channel, ...]:
    """Return the channels of a group."""
    groups = feature_groups()
    if name not in groups:
        raise UnknownNameError("feature group", name, groups)
    return groups[name]


def _channels(
    features: str,
    before: int = 0,
    after: int = 0,
    windows: Iterable[Iterable[int]] = (),
    minimum: int = 1,
) -> Iterator[Channel]:
    offsets = tuple(map(tuple, windows)) or tuple((at,) for at in range(-before, after + 1))
    for feature in features.split():
        yield Channel(feature, offsets, minimum)
