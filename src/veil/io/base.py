"""What a format is, what reading yields, and the registry of formats."""

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
    """How reading went: the records that could not be read, and remarks about the others.

    With `strict`, the first bad record ends the run. Without it the record is left out, and its
    id, file and reason are kept in `problems`. `skipped` are files of a folder that no format
    reads. `place` is the file of the record read last, and the line on which its text begins, if
    lines of the text are lines of the file. No text of a record goes in here.
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
    """How files are read and written: their encodings, and what their columns or keys hold.

    `roles` are pairs of a column and the label of its cells, each of which is an identifier as a
    whole; cells of `hashed` columns become keyed hashes, and `dropped` columns are left out.
    `preset` names the columns of a data model. `encoding` is that of text files, or "auto". They
    are written in `output_encoding`, or in their own. `security_label` is the code that masked
    resources of FHIR get in `meta.security`.
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
        """The options that are not the default, for a report."""
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
        """The options with which a file that was written with these is read."""
        encoding = self.output_encoding or self.encoding
        return replace(self, encoding=encoding, output_encoding=None, dropped=())

    def written_encoding(self, source: Path) -> str:
        """The encoding in which a file is written again."""
        name = self.output_encoding or exact_encoding(source, self.encoding)
        return f"{name}-le" if name in WIDE else name

    def mark(self, source: Path) -> bytes:
        """The byte order mark with which a file is written again, or nothing."""
        name = self.written_encoding(source)
        wanted = self.output_encoding in WIDE or bom_of(source, self.encoding)
        return MARK.encode(name) if wanted and name.startswith("utf-") else b""


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class Place(NamedTuple):
    """Where an item of a table begins: its number, that of its line or row, and its byte.

    In Parquet it is the first row of a batch, and `offset` is the number of the batch.
    """

    item: int = 0
    row: int = 0
    offset: int = 0


@dataclass
class Course:
    """From where tables are read and, meanwhile, the place of the last item or of its batch.

    Readers that go on at a place of an earlier course, with `ids` that know which ones came before,
    yield the items of that course. Formats other than tables are read from the start.
    """

    place: Place = field(default_factory=Place)
    ids: Ids = field(default_factory=Ids)


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: `id` is its id, `options` the columns that the user named."""

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
    """A record and the line on which it begins, where it shares its file with others.

    `before` and `after` are written around the record when its file is rewritten.
    """

    record: Record
    line: int | None = None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """What is masked and written together; only the format's writer reads the `payload`.

    An item without documents has nothing to mask; it is written like the others. A header, a
    blank line and a row without a text are items, but no records (`is_record`). The text of an item
    that is a `repeat` belongs to an item of another file: an annotation file repeats its text file.
    """

    documents: tuple[Document, ...]
    payload: Any = field(default=None, repr=False)
    is_record: bool = True
    repeat: bool = False


class ItemWriter(Protocol):
    """Writes items, one after the other; an item that is not written is withheld."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        """Write an item with new texts, one for each of its documents, or nothing of it.

        A text that the format cannot hold raises a RecordError: the item is withheld.
        """

    def flush(self) -> int:
        """Force what was written to the disk; return the size of the file, to resume from."""


class Format(ABC):
    """A kind of file: it is recognised, read, rewritten with masked texts, and perhaps written.

    `suffixes` are the usual ends of its file names. Formats that can be `written` hold any records
    with their spans; the others are only rewritten. Some of them write a folder, with a file for
    each record (`in_folder`), and some have the lines of a text as lines of the file
    (`keeps_lines`). Files of text (`is_text`) have the encoding that the user
    names; those of other formats tell their own, or have none. Writing a `resumable` file
    can go on after a whole item; the files of other formats are begun anew. A format
    that is masked to another one adds `masked_suffix` to the names of files. One that
    `is_certain` begins as no plain text does.
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
        """Whether a file is read together with another one and has no record of its own."""
        del file
        return False

    def files(self, path: Path) -> Iterator[Path]:
        """Yield the files of this format: the path itself, or those in the folder, sorted."""
        for file in files_below(path, *self.suffixes):
            if file == path or not self.is_companion(file):
                yield file

    def sample(self, file: Path, encoding: str, rows: int) -> TableSample:
        """Return the column names of a table and its first rows."""
        del encoding, rows
        raise InputError(f"{file}: {self.name} has no columns; `veil mask` needs none named")

    @abstractmethod
    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        """Yield the records of a file, with the spans that the format holds."""

    @abstractmethod
    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        """Yield the items of a file, and in place of each bad one an error with file and line.

        A file of which nothing, or nothing more, can be trusted raises an InputError or a
        RecordError. The ids of documents differ within a file. Reading again gives the same items
        and errors in the same order, so that both can be counted to resume.
        """

    def items(
        self,
        file: Path,
        options: TableOptions,
        *,
        name: str | None = None,
        course: Course | None = None,
    ) -> Iterator[Item | RecordError]:
        """Yield the items of a file; `name` is its id, if it is not read alone."""
        name = file_id(file, file) if name is None else name
        return self.read_items(Source(file, name, options, course or Course()))

    @abstractmethod
    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        """Open a file to write the items of a source; `resume` appends to what is there.

        On a clean end of the context the file is whole. If no item was written and the file needs
        one (a text that is withheld), no file is left.
        """

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        """Write records to a file or folder, whole or not at all; return how many.

        A record that the format cannot hold is withheld by the log. Without one it is an error.
        """
        del records, path, log
        names = ", ".join(each.name for each in FORMATS if each.written)
        raise InputError(f"{self.name} does not hold spans; choose one of: {names}")


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
    """Return the record of a document; one that is an identifier as a whole is a span."""
    label = doc.meta.get(WHOLE)
    return Record.of(doc, [Span(0, len(doc.text), label, part=doc.meta.get(PART))] if label else [])


def row_of(texts: Iterable[str]) -> tuple[str, ...]:
    """What tells a record without a patient from others: one value for all its texts."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    return (digest.hexdigest(),)


_LONGEST_CONTEXT = 4000


def with_context(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Documents of one record, each with the texts by which the language of all is identified."""
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
    """Yield the records of all files; a bad file or a second record of one id is withheld."""
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
                    reason = "this id came before; give every record its own"
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
    """Return the items of a file; refuse one without a record, which was probably misread.

    `name` is the id of the file, if it is not read alone. A record that cannot be read counts; it
    is withheld. A file that is read from a place within it had records before.
    """
    items = file_format.items(file, options, name=name, course=course)
    if course and course.place.item:
        return items
    leading = []
    for item in islice(items, _MOST_LEADING):
        leading.append(item)
        if _is_record(item):
            return chain(leading, items)
    # So many rows without a text are not kept, but read twice.
    if len(leading) == _MOST_LEADING and any(map(_is_record, file_format.items(file, options))):
        return chain(leading, items)
    raise InputError(
        f"{file}: no record found; the file is empty, holds only a header or empty texts, or has "
        "no line breaks between its rows"
    )


def _is_record(item: Item | RecordError) -> bool:
    return isinstance(item, RecordError) or item.is_record


class FileWriter(AbstractContextManager["FileWriter"]):
    """Writes items whose payloads render themselves, between `head` and `tail`, in an encoding.

    A file that `needs_item` is deleted if none was written.
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
        """Return an item with new texts as it is written."""
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
    """Encode a text; half a surrogate pair, or what the encoding lacks, is an error of the item."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        name = item.documents[0].id if item.documents else None
        reason = "half a surrogate pair, which no file can hold"
        if not encoding.startswith("utf-"):
            reason = f"a character that {encoding} lacks; give --output-encoding utf-8"
        raise RecordError(reason, record=name) from None
