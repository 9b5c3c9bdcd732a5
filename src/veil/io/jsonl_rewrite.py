"""JSON lines: an object a line, of which some keys hold texts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from veil.core.document import ESCAPES, KNOWN, PATIENT
from veil.core.errors import RecordError
from veil.io.base import head
from veil.io.columns import refuse_shared_columns, row_documents
from veil.io.files import BOM, FileWriter, Ids, begins_with_bom, has_surrogate, reading
from veil.io.json_raw import (
    Escapes,
    JsonError,
    Number,
    RawEdit,
    Value,
    apply_edits,
    escapes_letters,
    escapes_of,
    parse_at,
    parse_members,
    quoted_with,
    removals,
    requoted,
    skip_blank,
)
from veil.io.reading import lines
from veil.io.rewriting import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.core.document import Document
    from veil.io.reading import Piece
    from veil.io.rewriting import TableOptions

_TEXT, _ID, _SPANS, _META, _LANGUAGE = "text", "id", "spans", "meta", "language"
_RESOURCE = "resourceType"
_PATIENTS = (PATIENT, "patient_id")


class RewritableJsonl:
    """JSON lines; what is no text stays to the byte, but for spans and known values.

    Offsets of spans would be wrong in a masked text, and known values are what it must not say.
    """

    name = "jsonl"
    about = "JSON lines, a record a line; texts under the key text or those that are named"
    suffixes = (".jsonl", ".ndjson", ".json")
    resumable = True

    def sniff(self, file: Path) -> bool:
        first, line_feed, _ = head(file).removeprefix("\ufeff").lstrip().partition("\n")
        if not first.startswith("{"):
            return False
        try:
            parse_members(first, 0)
        except JsonError:  # not JSON, or the line goes on beyond the head
            return not line_feed and len(first) > 1
        return True

    def items(self, file: Path, options: TableOptions) -> Iterator[Item | RecordError]:
        ids = Ids()
        refuse_shared_columns(_text_keys(options), options, file)
        with reading(file):
            for line in lines(file):
                yield _read(line, file, options, ids)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        return FileWriter(target, head=BOM if begins_with_bom(source) else b"", resume=resume)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and the places of its texts."""

    raw: str = field(repr=False)
    old: tuple[str, ...] = field(default=(), repr=False)
    places: tuple[tuple[int, int], ...] = ()
    dropped: tuple[RawEdit, ...] = ()
    escapes: tuple[Escapes | None, ...] = ()

    def render(self, texts: Sequence[str]) -> str:
        plain = escapes_letters(self.raw)
        given = self.escapes or (None,) * len(texts)
        edits = []
        for (start, end), old, new, escapes in zip(
            self.places, self.old, texts, given, strict=True
        ):
            if old != new and escapes is not None:
                edits.append(RawEdit(start, end, quoted_with(new, escapes)))
            elif old != new:
                edits.append(RawEdit(start, end, requoted(self.raw[start:end], new, plain=plain)))
        return apply_edits(self.raw, [*edits, *self.dropped])


def with_escapes(item: Item, documents: Sequence[Document]) -> Item:
    """An item whose new texts are written with the escapes in the meta of these documents."""
    if not isinstance(item.payload, _Line):
        return item
    escapes = tuple(doc.meta.get(ESCAPES) or {} for doc in documents)
    return replace(item, payload=replace(item.payload, escapes=escapes))


def _text_keys(options: TableOptions) -> tuple[str, ...]:
    return options.text_columns or (_TEXT,)


def _read(line: Piece, file: Path, options: TableOptions, ids: Ids) -> Item | RecordError:
    try:
        raw = line.decode(file)
        start = skip_blank(raw, 0)
        if start == len(raw):
            return Item((), _Line(raw), is_record=False)
        return _Reader(raw, start, options).item(file.stem, line.line, ids)
    except JsonError as error:
        return RecordError(str(error), path=file, line=line.line)
    except RecordError as error:
        return error


class _Reader:
    """Takes the texts out of one line."""

    def __init__(self, raw: str, start: int, options: TableOptions) -> None:
        self.raw = raw
        self.options = options
        self.object = parse_members(raw, start)
        if skip_blank(raw, self.object.end) < len(raw):
            raise JsonError("more than one value; a record is one object on one line")
        meta = self.object.get(_META)
        self.inner_meta = parse_at(raw, meta.start) if meta else Value(0, 0, None)

    def item(self, stem: str, number: int, ids: Ids) -> Item:
        if _RESOURCE in self.object.members and not self.options.text_columns:
            raise JsonError(
                "a FHIR resource in a file that does not begin with one; mend its start"
            )
        texts = self._texts()
        meta = self._meta()
        language = self.object.string(_LANGUAGE) or None
        wanted = self._id()
        name = ids.claim(wanted, number) if wanted else f"{stem}-{number}"
        old = {key: value.text for key, value in texts.items()}
        documents = tuple(
            replace(doc, meta={**doc.meta, ESCAPES: escapes}) if escapes else doc
            for doc, value in zip(
                row_documents(name, old, meta, language), texts.values(), strict=True
            )
            for escapes in [escapes_of(self.raw[value.start : value.end])]
        )
        places = tuple((value.start, value.end) for value in texts.values())
        dropped = tuple(self._dropped())
        line = _Line(self.raw, tuple(old.values()), places, dropped)
        return Item(documents, line, is_record=bool(documents))

    def _texts(self) -> dict[str, Value]:
        """The texts by their keys; null is none."""
        keys = _text_keys(self.options)
        present = {key: value for key in keys if (value := self.object.get(key))}
        if not present:
            wanted = " or ".join(f'"{key}"' for key in keys)
            raise JsonError(f"no key {wanted}; say which keys hold texts")
        texts = {key: value for key, value in present.items() if not self._is_null(value)}
        for key, value in texts.items():
            if not value.is_string:
                raise JsonError(f'"{key}" must be a string or null')
            if has_surrogate(value.text):
                raise JsonError(f'"{key}" holds half a surrogate pair, which is no character')
        return texts

    def _meta(self) -> dict[str, Any]:
        """What is known of the record: its patient, and the values of its people."""
        meta: dict[str, Any] = {}
        if self.options.patient_column:
            patient = self._scalar(self.options.patient_column)
        else:
            places = (self.object, self.inner_meta)
            found = (
                _scalar(place.get(key))
                for place in places
                for key in _PATIENTS
                if place is not self.object or key not in _text_keys(self.options)
            )
            patient = next(filter(None, found), "")
        if patient:
            meta[PATIENT] = patient
        known = self.inner_meta.get(KNOWN)
        if known:
            meta[KNOWN] = _plain(known)
        return meta

    def _id(self) -> str:
        """The id of the record, or nothing; a text is no id."""
        if self.options.id_column:
            return self._scalar(self.options.id_column, must=True)
        return "" if _ID in _text_keys(self.options) else self._scalar(_ID)

    def _scalar(self, key: str, *, must: bool = False) -> str:
        value = self.object.get(key)
        text = _scalar(value)
        if not text and (must or (value and not self._is_null(value) and not value.is_string)):
            raise JsonError(f'"{key}" must be there, and a string or a number')
        return text

    def _is_null(self, value: Value) -> bool:
        return self.raw.startswith("null", value.start)

    def _dropped(self) -> Iterator[RawEdit]:
        if _SPANS not in self.options.text_columns:
            yield from _without(self.object, _SPANS)
        yield from _without(self.inner_meta, KNOWN)


def _without(value: Value, key: str) -> list[RawEdit]:
    """Edits that take a key out of an object, if it is there."""
    members = value.members
    dropped = [place for place, each in enumerate(members) if each == key]
    return removals([member.extent for member in members.values()], dropped)


def _scalar(value: Value | None) -> str:
    """A string or a number that names something; half a surrogate pair names nothing."""
    if value is None or not isinstance(value.content, str):
        return ""
    text = str(value.content) if isinstance(value.content, Number) else value.text
    if has_surrogate(text):
        raise JsonError("an id with half a surrogate pair, which is no character")
    return text


def _plain(value: Value) -> Any:
    """A value without its places; numbers are as they are written."""
    if isinstance(value.content, dict):
        return {key: _plain(member.value) for key, member in value.members.items()}
    if isinstance(value.content, list):
        return [_plain(each) for each in value.content]
    return value.content
