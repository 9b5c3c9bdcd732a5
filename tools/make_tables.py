"""Write the tables of `src/veil/tables` (see `veil.core.tables`).

    python tools/make_tables.py

A part of Veil that has tables offers a function that returns that of one language; it stands in
`SOURCES`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.core.patterns import stored_patterns
from veil.core.tables import FOLDER
from veil.core.toml import stored_toml
from veil.detect.rules.loading import load_rules
from veil.languages import language_codes
from veil.lexicons.store import lexicon_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from veil.core.tables import Table

SOURCES: tuple[Callable[[str], Table], ...] = (lexicon_table,)


def all_tables() -> Iterator[Table]:
    """Yield all tables: those of all languages, then those of one language after another."""
    yield stored_toml(_toml_files)
    yield stored_patterns(_patterns)
    for language in language_codes():
        for table in SOURCES:
            yield table(language)


def _toml_files() -> Iterable[Path]:
    return FOLDER.parent.rglob("*.toml")


def _patterns() -> Iterator[str]:
    for language in language_codes():
        yield from (rule.pattern.pattern for rule in load_rules(language))


def main() -> int:
    """Write all tables."""
    for table in all_tables():
        table.write()
        print(f"{table.path}: {table.path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
