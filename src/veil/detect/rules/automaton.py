"""The automaton of a language's rules, which finds where each of them may match in one pass.

Trying hundreds of patterns would take most of the time of detection, and few of them match. The
patterns are turned into one nondeterministic automaton that accepts at least what they match: what
it cannot express, such as a reference to a group, is left out. Only rules that it accepts are
tried. It reads the character before a match first, since many rules depend on it.

Its tables are stored (`veil.core.tables`). The compiled core reads them and makes the states of the
deterministic automaton on demand, since there would be too many to store (`native/automaton.c`).
The pure twin is `veil.detect.rules.walks`.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import re
import sys
import unicodedata
from array import array
from bisect import bisect_left
from collections import defaultdict
from functools import cache
from itertools import accumulate
from re import _constants, _parser  # type: ignore[attr-defined]
from re._casefix import _EXTRA_CASES  # type: ignore[import-not-found]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.detect.rules.rule import Rule

    # Sorted, disjoint ranges of code points, half open.
    Ranges = tuple[tuple[int, int], ...]
    States = frozenset[int]

_CODE_POINTS = 0x110000
_ANYTHING: Ranges = ((0, _CODE_POINTS),)
_LINE_FEED: Ranges = ((10, 11),)
# Before the first character of a text and after the last one.
_EDGE: Ranges = ((_CODE_POINTS, _CODE_POINTS + 1),)
_PAGE = 256
# A pattern that repeats something more often is treated as an endless repetition.
_MOST_COPIES, _MOST_OPTIONS = 4, 3
# Endless patterns, such as that of mail addresses, must not be followed through a whole line from
# each of its words.
_MOST_STEPS = 64
_HEAD_SIZE = 16
# The bit of an accepting state, in addition to the number of its rule.
_ACCEPTING = 1 << 15
_IGNORES_CASE, _MATCHES_LINE_FEED = int(re.IGNORECASE), int(re.DOTALL)
_SINGLE = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "CATEGORY"})
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_ASSERTIONS = frozenset({"AT", "ASSERT", "ASSERT_NOT"})
_AHEAD, _BEHIND = 1, -1
_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "WORD": lambda letter: letter.isalnum() or letter == "_",
    "DIGIT": str.isdecimal,
    "SPACE": str.isspace,
    # A later version of Unicode may give it any meaning.
    "UNASSIGNED": lambda letter: unicodedata.category(letter) == "Cn",
}
_OF_WORD, _UNASSIGNED = 1, 2


# Characters ----------------------------------------------------------------------------------


def _union(*all_ranges: Ranges) -> Ranges:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(each for ranges in all_ranges for each in ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def _others(ranges: Ranges) -> Ranges:
    edges = [0, *(edge for each in ranges for edge in each), _CODE_POINTS]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((start, end) for start, end in pairs if start < end)


@cache
def _category(name: str) -> Ranges:
    """The characters of a category such as `\\w`, by the name that `re` has for it."""
    kind = name.removeprefix("CATEGORY_")
    if kind.startswith("NOT_"):
        return _others(_category(kind.removeprefix("NOT_")))
    is_of_kind = _CATEGORIES[kind]
    codes = (code for code in range(_CODE_POINTS) if is_of_kind(chr(code)))
    return _union(tuple((code, code + 1) for code in codes))


@cache
def _same_without_case() -> Mapping[int, list[int]]:
    """The characters that have a given lower-case form."""
    same: defaultdict[int, list[int]] = defaultdict(list)
    for code in range(_CODE_POINTS):
        same[_sre.unicode_tolower(code)].append(code)
    return same


def _without_case(ranges: Ranges) -> Ranges:
    same = _same_without_case()
    lower = {_sre.unicode_tolower(code) for start, end in ranges for code in range(start, end)}
    lower |= {other for code in lower for other in _EXTRA_CASES.get(code, ())}
    return _union(ranges, tuple((c, c + 1) for code in lower for c in same.get(code, ())))


@cache
def _literal(code: int, ignores_case: bool) -> Ranges:
    ranges = ((code, code + 1),)
    return _without_case(ranges) if ignores_case else ranges


def _characters(element: tuple[Any, Any], flags: int) -> Ranges:
    """The characters that an element of a pattern may match."""
    operator, value = element
    return _characters_of(str(operator), tuple(value) if str(operator) == "IN" else value, flags)


@cache
def _characters_of(name: str, value: Any, flags: int) -> Ranges:
    ignores_case = bool(flags & _IGNORES_CASE)
    if name == "LITERAL":
        return _literal(value, ignores_case)
    if name == "NOT_LITERAL":
        return _others(_literal(value, False))
    if name == "ANY":
        return _ANYTHING if flags & _MATCHES_LINE_FEED else _others(_LINE_FEED)
    if name == "CATEGORY":
        return _category(str(value))
    if name == "RANGE":
        return ((value[0], value[1] + 1),)
    items = list(value)
    negated = str(items[0][0]) == "NEGATE"
    ranges = _union(*(_characters(item, 0) for item in items[negated:]))
    if negated:
        return _others(ranges)  # with or without regard to case: more than the pattern matches
    return _without_case(ranges) if ignores_case else ranges


# From patterns to a nondeterministic automaton -----------------------------------------------


class _Patterns:
    """A nondeterministic automaton that accepts at least what patterns match.

    `edges` are the characters and targets of each state, `free` the targets without a character.
    `accepting` are the rules of accepting states, `owner` the rule of each state.
    """

    def __init__(self) -> None:
        self.edges: list[list[tuple[Ranges, int]]] = []
        self.free: list[list[int]] = []
        self.accepting: dict[int, int] = {}
        self.owner: list[int] = []

    def add_rule(self, number: int, rule: Rule) -> int:
        """Add a rule; return its first state, in which the character before the match is read."""
        tree = _parser.parse(rule.pattern.pattern)
        flags = int(tree.state.flags)
        allowed, _ = _before_match(tree, flags)
        if rule.before:
            (barred,) = _parser.parse(f"[{rule.before}]")
            allowed = _meet(allowed, _union(_others(_characters(barred, 0)), _EDGE))
        first, start, accepted = self._new(), self._new(), self._new()
        self.edges[first].append((allowed, start))
        self.accepting[accepted] = number
        self.free[self._sequence(tree, start, flags, accepted)].append(accepted)
        self.owner += [number] * (len(self.edges) - len(self.owner))
        return first

    def _new(self) -> int:
        self.edges.append([])
        self.free.append([])
        return len(self.edges) - 1

    def _sequence(self, items: Iterable[Any], state: int, flags: int, accepted: int | None) -> int:
        """Add elements after a state; return the state after them.

        `accepted` is the accepting state if nothing is read after these elements: an assertion
        about the text after a match can then be read as part of the match.
        """
        items = list(items)
        last = max((at for at, item in enumerate(items) if not _is_assertion(item)), default=-1)
        for at, item in enumerate(items):
            state = self._element(item, state, flags, accepted if last <= at else None)
        return state

    def _element(
        self, element: tuple[Any, Any], state: int, flags: int, accepted: int | None
    ) -> int:
        operator, value = element
        name = str(operator)
        if name in _SINGLE:
            return self._after(state, _characters(element, flags))
        if name == "SUBPATTERN":
            _, added, removed, items = value
            return self._sequence(items, state, (flags | added) & ~removed, accepted)
        if name == "ATOMIC_GROUP":
            return self._sequence(value, state, flags, accepted)
        if name == "BRANCH":
            end = self._new()
            self._branches([list(items) for items in value[1]], state, end, flags, accepted)
            return end
        if name in _REPEATS:
            return self._repeated(value, state, flags)
        if name == "GROUPREF":
            return self._endless([(_constants.ANY, None)], state, flags | _MATCHES_LINE_FEED)
        if name not in _ASSERTIONS:
            raise ValueError(f"automata do not know {name} in a pattern")
        return (
            state if accepted is None else self._what_follows(name, value, state, flags, accepted)
        )

    def _branches(
        self,
        branches: list[list[Any]],
        state: int,
        end: int,
        flags: int,
        accepted: int | None,
    ) -> None:
        """Add alternatives; those that begin with the same characters share these."""
        shared: defaultdict[Ranges, list[list[Any]]] = defaultdict(list)
        for items in branches:
            if 1 < len(items) and str(items[0][0]) in _SINGLE:
                shared[_characters(items[0], flags)].append(items[1:])
            else:
                self.free[self._sequence(items, state, flags, accepted)].append(end)
        for characters, rests in shared.items():
            self._branches(rests, self._after(state, characters), end, flags, accepted)

    def _what_follows(self, name: str, value: Any, state: int, flags: int, accepted: int) -> int:
        """Read an assertion at the end of a pattern about the text after a match."""
        if name == "AT" or value[0] != _AHEAD:
            return state
        items = list(value[1])
        if name == "ASSERT":
            follows = self._sequence(items, state, flags, accepted)
            self.free[follows].append(accepted)
            return self._new()  # no other path continues from here
        if len(items) == 1 and str(items[0][0]) in _SINGLE:
            others = _union(_others(_characters(items[0], flags)), _EDGE)
            self.edges[state].append((others, accepted))
            return self._new()
        return state

    def _after(self, state: int, characters: Ranges) -> int:
        self.edges[state].append((characters, self._new()))
        return len(self.edges) - 1

    def _repeated(self, value: tuple[int, Any, Any], state: int, flags: int) -> int:
        least, most, items = value
        copies = min(least, _MOST_COPIES)
        for _ in range(copies):
            state = self._sequence(items, state, flags, None)
        if most is _constants.MAXREPEAT or copies < least or _MOST_OPTIONS < most - copies:
            return self._endless(items, state, flags)
        end = self._new()
        self.free[state].append(end)
        for _ in range(most - copies):
            state = self._sequence(items, state, flags, None)
            self.free[state].append(end)
        return end

    def _endless(self, items: Any, state: int, flags: int) -> int:
        start, end = self._new(), self._new()
        self.free[state].append(start)
        self.free[self._sequence(items, start, flags, None)].append(start)
        self.free[start].append(end)
        return end

    def closure(self, state: int) -> States:
        """The states that are reached without a character and that accept or have edges."""
        seen, waiting = {state}, [state]
        while waiting:
            new = set(self.free[waiting.pop()]) - seen
            seen |= new
            waiting += new
        return frozenset(each for each in seen if self.edges[each] or each in self.accepting)


def _is_assertion(item: Any) -> bool:
    return str(item[0]) in _ASSERTIONS


def _meet(one: Ranges, other: Ranges) -> Ranges:
    """The intersection of two sets of characters, including the edge of the text."""
    both = _others(_union(_others(one), _others(other)))
    has_edge = all(ranges and _CODE_POINTS < ranges[-1][1] for ranges in (one, other))
    return _union(both, _EDGE) if has_edge else both


def _before_match(items: Iterable[Any], flags: int, depth: int = 0) -> tuple[Ranges, int | None]:
    """The characters that lookbehinds near the start of a match allow before it.

    `depth` is the number of characters of the match before the items. The second value is their
    number after them, None if it is not certain.
    """
    allowed = _union(_ANYTHING, _EDGE)
    for operator, value in items:
        name = str(operator)
        if name in _SINGLE:
            depth += 1
        elif name in ("ASSERT", "ASSERT_NOT"):
            if value[0] == _BEHIND:
                allowed = _meet(allowed, _seen_behind(name, list(value[1]), flags, depth))
        elif name == "SUBPATTERN":
            inner, after = _before_match(value[3], (flags | value[1]) & ~value[2], depth)
            allowed = _meet(allowed, inner)
            if after is None:
                return allowed, None
            depth = after
        elif name == "BRANCH":
            found = [_before_match(branch, flags, depth) for branch in value[1]]
            allowed = _meet(allowed, _union(*(inner for inner, _ in found)))
            depths = {after for _, after in found}
            (after,) = depths if len(depths) == 1 else (None,)
            if after is None:
                return allowed, None
            depth = after
        elif name != "AT":
            return allowed, None
    return allowed, depth


def _seen_behind(name: str, items: list[Any], flags: int, depth: int) -> Ranges:
    """What a lookbehind implies for the character before a match, `depth` characters into it."""
    anything = _union(_ANYTHING, _EDGE)
    place = len(items) - 1 - depth
    if place < 0 or not all(str(operator) in _SINGLE for operator, _ in items):
        return anything
    here = _characters(items[place], flags)
    if name == "ASSERT":
        return here
    # It fails for this character only if all its other elements match any character.
    is_alone = place == 0 and all(str(operator) == "ANY" for operator, _ in items[1:])
    is_for_all = is_alone and (flags & _MATCHES_LINE_FEED or len(items) == 1)
    if is_for_all:
        return _union(_others(here), _EDGE)
    return _union(_others(here), _EDGE, _LINE_FEED) if is_alone else anything


# Tables --------------------------------------------------------------------------------------


class _Alphabet:
    """Classes of characters: those of one class are in the same sets of characters."""

    def __init__(self, sets: Iterable[Ranges]) -> None:
        all_ranges = sorted({*sets, _EDGE, _category("WORD"), _category("UNASSIGNED")})
        bounds = sorted({0, *(edge for ranges in all_ranges for each in ranges for edge in each)})
        kinds: list[list[int]] = [[] for _ in bounds]
        for number, ranges in enumerate(all_ranges):
            for start, end in ranges:
                for place in range(bisect_left(bounds, start), bisect_left(bounds, end)):
                    kinds[place].append(number)
        numbers: dict[tuple[int, ...], int] = {}
        self._bounds = bounds
        self._class_of = [numbers.setdefault(tuple(kind), len(numbers)) for kind in kinds]
        self.size = len(numbers)
        self.edge = self._class_of[bounds.index(_CODE_POINTS)]
        self.members: dict[Ranges, int] = dict.fromkeys(all_ranges, 0)
        """The classes of each set of characters, as the bits of a number."""
        for kind, number in numbers.items():
            for own in kind:
                self.members[all_ranges[own]] |= 1 << number

    def kinds(self) -> bytes:
        """Return the kind of each class."""
        of_word, unassigned = self.members[_category("WORD")], self.members[_category("UNASSIGNED")]
        return bytes(
            _UNASSIGNED if unassigned >> number & 1 else _OF_WORD * (of_word >> number & 1)
            for number in range(self.size)
        )

    def pages(self) -> tuple[array[int], array[int]]:
        """Return the page of every 256 characters, and the class of each character of the pages."""
        classes = array("H")
        ends = [*self._bounds[1:], _CODE_POINTS]
        for start, end, number in zip(self._bounds, ends, self._class_of, strict=True):
            if start < _CODE_POINTS:
                classes.extend([number] * (end - start))
        numbers: dict[bytes, int] = {}
        page_of = array("H")
        for start in range(0, _CODE_POINTS, _PAGE):
            page = classes[start : start + _PAGE].tobytes()
            page_of.append(numbers.setdefault(page, len(numbers)))
        return page_of, array("H", b"".join(numbers))


class _Tables:
    """The states that accept or have edges, with their edges, as numbers.

    An edge has a class of characters or, as a complement, a set of classes; it leads to a state or,
    as a complement, to a run of states.
    """

    def __init__(self, patterns: _Patterns) -> None:
        self._patterns = patterns
        sets = {characters for own in patterns.edges for characters, _ in own}
        self.alphabet = _Alphabet(sets)
        self._sets: dict[int, int] = {}
        self._runs: dict[tuple[int, ...], int] = {}
        self._numbers: dict[int, int] = {}
        self._states: list[int] = []
        self._closures: dict[int, int] = {}

    def build(self, rules: Sequence[Rule], firsts: Sequence[int]) -> bytes:
        """Return the tables, in the order in which `native/automaton.c` reads them."""
        at_word = self._target(firsts)
        elsewhere = self._target(
            first for first, rule in zip(firsts, rules, strict=True) if not rule.has_starts
        )
        owners, first_edges, edges = array("H"), array("I", [0]), array("i")
        for state in self._states:  # it grows, since edges lead to further states
            is_accepting = state in self._patterns.accepting
            owners.append(self._patterns.owner[state] | _ACCEPTING * is_accepting)
            for characters, target in self._patterns.edges[state]:
                edges.extend((self._characters(characters), self._closure(target)))
            first_edges.append(len(edges) // 2)
        first_items = array("I", accumulate(map(len, self._runs), initial=0))
        items = array("I", (state for run in self._runs for state in run))
        page_of, pages = self.alphabet.pages()
        head = [
            *(self.alphabet.size, len(owners), len(edges) // 2, len(self._sets)),
            *(len(self._runs), len(items), len(rules), len(pages) // _PAGE),
            *(self.alphabet.edge, _MOST_STEPS, at_word, elsewhere),
        ]
        set_size = -(-self.alphabet.size // 64) * 8
        parts = (
            array("i", head + [0] * (_HEAD_SIZE - len(head))),
            page_of,
            pages,
            self.alphabet.kinds(),
            b"".join(members.to_bytes(set_size, sys.byteorder) for members in self._sets),
            owners,
            first_edges,
            edges,
            first_items,
            items,
        )
        return b"".join(bytes(part) + bytes(-memoryview(part).nbytes % 8) for part in parts)

    def _target(self, states: Iterable[int]) -> int:
        numbers = sorted(map(self._number, states))
        if len(numbers) == 1:
            return numbers[0]
        return ~self._runs.setdefault(tuple(numbers), len(self._runs))

    def _closure(self, state: int) -> int:
        if state not in self._closures:
            self._closures[state] = self._target(sorted(self._patterns.closure(state)))
        return self._closures[state]

    def _number(self, state: int) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number

    def _characters(self, characters: Ranges) -> int:
        members = self.alphabet.members[characters]
        if members.bit_count() == 1:
            return members.bit_length() - 1
        return ~self._sets.setdefault(members, len(self._sets))


def build_automaton(rules: Sequence[Rule]) -> bytes:
    """Return the tables of the automaton of some rules."""
    patterns = _Patterns()
    firsts = [patterns.add_rule(number, rule) for number, rule in enumerate(rules)]
    return _Tables(patterns).build(rules, firsts)
