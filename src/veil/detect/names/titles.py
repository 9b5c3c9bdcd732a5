"""The module for titles: words written like names beside "dr", "ssk", "Mrs", "Dra." or "先生"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.detect.names.forms import Bit
from veil.lexicons.folding import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.detect.names.forms import FormBook
    from veil.detect.names.habits import Habits
    from veil.detect.names.phrases import Phrase
    from veil.detect.names.state import NamePart, State

_TITLE = int(Bit.TITLE)
_NAME_LIKE = int(Bit.NAME_LIKE)
_LISTED = int(Bit.FIRST | Bit.LAST)
_INITIAL = int(Bit.INITIAL)
_PARTICLE = int(Bit.PARTICLE)
_KANJI = int(Bit.KANJI)
_FREE = _INITIAL | _KANJI

_DOCTOR = 1  # the second lexicon of `FormBook.titles`
_LONGEST_SHORTENED = 4  # "prof." is a word cut short; after "överläkare." a sentence begins
_LONGEST_BEFORE_TITLE = 2
_STOPS = frozenset(".")
_COLONS = frozenset(":：")
_COMMAS = frozenset(",，")


class TitlesModule:
    """TM: annotates words next to a title that are written like names and not marked as common.

    Of several words the last is a last name (the last two where people have two surnames), and so
    is what follows a particle. A lone word is a last name beside a doctor's title, else a first
    name. Where the family's name comes first, the first word is the last name.
    """

    code = "T"

    def __init__(self, book: FormBook) -> None:
        self._book = book

    def apply(self, states: Sequence[State]) -> list[State]:
        return [state.with_names(self._parts(state), self.code) for state in states]

    def _parts(self, state: State) -> dict[int, NamePart]:
        words, habits = state.words, self._book.habits
        titles = list(self._book.titles.find(words, _TITLE))
        beside = _Beside(state, titles, habits)
        parts: dict[int, NamePart] = {}
        for title in titles:
            key = fold(tidy(words.text[words.starts[title.start] : words.ends[title.end - 1]]))
            runs = []
            if key not in habits.must_follow:
                runs.append(beside.after(title))
            if habits.may_follow is None or key in habits.may_follow:
                runs.append(beside.before(title))
            for run in runs:
                for place, part in _assign(run, state, habits, doctor=title.lexicon == _DOCTOR):
                    parts.setdefault(place, part)
        return parts


def _assign(
    run: list[int], state: State, habits: Habits, *, doctor: bool
) -> list[tuple[int, NamePart]]:
    """Say which of the words beside a title are first and which are last names."""
    if habits.family_first:
        return [(place, "first" if index else "last") for index, place in enumerate(run)]
    if len(run) == 1:
        return [(run[0], "last" if doctor else "first")]
    bits = state.words.bits
    last = max(1, len(run) - habits.surnames)
    last = next((index for index, place in enumerate(run) if bits[place] & _PARTICLE), last)
    return [(place, "first" if index < last else "last") for index, place in enumerate(run)]


class _Beside:
    """The words before and after a title that may be its bearer's name."""

    def __init__(self, state: State, titles: Sequence[Phrase], habits: Habits) -> None:
        self._words = state.words
        self._common = state.common
        self._habits = habits
        self._in_titles = {place for title in titles for place in range(title.start, title.end)}

    def after(self, title: Phrase) -> list[int]:
        """The name after a title."""
        place = self._first_after(title)
        return [] if place is None else self._run(place, self._next, self._habits.longest)

    def before(self, title: Phrase) -> list[int]:
        """The name before a title."""
        place = title.start - 1
        comma = 0 < place and self._words.form(place) in _COMMAS
        if (self._habits.comma_before_title and not comma) or not self._is_linked(title.start):
            return []
        if comma:
            if not self._is_linked(place):
                return []
            place -= 1
        run = self._run(place, self._previous, _LONGEST_BEFORE_TITLE) if 0 <= place else []
        return run[::-1] if self._habits.fewest_before_title <= len(run) else []

    def _run(self, place: int | None, step: Callable[[int], int | None], longest: int) -> list[int]:
        """Words that may be names, from a place on; small words and single letters are free."""
        run: list[int] = []
        particles: list[int] = []
        count = 0
        while place is not None:
            bits = self._words.bits[place]
            if bits & _PARTICLE:
                particles.append(place)
            elif count < longest and self._may_be_name(place, alone=not run):
                run += [*particles, place]
                particles = []
                count += not bits & _FREE
            else:
                break
            place = step(place)
        return run

    def _may_be_name(self, place: int, *, alone: bool) -> bool:
        bits = self._words.bits[place]
        if bits & _KANJI:
            return bool(alone and bits & _NAME_LIKE) or self._is_one_of_several_kanji(place)
        if not bits & _NAME_LIKE or place in self._common:
            return False
        # "Dr Dean" is a name, "dr professor" is none; and where no capital tells a name from the
        # word beside it, a second word must be known as one.
        known_only = place in self._in_titles or not (alone or self._habits.has_capitals)
        return bool(bits & _LISTED) or not known_only

    def _is_one_of_several_kanji(self, place: int) -> bool:
        """Whether a single kanji stands beside another: 守道氏 is no common word."""
        words = self._words
        before = place and words.bits[place - 1] & _KANJI and not words.gap(place)
        after = place + 1
        return bool(
            before or (after < len(words) and words.bits[after] & _KANJI and not words.gap(after))
        )

    def _first_after(self, title: Phrase) -> int | None:
        """The word that a title is next to, over the full stop of an abbreviation or a colon."""
        words, place = self._words, title.end
        length = words.ends[title.end - 1] - words.starts[title.start]
        stop = self._is_mark(place, _STOPS)
        if (stop and _LONGEST_SHORTENED < length) or (length == 1 and not stop):
            return None
        place += stop
        colon = self._is_mark(place, _COLONS)
        place += colon
        if len(words) <= place:
            return None
        gap = words.gap(place)
        if not self._habits.has_capitals and not gap and not colon:
            return None
        lines = gap.count("\n")
        return place if not gap.strip() and lines <= (stop or colon) else None

    def _next(self, place: int) -> int | None:
        after = place + 1
        if self._words.bits[place] & _INITIAL:
            after += self._is_mark(after, _STOPS)
        return after if after < len(self._words) and self._is_linked(after) else None

    def _previous(self, place: int) -> int | None:
        if not self._is_linked(place):
            return None
        before = place - 1
        if 0 < before and self._is_mark(before, _STOPS):
            before -= 1
            return before if self._words.bits[before] & _INITIAL else None
        return before if 0 <= before else None

    def _is_mark(self, place: int, marks: frozenset[str]) -> bool:
        """Whether a mark stands at a place, without a blank before it."""
        words = self._words
        return place < len(words) and words.form(place) in marks and not words.gap(place)

    def _is_linked(self, place: int) -> bool:
        """Whether nothing but blanks, and no line break, parts a word from the one before."""
        gap = self._words.gap(place)
        return not gap or (gap.isspace() and "\n" not in gap and "\r" not in gap)
