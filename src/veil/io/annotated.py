"""Formats with spans: reading, writing records, and rewriting files with masked texts."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.document import Record, Span
from veil.core.encodings import UTF8, public_name
from veil.core.errors import RecordError
from veil.core.labels import SCHEMES, scheme
from veil.io.alignment import Alignment
from veil.io.base import WIDE, FileWriter, Format, Item, ReadLog
from veil.io.files import FolderWriter, Ids, files_below, reading, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import ClassVar

    from veil.core.document import Document, Part
    from veil.io.base import ItemWriter, Located, Source, TableOptions

# System errors that concern only one record: its name is too long, has a character that the disk
# does not allow, or is the name of another record's folder or file.
_OF_A_NAME = {
    *(errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ),
    *(errno.ENOTDIR, errno.EISDIR, errno.EEXIST),
}


class WrittenFormat(Format):
    """A format that can store any records, in one file or in a file per record (`in_folder`)."""

    written = True
    opening: ClassVar[str] = ""
    closing: ClassVar[str] = ""

    @abstractmethod
    def render(self, record: Record) -> str:
        """Return the content of the file of a record."""

    def contents(self, record: Record) -> Mapping[str, str]:
        """Return the contents of the files of a record by their suffixes."""
        return {self.suffixes[0]: self.render(record)}

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        if self.in_folder:
            return self._write_folder(records, path, log)
        return self._write_file(records, path, log)

    def _write_file(self, records: Iterable[Record], path: Path, log: ReadLog | None) -> int:
        """Write all records to one file, or to the file `records.*` if the path is a folder."""
        seen: set[str] = set()
        file_path = path / f"records{self.suffixes[0]}" if path.is_dir() else path
        with whole_file(file_path) as file:
            file.write(self.opening.encode())
            for record in records:
                with _withholding(log):
                    if record.id in seen:
                        raise RecordError("duplicate id; ids must be unique", record=record.id)
                    data = encode(self.render(record), record)
                    seen.add(record.id)
                    file.write(data)
            file.write(self.closing.encode())
        return len(seen)

    def _write_folder(self, records: Iterable[Record], root: Path, log: ReadLog | None) -> int:
        """Write each record to separate files."""
        count = 0
        with _whole_folder(root) as writer:
            for record in records:
                with _withholding(log):
                    contents = {
                        suffix: encode(text, record)
                        for suffix, text in self.contents(record).items()
                    }
                    _write_files(writer.claim(record.id, next(iter(contents))), contents, record)
                    count += 1
        return count


class AnnotatedFormat(WrittenFormat):
    """A format with spans, whose files are rendered again when their texts are masked.

    Annotations may quote the original text. A rewritten file therefore has only the new text and
    the spans at their new offsets with their label and part: no notes, comments or attributes, and
    no labels that are not in a scheme of Veil.
    """

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        log, ids = ReadLog(), Ids()
        failure: RecordError | None = None
        with reading(source.file):
            try:
                for number, located in enumerate(self.read_file(source, log), start=1):
                    yield from log.problems
                    log.problems.clear()
                    document = located.record.document
                    name = ids.claim(document.id, located.line or number)
                    yield Item((replace(document, id=name),), _Rendered(self, located))
            except RecordError as error:
                failure = error
        yield from log.problems
        if failure:
            raise failure

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        encoding = options.written_encoding(source)
        mark = options.mark(source) if encoding.startswith(WIDE) else b""
        return _AnnotatedWriter(
            target,
            head=mark + declared(self.opening, encoding).encode(encoding),
            tail=self.closing.encode(encoding),
            needs_item=True,
            encoding=encoding,
        )


class _AnnotatedWriter(FileWriter):
    """Writes records whose files may declare their encoding."""

    def rendered(self, item: Item, texts: Sequence[str]) -> str:
        return declared(super().rendered(item, texts), self.encoding)


def declared(text: str, encoding: str) -> str:
    """Return the start of a file that Veil writes; in XML, with the declared encoding."""
    if encoding == UTF8 or not text.startswith("<?xml"):
        return text
    return text.replace('encoding="UTF-8"', f'encoding="{public_name(encoding)}"', 1)


@dataclass(frozen=True, slots=True)
class _Rendered:
    """The record of an item; only its id and its spans are written."""

    file_format: AnnotatedFormat
    located: Located = field(repr=False)

    def render(self, texts: Sequence[str]) -> str:
        (text,) = texts
        body = self.file_format.render(with_text(self.located.record, text))
        return f"{self.located.before}{body}{self.located.after}"


def with_text(record: Record, text: str) -> Record:
    """Return a record with a new text; spans keep label and part, and move with the text."""
    alignment = Alignment(record.document.text, text)
    spans = []
    for span in record.annotations:
        start, end = alignment.start(span.start), alignment.end(span.end)
        if span.label in known_labels() and text[start:end].strip():
            spans.append(Span(start, end, span.label, part=span.part))
    return Record.of(replace(record.document, text=text, meta={}), spans)


@cache
def known_labels() -> frozenset[str]:
    """Return the labels of all schemes."""
    return frozenset(label for name in SCHEMES for label in scheme(name).labels)


def gold_record(document: Document, annotations: Sequence[Span], log: ReadLog) -> Record:
    """Make a record, and log how many annotations overlap a longer one."""
    record = Record.of(document, annotations)
    log.note("annotations that overlap a longer one, set aside", len(record.set_aside))
    return record


def span_inside(text: str, start: int, end: int) -> bool:
    """Whether offsets from a file are inside the text and not empty."""
    return 0 <= start < end <= len(text)


class TaggedText:
    """Collects text and spans while a reader goes through tagged text; tags do not nest."""

    def __init__(self, text: str = "") -> None:
        self.spans: list[Span] = []
        self.empty = 0
        self.open_label: str | None = None
        self.open_part: Part | None = None
        self.length = len(text)
        self._texts = [text]
        self._open_at = 0

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def add(self, text: str) -> None:
        self._texts.append(text)
        self.length += len(text)

    def open(self, label: str, part: Part | None = None) -> None:
        self.open_label, self.open_part, self._open_at = label, part, self.length

    def close(self) -> None:
        """End the open span, if there is one; spans without text are counted in `empty`."""
        if self.open_label is not None and self._open_at < self.length:
            self.spans.append(
                Span(self._open_at, self.length, self.open_label, part=self.open_part)
            )
        elif self.open_label is not None:
            self.empty += 1
        self.open_label = None

    def state(self) -> tuple[int, int, int]:
        """The state of what was collected so far, for `return_to`."""
        return len(self._texts), self.length, len(self.spans)

    def return_to(self, state: tuple[int, int, int]) -> None:
        """Discard what was collected after a state, including an open span."""
        texts, self.length, spans = state
        del self._texts[texts:], self.spans[spans:]
        self.open_label = None


def render_tagged(
    record: Record,
    tags: Callable[[Span], tuple[str, str]],
    escape: Callable[[str], str] = str,
) -> str:
    """Insert the opening and closing tag of each span into the text."""
    text = record.document.text
    output = []
    position = 0
    for span in record.spans:
        opening, closing = tags(span)
        output += [
            escape(text[position : span.start]),
            opening,
            escape(text[span.start : span.end]),
            closing,
        ]
        position = span.end
    output.append(escape(text[position:]))
    return "".join(output)


def _write_files(file: Path, contents: Mapping[str, bytes], record: Record) -> None:
    """Write the files of a record, all or none of them."""
    files = [file, *(file.with_suffix(suffix) for suffix in list(contents)[1:])]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for each, data in zip(files, contents.values(), strict=True):
            each.write_bytes(data)
    except OSError as error:
        if error.errno not in _OF_A_NAME:
            raise
        for each in files:
            with contextlib.suppress(OSError):
                each.unlink()
        raise RecordError(
            f"its file cannot be written: {error.strerror}", record=record.id
        ) from None


@contextlib.contextmanager
def _withholding(log: ReadLog | None) -> Iterator[None]:
    """Withhold the record that cannot be written if there is a log; otherwise raise the error."""
    try:
        yield
    except RecordError as error:
        if log is None:
            raise
        log.withhold(error)


@contextlib.contextmanager
def _whole_folder(root: Path) -> Iterator[FolderWriter]:
    """Collect files in a hidden folder below `root`, and move all of them to `root` at the end."""
    FolderWriter(root)  # raises an error for a root that is a file, before anything is written
    made = not root.exists()
    root.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=root, prefix=".veil-", suffix=".part") as name:
            staging = Path(name)
            writer = FolderWriter(staging)
            yield writer
            for file in files_below(staging, ""):
                target = root / file.relative_to(staging)
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(file, target)  # noqa: PTH105
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                root.rmdir()
        raise


def encode(text: str, record: Record) -> bytes:
    """Encode as UTF-8; a lone surrogate is an error of the record."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        offset = next(
            (i for i, char in enumerate(record.document.text) if "\ud800" <= char <= "\udfff"), None
        )
        where = "its id or a label" if offset is None else f"its text at character {offset}"
        raise RecordError(
            f"{where} has a lone surrogate, which cannot be encoded", record=record.id
        ) from None
