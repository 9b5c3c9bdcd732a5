"""The detector by rules: patterns, fields and shields of a language.

The examples of a user's own rules are tested with it before the rules are used.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Document, Span
from veil.core.errors import InputError
from veil.core.labels import family
from veil.core.patterns import compile_pattern
from veil.detect.rules.compiled import compiled_rules
from veil.detect.rules.loading import load_rules, only
from veil.detect.rules.rule import unmarked
from veil.detect.rules.starts import Starts
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.detect.rules.rule import Hit, Rule

# A colon or its equivalent, or the end of a key in brackets; the value may begin a line below.
_SEPARATOR = compile_pattern(r"[:：=】］\]\t][ \t\u3000]*(?:\r?\n[ \t\u3000]*)?")
_WORD_START = compile_pattern(r"(?<![^\W_])[^\W_]")
_NO_LETTER = compile_pattern(r"[\W_]+")
_BRACKETED = compile_pattern(r"[ \t]*[(（][^()（）\n]*[)）]?[ \t]*\Z")
_LONGEST_KEY = 60
_CACHE_SIZE = 1 << 14


class RuleMatch(NamedTuple):
    """A match of a rule, and the shield that blocks it, if there is one."""

    rule: Rule
    hit: Hit
    shield: Rule | None


class RuleDetector:
    """Finds what the rules of a language describe."""

    name = "rules"

    def __init__(self, language: str, *, rules: Iterable[Rule] | None = None) -> None:
        self.language = language
        self.rules = tuple(load_rules(language) if rules is None else rules)
        self._numbers = {rule.name: number for number, rule in enumerate(self.rules)}
        self._fields = Fields(rule for rule in self.rules if rule.keys)
        self._shields = [rule for rule in self.rules if rule.shields]
        self._sources = {rule.name: f"{self.name}:{rule.name}" for rule in self.rules}
        self.certain_sources = frozenset(
            self._sources[rule.name] for rule in self.rules if rule.certain
        )
        others = [rule for rule in self.rules if not rule.keys]
        self._compiled = compiled_rules(language, others)
        if self._compiled:
            compiled = self._compiled
            self._beside = _Searched(rule for rule in others if rule not in compiled)

    @cached_property
    def _pure(self) -> _Searched:
        return _Searched(rule for rule in self.rules if not rule.keys)

    def detect(self, doc: Document) -> list[Span]:
        text = doc.text
        hits = self._hits(text)
        found = [
            (self.rules[number], hit)
            for number in sorted(hits)
            if not self.rules[number].shields
            for hit in hits[number]
        ]
        if found:
            found = self._unshielded(found, hits)
        return [
            Span(hit.start, hit.end, hit.label, rule.score, self._sources[rule.name])
            for rule, hit in found
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]

    def matches(self, text: str) -> list[RuleMatch]:
        """The matches of all rules, including those that a shield blocks, with that shield."""
        hits = self._hits(text)
        found = [
            (self.rules[number], hit)
            for number in sorted(hits)
            if not self.rules[number].shields
            for hit in hits[number]
        ]
        return [RuleMatch(rule, hit, self._shield(rule, hit, hits)) for rule, hit in found]

    def _shield(self, rule: Rule, hit: Hit, hits: Mapping[int, list[Hit]]) -> Rule | None:
        """The shield that blocks a hit, if there is one."""
        for shield in self._shields if not rule.certain else ():
            covers = [(each.start, each.end) for each in hits.get(self._numbers[shield.name], ())]
            if covers and _guards(shield.shields, hit.label) and _covered(covers, hit):
                return shield
        return None

    def _hits(self, text: str) -> dict[int, list[Hit]]:
        """Return the hits of each rule, by its number, from left to right."""
        lowered = text.lower()
        found = self._compiled.find(text, lowered) if self._compiled else None
        others = self._pure if found is None else self._beside
        hits: dict[int, list[Hit]] = {}
        for rule, hit in chain(self._fields.find(text), found or (), others.find(text, lowered)):
            hits.setdefault(self._numbers[rule.name], []).append(hit)
        return hits

    def _unshielded(
        self, found: list[tuple[Rule, Hit]], hits: Mapping[int, list[Hit]]
    ) -> list[tuple[Rule, Hit]]:
        """Return the spans outside of shields; shields do not apply to certain rules."""
        for shield in self._shields:
            labels = shield.shields
            covers = [(hit.start, hit.end) for hit in hits.get(self._numbers[shield.name], ())]
            if covers:
                found = [
                    (rule, hit)
                    for rule, hit in found
                    if rule.certain or not _guards(labels, hit.label) or not _covered(covers, hit)
                ]
        return found


class _Searched:
    """Rules whose patterns are searched for, or tried at the words with which they may begin."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = tuple(rules)
        self._without_starts = [rule for rule in rules if not rule.has_starts]
        self._starts = Starts(rule for rule in rules if rule.has_starts)

    def find(self, text: str, lowered: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield all hits with their rules; those of one rule from left to right."""
        if self._starts:
            yield from self._starts.find(text, lowered)
        if self._without_starts:
            letters = frozenset(lowered)
            for rule in self._without_starts:
                for hit in rule.find(text, lowered, letters):
                    yield rule, hit


@cache
def _guards(labels: frozenset[str], label: str) -> bool:
    return label in labels or family(label) in labels


def _covered(covers: list[tuple[int, int]], hit: Hit) -> bool:
    """Whether one of the covers, which are sorted and disjoint, contains all of a hit."""
    index = bisect_right(covers, (hit.start, sys.maxsize)) - 1
    return 0 <= index and hit.end <= covers[index][1]


def _key_form(key: str) -> str:
    """Return the form in which keys are compared: "Nº Historia" and "N.º HISTORIA" are equal."""
    return _NO_LETTER.sub("", fold(key))


class Fields:
    """The rules that begin with a key and a colon: "Patient: ...", "氏名：...".

    The text before each colon is looked up in the table of keys, so that thousands of keys cost no
    more than one.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            for key in rule.keys:
                self._rules.setdefault(_key_form(key), []).append(rule)
        # Records of one hospital repeat the same keys.
        self._cache: dict[str, list[Rule]] = {}

    def find(self, text: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield the hits after keys, with their rules."""
        if not self._rules:
            return
        for separator in _SEPARATOR.finditer(text):
            for rule in self._rules_before(text, separator.start()):
                for hit in rule.match_at(text, separator.end()):
                    yield rule, hit

    def _rules_before(self, text: str, position: int) -> list[Rule]:
        """Return the rules of the longest key that ends here."""
        line = text.rfind("\n", max(0, position - _LONGEST_KEY), position) + 1
        before = text[max(line, position - _LONGEST_KEY) : position]
        rules = self._cache.get(before)
        if rules is None:
            rules = self._rules_after(before)
            if _CACHE_SIZE <= len(self._cache):
                self._cache.clear()
            self._cache[before] = rules
        return rules

    def _rules_after(self, before: str) -> list[Rule]:
        bare = _BRACKETED.sub("", before)
        for candidate in dict.fromkeys((before, bare)):
            for start in _WORD_START.finditer(candidate):
                rules = self._rules.get(_key_form(candidate[start.start() :]))
                if rules:
                    return rules
        return []


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
        # Rules for another language can only be used for records in that language.
        hint = f" (for '{language}': say in which language the records are)" if by_language else ""
        raise InputError(f"{reason}{hint}")
    for failure in by_language[0]:
        if all(failure in failures for failures in by_language):
            raise InputError(failure)


def _failures(folder: Path, language: str) -> Iterator[str]:
    """Yield the failures of the examples, which are identified by number, not by text."""
    rules = load_rules(language, folder)
    for rule in rules:
        if rule.file is None or rule.file.parent != folder or rule.examples is None:
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
    """Return the bounds of a rule's spans outside shields; for a shield, those of its matches."""
    if rule.shields:
        return sorted((hit.start, hit.end) for hit in rule.find(text))
    detector = RuleDetector(language, rules=only(rules, rule.name))
    return sorted({(span.start, span.end) for span in detector.detect(Document("x", text))})
