"""Starts: rules that are tried only where a word begins as they do.

To search a text once for each of hundreds of patterns takes most of the time of detection. A
pattern that begins with certain letters, with a digit or with an entry of a lexicon need not be
searched for: each word of the text asks which rules may begin with it, and words come again.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from veil.core.errors import UnknownNameError
from veil.detect.rules.forms_sv import SWEDISH_TESTS
from veil.lexicons import kinds, lexicon
from veil.lexicons.folding import base_form, fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from veil.detect.rules.rule import Hit, Rule

    Test = Callable[[str], bool]

_WORD = re.compile(r"\w+")
_OF_WORD = re.compile(r"\w")
_LETTERS = 2
_REMEMBERED = 1 << 16


def is_number(word: str) -> bool:
    """Whether a word begins with a digit."""
    return word[0].isdigit()


def is_capitalised(word: str) -> bool:
    """Whether a word begins with a capital."""
    return word[0].isupper()


def is_code(word: str) -> bool:
    """Whether a word begins with a capital and is one letter or has a digit: X, ES91."""
    return word[0].isupper() and (len(word) == 1 or any(map(str.isdigit, word)))


TESTS: dict[str, Test] = {
    "<digit>": is_number,
    "<capital>": is_capitalised,
    "<code>": is_code,
    **SWEDISH_TESTS,
}


@cache
def start_test(name: str, language: str) -> Test:
    """Return what says whether a rule may begin with a word.

    It is one of `TESTS`, `entry:KIND`, or `-gatan` for words that end so.
    """
    head, _, kind = name.partition(":")
    if head == "entry" and kind:
        if kind not in kinds():
            raise UnknownNameError("kind of lexicon", kind, kinds())
        return partial(_begins_entry, language, kind)
    if name.startswith("-"):
        return partial(_ends, name[1:].lower())
    if name not in TESTS:
        raise UnknownNameError("start", name, [*TESTS, "entry:KIND", "-END"])
    return TESTS[name]


def _ends(end: str, word: str) -> bool:
    return word.lower().endswith(end)


def _begins_entry(language: str, kind: str, word: str) -> bool:
    """Whether an entry that is written with a capital may begin with a word."""
    if not word[0].isupper():
        return False
    firsts = _first_words(language, kind)
    folded = fold(word)
    genitive_of = base_form(folded, language)
    return any(form in firsts for form in (folded, without_diacritics(folded), genitive_of) if form)


@cache
def _first_words(language: str, kind: str) -> frozenset[str]:
    found = (_WORD.match(entry) for entry in lexicon(language, kind).keys.folded)
    return frozenset(word[0] for word in found if word)


class Starts:
    """The rules that say with what they begin, by what they say."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        # By their first two letters, so that a word is compared with a few of them only.
        self._starts: dict[str, list[tuple[str, Rule]]] = {}
        self._tested: dict[Test, list[Rule]] = {}
        for rule in rules:
            for start in rule.starts:
                self._starts.setdefault(start[:_LETTERS], []).append((start, rule))
            for test in rule.start_tests:
                self._tested.setdefault(test, []).append(rule)
        self._at_numbers = [("", rule) for rule in self._tested.pop(is_number, ())]
        self._memory: dict[str, list[tuple[str, Rule]]] = {}

    def find(self, text: str, lowered: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield what stands at the beginnings of words, with the rule that found it."""
        if len(lowered) != len(text):  # a few letters change their length with their case
            lowered = "".join(letter.lower()[:1] for letter in text)
        remembered = self._memory.get
        ends: dict[str, int] = {}
        for word in _WORD.finditer(text):
            candidates = remembered(word[0])
            if candidates is None:
                candidates = self._candidates(word[0])
            if not candidates:
                continue
            place = word.start()
            for start, rule in candidates:
                if start and not lowered.startswith(start, place):
                    continue
                match = rule.pattern.match(text, place)
                if match is None or place < ends.get(rule.name, 0):
                    continue
                for hit in rule.hits(text, match):
                    ends[rule.name] = max(hit.end, ends.get(rule.name, 0))
                    yield rule, hit

    def _candidates(self, word: str) -> list[tuple[str, Rule]]:
        """The rules that may begin with a word, each with what else must follow there."""
        if is_number(word):  # numbers do not come again: none is worth remembering
            return self._at_numbers
        lowered = word.lower()
        listed = self._listed(lowered)
        whole = {rule.name: ("", rule) for start, rule in listed if lowered.startswith(start)}
        for test, rules in self._tested.items():
            if test(word):
                whole |= {rule.name: ("", rule) for rule in rules}
        # The word ends here: a start that goes on must go on with what is not of a word.
        longer = [
            (start, rule)
            for start, rule in listed
            if rule.name not in whole
            and start.startswith(lowered)
            and not _OF_WORD.match(start, len(lowered))
        ]
        if _REMEMBERED <= len(self._memory):
            self._memory.clear()
        self._memory[word] = [*whole.values(), *longer]
        return self._memory[word]

    def _listed(self, word: str) -> list[tuple[str, Rule]]:
        """The starts that have their first letters in common with a word, and their rules."""
        if len(word) < _LETTERS:
            keys: Iterable[str] = [key for key in self._starts if key.startswith(word)]
        else:
            keys = (word[:length] for length in range(1, _LETTERS + 1))
        return [pair for key in keys for pair in self._starts.get(key, ())]
