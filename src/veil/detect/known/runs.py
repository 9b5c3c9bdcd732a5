"""Words that stand side by side and may stand for one entity together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.detect.known.context import APOSTROPHES, HYPHENS
from veil.detect.known.words import INITIAL, INITIALS, NICKNAME, Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.detect.known.context import Context

_PUNCTUATION = frozenset(',."()/&#ºª·・“”') | APOSTROPHES | HYPHENS
_MOST_PUNCTUATION = 3
_MOST_BETWEEN = 5
_MOST_UNKNOWN_NAMES = 2
_LONGEST_STEM = 2
# No mention is longer, and the time for a run grows with its square.
_LONGEST_RUN = 24


class Found(NamedTuple):
    """Tokens of a text that may stand for an entity."""

    first: int
    last: int
    hit: Hit

    def counts_for(self, bit: int) -> bool:
        """Whether it says something of an entity by itself or in context."""
        return bool((self.hit.strong | self.hit.weak) & bit)

    @property
    def is_initial(self) -> bool:
        return self.hit.how in (INITIAL, INITIALS)


class Run(NamedTuple):
    """Words in order and the bits of the entities that all of them may stand for."""

    words: list[Found]
    entities: int

    @property
    def candidates(self) -> int:
        """The entities of which at least one of the words says something, or all are initials."""
        if all(word.is_initial for word in self.words):
            is_one_letter = len(self.words) == 1 and self.words[0].hit.how == INITIAL
            return 0 if is_one_letter else self.entities
        telling = 0
        for word in self.words:
            telling |= word.hit.strong | word.hit.weak
        return self.entities & telling


def find_runs(context: Context, found: Iterable[Found], people: int) -> Iterator[Run]:
    """Cut words in order of the text into runs; `people` are the bits of entities with names."""
    words: list[Found] = []
    entities = 0
    for word in found:
        shared = entities & word.hit.entities if len(words) < _LONGEST_RUN else 0
        if shared:
            shared = _joined(context, words, word, shared, people)
        if shared:
            words.append(word)
            entities = shared
            continue
        if words:
            yield Run(words, entities)
        words, entities = [word], word.hit.entities
    if words:
        yield Run(words, entities)


def _joined(context: Context, words: list[Found], word: Found, shared: int, people: int) -> int:
    """Of the entities that a run and a word share those for which the word belongs to the run."""
    last = words[-1]
    between = context.forms[last.last + 1 : word.first]
    if (
        word.first <= last.last
        or _MOST_BETWEEN < len(between)
        or 1 < context.gap(last.last, word.first).count("\n")
    ):
        return 0
    if word.hit.how == INITIALS:
        shared &= people  # the acronym of a hospital is no part of its name
    if not between:
        return shared
    if len(between) <= _MOST_PUNCTUATION and _PUNCTUATION.issuperset(between):
        if "." in between and not _is_abbreviated(context, last):
            return 0
        if "," in between:
            if not _may_follow_comma(words, word, shared & people):
                shared &= ~people
            if _is_repeated(words, word):
                shared &= people
        return shared
    bridged = shared & people
    return bridged if bridged and _bridges(context, words, word, between) else 0


def _may_follow_comma(words: list[Found], word: Found, bits: int) -> bool:
    """Whether a comma stands between surname and given name: "Lindgren, Anna"."""
    is_given = word.is_initial or bool(word.hit.entities & bits & ~word.hit.surnames)
    return is_given and all(
        other.hit.surnames & bits for other in words if other.is_initial or other.counts_for(bits)
    )


def _is_repeated(words: list[Found], word: Found) -> bool:
    """Whether a run holds a word already; numbers and letters may come twice."""
    keys = {key for key in word.hit.keys if 1 < len(key) and key.isalpha()}
    return any(not keys.isdisjoint(other.hit.keys) for other in words)


def _is_abbreviated(context: Context, word: Found) -> bool:
    """Whether the full stop behind a word may be its own: "J.", "St.", "Fco."."""
    if not word.hit.strong and not word.hit.weak:
        return True
    return len(context.form(word.last)) <= _LONGEST_STEM or word.hit.how == NICKNAME


def _bridges(context: Context, words: list[Found], word: Found, between: list[str]) -> bool:
    """Whether names that nobody told us of stand between two known ones: "Anna Q. Lindgren"."""
    last = words[-1]
    if _is_repeated(words, word):
        return False
    if not last.counts_for(last.hit.entities) or not word.counts_for(word.hit.entities):
        return False
    if not (context.is_capitalised(last.first) and context.is_capitalised(word.first)):
        return False
    if "\n" in context.gap(last.last, word.first):
        return False
    names = 0
    for place, form in enumerate(between):
        if form[0].isupper() and not context.words.is_title(form):
            names += 1
        elif not (
            form in HYPHENS
            or form in context.words.particles
            or (form == "." and 0 < place and len(between[place - 1]) == 1)
        ):
            return False
    return 0 < names <= _MOST_UNKNOWN_NAMES
