"""The ends of mentions, and single letters: which belong to a name, and which make one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from veil.detect.known.context import HYPHENS
from veil.detect.known.vocabulary import key_of
from veil.detect.known.words import INITIALS, MISSPELT

if TYPE_CHECKING:
    from veil.detect.known.context import Context
    from veil.detect.known.entities import Entity
    from veil.detect.known.runs import Found


def trim(context: Context, words: list[Found], entity: Entity, bit: int) -> list[Found]:
    """A run without particles and letters at its ends that belong to the words around it."""
    words = list(words)
    while words and not _may_open(context, words, entity, bit):
        words.pop(0)
    while words and not _may_close(context, words, bit):
        words.pop()
    return words


def _may_open(context: Context, words: list[Found], entity: Entity, bit: int) -> bool:
    word = words[0]
    if word.counts_for(bit) or word.hit.how == INITIALS:
        return not _is_word_beside_name(context, word, words, bit)
    if word.hit.how == MISSPELT:
        return context.is_capitalised(word.first)
    if word.is_initial and (
        _is_dotted(context, word)
        or key_of(context.form(word.first)) not in context.words.one_letter_words
    ):
        return True
    for left, right in pairwise(words):
        if (left.hit.keys[0], right.hit.keys[0]) not in entity.openings:
            return False
        if right.counts_for(bit):
            return True
    return False


def _may_close(context: Context, words: list[Found], bit: int) -> bool:
    word = words[-1]
    if word.counts_for(bit) or word.hit.how == INITIALS:
        return not _is_word_beside_name(context, word, words, bit)
    if word.hit.how == MISSPELT:
        return context.is_capitalised(word.first)
    return word.is_initial and (
        _is_dotted(context, word)
        or context.form(word.first - 1) == ","
        or key_of(context.form(word.last)) not in context.words.one_letter_words
    )


def _is_word_beside_name(context: Context, word: Found, words: list[Found], bit: int) -> bool:
    """Whether a word in lower case beside a capitalised one is no name: "Dr. May will"."""
    return (
        not word.hit.strong & bit
        and not context.is_capitalised(word.first)
        and any(context.is_capitalised(other.first) for other in words)
        and any(map(context.words.is_word, word.hit.keys))
    )


def _is_dotted(context: Context, word: Found) -> bool:
    """Whether a letter has a full stop or a hyphen behind it, or the end of a surname (B-son)."""
    return word.first < word.last or context.form(word.last + 1) in (".", *HYPHENS)


def judge_initials(context: Context, words: list[Found], entity: Entity) -> bool:
    """Whether letters are somebody's initials: J.D. by themselves, JD in context alone."""
    if not words or not all(word.is_initial for word in words):
        return False
    letters = "".join(key_of(context.form(word.first)) for word in words)
    if letters not in entity.initials:
        return False
    first, last = words[0].first, words[-1].last
    if _is_in_abbreviation(context, first, last):
        return False
    if len(words) == 1:
        return context.supports_initials(first, last)
    if not all(_is_dotted(context, word) for word in words[:-1]):
        return False
    free = letters not in context.words.abbreviations
    return free or context.supports_initials(first, last)


def _is_in_abbreviation(context: Context, first: int, last: int) -> bool:
    """Whether letters are some of a longer row with full stops: "A.L.T."."""
    return (context.form(first - 1) == "." and len(context.form(first - 2)) == 1) or (
        context.form(last + 1) == "."
        and len(context.form(last + 2)) == 1
        and context.form(last + 2).isalpha()
        and not context.gap(last + 1, last + 2)
    )
