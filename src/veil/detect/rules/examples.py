"""The examples of a user's own rules, which are tried before the rules are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.document import Document
from veil.core.errors import InputError
from veil.detect.rules.detector import RuleDetector
from veil.detect.rules.loading import is_veils, load_rules, only
from veil.detect.rules.rule import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.detect.rules.rule import Rule


def check_own_rules(folder: Path | None, languages: Sequence[str]) -> None:
    """Refuse rules of a user's that one of the languages cannot use, or whose examples fail.

    An example is in one language: it fails if it does so in all of them.
    """
    if folder is None:
        return
    by_language: list[list[str]] = []
    unusable: dict[str, str] = {}
    for language in languages:
        try:
            by_language.append(list(_failures(folder, language)))
        except InputError as error:
            unusable[language] = str(error)
    if unusable:
        language, reason = next(iter(unusable.items()))
        # What is right for another language is so for records of that one only.
        hint = f" (for '{language}': say in which language the records are)" if by_language else ""
        raise InputError(f"{reason}{hint}")
    for failure in by_language[0]:
        if all(failure in failures for failures in by_language):
            raise InputError(failure)


def _failures(folder: Path, language: str) -> Iterator[str]:
    """What is wrong with the examples; texts are told by their numbers."""
    rules = load_rules(language, folder)
    for rule in rules:
        if is_veils(rule.file) or rule.examples is None:
            continue
        where = f"{rule.file}, rule {rule.name.partition('/')[2]}"
        for number, example in enumerate(rule.examples.find, start=1):
            text, places = unmarked(example)
            if not places:
                yield f"{where}: example {number} of 'find' marks nothing; mark [[what is found]]"
            elif _found(rule, rules, language, text) != places:
                yield f"{where}: example {number} of 'find': the rule finds other than is marked"
        for number, example in enumerate(rule.examples.leave, start=1):
            if _found(rule, rules, language, example):
                yield f"{where}: example {number} of 'leave': the rule finds something there"


def _found(rule: Rule, rules: Sequence[Rule], language: str, text: str) -> list[tuple[int, int]]:
    """Where a rule finds spans that no shield covers; of a shield, where it stands."""
    if rule.shields:
        return sorted((hit.start, hit.end) for hit in rule.find(text))
    detector = RuleDetector(language, rules=only(rules, rule.name))
    return sorted({(span.start, span.end) for span in detector.detect(Document("x", text))})
