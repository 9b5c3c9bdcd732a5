"""The entries of a lexicon, plain or packed, and look-ups in their folded forms."""

from __future__ import annotations

import lzma
from collections import defaultdict
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING
from zlib import crc32

from veil.lexicons.folding import base_form, fold, tidy, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


SUFFIX_MARK = "-"
"""An entry with this prefix is the end of compounds: "-gatan" stands for Storgatan."""

SHORTEST_SUFFIX = 3


class PlainList:
    """Entries as they were written by hand."""

    def __init__(self, entries: Iterable[str]) -> None:
        self.entries = tuple(entries)

    @cached_property
    def folded(self) -> list[str]:
        """The folded form of each entry, suffixes with their mark."""
        return [fold_entry(entry) for entry in self.entries]

    @cached_property
    def suffixes(self) -> tuple[str, ...]:
        """The ends of compounds, folded, without their mark."""
        return _suffixes(self.folded)

    def small_words(self) -> Iterator[str]:
        """Yield the folded entries that match text with a small initial letter."""
        return _small_words(self)


class PackedList:
    """Entries that were folded beforehand, so that a language is read in some 50 ms.

    First come the entries whose folded form is the entry in lower case; after an empty line the
    others, with that form in a second column. None of them is a suffix.
    """

    suffixes: tuple[str, ...] = ()

    def __init__(self, data: bytes) -> None:
        plain, _, others = lzma.decompress(data).decode("utf-8").partition("\n\n")
        self._plain = plain
        self._others = others.split("\n") if others else []

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The entries, sorted."""
        plain = self._plain.split("\n") if self._plain else []
        return tuple(sorted([*plain, *(line.partition("\t")[0] for line in self._others)]))

    @cached_property
    def folded(self) -> list[str]:
        """The folded form of each entry, in no particular order."""
        plain = self._plain.lower().split("\n") if self._plain else []
        return [*plain, *(line.partition("\t")[2] for line in self._others)]

    def small_words(self) -> Iterator[str]:
        """Yield the folded entries that match text with a small initial letter."""
        return _small_words(self)


class StoredList:
    """Entries whose folded forms are stored; the entries themselves are read when needed.

    `folded` and `small` contain one form per line. `look_up`, if it is given, says whether text in
    lower case matches a folded word, or returns None if the word is not an entry.
    """

    def __init__(
        self,
        folded: str,
        small: str,
        read: Callable[[], PlainList | PackedList],
        look_up: Callable[[str], bool | None] | None = None,
    ) -> None:
        self._folded = folded
        self._small = small
        self._read = read
        self.look_up = look_up

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The entries in their original spelling."""
        return self._read().entries

    @cached_property
    def folded(self) -> list[str]:
        """The folded form of each entry, suffixes with their mark."""
        return self._folded.split("\n") if self._folded else []

    @cached_property
    def suffixes(self) -> tuple[str, ...]:
        """The ends of compounds, folded, without their mark."""
        # Splitting the forms is slow, and most lists have no suffixes.
        has_suffixes = f"\n{SUFFIX_MARK}" in self._folded or self._folded.startswith(SUFFIX_MARK)
        return _suffixes(self.folded) if has_suffixes else ()

    def small_words(self) -> Iterator[str]:
        """Yield the folded entries that match text with a small initial letter."""
        return iter(self._small.split("\n") if self._small else ())


def _suffixes(folded: Iterable[str]) -> tuple[str, ...]:
    ends = [form[1:] for form in folded if form.startswith(SUFFIX_MARK)]
    if any(len(end) < SHORTEST_SUFFIX for end in ends):
        raise ValueError(f"the end of a compound has at least {SHORTEST_SUFFIX} letters")
    return tuple(ends)


def _small_words(each: PlainList | PackedList) -> Iterator[str]:
    known = set(each.folded)
    for entry in each.entries:
        if begins_small(entry) and not entry.startswith(SUFFIX_MARK):
            # Most entries are folded already, and folding tens of thousands is slow.
            yield entry if entry in known else fold_entry(entry)


def pack(entries: Iterable[str]) -> bytes:
    """Return the bytes of a `PackedList`; the same entries give the same bytes."""
    plain, others = [], []
    for entry in sorted(entries):
        form = fold_entry(entry)
        if form.startswith(SUFFIX_MARK):
            raise ValueError(f"a packed list holds no suffixes: {entry}")
        if form == entry.lower():
            plain.append(entry)
        else:
            others.append(f"{entry}\t{form}")
    text = "\n".join(plain) + "\n\n" + "\n".join(others)
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4}]
    return lzma.compress(text.encode(), lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=filters)


def fold_entry(entry: str) -> str:
    """Return an entry in the form used for look-ups."""
    return fold(entry if entry.isalpha() else tidy(entry))


AnyList = PlainList | PackedList | StoredList

_MOST_REMEMBERED = 1 << 16


class WordBits(dict[str, int]):
    """The bits of folded words that were looked up, 0 for words in no list."""

    def __init__(self, look_up: Callable[[str], int]) -> None:
        self._look_up = look_up

    def __missing__(self, word: str) -> int:
        if _MOST_REMEMBERED <= len(self):
            self.clear()
        self[word] = bits = self._look_up(word)
        return bits


def part_of(word: str, count: int) -> int:
    """Return the part, among `count` parts, that contains a word."""
    return crc32(word.encode("utf-8", "surrogatepass")) % count


_SHORTEST_STEM = 2


class Keys:
    """Look-ups in folded entries; genitives other than with an apostrophe need the language."""

    def __init__(self, entries: AnyList, language: str | None) -> None:
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

    @property
    def small_words(self) -> list[str]:
        """The entries that match text in lower case, folded."""
        return list(self._list.small_words())

    @cached_property
    def words(self) -> dict[str, bool]:
        """Each word or phrase, and whether it matches text with a small initial letter."""
        words = dict.fromkeys(self._list.folded, False)
        for suffix in self._list.suffixes:
            words.pop(SUFFIX_MARK + suffix, None)
        return words | dict.fromkeys(self._list.small_words(), True)

    @cached_property
    def _look_up(self) -> Callable[[str], bool | None]:
        """A function to the value of a word in `words`, which it does not require."""
        return getattr(self._list, "look_up", None) or self.words.get

    def hold(self, folded: str, *, small: bool) -> bool:
        """Whether a folded word is an entry; `small`: one that matches text in lower case."""
        lower = self._look_up(folded)
        if lower is None and not folded.isascii():
            lower = self._look_up(without_diacritics(folded))
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
        # By their last letters, longest first, each with the bits of all suffixes that it ends in.
        self._by_end: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        bits: defaultdict[str, int] = defaultdict(int)
        for suffix, bit in suffixes:
            bits[suffix] |= bit
        for suffix in sorted(bits, key=len, reverse=True):
            inner = (bits[end] for end in bits if suffix.endswith(end))
            self._by_end[suffix[-SHORTEST_SUFFIX:]].append((suffix, reduce(or_, inner)))

    def __bool__(self) -> bool:
        return bool(self._by_end)

    def bits(self, folded: str) -> int:
        """The bits of all suffixes that a folded word ends in after a stem."""
        candidates = self._by_end.get(folded[-SHORTEST_SUFFIX:])
        if candidates:
            longest = len(folded) - _SHORTEST_STEM
            for suffix, bits in candidates:
                if len(suffix) <= longest and folded.endswith(suffix):
                    return bits
        return 0
