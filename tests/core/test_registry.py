from __future__ import annotations

import pytest

from veil import UnknownNameError
from veil.core.registry import Registry


def test_registry_returns_what_was_added() -> None:
    """A thing is found under its name, and names keep their order."""
    registry: Registry[int] = Registry("number")
    registry.add("two", 2)
    registry.add("one", 1)
    assert registry.get("one") == 1
    assert registry.names() == ["two", "one"]
    assert "two" in registry
    assert list(registry) == [2, 1]


def test_registry_refuses_a_second_thing_of_one_name() -> None:
    """A name is given once."""
    registry: Registry[int] = Registry("number")
    registry.add("one", 1)
    with pytest.raises(ValueError, match="registered already"):
        registry.add("one", 2)


def test_unknown_name_lists_what_exists() -> None:
    """The error of a missing name lists the known names."""
    registry: Registry[int] = Registry("number")
    registry.add("one", 1)
    with pytest.raises(UnknownNameError, match="unknown number 'two'; known: one"):
        registry.get("two")
