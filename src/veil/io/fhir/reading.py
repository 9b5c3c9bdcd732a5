"""From a resource to an item: its documents, whom they are about, and what is withheld of it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from veil.core.document import KNOWN, PART, PATIENT, WHOLE, YEARS, Document
from veil.core.errors import RecordError
from veil.io.base import Item
from veil.io.fhir.people import NamingWords
from veil.io.fhir.rendering import Resource
from veil.io.fhir.walk import UndecidedError, Walk
from veil.io.files import has_surrogate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.io.fhir.people import Known, People
    from veil.io.fhir.walk import FoundElement, Scope
    from veil.io.json_raw import Value

_YEAR = re.compile(r"\d{4}(?:-|$)")


def read_resource(
    raw: str,
    value: Value,
    people: People,
    *,
    name: str,
    file: Path,
    line: int,
    around: tuple[str, str] = ("", ""),
) -> Iterator[Item | RecordError]:
    """Yield the item of a resource (or of what holds one), then errors for what was taken out.

    `name` is unique in the file; the ids of documents begin with it. `around` are the blanks
    before and after the resource.
    """
    walk = Walk()
    try:
        walk.resource(value)
    except UndecidedError as error:
        yield RecordError(str(error), path=file, line=line)
        return

    @cache
    def about(scope: Scope) -> _Meta:
        return _Meta(scope, people, name)

    naming = (
        replace(word, label=label)
        for word in walk.words
        if (label := about(word.scope).naming_words.label(word.element.text)) or not word.is_code
    )
    all_found = sorted([*walk.found, *naming], key=lambda found: found.element.slot.start)
    years = frozenset(
        int(found.element.text[:4])
        for found in all_found
        if found.label == "DATE" and _YEAR.match(found.element.text)
    )
    documents = []
    for found in all_found:
        text = found.element.text
        path = ".".join(found.path)
        if has_surrogate(text):
            yield RecordError(
                f"half a surrogate pair, which is no character, in {path}", path=file, line=line
            )
            return
        meta = about(found.scope).meta(found)
        if not found.label and years:
            meta[YEARS] = years
        documents.append(Document(f"{name}:{path}", text, found.scope.language, meta))
    resource = Resource(
        raw,
        tuple(found.element for found in all_found),
        tuple(walk.masked),
        tuple(walk.removed),
        around,
    )
    yield Item(tuple(documents), resource)
    if walk.unknown:
        where, count = walk.unknown[0], len(walk.unknown)
        walk.problems.append((where, f"{count} element(s) that FHIR R4 does not have there"))
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

    @cached_property
    def naming_words(self) -> NamingWords:
        return NamingWords(self._known)

    def meta(self, found: FoundElement) -> dict[str, Any]:
        meta: dict[str, Any] = {PATIENT: self._patient}
        if found.label:
            meta[WHOLE] = found.label
            if found.part:
                meta[PART] = found.part
        elif self._known:
            meta[KNOWN] = self._known
        return meta
