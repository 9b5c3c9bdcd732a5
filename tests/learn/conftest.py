from __future__ import annotations

import re

import pytest

from veil import Document, Record, Span

_NOTES = (
    "Bedömd av dr [L|Kanelbulle] i dag. Ring ssk [F|Anna].",
    "[F|Björn] [L|Hjelmqvist] tackar dr [L|Kanelbulle]. Även [L|Kanelbulles] fru.",
    "Mb Hodgkin. Vita blodkroppar och Teva.",
)


@pytest.fixture(scope="session")
def notes() -> list[Record]:
    """Three short notes in Swedish with first and last names in the scheme of the paper."""
    records = []
    for number, marked in enumerate(_NOTES):
        text, spans = "", []
        for plain, label, word in re.findall(r"([^\[]*)(?:\[(\w)\|([^\]]+)\])?", marked):
            text += plain
            if label:
                name = {"F": "FIRST_NAME", "L": "LAST_NAME"}[label]
                spans.append(Span(len(text), len(text) + len(word), name))
                text += word
        records.append(Record.of(Document(f"n{number}", text), spans))
    return records
