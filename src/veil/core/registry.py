"""A registry: names to things, with an error that lists what exists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from veil.core.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")


class Registry(Generic[T]):
    """Holds the things of one kind by name, in the order in which they were added."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._things: dict[str, T] = {}

    def add(self, name: str, thing: T) -> T:
        """Add a thing; a name is given once."""
        if name in self._things:
            raise ValueError(f"{self.kind} '{name}' is registered already")
        self._things[name] = thing
        return thing

    def get(self, name: str) -> T:
        """Return the thing of that name, or raise an error that lists the known names."""
        try:
            return self._things[name]
        except KeyError:
            raise UnknownNameError(self.kind, name, self._things) from None

    def names(self) -> list[str]:
        return list(self._things)

    def __contains__(self, name: str) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[T]:
        return iter(self._things.values())
