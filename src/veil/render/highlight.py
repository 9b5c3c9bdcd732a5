"""One record with its spans highlighted."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import TYPE_CHECKING

from veil.core.errors import printable
from veil.core.labels import SCHEMES, family_in, scheme

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.core.document import Record, Span

# One colour a family: a reader learns them within a page. Numbers are xterm-256 backgrounds.
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
_RESET = "\x1b[0m"


def segments(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, Span | None]]:
    """Cut a text at its disjoint spans; joined, the pieces are the text."""
    position = 0
    for span in spans:
        if position < span.start:
            yield text[position : span.start], None
        yield text[span.start : span.end], span
        position = span.end
    if position < len(text):
        yield text[position:], None


def terminal_record(record: Record, *, colour: bool) -> str:
    """A record for the terminal: coloured, or with `[…|LABEL]` where colours are off."""
    pieces = []
    for piece, span in segments(record.document.text, record.spans):
        if span is None:
            pieces.append(_printable(piece))
        elif colour:
            background = _TERMINAL_COLOURS[span_family(span)]
            shown = f"{_printable(piece)}\x1b[2m {span_title(span)}"
            pieces.append(f"\x1b[48;5;{background}m\x1b[30m{shown}{_RESET}")
        else:
            pieces.append(f"[{_printable(piece)}|{span_title(span)}]")
    return "".join(pieces)


def html_record(record: Record) -> str:
    """A record as a section of an HTML page."""
    pieces = []
    for piece, span in segments(record.document.text, record.spans):
        if span is None:
            pieces.append(escape(piece))
        else:
            pieces.append(
                f'<mark class="{span_family(span).lower()}" title="{escape(_details(span))}">'
                f"{escape(piece)}<small>{escape(span_title(span))}</small></mark>"
            )
    language = f' lang="{escape(record.document.language)}"' if record.document.language else ""
    return (
        f'<section><h2>{escape(printable(record.id))}</h2><pre class="record"{language}>'
        f"{''.join(pieces)}</pre></section>"
    )


def span_family(span: Span) -> str:
    """The Veil family of a span's label in whatever scheme knows it."""
    for name in SCHEMES:
        found = family_in(span.label, scheme(name))
        if found is not None:
            return found
    return "OTHER"


def span_title(span: Span) -> str:
    return f"{span.label}:{span.part}" if span.part else span.label


def _details(span: Span) -> str:
    details = [span_title(span), f"{span.start}-{span.end}"]
    if span.source:
        details.append(f"{span.source} {span.score:.2f}")
    return " · ".join(details)


def _printable(text: str) -> str:
    """Take the power out of control characters: a record must not drive the terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" or unicodedata.category(char) == "Zs" else "�"
        for char in text.replace("\r\n", "\n")
    )
