"""Stored starts: the rules that may begin with each word of the lexicons, computed at release time.

For a new word, all tests of starts together take as long as the rest of detection. Most words of a
text are in the lexicons, so their rules can be looked up: in lower case or with a capital. Japanese
has no spaces between words, so it has none of these tables.
"""

from __future__ import annotations

import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.tables import Table
from veil.detect.rules.loading import automaton_rules, rule_files
from veil.detect.rules.starts import Starts
from veil.languages import has_spaces
from veil.languages.base import language_folder, package_folder
from veil.lexicons.store import all_words, word_numbers, words_table

if TYPE_CHECKING:
    from collections.abc import Callable

# The number of a word without stored rules: they depend on the text after it.
_UNKNOWN = 0
_MOST_MASKS = 1 << 16


def starts_table(language: str) -> Table:
    """Return the table with the bits of the rules that may begin with each word of the lexicons.

    It begins with the number of different bit sets and the size of each, followed by the bit sets.
    After them come the index of the bit set of each word in lower case, then of each with a
    capital.
    """

    def build() -> bytes:
        rules = automaton_rules(language)
        starts = Starts(rules)
        size = -(-len(rules) // 8)
        places: dict[bytes, int] = {b"": _UNKNOWN}
        numbers = array("H")
        words = all_words(language) if has_spaces(language) else []
        for word in (*words, *map(_capitalised, words)):
            bits, longer = starts.candidates(word)
            key = b"" if longer else bits.to_bytes(size, sys.byteorder)
            if _MOST_MASKS <= len(places) and key not in places:
                key = b""
            numbers.append(places.setdefault(key, len(places)))
        head = array("Q", (len(places), size))
        return b"".join((head.tobytes(), bytes(size), *places, numbers.tobytes()))

    return Table(f"starts-{language}", _inputs(language), build)


def _inputs(language: str) -> tuple[Path, ...]:
    """All files that a test of a start may read, and possibly more."""
    packages = (Path(__file__).parent, package_folder("veil.lexicons"))
    languages = package_folder("veil.languages")
    modules = [file for folder in packages for file in sorted(folder.glob("*.py"))]
    own = language_folder(language)
    settings = [file for pattern in ("*.py", "*.toml") for file in sorted(own.rglob(pattern))]
    shared = (*sorted(languages.glob("*.py")), *sorted((languages / "data").glob("*.txt")))
    return *words_table(language).inputs, *rule_files(language), *modules, *settings, *shared


def _capitalised(word: str) -> str:
    return word[:1].upper() + word[1:]


def stored_starts(language: str) -> Callable[[str], int | None] | None:
    """Return a function that maps a word to the bits of its rules, or None without a table.

    It returns None for a word whose rules are not stored.
    """
    data = starts_table(language).read() if has_spaces(language) else None
    number_of = word_numbers(language)
    if data is None or number_of is None:
        return None
    head = 2 * array("Q").itemsize
    count, size = data[:head].cast("Q")
    masks, places = data[head : head + count * size], data[head + count * size :].cast("H")
    words = len(places) // 2

    def bits_of(word: str) -> int | None:
        is_capitalised = word[0].isupper()
        small = word[0].lower() + word[1:] if is_capitalised else word
        if is_capitalised and _capitalised(small) != word:  # ẞ is not the capital of ß
            return None
        number = number_of(small)
        if number is None:
            return None
        place = places[number + words if is_capitalised else number]
        if place == _UNKNOWN:
            return None
        return int.from_bytes(masks[place * size : (place + 1) * size], sys.byteorder)

    return bits_of
