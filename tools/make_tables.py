"""Write the tables of `src/veil/tables` (see `veil.core.tables`).

    python tools/make_tables.py

Each part of Veil with tables has a function that returns the table of a language, listed in
`SOURCES`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING

from veil.core.labels import SCHEMES, scheme
from veil.core.patterns import stored_patterns
from veil.core.tables import FOLDER
from veil.core.toml import stored_toml
from veil.detect.linear.model import forms_table
from veil.detect.rules import load_rules
from veil.detect.rules.compiled import automaton_table
from veil.detect.rules.stored_starts import starts_table
from veil.languages import language_codes
from veil.lexicons.store import lexicon_table, words_table
from veil.models import installed
from veil.replace.dates.grammar import grammar
from veil.replace.people.tables import names_table, pools_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from veil.core.tables import Table

PARTS = ("core", "detect", "features", "io", "languages", "lexicons", "masking", "replace")
"""The packages whose modules may use stored patterns."""

SOURCES: tuple[Callable[[str], Table], ...] = (
    lexicon_table,
    words_table,
    pools_table,
    automaton_table,
    starts_table,
)


def all_tables() -> Iterator[Table]:
    """Yield all tables: those of all languages, of one after another, and of the models."""
    yield stored_toml(_toml_files)
    yield stored_patterns(_patterns)
    yield names_table()
    for language in language_codes():
        for table in SOURCES:
            yield table(language)
    for folder in installed():
        yield forms_table(folder)


def _toml_files() -> Iterable[Path]:
    return FOLDER.parent.rglob("*.toml")


def _patterns() -> Iterator[re.Pattern[str]]:
    """Yield the patterns of label schemes, rules and grammars of dates, and those of modules."""
    yield from _patterns_in([scheme(name) for name in SCHEMES])
    for language in language_codes():
        yield from (rule.pattern for rule in load_rules(language))
        yield from _patterns_in(grammar(language))
    for part in PARTS:
        package = import_module(f"veil.{part}")
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            try:
                module = import_module(found.name)
            except ModuleNotFoundError as error:
                if (error.name or "").startswith("veil"):
                    raise
                continue  # it needs an extra that is not installed
            yield from _patterns_in(vars(module))


def _patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _patterns_in(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _patterns_in(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _patterns_in(getattr(value, field.name))


def _write(number: int) -> str:
    table = list(all_tables())[number]
    table.write()
    return f"{table.path.name}: {table.path.stat().st_size:,} bytes"


def main() -> int:
    """Write all tables."""
    # The automata take most of the time, so they are built in parallel.
    with ProcessPoolExecutor() as pool:
        for line in pool.map(_write, range(len(list(all_tables())))):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
