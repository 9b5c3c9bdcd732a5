"""Tests for veil.core.toml."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.core import tables, toml
from veil.core.errors import InputError
from veil.core.tables import Store
from veil.core.toml import read_toml, write_toml

if TYPE_CHECKING:
    from pathlib import Path

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAIN = st.one_of(TEXT, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False))
VALUES: st.SearchStrategy[Any] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


@given(data=st.dictionaries(TEXT, VALUES, max_size=4))
def test_round_trip(data: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is written is what is read, whatever keys and strings hold."""
    path = tmp_path_factory.mktemp("toml") / "data.toml"
    write_toml(path, data)
    assert read_toml(path) == data


def test_nothing_is_left_out_but_none(tmp_path: Path) -> None:
    """None has no place in TOML: it is left out of tables, inline tables and lists."""
    path = tmp_path / "data.toml"
    write_toml(path, {"a": None, "b": {"c": None, "d": 1}, "e": [{"f": None, "g": 2}, None]})
    assert read_toml(path) == {"b": {"d": 1}, "e": [{"g": 2}]}


def test_numbers_of_numpy_and_other_mappings(tmp_path: Path) -> None:
    """A float of NumPy is a number, a mapping of another type a table."""
    path = tmp_path / "data.toml"
    write_toml(path, {"score": np.float64(0.5), "card": MappingProxyType({"f1": np.float64(0.25)})})
    assert read_toml(path) == {"score": 0.5, "card": {"f1": 0.25}}


def test_numbers_without_end(tmp_path: Path) -> None:
    """Infinity and NaN are TOML too."""
    path = tmp_path / "data.toml"
    write_toml(path, {"a": math.inf, "b": -math.inf, "c": math.nan})
    data = read_toml(path)
    assert (data["a"], data["b"]) == (math.inf, -math.inf)
    assert math.isnan(data["c"])


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"a = ?\n", "not TOML: .*line 1"), (b'a = "\xff"', "not UTF-8")],
)
def test_broken_files(tmp_path: Path, content: bytes, message: str) -> None:
    """A broken file is an error that names it and says what is wrong."""
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"broken.toml.*{message}"):
        read_toml(path)


def test_missing_file(tmp_path: Path) -> None:
    """A missing file is an error that names it."""
    with pytest.raises(InputError, match=r"none\.toml: cannot be read"):
        read_toml(tmp_path / "none.toml")


def test_stored_content_equals_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is stored is read as it was written, and a changed one from the file itself."""
    monkeypatch.setattr(tables, "FOLDER", tmp_path / "tables")
    monkeypatch.setattr(toml, "_STORE", Store("toml"))
    own, dated = tmp_path / "own.toml", tmp_path / "dated.toml"
    own.write_text('name = "山田"\nscore = 0.1\nrows = [[1, inf], []]\n', "utf-8")
    dated.write_text("day = 2026-01-31\n", "utf-8")
    expected = read_toml(own), read_toml(dated)
    toml.stored_toml(lambda: [own, dated]).write()
    monkeypatch.setattr(toml, "_STORE", Store("toml"))
    assert toml._STORE.get(own.read_bytes()) is not None
    assert toml._STORE.get(dated.read_bytes()) is None
    assert (read_toml(own), read_toml(dated)) == expected
    own.write_text("name = 1\n", "utf-8")
    assert read_toml(own) == {"name": 1}
