"""Names that hold words of their kind: "Hospital San Carlos" is a hospital, and which one.

A phrase is taken apart into words that stay, numbers, and stretches that name something; each
stretch and number is replaced in its place, so that all else stands as it was written.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.replace.entities.words import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TOKEN = re.compile(
    r"(?:[^\W\d_]\.)+[^\W\d_ºª](?:\.|(?!\w))"  # S.L., S.L
    r"|[^\W\d_]&[^\W\d_](?!\w)"  # L&D
    r"|[^\W\d_]{3,}(?:['’-][^\W\d_]+)*"
    r"|[^\W_]*\d[^\W_]*(?:[-/:][^\W_]*\d[^\W_]*)*"  # 7B, 58th, 12/3
    r"|[^\W\d_]{1,2}(?:['’-][^\W\d_]+)*"
)
# What may stand between two words of one name.
_JOINT = re.compile(r"\.?\s+|-")
_REMEMBERED = 1 << 10


class Token(NamedTuple):
    """A word or number of a phrase, and its folded form."""

    start: int
    end: int
    text: str
    key: str
    is_number: bool

    def is_particle(self, particles: frozenset[str]) -> bool:
        """Whether a word is one of the particles; "A" in "8-A" is none."""
        return self.key in particles and not self.is_initial()

    def is_initial(self) -> bool:
        """Whether a word is one capital: the E of Luis E. Aranda."""
        return len(self.text) == 1 and self.text.isupper()


class Stretch(NamedTuple):
    """Words that name something, with the folded words before them and the one after them."""

    text: str
    before: tuple[str, ...]
    after: str


@lru_cache(_REMEMBERED)
def tokens(text: str) -> tuple[Token, ...]:
    """The words and numbers of a phrase."""
    return tuple(map(_token, _TOKEN.finditer(text)))


def _token(match: re.Match[str]) -> Token:
    word = match[0]
    return Token(*match.span(), word, key_of(word).rstrip("."), any(map(str.isdigit, word)))


def rewrite(
    text: str,
    *,
    stays: Callable[[Token], bool],
    particles: frozenset[str],
    name: Callable[[Stretch], str],
    number: Callable[[str], str],
) -> str:
    """The phrase with its numbers and names exchanged; particles stay unless a name holds them."""
    found = tokens(text)
    proper = [
        not (token.is_number or token.is_particle(particles) or stays(token)) for token in found
    ]
    pieces, position, index = [], 0, 0
    while index < len(found):
        token = found[index]
        if token.is_number:
            pieces += [text[position : token.start], number(token.text)]
            position = token.end
        elif proper[index]:
            last = _end_of_name(text, found, proper, index, particles)
            before = tuple(other.key for other in found[:index])
            after = found[last + 1].key if last + 1 < len(found) else ""
            end = found[last].end
            stretch = Stretch(text[token.start : end], before, after)
            pieces += [text[position : token.start], name(stretch)]
            position, index = end, last
        index += 1
    return "".join([*pieces, text[position:]])


def _end_of_name(
    text: str, found: Sequence[Token], proper: list[bool], first: int, particles: frozenset[str]
) -> int:
    """The last word of the name that begins with a word; particles may lie inside it."""
    last = first
    for index in range(first + 1, len(found)):
        gap = text[found[index - 1].end : found[index].start]
        if _JOINT.fullmatch(gap) is None:
            break
        if proper[index]:
            last = index
        elif not found[index].is_particle(particles):
            break
    return last
