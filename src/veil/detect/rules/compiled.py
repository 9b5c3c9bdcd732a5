"""Rules with the compiled core: patterns are tried only where the automaton accepts them.

The hits are those of `Rule.find`, which searches a text for each pattern.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core import native
from veil.core.tables import Table
from veil.detect.rules.loading import load_rules, rule_files
from veil.detect.rules.rule import windows
from veil.detect.rules.starts import Starts, going_on, lowered_in_place
from veil.languages import base_language
from veil.lexicons.store import lexicon_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from veil.detect.rules.rule import Hit, Rule
    from veil.detect.rules.starts import Candidates

    # A start, the end of the word that begins there, and the bits of the accepted rules.
    Place = tuple[int, int, bytes]

_CACHE_SIZE = 1 << 16
# What patterns and the automaton depend on beside rules and lexicons. With an automaton of other
# patterns, matches would be missed.
_MODULES = tuple(
    Path(__file__).with_name(name) for name in ("automaton.py", "loading.py", "rule.py")
)


class CompiledRules:
    """The rules of an automaton, which has a bit for each of them, in their order."""

    def __init__(self, rules: Sequence[Rule], automaton: Any) -> None:
        self.rules = rules
        self._automaton = automaton
        self._bits = {rule.name: 1 << number for number, rule in enumerate(rules)}
        self._searched = sum(self._bits[rule.name] for rule in rules if not rule.has_starts)
        self._starts = Starts(rule for rule in rules if rule.has_starts)
        self._allowed: dict[str, tuple[int, Candidates | None]] = {}
        self._tried: dict[tuple[int, bytes], tuple[Rule, ...]] = {}

    def __contains__(self, rule: Rule) -> bool:
        return rule.name in self._bits

    def places(self, text: str) -> list[Place] | None:
        """Return where rules may match; None if characters are unknown to the automaton."""
        places: list[Place] | None = self._automaton.find(text)
        return places

    def find(self, text: str, lowered: str, places: Iterable[Place]) -> Iterator[tuple[Rule, Hit]]:
        """Yield the hits of all rules with the rules; those of one rule from left to right."""
        searched = _SearchedText(text, lowered)
        begins: dict[str, int] = {}
        cached, tried = self._allowed.get, self._tried.get
        for offset, end, accepted in places:
            word = text[offset:end]
            allowed, candidates = cached(word) or self._allow(word)
            if candidates:
                for rule in going_on(candidates, searched.lowered, offset):
                    allowed |= self._bits[rule.name]
            rules = tried((allowed, accepted))
            if rules is None:
                rules = self._try(allowed, accepted)
            for rule in rules:
                name = rule.name
                if offset < begins.get(name, 0):
                    continue
                stop = searched.end_of_search(rule, offset) if rule.needs else len(text)
                match = rule.pattern.match(text, offset, stop) if offset < stop else None
                if match is None:
                    continue
                for hit in rule.hits(text, match):
                    # A rule with starts may go on behind its hits, another behind its match.
                    after = hit.end if rule.has_starts else match.end()
                    begins[name] = max(after, begins.get(name, 0))
                    yield rule, hit

    def _allow(self, word: str) -> tuple[int, Candidates | None]:
        """Return the bits of the rules that may begin with a word, and those that must go on."""
        bits, longer = self._searched, None
        if word:
            candidates = self._starts.candidates(word)
            for rule in candidates.whole:
                bits |= self._bits[rule.name]
            longer = candidates if candidates.longer else None
        if _CACHE_SIZE <= len(self._allowed):
            self._allowed.clear()
        self._allowed[word] = bits, longer
        return bits, longer

    def _try(self, allowed: int, accepted: bytes) -> tuple[Rule, ...]:
        """Return the rules that are both allowed and accepted."""
        bits = allowed & int.from_bytes(accepted, sys.byteorder)
        rules = tuple(map(self.rules.__getitem__, _numbers_of(bits)))
        if _CACHE_SIZE <= len(self._tried):
            self._tried.clear()
        self._tried[allowed, accepted] = rules
        return rules


def _numbers_of(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class _SearchedText:
    """A text, and where rules that need something in it are tried."""

    def __init__(self, text: str, lowered: str) -> None:
        self._text = text
        self._given = lowered
        self._windows: dict[str, list[tuple[int, int]]] = {}

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, with its offsets."""
        return lowered_in_place(self._text, self._given)

    @cached_property
    def _letters(self) -> frozenset[str]:
        return frozenset(self._given)

    def end_of_search(self, rule: Rule, offset: int) -> int:
        """Return where the search for a pattern ends; the offset itself if it is not searched."""
        found = self._windows.get(rule.name)
        if found is None:
            found = self._windows[rule.name] = self._windows_of(rule)
        index = bisect_right(found, (offset, sys.maxsize)) - 1
        return max(found[index][1], offset) if 0 <= index else offset

    def _windows_of(self, rule: Rule) -> list[tuple[int, int]]:
        needs = tuple(need for need in rule.needs if need[0] in self._letters)
        if not rule.has_starts:
            return windows(self._text, self._given, needs) if needs else []
        is_there = any(need in self.lowered for need in needs)
        return [(0, len(self._text))] if is_there else []


def automaton_table(language: str) -> Table:
    """Return the table with the automaton of a language's rules."""

    def build() -> bytes:
        from veil.detect.rules.automaton import build_automaton

        return build_automaton(_rules_without_keys(language))

    inputs = (*rule_files(language), *lexicon_table(language).inputs, *_MODULES)
    return Table(f"rules-{language}", inputs, build)


def _rules_without_keys(language: str) -> list[Rule]:
    """Return the rules that an automaton finds; fields are looked up by their keys."""
    return [rule for rule in load_rules(language) if not rule.keys]


@cache
def _load(language: str) -> CompiledRules | None:
    stored = automaton_table(language).read() if native.CORE else None
    if native.CORE is None or stored is None:
        return None
    return CompiledRules(_rules_without_keys(language), native.CORE.Automaton(stored))


def compiled_rules(language: str, rules: Iterable[Rule]) -> CompiledRules | None:
    """Return the compiled rules of a language if all are among the given ones.

    None if there is no compiled core or no table.
    """
    compiled = _load(base_language(language))
    given = {rule.name for rule in rules}
    if compiled is None or not all(rule.name in given for rule in compiled.rules):
        return None
    return compiled
