"""A table in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align columns, the first to the left and the others to the right; rows may be shorter."""
    lines = [header, *rows]
    widths = [
        max(len(line[column]) for line in lines if column < len(line))
        for column in range(len(header))
    ]
    aligned = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=False))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([aligned[0], "-" * (sum(widths) + 2 * len(widths) - 2), *aligned[1:]])
