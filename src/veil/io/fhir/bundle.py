"""FHIR as JSON: a bundle, entry by entry, or a single resource."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.io.fhir.bundle_parts import Entry, read_entries, read_frame
from veil.io.fhir.ndjson import resource_name
from veil.io.fhir.reading import read_resource
from veil.io.files import BOM, Ids, begins_with_bom, encoded, reading, settle
from veil.io.json_raw import RawEdit, apply_edits
from veil.io.rewriting import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from veil.io.fhir.people import People
    from veil.io.fhir.rendering import Resource
    from veil.io.rewriting import TableOptions

_HEAD = 1 << 16
_BARE_HEAD, _BARE_TAIL = '{"resourceType": "Bundle", "type": "collection", "entry": [', "]}\n"


class RewritableFhir:
    """A bundle, whose entries are masked one by one, or a single resource."""

    name = "fhir"
    about = "FHIR R4 as JSON: a bundle, or a resource a file"
    suffixes = (".json",)
    resumable = False

    def sniff(self, file: Path) -> bool:
        with file.open("rb") as source:
            beginning = source.read(_HEAD).removeprefix(BOM).lstrip()
        return beginning.startswith(b"{") and b'"resourceType"' in beginning

    def items(self, file: Path, options: TableOptions) -> Iterator[Item | RecordError]:
        ids = Ids()
        with reading(file):
            frame, people = read_frame(file)
            name = ids.claim(resource_name(frame.value, file.stem), 0)
            for outcome in read_resource(
                frame.raw, frame.value, people, name=name, file=file, line=1
            ):
                if isinstance(outcome, Item):
                    payload = _FramePayload(outcome.payload, frame.split)
                    yield Item(outcome.documents, payload, is_record=frame.split is None)
                else:
                    yield outcome
            if frame.split is not None:
                for number, entry in enumerate(read_entries(file), start=1):
                    yield from _entry(entry, number, people, file, ids)

    @contextlib.contextmanager
    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> Iterator[_Writer]:
        with target.open("wb") as file:
            if begins_with_bom(source):
                file.write(BOM)
            writer = _Writer(file)
            yield writer
            writer.finish()
            settle(file)
        if not writer.any_written:
            target.unlink()


@dataclass(frozen=True, slots=True)
class _FramePayload:
    """A resource, or what stands around the entries of a bundle, which begin at `split`."""

    resource: Resource
    split: int | None

    def render(self, texts: Sequence[str]) -> tuple[str, str]:
        """What comes before the entries and what after them."""
        if self.split is None:
            return self.resource.render(texts), ""
        raw, split = self.resource.raw, self.split
        edits = self.resource.edits(texts)
        before = [edit for edit in edits if edit.end <= split]
        after = [
            RawEdit(start - split, end - split, new) for start, end, new in edits if split < end
        ]
        return apply_edits(raw[:split], before), apply_edits(raw[split:], after)


@dataclass(frozen=True, slots=True)
class _EntryPayload:
    """An entry and the blanks around it."""

    before: str
    resource: Resource
    after: str

    def render(self, texts: Sequence[str]) -> str:
        return f"{self.before}{self.resource.render(texts)}{self.after}"


@dataclass
class _Writer:
    """Writes the frame and the entries; a frame that is withheld has a bare one in its place."""

    file: BinaryIO
    tail: str = field(default="", repr=False)
    entries: int = 0
    any_written: bool = False

    def write(self, item: Item, texts: Sequence[str]) -> None:
        tail = self.tail
        if isinstance(item.payload, _FramePayload):
            text, tail = item.payload.render(texts)
        else:
            text = item.payload.render(texts)
            if self.entries:
                text = f",{text}"
            elif not self.any_written:
                text, tail = _BARE_HEAD + text, _BARE_TAIL
        encoded(tail, item)
        self.file.write(encoded(text, item))
        self.tail = tail
        self.entries += isinstance(item.payload, _EntryPayload)
        self.any_written = True

    def flush(self) -> int:
        return settle(self.file)

    def finish(self) -> None:
        self.file.write(self.tail.encode("utf-8"))


def _entry(
    entry: Entry, number: int, people: People, file: Path, ids: Ids
) -> Iterator[Item | RecordError]:
    resource = entry.value.get("resource")
    if not entry.value.members:
        yield RecordError("an entry that is no object", path=file, line=entry.line)
        return
    name = f"{file.stem}-{number}"
    if resource:
        name = resource_name(resource, name)
    for outcome in read_resource(
        entry.raw,
        entry.value,
        people,
        name=ids.claim(name, number),
        file=file,
        line=entry.line,
    ):
        if isinstance(outcome, Item):
            payload = _EntryPayload(entry.before, outcome.payload, entry.after)
            yield Item(outcome.documents, payload)
        else:
            yield outcome
