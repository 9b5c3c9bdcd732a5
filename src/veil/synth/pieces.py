"""A record while it is being made: pieces of text, each with a label or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.document import Document, Record, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.core.document import Part


# What does not follow a space.
_CLINGS = (" ", ".", ",", ";", ")", "\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; one with a label becomes a span.

    Neighbours that `joins` tells to are one span: "Berg" and "Anna" of "Berg, Anna".
    """

    text: str
    label: str | None = None
    part: Part | None = None
    joins: bool = False


def joined(pieces: Iterable[Piece], *, names: bool) -> list[Piece]:
    """Put pieces of one label that belong together into one, and plain text with plain text.

    With `names`, names as well: languages whose schemes tell first from last names keep these
    apart. Where an alternative between two plain texts was empty, no space is left over.
    """
    made: list[Piece] = []
    for piece in pieces:
        before = made[-1] if made else None
        if before is not None and before.label is None and piece.label is None:
            made[-1] = Piece(_tidily_joined(before.text, piece.text))
        elif (
            before is not None
            and piece.joins
            and before.label == piece.label
            and (names or piece.part is None)
        ):
            made[-1] = replace(before, text=before.text + piece.text, part=None)
        else:
            made.append(piece)
    return made


def _tidily_joined(left: str, right: str) -> str:
    if left.endswith(" ") and not left.endswith("  ") and right.startswith(_CLINGS):
        left = left[:-1]
    return left + right


def capitalised(pieces: list[Piece]) -> list[Piece]:
    """The same pieces, the first letter of the first a capital."""
    if not pieces or not pieces[0].text[:1].islower():
        return pieces
    first = pieces[0]
    return [replace(first, text=first.text[0].upper() + first.text[1:]), *pieces[1:]]


def record_of(name: str, pieces: Iterable[Piece], *, language: str, kind: str) -> Record:
    """Put pieces together to a record with spans; white space at the ends of a span stays out."""
    texts: list[str] = []
    spans: list[Span] = []
    position = 0
    for piece in pieces:
        texts.append(piece.text)
        inner = piece.text.strip()
        if piece.label and inner:
            start = position + piece.text.index(inner)
            spans.append(Span(start, start + len(inner), piece.label, part=piece.part))
        position += len(piece.text)
    meta = {"kind": kind}
    return Record.of(Document(name, "".join(texts), language, meta), spans)
