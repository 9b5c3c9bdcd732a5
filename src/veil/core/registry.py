"""A registry: named entries of one kind, from Veil and from other packages."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Generic, TypeVar

from veil.core.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Registry(Generic[T]):
    """Contains the entries of one kind by name, in the order in which they were added.

    With `group`, other packages add entries through entry points of that group. They are loaded
    when a requested name is not one of Veil's own, or when the names are listed. An entry point is
    the entry itself, or a module that adds it.
    """

    def __init__(self, kind: str, *, group: str | None = None) -> None:
        self.kind = kind
        self._entries: dict[str, T] = {}
        self._unread_group = group

    def add(self, name: str, entry: T) -> T:
        """Add an entry; a name can be used only once."""
        if name in self._entries:
            raise ValueError(f"{self.kind} '{name}' is registered already")
        self._entries[name] = entry
        return entry

    def get(self, name: str) -> T:
        """Return the entry of that name, or raise an error that lists the known names."""
        try:
            return self._entries[name]
        except KeyError:
            self._load_plugins()
        if name not in self._entries:
            raise UnknownNameError(self.kind, name, self._entries)
        return self._entries[name]

    def names(self) -> list[str]:
        self._load_plugins()
        return list(self._entries)

    def __contains__(self, name: str) -> bool:
        if name not in self._entries:
            self._load_plugins()
        return name in self._entries

    def __iter__(self) -> Iterator[T]:
        self._load_plugins()
        return iter(self._entries.values())

    def _load_plugins(self) -> None:
        group, self._unread_group = self._unread_group, None
        if group is None:
            return
        for point in entry_points(group=group):
            try:
                loaded = point.load()
            except Exception as error:
                raise InputError(
                    f"plug-in '{point.name}' ({point.value}) cannot be loaded: "
                    f"{type(error).__name__}: {error}; repair or uninstall its package"
                ) from error
            if not isinstance(loaded, ModuleType):
                self.add(point.name, loaded)
            elif point.name not in self._entries:
                raise InputError(
                    f"plug-in '{point.name}': the module {point.value} adds no {self.kind} "
                    "of this name; repair or uninstall its package"
                )


def entry_points(group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group, with a fast check for the usual case of none."""
    if not _may_have_entry_points(group):
        return ()
    from importlib import metadata  # takes longer to import than all of `veil.core`

    return metadata.entry_points(group=group)


def _may_have_entry_points(group: str) -> bool:
    """Whether an installed package has the group, or packages are installed in an unusual way."""
    finders = (each for each in sys.meta_path if each is not PathFinder)
    if any(hasattr(finder, "find_distributions") for finder in finders):
        return True
    section = f"[{group}]".encode()
    try:
        for folder in map(Path, sys.path):
            if folder.is_file():  # an archive
                return True
            files = folder.glob("*-[iI][nN][fF][oO]/entry_points.txt")
            if any(section in file.read_bytes() for file in files):
                return True
    except OSError:
        return True
    return False
