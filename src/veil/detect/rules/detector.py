"""The detector by rules: patterns, fields and shields of a language."""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from veil.core.document import Span
from veil.core.labels import family
from veil.detect.rules.fields import Fields
from veil.detect.rules.loading import load_rules
from veil.detect.rules.starts import Starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.core.document import Document
    from veil.detect.rules.rule import Hit, Rule


class RuleDetector:
    """Finds what the rules of a language describe."""

    name = "rules"

    def __init__(self, language: str, *, rules: Iterable[Rule] | None = None) -> None:
        self.language = language
        self.rules = tuple(load_rules(language) if rules is None else rules)
        self._patterns = [
            rule
            for rule in self.rules
            if not rule.keys and not rule.has_starts and not rule.shields
        ]
        self._starts = Starts(rule for rule in self.rules if rule.has_starts)
        self._shields = [rule for rule in self.rules if rule.shields]
        self._fields = Fields(rule for rule in self.rules if rule.keys)
        self._sources = {rule.name: f"{self.name}:{rule.name}" for rule in self.rules}
        self.certain_sources = frozenset(
            self._sources[rule.name] for rule in self.rules if rule.certain
        )

    def detect(self, doc: Document) -> list[Span]:
        text = doc.text
        lowered = text.lower()
        letters = frozenset(lowered)
        found = [
            (rule, hit) for rule in self._patterns for hit in rule.find(text, lowered, letters)
        ]
        found += self._fields.find(text)
        at_starts = list(self._starts.find(text, lowered))
        found += [(rule, hit) for rule, hit in at_starts if not rule.shields]
        if found:
            shielding = [(rule, hit) for rule, hit in at_starts if rule.shields]
            found = self._unshielded(text, lowered, letters, found, shielding)
        return [
            Span(hit.start, hit.end, hit.label, rule.score, self._sources[rule.name])
            for rule, hit in found
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]

    def _unshielded(
        self,
        text: str,
        lowered: str,
        letters: frozenset[str],
        found: list[tuple[Rule, Hit]],
        shielding: list[tuple[Rule, Hit]],
    ) -> list[tuple[Rule, Hit]]:
        """Return the hits that no shield covers; shields do not apply to rules that are certain.

        `shielding` are the hits of the shields that have starts.
        """
        for shield in self._shields:
            labels = shield.shields
            if not any(_guards(labels, hit.label) and not rule.certain for rule, hit in found):
                continue
            guarded = (
                (hit for rule, hit in shielding if rule is shield)
                if shield.has_starts
                else shield.find(text, lowered, letters)
            )
            covers = [(hit.start, hit.end) for hit in guarded]
            if covers:
                found = [
                    (rule, hit)
                    for rule, hit in found
                    if rule.certain or not _guards(labels, hit.label) or not _covered(covers, hit)
                ]
        return found


@cache
def _guards(labels: frozenset[str], label: str) -> bool:
    return label in labels or family(label) in labels


def _covered(covers: list[tuple[int, int]], hit: Hit) -> bool:
    """Whether one of the covers, which are sorted and disjoint, contains all of a hit."""
    index = bisect_right(covers, (hit.start, sys.maxsize)) - 1
    return 0 <= index and hit.end <= covers[index][1]
