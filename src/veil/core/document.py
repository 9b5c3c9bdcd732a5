"""The values that pass through the pipeline: documents, tokens, spans.

Offsets are Python code points, half open, into `Document.text`. `Document.text` is exactly what was
read: not stripped, not normalised, no newline translated. A `repr` never shows text of a record.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field, fields
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Part = Literal["first", "last", "full", "partial", "staff", "centre"]
"""What a label does not say: a first or last name; a full or partial date; a staff number; a health
centre rather than a hospital."""

# Keys of `Document.meta` that several modules use.
PATIENT = "patient"
"""The id of the patient whom a document is about."""
ROW = "row"
"""The texts of a table row without a patient id; the row then counts as one patient."""
KNOWN = "known"
"""What is known in advance of the document's people, by the columns of docs/known.md."""
WHOLE = "whole"
"""The label of a document whose whole text is one identifier."""
ESCAPES = "escapes"
"""How the text is escaped in its file, so that a mapping can restore the same bytes."""
YEARS = "years"
"""Years of dates that belong to the same record but are not in the document's text."""
HASH = "hash"
"""Whether a whole text is replaced by a keyed hash, whatever the policy says."""
CONTEXT = "veil:context"
"""Texts of the record that contains the document, used to identify its language."""
APART = "veil:apart"
"""Whether the rows of a table around that of a document must not affect how it is masked."""
ENCODING = "encoding"
"""The encoding of the masked output, if it lacks some characters."""
PART = "part"
"""The part that goes with the label in `WHOLE`, where it is known: "first" or "last"."""


@dataclass(frozen=True, slots=True)
class Document:
    """One record's text, exactly as it was read."""

    id: str
    text: str = field(repr=False)
    language: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict, repr=False)


def with_changes(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with changes applied: (start, end, new text), sorted and disjoint."""
    pieces: list[str] = []
    position = 0
    for start, end, new in changes:
        pieces += [text[position:start], new]
        position = end
    return "".join([*pieces, text[position:]])


class Token(NamedTuple):
    """A stretch of text without white space inside a document."""

    start: int
    end: int


class Sentence(NamedTuple):
    """A stretch of text that holds whole tokens; sentences are sorted and disjoint."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, init=False)
class Span:
    """A labelled stretch of a document. It carries no text, so that none can leak through it."""

    start: int
    end: int
    label: str
    score: float = 1.0
    source: str = ""
    part: Part | None = None

    def __init__(
        self,
        start: int,
        end: int,
        label: str,
        score: float = 1.0,
        source: str = "",
        part: Part | None = None,
    ) -> None:
        # Spans are made by the thousand: this takes a third of the time of the `__init__` that
        # `dataclass` generates.
        if not 0 <= start < end:
            raise ValueError(f"a span must hold at least one character: {start}-{end}")
        _set_start(self, start)
        _set_end(self, end)
        _set_label(self, label)
        _set_score(self, score)
        _set_source(self, source)
        _set_part(self, part)

    @property
    def key(self) -> tuple[int, int, str]:
        """What scorers compare: offsets and label, but not the detector."""
        return (self.start, self.end, self.label)

    def at(self, start: int, end: int) -> Span:
        """A copy with other offsets; `dataclasses.replace` takes four times as long."""
        return Span(start, end, self.label, self.score, self.source, self.part)

    def labelled(self, label: str, part: Part | None) -> Span:
        """A copy with another label and part."""
        return Span(self.start, self.end, label, self.score, self.source, part)

    def scored(self, score: float) -> Span:
        """A copy with another score."""
        return Span(self.start, self.end, self.label, score, self.source, self.part)


_set_start, _set_end, _set_label, _set_score, _set_source, _set_part = (
    getattr(Span, each.name).__set__ for each in fields(Span)
)


_by_start = attrgetter("start")


class Spans(tuple[Span, ...]):
    """Sorted, disjoint spans inside their document.

    Only `resolve` and the corpus readers make one; `replace` takes nothing else.
    """

    __slots__ = ()

    def __new__(cls, doc: Document, spans: Iterable[Span] = ()) -> Spans:
        ordered = sorted(spans, key=_by_start)
        for left, right in pairwise(ordered):
            if right.start < left.end:
                raise ValueError(
                    f"record {doc.id}: spans overlap: {left.start}-{left.end} "
                    f"and {right.start}-{right.end}"
                )
        if ordered and len(doc.text) < ordered[-1].end:
            raise ValueError(
                f"record {doc.id}: span {ordered[-1].start}-{ordered[-1].end} "
                f"lies outside the text of {len(doc.text)} characters"
            )
        return super().__new__(cls, ordered)

    @classmethod
    def in_order(cls, doc: Document, spans: Sequence[Span]) -> Spans:
        """Return `Spans` without checking each span; they must be sorted and disjoint."""
        if spans and len(doc.text) < spans[-1].end:
            return cls(doc, spans)  # which raises the error
        return super().__new__(cls, spans)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the document: the spans were checked when they were made."""
        return tuple.__new__, (Spans, tuple(self))


@dataclass(frozen=True, slots=True)
class Record:
    """A document with the annotations that its file holds.

    `spans` are disjoint. Spans that overlap a longer one, and other annotations of the file, are
    kept in `set_aside`: readers lose nothing, and a scorer can count all `annotations` as they
    were. `values` are the clinical values that detectors recognised. `doubts` are the words in
    which they might find something if the surrounding text were different (`veil.core.values`);
    None means that every word may be one. `is_plain` says that detectors read the text itself, not
    a normalised view of it (`veil.core.view`).
    """

    document: Document
    spans: Spans
    set_aside: tuple[Span, ...] = ()
    values: tuple[Span, ...] = ()
    doubts: tuple[Span, ...] | None = None
    is_plain: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, document: Document, annotations: Sequence[Span] = ()) -> Record:
        """Make a record from annotations in file order; where some overlap, the longest is kept."""
        kept, set_aside = prefer_longest(annotations)
        return cls(document, Spans(document, kept), tuple(set_aside))

    @property
    def id(self) -> str:
        return self.document.id

    @property
    def annotations(self) -> tuple[Span, ...]:
        """All annotations as read, overlapping ones included."""
        return (*self.spans, *self.set_aside)


def prefer_longest(spans: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Split spans into disjoint ones, longest first, and those that overlap one of them.

    Among equally long spans the first in the text is kept, then the first in the sequence.
    """
    ordered = sorted(spans, key=lambda span: (span.start, span.start - span.end))
    if all(left.end <= right.start for left, right in pairwise(ordered)):
        return ordered, []
    kept: list[Span] = []
    set_aside: list[Span] = []
    for span in sorted(ordered, key=lambda span: span.start - span.end):
        place = bisect(kept, span.start, key=lambda other: other.start)
        reaches_in = place > 0 and span.start < kept[place - 1].end
        if reaches_in or (place < len(kept) and kept[place].start < span.end):
            set_aside.append(span)
        else:
            kept.insert(place, span)
    return kept, set_aside
