"""The entries of a lexicon, plain or packed, with their folded forms."""

from __future__ import annotations

import lzma
from functools import cached_property
from typing import TYPE_CHECKING

from veil.lexicons.folding import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIX_MARK = "-"
"""An entry that begins so is the end of compounds: "-gatan" stands for Storgatan."""

SHORTEST_SUFFIX = 3


class PlainList:
    """Entries as somebody wrote them."""

    def __init__(self, entries: Iterable[str]) -> None:
        self.entries = tuple(entries)

    @cached_property
    def folded(self) -> list[str]:
        """The folded form of each entry, suffixes with their mark."""
        return [fold_entry(entry) for entry in self.entries]

    @cached_property
    def suffixes(self) -> tuple[str, ...]:
        """The ends of compounds, folded, without their mark."""
        ends = [form[1:] for form in self.folded if form.startswith(SUFFIX_MARK)]
        if any(len(end) < SHORTEST_SUFFIX for end in ends):
            raise ValueError(f"the end of a compound has at least {SHORTEST_SUFFIX} letters")
        return tuple(ends)


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
    """Return an entry as look-ups see it."""
    return fold(entry if entry.isalpha() else tidy(entry))
