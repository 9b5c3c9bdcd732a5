"""Starts: conditions on a word, so that rules are tried only where they may begin.

Searching a text once for each of hundreds of patterns would take most of the time of detection. A
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
from veil.detect.rules.clinical import begins_clinical
from veil.languages import language_part
from veil.lexicons import lexicon
from veil.lexicons.folding import base_form, fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from veil.detect.rules.rule import Hit, Rule

    Test = Callable[[str], bool]
    Candidates = tuple[int, tuple[tuple[str, int], ...]]

_WORD = re.compile(r"\w+")
_DIGITS = "0123456789"
_COUNTED = re.compile(r"<(\d+)(?:-(\d+)|(\+))? digits?>")
_MOST_DIGITS = 30
_CACHE_SIZE = 1 << 15


def is_number(word: str) -> bool:
    """Whether a word begins with a digit."""
    return word[0].isdigit()


def is_capitalised(word: str) -> bool:
    """Whether a word begins with a capital."""
    return word[0].isupper()


def is_code(word: str) -> bool:
    """Whether a word begins with a capital and is one letter or has a digit: X, ES91."""
    if not word[0].isupper():
        return False
    return len(word) == 1 or (not word.isalpha() and any(map(str.isdigit, word)))


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
    `-gatan` for words with this ending, or `<4 digits>`, `<1-2 digits>` or `<7+ digits>` for words
    that begin with this number of digits.
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
    """Whether a word has this ending; all rules with endings share one table."""

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
    """Whether an entry may begin with a word; one with a capital requires a capital in the word."""
    small = not word[0].isupper()
    return not _first_words(language, kind, small=small).isdisjoint(_forms(language, word))


def _forms(language: str, word: str) -> tuple[str | None, ...]:
    """Return the forms of a word that a lexicon may contain; None for a missing base form."""
    folded = fold(word)
    return folded, without_diacritics(folded), base_form(folded, language)


@cache
def _first_words(language: str, kind: str, *, small: bool) -> frozenset[str]:
    keys = lexicon(language, kind).keys
    entries = keys.small_words if small else keys.folded
    # Most entries are one word.
    found = (_WORD.match(entry) for entry in entries if not entry.isalnum())
    return frozenset(filter(str.isalnum, entries)).union(word[0] for word in found if word)


class _Tree(dict[str, "_Tree"]):
    """Bits of rules by the letters of their starts."""

    bits = 0

    def add(self, letters: Iterable[str], bit: int) -> None:
        """Add a start."""
        node = self
        for letter in letters:
            node = node.setdefault(letter, _Tree())
        node.bits |= bit

    def bits_of(self, letters: Iterable[str]) -> int:
        """Return the bits of all starts that are prefixes of these letters."""
        node, bits = self, 0
        for letter in letters:
            following = node.get(letter)
            if following is None:
                break
            node = following
            bits |= node.bits
        return bits


class Starts:
    """The rules that have starts, indexed by these; a rule's bit is its place among all rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._starts = _Tree()
        self._endings = _Tree()
        # Starts of more than one word, by the first one.
        self._longer: dict[str, list[tuple[str, int]]] = {}
        self._entries: dict[tuple[str, str], int] = {}
        # The first words of these entries, for words in lower case and for words with a capital.
        self._first_words: dict[bool, list[tuple[str, frozenset[str], int]]] = {}
        self._tested: dict[Test, int] = {}
        self._at_numbers: dict[Test, int] = {}
        for number, rule in enumerate(self._rules):
            for start in rule.starts:
                self._add_start(start, 1 << number)
            for test in rule.start_tests:
                self._add_test(test, 1 << number)
        self._needing = [
            (1 << number, rule)
            for number, rule in enumerate(self._rules)
            if rule.needs and rule.has_starts
        ]
        self._cache: dict[str, Candidates] = {}
        self._number_cache: dict[int, Candidates] = {}
        self._rules_of: dict[int, tuple[Rule, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._rules)

    def _add_start(self, start: str, bit: int) -> None:
        word = _WORD.match(start)
        if word and word.end() < len(start):
            self._longer.setdefault(word[0], []).append((start, bit))
        else:
            self._starts.add(start, bit)

    def _add_test(self, test: Test, bit: int) -> None:
        if isinstance(test, Ending):
            self._endings.add(reversed(test.ending), bit)
        elif isinstance(test, partial) and test.func is begins_entry:
            self._entries[test.args] = self._entries.get(test.args, 0) | bit
        else:
            tested = self._at_numbers if _is_of_numbers(test) else self._tested
            tested[test] = tested.get(test, 0) | bit

    def find(self, text: str, lowered: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield the hits at the beginnings of words, with their rules."""
        lowered = lowered_in_place(text, lowered)
        lacking = 0
        for bit, rule in self._needing:
            if not any(need in lowered for need in rule.needs):
                lacking |= bit
        cached = self._cache.get
        ends: dict[str, int] = {}
        for word in _WORD.finditer(text):
            offset = word.start()
            bits, longer = cached(word[0]) or self._remembered(word[0])
            if longer:
                bits |= going_on(longer, lowered, offset)
            bits &= ~lacking
            if not bits:
                continue
            for rule in self._rules_of.get(bits) or self._select(bits):
                if offset < ends.get(rule.name, 0):
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

    def _select(self, bits: int) -> tuple[Rule, ...]:
        if _CACHE_SIZE <= len(self._rules_of):
            self._rules_of.clear()
        self._rules_of[bits] = tuple(self._rules[number] for number in numbers_of(bits))
        return self._rules_of[bits]

    def candidates(self, word: str) -> Candidates:
        """Return the bits of the rules that may begin with a word, and starts that go on after it.

        Each of these starts comes with the bit of its rule.
        """
        if is_number(word):
            return self._number_candidates(word)
        lowered = word.lower()
        bits = self._starts.bits_of(lowered) | self._endings.bits_of(reversed(lowered))
        bits |= self._passed(self._tested, word)
        if self._entries:
            bits |= self._bits_of_entries(word)
        # The word ends here: a longer start must continue with a character that is not part of a
        # word.
        longer = self._longer.get(lowered, ())
        return bits, tuple(each for each in longer if not bits & each[1]) if longer else ()

    def _number_candidates(self, word: str) -> Candidates:
        """Return the rules for a number; they depend only on how many digits it begins with."""
        digits = _leading_digits(word)
        if digits not in self._number_cache:
            self._number_cache[digits] = self._passed(self._at_numbers, word), ()
        return self._number_cache[digits]

    def _bits_of_entries(self, word: str) -> int:
        small = not word[0].isupper()
        if small not in self._first_words:
            self._first_words[small] = [
                (own, _first_words(own, kind, small=small), bit)
                for (own, kind), bit in self._entries.items()
            ]
        bits = 0
        language = ""
        for own, first_words, bit in self._first_words[small]:
            if own != language:
                language, forms = own, _forms(own, word)
            if not first_words.isdisjoint(forms):
                bits |= bit
        return bits

    @staticmethod
    def _passed(tested: dict[Test, int], word: str) -> int:
        bits = 0
        for test, own in tested.items():
            if test(word):
                bits |= own
        return bits


def numbers_of(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def going_on(longer: Iterable[tuple[str, int]], lowered: str, offset: int) -> int:
    """Return the bits of the starts that match the text after a word."""
    bits = 0
    for start, bit in longer:
        if lowered.startswith(start, offset):
            bits |= bit
    return bits


def lowered_in_place(text: str, lowered: str) -> str:
    """Return a text in lower case with its offsets kept: a few letters change their length."""
    if len(lowered) == len(text):
        return lowered
    return "".join(letter.lower()[:1] for letter in text)


def _is_of_numbers(test: Test) -> bool:
    return test is is_number or getattr(test, "func", None) is _begins_with_digits
