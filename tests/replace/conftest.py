from __future__ import annotations

import re
from typing import Protocol

import pytest

from veil import Document, Span, Spans
from veil.replace.base import Case
from veil.replace.secret import Key, Secret


class CaseMaker(Protocol):
    def __call__(self, marked: str, language: str = "en", *, patient: str = "p1") -> Case: ...


@pytest.fixture(scope="session")
def make_case() -> CaseMaker:
    """Makes a record under work of a text with its spans in brackets: `[LABEL|words]`."""

    def make(marked: str, language: str = "en", *, patient: str = "p1") -> Case:
        text, spans = "", []
        for plain, label, words in re.findall(r"([^\[]*)(?:\[([\w-]+)\|([^\]]+)\])?", marked):
            text += plain
            if label:
                spans.append(Span(len(text), len(text) + len(words), label))
                text += words
        doc = Document("record", text, language)
        return Case(doc, Spans(doc, spans), Secret(Key(b"a key of the tests"), patient))

    return make
