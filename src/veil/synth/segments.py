"""Segments: pieces of text with or without a label, from which a dummy record is built."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.document import Document, Record, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.core.document import Part


_NO_SPACE_BEFORE = (" ", ".", ",", ";", ")", "\n")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text; one with a label becomes a span."""

    text: str
    label: str | None = None
    part: Part | None = None


def merge_segments(segments: Iterable[Segment]) -> list[Segment]:
    """Merge neighbours that are plain text, without the double spaces of empty alternatives."""
    merged: list[Segment] = []
    for segment in segments:
        if merged and merged[-1].label is None and segment.label is None:
            merged[-1] = Segment(_join_tidily(merged[-1].text, segment.text))
        else:
            merged.append(segment)
    return merged


def _join_tidily(left: str, right: str) -> str:
    if left.endswith(" ") and not left.endswith("  ") and right.startswith(_NO_SPACE_BEFORE):
        left = left[:-1]
    return left + right


def text_of(segments: Iterable[Segment]) -> str:
    """Return the text of segments without their labels."""
    return "".join(segment.text for segment in segments)


def capitalised(segments: list[Segment]) -> list[Segment]:
    """Return the same segments with a capital as their first letter."""
    if not segments or not segments[0].text[:1].islower():
        return segments
    first = segments[0]
    return [replace(first, text=first.text[0].upper() + first.text[1:]), *segments[1:]]


def build_record(name: str, segments: Iterable[Segment], *, language: str, kind: str) -> Record:
    """Build a record with spans from segments; spans do not begin or end with white space."""
    texts: list[str] = []
    spans: list[Span] = []
    position = 0
    for segment in segments:
        texts.append(segment.text)
        inner = segment.text.strip()
        if segment.label and inner:
            start = position + segment.text.index(inner)
            spans.append(Span(start, start + len(inner), segment.label, part=segment.part))
        position += len(segment.text)
    meta = {"kind": kind}
    return Record.of(Document(name, "".join(texts), language, meta), spans)
