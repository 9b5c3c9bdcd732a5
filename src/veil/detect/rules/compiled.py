"""Rules with an automaton: patterns are tried only where it accepts them.

The hits are those of `Rule.find`, which searches a text for each pattern. The automaton is that of
the compiled core, or its pure twin.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.core import native
from veil.core.tables import Table
from veil.detect.rules.loading import automaton_rules, rule_files
from veil.detect.rules.rule import windows
from veil.detect.rules.starts import Starts, going_on, lowered_in_place, numbers_of
from veil.detect.rules.stored_starts import stored_starts
from veil.languages import base_language
from veil.lexicons.store import lexicon_table

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Sequence

    from veil.detect.rules.rule import Hit, Rule
    from veil.detect.rules.starts import Candidates

    # An offset and the rules to be tried there.
    Place = tuple[int, tuple["_Tried", ...]]

_CACHE_SIZE = 1 << 14
# Modules on which patterns and the automaton depend, in addition to rules and lexicons. With an
# outdated automaton matches would be missed.
_MODULES = tuple(
    Path(__file__).with_name(name) for name in ("automaton.py", "loading.py", "rule.py")
)


class _Tried(NamedTuple):
    """A rule with its number and the attributes that are needed at each place."""

    number: int
    rule: Rule
    match: Callable[..., re.Match[str] | None]
    hits: Callable[[str, re.Match[str]], list[Hit]]
    has_needs: bool


class CompiledRules:
    """The rules of an automaton, which has a bit for each of them, in their order."""

    def __init__(
        self,
        rules: Sequence[Rule],
        automaton: Any,
        stored: Callable[[str], int | None] | None = None,
    ) -> None:
        self.rules = rules
        self._find = automaton.find
        self._mask_size = -(-len(rules) // 64) * 8
        self._masks: dict[int, bytes] = {}
        self._numbers = {rule.name: number for number, rule in enumerate(rules)}
        self._searched_bits = sum(
            1 << number for number, rule in enumerate(rules) if not rule.has_starts
        )
        self._searched = self._mask(0)
        self._starts = Starts(rules)
        self._stored = stored
        self._allowed: dict[str, bytes | Candidates] = {}
        self._selected: dict[bytes, tuple[_Tried, ...]] = {}
        self._tried: dict[int, _Tried] = {}

    def __contains__(self, rule: Rule) -> bool:
        return rule.name in self._numbers

    def find(self, text: str, lowered: str) -> list[tuple[Rule, Hit]] | None:
        """Return all hits with their rules; those of one rule from left to right.

        None if the text has characters that the automaton does not know.
        """
        searched = _SearchedText(text, lowered)

        def go_on(allowed: Candidates, offset: int) -> bytes:
            bits, longer = allowed
            return self._mask(bits | going_on(longer, searched.lowered, offset))

        places: list[Place] | None = self._find(
            text, self._allowed, self._searched, self._allow, go_on, self._selected, self._select
        )
        if places is None:
            return None
        begins: dict[int, int] = {}
        found: list[tuple[Rule, Hit]] = []
        for offset, tried in places:
            for number, rule, match_at, hits_of, has_needs in tried:
                if number in begins and offset < begins[number]:
                    continue
                if has_needs:
                    stop = searched.end_of_search(rule, offset)
                    match = match_at(text, offset, stop) if offset < stop else None
                else:
                    match = match_at(text, offset)
                if match is None:
                    continue
                for hit in hits_of(text, match):
                    # A rule with starts may match again after its hits, any other after its match.
                    after = hit.end if rule.has_starts else match.end()
                    begins[number] = max(after, begins.get(number, 0))
                    found.append((rule, hit))
        return found

    def _allow(self, word: str) -> bytes | Candidates:
        """Return the mask of the rules that may begin with a word; candidates if some go on."""
        stored = self._stored(word) if self._stored else None
        found = self._starts.candidates(word) if stored is None else (stored, ())
        allowed = found if found[1] else self._mask(found[0])
        if _CACHE_SIZE <= len(self._allowed):
            self._allowed.clear()
            self._masks.clear()
        self._allowed[word] = allowed
        return allowed

    def _select(self, mask: bytes) -> tuple[_Tried, ...]:
        """Return the rules of a mask."""
        numbers = numbers_of(int.from_bytes(mask, sys.byteorder))
        selected = tuple(map(self._tried_rule, numbers))
        if _CACHE_SIZE <= len(self._selected):
            self._selected.clear()
        self._selected[mask] = selected
        return selected

    def _tried_rule(self, number: int) -> _Tried:
        tried = self._tried.get(number)
        if tried is None:
            rule = self.rules[number]
            # The automaton has already checked the character before the match.
            tried = _Tried(number, rule, rule.pattern.match, rule.spans, bool(rule.needs))
            self._tried[number] = tried
        return tried

    def _mask(self, bits: int) -> bytes:
        """Return the mask of rules with starts and of all those without."""
        mask = self._masks.get(bits)  # many words have the same
        if mask is None:
            every = bits | self._searched_bits
            mask = self._masks[bits] = every.to_bytes(self._mask_size, sys.byteorder)
        return mask


class _SearchedText:
    """A text, and the stretches in which rules with `needs` are tried."""

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
        """Return where the search for a pattern ends, or the offset itself if there is none."""
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

        return build_automaton(automaton_rules(language))

    inputs = (*rule_files(language), *lexicon_table(language).inputs, *_MODULES)
    return Table(f"rules-{language}", inputs, build)


@cache
def _load(language: str) -> CompiledRules | None:
    stored = automaton_table(language).read()
    if stored is None:
        return None
    automaton: Any = native.CORE or import_module("veil.detect.rules.walks")
    made = automaton.Automaton(stored)
    return CompiledRules(automaton_rules(language), made, stored_starts(language))


def compiled_rules(language: str, rules: Iterable[Rule]) -> CompiledRules | None:
    """Return the compiled rules of a language if all are among the given ones.

    None if there is no table.
    """
    compiled = _load(base_language(language))
    given = {rule.name for rule in rules}
    if compiled is None or not all(rule.name in given for rule in compiled.rules):
        return None
    return compiled
