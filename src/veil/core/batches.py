"""A stream of items in batches of similar size; the cuts depend on the items alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

T = TypeVar("T")

CHARACTERS_AT_ONCE = 400_000
"""How much text is processed together: enough to be fast, little enough for cache and memory."""


def in_batches(
    items: Iterable[T],
    size_of: Callable[[T], int],
    *,
    limit: int | None = None,
    stays: Callable[[T], bool] = lambda item: False,
    is_last: Callable[[Sequence[T]], bool] = lambda batch: False,
) -> Iterator[list[T]]:
    """Yield lists of at least one item; a list of several items has at most `limit` in size.

    An item for which `stays` is true is kept in the batch of the item before it. A batch ends where
    `is_last` is true.
    """
    most = CHARACTERS_AT_ONCE if limit is None else limit
    batch: list[T] = []
    total = 0
    for item in items:
        size = size_of(item)
        if total and most < total + size and not stays(item):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
        if is_last(batch):
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
