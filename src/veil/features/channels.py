"""A channel: one feature in a window of tokens around the one that is to be labelled."""

from __future__ import annotations

from dataclasses import dataclass

WIDEST_WINDOW = 5
"""How far from a token a channel may look, in tokens."""


@dataclass(frozen=True)
class Channel:
    """A feature, the places at which it is looked at, and how often a value must occur.

    Each window is a group of offsets that share weights: `((-1,), (0,))` looks at the previous and
    at this token; `((4, 5),)` is a bag of the fourth and fifth. Values that occur more rarely in
    the training set than `minimum` are all one value, "rare", which stands for unseen values later.
    """

    feature: str
    windows: tuple[tuple[int, ...], ...] = ((0,),)
    minimum: int = 1

    def __post_init__(self) -> None:
        if any(WIDEST_WINDOW < abs(offset) for window in self.windows for offset in window):
            raise ValueError(f"{self.feature}: a window reaches {WIDEST_WINDOW} tokens at most")


def around(feature: str, before: int, after: int, minimum: int = 1) -> Channel:
    """A channel that looks at each token from `before` tokens back to `after` tokens on."""
    return Channel(feature, tuple((offset,) for offset in range(-before, after + 1)), minimum)
