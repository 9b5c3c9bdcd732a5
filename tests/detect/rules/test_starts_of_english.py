"""A start that is forgotten is a miss that nobody sees: English rules name all that they have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from veil.detect.rules import Rule, load_rules, unmarked
from veil.detect.rules.starts import TESTS

CASES = Path(__file__).parents[2] / "cases" / "en"
RULES = {
    rule.name: rule
    for rule in load_rules("en")
    # Those that begin with an entry of a lexicon leave out other words on purpose.
    if rule.has_starts and all(test in TESTS.values() for test in rule.start_tests)
}


@pytest.fixture(scope="module")
def text() -> str:
    """All examples and cases of English."""
    lines = [line for file in sorted(CASES.glob("*.txt")) for line in file.read_text().splitlines()]
    for rule in load_rules("en"):
        if rule.examples:
            lines += [*rule.examples.find, *rule.examples.leave]
    return "\n\n".join(unmarked(line)[0].replace("⏎", "\n") for line in lines)


def found(rule: Rule, text: str) -> set[tuple[int, int]]:
    return {(hit.start, hit.end) for hit in rule.find(text)}


@pytest.mark.parametrize("name", RULES)
def test_starts_miss_nothing(name: str, text: str) -> None:
    """What a search through the whole text finds, the starts of the rule find as well."""
    rule = RULES[name]
    searched = replace(rule, starts=(), start_tests=())
    assert found(searched, text) <= found(rule, text)
