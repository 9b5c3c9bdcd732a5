"""What a detector is: it finds candidate spans, says who found each and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Document, Span


class Detector(Protocol):
    """Finds candidate spans, in any order, overlapping as they like; `resolve` settles them."""

    @property
    def name(self) -> str:
        """What it is called; the `source` of its spans begins with it."""

    def detect(self, doc: Document) -> list[Span]:
        """Return the candidates of one document."""

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        """Return the candidates of each document; faster than one by one."""
