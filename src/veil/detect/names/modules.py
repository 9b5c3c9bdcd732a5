"""The modules: titles, common words, dictionaries and learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from veil.detect.names.forms import Bit
from veil.detect.names.memory import NameMemory
from veil.languages import base_language
from veil.lexicons.folding import base_form, fold, tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from veil.detect.names.forms import FormBook, NameStyle
    from veil.detect.names.words import Phrase, TextWords


NamePart = Literal["first", "last"]


class Annotation(NamedTuple):
    """An annotation of a word: which part of a name it is, and the code of the module."""

    part: NamePart
    by: str


@dataclass(frozen=True, slots=True)
class State:
    """A record between two modules. A word is annotated once and never changed."""

    words: TextWords
    names: Mapping[int, Annotation] = field(default_factory=dict)
    common: frozenset[int] = frozenset()

    def with_names(self, parts: Mapping[int, NamePart], by: str) -> State:
        """The state with more words annotated; existing annotations stay unchanged."""
        new = {index: Annotation(part, by) for index, part in parts.items()}
        return State(self.words, {**new, **self.names}, self.common)


class Module(Protocol):
    """One rule for names."""

    @property
    def code(self) -> str:
        """The letter that stands for it in an order."""

    def apply(self, states: Sequence[State]) -> list[State]:
        """Return the new states of the records, which are all records of the set."""


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
# What may precede the first word of a sentence.
_SENTENCE_STARTS = frozenset(".!?:;•*-–—\"“”«»'‘’(/¿¡>")


class DictionaryModule:
    """DM: annotates words that a dictionary of names contains and that are not marked as common.

    A few capitals (TIA) and chemical elements (Li) are names only beside other names.
    """

    code = "D"

    def __init__(self, book: FormBook) -> None:
        self._compound_joints = (
            frozenset[str]() if book.options.plain else book.style.compound_joints
        )

    def apply(self, states: Sequence[State]) -> list[State]:
        return [state.with_names(dict(self._parts(state)), self.code) for state in states]

    def _parts(self, state: State) -> Iterator[tuple[int, NamePart]]:
        words, names, common = state.words, state.names, state.common
        for index, bits in enumerate(words.bits):
            if (
                bits & _LISTED
                and index not in common
                and index not in names
                and not (bits & _ABBREVIATION and (bits & _TITLE or not _has_company(state, index)))
                and not self._opens_compound(words, index)
            ):
                yield index, "first" if bits & _FIRST else "last"

    def _opens_compound(self, words: TextWords, index: int) -> bool:
        """Whether a word is the first half of a shortened compound: "Mag- och tarm-"."""
        return (
            index + 2 < len(words)
            and words.form(index + 1) == "-"
            and not words.gap(index + 1)
            and words.form(index + 2) in self._compound_joints
        )


def _has_company(state: State, index: int) -> bool:
    """Whether a short form is beside a name, or in a line that is all in capitals."""
    words = state.words
    beside = [index - 1] if index and words.gap(index) in _BLANKS else []
    after = index + 1
    if after + 1 < len(words) and words.form(after) == ",":
        after += 1
    if after < len(words) and words.gap(after) in _BLANKS:
        beside.append(after)
    in_capitals = words.bits[index] & _CAPITALS
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
    """CM: marks common words and words of medical terms, for the modules after it."""

    code = "C"

    def __init__(self, book: FormBook) -> None:
        self._terms = book.terms
        self._spare_names = book.options.spare_names and book.style.has_capitals

    def apply(self, states: Sequence[State]) -> list[State]:
        return [State(state.words, state.names, self._common(state.words)) for state in states]

    def _common(self, words: TextWords) -> frozenset[int]:
        indexes = [index for index, bits in enumerate(words.bits) if bits & _COMMON]
        if self._spare_names:
            indexes = [index for index in indexes if not _written_as_name(words, index)]
        in_terms = (
            index
            for phrase in self._terms.find(words, _TERM)
            for index in range(phrase.start, phrase.end)
        )
        return frozenset((*indexes, *in_terms))


def _written_as_name(words: TextWords, index: int) -> bool:
    """Whether a word of a dictionary is written in a way that is unlikely for the common word.

    That is: with a capital in the middle of a sentence, before another word that may be a name, or
    in all capitals beside another such name.
    """
    all_bits = words.bits
    if not all_bits[index] & _DOUBTFUL:
        return False
    follows = index + 1 < len(words) and words.gap(index + 1) in _BLANKS
    if all_bits[index] & _CAPITALS:
        beside = [index - 1] if index and words.gap(index) in _BLANKS else []
        beside += [index + 1] if follows else []
        return any(all_bits[each] & _LISTED and all_bits[each] & _CAPITALS for each in beside)
    if index and "\n" not in words.gap(index) and words.form(index - 1) not in _SENTENCE_STARTS:
        return True
    return follows and _may_follow_name(all_bits[index + 1])


def _may_follow_name(bits: int) -> bool:
    """Whether a word may continue a name: "Will Smith", but not "Foot Pain"."""
    if bits & (_NAME_LIKE | _CAPITALS) != _NAME_LIKE:
        return False
    return not bits & _COMMON or bool(bits & _DOUBTFUL)


class LearningModule:
    """LM: annotates all occurrences of the words that were annotated often enough.

    Without a memory of its own it learns from the records that it gets together.
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
        for index, bits in enumerate(words.bits):
            if (any_case or bits & _NAME_LIKE) and index not in passed_over:
                key = words.key(index)
                part = learnt.get(key)
                if part is None and not self._options.plain:
                    part = learnt.get(base_form(key, self._language) or "")
                if part:
                    yield index, part


_INITIAL = int(Bit.INITIAL)
_PARTICLE = int(Bit.PARTICLE)
_ONE_CHARACTER = int(Bit.ONE_CHARACTER)
_FREE = _INITIAL | _ONE_CHARACTER

_DOCTOR = 1  # the second lexicon of `FormBook.titles`
_LONGEST_SHORTENED = 4  # "prof." is an abbreviation; after "överläkare." a sentence begins
_LONGEST_BEFORE_TITLE = 2
_STOPS = frozenset(".")
_COLONS = frozenset(":：")
_COMMAS = frozenset(",，")


class TitlesModule:
    """TM: annotates words next to a title that are written like names and not marked as common.

    Of several words the last is a last name (the last two where people have two surnames), and so
    is the word after a particle. A single word is a last name beside a doctor's title, else a first
    name. Where the family name comes first, the first word is the last name.
    """

    code = "T"

    def __init__(self, book: FormBook) -> None:
        self._book = book

    def apply(self, states: Sequence[State]) -> list[State]:
        return [state.with_names(self._parts(state), self.code) for state in states]

    def _parts(self, state: State) -> dict[int, NamePart]:
        words, style = state.words, self._book.style
        titles = list(self._book.titles.find(words, _TITLE))
        beside = _Beside(state, titles, self._book)
        parts: dict[int, NamePart] = {}
        for title in titles:
            key = fold(tidy(words.text[words.starts[title.start] : words.ends[title.end - 1]]))
            runs = []
            if key not in style.must_follow:
                runs.append(beside.after(title))
            if style.all_may_follow or key in style.may_follow or key in style.must_follow:
                runs.append(beside.before(title))
            for run in runs:
                for index, part in _assign(run, state, style, doctor=title.lexicon == _DOCTOR):
                    parts.setdefault(index, part)
        return parts


def _assign(
    run: list[int], state: State, style: NameStyle, *, doctor: bool
) -> list[tuple[int, NamePart]]:
    """Decide which of the words beside a title are first and which are last names."""
    if style.family_first:
        return [(index, "first" if order else "last") for order, index in enumerate(run)]
    if len(run) == 1:
        return [(run[0], "last" if doctor else "first")]
    bits = state.words.bits
    last = max(1, len(run) - style.surnames)
    last = next((order for order, index in enumerate(run) if bits[index] & _PARTICLE), last)
    return [(index, "first" if order < last else "last") for order, index in enumerate(run)]


class _Beside:
    """The words before and after a title that may be the person's name."""

    def __init__(self, state: State, titles: Sequence[Phrase], book: FormBook) -> None:
        self._words = state.words
        self._common = state.common
        self._style = book.style
        self._longest = book.longest
        self._free = 0 if book.options.plain else _FREE
        self._in_titles = {index for title in titles for index in range(title.start, title.end)}

    def after(self, title: Phrase) -> list[int]:
        """The name after a title."""
        index = self._first_after(title)
        return [] if index is None else self._run(index, self._next, self._longest)

    def before(self, title: Phrase) -> list[int]:
        """The name before a title."""
        index = title.start - 1
        comma = 0 < index and self._words.form(index) in _COMMAS
        if (self._style.comma_before_title and not comma) or not self._is_linked(title.start):
            return []
        if comma:
            if not self._is_linked(index):
                return []
            index -= 1
        run = self._run(index, self._previous, _LONGEST_BEFORE_TITLE) if 0 <= index else []
        return run[::-1] if self._style.fewest_before_title <= len(run) else []

    def _run(self, index: int | None, step: Callable[[int], int | None], longest: int) -> list[int]:
        """Words that may be names, from an index on; particles and single letters do not count."""
        run: list[int] = []
        particles: list[int] = []
        count = 0
        while index is not None:
            bits = self._words.bits[index]
            if bits & _PARTICLE:
                particles.append(index)
            elif count < longest and self._may_be_name(index, alone=not run):
                run += [*particles, index]
                particles = []
                count += not bits & self._free
            else:
                break
            index = step(index)
        return run

    def _may_be_name(self, index: int, *, alone: bool) -> bool:
        bits = self._words.bits[index]
        if bits & _ONE_CHARACTER:
            return bool(alone and bits & _NAME_LIKE) or self._has_character_beside(index)
        if not bits & _NAME_LIKE or index in self._common:
            return False
        # "Dr Dean" is a name, "dr professor" is not; and without capitals to distinguish a name
        # from the next word, a second word must be a known name.
        known_only = index in self._in_titles or not (alone or self._style.has_capitals)
        return bool(bits & _LISTED) or not known_only

    def _has_character_beside(self, index: int) -> bool:
        """Whether a single character is beside another: 守道氏 is not a common word."""
        words = self._words
        before = index and words.bits[index - 1] & _ONE_CHARACTER and not words.gap(index)
        after = index + 1
        return bool(
            before
            or (after < len(words) and words.bits[after] & _ONE_CHARACTER and not words.gap(after))
        )

    def _first_after(self, title: Phrase) -> int | None:
        """The word next to a title, after the full stop of an abbreviation or a colon."""
        words, index = self._words, title.end
        length = words.ends[title.end - 1] - words.starts[title.start]
        stop = self._is_mark(index, _STOPS)
        if (stop and _LONGEST_SHORTENED < length) or (length == 1 and not stop):
            return None
        index += stop
        colon = self._is_mark(index, _COLONS)
        index += colon
        if len(words) <= index:
            return None
        gap = words.gap(index)
        if not self._style.has_capitals and not gap and not colon:
            return None
        lines = gap.count("\n")
        return index if not gap.strip() and lines <= (stop or colon) else None

    def _next(self, index: int) -> int | None:
        after = index + 1
        if self._words.bits[index] & _INITIAL:
            after += self._is_mark(after, _STOPS)
        return after if after < len(self._words) and self._is_linked(after) else None

    def _previous(self, index: int) -> int | None:
        if not self._is_linked(index):
            return None
        before = index - 1
        if 0 < before and self._is_mark(before, _STOPS):
            before -= 1
            return before if self._words.bits[before] & _INITIAL else None
        return before if 0 <= before else None

    def _is_mark(self, index: int, marks: frozenset[str]) -> bool:
        """Whether a mark is at an index, without a space before it."""
        words = self._words
        return index < len(words) and words.form(index) in marks and not words.gap(index)

    def _is_linked(self, index: int) -> bool:
        """Whether only spaces, and no line break, separate a word from the one before."""
        gap = self._words.gap(index)
        return not gap or (gap.isspace() and "\n" not in gap and "\r" not in gap)
