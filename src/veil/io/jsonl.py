"""JSON lines: a record per line, or an object per line with texts in some keys."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast, get_args

from veil.core.document import (
    APART,
    CONTEXT,
    ESCAPES,
    KNOWN,
    PATIENT,
    ROW,
    YEARS,
    Document,
    Part,
    Record,
    Span,
)
from veil.core.encodings import opened
from veil.core.errors import RecordError
from veil.io.annotated import WrittenFormat, gold_record, span_inside
from veil.io.base import Item, ItemFormat, Located, Place, TableOptions, TableSample
from veil.io.columns import refuse_shared_columns, roles_of, row_documents, with_preset
from veil.io.files import BOM, MARK, Ids, has_surrogate, head, lines, reading
from veil.io.json_raw import (
    Escapes,
    JsonError,
    JsonNumber,
    RawEdit,
    Value,
    apply_edits,
    escapes_letters,
    escapes_of,
    parse_at,
    parse_members,
    quoted,
    quoted_with,
    refuse_constant,
    removals,
    requoted,
    skip_blank,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from veil.io.base import ReadLog, Source
    from veil.io.files import TextPiece

_KEYS = ("id", "text", "language", "spans", "meta")
_SPAN_DEFAULTS = {"score": 1.0, "source": "", "part": None}
_SPAN_KEYS = ("start", "end", "label", *_SPAN_DEFAULTS)
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_TEXT, _ID, _SPANS, _META, _LANGUAGE = "text", "id", "spans", "meta", "language"
_RESOURCE = "resourceType"
_LONGEST = 1 << 24  # a longer first line is not read to detect the format
_PATIENTS = (PATIENT, "patient_id")


class JsonlFormat(WrittenFormat, ItemFormat):
    """JSON lines: `{"id": ..., "text": ..., "spans": [{"start": 0, "end": 4, "label": ...}]}`.

    Files with other keys are read if the text keys are named. Rewriting changes the texts and drops
    spans and known values, since both describe the original text; everything else is unchanged.
    """

    name = "jsonl"
    about = "JSON lines, a record per line; also keeps scores, sources, language and meta"
    suffixes = (".jsonl", ".ndjson", ".json")
    resumable = True

    def sniff(self, file: Path) -> bool:
        first, line_feed, _ = head(file).removeprefix(MARK).lstrip().partition("\n")
        if not first.startswith("{"):
            return False
        try:
            parse_members(first, 0)
        except JsonError:  # not JSON, or the line is longer than the head
            return not line_feed and len(first) > 1
        return True

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        if _begins_with_record(source):
            return _read_records(source, log)
        return super().read_file(source, log)

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        course = source.course
        first, number, byte = course.place
        if source.options.preset is None:
            refuse_shared_columns(_text_keys(source.options), source.options, source.file)
        with reading(source.file):
            found = lines(source.file, source.encoding, line=number or 1, byte=byte)
            for item, line in enumerate(found, start=first):
                course.place = Place(item, line.line, line.byte)
                yield _read(line, source, course.ids)

    def sample(self, file: Path, encoding: str, rows: int) -> TableSample:
        found: list[dict[str, str]] = []
        with reading(file):
            for line in islice((line for line in lines(file, encoding) if line.data.strip()), rows):
                try:
                    raw = line.decode(file)
                    members = parse_members(raw, skip_blank(raw, 0)).members
                except JsonError as error:
                    raise RecordError(str(error), path=file, line=line.line) from None
                values = {key: _scalar(member.value) for key, member in members.items()}
                found.append(
                    {
                        key: "" if _is_null(raw, members[key].value) else value
                        for key, value in values.items()
                    }
                )
        names = tuple(dict.fromkeys(key for row in found for key in row))
        return TableSample(names, tuple(tuple(row.get(n, "") for n in names) for row in found))

    def render(self, record: Record) -> str:
        doc = record.document
        annotations = sorted(record.annotations, key=lambda span: span.start)
        data: dict[str, Any] = {
            "id": doc.id,
            "text": doc.text,
            "language": doc.language,
            "spans": [_span_data(span) for span in annotations],
        }
        if meta := {key: value for key, value in doc.meta.items() if not _is_internal(key, value)}:
            data["meta"] = meta
        try:
            return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"
        except (TypeError, ValueError, RecursionError):
            raise RecordError(
                "its meta or a score cannot be written in JSON", record=record.id
            ) from None


def _is_internal(key: str, value: object) -> bool:
    """Whether a reader put a value into `Document.meta` for masking only."""
    return key in (APART, CONTEXT, ESCAPES) or (
        key in (ROW, YEARS) and isinstance(value, tuple | frozenset)
    )


def _begins_with_record(source: Source) -> bool:
    """Whether the first line of a file is, or seems to be, a record in Veil's format.

    Named columns that it lacks belong to other files.
    """
    options = source.options
    is_named = options.id_column or options.patient_column or options.roles or options.hashed
    if not options.text_columns and (is_named or options.preset):
        return False
    with opened(source.file, source.encoding) as file:
        first = next(
            (line for line in iter(partial(file.readline, _LONGEST), b"") if line.strip()), b""
        )
    try:
        data = json.loads(first.removeprefix(BOM))
    except (ValueError, RecursionError):
        return True
    if not isinstance(data, dict):
        return True
    is_record = "id" in data and isinstance(data.get("text"), str)
    return is_record and not any(column in data for column in source.options.text_columns)


def _read_records(source: Source, log: ReadLog) -> Iterator[Located]:
    file = source.file
    for line in lines(file, source.encoding):
        if not line.data.strip():
            continue
        try:
            yield Located(_read_line(line, file, log), line.line)
        except JsonError as error:
            log.withhold(RecordError(str(error), path=file, line=line.line))
        except RecordError as error:
            log.withhold(error)


def _read_line(line: TextPiece, file: Path, log: ReadLog) -> Record:
    try:
        data = json.loads(line.decode(file), parse_constant=refuse_constant)
        if _SURROGATE_ESCAPE.search(line.data):
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise JsonError("a lone surrogate, which is not a character") from None
    except ValueError:
        raise JsonError("not JSON; a record is one object on one line") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    if not isinstance(data, dict):
        raise JsonError("not a JSON object")
    _check_keys(data, _KEYS, "")
    for key in ("id", "text"):
        if not isinstance(data.get(key), str):
            raise JsonError(f'"{key}" is required and must be a string')
    language, meta, spans = data.get("language"), data.get("meta", {}), data.get("spans", [])
    if not (language is None or isinstance(language, str)):
        raise JsonError('"language" must be a string or null')
    if not isinstance(meta, dict):
        raise JsonError('"meta" must be an object')
    if not isinstance(spans, list):
        raise JsonError('"spans" must be an array')
    document = Document(data["id"], data["text"], language, meta)
    return gold_record(document, [_read_span(span, document.text) for span in spans], log)


def _check_keys(data: dict[str, Any], known: Collection[str], where: str) -> None:
    unknown = [number for number, key in enumerate(data, start=1) if key not in known]
    if unknown:  # by number: the key may be text of a record
        raise JsonError(
            f"key {unknown[0]} of {len(data)}{where} is unknown; known: {', '.join(known)}"
        )


def _read_span(data: object, text: str) -> Span:
    if not isinstance(data, dict):
        raise JsonError("a span must be an object")
    _check_keys(data, _SPAN_KEYS, " in a span")
    start, end, label = data.get("start"), data.get("end"), data.get("label")
    if type(start) is not int or type(end) is not int:  # True is an int, but not an offset
        raise JsonError('"start" and "end" of a span must be whole numbers')
    if not span_inside(text, start, end):
        raise JsonError(f"a span with offsets outside the text of {len(text)} characters")
    if not isinstance(label, str) or not label:
        raise JsonError('"label" of a span must be a string')
    score, source, part = (data.get(key, value) for key, value in _SPAN_DEFAULTS.items())
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise JsonError('"score" of a span must be a number')
    if not isinstance(source, str):
        raise JsonError('"source" of a span must be a string')
    if part is not None and part not in get_args(Part):
        raise JsonError(f'"part" of a span must be one of {", ".join(get_args(Part))}')
    return Span(start, end, label, float(score), source, cast("Part | None", part))


def _span_data(span: Span) -> dict[str, Any]:
    data = {key: getattr(span, key) for key in _SPAN_KEYS}
    return {
        key: value
        for key, value in data.items()
        if key not in _SPAN_DEFAULTS or value != _SPAN_DEFAULTS[key]
    }


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and the offsets of its texts."""

    raw: str = field(repr=False)
    old: tuple[str, ...] = field(default=(), repr=False)
    offsets: tuple[tuple[int, int], ...] = ()
    dropped: tuple[RawEdit, ...] = ()
    escapes: tuple[Escapes | None, ...] = ()

    def render(self, texts: Sequence[str]) -> str:
        plain = escapes_letters(self.raw)
        given = self.escapes or (None,) * len(texts)
        edits = []
        for (start, end), old, new, escapes in zip(
            self.offsets, self.old, texts, given, strict=True
        ):
            if old != new and not self.raw.startswith('"', start):  # a number with a role
                edits.append(RawEdit(start, end, quoted(new, plain=plain)))
            elif old != new and escapes is not None:
                edits.append(RawEdit(start, end, quoted_with(new, escapes)))
            elif old != new:
                edits.append(RawEdit(start, end, requoted(self.raw[start:end], new, plain=plain)))
        return apply_edits(self.raw, [*edits, *self.dropped])


def with_escapes(item: Item, documents: Sequence[Document]) -> Item:
    """An item whose new texts are written with the escapes stored in the documents' meta."""
    if not isinstance(item.payload, _Line):
        return item
    escapes = tuple(doc.meta.get(ESCAPES) or {} for doc in documents)
    return replace(item, payload=replace(item.payload, escapes=escapes))


def _text_keys(options: TableOptions) -> tuple[str, ...]:
    return options.text_columns or (_TEXT,)


def _read(line: TextPiece, source: Source, ids: Ids) -> Item | RecordError:
    file = source.file
    try:
        raw = line.decode(file)
        start = skip_blank(raw, 0)
        if start == len(raw):
            return Item((), _Line(raw), is_record=False)
        return _Reader(raw, start, source.options, file).item(source.id, line.line, ids)
    except JsonError as error:
        return RecordError(str(error), path=file, line=line.line)
    except RecordError as error:
        return error


class _Reader:
    """Extracts the texts of one line."""

    def __init__(self, raw: str, start: int, options: TableOptions, file: Path) -> None:
        self.raw = raw
        self.object = parse_members(raw, start)
        self.options = with_preset(options, self.object.members, file)
        self.role_of = roles_of(self.options)
        if skip_blank(raw, self.object.end) < len(raw):
            raise JsonError("more than one value; a record is one object on one line")
        meta = self.object.get(_META)
        self.inner_meta = parse_at(raw, meta.start) if meta else Value(0, 0, None)

    def item(self, file_id: str, number: int, ids: Ids) -> Item:
        if _RESOURCE in self.object.members and not self.options.text_columns:
            raise JsonError(
                "a FHIR resource in a file that does not begin with one; correct its start"
            )
        texts = self._texts()
        meta = self._meta()
        language = self.object.string(_LANGUAGE) or None
        wanted = self._id()
        name = ids.claim(wanted, number) if wanted else f"{file_id}-{number}"
        cells = self._cells()
        values = (*texts.values(), *cells.values())
        documents = tuple(
            replace(doc, meta={**doc.meta, ESCAPES: escapes}) if escapes else doc
            for doc, value in zip(
                row_documents(
                    name,
                    {key: value.text for key, value in texts.items()},
                    meta,
                    language,
                    cells={key: _scalar(value) for key, value in cells.items()},
                    role_of=self.role_of,
                ),
                values,
                strict=True,
            )
            for escapes in [
                escapes_of(self.raw[value.start : value.end]) if value.is_string else None
            ]
        )
        offsets = tuple((value.start, value.end) for value in values)
        dropped = tuple(self._dropped())
        line = _Line(self.raw, tuple(doc.text for doc in documents), offsets, dropped)
        return Item(documents, line, is_record=bool(documents))

    def _texts(self) -> dict[str, Value]:
        """The texts by their keys, without null values."""
        keys = _text_keys(self.options)
        present = {key: value for key in keys if (value := self.object.get(key))}
        if not present and not self.options.text_columns and self.role_of:
            return {}
        if not present:
            wanted = " or ".join(f'"{key}"' for key in keys)
            raise JsonError(f"no key {wanted}; give the keys of texts with --text-column")
        texts = {key: value for key, value in present.items() if not self._is_null(value)}
        for key, value in texts.items():
            if not value.is_string:
                raise JsonError(f'"{key}" must be a string or null')
            if has_surrogate(value.text):
                raise JsonError(f'"{key}" has a lone surrogate, which is not a character')
        return texts

    def _cells(self) -> dict[str, Value]:
        """The values of keys with a role; numbers as written in the source."""
        cells = {}
        for key in self.role_of:
            value = self.object.get(key)
            if value is None or self._is_null(value):
                continue
            if not isinstance(value.content, str):
                raise JsonError(f'"{key}" must be a string, a number or null')
            if _scalar(value).strip():
                cells[key] = value
        return cells

    def _meta(self) -> dict[str, Any]:
        """The meta of the record: its patient, and known values of people."""
        meta: dict[str, Any] = {}
        if self.options.patient_column:
            patient = self._scalar(self.options.patient_column)
        else:
            objects = (self.object, self.inner_meta)
            found = (
                _scalar(each.get(key))
                for each in objects
                for key in _PATIENTS
                if each is not self.object or key not in _text_keys(self.options)
            )
            patient = next(filter(None, found), "")
        if patient:
            meta[PATIENT] = patient
        known = self.inner_meta.get(KNOWN)
        if known:
            meta[KNOWN] = _plain(known)
        return meta

    def _id(self) -> str:
        """The id of the record, or nothing; a text is not used as an id."""
        if self.options.id_column:
            return self._scalar(self.options.id_column, must=True)
        return "" if _ID in _text_keys(self.options) else self._scalar(_ID)

    def _scalar(self, key: str, *, must: bool = False) -> str:
        value = self.object.get(key)
        text = _scalar(value)
        if not text and (must or (value and not self._is_null(value) and not value.is_string)):
            raise JsonError(f'"{key}" is required and must be a string or a number')
        return text

    def _is_null(self, value: Value) -> bool:
        return self.raw.startswith("null", value.start)

    def _dropped(self) -> Iterator[RawEdit]:
        spans = () if _SPANS in self.options.text_columns else (_SPANS,)
        yield from _without(self.object, *spans, *self.options.dropped)
        yield from _without(self.inner_meta, KNOWN)


def _without(value: Value, *keys: str) -> list[RawEdit]:
    """Edits that remove keys from an object."""
    members = value.members
    dropped = [index for index, each in enumerate(members) if each in keys]
    return removals([member.extent for member in members.values()], dropped)


def _is_null(raw: str, value: Value) -> bool:
    return raw.startswith("null", value.start)


def _scalar(value: Value | None) -> str:
    """A string or a number used as an id; a lone surrogate is an error."""
    if value is None or not isinstance(value.content, str):
        return ""
    text = str(value.content) if isinstance(value.content, JsonNumber) else value.text
    if has_surrogate(text):
        raise JsonError("an id with a lone surrogate, which is not a character")
    return text


def _plain(value: Value) -> Any:
    """A value without its offsets; numbers as written in the source."""
    if isinstance(value.content, dict):
        return {key: _plain(member.value) for key, member in value.members.items()}
    if isinstance(value.content, list):
        return [_plain(each) for each in value.content]
    return value.content
