"""From a resource to an item: its documents, whom they are about, and what is withheld of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil.carriers.base import Item
from veil.carriers.fhir.rendering import Resource
from veil.carriers.fhir.walk import Walk
from veil.carriers.files import has_surrogate
from veil.core.document import KNOWN, PART, PATIENT, WHOLE, Document
from veil.core.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.carriers.fhir.people import Known, People
    from veil.carriers.fhir.walk import Found, Scope
    from veil.carriers.json_raw import Value


def read_resource(
    raw: str, value: Value, people: People, *, name: str, file: Path, line: int
) -> Iterator[Item | RecordError]:
    """Yield the item of a resource (or of what holds one), then errors for what was taken out.

    `name` is unique in the file; the ids of documents begin with it.
    """
    walk = Walk()
    walk.resource(value)
    metas: dict[Scope, _Meta] = {}
    documents = []
    for found in walk.found:
        text = found.place.text
        path = ".".join(found.path)
        if has_surrogate(text):
            yield RecordError(
                f"half a surrogate pair, which is no character, in {path}", path=file, line=line
            )
            return
        if found.scope not in metas:
            metas[found.scope] = _Meta(found.scope, people, name)
        meta = metas[found.scope].of(found)
        documents.append(Document(f"{name}:{path}", text, found.scope.language, meta))
    resource = Resource(
        raw,
        tuple(found.place for found in walk.found),
        tuple(walk.masked),
        tuple(walk.removed),
    )
    yield Item(tuple(documents), resource)
    for where, reason in walk.problems:
        yield RecordError(
            f"left out: {reason}", record=f"{name}:{'.'.join(where)}", path=file, line=line
        )


class _Meta:
    """The meta of the documents of a resource."""

    def __init__(self, scope: Scope, people: People, name: str) -> None:
        subject = scope.subject or people.only_patient
        # "#p1" is a resource inside this one, and another one elsewhere.
        inside = f"{scope.reference or name}{subject}" if subject.startswith("#") else ""
        self._patient = inside or people.patient(subject) or scope.reference or name
        self._known: Known = people.known(scope)

    def of(self, found: Found) -> dict[str, Any]:
        meta: dict[str, Any] = {PATIENT: self._patient}
        if found.label:
            meta[WHOLE] = found.label
            if found.part:
                meta[PART] = found.part
        elif self._known:
            meta[KNOWN] = self._known
        return meta
