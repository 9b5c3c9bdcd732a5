"""Rules name all of their starts: a forgotten start would be an unnoticed miss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from veil.detect.rules import Rule, load_rules, unmarked
from veil.detect.rules.starts import begins_entry

CASES = Path(__file__).parents[2] / "cases"
LANGUAGES = ("en", "es")
# Its pattern joins first letters and rests of months freely; its starts keep "dep" from being one.
HELD_BACK = "es/date-month-year"


def begins_with_entry(rule: Rule) -> bool:
    """Such a rule leaves out other words on purpose."""
    return any(getattr(test, "func", None) is begins_entry for test in rule.start_tests)


RULES = {
    rule.name: rule
    for language in LANGUAGES
    for rule in load_rules(language)
    if rule.has_starts and not begins_with_entry(rule) and rule.name != HELD_BACK
}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """All examples and cases, by language."""
    return {language: text_of(language) for language in LANGUAGES}


def text_of(language: str) -> str:
    files = sorted((CASES / language).glob("*.txt"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    for rule in load_rules(language):
        if rule.examples:
            lines += [*rule.examples.find, *rule.examples.leave]
    return "\n\n".join(unmarked(line)[0].replace("⏎", "\n") for line in lines)


def found(rule: Rule, text: str) -> set[tuple[int, int]]:
    return {(hit.start, hit.end) for hit in rule.find(text)}


@pytest.mark.parametrize("name", RULES)
def test_starts_miss_nothing(name: str, texts: dict[str, str]) -> None:
    """What a search through the whole text finds, the starts of the rule find as well."""
    rule = RULES[name]
    text = texts[name.partition("/")[0]]
    searched = replace(rule, starts=(), start_tests=(), needs=())
    assert found(searched, text) <= found(rule, text)
