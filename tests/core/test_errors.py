from __future__ import annotations

from pathlib import Path

from veil import RecordError, UnknownNameError


def test_record_error_names_the_place() -> None:
    """A record error says file, line and record before the reason."""
    error = RecordError("is broken", record="r7", path=Path("a.xml"), line=3)
    assert str(error) == "a.xml, line 3, record r7: is broken"


def test_unknown_name_lists_known_ones() -> None:
    """An unknown name comes with the sorted known ones."""
    assert str(UnknownNameError("format", "x", ["b", "a"])) == "unknown format 'x'; known: a, b"
