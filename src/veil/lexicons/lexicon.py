"""A list of words and phrases, and how to find them in a text."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from veil.core.document import Token
from veil.core.patterns import compile_pattern
from veil.lexicons.entries import AnyList, Keys, PlainList, begins_small
from veil.lexicons.folding import fold, fold_in_place, tidy, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_REMEMBERED = 1 << 13
_HIRAGANA = "\u3041-\u3096\u309d\u309e"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\uff66-\uff9f"
_KANJI = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_JAPANESE = compile_pattern(f"[{_HIRAGANA}{_KATAKANA}{_KANJI}]")
_KANA_ONLY = compile_pattern(f"[{_HIRAGANA}{_KATAKANA}]+")
_KANA_RUN = compile_pattern(f"[{_KATAKANA}]+|[{_HIRAGANA}]+")
_HONORIFICS = ("さん", "ちゃん", "くん", "さま")

# Letters with combining marks, or digits: "Smith2" is two words, as in the tokens.
_WORD = compile_pattern(rf"(?:[^\W\d_{_HIRAGANA}{_KATAKANA}{_KANJI}]|[\u0300-\u036f])+|\d+")


def is_japanese(text: str) -> bool:
    """Whether a text holds kana or kanji."""
    return _JAPANESE.search(text) is not None


class PhraseIndex:
    """Finds words and phrases at word boundaries."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._longest: dict[str, int] = {}
        for key in keys.words:
            if not key.isalpha():
                words = _WORD.findall(key)
                if 1 < len(words):
                    longest = self._longest.get(words[0], 0)
                    self._longest[words[0]] = max(longest, len(words))

    def find(self, text: str, *, any_case: bool) -> Iterator[Token]:
        """Yield the longest hit that begins at each word, disjoint, in order."""
        words = [match.span() for match in _WORD.finditer(text)]
        # Nine of ten words in a text are repetitions.
        seen: dict[str, tuple[int, bool]] = {}
        position = 0
        while position < len(words):
            start, end = words[position]
            word = text[start:end]
            if word not in seen:
                seen[word] = self._judge(word, any_case=any_case)
            longest, is_entry = seen[word]
            count = int(is_entry)
            if 1 < longest:
                small = not any_case and begins_small(word)
                ends = [end for _, end in words[position : position + longest]]
                count = self._count_words(text, start, ends, small=small) or count
            if count:
                yield Token(start, words[position + count - 1][1])
            position += max(1, count)

    def _judge(self, word: str, *, any_case: bool) -> tuple[int, bool]:
        """How many words the longest phrase that begins with a word has; whether it is an entry."""
        folded = fold(word)
        longest = self._longest.get(folded) or self._longest.get(without_diacritics(folded), 1)
        small = not any_case and begins_small(word)
        return longest, self._keys.hold_form_of(folded, small=small)

    def _count_words(self, text: str, start: int, ends: list[int], *, small: bool) -> int:
        """The number of words of the longest phrase from a start to one of some ends, or 0."""
        for count in range(len(ends), 1, -1):
            phrase = text[start : ends[count - 1]]
            # A phrase may continue on the next line, but not in the next paragraph.
            if phrase.count("\n") < count and self._keys.hold_form_of(
                fold(tidy(phrase)), small=small
            ):
                return count
        return 0


class SubstringIndex:
    """Finds Japanese entries, which no space separates from their neighbours.

    A single kanji is ambiguous inside a run of text, and kana entries also occur inside other words
    (アキ in アキレス腱): those in katakana must be a whole run of katakana, those in hiragana a
    whole run of hiragana except for さん and the like.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self._kana: set[str] = set()
        self._mixed: set[str] = set()
        for key in keys:
            if _KANA_ONLY.fullmatch(key):
                self._kana.add(key)
            elif 2 <= len(key) and is_japanese(key):
                self._mixed.add(key)
        lengths: dict[str, set[int]] = {}
        for key in self._mixed:
            lengths.setdefault(key[0], set()).add(len(key))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}
        self._first = (
            compile_pattern("[" + re.escape("".join(sorted(lengths))) + "]") if lengths else None
        )

    def find(self, text: str) -> Iterator[Token]:
        """Yield hits, those with kanji first; a run of kana may lie inside one of these."""
        yield from self._find_mixed(fold_in_place(text))
        if self._kana:
            yield from self._find_kana(text)

    def _find_mixed(self, text: str) -> Iterator[Token]:
        end = 0
        for match in self._first.finditer(text) if self._first else ():
            start = match.start()
            if start < end:
                continue
            for length in self._lengths[match[0]]:
                if text[start : start + length] in self._mixed:
                    end = start + length
                    yield Token(start, end)
                    break

    def _find_kana(self, text: str) -> Iterator[Token]:
        for match in _KANA_RUN.finditer(text):
            run = fold(match[0])
            if run in self._kana:
                yield Token(*match.span())
                continue
            for honorific in _HONORIFICS:
                name, found, _ = run.partition(honorific)
                if found and name in self._kana:
                    yield Token(match.start(), match.start() + len(name))
                    break


class Lexicon:
    """Words and phrases that mean one kind of thing.

    An entry that begins with a capital matches only text that does so too: "Will" matches Will and
    WILL, but not will. An entry in lower case matches text in any case. Accents are ignored (see
    `veil.lexicons.folding`). An entry that begins with a hyphen is the end of compounds: "-gatan"
    matches Storgatan. Text inside an entry of the `exceptions` does not match.
    """

    def __init__(
        self,
        entries: Iterable[str] | AnyList,
        *,
        language: str | None = None,
        exceptions: Lexicon | None = None,
    ) -> None:
        self._list = entries if isinstance(entries, AnyList) else PlainList(entries)
        self.language = language
        self.exceptions = exceptions
        self.keys = Keys(self._list, language)
        # Rules look the same words up again and again.
        self._matches: dict[tuple[str, bool], bool] = {}

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries in their original spelling."""
        return self._list.entries

    def __len__(self) -> int:
        return len(self.keys.folded)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __repr__(self) -> str:
        return f"Lexicon({len(self)} entries, language={self.language!r})"

    def __contains__(self, word: object) -> bool:
        """Whether a word or phrase is an entry itself, ignoring exceptions."""
        return isinstance(word, str) and self.keys.hold(fold(tidy(word)), small=begins_small(word))

    def match(self, word: str) -> bool:
        """Whether a word is an entry, the genitive of one, or entries joined by hyphens."""
        return self._match(word, False)

    def match_folded(self, word: str) -> bool:
        """Whether a word matches in any case: "garcia" is García."""
        return self._match(word, True)

    def find(self, text: str, *, any_case: bool = False) -> list[Token]:
        """Return the bounds of entries in a text, sorted and disjoint, the longest at each offset.

        A hit begins and ends at a word boundary; it includes the Swedish genitive -s, but no
        apostrophe. Phrases may continue on the next line. Hits joined by a hyphen are one. Japanese
        entries are found inside runs of text (see `veil.lexicons.lexicon.SubstringIndex`).
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

    def _match(self, word: str, any_case: bool) -> bool:
        found = self._matches.get((word, any_case))
        if found is None:
            if _REMEMBERED <= len(self._matches):
                self._matches.clear()
            found = self._matches[word, any_case] = self._look_up(word, any_case)
        return found

    def _look_up(self, word: str, any_case: bool) -> bool:
        if self.exceptions is not None and self.exceptions._match(word, any_case):
            return False
        folded = fold(tidy(word))
        if self.keys.hold_form_of(folded, small=not any_case and begins_small(word)):
            return True
        parts = word.split("-")
        return 1 < len(parts) and all(part != "" and self._match(part, any_case) for part in parts)

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
