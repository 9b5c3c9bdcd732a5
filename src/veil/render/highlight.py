"""Records with their spans highlighted, for the terminal and for HTML pages."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import printable
from veil.core.labels import family_in, known_schemes, scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.core.document import Record, Span

# One colour per family of labels. Numbers are xterm-256 backgrounds.
_TERMINAL_COLOURS = {
    "NAME": 217,
    "PROFESSION": 223,
    "LOCATION": 151,
    "AGE": 229,
    "DATE": 153,
    "CONTACT": 183,
    "ID": 250,
    "SEX": 224,
    "RELATIVE": 216,
    "TIME": 159,
    "OTHER": 252,
}
FAMILIES = {
    "NAME": "names",
    "PROFESSION": "professions",
    "LOCATION": "places and institutions",
    "AGE": "ages",
    "DATE": "dates",
    "CONTACT": "phone and e-mail",
    "ID": "numbers",
    "SEX": "sex",
    "RELATIVE": "relatives",
    "TIME": "times",
    "OTHER": "other",
}
"""The families of labels with their colours, and their titles in legends."""

_RESET = "\x1b[0m"


class RecordPiece(NamedTuple):
    """A piece of a record on a page; a piece outside spans has no label."""

    text: str
    label: str = ""
    family: str = ""
    details: str = ""


class RecordView(NamedTuple):
    """A record for the page template."""

    title: str
    language: str | None
    pieces: list[RecordPiece]


def segments(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, Span | None]]:
    """Cut a text at its disjoint spans; the pieces together are the text."""
    position = 0
    for span in spans:
        if position < span.start:
            yield text[position : span.start], None
        yield text[span.start : span.end], span
        position = span.end
    if position < len(text):
        yield text[position:], None


def terminal_record(record: Record, *, colour: bool) -> str:
    """A record for the terminal: in colour, or with spans as `[text|LABEL]`."""
    pieces = []
    for piece, span in segments(record.document.text, record.spans):
        if span is None:
            pieces.append(_printable(piece))
        elif colour:
            background = _TERMINAL_COLOURS[span_family(span)]
            shown = f"{_printable(piece)}\x1b[2m {_title(span)}"
            pieces.append(f"\x1b[48;5;{background}m\x1b[30m{shown}{_RESET}")
        else:
            pieces.append(f"[{_printable(piece)}|{_title(span)}]")
    return "".join(pieces)


def record_view(record: Record) -> RecordView:
    """A record for the page template `records`."""
    pieces = [
        RecordPiece(text)
        if span is None
        else RecordPiece(text, _title(span), span_family(span).lower(), _details(span))
        for text, span in segments(record.document.text, record.spans)
    ]
    return RecordView(printable(record.id), record.document.language, pieces)


def families_of(views: Iterable[RecordView]) -> list[tuple[str, str]]:
    """The families in records with their titles, for a legend, in a fixed order."""
    found = {piece.family for view in views for piece in view.pieces if piece.family}
    return [(name.lower(), title) for name, title in FAMILIES.items() if name.lower() in found]


def span_family(span: Span) -> str:
    """The family of a span's label in the first scheme that has the label."""
    for name in known_schemes():
        found = family_in(span.label, scheme(name))
        if found is not None:
            return found
    return "OTHER"


def _title(span: Span) -> str:
    return f"{span.label}:{span.part}" if span.part else span.label


def _details(span: Span) -> str:
    details = [_title(span), f"{span.start}-{span.end}"]
    if span.source:
        details.append(f"{span.source} {span.score:.2f}")
    return " · ".join(details)


def _printable(text: str) -> str:
    """Replace control characters: the text of a record must not control the terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" or unicodedata.category(char) == "Zs" else "�"
        for char in text.replace("\r\n", "\n")
    )
