"""Tokens and IOB tags for the CoNLL columns, without any model of a language."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from veil.core.document import Part, Span, Token
from veil.core.labels import SCHEMES, scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SPACE, _DIGIT, _LETTER, _KANJI, _HIRAGANA, _KATAKANA, _MARK, _OTHER = range(8)
_SCRIPTS = (
    (_KANJI, "\u3005", "\u3007"),  # 々 〆 〇
    (_HIRAGANA, "\u3041", "\u309f"),
    (_KATAKANA, "\u30a1", "\u30ff"),
    (_KATAKANA, "\u31f0", "\u31ff"),
    (_KANJI, "\u3400", "\u9fff"),
    (_KANJI, "\uf900", "\ufaff"),
    (_KATAKANA, "\uff66", "\uff9f"),
    (_KANJI, "\U00020000", "\U0003ffff"),
)


class _Kinds(dict[str, int]):
    """The kind of each character, worked out when it is first met."""

    def __missing__(self, char: str) -> int:
        self[char] = kind = _kind(char)
        return kind


def _kind(char: str) -> int:
    if char.isspace():
        return _SPACE
    if unicodedata.category(char).startswith("M"):
        return _MARK
    for kind, first, last in _SCRIPTS:
        if first <= char <= last:
            return kind
    if char.isdigit():
        return _DIGIT
    return _LETTER if char.isalpha() else _OTHER


_KINDS = _Kinds()


def tokenise(text: str) -> Iterator[Token]:
    """Yield runs of letters (kana and kanji apart), runs of digits, and other characters singly."""
    start, running = 0, _SPACE
    for index, char in enumerate(text):
        kind = _KINDS[char]
        if kind == _MARK and running != _SPACE:  # an accent belongs to what it stands on
            continue
        if kind == running and kind != _OTHER:
            continue
        if running != _SPACE:
            yield Token(start, index)
        start, running = index, kind
    if running != _SPACE:
        yield Token(start, len(text))


class Tag(NamedTuple):
    """An IOB tag: `B-NAME+first` begins a span with label NAME and part first."""

    label: str
    part: Part | None
    begins: bool


# A bare label that no scheme has: `PER` and `LOC_2`, not `Anna`.
_BARE_LABEL = re.compile(r"[A-Z][A-Z0-9_-]+")


def parse_tag(tag: str) -> Tag | None:
    """Read `B-X`, `I-X` or a bare label `X`; None for `O` or `0`, outside; else a ValueError.

    A bare label is one of a scheme, or in capitals: in a file whose columns are in another order
    than expected, words stand in the place of tags.
    """
    if tag in ("O", "0"):
        return None
    begins = tag.startswith("B-")
    is_bare = not (begins or tag.startswith("I-"))
    label = tag if is_bare else tag[2:]
    name, plus, part = label.rpartition("+")
    if plus and part in get_args(Part):
        label = name
    else:
        part = ""
    if not label:
        raise ValueError("a tag without label")
    if is_bare and not (_BARE_LABEL.fullmatch(label) or label in _known_labels()):
        raise ValueError("the last column holds no tag; words come first and tags last")
    return Tag(label, cast(Part, part) if part else None, begins)


@cache
def _known_labels() -> frozenset[str]:
    return frozenset(label for name in SCHEMES for label in scheme(name).labels)


def can_be_tag(label: str) -> bool:
    """Whether a label can stand in a column and is read back as it was."""
    if not label or any(char.isspace() for char in label):
        return False
    return parse_tag(f"B-{label}") == Tag(label, None, begins=True)


class SpanBuilder:
    """Builds spans from tags; an `I-` that continues nothing opens a span (IOB1)."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._open: Tag | None = None
        self._start = self._end = 0

    def add(self, start: int, end: int, tag: Tag | None) -> None:
        opened = self._open
        continues = (
            tag is not None
            and opened is not None
            and not tag.begins
            and (tag.label, tag.part) == (opened.label, opened.part)
        )
        if not continues:
            self.close()
            self._open, self._start = tag, start
        self._end = end

    def close(self) -> None:
        """End the open span, if there is one."""
        if self._open is not None:
            self.spans.append(Span(self._start, self._end, self._open.label, part=self._open.part))
        self._open = None


def split_at(tokens: Iterable[Token], boundaries: Sequence[int]) -> Iterator[Token]:
    """Yield the tokens, cut wherever one of the sorted boundaries falls inside."""
    index = 0
    for start, end in tokens:
        while index < len(boundaries) and boundaries[index] < end:
            if start < boundaries[index]:
                yield Token(start, boundaries[index])
                start = boundaries[index]
            index += 1
        yield Token(start, end)
