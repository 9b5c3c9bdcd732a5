"""A stream of things in batches of about one size, cut by the things alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

CHARACTERS_AT_ONCE = 400_000
"""How much text is worked on together: enough to be fast, little enough for cache and memory."""


def in_batches(things: Iterable[T], size_of: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield lists of at least one thing and, if it has several, at most `CHARACTERS_AT_ONCE`."""
    batch: list[T] = []
    total = 0
    for thing in things:
        size = size_of(thing)
        if batch and CHARACTERS_AT_ONCE < total + size:
            yield batch
            batch, total = [], 0
        batch.append(thing)
        total += size
    if batch:
        yield batch
