"""The detector of people, numbers and places that are known in advance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from veil.core.document import KNOWN
from veil.core.errors import RecordError, VeilError
from veil.detect.known.values import Known
from veil.languages import base_language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Document, Span


_NOTHING = Known()


class KnownDetector:
    """Finds the mentions of people, numbers and places that are known in advance for a record.

    `known` returns the known values of a document, or None: a mapping from ids of records, or a
    function such as a `KnownTable`. The values in a document's own meta under "known" are added. A
    document without known values gives no spans.
    """

    name = "known"

    def __init__(
        self,
        language: str,
        *,
        known: Mapping[str, Known] | Callable[[Document], Known | None] | None = None,
    ) -> None:
        self.language = base_language(language)
        self._known = known

    def detect(self, doc: Document) -> list[Span]:
        known = self.known_of(doc)
        if known is _NOTHING or not known:
            return []
        from veil.detect.known.matching import matcher  # most records have no known values

        return matcher(known, self.language).find(doc.text)

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]

    def known_of(self, doc: Document) -> Known:
        """Return all known values of a document."""
        if self._known is None:
            given = None
        elif isinstance(self._known, Mapping):
            given = self._known.get(doc.id)
        else:
            given = self._known(doc)
        in_meta = known_in_meta(doc)
        if given is None:
            return in_meta
        return given if in_meta is _NOTHING else given | in_meta


def known_in_meta(doc: Document) -> Known:
    """Return the known values in a document's meta."""
    values = doc.meta.get(KNOWN)
    if values is None:
        return _NOTHING
    if not isinstance(values, Mapping):
        raise RecordError(f'"{KNOWN}" in its meta must be an object', record=doc.id)
    try:
        return Known.of(values)
    except VeilError as error:
        raise RecordError(f'"{KNOWN}" in its meta: {error}', record=doc.id) from None
