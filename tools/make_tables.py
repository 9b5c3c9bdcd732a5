"""Write the tables of `src/veil/tables` (see `veil.core.tables`).

    python tools/make_tables.py

A part of Veil that has tables offers a function that yields those of one language; it stands in
`SOURCES`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.core.tables import FOLDER
from veil.languages import language_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from veil.core.tables import Table

SOURCES: tuple[Callable[[str], Iterable[Table]], ...] = ()


def all_tables() -> Iterator[Table]:
    """Yield all tables, those of one language after another."""
    for language in language_codes():
        for tables in SOURCES:
            yield from tables(language)


def main() -> int:
    """Write the tables that are out of date, and delete those that are no longer made."""
    names = set()
    for table in all_tables():
        names.add(table.name)
        if table.read() is None:
            table.write()
            print(FOLDER / table.name)
    for file in FOLDER.glob("*"):
        if file.name not in names:
            file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
