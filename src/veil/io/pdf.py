"""PDF: the text of the pages is extracted and masked to a text file, not back to a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil.core.document import Document
from veil.core.errors import InputError, RecordError
from veil.io.base import Item, ItemFormat, encoded
from veil.io.files import reading, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from veil.io.base import ItemWriter, Source, TableOptions

_START = b"%PDF-"
_STARTS_WITHIN = 1024
_MOST_PAGES = 20_000
_LONGEST = 1 << 27
_BETWEEN_PAGES = "\n\f"


class PdfFormat(ItemFormat):
    """The text of a PDF; the output is a text file."""

    name = "pdf"
    about = "the text of a PDF; masked to a text file (needs the extra 'pdf')"
    suffixes = (".pdf",)
    is_text = False
    masked_suffix = ".txt"

    def sniff(self, file: Path) -> bool:
        return file.suffix.lower() == ".pdf" or _START in start_of(file, _STARTS_WITHIN)

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        file = source.file
        with reading(file):
            text = _text(file)
        # The masked text has the same id: its file is x.pdf.txt.
        yield Item((Document(f"{source.id}.pdf", text),), is_record=True)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> AbstractContextManager[ItemWriter]:
        return _Writer(target)


class _Writer:
    """Writes the text once."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._size = 0
        target.unlink(missing_ok=True)

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def write(self, item: Item, texts: Sequence[str]) -> None:
        (text,) = texts
        self._size = self._target.write_bytes(encoded(text, item))

    def flush(self) -> int:
        return self._size


def _text(file: Path) -> str:
    """The text of all pages and form fields; a page with unreadable text is an error."""
    try:
        import pypdf
    except ImportError:
        raise InputError(f"{file}: reading PDF needs pypdf: pip install 'veil-deid[pdf]'") from None
    import logging

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings may quote the file
    try:
        reader = pypdf.PdfReader(file)
        if reader.is_encrypted:
            raise RecordError(
                "an encrypted PDF; open it and save it without a password first", path=file
            )
        if len(reader.pages) > _MOST_PAGES:
            raise RecordError(f"a PDF of more than {_MOST_PAGES} pages; split it", path=file)
        pages = []
        size = 0
        for number, page in enumerate(reader.pages, start=1):
            text = page.extract_text()
            if not text.strip() and _has_picture(page):
                raise RecordError(
                    f"page {number} has a picture but no text: a scan, which Veil cannot read; "
                    "recognise its text (OCR) first",
                    path=file,
                )
            size += len(text)
            if size > _LONGEST:
                raise RecordError("a PDF with too much text; split it", path=file)
            pages.append(text)
        fields = reader.get_form_text_fields() or {}
    except RecordError:
        raise
    except Exception:  # pypdf raises errors of many kinds for damaged files
        raise RecordError("a damaged PDF, or not a PDF", path=file) from None
    values = [f"{name}: {value}" for name, value in fields.items() if value]
    joined = _BETWEEN_PAGES.join([*pages, *(["\n".join(values)] if values else [])])
    if not joined.strip():
        raise RecordError("a PDF without text", path=file)
    # Fonts without a character map give lone surrogates or controls, which cannot be written.
    return joined.encode("utf-16", "replace").decode("utf-16")


def _has_picture(page: Any) -> bool:
    """Whether a page shows a picture, including one inside a form."""
    resources = page.get("/Resources")
    seen: set[int] = set()
    stack = [resources.get_object()] if resources is not None else []
    while stack:
        each = stack.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        objects = each.get("/XObject")
        for inner in (objects.get_object() if objects is not None else {}).values():
            inner = inner.get_object()
            if inner.get("/Subtype") == "/Image":
                return True
            if inner.get("/Resources") is not None:
                stack.append(inner["/Resources"].get_object())
    return b"BI" in _content(page) and b"ID" in _content(page)


def _content(page: Any) -> bytes:
    contents = page.get_contents()
    return contents.get_data() if contents is not None else b""
