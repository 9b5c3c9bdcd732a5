"""The automaton of a language's rules, which finds where each of them may match in one pass.

To try hundreds of patterns takes most of the time of detection, and few of them match. The patterns
are turned into one deterministic automaton that accepts at least what they match: what it cannot
express, such as a reference to a group, is left out. Only rules that it accepts are tried. It
reads the character before a match first, since many rules depend on it.

The states are those that occur in sample texts; the number of all states would be too large. Where
a walk leaves them, every rule that is still live counts as accepted. The tables are stored
(`veil.core.tables`) and read by the compiled core; the pure path does without them.
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
from re import _constants, _parser  # type: ignore[attr-defined]
from re._casefix import _EXTRA_CASES  # type: ignore[import-not-found]
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from veil.detect.rules.rule import Rule

    # Sorted, disjoint ranges of code points, half open.
    Ranges = tuple[tuple[int, int], ...]
    States = frozenset[int]

_CODE_POINTS = 0x110000
_ANYTHING: Ranges = ((0, _CODE_POINTS),)
_LINE_FEED: Ranges = ((10, 11),)
# Before the first character of a text and after the last one.
_EDGE: Ranges = ((_CODE_POINTS, _CODE_POINTS + 1),)
_UNKNOWN = 0xFFFF
_PAGE = 256
# A pattern that repeats something more often is taken to repeat it without end.
_MOST_COPIES, _MOST_OPTIONS = 4, 3
# Endless patterns, such as that of mail addresses, must not be followed through a whole line from
# each of its words.
_MOST_STEPS = 64
_HEAD_SIZE = 16
_OPEN_STEPS = 2
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
    """The characters that a character in lower case stands for."""
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
    name = str(operator)
    ignores_case = bool(flags & re.IGNORECASE)
    if name == "LITERAL":
        return _literal(value, ignores_case)
    if name == "NOT_LITERAL":
        return _others(_literal(value, False))
    if name == "ANY":
        return _ANYTHING if flags & re.DOTALL else _others(_LINE_FEED)
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
        """Add a rule; return its first state, in which the character before is read."""
        tree = _parser.parse(rule.pattern.pattern)
        flags = tree.state.flags
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

        `accepted` is the accepting state if nothing is read after these elements: then what must
        follow a match can be read as if it were part of it.
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
            for items in value[1]:
                self.free[self._sequence(items, state, flags, accepted)].append(end)
            return end
        if name in _REPEATS:
            return self._repeated(value, state, flags)
        if name == "GROUPREF":
            return self._endless([(_constants.ANY, None)], state, flags | re.DOTALL)
        if name not in _ASSERTIONS:
            raise ValueError(f"automata do not know {name} in a pattern")
        return (
            state if accepted is None else self._what_follows(name, value, state, flags, accepted)
        )

    def _what_follows(self, name: str, value: Any, state: int, flags: int, accepted: int) -> int:
        """Read what an assertion at the end of a pattern says of the text after a match."""
        if name == "AT" or value[0] != _AHEAD:
            return state
        items = list(value[1])
        if name == "ASSERT":
            follows = self._sequence(items, state, flags, accepted)
            self.free[follows].append(accepted)
            return self._new()  # nothing else leads on from here
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
        """The states that are reached without a character and from which something leads on."""
        seen, waiting = {state}, [state]
        while waiting:
            new = set(self.free[waiting.pop()]) - seen
            seen |= new
            waiting += new
        return frozenset(each for each in seen if self.edges[each] or each in self.accepting)


def _is_assertion(item: Any) -> bool:
    return str(item[0]) in _ASSERTIONS


def _meet(one: Ranges, other: Ranges) -> Ranges:
    """What is in both, the edge included."""
    both = _others(_union(_others(one), _others(other)))
    has_edge = all(ranges and _CODE_POINTS < ranges[-1][1] for ranges in (one, other))
    return _union(both, _EDGE) if has_edge else both


def _before_match(items: Iterable[Any], flags: int, depth: int = 0) -> tuple[Ranges, int | None]:
    """The characters that may precede a match, as far as lookbehinds near its start tell.

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
    """What a lookbehind says of the character before a match of which `depth` were read."""
    anything = _union(_ANYTHING, _EDGE)
    place = len(items) - 1 - depth
    if place < 0 or not all(str(operator) in _SINGLE for operator, _ in items):
        return anything
    here = _characters(items[place], flags)
    if name == "ASSERT":
        return here
    # It fails for this character only if all its other elements match whatever stands there.
    is_alone = place == 0 and all(str(operator) == "ANY" for operator, _ in items[1:])
    is_for_all = is_alone and (flags & re.DOTALL or len(items) == 1)
    if is_for_all:
        return _union(_others(here), _EDGE)
    return _union(_others(here), _EDGE, _LINE_FEED) if is_alone else anything


# From there to a deterministic one -----------------------------------------------------------


class _Target(NamedTuple):
    """A state of the deterministic automaton: live states of the patterns and accepted rules."""

    live: States
    accepted: frozenset[int]


_DEAD = _Target(frozenset(), frozenset())


class _Builder:
    """Makes the deterministic automaton, as far as texts lead into it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.patterns = patterns = _Patterns()
        firsts = [patterns.add_rule(number, rule) for number, rule in enumerate(rules)]
        self.rules = len(rules)
        self._alphabet(patterns.edges)
        self._moves = [
            [(self._members[characters], patterns.closure(target)) for characters, target in edges]
            for edges in patterns.edges
        ]
        self.numbers: dict[_Target, int] = {_DEAD: 0}
        self.targets: list[_Target] = [_DEAD]
        self._rows: list[dict[int, _Target] | None] = [{}]
        self.at_word = self._root(firsts)
        self.elsewhere = self._root(
            first for first, rule in zip(firsts, rules, strict=True) if not rule.has_starts
        )

    def _alphabet(self, edges: Iterable[Iterable[tuple[Ranges, int]]]) -> None:
        """Sort characters into classes: those of one class are on the same edges."""
        distinct = {characters for own in edges for characters, _ in own}
        all_ranges = sorted({*distinct, _EDGE, _category("WORD"), _category("UNASSIGNED")})
        bounds = sorted({0, *(edge for ranges in all_ranges for each in ranges for edge in each)})
        kinds: list[list[int]] = [[] for _ in bounds]
        for number, ranges in enumerate(all_ranges):
            for start, end in ranges:
                for place in range(bisect_left(bounds, start), bisect_left(bounds, end)):
                    kinds[place].append(number)
        numbers: dict[tuple[int, ...], int] = {}
        classes = [numbers.setdefault(tuple(kind), len(numbers)) for kind in kinds]
        self.bounds, self.class_of = bounds, classes
        self.classes = len(numbers)
        self.edge = classes[bounds.index(_CODE_POINTS)]
        # The classes of each set of characters, as the bits of a number.
        self._members: dict[Ranges, int] = dict.fromkeys(all_ranges, 0)
        for kind, number in numbers.items():
            for own in kind:
                self._members[all_ranges[own]] |= 1 << number
        self.of_word = self._members[_category("WORD")]

    def _root(self, firsts: Iterable[int]) -> int:
        return self.number(_Target(frozenset(firsts), frozenset()))

    def number(self, target: _Target) -> int:
        """The number of a state, a new one if it is new."""
        found = self.numbers.setdefault(target, len(self.targets))
        if found == len(self.targets):
            self.targets.append(target)
            self._rows.append(None)
        return found

    def row(self, state: int) -> dict[int, _Target]:
        """Where each class leads from a state; classes that are absent lead to nothing."""
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = dict(self._row(self.targets[state].live))
        return row

    def _row(self, live: States) -> Iterator[tuple[int, _Target]]:
        moves: defaultdict[int, set[int]] = defaultdict(set)
        for state in live:
            for members, targets in self._moves[state]:
                moves[members] |= targets
        # Classes that are in the same moves are handled together.
        parts: dict[int, tuple[set[int], ...]] = {(1 << self.classes) - 1: ()}
        for members, reached in moves.items():
            divided: dict[int, tuple[set[int], ...]] = {}
            for part, own in parts.items():
                if part & members:
                    divided[part & members] = (*own, reached)
                if part & ~members:
                    divided[part & ~members] = own
            parts = divided
        for part, own in parts.items():
            if own:
                target = self._target(set().union(*own))
                yield from ((number, target) for number in _bits(part))

    def _target(self, states: set[int]) -> _Target:
        """A rule that is accepted is tried in any case: it need not be followed further."""
        ends = states & self.patterns.accepting.keys()
        if not ends:
            return _Target(frozenset(states), frozenset())
        owner = self.patterns.owner
        accepted = frozenset(self.patterns.accepting[state] for state in ends)
        return _Target(frozenset(each for each in states if owner[each] not in accepted), accepted)

    def follow(self, text: str) -> None:
        """Add the states that a text leads to, from each of its characters."""
        of_letter: dict[str, int] = {}
        for letter in set(text):
            of_letter[letter] = self.class_of[_place(self.bounds, ord(letter))]
        classes = [self.edge, *(of_letter[letter] for letter in text), self.edge]
        for at in range(1, len(classes) - 1):
            is_word = self.of_word >> classes[at] & 1 and not self.of_word >> classes[at - 1] & 1
            state = self.at_word if is_word else self.elsewhere
            for step, number in enumerate(classes[at - 1 : at + _MOST_STEPS]):
                target = self.row(state).get(number, _DEAD)
                state = self.number(target)
                if not target.live or (0 < step and number == self.edge):
                    break

    def open(self) -> None:
        """Add the states after any character before a match, and after any first one.

        At the roots all rules are live: what samples lack must not lead to trying all of them.
        """
        for _ in range(_OPEN_STEPS):
            for state in range(len(self.targets)):
                for target in set(self.row(state).values()):
                    self.number(target)

    def tables(self) -> bytes:
        """The tables, in the order in which `native/automaton.c` reads them."""
        masks: dict[int, int] = {0: 0}
        states = len(self.targets)
        if _UNKNOWN <= states:
            raise ValueError("too many states: give fewer sample texts")
        owner = self.patterns.owner
        accepted, live = array("H"), array("H")
        following = array("H", bytes(2 * states * self.classes))
        for state, target in enumerate(self.targets):
            owners = {owner[each] for each in target.live}
            for numbers, rules in ((accepted, target.accepted), (live, owners)):
                mask = sum(1 << rule for rule in rules)
                numbers.append(masks.setdefault(mask, len(masks)))
            row = state * self.classes
            for number, reached in self.row(state).items():
                following[row + number] = self.numbers.get(reached, _UNKNOWN)
        words = -(-self.rules // 64)
        page_of, pages = self._pages()
        head = [
            *(self.classes, states, len(masks), words, len(pages) // _PAGE),
            *(self.edge, self.at_word, self.elsewhere, _MOST_STEPS),
        ]
        parts = (
            array("i", head + [0] * (_HEAD_SIZE - len(head))).tobytes(),
            page_of.tobytes(),
            pages.tobytes(),
            following.tobytes(),
            accepted.tobytes(),
            live.tobytes(),
            b"".join(mask.to_bytes(8 * words, sys.byteorder) for mask in masks),
            bytes(map(self._kind, range(self.classes))),
        )
        return b"".join(part + bytes(-len(part) % 8) for part in parts)

    def _kind(self, number: int) -> int:
        unassigned = self._members[_category("UNASSIGNED")]
        return _UNASSIGNED if unassigned >> number & 1 else _OF_WORD * (self.of_word >> number & 1)

    def _pages(self) -> tuple[array[int], array[int]]:
        """The page of every 256 characters, and the class of each character of these pages."""
        classes = array("H")
        ends = [*self.bounds[1:], _CODE_POINTS]
        for start, end, number in zip(self.bounds, ends, self.class_of, strict=True):
            if start < _CODE_POINTS:
                classes.extend([number] * (end - start))
        numbers: dict[bytes, int] = {}
        page_of = array("H")
        for start in range(0, _CODE_POINTS, _PAGE):
            page = classes[start : start + _PAGE].tobytes()
            page_of.append(numbers.setdefault(page, len(numbers)))
        return page_of, array("H", b"".join(numbers))


def _place(bounds: list[int], code: int) -> int:
    at = bisect_left(bounds, code)
    return at if at < len(bounds) and bounds[at] == code else at - 1


@cache
def _bits(number: int) -> tuple[int, ...]:
    return tuple(at for at in range(number.bit_length()) if number >> at & 1)


def build_automaton(rules: Sequence[Rule], texts: Iterable[str]) -> bytes:
    """Return the tables of the automaton of some rules, with the states that occur in texts."""
    builder = _Builder(rules)
    builder.open()
    for text in texts:
        builder.follow(text)
    return builder.tables()
