"""Measure the recipes and the experiments of the papers, and write the figures into docs/.

    python tools/measure_papers.py recipes CORPORA [RECIPE ...]
    python tools/measure_papers.py papers CORPORA [PAPER ...]

`recipes` trains each recipe of the table in docs/benchmarks.md on MEDDOCAN and replaces its row.
`papers` runs `veil reproduce` and replaces the tables of docs/papers.md below comments such as
`<!-- aramaki-2006: Table 4 -->`. CORPORA is the folder with the corpora, of which MEDDOCAN is used.
Each result is written as soon as it is available. The same version gives the same figures in each
run.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from veil.files.reproduction import reproduce_files
from veil.files.training import train_files
from veil.learn.reproduce import DUMMY, papers, table_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.learn.reproduce import Reproduction, Table
    from veil.learn.training import ModelScores

DOCS = Path(__file__).parents[1] / "docs"
BENCHMARKS, PAPERS = DOCS / "benchmarks.md", DOCS / "papers.md"
CORPUS, LANGUAGE = "meddocan", "es"
TRAINED_ON_IT = "cotik-2019"
"""The paper whose corpus is MEDDOCAN; the others are measured on dummy records."""

_HEADING = "## Recipes of the papers on MEDDOCAN\n"
_ROW = re.compile(r"^\| (`([\w-]+)`[^|]*) \|.*$", re.MULTILINE)
_TABLE = re.compile(r"(<!-- ([\w-]+): ([\w ]+?) -->\n)(?:\n?\|[^\n]*\n)*")


def recipes_of(page: str) -> list[str]:
    """The recipes in the table of a page."""
    return [name for _, name in _ROW.findall(page.partition(_HEADING)[2])]


def measure_recipe(name: str, corpora: Path) -> ModelScores:
    """Train a recipe on the training records and measure it on the development records."""
    corpus = corpora / CORPUS
    with tempfile.TemporaryDirectory() as folder:
        result = train_files(
            name,
            corpus / "train",
            Path(folder, "model"),
            dev=corpus / "dev",
            lang=LANGUAGE,
        )
    if result.model is None or result.model.scores is None:
        raise RuntimeError(f"{name}: training gave no scores")
    return result.model.scores


def recipe_cells(found: ModelScores) -> list[str]:
    """The figures of a row of the table."""
    numbers = (
        *(found.precision, found.recall, found.f1),
        *(found.extent_f1, found.merged_f1, found.character_recall),
    )
    return [f"{number:.4f}" for number in numbers]


def with_recipe(page: str, name: str, cells: Sequence[str]) -> str:
    """Return the page with another row for a recipe."""
    before, heading, section = page.partition(_HEADING)

    def row(old: re.Match[str]) -> str:
        return f"| {' | '.join([old[1], *cells])} |" if old[2] == name else old[0]

    return before + heading + _ROW.sub(row, section)


def measure_paper(name: str, corpora: Path) -> Reproduction:
    """Run the experiments of a paper at full size."""
    if name != TRAINED_ON_IT:
        return reproduce_files(name).reproduction
    with tempfile.TemporaryDirectory() as folder:
        # Its test set was not used: the development records are tested on.
        parts = Path(folder, "MEDDOCAN, development records")
        parts.mkdir()
        (parts / "train").symlink_to((corpora / CORPUS / "train").resolve())
        (parts / "test").symlink_to((corpora / CORPUS / "dev").resolve())
        return reproduce_files(name, parts).reproduction


def markdown(table: Table) -> str:
    """A table of a reproduction in Markdown."""
    header, rows = table_cells(table)
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def with_tables(page: str, found: Reproduction) -> str:
    """Return the page with the tables of a paper as they were measured."""
    tables = {table.name: table for table in found.tables}

    def measured(old: re.Match[str]) -> str:
        return f"{old[1]}\n{markdown(tables[old[3]])}" if old[2] == found.paper else old[0]

    return _TABLE.sub(measured, page)


def _rewrite(file: Path, change: Callable[[str], str]) -> None:
    file.write_text(change(file.read_text("utf-8")), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run the requested measurements; print the time of each."""
    if len(arguments) < 2 or arguments[0] not in {"recipes", "papers"}:
        print(__doc__, file=sys.stderr)
        return 2
    what, corpora, *names = arguments[0], Path(arguments[1]), *arguments[2:]
    known = recipes_of(BENCHMARKS.read_text("utf-8")) if what == "recipes" else papers()
    for name in names or known:
        started, cpu = time.monotonic(), time.process_time()
        if what == "recipes":
            cells = recipe_cells(measure_recipe(name, corpora))
            _rewrite(BENCHMARKS, lambda page: with_recipe(page, name, cells))  # noqa: B023
        else:
            found = measure_paper(name, corpora)
            kind = DUMMY.lower() if found.is_dummy else found.source
            cells = [kind, f"{len(found.tables)} tables"]
            _rewrite(PAPERS, lambda page: with_tables(page, found))  # noqa: B023
        seconds = f"{time.process_time() - cpu:.0f} s CPU, {time.monotonic() - started:.0f} s"
        print(f"{name}: {' '.join(cells)} ({seconds})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
