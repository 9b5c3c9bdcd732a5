"""The examples beside each rule, and what every rule must stand."""

from __future__ import annotations

import pytest

from veil import Document
from veil.detect.rules import Rule, RuleDetector, load_rules, only, unmarked
from veil.languages import language_codes

LANGUAGES = language_codes()

RULES = {
    f"{language}:{rule.name}": (language, rule)
    for language in LANGUAGES
    for rule in load_rules(language)
}

# Texts that make careless patterns try again and again: 100,000 characters of each.
_HOSTILE = (
    *("1", "1 ", "1/", "1-", "12.", "a", "a ", "A", "A ", "A. ", "Aa ", "Aa-", "aA", "de la "),
    *(".", "-", " ", "\n", "\t", ":", "a:", "@", "a@", "a@a.", "www.", "Dr. ", "Dr. A", "Calle A "),
    *(
        "病院",
        "月1",
        "1月",
        "平成",
        "（",
        "歳",
        "●",
        "カ",
        "東京都",
        "St. ",
        "'",
        "A-a-",
        "(0",
        "+4",
    ),
)
_MEGABYTE = "\n".join(text * (25_000 // len(text)) for text in _HOSTILE)


def found_by(rule: Rule, language: str, text: str) -> list[tuple[int, int]]:
    """Where a rule, under the shields of its language, finds spans; where a shield guards."""
    if rule.shields:
        return sorted((hit.start, hit.end) for hit in rule.find(text))
    detector = RuleDetector(language, rules=only(load_rules(language), rule.name))
    return sorted({(span.start, span.end) for span in detector.detect(Document("x", text))})


@pytest.mark.parametrize("name", RULES)
def test_examples_of_rule(name: str) -> None:
    """A rule finds exactly what its examples mark, and nothing in those that it leaves."""
    language, rule = RULES[name]
    assert rule.examples is not None
    assert rule.examples.find
    assert rule.examples.leave
    for example in rule.examples.find:
        text, places = unmarked(example)
        assert places, example
        assert found_by(rule, language, text) == places, example
    for example in rule.examples.leave:
        assert found_by(rule, language, example) == [], example


@pytest.mark.parametrize("name", RULES)
def test_rule_is_linear(name: str) -> None:
    """A rule comes to the end of a megabyte that was made to hold it up."""
    _, rule = RULES[name]
    for hit in rule.find(_MEGABYTE):
        assert 0 <= hit.start < hit.end <= len(_MEGABYTE)
