from __future__ import annotations

import re
from typing import Protocol, cast

import pytest

from veil import Document, Span, Spans
from veil.core.document import Part
from veil.replace.base import Case
from veil.replace.people import person_numbers, replace_person
from veil.replace.secret import Key, Secret

OWN = {"NAME", "PATIENT", "DOCTOR", "USERNAME", "EMAIL"}


class Renamer(Protocol):
    def __call__(self, marked: str, language: str, *, patient: str = "p1") -> list[str]: ...


class CaseMaker(Protocol):
    def __call__(self, marked: str, language: str, patient: str = "p1") -> Case: ...


class Numberer(Protocol):
    def __call__(self, marked: str, language: str) -> list[int]: ...


def case_of(marked: str, language: str, patient: str = "p1") -> Case:
    """A record of a text with its spans in brackets: `[LABEL|words]` or `[LABEL:part|words]`."""
    text, spans = "", []
    for plain, name, words in re.findall(r"([^\[]*)(?:\[([\w:-]+)\|([^\]]+)\])?", marked):
        text += plain
        if name:
            label, _, part = name.partition(":")
            named = cast(Part, part) if part else None
            spans.append(Span(len(text), len(text) + len(words), label, part=named))
            text += words
    doc = Document("record", text, language)
    return Case(doc, Spans(doc, spans), Secret(Key(b"a key of the tests"), patient))


@pytest.fixture(scope="session")
def make_case() -> CaseMaker:
    """Makes records of marked texts, with parts of names."""
    return case_of


@pytest.fixture(scope="session")
def rename() -> Renamer:
    """Gives the new texts of the people's spans of a marked text."""

    def new_texts(marked: str, language: str, *, patient: str = "p1") -> list[str]:
        case = case_of(marked, language, patient)
        return [replace_person(case, span) for span in case.spans if span.label in OWN]

    return new_texts


@pytest.fixture(scope="session")
def number() -> Numberer:
    """Gives the numbers of the people's spans of a marked text, in their order."""

    def numbers(marked: str, language: str) -> list[int]:
        case = case_of(marked, language)
        found = person_numbers(case)
        return [found[span] for span in case.spans if span.label in OWN]

    return numbers
