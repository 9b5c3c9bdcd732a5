"""Reading records for the functions over files: keywords, the reader, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from veil import io
from veil.core.errors import RecordError
from veil.io import ReadLog
from veil.io.columns import table_options
from veil.languages import identify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from veil.core.document import Document, Record
    from veil.core.labels import Converter

    FilePath = str | Path
    Progress = Callable[[Iterable[Record], int | None], Iterable[Record]]

CHARACTERS_TO_IDENTIFY = 20_000


class TableKeywords(TypedDict, total=False):
    """The columns of a table, or keys of JSON lines, with texts, ids and patients.

    `encoding` is that of text files, or "auto" to detect it.
    """

    text_columns: Sequence[str]
    id_column: str | None
    patient_column: str | None
    encoding: str


class RoleKeywords(TypedDict, total=False):
    """The labels of columns whose cells are identifiers, and columns of values to be hashed."""

    columns: Mapping[str, str]
    hash_columns: Sequence[str]
    columns_file: FilePath | None
    preset: str | None


class Reading(TableKeywords, total=False):
    """Keyword arguments of every function that reads annotated records.

    `from_format` is the name of the format; by default it is identified from the content. With
    `strict` the first record that cannot be read is an error. `progress` is called with the records
    and their number, if known, and returns an iterator over the same records.
    """

    from_format: str | None
    strict: bool
    progress: Progress | None


@dataclass
class FilesResult:
    """The result of a function over files.

    `count` is the number of records that were written, `problems` are the records that were
    withheld, `warnings` and `notes` are messages about the whole input.
    """

    count: int = 0
    problems: list[RecordError] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, reader: Reader) -> FilesResult:
        """Return a result with the log of a reader."""
        result = FilesResult()
        result.add(reader.log)
        return result

    def add(self, log: ReadLog, *converters: Converter | None) -> None:
        """Add the losses of conversions, and the contents of a reader's log."""
        for converter in filter(None, converters):
            self.add_conversion(converter)
        self.problems += log.problems
        if log.skipped:
            self.warnings.append(
                f"warning: {len(log.skipped)} file(s) of another format were not read: "
                f"{first_of(map(str, log.skipped), len(log.skipped), 3)}; name them as input, or "
                "give --from"
            )
        self.notes += [f"{count} {remark}" for remark, count in sorted(log.notes.items())]

    def add_conversion(self, converter: Converter) -> None:
        """Add what the target scheme of a conversion could not represent exactly."""
        source, target = converter.source, converter.target.name
        for label, count in sorted(converter.unmapped.items()):
            if label in source.labels:
                self.warnings.append(
                    f"{count} span(s) of {label} have no place in {target} and were left out"
                )
        # Not by name: a label that is in no scheme may be a word of a record.
        unknown = [
            count for label, count in converter.unmapped.items() if label not in source.labels
        ]
        if unknown:
            self.warnings.append(
                f"{sum(unknown)} span(s) with {len(unknown)} label(s) that are not in "
                f"{source.name} were left out"
            )
        self.notes += [
            f"{count} span(s) of {label} became {guess}, the nearest in {target}"
            for (label, guess), count in sorted(converter.approximate.items())
        ]


class Reader:
    """Reads records; those that could not be read are kept in `log`."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.log = ReadLog(strict=options.get("strict", False))
        self._options = options
        self._format = options.get("from_format")
        self._progress = options.get("progress")
        names = TableKeywords.__annotations__
        given = {name: value for name, value in options.items() if name in names}
        self._columns = table_options(**given)

    def read(self, path: FilePath) -> Iterator[Record]:
        """Yield the records of a file or folder."""
        path = Path(path)
        records = io.read(path, format=self._format, options=self._columns, log=self.log)
        if self._progress is None:
            return records
        total = None
        if path.is_dir():
            chosen = [io.FORMATS.get(self._format)] if self._format else io.detect_formats(path)
            total = sum(1 for each in chosen for _ in each.files(path))
        return iter(self._progress(records, total))

    def read_all(self, paths: Iterable[FilePath]) -> Iterator[Record]:
        """Yield the records of several files and folders; a repeated id is withheld."""
        seen: set[str] = set()
        for path in paths:
            for record in self.read(path):
                if record.id in seen:
                    reason = (
                        "duplicate id; give every record its own id, or read one folder per run"
                    )
                    self.log.withhold(RecordError(reason, record=record.id, path=Path(path)))
                    continue
                seen.add(record.id)
                yield record

    def documents(self, paths: Iterable[FilePath]) -> Iterator[Document]:
        return (record.document for record in self.read_all(paths))

    def apart(self) -> Reader:
        """A reader with the same options and a separate log."""
        return Reader(self._options)


def read_corpus(paths: Sequence[Path], reader: Reader) -> list[Record]:
    """Read all records; with several corpora, ids are numbered to keep them unique."""
    records = []
    for number, path in enumerate(paths, start=1):
        for record in reader.read(path):
            if len(paths) > 1:
                document = replace(record.document, id=f"{number}/{record.id}")
                record = replace(record, document=document)
            records.append(record)
    return records


def language_of(records: Sequence[Record]) -> str:
    """The language given by the first records, or identified from their text."""
    named = next((each.document.language for each in records if each.document.language), None)
    text = ""
    for record in records if named is None else ():
        text += record.document.text[:CHARACTERS_TO_IDENTIFY]
        if CHARACTERS_TO_IDENTIFY <= len(text):
            break
    return named or identify(text)


def paths_of(given: FilePath | Sequence[FilePath]) -> list[Path]:
    """Return one or several paths as a list."""
    return [Path(given)] if isinstance(given, (str, Path)) else list(map(Path, given))


def first_of(names: Iterable[str], count: int, shown: int = 5) -> str:
    """Return the first names as one text, with "…" if there are more."""
    return ", ".join(islice(names, shown)) + (", …" if shown < count else "")
