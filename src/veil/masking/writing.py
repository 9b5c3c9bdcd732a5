"""Writing what was masked: a file appears at its place only when it is whole."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from veil.core.errors import InputError, RecordError, VeilError
from veil.masking.hashing import hash_file
from veil.masking.plan import is_folder
from veil.masking.reading import Begin, Fail, Take, reason_of
from veil.masking.tally import Entry, Finished, Position, Tally, Withheld
from veil.masking.workers import Done, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from veil.core.document import Document
    from veil.io.base import Item, ItemWriter, TableOptions
    from veil.masking.plan import Plan
    from veil.masking.reading import Event
    from veil.masking.workers import Result
    from veil.replace.base import Masked

    Keep = Callable[[str, Masked], None]


class AbandonedError(Exception):
    """Tells a format's writer that its file is not finished."""


class Output:
    """Writes the events of a run, batch by batch, into files.

    `is_known` says whether something is known of a document; `keep` is given what leads back.
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

    def write(self, events: Sequence[Event], results: Sequence[Result]) -> Entry:
        """Write a batch; the entry says what it added, and what of the open file is certain."""
        entry = Entry()
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
                self._miss(file, event, entry)
            else:
                self._end(file, event.digest, entry)
                self._file = None
        if self._file:
            self._file.settle(entry)
            entry.position = self._file.position()
        return entry

    def abandon(self) -> None:
        """Close the open file as it is; a later run may go on in it."""
        if self._file:
            self._file.abandon()
            self._file = None

    def _take(self, file: _OpenFile, item: Item, result: Result, entry: Entry) -> None:
        # Each is asked for, withheld or not: a table counts the ids that no record has.
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
                    _count(item, result, file.place, file.tally)
                    file.tally.known += any(known)
                for masked in result.masked:
                    if self._keep and not item.repeat:
                        self._keep(masked.document.id, masked)
        if isinstance(result, Refused):
            file.withheld += 1
            entry.withhold(Withheld(file.name, result.record, result.reason))

    def _miss(self, file: _OpenFile, event: Fail, entry: Entry) -> None:
        if not file.has_failed:
            file.withheld += event.record is not None
            file.is_broken |= event.record is None
            entry.withhold(Withheld(file.name, event.record, event.reason))

    def _end(self, file: _OpenFile, digest: str | None, entry: Entry) -> None:
        try:
            file.complete()
        except Exception as error:
            file.fail(error, entry)
        file.settle(entry)
        entry.finished.append(file.finish(digest))


class _OpenFile:
    """A file while it is written: opened when its first item comes, or at its end.

    `tally` counts what was written of it in the batch at work.
    """

    def __init__(self, begin: Begin, plan: Plan, options: TableOptions) -> None:
        self.source, self.place, self.name = begin.file.source, begin.file.place, begin.file.name
        self._target = plan.folder / self.place
        self._part = plan.part(self.place)
        self._format, self._options = begin.file_format, options
        self._resume = begin.after is not None
        self._context: AbstractContextManager[ItemWriter] | None = None
        self._writer: ItemWriter | None = None
        self.written = self._counted_before = begin.after.written if begin.after else 0
        self.withheld = begin.after.withheld if begin.after else 0
        self.is_broken = self.has_failed = False
        self.tally, self._settled = Tally(), Tally()
        if not self._resume:
            self._part.unlink(missing_ok=True)  # of a run that was interrupted

    def write(self, item: Item, texts: Sequence[str]) -> None:
        self._opened().write(item, texts)
        self.written += 1

    def settle(self, entry: Entry) -> None:
        """Add to an entry what was written since the last one."""
        entry.tally.add(self.tally)
        self._settled.add(self.tally)
        self.tally = Tally()

    def fail(self, error: Exception, entry: Entry) -> None:
        """Give up the file, of which nothing may be whole; an error of the system ends the run."""
        if isinstance(error, OSError) and error.errno is not None:
            raise error
        # Any other message may quote the file: only the kind of the error is told.
        failed = f"writing failed ({type(error).__name__})"
        reason = reason_of(error, self.source) if isinstance(error, VeilError) else failed
        self.abandon()
        self._part.unlink(missing_ok=True)
        if self._counted_before:  # how much is not known; without its part the file is begun anew
            raise InputError(
                f"{self.source}: {reason}; go on with --resume, which begins this file anew"
            ) from None
        self.has_failed = self.is_broken = True
        self.written = 0
        self.tally = Tally()
        entry.tally.withdraw(self.place, self._settled)
        self._settled = Tally()
        entry.withhold(Withheld(self.name, None, reason))

    def position(self) -> Position:
        """How far the file has come; all of it is on the disk."""
        return Position(
            self.place,
            bool(self._format and self._format.resumable and not self.has_failed),
            self.written + self.withheld,
            self.written,
            self.withheld,
            self._opened().flush() if self.written else 0,
        )

    def complete(self) -> None:
        """Write the end of the file, unless nothing of it could be read."""
        if self._format and (self.written or not self.is_broken):
            self._opened()
            self._close(None)

    def finish(self, digest: str | None) -> Finished:
        """Move the file to its place, or leave none there."""
        if self.written and not self._part.is_file():
            raise FileNotFoundError(errno.ENOENT, "was removed during the run", str(self._part))
        if not self._part.is_file():
            if not is_folder(self._target):
                self._target.unlink(missing_ok=True)  # of an earlier run that was not so careful
            return Finished(self.place, digest, None, 0, 0)
        output, size = hash_file(self._part), self._part.stat().st_size
        self._target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self._part, self._target)  # noqa: PTH105
        return Finished(self.place, digest, output, size, self.written)

    def abandon(self) -> None:
        """Close the file without an end; what is certain of it stays."""
        with contextlib.suppress(Exception):
            self._close(AbandonedError())

    def _opened(self) -> ItemWriter:
        if self._writer is None:
            if self._format is None:
                raise ValueError("a file without a format has no writer")
            self._part.parent.mkdir(parents=True, exist_ok=True)
            self._context = self._format.writer(
                self.source, self._part, self._options, resume=self._resume
            )
            self._writer = self._context.__enter__()
        return self._writer

    def _close(self, error: Exception | None) -> None:
        context, self._context, self._writer = self._context, None, None
        if context:
            context.__exit__(type(error) if error else None, error, None)


def _name(item: Item) -> str:
    return item.documents[0].id if item.documents else "without a text"


def _count(item: Item, done: Done, place: str, tally: Tally) -> None:
    tally.records += item.is_record and bool(item.documents)  # else there was nothing to mask
    tally.characters += sum(len(doc.text) for doc in item.documents)
    tally.spans.update(done.found)
    tally.languages.update(done.languages[:1])
    tally.doubtful += len(done.doubtful)
    tally.add_doubtful([each._replace(place=place) for each in done.doubtful])
