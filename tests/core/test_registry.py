from __future__ import annotations

import math
from importlib.metadata import EntryPoint

import pytest

from veil import InputError, UnknownNameError
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


def plug_in(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> Registry[object]:
    point = EntryPoint(name, value, "veil.numbers")
    monkeypatch.setattr("veil.core.registry.entry_points", lambda group: [point])
    return Registry("number", group="veil.numbers")


def test_other_packages_add_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point is loaded when its name is asked for."""
    registry = plug_in(monkeypatch, "pi", "math:pi")
    assert registry.get("pi") == math.pi
    assert registry.names() == ["pi"]


def test_veil_needs_no_plug_ins_for_its_own_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken plug-in does no harm until a name is asked for that Veil lacks."""
    registry = plug_in(monkeypatch, "broken", "no_such_module")
    registry.add("one", 1)
    assert registry.get("one") == 1
    with pytest.raises(InputError, match=r"plug-in .broken. .* cannot be loaded: ModuleNotFound"):
        registry.get("two")


def test_a_module_must_add_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point that is a module adds an entry of its name, or the error says so."""
    with pytest.raises(InputError, match="adds no number of this name"):
        plug_in(monkeypatch, "pi", "math").names()
