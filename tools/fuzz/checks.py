"""Checks of a run: its output has no planted identifier, and no record is lost."""

from __future__ import annotations

import base64
import binascii
import codecs
import csv
import gzip
import html
import io
import json
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tools.fuzz.plants import Plant

_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "latin-1", "shift_jis", "euc_jp")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}={0,2}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(/)")
_PARQUET = b"PAR1"
_ZIP = b"PK\x03\x04"
_TAG = re.compile(r"<[^<>]*>")
_RTF_LETTER = re.compile(r"\\u(-?\d+)\??|\\'([0-9a-f]{2})")
_RTF_CONTROL = re.compile(r"\\[a-z]+-?\d* ?|[{}\r\n]")
_HL7_HEADER = re.compile(rb"(?:^|[\r\n\x0b])\x0b?MSH(?=[^A-Za-z0-9])")


def find_plants(data: bytes, plants: Sequence[Plant]) -> Iterator[Plant]:
    """Yield the planted identifiers that bytes contain, in any encoding."""
    views = list(dict.fromkeys(_views(data)))
    for each in plants:
        if any(form in view for form in _forms(each.value) for view in views):
            yield each


def _forms(value: str) -> set[bytes]:
    forms = set()
    for encoding in _ENCODINGS:
        try:
            forms.add(value.encode(encoding))
        except UnicodeEncodeError:
            continue
    return forms


def _views(data: bytes) -> Iterator[bytes]:
    """Yield the bytes, and all forms with compression and encodings removed."""
    yield data
    if data.startswith(b"\x1f\x8b"):
        try:
            yield gzip.decompress(data)
        except (OSError, EOFError):
            return
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield data.decode("utf-16", "replace").encode("utf-8", "replace")
    if data.startswith(_PARQUET):
        yield from (each.encode("utf-8", "surrogatepass") for each in _parquet_strings(data))
        return
    if data.startswith(_ZIP):
        for part in _parts(data).values():
            yield from _views(part)
        return
    text = data.decode("utf-8", "replace")
    if text.startswith("{\\rtf"):
        text = _RTF_LETTER.sub(_rtf_letter, text)
        yield _RTF_CONTROL.sub("", text).encode("utf-8", "replace")
    elif "<" in text:
        yield html.unescape(_TAG.sub("", text)).encode("utf-8", "replace")
    plain = _ESCAPE.sub(lambda found: found[2] or chr(int(found[1], 16)), text)
    for each in (plain, html.unescape(plain)):
        yield each.encode("utf-8", "replace")
        # UTF-8 that was read as Latin-1 and written as UTF-8.
        yield each.encode("latin-1", "ignore")
    for run in _BASE64.findall(plain.encode("utf-8", "replace")):
        try:
            yield base64.b64decode(
                run + b"=" * (-len(run) % 4), altchars=b"-_" if b"_" in run else None
            )
        except binascii.Error:
            continue


def _rtf_letter(found: re.Match[str]) -> str:
    return chr(int(found[1]) % 0x10000) if found[1] else bytes.fromhex(found[2]).decode("cp1252")


def _parts(data: bytes) -> dict[str, bytes]:
    """The parts of a zip archive that can be read."""
    parts: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            for name in package.namelist():
                parts[name] = package.read(name)
    except (
        zipfile.BadZipFile,
        zlib.error,
        ValueError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ):
        return parts
    return parts


def _parquet_strings(data: bytes) -> Iterator[str]:
    """Yield all strings of a table: values, dictionaries, statistics and metadata."""
    parquet = import_module("pyarrow.parquet")
    arrow = import_module("pyarrow")
    try:
        plain = parquet.ParquetFile(io.BytesIO(data))
        leaves = (plain.schema.column(place) for place in range(len(plain.schema)))
        strings = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
        encoded = parquet.ParquetFile(io.BytesIO(data), read_dictionary=strings)
        table = encoded.read(use_threads=False)
    except (arrow.ArrowException, OSError):
        return
    yield f"{plain.metadata.metadata} {plain.schema_arrow.metadata} {plain.schema}"
    for column in table.columns:
        for chunk in column.chunks:
            if isinstance(chunk, arrow.DictionaryArray):
                yield str(chunk.dictionary.to_pylist())
        yield str(column.to_pylist())
    for number in range(plain.metadata.num_row_groups):
        group = plain.metadata.row_group(number)
        for place in range(group.num_columns):
            yield str(group.column(place).statistics)


@dataclass
class Content:
    """The records of a file: their number, and the texts of those with a unique id."""

    count: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    is_valid: bool = True

    def add(self, name: object, text: object) -> None:
        self.count += 1
        self.texts[f"{name}"] = f"{text}" if f"{name}" not in self.texts else ""


def read_content(name: str, data: bytes) -> Content:
    """Read a file by its name like other programs; a broken record counts as a record."""
    suffix = name.rpartition(".")[2] if "." in name else "txt"
    if data.startswith(_PARQUET) or suffix in ("parquet", "pq"):
        return _parquet(data)
    if suffix in ("csv", "tsv"):
        return _table(data)
    if suffix in ("jsonl", "ndjson", "json"):
        return _json(data)
    content = Content(1, {"": data.decode("utf-8", "replace")})
    content.is_valid = _is_utf8(data)
    if suffix in ("hl7", "er7"):
        content.count = len(_HL7_HEADER.findall(data))
    elif suffix == "docx":
        parts = _parts(data)
        content.texts = {"": "".join(each.decode("utf-8", "replace") for each in parts.values())}
        xml = [each for name, each in parts.items() if name.endswith(".xml")]
        content.is_valid = bool(xml) and all(map(_is_xml, xml))
    elif suffix == "xlsx":
        content = _workbook(data)
    elif suffix == "rtf":  # bytes of any code page
        content.is_valid = data.startswith(b"{\\rtf")
    elif suffix == "xml":
        content.is_valid = _is_xml(data)
    return content


def _workbook(data: bytes) -> Content:
    """The rows of a workbook that another program can read."""
    parts = _parts(data)
    content = Content()
    xml = [each for name, each in parts.items() if name.endswith(".xml")]
    content.is_valid = bool(xml) and all(map(_is_xml, xml))
    try:
        book = import_module("openpyxl").load_workbook(io.BytesIO(data))
        for row in list(book.worksheets[0].values)[1:]:
            if any(cell is not None for cell in row):
                content.add(row[0], row[-1])
    except Exception:  # openpyxl raises many types of errors for broken files
        for row in re.findall(rb"<row\b", parts.get("xl/worksheets/sheet1.xml", b""))[1:]:
            content.add("", row)
    return content


def _is_xml(data: bytes) -> bool:
    try:
        ElementTree.fromstring(data)  # noqa: S314 - made by the fuzzer
    except (ElementTree.ParseError, ValueError, LookupError):
        return False
    return True


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _parquet(data: bytes) -> Content:
    parquet, arrow = import_module("pyarrow.parquet"), import_module("pyarrow")
    content = Content()
    try:
        table = parquet.ParquetFile(io.BytesIO(data)).read(use_threads=False)
        for row in table.select(["id", "note"]).to_pylist():
            content.add(row["id"], row["note"])
    except (arrow.ArrowException, OSError, KeyError, UnicodeDecodeError):
        content.is_valid = False
    return content


def _table(data: bytes) -> Content:
    text = data.decode("utf-8-sig", "surrogateescape")
    content = Content(is_valid=_is_utf8(data))
    header = text.splitlines()[0] if text else ""
    delimiter = max(",;\t|", key=header.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        content.is_valid = False
        return content
    columns = rows[0] if rows else []
    wanted = [place for place, each in enumerate(columns) if each in ("note", "plan")]
    for row in filter(None, rows[1:]):
        if len(row) != len(columns):
            content.is_valid = False
        name = row[columns.index("id")] if "id" in columns and len(row) == len(columns) else ""
        content.add(name, [row[place] for place in wanted if place < len(row)])
    return content


def _json(data: bytes) -> Content:
    """A bundle, a resource, or lines of JSON."""
    content = Content(is_valid=_is_utf8(data))
    text = data.decode("utf-8-sig", "surrogateescape")
    try:
        whole = json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict):
        for each in _entries(whole):
            content.add(_id(each), json.dumps(each, ensure_ascii=False))
        return content
    for line in text.split("\n"):
        if not line.strip(" \t\r"):
            continue
        try:
            record = json.loads(line, parse_int=str)  # of any length
        except RecursionError:  # valid, but too deep for Python
            record = line
        except ValueError:
            content.is_valid = False
            record = line
        content.add(_id(record), json.dumps(record, ensure_ascii=False))
    return content


def _entries(whole: dict[str, Any]) -> Iterable[Any]:
    entries = whole.get("entry")
    if whole.get("resourceType") != "Bundle" or not isinstance(entries, list):
        return [whole]
    return entries


def _id(record: Any) -> str:
    if isinstance(record, dict):
        inner = record.get("resource", record)
        return str(inner.get("id")) if isinstance(inner, dict) else ""
    return ""
