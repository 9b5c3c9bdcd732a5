"""Tables of numbers, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_NAME_WIDTH, _CELL_WIDTH = 46, 14


@dataclass(frozen=True)
class Table:
    """Numbers by row and column; None is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Sequence[float | None]]

    def __str__(self) -> str:
        lines = [_line(self.title, self.columns)]
        lines += [_line(f"  {name}", map(_number, cells)) for name, cells in self.rows.items()]
        return "".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The numbers by row and column."""
        return {
            name: dict(zip(self.columns, cells, strict=True)) for name, cells in self.rows.items()
        }


@dataclass(frozen=True)
class Report:
    """The result of a benchmark: a heading and tables."""

    heading: str
    tables: Sequence[Table]

    def __str__(self) -> str:
        return "\n".join([f"{self.heading}\n", *map(str, self.tables)])

    def to_json(self) -> dict[str, Any]:
        """The heading, and the numbers by the titles of the tables."""
        return {"about": self.heading} | {table.title: table.to_json() for table in self.tables}


def _line(name: str, cells: Iterable[str]) -> str:
    joined = "".join(f"{cell:>{_CELL_WIDTH}}" for cell in cells)
    return f"{name:{_NAME_WIDTH}}{joined}".rstrip() + "\n"


def _number(value: float | None) -> str:
    """A number with three significant digits or more."""
    if value is None:
        return ""
    return f"{value:,.0f}" if 100 <= value else f"{value:.1f}" if 10 <= value else f"{value:.2f}"
