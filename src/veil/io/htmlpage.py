"""HTML pages: the text between the tags is masked, and the tags stay."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.document import Document
from veil.core.encodings import (
    CharsetError,
    Decoded,
    declared_encoding,
    decode,
    decode_checked,
    exact_encoding,
    read_data,
)
from veil.core.errors import RecordError
from veil.io.base import FileWriter, Item, ItemFormat
from veil.io.files import BOM, reading, refuse_nul, start_of
from veil.io.markup import Markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.io.base import Source, TableOptions

_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.I | re.S
)
_CHARSET = re.compile(
    rb"<meta\b[^>]*?charset\s*=\s*[\"']?\s*([\w.:\-]+)"
    rb"|<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:\-]+)",
    re.I,
)
_SEARCHED = 4096
# Browsers read pages that declare ASCII or Latin-1 as Windows-1252.
_BROWSERS = {"iso8859-1": "cp1252", "ascii": "cp1252", "shift_jis": "cp932"}


class HtmlFormat(ItemFormat):
    """A page is a record; comments and scripts are removed."""

    name = "html"
    about = "HTML pages"
    suffixes = (".html", ".htm", ".xhtml")
    is_text = False

    def sniff(self, file: Path) -> bool:
        if file.suffix.lower() in self.suffixes:
            return True
        return _START.match(start_of(file, _SEARCHED).removeprefix(BOM)) is not None

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        file = source.file
        with reading(file):
            data = file.read_bytes()
        decoded = _decoded(data, source)
        markup = Markup(decoded.text, is_page=True)
        doc = Document(source.id, markup.text)
        yield Item((doc,), _Page(markup, decoded), is_record=bool(markup.text.strip()))

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        return _Writer(target, needs_item=True)


@dataclass(frozen=True)
class _Page:
    markup: Markup = field(repr=False)
    decoded: Decoded = field(repr=False)


class _Writer(FileWriter):
    """Writes a page in its encoding; other characters become references."""

    def write(self, item: Item, texts: Sequence[str]) -> None:
        (text,) = texts
        page = item.payload
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            reason = "a lone surrogate, which cannot be encoded"
            raise RecordError(reason, record=item.documents[0].id) from None
        new = page.markup.woven(text).encode(page.decoded.encoding, "xmlcharrefreplace")
        self._file.write(page.decoded.mark + new)
        self.has_written = True


def _decoded(data: bytes, source: Source) -> Decoded:
    """The text of a page by its byte order mark, its declaration, or the encoding given."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = "utf-16"
    else:
        refuse_nul(data, source.file)
        declared = _CHARSET.search(data[:_SEARCHED])
        name = (declared[1] or declared[2]).decode() if declared else ""
        if data.startswith(BOM):
            name = "utf-8"
    if not name:
        text = decode(
            read_data(source.file, source.encoding), source.file, encoding=source.encoding
        )
        return Decoded(text, exact_encoding(source.file, source.encoding), b"")
    try:
        encoding = declared_encoding(name)
        return decode_checked(data, _BROWSERS.get(encoding, encoding))
    except CharsetError as error:
        raise RecordError(f"a page {error}", path=source.file) from None
