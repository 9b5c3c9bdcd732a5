"""The checks of annotations against the labelling guideline."""

from __future__ import annotations

import re

import pytest

from veil.core.document import Document, Record, Span
from veil.evaluate.guideline import FILE, Rule, guideline
from veil.languages.base import language_codes, language_folder

CASES = [
    pytest.param(rule, example, is_found, id=f"{code}-{rule.kind}-{number}")
    for code in language_codes()
    if (language_folder(code) / FILE).is_file()
    for rule in guideline(code).rules
    for is_found, examples in ((True, rule.find), (False, rule.leave))
    for number, example in enumerate(examples)
]


def record_of(example: str, label: str) -> Record:
    """Make a record of a text whose spans are in double brackets."""
    text, spans = "", []
    for number, piece in enumerate(re.split(r"\[\[|\]\]", example)):
        if number % 2:
            spans.append(Span(len(text), len(text) + len(piece), label))
        text += piece
    return Record.of(Document("1", text), spans)


@pytest.mark.parametrize(("rule", "example", "is_found"), CASES)
def test_examples_of_rules(rule: Rule, example: str, is_found: bool) -> None:
    """A rule finds its positive examples and leaves its negative ones."""
    record = record_of(example, min(rule.labels))
    spans = [None, *record.spans, None]
    places = zip(spans, record.spans, spans[2:], strict=False)
    assert is_found == any(
        rule.matches(record.document.text, span, previous=previous, following=following)
        for previous, span, following in places
    )
