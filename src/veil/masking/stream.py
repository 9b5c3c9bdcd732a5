"""The stream of a run: files become events, events become batches, and results become files.

Where batches are cut depends only on the files, not on the number of workers or on where a run was
interrupted. A file that spans several batches ends the last of them, so that starting it again
affects no other file. A file appears in the output only when it is complete.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from veil.core.batches import in_batches
from veil.core.document import APART, ENCODING
from veil.core.encodings import AUTO, UTF8, exact_encoding
from veil.core.errors import InputError, RecordError, VeilError, failure
from veil.detect.memory import SOURCE as MEMORY
from veil.io import find_format
from veil.io.base import items_with_records
from veil.masking.journal import (
    DOUBTFUL_BELOW,
    BatchEntry,
    ChangedValue,
    CountedSpan,
    Finished,
    ListedSpan,
    Position,
    Tally,
    Withheld,
)
from veil.masking.plan import hash_file, hash_input, is_folder
from veil.replace.policy import KEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from veil.core.document import Document
    from veil.io.base import Course, Format, Item, ItemWriter, TableOptions
    from veil.masking.masker import Masker
    from veil.masking.plan import Plan, PlannedFile
    from veil.replace.base import Edit, Masked
    from veil.replace.secret import Key

    Together = tuple[Document, ...]
    """The documents of an item, which are written together or not at all."""
    Keep = Callable[[str, Masked], None]


class Done(NamedTuple):
    """The new texts of an item and what was found in it; spans and values lack a path.

    `masked` is empty unless a mapping is written, since it contains the original texts.
    """

    texts: tuple[str, ...]
    languages: tuple[str, ...]
    found: Counter[CountedSpan]
    doubtful: list[ListedSpan]
    remembered: list[ListedSpan]
    values: int
    changed: list[ChangedValue]
    masked: tuple[Masked, ...]


class Refused(NamedTuple):
    """Why an item is withheld."""

    record: str
    reason: str


Result = Done | Refused


def mask_items(
    masker: Masker, items: Sequence[Together], *, with_masked: bool = False
) -> list[Result]:
    """Mask the documents of items together; if one document fails, its item is withheld."""
    docs = [doc for item in items for doc in item]
    # Rows of tables are masked separately; resources of a patient are masked together.
    groups = [
        number if APART in doc.meta else 0
        for number, item in enumerate(items, start=1)
        for doc in item
    ]
    outcomes = iter(masker.mask_batch(docs, groups))
    results: list[Result] = []
    for item in items:
        masked: list[Masked] = []
        refused = None
        for outcome in [next(outcomes) for _ in item]:
            if isinstance(outcome, RecordError):
                refused = refused or outcome
            else:
                masked.append(outcome)
        results.append(
            Refused(refused.record or "", refused.reason) if refused else _done(masked, with_masked)
        )
    return results


def _done(masked: Sequence[Masked], with_masked: bool) -> Done:
    return Done(
        tuple(each.document.text for each in masked),
        tuple({each.document.language or "": None for each in masked}),
        Counter(found for each in masked for found in _found(each)),
        [edit for each in masked for edit in _listed(each, _is_doubtful)],
        [edit for each in masked for edit in _listed(each, _is_remembered)],
        sum(len(each.values) for each in masked),
        [changed for each in masked for changed in _changed(each)],
        tuple(masked) if with_masked else (),
    )


def _found(masked: Masked) -> Iterator[CountedSpan]:
    language = masked.document.language or ""
    for edit in masked.edits:
        yield CountedSpan(edit.label, edit.action, _family(edit.source), language)
    for span in masked.kept:
        yield CountedSpan(span.label, KEEP, _family(span.source), language)


def _family(source: str) -> str:
    """The detector of a source: "rules" for "rules:en/date"."""
    return source.partition(":")[0] or "unnamed"


def _listed(masked: Masked, is_listed: Callable[[Edit], bool]) -> Iterator[ListedSpan]:
    if not any(map(is_listed, masked.edits)):
        return
    record = masked.document.id
    for edit, (start, end) in zip(masked.edits, masked.new_offsets, strict=True):
        if is_listed(edit):
            yield ListedSpan(round(edit.score, 4), "", record, start, end, edit.label)


def _is_doubtful(edit: Edit) -> bool:
    return edit.score < DOUBTFUL_BELOW


def _is_remembered(edit: Edit) -> bool:
    return edit.source == MEMORY


def _changed(masked: Masked) -> Iterator[ChangedValue]:
    changed = masked.changed_values
    if not changed:
        return
    offsets = dict(zip(masked.edits, masked.new_offsets, strict=True))
    for value, edit in changed:
        yield ChangedValue(
            "", masked.document.id, *offsets[edit], edit.label, value.source.partition(":")[2]
        )


CHARACTERS_AT_ONCE = 100_000
"""How much text is masked together: enough to be fast, and to share the work evenly."""

_HOLD_ALL = (UTF8, "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_LEAST = 200  # the minimum size of an event, so that a batch has a limited number of empty files


@dataclass(frozen=True, slots=True)
class Begin:
    """The start of a file; `after` is its position in an interrupted run."""

    file: PlannedFile
    file_format: Format | None
    after: Position | None


@dataclass(frozen=True, slots=True)
class Take:
    """An item to mask."""

    item: Item


@dataclass(frozen=True, slots=True)
class Fail:
    """An item that cannot be read or, without a record, the rest of the file."""

    record: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class End:
    """The end of a file; `digest` is the keyed hash of its bytes, if they can be read."""

    file: PlannedFile
    digest: str | None


Event = Begin | Take | Fail | End


def read_events(
    files: Iterable[PlannedFile],
    options: TableOptions,
    key: Key,
    after: Position | None = None,
) -> Iterator[Event]:
    """Yield the events of all files; the first file continues after a position."""
    for file in files:
        try:
            file_format = find_format(file.source)
        except (VeilError, OSError) as error:
            yield Begin(file, None, None)
            yield Fail(None, reason_of(error, file.source))
        else:
            yield Begin(file, file_format, after)
            yield from _items(file, file_format, options, after.items if after else 0)
        yield End(file, _digest(file, key))
        after = None


def read_takes(
    file: PlannedFile, options: TableOptions, course: Course | None = None
) -> Iterator[Take]:
    """Yield the items of a file that can be masked, from a position on; errors are left out."""
    with contextlib.suppress(VeilError, OSError):  # such a file is withheld
        for event in _items(file, find_format(file.source), options, course=course):
            if isinstance(event, Take):
                yield event


def _items(
    file: PlannedFile,
    file_format: Format,
    options: TableOptions,
    skipped: int = 0,
    course: Course | None = None,
) -> Iterator[Take | Fail]:
    try:
        written = options.written_encoding(file.source) if file_format.is_text else UTF8
        items = items_with_records(
            file_format, file.source, options, name=file.record, course=course
        )
        outcomes = islice(items, skipped, None)
        for number, outcome in enumerate(outcomes, start=skipped + 1):
            if isinstance(outcome, RecordError):
                if outcome.record:
                    yield Fail(outcome.record, reason_of(outcome, file.source))
                else:
                    yield Fail(_line(outcome) or f"item {number}", outcome.reason)
            else:
                yield Take(outcome if written in _HOLD_ALL else _in_encoding(outcome, written))
    except (VeilError, OSError) as error:
        yield Fail(None, reason_of(error, file.source))
    except Exception as error:
        yield Fail(None, failure("reading", error))


def _in_encoding(item: Item, encoding: str) -> Item:
    """An item whose replacements must be written in an encoding that lacks some characters."""
    documents = tuple(replace(doc, meta={**doc.meta, ENCODING: encoding}) for doc in item.documents)
    return replace(item, documents=documents)


def _digest(file: PlannedFile, key: Key) -> str | None:
    if not file.source.is_file():  # a pipe may never end
        return None
    try:
        return hash_input(key, file.path, file.source)
    except InputError:
        return None


def reason_of(error: Exception, source: Path) -> str:
    """Why something cannot be read, without the path."""
    if isinstance(error, RecordError):
        path = _line(error)
        return f"{path}: {error.reason}" if path else error.reason
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return str(error).removeprefix(f"{source}: ")


def _line(error: RecordError) -> str:
    if error.line is not None:
        return f"line {error.line}"
    return "" if error.byte is None else f"byte {error.byte}"


def event_batches(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Cut events into batches that depend only on the files."""
    return in_batches(
        events,
        _size,
        limit=CHARACTERS_AT_ONCE,
        # The end stays with the event before it, which is not read twice.
        stays=lambda event: isinstance(event, End),
        is_last=_ends_long_file,
    )


def _ends_long_file(batch: Sequence[Event]) -> bool:
    """Whether the file that ends here began in an earlier batch, or in an interrupted run."""
    if not isinstance(batch[-1], End):
        return False
    begin = next((event for event in reversed(batch) if isinstance(event, Begin)), None)
    return begin is None or begin.after is not None


def _size(event: Event) -> int:
    if isinstance(event, Begin) and event.after:
        return 0  # it was counted when the file started
    texts = event.item.documents if isinstance(event, Take) else ()
    return _LEAST + sum(len(doc.text) for doc in texts)


class AbandonedError(Exception):
    """Ends the writer of a format whose file is not finished."""


class Output:
    """Writes the events of a run, batch by batch, into files.

    `is_known` says whether something is known about a document. `keep` is called with each id and
    masked document that a mapping needs.
    """

    def __init__(
        self,
        plan: Plan,
        options: TableOptions,
        *,
        is_known: Callable[[Document], bool] | None = None,
        keep: Keep | None = None,
    ) -> None:
        self._plan = plan
        self._options = options
        self._is_known = is_known
        self._keep = keep
        self._file: _OpenFile | None = None

    def write(self, events: Sequence[Event], results: Sequence[Result]) -> BatchEntry:
        """Write a batch; the entry says what it added, and the position in the open file."""
        entry = BatchEntry()
        left = iter(results)
        for event in events:
            if isinstance(event, Begin):
                self._file = _OpenFile(event, self._plan, self._options)
                continue
            file = self._file
            if file is None:
                raise ValueError("an event before the beginning of its file")
            if isinstance(event, Take):
                self._take(file, event.item, next(left), entry)
            elif isinstance(event, Fail):
                self._fail(file, event, entry)
            else:
                self._end(file, event.digest, entry)
                self._file = None
        if self._file:
            self._file.settle(entry)
            entry.position = self._file.position()
        return entry

    def abandon(self) -> None:
        """Close the open file without its end; a later run may continue it."""
        if self._file:
            self._file.abandon()
            self._file = None

    def _take(self, file: _OpenFile, item: Item, result: Result, entry: BatchEntry) -> None:
        # Withheld records are looked up as well: the table counts the ids that no record has.
        known = [self._is_known(doc) for doc in item.documents] if self._is_known else []
        if file.has_failed:
            return
        if isinstance(result, Done):
            try:
                file.write(item, result.texts)
            except RecordError as error:
                result = Refused(error.record or _name(item), error.reason)
            except Exception as error:
                file.fail(error, entry)
            else:
                if not item.repeat:
                    _count(item, result, file.path, file.tally)
                    file.tally.known += any(known)
                for masked in result.masked:
                    if self._keep and not item.repeat:
                        self._keep(masked.document.id, masked)
        if isinstance(result, Refused):
            file.withheld += 1
            entry.withhold(Withheld(file.name, result.record, result.reason))

    def _fail(self, file: _OpenFile, event: Fail, entry: BatchEntry) -> None:
        if not file.has_failed:
            file.withheld += event.record is not None
            file.is_broken |= event.record is None
            entry.withhold(Withheld(file.name, event.record, event.reason))

    def _end(self, file: _OpenFile, digest: str | None, entry: BatchEntry) -> None:
        try:
            file.complete()
        except Exception as error:
            file.fail(error, entry)
        if encoding := file.detected_encoding():
            file.tally.encodings[encoding] += 1
        file.settle(entry)
        entry.finished.append(file.finish(digest))


class _OpenFile:
    """A file while it is written: opened at its first item, or at its end.

    `tally` counts what the current batch has added to it.
    """

    def __init__(self, begin: Begin, plan: Plan, options: TableOptions) -> None:
        self.source, self.path, self.name = begin.file.source, begin.file.path, begin.file.name
        self._target = plan.folder / self.path
        self._part = plan.part(self.path)
        self._format, self._options = begin.file_format, options
        self._resume = begin.after is not None
        self._context: AbstractContextManager[ItemWriter] | None = None
        self._writer: ItemWriter | None = None
        self.written = self._counted_before = begin.after.written if begin.after else 0
        self.withheld = begin.after.withheld if begin.after else 0
        self.is_broken = self.has_failed = False
        self.tally, self._settled = Tally(), Tally()
        if not self._resume and self._part.exists():
            self._part.unlink()  # of an interrupted run

    def write(self, item: Item, texts: Sequence[str]) -> None:
        self._opened().write(item, texts)
        self.written += 1

    def settle(self, entry: BatchEntry) -> None:
        """Add to an entry what was written since the last one."""
        entry.tally.add(self.tally, unsure=True)
        self._settled.add(self.tally)
        self.tally = Tally()

    def fail(self, error: Exception, entry: BatchEntry) -> None:
        """Withhold the file; an error of the operating system ends the run."""
        if isinstance(error, OSError) and error.errno is not None:
            raise error
        is_ours = isinstance(error, VeilError)
        reason = reason_of(error, self.source) if is_ours else failure("writing", error)
        self.abandon()
        self._part.unlink(missing_ok=True)
        if self._counted_before:  # counts are lost; without its part the file starts again
            raise InputError(
                f"{self.source}: {reason}; continue with --resume, which starts this file again"
            ) from None
        self.has_failed = self.is_broken = True
        self.written = 0
        self.tally = Tally()
        entry.tally.withdraw(self.path, self._settled)
        self._settled = Tally()
        entry.withhold(Withheld(self.name, None, reason))

    def position(self) -> Position:
        """The position in the file, which is flushed to disk."""
        return Position(
            self.path,
            bool(self._format and self._format.resumable and not self.has_failed),
            self.written + self.withheld,
            self.written,
            self.withheld,
            self._opened().flush() if self.written else 0,
        )

    def complete(self) -> None:
        """Write the end of the file, unless no part of it could be read."""
        if self._format and (self.written or not self.is_broken):
            self._opened()
            self._close(None)

    def finish(self, digest: str | None) -> Finished:
        """Move the file into the output, or leave no file there."""
        if not self._part.is_file():
            if self.written:
                raise FileNotFoundError(errno.ENOENT, "was removed during the run", str(self._part))
            if not is_folder(self._target):
                self._target.unlink(missing_ok=True)  # of an earlier run
            return Finished(self.path, digest, None, 0, 0)
        output, size = hash_file(self._part), self._part.stat().st_size
        _make_folder(self._target.parent)
        os.replace(self._part, self._target)  # noqa: PTH105
        return Finished(self.path, digest, output, size, self.written)

    def detected_encoding(self) -> str | None:
        """The encoding that was detected, if it was not given."""
        if not (self._format and self._format.is_text) or self._options.encoding != AUTO:
            return None
        with contextlib.suppress(VeilError, OSError):
            return exact_encoding(self.source, AUTO)
        return None

    def abandon(self) -> None:
        """Close the file without its end; what is on disk stays."""
        with contextlib.suppress(Exception):
            self._close(AbandonedError())

    def _opened(self) -> ItemWriter:
        if self._writer is None:
            if self._format is None:
                raise ValueError("a file without a format has no writer")
            _make_folder(self._part.parent)
            self._context = self._format.writer(
                self.source, self._part, self._options, resume=self._resume
            )
            self._writer = self._context.__enter__()
        return self._writer

    def _close(self, error: Exception | None) -> None:
        context, self._context, self._writer = self._context, None, None
        if context:
            context.__exit__(type(error) if error else None, error, None)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():  # it exists for all files but the first
        folder.mkdir(parents=True, exist_ok=True)


def _name(item: Item) -> str:
    return item.documents[0].id if item.documents else "without a text"


def _count(item: Item, done: Done, path: str, tally: Tally) -> None:
    tally.records += item.is_record and bool(item.documents)  # else there was nothing to mask
    tally.characters += sum(len(doc.text) for doc in item.documents)
    tally.spans.update(done.found)
    tally.languages.update(done.languages[:1])
    tally.doubtful += len(done.doubtful)
    tally.unsure += [each._replace(path=path) for each in done.doubtful]
    tally.add_remembered([each._replace(path=path) for each in done.remembered])
    tally.values += done.values
    tally.changed_values += len(done.changed)
    tally.add_changed([each._replace(path=path) for each in done.changed])
