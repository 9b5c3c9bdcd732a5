"""Starts: rules that are tried only where a word begins as they do.

To search a text once for each of hundreds of patterns takes most of the time of detection. A
pattern that begins with certain letters, with a digit or with an entry of a lexicon need not be
searched for: the rules that may begin with a word are looked up for each word of the text, and
words are repeated.
"""

from __future__ import annotations

import re
from functools import cache, partial
from string import hexdigits
from typing import TYPE_CHECKING

from veil.core.errors import UnknownNameError
from veil.detect.rules.adjustments import lexicon_kind
from veil.languages import language_part
from veil.lexicons import lexicon
from veil.lexicons.folding import base_form, fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from veil.detect.rules.rule import Hit, Rule

    Test = Callable[[str], bool]

_WORD = re.compile(r"\w+")
_OF_WORD = re.compile(r"\w")
_DIGITS = "0123456789"
_COUNTED = re.compile(r"<(\d+)(?:-(\d+)|(\+))? digits?>")
_MOST_DIGITS = 30
_LETTERS = 2
_CACHE_SIZE = 1 << 16


def is_number(word: str) -> bool:
    """Whether a word begins with a digit."""
    return word[0].isdigit()


def is_capitalised(word: str) -> bool:
    """Whether a word begins with a capital."""
    return word[0].isupper()


def is_code(word: str) -> bool:
    """Whether a word begins with a capital and is one letter or has a digit: X, ES91."""
    return word[0].isupper() and (len(word) == 1 or any(map(str.isdigit, word)))


def is_capitals(word: str) -> bool:
    """Whether a word is two to four capitals: MA, NSW."""
    return 2 <= len(word) <= 4 and word.isalpha() and word.isupper()


def is_hexadecimal(word: str) -> bool:
    """Whether a word is up to four digits of a hexadecimal number: fe80."""
    return len(word) <= 4 and all(letter in hexdigits for letter in word)


TESTS: dict[str, Test] = {
    "<digit>": is_number,
    "<capital>": is_capitalised,
    "<capitals>": is_capitals,
    "<code>": is_code,
    "<hex>": is_hexadecimal,
}


@cache
def start_test(name: str, language: str) -> Test:
    """Return the test of whether a rule may begin with a word.

    It is one of `TESTS`, one in the table `START_TESTS` of the language's rules, `entry:KIND`,
    `-gatan` for words that end so, or `<4 digits>`, `<1-2 digits>` or `<7+ digits>` for words that
    begin with so many.
    """
    if kind := lexicon_kind(name):
        return partial(begins_entry, language, kind)
    if name.startswith("-"):
        return partial(_ends, name[1:].lower())
    counted = _COUNTED.fullmatch(name)
    if counted:
        fewest, most, or_more = counted.groups(default="")
        at_most = _MOST_DIGITS if or_more else int(most or fewest)
        return partial(_begins_with_digits, int(fewest), at_most)
    own: dict[str, Test] = getattr(language_part(language, "rules"), "START_TESTS", {})
    tests = {**TESTS, **own}
    if name not in tests:
        raise UnknownNameError("start", name, [*tests, "entry:KIND", "-END", "<4 digits>"])
    return tests[name]


def _ends(end: str, word: str) -> bool:
    return word.lower().endswith(end)


def _begins_with_digits(fewest: int, most: int, word: str) -> bool:
    digits = min(_leading_digits(word), _MOST_DIGITS)
    # No ASCII digit: words that begin with digits of another script may have any number of them.
    return fewest <= digits <= most or (digits == 0 and is_number(word))


def _leading_digits(word: str) -> int:
    return len(word) - len(word.lstrip(_DIGITS))


def begins_entry(language: str, kind: str, word: str) -> bool:
    """Whether an entry that is written with a capital may begin with a word."""
    if not word[0].isupper():
        return False
    firsts = _first_words(language, kind)
    folded = fold(word)
    genitive_of = base_form(folded, language)
    return any(form in firsts for form in (folded, without_diacritics(folded), genitive_of) if form)


@cache
def _first_words(language: str, kind: str) -> frozenset[str]:
    entries = lexicon(language, kind).keys.folded
    # Most entries are one word.
    found = (_WORD.match(entry) for entry in entries if not entry.isalnum())
    return frozenset(filter(str.isalnum, entries)).union(word[0] for word in found if word)


class Starts:
    """The rules that have starts, by their starts."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        # By their first two letters, so that a word is compared with few of them.
        self._starts: dict[str, list[tuple[str, Rule]]] = {}
        self._tested: dict[Test, list[Rule]] = {}
        self._at_numbers: dict[Test, list[Rule]] = {}
        self._needing: list[Rule] = []
        for rule in rules:
            for start in rule.starts:
                self._starts.setdefault(start[:_LETTERS], []).append((start, rule))
            for test in rule.start_tests:
                tested = self._at_numbers if _is_of_numbers(test) else self._tested
                tested.setdefault(test, []).append(rule)
            if rule.needs:
                self._needing.append(rule)
        self._cache: dict[str, list[tuple[str, Rule]]] = {}
        self._number_cache: dict[int, list[tuple[str, Rule]]] = {}

    def find(self, text: str, lowered: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield the hits at the beginnings of words, with their rules."""
        if len(lowered) != len(text):  # a few letters change their length with their case
            lowered = "".join(letter.lower()[:1] for letter in text)
        lacking = {
            rule.name for rule in self._needing if not any(need in lowered for need in rule.needs)
        }
        cached = self._cache.get
        ends: dict[str, int] = {}
        for word in _WORD.finditer(text):
            candidates = cached(word[0])
            if candidates is None:
                candidates = self._candidates(word[0])
            if not candidates:
                continue
            offset = word.start()
            for start, rule in candidates:
                if start and not lowered.startswith(start, offset):
                    continue
                if rule.name in lacking:
                    continue
                match = rule.pattern.match(text, offset)
                if match is None or offset < ends.get(rule.name, 0):
                    continue
                for hit in rule.hits(text, match):
                    ends[rule.name] = max(hit.end, ends.get(rule.name, 0))
                    yield rule, hit

    def _candidates(self, word: str) -> list[tuple[str, Rule]]:
        """Return the rules that may begin with a word, each with what must follow it."""
        if is_number(word):
            return self._number_candidates(word)
        lowered = word.lower()
        listed = self._listed(lowered)
        whole = {rule.name: ("", rule) for start, rule in listed if lowered.startswith(start)}
        whole |= _passed(self._tested, word)
        # The word ends here: a start that goes on must go on with what is not of a word.
        longer = [
            (start, rule)
            for start, rule in listed
            if rule.name not in whole
            and start.startswith(lowered)
            and not _OF_WORD.match(start, len(lowered))
        ]
        if _CACHE_SIZE <= len(self._cache):
            self._cache.clear()
        self._cache[word] = [*whole.values(), *longer]
        return self._cache[word]

    def _number_candidates(self, word: str) -> list[tuple[str, Rule]]:
        """Return the rules for a number; they depend only on how many digits it begins with."""
        digits = _leading_digits(word)
        if digits not in self._number_cache:
            self._number_cache[digits] = [*_passed(self._at_numbers, word).values()]
        return self._number_cache[digits]

    def _listed(self, word: str) -> list[tuple[str, Rule]]:
        """Return the starts that share their first letters with a word, and their rules."""
        if len(word) < _LETTERS:
            keys: Iterable[str] = [key for key in self._starts if key.startswith(word)]
        else:
            keys = (word[:length] for length in range(1, _LETTERS + 1))
        return [pair for key in keys for pair in self._starts.get(key, ())]


def _is_of_numbers(test: Test) -> bool:
    return test is is_number or getattr(test, "func", None) is _begins_with_digits


def _passed(tested: dict[Test, list[Rule]], word: str) -> dict[str, tuple[str, Rule]]:
    """Return the rules of the tests that a word passes, by their names."""
    return {rule.name: ("", rule) for test, rules in tested.items() if test(word) for rule in rules}
