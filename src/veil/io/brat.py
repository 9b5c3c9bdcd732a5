"""brat standoff: the text in a .txt file, its annotations in the .ann file beside it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, cast, get_args

from veil.core.document import Document, Part, Record, Span
from veil.core.encodings import decode, read_data
from veil.core.errors import RecordError
from veil.io.annotated import AnnotatedFormat, gold_record, span_inside
from veil.io.base import Item, Located
from veil.io.files import MARK, check_is_file, head
from veil.io.text import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from veil.io.base import ItemWriter, ReadLog, Source, TableOptions

# `T1<TAB>DATE 0 5;8 12<TAB>text`, not `T1<TAB>DATE 0<TAB>text`.
_OFFSETS = r"[0-9]{1,12} [0-9]{1,12}"
_TEXT_BOUND = re.compile(rf"(T\S+)\t(\S+) ({_OFFSETS}(?:;{_OFFSETS})*)\t(.*)", re.DOTALL)
# `A1<TAB>Part T1 first`, not `A1<TAB>Negated T1`.
_PART = re.compile(r"A\S+\tPart (T\S+) (\S+)")
# Relations, events, normalisations, attributes, modifiers, notes and equivalences.
_OTHER_LINE = re.compile(r"(?:[RENAM#]\S*|\*)\t")
_AS_SPACE = str.maketrans("\n\r\t", "   ")


class BratFormat(AnnotatedFormat):
    """brat standoff: a .txt file per record, annotations in the .ann file of the same name."""

    name = "brat"
    about = "brat standoff, a .txt and an .ann file per record"
    suffixes = (".txt", ".ann")
    in_folder = True

    def sniff(self, file: Path) -> bool:
        if file.suffix.lower() == ".txt":
            return file.with_suffix(".ann").is_file()
        if file.suffix.lower() != ".ann":
            return False
        return _text_file(file).is_file() or _TEXT_BOUND.match(head(file).lstrip(MARK)) is not None

    def is_companion(self, file: Path) -> bool:
        """Whether a file is the .ann file of a text; an .ann file without a text is an error."""
        return file.suffix.lower() == ".ann" and _text_file(file).exists()

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        text_file = _text_file(source.file)
        if not text_file.exists() and source.file != text_file:
            raise RecordError("has no .txt file of the same name beside it", path=source.file)
        check_is_file(text_file)
        text = decode(read_data(text_file, source.encoding), text_file, encoding=source.encoding)
        annotations = _read_annotations(text_file.with_suffix(".ann"), text, source.encoding, log)
        yield Located(gold_record(Document(source.id, text), annotations, log))

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        """Yield the text; for an .ann file too, because its spans move with the text."""
        if _text_file(source.file) == source.file:
            yield from TEXT.read_items(source)
            return
        for item in super().read_items(source):
            if isinstance(item, Item):
                if item.documents[0].text.startswith(MARK):
                    raise RecordError(
                        "its text begins with a byte order mark; remove it", path=source.file
                    )
                item = replace(item, repeat=True)
            yield item

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        if _text_file(source) == source:
            return TEXT.writer(source, target, options, resume=resume)
        return super().writer(source, target, options, resume=resume)

    def contents(self, record: Record) -> Mapping[str, str]:
        return {".txt": record.document.text, ".ann": self.render(record)}

    def render(self, record: Record) -> str:
        """Return the content of the .ann file."""
        text = record.document.text
        rows: list[str] = []
        attributes: list[str] = []
        for number, span in enumerate(sorted(record.annotations, key=lambda s: s.start), start=1):
            if not re.fullmatch(r"\S+", span.label):
                raise RecordError(
                    f"the label at {span.start}-{span.end} has white space, which brat forbids",
                    record=record.id,
                )
            shown = _flat(text[span.start : span.end])
            rows.append(f"T{number}\t{span.label} {span.start} {span.end}\t{shown}\n")
            if span.part is not None:
                attributes.append(f"A{len(attributes) + 1}\tPart T{number} {span.part}\n")
        return "".join(rows + attributes)


def _text_file(file: Path) -> Path:
    if file.suffix.lower() != ".ann":
        return file
    upper = file.with_suffix(".TXT")
    return upper if upper.exists() else file.with_suffix(".txt")


def _read_annotations(file: Path, text: str, encoding: str, log: ReadLog) -> list[Span]:
    if not file.exists() and not file.is_symlink():  # a broken link is an error, not a missing file
        return []
    check_is_file(file)
    spans: dict[str, Span] = {}
    parts: dict[str, tuple[str, int]] = {}
    differing = discontinuous = 0
    content = decode(read_data(file, encoding), file, encoding=encoding).removeprefix(MARK)
    for number, line in enumerate(content.split("\n"), start=1):
        line = line.removesuffix("\r")
        if match := _TEXT_BOUND.fullmatch(line):
            name, label, offsets, shown = match.groups()
            if name in spans:
                raise RecordError("duplicate annotation id", path=file, line=number)
            fragments = _fragments(offsets, text, file, number)
            covered = " ".join(text[start:end] for start, end in fragments)
            discontinuous += len(fragments) > 1
            differing += _flat(covered) != _flat(shown)
            spans[name] = Span(min(fragments)[0], max(end for _, end in fragments), label)
        elif match := _PART.fullmatch(line):
            parts[match[1]] = (match[2], number)
        elif line and not _OTHER_LINE.match(line):
            raise RecordError(
                "not a line of brat; a span is 'T1<TAB>LABEL START END<TAB>TEXT'",
                path=file,
                line=number,
            )
    _add_parts(spans, parts, file, log)
    log.note("discontinuous spans, read from first to last character", discontinuous)
    log.note("spans whose text column differs from the text at their offsets", differing)
    return list(spans.values())


def _fragments(offsets: str, text: str, file: Path, number: int) -> list[tuple[int, int]]:
    fragments = []
    for fragment in offsets.split(";"):
        start, end = map(int, fragment.split(" "))
        if not span_inside(text, start, end):
            raise RecordError(
                f"offsets {start}-{end} do not fit the text of {len(text)} characters",
                path=file,
                line=number,
            )
        fragments.append((start, end))
    return fragments


def _flat(text: str) -> str:
    return text.translate(_AS_SPACE)


def _add_parts(
    spans: dict[str, Span], parts: dict[str, tuple[str, int]], file: Path, log: ReadLog
) -> None:
    for name, (part, number) in parts.items():
        if name not in spans:
            raise RecordError("a Part of an annotation that does not exist", path=file, line=number)
        if part in get_args(Part):
            spans[name] = replace(spans[name], part=cast(Part, part))
        else:
            log.note("Part attributes with an unknown value, left out")
