"""The base classes of formats, and the items and records that reading yields."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from veil.core.document import CONTEXT, PART, WHOLE, Record, Span
from veil.core.encodings import AUTO, UTF8, exact_encoding
from veil.core.errors import InputError, RecordError
from veil.core.registry import Registry
from veil.io.files import MARK, Ids, bom_of, file_id, files_below, not_a_file, settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.core.document import Document

_MOST_LEADING = 1000
WIDE = ("utf-16", "utf-32")


@dataclass
class ReadLog:
    """The log of reading: records that could not be read, and notes about the others.

    With `strict`, the first bad record ends the run. Without it the record is left out, and its
    id, file and reason are kept in `problems`. `skipped` are files of a folder that no format
    reads. `place` is the file of the last record and, if lines of the text are lines of the file,
    the line on which its text begins. The log contains no text of records.
    """

    strict: bool = False
    problems: list[RecordError] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    skipped: list[Path] = field(default_factory=list)
    place: tuple[Path, int | None] | None = None

    def withhold(self, error: RecordError) -> None:
        if self.strict:
            raise error
        self.problems.append(error)

    def note(self, remark: str, count: int = 1) -> None:
        if count:
            self.notes[remark] += count


@dataclass(frozen=True)
class TableOptions:
    """Options of reading and writing: encodings, and the roles of columns or keys.

    `roles` are pairs of a column and the label of its cells, which are identifiers as a whole;
    cells of `hashed` columns become keyed hashes, and `dropped` columns are left out. `preset`
    names the columns of a data model. `encoding` is that of text files, or "auto". They are written
    in `output_encoding`, by default the same. `security_label` is the code that masked FHIR
    resources get in `meta.security`.
    """

    text_columns: tuple[str, ...] = ()
    id_column: str | None = None
    patient_column: str | None = None
    roles: tuple[tuple[str, str], ...] = ()
    hashed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    preset: str | None = None
    encoding: str = UTF8
    output_encoding: str | None = None
    security_label: str | None = None

    def to_data(self) -> dict[str, Any]:
        """The options that differ from the defaults, for a report."""
        default = TableOptions()
        return {
            each.name: list(value) if isinstance(value, tuple) else value
            for each in fields(self)
            if (value := getattr(self, each.name)) != getattr(default, each.name)
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TableOptions:
        options: dict[str, Any] = {name: _frozen(value) for name, value in data.items()}
        return cls(**options)

    def of_output(self) -> TableOptions:
        """The options to read a file that was written with these options."""
        encoding = self.output_encoding or self.encoding
        return replace(self, encoding=encoding, output_encoding=None, dropped=())

    def written_encoding(self, source: Path) -> str:
        """The encoding of the masked file."""
        name = self.output_encoding or exact_encoding(source, self.encoding)
        return f"{name}-le" if name in WIDE else name

    def mark(self, source: Path) -> bytes:
        """The byte order mark of the masked file, or nothing."""
        name = self.written_encoding(source)
        wanted = self.output_encoding in WIDE or bom_of(source, self.encoding)
        return MARK.encode(name) if wanted and name.startswith("utf-") else b""


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class Place(NamedTuple):
    """Where an item of a table begins: the number of the item, its line or row, and its byte.

    In Parquet it is the first row of a batch, and `offset` is the number of the batch.
    """

    item: int = 0
    row: int = 0
    offset: int = 0


@dataclass
class Course:
    """Where reading of a table starts; updated with the place of the last item or its batch.

    A reader that resumes at a place of an earlier course, with the `ids` used so far, yields the
    remaining items of that course. Formats other than tables are read from the start.
    """

    place: Place = field(default_factory=Place)
    ids: Ids = field(default_factory=Ids)


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, its id, and the columns that the user named (`options`)."""

    file: Path
    id: str
    options: TableOptions = TableOptions()
    course: Course = field(default_factory=Course, compare=False)

    @property
    def encoding(self) -> str:
        return self.options.encoding


class TableSample(NamedTuple):
    """The column names of a table and its first rows; an empty cell is an empty string."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Located(NamedTuple):
    """A record and, if its file has several records, the line on which it begins.

    `before` and `after` are written around the record when its file is rewritten.
    """

    record: Record
    line: int | None = None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A unit that is masked and written together; only the format's writer reads the `payload`.

    An item without documents has nothing to mask, and is written like the others. A header, a
    blank line and a row without text are items but not records (`is_record`). The text of a
    `repeat` belongs to an item of another file: an annotation file repeats its text file.
    """

    documents: tuple[Document, ...]
    payload: Any = field(default=None, repr=False)
    is_record: bool = True
    repeat: bool = False


class ItemWriter(Protocol):
    """Writes items in order; an item that is not written is withheld."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        """Write an item with new texts, one for each of its documents, or write nothing.

        A text that the format cannot represent raises a RecordError, and the item is withheld.
        """

    def flush(self) -> int:
        """Flush the file to the disk; return its size, from which writing can resume."""


class Format(ABC):
    """A file format: recognises, reads and rewrites files; some formats also write records.

    `suffixes` are its usual file name suffixes. Formats that are `written` can store any records
    with their spans; files of the others are only rewritten. Some write a folder with a file for
    each record (`in_folder`), and some keep the lines of a text as lines of the file
    (`keeps_lines`). Text files (`is_text`) have the encoding that the user gives; other formats
    declare their encoding, or have none. Writing of a `resumable` file can resume after a complete
    item; files of other formats are written again from the start. A format that is masked to
    another one adds `masked_suffix` to file names. Files of a format that `is_certain` cannot be
    mistaken for plain text.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    written: ClassVar[bool] = False
    in_folder: ClassVar[bool] = False
    keeps_lines: ClassVar[bool] = False
    is_text: ClassVar[bool] = True
    resumable: ClassVar[bool] = False
    masked_suffix: ClassVar[str] = ""
    is_certain: ClassVar[bool] = False

    @abstractmethod
    def sniff(self, file: Path) -> bool:
        """Whether a file (never a folder) looks like this format."""

    def is_companion(self, file: Path) -> bool:
        """Whether a file belongs to another file and has no record of its own."""
        del file
        return False

    def files(self, path: Path) -> Iterator[Path]:
        """Yield the files of this format: the path itself, or the files in the folder, sorted."""
        for file in files_below(path, *self.suffixes):
            if file == path or not self.is_companion(file):
                yield file

    def sample(self, file: Path, encoding: str, rows: int) -> TableSample:
        """Return the column names of a table and its first rows."""
        del encoding, rows
        raise InputError(f"{file}: {self.name} has no columns; `veil mask` does not need them")

    @abstractmethod
    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        """Yield the records of a file, with the spans that the format stores."""

    @abstractmethod
    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        """Yield the items of a file, and an error with file and line for each bad item.

        If the file, or the rest of it, cannot be read reliably, raise an InputError or a
        RecordError. Document ids are unique within a file. Reading again gives the same items and
        errors in the same order, so that both can be counted to resume.
        """

    def items(
        self,
        file: Path,
        options: TableOptions,
        *,
        name: str | None = None,
        course: Course | None = None,
    ) -> Iterator[Item | RecordError]:
        """Yield the items of a file; `name` is its id, if it is read from a folder."""
        name = file_id(file, file) if name is None else name
        return self.read_items(Source(file, name, options, course or Course()))

    @abstractmethod
    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        """Open a file to write the items of a source; `resume` appends to the existing file.

        When the context ends without an error the file is complete. If no item was written and the
        file needs one (its only text is withheld), the file is removed.
        """

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        """Write records to a file or folder, completely or not at all; return their number.

        A record that the format cannot represent is withheld if there is a log, else an error.
        """
        del records, path, log
        names = ", ".join(each.name for each in FORMATS if each.written)
        raise InputError(f"{self.name} does not store spans; choose one of: {names}")


class ItemFormat(Format):
    """A format without spans: its records are the documents of its items."""

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        for item in self.read_items(source):
            if isinstance(item, RecordError):
                log.withhold(item)
            elif item.is_record:
                yield from (Located(record_of(doc)) for doc in item.documents)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        encoding = options.written_encoding(source)
        return FileWriter(target, head=options.mark(source), resume=resume, encoding=encoding)


def record_of(doc: Document) -> Record:
    """Return the record of a document; an identifier as a whole becomes one span."""
    label = doc.meta.get(WHOLE)
    return Record.of(doc, [Span(0, len(doc.text), label, part=doc.meta.get(PART))] if label else [])


def row_of(texts: Iterable[str]) -> tuple[str, ...]:
    """A value that identifies a record without a patient, the same for all its texts."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    return (digest.hexdigest(),)


_LONGEST_CONTEXT = 4000


def with_context(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Documents of one record, each with the texts that identify their common language."""
    docs = tuple(documents)
    texts = sorted((doc.text for doc in docs if WHOLE not in doc.meta), key=len, reverse=True)
    context = "\n".join(texts)[:_LONGEST_CONTEXT]
    if len(docs) < 2 or not context.strip():
        return docs
    return tuple(
        replace(doc, meta={**doc.meta, CONTEXT: context}) if doc.language is None else doc
        for doc in docs
    )


FORMATS: Registry[Format] = Registry("format", group="veil.formats")


def read_files(
    files: Iterable[tuple[Path, Format]],
    root: Path,
    log: ReadLog,
    options: TableOptions | None = None,
) -> Iterator[Record]:
    """Yield the records of all files; withhold bad files and records with a duplicate id."""
    seen: set[str] = set()
    any_file = False
    for file, file_format in files:
        any_file = True
        if reason := not_a_file(file):
            log.withhold(RecordError(reason, path=file))
            continue
        source = Source(file, file_id(file, root), options or TableOptions())
        try:
            if source.encoding == AUTO and file_format.is_text:
                log.note(f"file(s) read as {exact_encoding(file, AUTO)}")
            for record, line, *_ in file_format.read_file(source, log):
                if record.id in seen:
                    reason = "duplicate id; give every record its own id"
                    log.withhold(RecordError(reason, record=record.id, path=file, line=line))
                    continue
                seen.add(record.id)
                log.place = file, (line or 1) if file_format.keeps_lines else None
                yield record
        except RecordError as error:
            log.withhold(error)
        except InputError as error:
            if file == root:
                raise
            log.withhold(RecordError(str(error).removeprefix(f"{file}: "), path=file))
        except OSError as error:
            if file == root:
                raise InputError(f"{root}: cannot be read: {error.strerror}") from None
            log.withhold(RecordError(f"cannot be read: {error.strerror}", path=file))
    if not any_file:
        raise InputError(f"{root}: no file of this format in the folder")


def items_with_records(
    file_format: Format,
    file: Path,
    options: TableOptions,
    *,
    name: str | None = None,
    course: Course | None = None,
) -> Iterator[Item | RecordError]:
    """Return the items of a file; raise an error without records, as it was probably misread.

    `name` is the id of the file, if it is read from a folder. A bad record counts as a record, and
    is withheld. A file that is read from a later place had records before.
    """
    items = file_format.items(file, options, name=name, course=course)
    if course and course.place.item:
        return items
    leading = []
    for item in islice(items, _MOST_LEADING):
        leading.append(item)
        if _is_record(item):
            return chain(leading, items)
    # Up to this many rows without text are kept in memory; beyond it, they are read twice.
    if len(leading) == _MOST_LEADING and any(map(_is_record, file_format.items(file, options))):
        return chain(leading, items)
    raise InputError(
        f"{file}: no record found; the file is empty, has only a header or empty texts, or has "
        "no line breaks between its rows"
    )


def _is_record(item: Item | RecordError) -> bool:
    return isinstance(item, RecordError) or item.is_record


class FileWriter(AbstractContextManager["FileWriter"]):
    """Writes items whose payloads render themselves, between `head` and `tail`.

    A file that `needs_item` is deleted if no item was written.
    """

    def __init__(
        self,
        target: Path,
        *,
        head: bytes = b"",
        tail: bytes = b"",
        needs_item: bool = False,
        resume: bool = False,
        encoding: str = UTF8,
    ) -> None:
        self.tail = tail
        self.encoding = encoding
        self._target = target
        self._needs_item = needs_item
        self._file = target.open("ab" if resume else "wb")
        if self._file.tell() == 0:
            self._file.write(head)
        self.has_written = len(head) < self._file.tell()

    def write(self, item: Item, texts: Sequence[str]) -> None:
        self._file.write(encoded(self.rendered(item, texts), item, self.encoding))
        self.has_written = True

    def rendered(self, item: Item, texts: Sequence[str]) -> str:
        """Return the written form of an item with new texts."""
        text: str = item.payload.render(texts)
        return text

    def flush(self) -> int:
        return settle(self._file)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._file:
            if kind is None and self.tail:
                self._file.write(self.tail)
                self.flush()
        if kind is None and self._needs_item and not self.has_written:
            self._target.unlink()


def encoded(text: str, item: Item, encoding: str = UTF8) -> bytes:
    """Encode a text; a character that cannot be encoded is an error of the item."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        name = item.documents[0].id if item.documents else None
        reason = "a lone surrogate, which cannot be encoded"
        if not encoding.startswith("utf-"):
            reason = f"a character that {encoding} cannot encode; give --output-encoding utf-8"
        raise RecordError(reason, record=name) from None
