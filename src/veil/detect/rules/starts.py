"""Starts: rules that are tried only where a word begins as they do.

To search a text once for each of hundreds of patterns takes most of the time of detection. A
pattern that begins with certain letters, with a digit or with an entry of a lexicon need not be
searched for: the rules that may begin with a word are looked up for each word of the text, and
words are repeated.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from string import hexdigits
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import UnknownNameError
from veil.detect.rules.adjustments import lexicon_kind
from veil.detect.rules.clinical import begins_clinical
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
_CACHE_SIZE = 1 << 15


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
    "<clinical>": begins_clinical,
}


@cache
def start_test(name: str, language: str) -> Test:
    """Return the test of whether a rule may begin with a word.

    It is one of `TESTS`, one in the table `START_TESTS` of the language's rules, `entry:KIND`,
    `-gatan` for words that end so, or `<4 digits>`, `<1-2 digits>` or `<7+ digits>` for words that
    begin with so many.
    """
    if kind := lexicon_kind(name, language):
        return partial(begins_entry, language, kind)
    if name.startswith("-"):
        return Ending(name[1:].lower())
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


class Ending:
    """Whether a word ends so; a table serves all rules that ask for endings."""

    def __init__(self, ending: str) -> None:
        self.ending = ending

    def __call__(self, word: str) -> bool:
        return word.lower().endswith(self.ending)


def _begins_with_digits(fewest: int, most: int, word: str) -> bool:
    digits = min(_leading_digits(word), _MOST_DIGITS)
    # No ASCII digit: words that begin with digits of another script may have any number of them.
    return fewest <= digits <= most or (digits == 0 and is_number(word))


def _leading_digits(word: str) -> int:
    return len(word) - len(word.lstrip(_DIGITS))


def begins_entry(language: str, kind: str, word: str) -> bool:
    """Whether an entry may begin with a word; one with a capital begins with a capital only."""
    small = not word[0].isupper()
    return not _first_words(language, kind, small=small).isdisjoint(_forms(language, word))


# A word is looked up in one lexicon after another.
@lru_cache(1 << 8)
def _forms(language: str, word: str) -> tuple[str | None, ...]:
    """Return the forms in which a word may stand in a lexicon; None if it is no genitive."""
    folded = fold(word)
    return folded, without_diacritics(folded), base_form(folded, language)


@cache
def _first_words(language: str, kind: str, *, small: bool) -> frozenset[str]:
    keys = lexicon(language, kind).keys
    entries = keys.small_words if small else keys.folded
    # Most entries are one word.
    found = (_WORD.match(entry) for entry in entries if not entry.isalnum())
    return frozenset(filter(str.isalnum, entries)).union(word[0] for word in found if word)


class Candidates(NamedTuple):
    """The rules that may begin with a word; `longer` are those whose starts must go on after it."""

    whole: tuple[Rule, ...]
    longer: tuple[tuple[str, Rule], ...] = ()


class Starts:
    """The rules that have starts, by their starts."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        # By their first two letters, so that a word is compared with few of them.
        self._starts: dict[str, list[tuple[str, Rule]]] = {}
        self._endings: dict[str, list[Rule]] = {}
        self._tested: dict[Test, list[Rule]] = {}
        self._at_numbers: dict[Test, list[Rule]] = {}
        self._needing: list[Rule] = []
        self._rules = tuple(rules)
        for rule in self._rules:
            for start in rule.starts:
                self._starts.setdefault(start[:_LETTERS], []).append((start, rule))
            for test in rule.start_tests:
                if isinstance(test, Ending):
                    self._endings.setdefault(test.ending, []).append(rule)
                    continue
                tested = self._at_numbers if _is_of_numbers(test) else self._tested
                tested.setdefault(test, []).append(rule)
            if rule.needs:
                self._needing.append(rule)
        self._ending_lengths = sorted({len(ending) for ending in self._endings})
        self._cache: dict[str, Candidates] = {}
        self._number_cache: dict[int, Candidates] = {}

    def __len__(self) -> int:
        return len(self._rules)

    def find(self, text: str, lowered: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield the hits at the beginnings of words, with their rules."""
        lowered = lowered_in_place(text, lowered)
        lacking = {
            rule.name for rule in self._needing if not any(need in lowered for need in rule.needs)
        }
        cached = self._cache.get
        ends: dict[str, int] = {}
        for word in _WORD.finditer(text):
            candidates = cached(word[0]) or self._remembered(word[0])
            rules = candidates.whole
            if candidates.longer:
                rules += tuple(going_on(candidates, lowered, word.start()))
            for rule in rules:
                offset = word.start()
                if rule.name in lacking or offset < ends.get(rule.name, 0):
                    continue
                match = rule.pattern.match(text, offset)
                for hit in rule.hits(text, match) if match else ():
                    ends[rule.name] = max(hit.end, ends.get(rule.name, 0))
                    yield rule, hit

    def _remembered(self, word: str) -> Candidates:
        found = self.candidates(word)
        if not is_number(word):  # there are too many numbers
            if _CACHE_SIZE <= len(self._cache):
                self._cache.clear()
            self._cache[word] = found
        return found

    def candidates(self, word: str) -> Candidates:
        """Return the rules that may begin with a word."""
        if is_number(word):
            return self._number_candidates(word)
        lowered = word.lower()
        listed = self._listed(lowered)
        whole = {rule.name: rule for start, rule in listed if lowered.startswith(start)}
        whole |= _passed(self._tested, word)
        for length in self._ending_lengths:
            for rule in self._endings.get(lowered[-length:], ()):
                whole[rule.name] = rule
        # The word ends here: a start that goes on must go on with what is not of a word.
        longer = tuple(
            (start, rule)
            for start, rule in listed
            if rule.name not in whole
            and start.startswith(lowered)
            and not _OF_WORD.match(start, len(lowered))
        )
        return Candidates(tuple(whole.values()), longer)

    def _number_candidates(self, word: str) -> Candidates:
        """Return the rules for a number; they depend only on how many digits it begins with."""
        digits = _leading_digits(word)
        if digits not in self._number_cache:
            self._number_cache[digits] = Candidates((*_passed(self._at_numbers, word).values(),))
        return self._number_cache[digits]

    def _listed(self, word: str) -> list[tuple[str, Rule]]:
        """Return the starts that share their first letters with a word, and their rules."""
        if len(word) < _LETTERS:
            keys: Iterable[str] = [key for key in self._starts if key.startswith(word)]
        else:
            keys = (word[:length] for length in range(1, _LETTERS + 1))
        return [pair for key in keys for pair in self._starts.get(key, ())]


def going_on(candidates: Candidates, lowered: str, offset: int) -> list[Rule]:
    """Return the candidates whose starts go on after a word as the text does."""
    goes_on = lowered.startswith
    return [rule for start, rule in candidates.longer if goes_on(start, offset)]


def lowered_in_place(text: str, lowered: str) -> str:
    """Return a text in lower case with its offsets kept: a few letters change their length."""
    if len(lowered) == len(text):
        return lowered
    return "".join(letter.lower()[:1] for letter in text)


def _is_of_numbers(test: Test) -> bool:
    return test is is_number or getattr(test, "func", None) is _begins_with_digits


def _passed(tested: dict[Test, list[Rule]], word: str) -> dict[str, Rule]:
    """Return the rules of the tests that a word passes, by their names."""
    return {rule.name: rule for test, rules in tested.items() if test(word) for rule in rules}
