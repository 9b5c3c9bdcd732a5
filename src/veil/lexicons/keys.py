"""The entries of a lexicon as look-ups see them: folded, with a note on case."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from veil.lexicons.folding import base_form, without_diacritics
from veil.lexicons.lists import SHORTEST_SUFFIX, SUFFIX_MARK, fold_entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.lexicons.lists import PackedList, PlainList

_SHORTEST_STEM = 2


class Keys:
    """Look-ups in folded entries; genitives other than with an apostrophe need the language."""

    def __init__(self, entries: PlainList | PackedList, language: str | None) -> None:
        self._list = entries
        self._language = language
        self._suffixes = SuffixIndex((suffix, 1) for suffix in entries.suffixes)

    @property
    def folded(self) -> list[str]:
        """All entries, folded; suffixes with their mark."""
        return self._list.folded

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The ends of compounds among the entries, folded."""
        return self._list.suffixes

    @cached_property
    def words(self) -> dict[str, bool]:
        """Each word or phrase, and whether text that begins with a small letter stands for it."""
        words = dict.fromkeys(self._list.folded, False)
        for entry in self._list.entries:
            if entry.startswith(SUFFIX_MARK):
                words.pop(fold_entry(entry), None)
            elif begins_small(entry):
                # Most entries are folded already, and folding tens of thousands takes long.
                words[entry if entry in words else fold_entry(entry)] = True
        return words

    def hold(self, folded: str, *, small: bool) -> bool:
        """Whether a folded word is an entry; `small`: one that text in lower case stands for."""
        lower = self.words.get(folded)
        if lower is None and not folded.isascii():
            lower = self.words.get(without_diacritics(folded))
        if lower is not None and (lower or not small):
            return True
        return self._suffixes.bits(folded) != 0

    def hold_form_of(self, folded: str, *, small: bool) -> bool:
        """Whether a folded word is an entry or the genitive of one."""
        if self.hold(folded, small=small):
            return True
        base = base_form(folded, self._language)
        return base is not None and self.hold(base, small=small)


def begins_small(word: str) -> bool:
    """Whether a word begins with a small letter or one without case."""
    return not word[:1].isupper()


class SuffixIndex:
    """Finds the ends of compounds; each has a bit."""

    def __init__(self, suffixes: Iterable[tuple[str, int]]) -> None:
        # By their last letters, so that a word is compared with a few of them only.
        self._by_end: dict[str, list[tuple[str, int]]] = {}
        for suffix, bit in suffixes:
            self._by_end.setdefault(suffix[-SHORTEST_SUFFIX:], []).append((suffix, bit))

    def bits(self, folded: str) -> int:
        """The bits of all suffixes that a folded word ends in after a stem."""
        bits = 0
        for suffix, bit in self._by_end.get(folded[-SHORTEST_SUFFIX:], ()):
            if _SHORTEST_STEM + len(suffix) <= len(folded) and folded.endswith(suffix):
                bits |= bit
        return bits
