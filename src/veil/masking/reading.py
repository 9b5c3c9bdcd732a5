"""Reading what is to be masked: files become events, and events batches.

Where batches are cut depends on the files alone: not on who works on them, nor on where a run was
interrupted. A file that goes over several batches ends the last of them, so that a file that has
to be begun anew takes no other with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from veil.core.errors import InputError, RecordError, VeilError
from veil.io.base import items_with_records
from veil.masking.hashing import hash_input

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from veil.io.base import Format, Item, TableOptions
    from veil.masking.plan import PlannedFile
    from veil.masking.tally import Position
    from veil.replace.secret import Key

CHARACTERS_AT_ONCE = 100_000
"""How much text is masked together: enough to be fast, little enough to share it out evenly."""

_LEAST = 200  # what an event counts at least, so that empty files do not pile up


@dataclass(frozen=True, slots=True)
class Begin:
    """A file begins, if there is a format for it; `after` says how far it was written before."""

    file: PlannedFile
    file_format: Format | None
    after: Position | None


@dataclass(frozen=True, slots=True)
class Take:
    """An item to mask."""

    item: Item


@dataclass(frozen=True, slots=True)
class Fail:
    """An item that cannot be read, or, without a name, the file or what is left of it."""

    record: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class End:
    """A file ends; `digest` is the keyed hash of its bytes, if they can be read."""

    file: PlannedFile
    digest: str | None


Event = Begin | Take | Fail | End


def read_events(
    files: Iterable[PlannedFile],
    options: TableOptions,
    find: Callable[[Path], Format],
    key: Key,
    after: Position | None = None,
) -> Iterator[Event]:
    """Yield what happens file by file; the first goes on after a position."""
    for file in files:
        try:
            file_format = find(file.source)
        except (VeilError, OSError) as error:
            yield Begin(file, None, None)
            yield Fail(None, reason_of(error, file.source))
        else:
            yield Begin(file, file_format, after)
            yield from _items(file, file_format, options, after.items if after else 0)
        yield End(file, _digest(file, key))
        after = None


def _items(
    file: PlannedFile, file_format: Format, options: TableOptions, skipped: int
) -> Iterator[Take | Fail]:
    try:
        items = items_with_records(file_format, file.source, options, name=file.record)
        outcomes = islice(items, skipped, None)
        for number, outcome in enumerate(outcomes, start=skipped + 1):
            if isinstance(outcome, RecordError):
                if outcome.record:
                    yield Fail(outcome.record, reason_of(outcome, file.source))
                else:
                    yield Fail(_line(outcome) or f"item {number}", outcome.reason)
            else:
                yield Take(outcome)
    except (VeilError, OSError) as error:
        yield Fail(None, reason_of(error, file.source))
    except Exception as error:
        # The message may quote the file: only its kind is told.
        yield Fail(None, f"reading failed ({type(error).__name__})")


def _digest(file: PlannedFile, key: Key) -> str | None:
    if not file.source.is_file():  # a pipe may never end
        return None
    try:
        return hash_input(key, file.place, file.source)
    except InputError:
        return None


def reason_of(error: Exception, source: Path) -> str:
    """Why something cannot be read, without the path, which is said beside it."""
    if isinstance(error, RecordError):
        place = _line(error)
        return f"{place}: {error.reason}" if place else error.reason
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return str(error).removeprefix(f"{source}: ")


def _line(error: RecordError) -> str:
    if error.line is not None:
        return f"line {error.line}"
    return "" if error.byte is None else f"byte {error.byte}"


def in_batches(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Cut events into batches, by the files alone."""
    batch: list[Event] = []
    total = 0
    goes_on = False  # whether the file at work has a part in an earlier batch
    for event in events:
        size = _size(event)
        # An end is never cut off: what made a file end is not read twice.
        if total and CHARACTERS_AT_ONCE < total + size and not isinstance(event, End):
            yield batch
            goes_on = not isinstance(batch[-1], End)
            batch, total = [], 0
        batch.append(event)
        total += size
        if isinstance(event, Begin):
            goes_on = event.after is not None
        elif isinstance(event, End) and goes_on:
            yield batch
            batch, total, goes_on = [], 0, False
    if batch:
        yield batch


def _size(event: Event) -> int:
    if isinstance(event, Begin) and event.after:
        return 0  # it was counted when the file was begun
    texts = event.item.documents if isinstance(event, Take) else ()
    return _LEAST + sum(len(doc.text) for doc in texts)
