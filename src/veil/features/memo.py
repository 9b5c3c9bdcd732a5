"""What several features ask of the same stream is computed once."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.features.stream import Stream

T = TypeVar("T")


def once(function: Callable[[Stream], T]) -> Callable[[Stream], T]:
    """Let a function be computed once a stream, however many features ask for it."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def remembered(stream: Stream) -> T:
        if name not in stream.memo:
            stream.memo[name] = function(stream)
        found: T = stream.memo[name]
        return found

    return remembered
