"""Fields: a key, a colon and a value, as in the headers of records: "Patient: ...", "氏名：...".

Keys are looked up, not searched for: the text before each colon is looked up in the table of keys,
so that thousands of keys cost no more than one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.detect.rules.rule import Hit, Rule

# A colon, what stands for one, or the end of a key in brackets; the value may begin a line below.
_SEPARATOR = re.compile(r"[:：=】］\]\t][ \t\u3000]*(?:\r?\n[ \t\u3000]*)?")
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]")
_NO_LETTER = re.compile(r"[\W_]+")
_BRACKETED = re.compile(r"[ \t]*[(（][^()（）\n]*[)）]?[ \t]*\Z")
_LONGEST_KEY = 60
_CACHE_SIZE = 1 << 14


def key_form(key: str) -> str:
    """Return the form in which keys are compared: "Nº Historia" and "N.º HISTORIA" are equal."""
    return _NO_LETTER.sub("", fold(key))


class Fields:
    """The rules that begin with a key, by their keys."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            for key in rule.keys:
                self._rules.setdefault(key_form(key), []).append(rule)
        # Records of one hospital have the same keys over and over.
        self._cache: dict[str, list[Rule]] = {}

    def find(self, text: str) -> Iterator[tuple[Rule, Hit]]:
        """Yield the hits after keys, with their rules."""
        if not self._rules:
            return
        for separator in _SEPARATOR.finditer(text):
            for rule in self._rules_before(text, separator.start()):
                for hit in rule.match_at(text, separator.end()):
                    yield rule, hit

    def _rules_before(self, text: str, position: int) -> list[Rule]:
        """Return the rules of the longest key that ends here."""
        line = text.rfind("\n", max(0, position - _LONGEST_KEY), position) + 1
        before = text[max(line, position - _LONGEST_KEY) : position]
        rules = self._cache.get(before)
        if rules is None:
            rules = self._rules_after(before)
            if _CACHE_SIZE <= len(self._cache):
                self._cache.clear()
            self._cache[before] = rules
        return rules

    def _rules_after(self, before: str) -> list[Rule]:
        bare = _BRACKETED.sub("", before)
        for candidate in dict.fromkeys((before, bare)):
            for start in _WORD_START.finditer(candidate):
                rules = self._rules.get(key_form(candidate[start.start() :]))
                if rules:
                    return rules
        return []
