"""Revealing: restores the original texts of masked files from a mapping."""

from __future__ import annotations

import contextlib
import json
import os
import re
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from veil.core.document import ESCAPES
from veil.core.errors import RecordError, VeilError
from veil.io import TableOptions, find_format, whole_file
from veil.io.jsonl import with_escapes
from veil.io.tables import is_header
from veil.masking.plan import REPORT, check_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.core.document import Document
    from veil.io import Format, Item
    from veil.masking.mapping import MappingReader
    from veil.masking.plan import Plan, PlannedFile

_REPORTS = (f"{REPORT}.json", f"{REPORT}.html")


@dataclass
class Revealed:
    """The number of items (files, lines, rows) that were restored, and why others were left out."""

    count: int = 0
    problems: list[RecordError] = field(default_factory=list)


def reveal_plan(
    plan: Plan, mapping: MappingReader, *, options: TableOptions | None = None
) -> Revealed:
    """Write the masked files of a plan with their original texts.

    An item with a text that is not in the mapping is left out. Content that masking removed outside
    texts is not restored.
    """
    revealer = _Revealer(plan, mapping, options or TableOptions())
    for file, file_format in revealer.files():
        target = plan.folder / revealer.path(file)
        check_below(target.parent, plan.folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".veil-{target.name}.part")
        try:
            with (
                revealer.leaving_out(file),
                file_format.writer(file.source, part, revealer.options) as writer,
            ):
                for item, originals in revealer.items(file, file_format):
                    with revealer.leaving_out(file):
                        writer.write(item, [doc.text for doc in originals])
                        revealer.revealed.count += _is_counted(item)
            if part.is_file():
                os.replace(part, target)  # noqa: PTH105
        finally:
            part.unlink(missing_ok=True)
    return revealer.revealed


def reveal_to_jsonl(
    plan: Plan, mapping: MappingReader, target: Path, *, options: TableOptions | None = None
) -> Revealed:
    """Write the original texts of masked files as JSON lines: an id and a text each."""
    revealer = _Revealer(plan, mapping, options or TableOptions())
    with whole_file(target) as output:
        for file, file_format in revealer.files():
            for item, originals in revealer.items(file, file_format):
                for doc in originals if _is_counted(item) else ():
                    line = json.dumps({"id": doc.id, "text": doc.text}, ensure_ascii=False)
                    output.write(f"{line}\n".encode())
                revealer.revealed.count += _is_counted(item)
    return revealer.revealed


def _is_counted(item: Item) -> bool:
    """Whether an item is a record with a text of its own."""
    return item.is_record and bool(item.documents) and not item.repeat


class _Revealer:
    """Reads masked files and finds the originals of their texts."""

    def __init__(self, plan: Plan, mapping: MappingReader, options: TableOptions) -> None:
        self.options = options
        self.revealed = Revealed()
        self._plan = plan
        self._mapping = mapping

    def files(self) -> Iterator[tuple[PlannedFile, Format]]:
        """Yield the files that contain texts, without Veil's reports."""
        for file in self._plan.files():
            if file.source.name in _REPORTS:
                continue
            file_format = None
            with self.leaving_out(file):
                file_format = find_format(file.source)
            if file_format is not None:
                yield file, file_format

    def path(self, file: PlannedFile) -> str:
        """The path of a file in the output: its original name, if it was renamed."""
        if self._plan.alone:
            return file.path
        try:
            name = self._mapping.original(file.name, record=file.name)
        except RecordError:
            return file.path
        parts = PurePath(name).parts
        is_safe = not PurePath(name).is_absolute() and ".." not in parts
        return name if is_safe else file.path

    def items(
        self, file: PlannedFile, file_format: Format
    ) -> Iterator[tuple[Item, tuple[Document, ...]]]:
        """Yield the items of a file whose originals are known, with their original documents."""
        with self.leaving_out(file):
            for item in file_format.items(file.source, self.options, name=file.record):
                if isinstance(item, RecordError):
                    self._leave_out(item, file)
                    continue
                try:
                    find = self._column_name if is_header(item) else self._original
                    originals = tuple(find(doc, file) for doc in item.documents)
                except RecordError as error:
                    self._leave_out(error, file)
                else:
                    yield with_escapes(item, originals), originals

    def _original(self, doc: Document, file: PlannedFile) -> Document:
        record = None if _is_line(doc.id, file.record) else doc.id
        try:
            entry = self._mapping.entry(doc.text, record=record)
        except RecordError as error:
            raise RecordError(error.reason, record=doc.id) from None
        meta = {**doc.meta, ESCAPES: entry.escapes}
        return replace(doc, text=entry.original(doc.text), meta=meta)

    def _column_name(self, doc: Document, file: PlannedFile) -> Document:
        """The original of a column name; one that is not in the mapping was not changed."""
        try:
            return self._original(doc, file)
        except RecordError:
            return doc

    @contextlib.contextmanager
    def leaving_out(self, file: PlannedFile) -> Iterator[None]:
        """Record an error in a file or a part of it, and continue.

        An error in a file that the user named ends the run.
        """
        try:
            yield
        except RecordError as error:
            self._leave_out(error, file)
        except VeilError as error:
            if file.source in self._plan.sources:
                raise
            reason = str(error).removeprefix(f"{file.source}: ")
            self._leave_out(RecordError(reason), file)

    def _leave_out(self, error: RecordError, file: PlannedFile) -> None:
        path = {"line": error.line, "byte": error.byte}
        self.revealed.problems.append(
            RecordError(error.reason, record=error.record, path=file.source, **path)
        )


def _is_line(name: str, file: str) -> bool:
    """Whether an id is only a line number: of a row without an id, or with a repeated id.

    If rows were withheld, the line numbers have changed.
    """
    return re.fullmatch(rf"{re.escape(file)}-\d+(:.*)?|.*#\d+(:.*)?", name) is not None
