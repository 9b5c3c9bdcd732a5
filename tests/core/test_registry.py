from __future__ import annotations

import math
import sys
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from veil import InputError, UnknownNameError
from veil.core.registry import Registry, entry_points

if TYPE_CHECKING:
    from pathlib import Path


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
    """A broken plug-in raises an error only when a name is requested that Veil lacks."""
    registry = plug_in(monkeypatch, "broken", "no_such_module")
    registry.add("one", 1)
    assert registry.get("one") == 1
    with pytest.raises(InputError, match=r"plug-in .broken. .* cannot be loaded: ModuleNotFound"):
        registry.get("two")


def test_a_module_must_add_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point that is a module adds an entry of its name, or the error says so."""
    with pytest.raises(InputError, match="adds no number of this name"):
        plug_in(monkeypatch, "pi", "math").names()


def test_entry_points_of_packages_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry points of a group are those that the installed packages name."""
    folder = tmp_path / "numbers-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: numbers\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[veil.numbers]\npi = math:pi\n")
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    registry: Registry[float] = Registry("number", group="veil.numbers")
    assert registry.get("pi") == math.pi
    assert list(entry_points("veil.letters")) == []


def test_entry_points_of_archives_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package in an archive adds entries like any other."""
    with ZipFile(tmp_path / "numbers.zip", "w") as archive:
        about = "Metadata-Version: 2.1\nName: numbers\nVersion: 1.0\n"
        archive.writestr("numbers-1.0.dist-info/METADATA", about)
        archive.writestr("numbers-1.0.dist-info/entry_points.txt", "[veil.numbers]\npi = math:pi\n")
    monkeypatch.setattr("sys.path", [str(tmp_path / "numbers.zip"), *sys.path])
    assert [point.name for point in entry_points("veil.numbers")] == ["pi"]
