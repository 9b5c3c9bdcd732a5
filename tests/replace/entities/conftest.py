from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Span, Spans
from veil.replace.base import Case
from veil.replace.entities import replace_entity
from veil.replace.secret import Key, Secret

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def swap() -> Callable[..., str]:
    """Replaces a text that stands with its label at the beginning of a record."""

    def replace(
        text: str,
        label: str,
        language: str = "en",
        *,
        rest: str = "",
        patient: str = "p1",
        days: int | None = None,
    ) -> str:
        doc = Document("note", f"{text}; {rest}", language)
        span = Span(0, len(text), label)
        case = Case(doc, Spans(doc, [span]), Secret(Key(b"a key of the tests"), patient))
        if days is not None:
            case.memory["days"] = days
        return replace_entity(case, span)

    return replace


@pytest.fixture(scope="session")
def swap_all(make_case: Callable[..., Case]) -> Callable[..., list[str]]:
    """Replaces all spans of a record whose text has them in brackets: `[LABEL|words]`."""

    def replace(marked: str, language: str = "en", *, patient: str = "p1") -> list[str]:
        case = make_case(marked, language, patient=patient)
        return [replace_entity(case, span) for span in case.spans]

    return replace
