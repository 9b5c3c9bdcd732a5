"""What the evaluation tests share: records made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from veil.core.document import Document, Record, Span, Spans

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXT = "Ana Ruiz, 45, vive en Lugo. Dr. Paz la vio el 3/4/2019 y el 5/4. Tel. 600 111 222."


class MakeRecord(Protocol):
    """Makes a record from (start, end, label) in the order given, overlapping or not."""

    def __call__(
        self, *spans: tuple[int, int, str], text: str = TEXT, name: str = "one"
    ) -> Record: ...


@pytest.fixture
def record() -> MakeRecord:
    def make(*spans: tuple[int, int, str], text: str = TEXT, name: str = "one") -> Record:
        doc = Document(name, text)
        annotations: Sequence[Span] = [Span(start, end, label) for start, end, label in spans]
        # `set_aside` keeps the order and the duplicates, as a foreign system's file may have them.
        return Record(doc, Spans(doc), tuple(annotations))

    return make
