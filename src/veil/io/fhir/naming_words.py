"""Strings of one word that are taken for codes, unless they name somebody whom the file knows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.io.fhir.datatypes import is_east_asian
from veil.io.fhir.elements import elements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.io.fhir.people import Known

_NAMES = {
    "names": "PATIENT",
    "first_names": "PATIENT",
    "last_names": "PATIENT",
    "readings": "PATIENT",
    "relatives": "PATIENT",
    "doctors": "DOCTOR",
}
_LETTERS = re.compile(r"[^\W\d_]+")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_SHORTEST = 3  # shorter words are codes more often than names
_SHORTEST_EAST_ASIAN = 2
_SHORTEST_NUMBER_INSIDE = 6  # shorter numbers are parts of others by chance


class NamingWords:
    """The words and numbers by which the people of a resource are known, with their labels."""

    def __init__(self, known: Known) -> None:
        self._words: dict[str, str] = {}
        self._short: dict[str, str] = {}  # as they are written: Ek
        self._values: dict[str, str] = {}
        for field, label in _NAMES.items():
            for name in known.get(field, ()):
                for word in filter(_is_telling, _words(name)):
                    self._words.setdefault(word, label)
                for word in _LETTERS.findall(name):
                    if word.istitle() and 1 < len(word) < _SHORTEST:
                        self._short.setdefault(word, label)
        for label, field in elements().known.items():
            for value in known.get(field, ()):
                if _is_telling(plain := _plain(value)):
                    self._values.setdefault(plain, label)

    def label(self, text: str) -> str:
        """The label of a string that is such a word or number, or holds one, else nothing."""
        words = [word for word in _words(text) if word in self._words]
        words += [word for word in self._words if is_east_asian(word) and word in text]
        if words:
            return self._words[words[0]]
        plain = _plain(text)
        label = self._short.get(text) or self._values.get(plain)
        if label:
            return label
        for value, label in self._values.items():
            is_number = any(character.isdecimal() for character in value)
            if is_number and _SHORTEST_NUMBER_INSIDE <= len(value) and value in plain:
                return label
        return ""


def _words(text: str) -> Iterator[str]:
    """The words of a text, those of `LindgrenStudy` too."""
    for letters in _LETTERS.findall(text):
        start = 0
        for place in range(1, len(letters)):
            if letters[place - 1].islower() and letters[place].isupper():
                yield letters[start:place].casefold()
                start = place
        yield letters[start:].casefold()
        if start:
            yield letters.casefold()  # McDonald is one word


def _is_telling(word: str) -> bool:
    return (_SHORTEST_EAST_ASIAN if is_east_asian(word) else _SHORTEST) <= len(word)


def _plain(text: str) -> str:
    return _NO_LETTER_OR_DIGIT.sub("", text).casefold()
