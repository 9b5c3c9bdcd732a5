"""Tables: read while the files that they were made from are the same, and never afterwards."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from veil.core import tables
from veil.core.tables import Store, Table, read_table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file from which tables are made; they are stored in a folder of their own."""
    monkeypatch.setattr(tables, "FOLDER", tmp_path / "tables")
    file = tmp_path / "words.txt"
    file.write_text("one\ntwo\n", "utf-8")
    return file


def test_a_table_is_read_back(source: Path) -> None:
    """What was stored is returned, and the same inputs and content give the same bytes."""
    write_table("words", [source], b"content", key="3.11")
    first = (tables.FOLDER / "words").read_bytes()
    write_table("words", [source], b"content", key="3.11")
    assert (tables.FOLDER / "words").read_bytes() == first
    assert bytes(read_table("words", [source], key="3.11") or b"") == b"content"


def test_an_empty_table_is_read_back(source: Path) -> None:
    """A table without content is not taken for an absent one."""
    write_table("words", [source], b"")
    stored = read_table("words", [source])
    assert stored is not None
    assert len(stored) == 0


def test_the_content_is_aligned(source: Path) -> None:
    """Numbers are read in place."""
    write_table("words", [source], bytes(range(16)))
    stored = read_table("words", [source])
    assert stored is not None
    assert stored.cast("Q").tolist() == [0x0706050403020100, 0x0F0E0D0C0B0A0908]


def test_an_absent_table_is_none(source: Path) -> None:
    """Without a table the caller computes what it needs."""
    assert read_table("words", [source]) is None


def test_a_table_of_other_inputs_is_none(source: Path, tmp_path: Path) -> None:
    """A table is out of date if an input, its name, their number or the key differs."""
    write_table("words", [source], b"content")
    same = tmp_path / "others.txt"
    same.write_bytes(source.read_bytes())
    assert read_table("words", [same]) is None
    assert read_table("words", [source, same]) is None
    assert read_table("words", []) is None
    assert read_table("words", [source], key="3.11") is None
    assert read_table("words", [source]) is not None
    source.write_text("one\ntwo\nthree\n", "utf-8")
    assert read_table("words", [source]) is None


def test_a_table_of_inputs_that_are_gone_is_none(source: Path) -> None:
    """A table that cannot be checked is not used."""
    write_table("words", [source], b"content")
    source.unlink()
    assert read_table("words", [source]) is None


@pytest.mark.parametrize("size", [0, 10, 64, 70])
def test_a_damaged_table_is_none(source: Path, size: int) -> None:
    """A table of which a part is missing is not used."""
    write_table("words", [source], b"content")
    file = tables.FOLDER / "words"
    file.write_bytes(file.read_bytes()[:size])
    assert read_table("words", [source]) is None


def test_a_store_finds_values_by_their_sources(source: Path) -> None:
    """The value of a source is found, and nothing for a source that was changed."""
    values = {f"source {number}".encode(): b"x" * number for number in range(20)}
    Store("store").table(lambda: values).write()
    store = Store("store")
    for each, value in values.items():
        assert bytes(store.get(each) or b"") == value
    assert store.get(b"source 20") is None
    assert Store("store", key="other").get(b"source 1") is None


def test_a_store_that_is_absent_or_empty_finds_nothing(source: Path) -> None:
    """Without a stored value the caller computes it."""
    assert Store("store").get(b"source") is None
    Store("store").table(dict).write()
    assert Store("store").get(b"source") is None


def test_tables_of_the_package_are_current() -> None:
    """Each table was made from the files as they are now."""
    stale = [table.name for table in _all_tables() if table.path.exists() and not table.read()]
    assert not stale, f"{', '.join(stale)}: run `make tables`"


def test_stores_of_the_package_are_complete() -> None:
    """The stores contain all TOML files and all patterns, unless there are no stores."""
    for table in _all_tables():
        if not table.inputs and table.path.exists():
            stored = table.read()
            assert stored is not None
            assert bytes(stored) == table.build(), f"{table.name}: run `make tables`"


def _all_tables() -> Iterator[Table]:
    spec = importlib.util.spec_from_file_location("make", ROOT / "tools/make_tables.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    yield from make.all_tables()
