"""JSON lines: a record a line, everything that Veil knows of it kept."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, cast, get_args

from veil.core.document import Document, Part, Record, Span
from veil.core.errors import RecordError
from veil.io.base import FORMATS, files_below, head
from veil.io.reading import BOM, Located, gold_record, lines, read_files, span_inside
from veil.io.writing import write_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from veil.io.base import ReadLog
    from veil.io.reading import Piece

_KEYS = ("id", "text", "language", "spans", "meta")
_SPAN_KEYS = ("start", "end", "label", "score", "source", "part")
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_STRING_TEXT = re.compile(r'"text"\s*:\s*"')


class JsonlFormat:
    """JSON lines: `{"id": ..., "text": ..., "spans": [{"start": 0, "end": 4, "label": ...}]}`."""

    name = "jsonl"
    about = "JSON lines, a record a line; keeps scores, sources, language and meta too"
    suffixes = (".jsonl", ".ndjson")

    def sniff(self, path: Path) -> bool:
        first, line_feed, _ = head(path).lstrip(BOM).lstrip().partition("\n")
        if not first.startswith("{"):
            return False
        try:
            record = json.loads(first)
        except ValueError:  # the line goes on beyond the head, or is not JSON
            return not line_feed and '"id"' in first and _STRING_TEXT.search(first) is not None
        except RecursionError:
            return False
        return "id" in record and isinstance(record.get("text"), str)

    def files(self, path: Path) -> Iterator[Path]:
        return files_below(path, *self.suffixes)

    def read(self, path: Path, log: ReadLog) -> Iterator[Record]:
        return read_files(self.files(path), path, log, lambda file: _read_file(file, log))

    def write(self, records: Iterable[Record], path: Path, log: ReadLog | None = None) -> int:
        return write_file(records, path, log, name="records.jsonl", render=_render)


class _LineError(Exception):
    """What is wrong with a line; its reader knows which."""


def _read_file(file: Path, log: ReadLog) -> Iterator[Located]:
    for line in lines(file):
        if not line.data.strip():
            continue
        try:
            yield Located(_read_line(line, file, log), line.line)
        except _LineError as error:
            log.withhold(RecordError(str(error), path=file, line=line.line))
        except RecordError as error:
            log.withhold(error)


def _read_line(line: Piece, file: Path, log: ReadLog) -> Record:
    try:
        data = json.loads(line.decode(file), parse_constant=_refuse_constant)
        if _SURROGATE_ESCAPE.search(line.data):
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise _LineError("half a surrogate pair, which is no character") from None
    except ValueError:
        raise _LineError("not JSON; a record is one object on one line") from None
    except RecursionError:
        raise _LineError("nested too deep") from None
    if not isinstance(data, dict):
        raise _LineError("not a JSON object")
    _check_keys(data, _KEYS, "")
    for key in ("id", "text"):
        if not isinstance(data.get(key), str):
            raise _LineError(f'"{key}" must be there, and a string')
    language, meta, spans = data.get("language"), data.get("meta", {}), data.get("spans", [])
    if not (language is None or isinstance(language, str)):
        raise _LineError('"language" must be a string or null')
    if not isinstance(meta, dict):
        raise _LineError('"meta" must be an object')
    if not isinstance(spans, list):
        raise _LineError('"spans" must be an array')
    document = Document(data["id"], data["text"], language, meta)
    return gold_record(document, [_read_span(span, document.text) for span in spans], log)


def _refuse_constant(_: str) -> None:
    raise ValueError("NaN and Infinity are not JSON")


def _check_keys(data: dict[str, Any], known: Collection[str], where: str) -> None:
    unknown = [number for number, key in enumerate(data, start=1) if key not in known]
    if unknown:  # by its number: a key may be a piece of a record
        raise _LineError(
            f"key {unknown[0]} of {len(data)}{where} is unknown; known: {', '.join(known)}"
        )


def _read_span(data: object, text: str) -> Span:
    if not isinstance(data, dict):
        raise _LineError("a span must be an object")
    _check_keys(data, _SPAN_KEYS, " in a span")
    start, end, label = data.get("start"), data.get("end"), data.get("label")
    if type(start) is not int or type(end) is not int:  # True is an int, but no offset
        raise _LineError('"start" and "end" of a span must be whole numbers')
    if not span_inside(text, start, end):
        raise _LineError(f"a span whose offsets do not fit the text of {len(text)} characters")
    if not isinstance(label, str) or not label:
        raise _LineError('"label" of a span must be a string')
    score, source, part = data.get("score", 1.0), data.get("source", ""), data.get("part")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise _LineError('"score" of a span must be a number')
    if not isinstance(source, str):
        raise _LineError('"source" of a span must be a string')
    if part is not None and part not in get_args(Part):
        raise _LineError(f'"part" of a span must be one of {", ".join(get_args(Part))}')
    return Span(start, end, label, float(score), source, cast("Part | None", part))


def _render(record: Record) -> str:
    doc = record.document
    data: dict[str, Any] = {
        "id": doc.id,
        "text": doc.text,
        "language": doc.language,
        "spans": [_span_data(span) for span in sorted(record.annotations, key=lambda s: s.start)],
    }
    if doc.meta:
        data["meta"] = dict(doc.meta)
    try:
        return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError, RecursionError):
        raise RecordError("its meta or a score has no form in JSON", record=record.id) from None


def _span_data(span: Span) -> dict[str, Any]:
    data: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.score != 1.0:
        data["score"] = span.score
    if span.source:
        data["source"] = span.source
    if span.part is not None:
        data["part"] = span.part
    return data


FORMATS.add(JsonlFormat.name, JsonlFormat())
