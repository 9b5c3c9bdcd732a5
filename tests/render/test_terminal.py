from __future__ import annotations

from veil.render.terminal import text_table


def test_columns_are_aligned() -> None:
    """The first column to the left, the others to the right; a short row is a heading."""
    table = text_table(["name", "P"], [["group"], ["  TCD", "1.25"], ["D", "10"]])
    assert table == "name      P\n-----------\ngroup\n  TCD  1.25\nD        10"
