"""Corrections of a review, which are applied when records are masked again.

They contain offsets, labels and keyed hashes of texts, but no text. A document is recognised by the
hash of its text: corrections are never applied to another text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from veil.core.document import Record, Span, Spans
from veil.core.errors import InputError, printable
from veil.core.resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from veil.core.document import Document

    Extent = tuple[int, int]

REVIEW = "review"
"""The source of spans that a reviewer added or changed."""

_LISTED = 5


def digest(salt: bytes, text: str) -> str:
    """A keyed hash that identifies a text."""
    data = text.encode("utf-8", "surrogatepass")
    return blake2b(data, key=salt, digest_size=20).hexdigest()


@dataclass(frozen=True, slots=True)
class Correction:
    """The spans of a document after a review, and the places that the review has settled.

    Spans that detectors find inside a settled place are ignored.
    """

    document: str
    spans: tuple[tuple[int, int, str], ...]
    settled: tuple[Extent, ...]

    @property
    def left(self) -> list[Extent]:
        """The parts of settled places that stay unmasked."""
        found = []
        for start, end in self.settled:
            at = start
            for first, last, _ in self.spans:
                if at < last and first < end:
                    if at < first:
                        found.append((at, first))
                    at = max(at, last)
            if at < end:
                found.append((at, end))
        return found


@dataclass(frozen=True)
class Corrections:
    """The corrections of a review by the hashes of texts; `name` identifies review and decisions.

    `documents` are the hashes of all documents that were reviewed, by their ids.
    """

    name: str
    salt: bytes = field(repr=False)
    by_digest: Mapping[str, Sequence[Correction]]
    documents: Mapping[str, Sequence[str]]

    def of(self, doc: Document) -> Correction | None:
        """The correction of a document, if its text was reviewed."""
        found = self.by_digest.get(digest(self.salt, doc.text), ())
        own = [each for each in found if each.document == printable(doc.id)]
        # Equal texts in several documents may have been decided differently.
        return next(iter(own or found), None)

    def apply(self, record: Record) -> Record:
        """A record with the spans of the review in place of the detected ones."""
        correction = self.of(record.document)
        if correction is None:
            return record
        doc = record.document
        fresh = {span.key: span for span in record.spans}
        # An unchanged span keeps its other attributes, and so gets the same surrogate.
        reviewed = {fresh.get(key) or Span(*key, source=REVIEW) for key in correction.spans}
        others = [
            span
            for span in record.spans
            if span not in reviewed and not _is_inside(span, correction.settled)
        ]
        spans = resolve(doc, [*reviewed, *others], precedence=lambda span: span in reviewed)
        return replace(record, spans=Spans(doc, spans))

    def still_found(self, doc: Document, spans: Iterable[Span]) -> list[Span]:
        """The spans found in the masked text of a document that the review does not leave."""
        correction = self.of(doc)
        left = correction.left if correction else ()
        return [span for span in spans if not _is_inside(span, left)] if left else list(spans)

    def check(self, docs: Iterable[Document]) -> int:
        """Return how many documents were reviewed; one that was changed since is an error."""
        known, changed = 0, []
        for doc in docs:
            if self.of(doc) is not None:
                known += 1
            elif printable(doc.id) in self.documents:
                changed.append(printable(doc.id))
        if changed:
            more = f" and {len(changed) - _LISTED:,} more" if _LISTED < len(changed) else ""
            raise InputError(
                f"{', '.join(changed[:_LISTED])}{more}: the text differs from the reviewed one; "
                "review it again, or restore it"
            )
        if not known:
            raise InputError("no document of the review is in the input; is it the right input?")
        return known


def _is_inside(span: Span, extents: Iterable[Extent]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in extents)
