"""A rule: a pattern with its context, the labels of its spans and the checks they must pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import InputError
from veil.core.labels import family
from veil.core.patterns import compile_pattern
from veil.detect.rules.starts import Starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from veil.core.checks import Check
    from veil.detect.rules.adjustments import Adjust

_DIGITS = re.compile(r"\d+\Z")


class Hit(NamedTuple):
    """A span that a rule found."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Rule:
    """Finds one kind of expression.

    `source` makes the pattern, which is compiled when it is first needed: a text needs few of them.
    A match counts if no character of `before` precedes it. The whole match becomes a span with the
    `label`, or each group that is named after one. Each span is adjusted, then checked; a match
    without remaining spans is ignored. `needs` are strings in lower case: the pattern is tried only
    on lines that contain one of them, and on the lines after these. `starts` are strings in lower
    case, `start_tests` are functions of a word: the pattern is tried only where a word begins with
    one of the strings or passes one of the tests, in texts that contain one of the `needs`, if
    there are any. With `keys` the pattern is that of the value after one of these keys and a colon.
    A rule with `shields` finds nothing itself: it prevents other rules from finding spans of these
    labels inside its matches. A rule with the label VALUE finds clinical values, inside which no
    detector finds anything (`veil.core.values`). `file` is the file that contains the rule.
    """

    name: str
    source: Callable[[], str]
    label: str | None
    before: str
    needs: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    start_tests: tuple[Check, ...] = ()
    keys: tuple[str, ...] = ()
    adjust: Adjust | None = None
    checks: tuple[Check, ...] = ()
    score: float = 1.0
    certain: bool = False
    shields: frozenset[str] = frozenset()
    examples: Examples | None = None
    file: Path | None = None

    def find(
        self, text: str, lowered: str | None = None, letters: frozenset[str] | None = None
    ) -> Iterator[Hit]:
        """Yield the hits in a text, from left to right.

        `lowered` is the text in lower case, `letters` the characters in it.
        """
        if not self.needs and not self.has_starts:
            yield from self._find(text, 0, len(text))
            return
        lowered = text.lower() if lowered is None else lowered
        if self.has_starts:
            yield from (hit for _, hit in self._starts.find(text, lowered))
            return
        # Most texts lack most of the thousands of Japanese characters: looking up the first
        # character of a need saves a search for it.
        present = frozenset(lowered) if letters is None else letters
        needs = tuple(need for need in self.needs if need[0] in present)
        for start, end in windows(text, lowered, needs) if needs else ():
            yield from self._find(text, start, end)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return compile_pattern(self.source())

    @cached_property
    def groups(self) -> tuple[tuple[int, str], ...]:
        """The numbers of the groups that become spans, with their labels."""
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
        """Compile the patterns now; raise an error if one of them is invalid."""
        _ = self.groups, self._before
        if self.pattern.match(""):
            raise InputError(
                "the pattern matches an empty text; let it ask for a character at least"
            )

    @cached_property
    def has_starts(self) -> bool:
        """Whether the pattern is tried only at certain words."""
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
        """Return the hits of a match that begins exactly here, as the value of a field does."""
        match = self.pattern.match(text, position)
        return self.hits(text, match) if match else []

    def hits(self, text: str, match: re.Match[str]) -> list[Hit]:
        """Return the spans of a match that remain after adjustment and checks.

        There are none if the character before the match is in `before`.
        """
        start = match.start()
        if self._before and start and self._before.match(text, start - 1):
            return []
        return self.spans(text, match)

    def spans(self, text: str, match: re.Match[str]) -> list[Hit]:
        """The same as `hits` if the character before the match was checked already."""
        hits: list[Hit] = []
        adjust, checks = self.adjust, self.checks
        for group, label in self.groups:
            start, end = match.span(group)
            if start == end:
                continue
            if adjust:
                bounds = adjust(text, start, end)
                if bounds is None:
                    continue
                start, end = bounds
            if not checks or all(check(text[start:end]) for check in checks):
                hits.append(Hit(start, end, label))
        return hits


def windows(text: str, lowered: str, needs: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the lines that contain one of the strings, each with the line after it, merged."""
    if len(lowered) != len(text):  # a few letters change their length with their case
        return [(0, len(text))] if any(need in lowered for need in needs) else []
    lines: dict[int, int] = {}
    for need in needs:
        offset = lowered.find(need)
        while 0 <= offset:
            end = _end_of_line(text, offset)
            lines[text.rfind("\n", 0, offset) + 1] = end
            offset = lowered.find(need, end)
    found: list[tuple[int, int]] = []
    for start in sorted(lines):
        end = _end_of_line(text, lines[start] + 1)
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, end))
    return found


def _end_of_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return end if 0 <= end else len(text)


@dataclass(frozen=True)
class Examples:
    """Texts beside a rule: `find` marks [[expected spans]]; in `leave` nothing may be found."""

    find: tuple[str, ...]
    leave: tuple[str, ...]


MARKED = re.compile(r"\[\[(.+?)\]\]")


def unmarked(example: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of an example without its marks, and the bounds of the marked spans."""
    bounds = []
    text = ""
    position = 0
    for mark in MARKED.finditer(example):
        text += example[position : mark.start()]
        bounds.append((len(text), len(text) + len(mark[1])))
        text += mark[1]
        position = mark.end()
    return text + example[position:], bounds
