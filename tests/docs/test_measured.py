"""A fast subset of the measured figures of the documentation, measured again."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from veil.core.document import Document, Record, Span
from veil.learn.reproduce import table_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


def script(name: str) -> Any:
    """A script in tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tool() -> Any:
    """The script that writes the figures."""
    return script("measure_papers")


def test_calibration_error() -> None:
    """Three of four spans scored 0.9 are right, and so is the only one scored 0.2."""
    doc = Document("note", "a b c d e")
    spans = [Span(at, at + 1, "NAME", 0.2 if at == 8 else 0.9) for at in range(0, 9, 2)]
    gold = [Record.of(doc, [span.scored(1.0) for span in spans[1:]])]
    error = script("measure_models").calibration_error(gold, [Record.of(doc, spans)])
    assert error == pytest.approx(0.8 * 0.15 + 0.2 * 0.8)


def rows_below(page: str, comment: str) -> Iterator[list[str]]:
    """The cells of the table that follows a comment, without its header."""
    table = re.search(rf"<!-- {comment} -->\n\n((?:\|[^\n]*\n)+)", page)
    assert table is not None, f"no table below '{comment}'"
    for line in table[1].splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_figures_of_a_paper(tool: Any) -> None:
    """The orders of modules in docs/papers.md are as measured, to three points of 100.

    If not, `python tools/measure_papers.py papers CORPORA carlsson-2010` writes them.
    """
    found = tool.measure_paper("carlsson-2010", Path())  # on dummy records
    page = tool.PAPERS.read_text("utf-8")
    compared = 0
    for table in found.tables:
        measured = {row[0]: row[1:4] for row in table_cells(table)[1]}
        for name, *cells in rows_below(page, f"{found.paper}: {table.name}"):
            if name in measured:  # of the best and the worst orders, others may come out
                expected = [float(cell) for cell in measured[name]]
                assert [float(cell) for cell in cells[:3]] == pytest.approx(expected, abs=3), name
                compared += 1
    assert compared >= 12


def test_row_of_a_recipe(tool: Any, corpora: Path) -> None:
    """A window classifier reaches on MEDDOCAN what docs/benchmarks.md says, to 0.002.

    If not, `python tools/measure_papers.py recipes CORPORA` writes the table.
    """
    name = "cotik-2019-svm-paper"
    page = tool.BENCHMARKS.read_text("utf-8")
    assert name in tool.recipes_of(page)
    row = next(line for line in page.splitlines() if line.startswith(f"| `{name}`"))
    written = [float(cell) for cell in row.strip("|").split("|")[1:]]
    measured = [float(cell) for cell in tool.recipe_cells(tool.measure_recipe(name, corpora))]
    assert written == pytest.approx(measured, abs=0.002)


def test_writing_keeps_the_rest_of_a_page(tool: Any) -> None:
    """A new row replaces that of its recipe alone."""
    page = (
        "# Page\n## Recipes of the papers on MEDDOCAN\n\n| `a` | 1 |\n| `b`, bare | 2 |\n\nEnd.\n"
    )
    assert tool.with_recipe(page, "b", ["3"]) == page.replace("| 2 |", "| 3 |")
    assert tool.recipes_of(page) == ["a", "b"]


def scored_rows(page: str) -> Iterator[tuple[str, float, float, float]]:
    """The rows of all tables with precision, recall and F1: the row and these three."""
    names: list[str] = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            names = []
        elif not names:
            names = [cell.removesuffix(" (95 % interval)") for cell in cells]
        elif {"precision", "recall", "F1"} <= set(names) and not line.startswith("|--"):
            scores = (cells[names.index(name)].split()[0] for name in ("precision", "recall", "F1"))
            precision, recall, f1 = map(float, scores)
            yield line, precision, recall, f1


def test_f1_in_tables() -> None:
    """F1 is the harmonic mean of precision and recall in every row of docs/benchmarks.md.

    A row that was taken from another table is not.
    """
    rows = list(scored_rows((ROOT / "docs/benchmarks.md").read_text("utf-8")))
    assert 30 <= len(rows)
    for line, precision, recall, f1 in rows:
        mean = 2 * precision * recall / (precision + recall)
        assert f1 == pytest.approx(mean, abs=0.0011), line
