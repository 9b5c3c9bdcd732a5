"""A list of words and phrases, and how to find them in a text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from veil.core.document import Token
from veil.lexicons.folding import fold, tidy
from veil.lexicons.keys import Keys, begins_small
from veil.lexicons.lists import PackedList, PlainList
from veil.lexicons.search import PhraseIndex, SubstringIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Lexicon:
    """Words and phrases that mean one kind of thing.

    An entry that begins with a capital stands for text that does so too: "Will" for Will and WILL,
    not for will. An entry in lower case stands for text in any case. Accents never matter (see
    `veil.lexicons.folding`). An entry that begins with a hyphen is the end of compounds: "-gatan"
    stands for Storgatan. What lies inside an entry of the `exceptions` does not match.
    """

    def __init__(
        self,
        entries: Iterable[str] | PackedList,
        *,
        language: str | None = None,
        exceptions: Lexicon | None = None,
    ) -> None:
        self._list = entries if isinstance(entries, PackedList) else PlainList(entries)
        self.language = language
        self.exceptions = exceptions
        self.keys = Keys(self._list, language)

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries as they are written."""
        return self._list.entries

    def __len__(self) -> int:
        return len(self.keys.folded)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __repr__(self) -> str:
        return f"Lexicon({len(self)} entries, language={self.language!r})"

    def __contains__(self, word: object) -> bool:
        """Whether a word or phrase is an entry itself, exceptions left aside."""
        return isinstance(word, str) and self.keys.hold(fold(tidy(word)), small=begins_small(word))

    def match(self, word: str) -> bool:
        """Whether a word is an entry, the genitive of one, or entries joined by hyphens."""
        return self._match(word, any_case=False)

    def match_folded(self, word: str) -> bool:
        """Whether a word matches whatever its case: "garcia" is García."""
        return self._match(word, any_case=True)

    def find(self, text: str, *, any_case: bool = False) -> list[Token]:
        """Return where entries stand in a text, sorted and disjoint, the longest of each place.

        A hit begins and ends at the border of a word; it holds the Swedish genitive -s, but no
        apostrophe. Phrases may be broken over lines. Hits joined by a hyphen are one. Japanese
        entries are found inside runs of text (see `veil.lexicons.search.SubstringIndex`).
        """
        hits = self._find_all(text, any_case=any_case)
        if self.exceptions is not None and hits:
            shields = self.exceptions.find(text, any_case=any_case)
            hits = [hit for hit in hits if not any(_lies_in(hit, shield) for shield in shields)]
        return _joined(text, hits)

    def _find_all(self, text: str, *, any_case: bool) -> list[Token]:
        phrases = self._phrases.find(text, any_case=any_case)
        if text.isascii():
            return list(phrases)
        hits: list[Token] = []
        for hit in sorted((*phrases, *self._substrings.find(text)), key=_longest_first):
            if not hits or hits[-1].end <= hit.start:
                hits.append(hit)
        return hits

    def _match(self, word: str, *, any_case: bool) -> bool:
        if self.exceptions is not None and self.exceptions._match(word, any_case=any_case):
            return False
        folded = fold(tidy(word))
        if self.keys.hold_form_of(folded, small=not any_case and begins_small(word)):
            return True
        parts = word.split("-")
        return 1 < len(parts) and all(
            part != "" and self._match(part, any_case=any_case) for part in parts
        )

    @cached_property
    def _phrases(self) -> PhraseIndex:
        return PhraseIndex(self.keys)

    @cached_property
    def _substrings(self) -> SubstringIndex:
        return SubstringIndex(self.keys.words)


def _longest_first(hit: Token) -> tuple[int, int]:
    return (hit.start, -hit.end)


def _lies_in(hit: Token, shield: Token) -> bool:
    return shield.start <= hit.start and hit.end <= shield.end


def _joined(text: str, hits: list[Token]) -> list[Token]:
    joined: list[Token] = []
    for hit in hits:
        if joined and text[joined[-1].end : hit.start] in ("-", "\u2010", "\u2011"):
            joined[-1] = Token(joined[-1].start, hit.end)
        else:
            joined.append(hit)
    return joined
