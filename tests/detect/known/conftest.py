from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from veil import Document
from veil.detect.known import Known, KnownDetector

Mark = Callable[[str, Known, str], str]
_BRACKETS = re.compile(r"[⟦⟧]")


@pytest.fixture(scope="session")
def mark() -> Mark:
    """Take the brackets ⟦ ⟧ off a text, and put them where the detector finds something."""

    def mark_found(language: str, known: Known, marked: str) -> str:
        text = _BRACKETS.sub("", marked)
        spans = KnownDetector(language, known=lambda _: known).detect(Document("note", text))
        for span in sorted(spans, key=lambda span: -span.start):
            text = f"{text[: span.start]}⟦{text[span.start : span.end]}⟧{text[span.end :]}"
        return text

    return mark_found
