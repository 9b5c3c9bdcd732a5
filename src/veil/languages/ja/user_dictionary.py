"""A hospital's own words, which override the analyser's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import InputError
from veil.core.patterns import compile_pattern
from veil.core.toml import read_text
from veil.languages.ja.forms import analysis_form

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

# A word must not begin or end inside such a run: アスピリン is not part of バイアスピリン.
_INSIDE_RUN = compile_pattern(r"[ァ-ヺー]{2}|[^\W\d_ぁ-ヿ一-鿿々〆]{2}|\d{2}")


class Entry(NamedTuple):
    """The part of speech that the dictionary gives a word."""

    pos: str
    pos_detail: str = ""


class UserDictionary:
    """Words, indexed by the form in which texts are compared with them."""

    def __init__(self, entries: Mapping[str, Entry | None]) -> None:
        self.entries = entries
        self._lengths: dict[str, list[int]] = {}  # by the first character, the longest first
        for first, length in sorted({(word[0], len(word)) for word in entries}, reverse=True):
            self._lengths.setdefault(first, []).append(length)

    @classmethod
    def read(cls, path: Path) -> UserDictionary:
        """Read a file of one word per line, with an optional part of speech after a comma.

        "みどり病院", "田中,名詞" and "田中,名詞,固有名詞" are lines; empty lines and those that
        begin with `#` are ignored.
        """
        return cls.parse(read_text(path), source=path)

    @classmethod
    def parse(cls, content: str, *, source: Path | str) -> UserDictionary:
        """Read the content of such a file; `source` names it in errors."""
        entries: dict[str, Entry | None] = {}
        for number, line in enumerate(content.splitlines(), start=1):
            fields = [part.strip() for part in line.split(",")]
            if fields == [""] or fields[0].startswith("#"):
                continue
            word = analysis_form(fields[0]).text
            if not word or " " in word or len(fields) > 3 or "" in fields:
                raise InputError(
                    f"{source}, line {number}: write a word without white space, and if need be "
                    "its part of speech and the detail of that, with commas between them"
                )
            entries[word] = Entry(*fields[1:]) if len(fields) > 1 else None
        return cls(entries)

    def find(self, form: str, edges: Collection[int]) -> Iterator[tuple[int, int, Entry | None]]:
        """Yield the words in a text's form from left to right, the longest at each place.

        `edges` are the offsets where the analyser's words begin and end.
        """
        index = 0
        while index < len(form):
            end = self._longest_at(form, index, edges)
            if end:
                yield index, end, self.entries[form[index:end]]
            index = end or index + 1

    def _longest_at(self, form: str, start: int, edges: Collection[int]) -> int:
        lengths = self._lengths.get(form[start])
        if lengths is None or not _can_cut(form, start, edges):
            return 0
        for length in lengths:
            end = start + length
            if form[start:end] in self.entries and _can_cut(form, end, edges):
                return end
        return 0


def _can_cut(form: str, index: int, edges: Collection[int]) -> bool:
    return index == 0 or index in edges or _INSIDE_RUN.match(form, index - 1) is None
