"""A rule: a pattern with what must surround it, what its spans are and what they must pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import InputError
from veil.core.labels import family
from veil.detect.rules.starts import Starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Check = Callable[[str], bool]
    # Where in a text a span may stay of what a pattern found, or None where it may not.
    Fit = Callable[[str, int, int], "tuple[int, int] | None"]

_DIGITS = re.compile(r"\d+\Z")


class Hit(NamedTuple):
    """What a rule found."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Rule:
    """Finds one kind of expression.

    `source` makes the pattern, which is compiled when it is first needed: a text needs few of them.
    A match counts where no character of `before` precedes it. The whole match becomes a span with
    the `label`, or each group that is named after one. Each span is fitted, then checked; a match
    none of whose spans is left counts for nothing. `needs` are strings in lower case: the
    pattern is tried only on lines that hold one of them, and on the lines after these. `starts` are
    strings in lower case, `start_tests` say yes or no to a word: the pattern is tried only where a
    word begins with one of the strings or passes one of the tests, in texts that hold one of the
    `needs`, if there are any. With `keys` the pattern is that
    of the value after one of these keys and a colon. `shields` makes the rule one that finds
    nothing itself and keeps other rules from finding spans of these labels inside its matches.
    `file` is where the rule is written.
    """

    name: str
    source: Callable[[], str]
    label: str | None
    before: str
    needs: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    start_tests: tuple[Check, ...] = ()
    keys: tuple[str, ...] = ()
    fit: Fit | None = None
    checks: tuple[Check, ...] = ()
    score: float = 1.0
    certain: bool = False
    shields: frozenset[str] = frozenset()
    examples: Examples | None = None
    file: Path | None = None

    def find(
        self, text: str, lowered: str | None = None, letters: frozenset[str] | None = None
    ) -> Iterator[Hit]:
        """Yield what a text holds, from left to right.

        `lowered` is the text in lower case, `letters` the characters that this holds.
        """
        if not self.needs and not self.has_starts:
            yield from self._find(text, 0, len(text))
            return
        lowered = text.lower() if lowered is None else lowered
        if self.has_starts:
            yield from (hit for _, hit in self._starts.find(text, lowered))
            return
        # Most texts lack most of the thousands of characters of Japanese: a look at the first one
        # of a need saves a search for it.
        held = frozenset(lowered) if letters is None else letters
        needs = tuple(need for need in self.needs if need[0] in held)
        for start, end in windows(text, lowered, needs) if needs else ():
            yield from self._find(text, start, end)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the rule looks for."""
        return re.compile(self.source())

    @cached_property
    def groups(self) -> tuple[tuple[int, str], ...]:
        """The numbers of the pattern's groups that become spans, with their labels."""
        named = sorted(self.pattern.groupindex.items(), key=lambda item: item[1])
        if not named:
            if self.label is None:
                raise InputError("the key 'label' is missing, and no group is named after one")
            return ((0, self.label),)
        labels = [
            (number, _DIGITS.sub("", name).replace("_", "-").upper()) for name, number in named
        ]
        for _, label in labels:
            family(label)
        return tuple(labels)

    @cached_property
    def _before(self) -> re.Pattern[str] | None:
        return re.compile(f"[{self.before}]") if self.before else None

    def compile(self) -> None:
        """Make the patterns now, and raise what is wrong with them."""
        _ = self.groups, self._before
        if self.pattern.match(""):
            raise InputError(
                "the pattern matches an empty text; let it ask for a character at least"
            )

    @property
    def has_starts(self) -> bool:
        """Whether the rule says with what it begins."""
        return bool(self.starts or self.start_tests)

    @cached_property
    def _starts(self) -> Starts:
        return Starts([self])

    def _find(self, text: str, start: int, end: int) -> Iterator[Hit]:
        search = self.pattern.search
        match = search(text, start, end)
        while match:
            hits = self.hits(text, match)
            yield from hits
            begun, ended = match.span()
            begin = max(ended, begun + 1) if hits else begun + 1
            match = search(text, begin, end) if begin < end else None

    def match_at(self, text: str, position: int) -> list[Hit]:
        """What the rule finds exactly here: the value of a field."""
        match = self.pattern.match(text, position)
        return self.hits(text, match) if match else []

    def hits(self, text: str, match: re.Match[str]) -> list[Hit]:
        """The spans of a match of the pattern that stand what they must."""
        start = match.start()
        if self._before and 0 < start and self._before.match(text, start - 1):
            return []
        hits = []
        for group, label in self.groups:
            place = match.span(group)
            if place[0] == place[1]:
                continue
            fitted = self.fit(text, *place) if self.fit else place
            if fitted and all(check(text[fitted[0] : fitted[1]]) for check in self.checks):
                hits.append(Hit(*fitted, label))
        return hits


def windows(text: str, lowered: str, needs: tuple[str, ...]) -> list[tuple[int, int]]:
    """Where a pattern may match that needs one of these strings: lines with one, and the next."""
    if len(lowered) != len(text):  # a few letters change their length with their case
        return [(0, len(text))] if any(need in lowered for need in needs) else []
    lines: dict[int, int] = {}
    for need in needs:
        place = lowered.find(need)
        while 0 <= place:
            end = _end_of_line(text, place)
            lines[text.rfind("\n", 0, place) + 1] = end
            place = lowered.find(need, end)
    found: list[tuple[int, int]] = []
    for start in sorted(lines):
        end = _end_of_line(text, lines[start] + 1)
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, end))
    return found


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return end if 0 <= end else len(text)


@dataclass(frozen=True)
class Examples:
    """Texts beside a rule: `find` marks [[what it finds]], in `leave` it finds nothing."""

    find: tuple[str, ...]
    leave: tuple[str, ...]


MARKED = re.compile(r"\[\[(.+?)\]\]")


def unmarked(example: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of an example, and where what it marks stands in it."""
    places = []
    text = ""
    position = 0
    for mark in MARKED.finditer(example):
        text += example[position : mark.start()]
        places.append((len(text), len(text) + len(mark[1])))
        text += mark[1]
        position = mark.end()
    return text + example[position:], places
