"""Write the tables of `src/veil/tables` (see `veil.core.tables`).

    python tools/make_tables.py

A part of Veil that has tables offers a function that returns that of one language; it stands in
`SOURCES`.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from veil.core.patterns import stored_patterns
from veil.core.tables import FOLDER
from veil.core.toml import stored_toml
from veil.detect.linear.model import words_table
from veil.detect.rules import load_rules, unmarked
from veil.detect.rules.compiled import automaton_table
from veil.languages import language_codes
from veil.lexicons.store import lexicon_table
from veil.models import installed
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from veil.core.tables import Table

_SAMPLE_RECORDS = 250


def _rules(language: str) -> Table:
    return automaton_table(language, lambda: _sample_texts(language))


def _sample_texts(language: str) -> Iterator[str]:
    """The examples of the rules and dummy records, as samples of what texts contain."""
    for rule in load_rules(language):
        if rule.examples:
            yield from (unmarked(text)[0] for text in rule.examples.find + rule.examples.leave)
    yield from (record.document.text for record in dummy_records(language, _SAMPLE_RECORDS))


SOURCES: tuple[Callable[[str], Table], ...] = (lexicon_table, _rules)


def all_tables() -> Iterator[Table]:
    """Yield all tables: those of all languages, of one after another, and of the models."""
    yield stored_toml(_toml_files)
    yield stored_patterns(_patterns)
    for language in language_codes():
        for table in SOURCES:
            yield table(language)
    for folder in installed():
        yield words_table(folder)


def _toml_files() -> Iterable[Path]:
    return FOLDER.parent.rglob("*.toml")


def _patterns() -> Iterator[str]:
    for language in language_codes():
        yield from (rule.pattern.pattern for rule in load_rules(language))


def _write(number: int) -> str:
    table = list(all_tables())[number]
    table.write()
    return f"{table.path.name}: {table.path.stat().st_size:,} bytes"


def main() -> int:
    """Write all tables."""
    # The automata take most of the time: they are built side by side.
    with ProcessPoolExecutor() as pool:
        for line in pool.map(_write, range(len(list(all_tables())))):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
