"""What a format is: a kind of file whose texts can be masked in place, all else untouched.

A format reads a file item by item (a file, a line, a row, a resource) and never holds more than
one. An item has documents, whose masked texts the format's writer puts back where they stood. What
an item holds beside them is written as it was read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol

from veil.core.errors import InputError, RecordError
from veil.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from veil.core.document import Document


_MOST_LEADING = 1000


@dataclass(frozen=True)
class TableOptions:
    """What a user says of tables: where texts, ids and patients stand."""

    text_columns: tuple[str, ...] = ()
    id_column: str | None = None
    patient_column: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """What is masked and written together; `payload` is for the format's writer alone.

    An item without documents has nothing to be masked; it is written like the others. A header, a
    blank line and a row without a text are items, but no records (`is_record`).
    """

    documents: tuple[Document, ...]
    payload: Any = field(default=None, repr=False)
    is_record: bool = True


class ItemWriter(Protocol):
    """Writes items, one after the other; an item that is not written is withheld."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        """Write an item with new texts, one for each of its documents, or nothing of it.

        A text that has no place in such a file raises a RecordError: the item is withheld.
        """

    def flush(self) -> int:
        """Make what was written last; return the size of the file, from which it can go on."""


class RewritableFormat(Protocol):
    """A kind of file."""

    @property
    def name(self) -> str:
        """What it is called, here and on the command line."""

    @property
    def about(self) -> str:
        """What it is, in a line."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of its files may end."""

    @property
    def resumable(self) -> bool:
        """Whether writing can go on in a file that was cut off after a whole item.

        The files of other formats are begun anew.
        """

    def sniff(self, file: Path) -> bool:
        """Whether a file is of this kind."""

    def items(self, file: Path, options: TableOptions) -> Iterator[Item | RecordError]:
        """Yield the items of a file, and in place of each bad one an error with file and line.

        A file of which nothing, or nothing more, can be trusted raises an InputError or a
        RecordError. The ids of documents differ within a file. Reading again gives the same items
        and errors in the same order, so that both can be counted to go on.
        """

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        """Open a file to write the items of a source; `resume` goes on at the end of what is there.

        On a clean end of the context the file is whole. If no item was written and the file cannot
        do without (a text that is withheld), none is left.
        """


def items_with_records(
    file_format: RewritableFormat, file: Path, options: TableOptions
) -> Iterator[Item | RecordError]:
    """Return the items of a file; refuse one without a record, which was probably misread.

    A record that cannot be read counts; it is withheld.
    """
    items = file_format.items(file, options)
    leading = list(_until_record(islice(items, _MOST_LEADING)))
    if leading and _is_record(leading[-1]):
        return chain(leading, items)
    # So many rows without a text are not kept, but read twice.
    if len(leading) == _MOST_LEADING and any(map(_is_record, file_format.items(file, options))):
        return chain(leading, items)
    raise InputError(
        f"{file}: no record found; the file is empty, holds only a header or empty texts, or has "
        "no line breaks between its rows"
    )


def _until_record(items: Iterable[Item | RecordError]) -> Iterator[Item | RecordError]:
    for item in items:
        yield item
        if _is_record(item):
            return


def _is_record(item: Item | RecordError) -> bool:
    return isinstance(item, RecordError) or item.is_record


REWRITABLE: Registry[RewritableFormat] = Registry("format")
