"""The modules for dictionaries, common words and learning; that for titles has its own file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.detect.names.forms import Bit
from veil.detect.names.memory import NameMemory
from veil.detect.names.state import State
from veil.languages import base_language
from veil.lexicons.folding import base_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from veil.detect.names.forms import FormBook
    from veil.detect.names.state import NamePart
    from veil.detect.names.words import Words

_NAME_LIKE = int(Bit.NAME_LIKE)
_FIRST = int(Bit.FIRST)
_LISTED = int(Bit.FIRST | Bit.LAST)
_COMMON = int(Bit.COMMON)
_TERM = int(Bit.TERM)
_TITLE = int(Bit.TITLE)
_DOUBTFUL = int(Bit.DOUBTFUL)
_CAPITALS = int(Bit.CAPITALS)
_ABBREVIATION = int(Bit.ABBREVIATION)
_BLANKS = frozenset(" \u00a0")
# What may stand before the first word of a sentence.
_SENTENCE_STARTS = frozenset(".!?:;•*-–—\"“”«»'‘’(/¿¡>")


class DictionaryModule:
    """DM: annotates words that a dictionary of names holds and that are not marked as common.

    A few capitals (TIA) and chemical elements (Li) are names only in the company of others.
    """

    code = "D"

    def __init__(self, book: FormBook) -> None:
        self._compound_joints = book.habits.compound_joints

    def apply(self, states: Sequence[State]) -> list[State]:
        return [state.with_names(dict(self._parts(state)), self.code) for state in states]

    def _parts(self, state: State) -> Iterator[tuple[int, NamePart]]:
        words, names, common = state.words, state.names, state.common
        for place, bits in enumerate(words.bits):
            if (
                bits & _LISTED
                and place not in common
                and place not in names
                and not (bits & _ABBREVIATION and (bits & _TITLE or not _has_company(state, place)))
                and not self._opens_compound(words, place)
            ):
                yield place, "first" if bits & _FIRST else "last"

    def _opens_compound(self, words: Words, place: int) -> bool:
        """Whether a word is the first half of a compound that is cut short: "Mag- och tarm-"."""
        return (
            place + 2 < len(words)
            and words.form(place + 1) == "-"
            and not words.gap(place + 1)
            and words.form(place + 2) in self._compound_joints
        )


def _has_company(state: State, place: int) -> bool:
    """Whether a short form stands beside a name, or in a line that is all in capitals."""
    words = state.words
    beside = [place - 1] if place and words.gap(place) in _BLANKS else []
    after = place + 1
    if after + 1 < len(words) and words.form(after) == ",":
        after += 1
    if after < len(words) and words.gap(after) in _BLANKS:
        beside.append(after)
    in_capitals = words.bits[place] & _CAPITALS
    for each in beside:
        bits = words.bits[each]
        both_in_capitals = in_capitals & bits
        is_short = bits & _ABBREVIATION
        is_name = bits & _LISTED and each not in state.common
        if both_in_capitals and (is_name or not is_short):
            return True
        if is_name and not is_short:
            return True
    return False


class CommonWordsModule:
    """CM: marks common words and what medical terms are made of, for the modules after it."""

    code = "C"

    def __init__(self, book: FormBook) -> None:
        self._terms = book.terms
        self._spare_names = book.options.spare_names and book.habits.has_capitals

    def apply(self, states: Sequence[State]) -> list[State]:
        return [State(state.words, state.names, self._common(state.words)) for state in states]

    def _common(self, words: Words) -> frozenset[int]:
        places = [place for place, bits in enumerate(words.bits) if bits & _COMMON]
        if self._spare_names:
            places = [place for place in places if not _written_as_name(words, place)]
        in_terms = (
            place
            for phrase in self._terms.find(words, _TERM)
            for place in range(phrase.start, phrase.end)
        )
        return frozenset((*places, *in_terms))


def _written_as_name(words: Words, place: int) -> bool:
    """Whether a word that a dictionary holds is written so that it is hardly the common word.

    With a capital although no sentence begins there, before another word that may be a name, or
    all in capitals beside another such name.
    """
    all_bits = words.bits
    if not all_bits[place] & _DOUBTFUL:
        return False
    follows = place + 1 < len(words) and words.gap(place + 1) in _BLANKS
    if all_bits[place] & _CAPITALS:
        beside = [place - 1] if place and words.gap(place) in _BLANKS else []
        beside += [place + 1] if follows else []
        return any(all_bits[each] & _LISTED and all_bits[each] & _CAPITALS for each in beside)
    if place and "\n" not in words.gap(place) and words.form(place - 1) not in _SENTENCE_STARTS:
        return True
    return follows and _may_follow_name(all_bits[place + 1])


def _may_follow_name(bits: int) -> bool:
    """Whether a word may go on a name: "Will Smith", but not "Foot Pain"."""
    if bits & (_NAME_LIKE | _CAPITALS) != _NAME_LIKE:
        return False
    return not bits & _COMMON or bool(bits & _DOUBTFUL)


class LearningModule:
    """LM: annotates the words that were annotated often enough, wherever they stand.

    Without a memory of its own it learns from the records that come together.
    """

    code = "L"

    def __init__(self, book: FormBook, memory: NameMemory | None = None) -> None:
        self._language = base_language(book.language)
        self._options = book.options
        self._memory = memory

    def apply(self, states: Sequence[State]) -> list[State]:
        memory = self._memory
        if memory is None:
            memory = NameMemory(self._language)
            for state in states:
                memory.add(state)
        learnt = memory.learnt(self._options.at_least)
        if not learnt:
            return list(states)
        return [state.with_names(dict(self._parts(state, learnt)), self.code) for state in states]

    def _parts(
        self, state: State, learnt: Mapping[str, NamePart]
    ) -> Iterator[tuple[int, NamePart]]:
        words = state.words
        passed_over = state.names if self._options.learn_common else {*state.names, *state.common}
        any_case = self._options.any_case
        for place, bits in enumerate(words.bits):
            if (any_case or bits & _NAME_LIKE) and place not in passed_over:
                key = words.key(place)
                part = learnt.get(key) or learnt.get(base_form(key, self._language) or "")
                if part:
                    yield place, part
