from __future__ import annotations

from typing import Protocol

import pytest

from veil import Document
from veil.detect.names import NameModules, NameOptions


class Find(Protocol):
    def __call__(
        self, text: str, order: str, language: str = "sv", options: NameOptions | None = None
    ) -> list[str]: ...


@pytest.fixture(scope="session")
def find() -> Find:
    """Names of a text as `Anna/first/T`: the word, its part and the module."""

    def find(
        text: str, order: str, language: str = "sv", options: NameOptions | None = None
    ) -> list[str]:
        spans = NameModules(language, order, options=options).detect(Document("note", text))
        return [
            f"{text[span.start : span.end]}/{span.part}/{span.source.removeprefix('names:')}"
            for span in spans
        ]

    return find
