"""The automaton of the rules in pure Python, the twin of `native/automaton.c`.

It reads the same tables, which `veil.detect.rules.automaton` makes, and makes states on demand.
"""

from __future__ import annotations

import re
import struct
import sys
from functools import cached_property
from itertools import chain
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Edges = tuple[tuple[int, tuple[int, ...]], ...]

_WORD = re.compile(r"\w+")
# Before the first character of a text and after the last one.
_EDGE = ""
_HEAD = struct.Struct("16i")
_PAGE_SIZE, _PAGES = 256, 0x110000 // 256
_ACCEPTING = 1 << 15
_UNASSIGNED = 2
_MOST_STEPS_KEPT = 1 << 18
_MANY = 200


class Automaton:
    """Finds where rules may match."""

    def __init__(self, tables: memoryview) -> None:
        head = _HEAD.unpack_from(tables)
        classes, states, edges, sets, runs, items, rules, pages, edge, most_steps, *roots = head
        set_size = -(-classes // 64) * 8
        sizes = (
            *(2 * _PAGES, 2 * pages * _PAGE_SIZE, classes, sets * set_size, 2 * states),
            *(4 * (states + 1), 8 * edges, 4 * (runs + 1), 4 * items),
        )
        parts, at = [], _HEAD.size
        for size in sizes:
            parts.append(tables[at : at + size])
            at += size + -size % 8
        self._page_of, self._pages = parts[0].cast("H"), parts[1].cast("H")
        self._kinds = parts[2]
        self.sets = [
            int.from_bytes(parts[3][at : at + set_size], sys.byteorder)
            for at in range(0, sets * set_size, set_size)
        ]
        self.owners = parts[4].cast("H")
        self._first_edges, self._edges = parts[5].cast("I"), parts[6].cast("i")
        self._first_items, self._items = parts[7].cast("I"), parts[8].cast("I")
        self._mask_size = -(-rules // 64) * 8
        self._most_steps = most_steps
        self._class_of: dict[str, int] = {_EDGE: edge}
        self._edges_of: dict[int, Edges] = {}
        self._roots = [self._targets(root) for root in roots[:2]]
        self._forget()

    def find(
        self,
        text: str,
        words: Mapping[str, object],
        searched: bytes,
        allow: Callable[[str], object],
        go_on: Callable[[object, int], bytes],
        rules: Mapping[bytes, object],
        select: Callable[[bytes], object],
    ) -> list[tuple[int, object]] | None:
        """Return where rules may match, and which: see the compiled method of this name."""
        if not all(map(self._is_assigned, set(text))):
            return None
        if _MOST_STEPS_KEPT <= self.steps:
            self._forget()
        pairs = list(map(add, chain((_EDGE,), text), text))
        states = list(map(self._elsewhere.__getitem__, pairs))
        of_words: dict[int, object] = {}
        for match in _WORD.finditer(text):
            word = match[0]
            allowed = words.get(word) or allow(word)
            if allowed != searched:
                start = match.start()
                of_words[start] = allowed
                states[start] = self._at_word[pairs[start]]
        found = []
        dead = self.dead
        for offset, state in enumerate(states):
            accepted = 0 if state is dead else self._walk(state, text, offset + 1)
            if accepted:
                allowed = of_words.get(offset, searched)
                mask = allowed if isinstance(allowed, bytes) else go_on(allowed, offset)
                bits = accepted & int.from_bytes(mask, sys.byteorder)
                if bits:
                    mask = bits.to_bytes(self._mask_size, sys.byteorder)
                    found.append((offset, rules.get(mask) or select(mask)))
        return found

    def _walk(self, state: _State, text: str, offset: int) -> int:
        """Return the bits of the rules that are accepted; `offset` is after the first character.

        After many steps all live rules may match.
        """
        accepted = state.accepted
        last = offset + self._most_steps - 1
        for letter in text[offset:last]:
            if not state.live:
                return accepted
            state = state[letter]
            accepted |= state.accepted
        if last <= len(text):
            return accepted | state.live_rules
        return accepted | state[_EDGE].accepted if state.live else accepted

    def _is_assigned(self, letter: str) -> bool:
        return self._kinds[self.class_of(letter)] != _UNASSIGNED

    def class_of(self, letter: str) -> int:
        """Return the class of a character."""
        number = self._class_of.get(letter)
        if number is None:
            page, place = divmod(ord(letter), _PAGE_SIZE)
            number = self._pages[self._page_of[page] * _PAGE_SIZE + place]
            self._class_of[letter] = number
        return number

    def _forget(self) -> None:
        """Discard all states except the initial ones."""
        self.steps = 0
        self._states: dict[tuple[int, ...], _State] = {}
        self.dead = self._state((), 0)
        self._at_word, self._elsewhere = (_Starts(_State(self, root, 0)) for root in self._roots)

    def _state(self, live: tuple[int, ...], accepted: int) -> _State:
        key = (*live, -accepted)
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = _State(self, live, accepted)
        return found

    def after(self, reached: set[int]) -> _State:
        """Return the state for a set of states of the tables.

        A rule that is accepted is tried in any case: its states are left out.
        """
        owners = self.owners
        rules = {owners[each] - _ACCEPTING for each in reached if owners[each] & _ACCEPTING}
        if rules:
            reached = {each for each in reached if owners[each] & ~_ACCEPTING not in rules}
        return self._state(tuple(sorted(reached)), _bits(rules))

    def edges(self, state: int) -> Edges:
        """Return the edges of a state of the tables: characters and the states after them.

        Characters are a class or, as a complement, the number of a set of classes.
        """
        found = self._edges_of.get(state)
        if found is None:
            edges = self._edges
            found = self._edges_of[state] = tuple(
                (edges[at], self._targets(edges[at + 1]))
                for at in range(2 * self._first_edges[state], 2 * self._first_edges[state + 1], 2)
            )
        return found

    def _targets(self, target: int) -> tuple[int, ...]:
        if 0 <= target:
            return (target,)
        return tuple(self._items[self._first_items[~target] : self._first_items[~target + 1]])


class _State(dict[str, "_State"]):
    """The states after each character, as far as they were computed.

    `live` are the states of the tables that it stands for, `accepted` the bits of the rules that
    are accepted here.
    """

    def __init__(self, automaton: Automaton, live: tuple[int, ...], accepted: int) -> None:
        self.automaton = automaton
        self.live = live
        self.accepted = accepted
        self._by_class: dict[int, _State] = {}

    def __missing__(self, letter: str) -> _State:
        automaton = self.automaton
        number = automaton.class_of(letter)
        state = self._by_class.get(number)
        if state is None:
            state = self._by_class[number] = automaton.after(self._reached(number))
        automaton.steps += 1
        self[letter] = state
        return state

    @cached_property
    def live_rules(self) -> int:
        """The bits of the rules whose states are live."""
        owners = self.automaton.owners
        return _bits({owners[each] for each in self.live})

    def _reached(self, number: int) -> set[int]:
        """Return the states of the tables that are reached with a class."""
        sets = self.automaton.sets
        reached: set[int] = set()
        if len(self.live) < _MANY:
            for characters, targets in chain.from_iterable(map(self.automaton.edges, self.live)):
                if characters == number or (characters < 0 and sets[~characters] >> number & 1):
                    reached.update(targets)
            return reached
        of_classes, of_sets = self._joined_edges
        found = (targets for characters, targets in of_sets if sets[~characters] >> number & 1)
        return reached.union(of_classes.get(number, ()), *found)

    @cached_property
    def _joined_edges(self) -> tuple[dict[int, set[int]], list[tuple[int, set[int]]]]:
        """The merged edges of all live states: by class, and those with a set of classes."""
        joined: dict[int, set[int]] = {}
        for characters, targets in chain.from_iterable(map(self.automaton.edges, self.live)):
            joined.setdefault(characters, set()).update(targets)
        return joined, [(characters, own) for characters, own in joined.items() if characters < 0]


class _Starts(dict[str, _State]):
    """The states after the character before a match and its first one."""

    def __init__(self, root: _State) -> None:
        self._root = root

    def __missing__(self, pair: str) -> _State:
        state = self[pair] = self._root[pair[:-1]][pair[-1]]
        self._root.automaton.steps += 1
        return state


def _bits(rules: Iterable[int]) -> int:
    bits = 0
    for rule in rules:
        bits |= 1 << rule
    return bits
