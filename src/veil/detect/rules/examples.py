"""The examples of a user's own rules, which are tested before the rules are used."""

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
    """Raise an error if a language cannot use the rules of a folder, or if their examples fail.

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
        # Rules that suit another language can be used for records in that language only.
        hint = f" (for '{language}': say in which language the records are)" if by_language else ""
        raise InputError(f"{reason}{hint}")
    for failure in by_language[0]:
        if all(failure in failures for failures in by_language):
            raise InputError(failure)


def _failures(folder: Path, language: str) -> Iterator[str]:
    """Yield what is wrong with the examples, which are named by number, not by text."""
    rules = load_rules(language, folder)
    for rule in rules:
        if is_veils(rule.file) or rule.examples is None:
            continue
        where = f"{rule.file}, rule {rule.name.partition('/')[2]}"
        for number, example in enumerate(rule.examples.find, start=1):
            text, marked = unmarked(example)
            if not marked:
                yield f"{where}: example {number} of 'find' marks nothing; mark [[what is found]]"
            elif _found(rule, rules, language, text) != marked:
                yield f"{where}: example {number} of 'find': the rule finds other than is marked"
        for number, example in enumerate(rule.examples.leave, start=1):
            if _found(rule, rules, language, example):
                yield f"{where}: example {number} of 'leave': the rule finds something there"


def _found(rule: Rule, rules: Sequence[Rule], language: str, text: str) -> list[tuple[int, int]]:
    """Return the bounds of what a rule finds outside shields; of a shield, those of its matches."""
    if rule.shields:
        return sorted((hit.start, hit.end) for hit in rule.find(text))
    detector = RuleDetector(language, rules=only(rules, rule.name))
    return sorted({(span.start, span.end) for span in detector.detect(Document("x", text))})
