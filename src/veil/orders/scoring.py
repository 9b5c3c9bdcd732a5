"""Names scored word by word, as in carlsson-2010."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from veil.core.labels import family_in, guess_scheme
from veil.evaluate.counts import Counts
from veil.evaluate.match import count_common

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

    from veil.core.document import Record, Span
    from veil.core.labels import Scheme
    from veil.detect.names.modules import State
    from veil.detect.names.words import Words

Group = Literal["total", "first", "last"]

# What corpora outside the schemes call a person.
_PERSONS = frozenset({"PER", "PERSON", "PRS"})
_NO_NAMES = frozenset({"USERNAME"})


@dataclass(frozen=True)
class NameScores:
    """Scores of one order: in total and, where the gold standard tells them apart, by part."""

    total: Counts
    first: Counts | None = None
    last: Counts | None = None

    def group(self, name: Group) -> Counts | None:
        return {"total": self.total, "first": self.first, "last": self.last}[name]


@dataclass(frozen=True)
class GoldNames:
    """The words of each record that are names: their places and, if `has_parts`, first or last.

    With parts a word counts as found if it was found as the part that it is, and the total is the
    sum of both, as in the paper. Without them any name word that was found counts.
    """

    parts: tuple[dict[int, str], ...]
    has_parts: bool

    @classmethod
    def of(
        cls, records: Sequence[Record], words: Sequence[Words], labels: Collection[str] = ()
    ) -> GoldNames:
        """Find the name words of records; `labels` says which labels are names."""
        known = guess_scheme(
            {span.label for record in records for span in record.annotations} - _PERSONS
        )
        parts = tuple(
            dict(_name_words(record, each, known, labels))
            for record, each in zip(records, words, strict=True)
        )
        found = {part for each in parts for part in each.values()}
        return cls(parts, bool(found) and found <= {"first", "last"})

    @property
    def words(self) -> int:
        """How many words are names."""
        return sum(map(len, self.parts))

    def score(self, states: Sequence[State]) -> NameScores:
        """Score what the modules have annotated."""
        if not self.has_parts:
            return NameScores(self._count(states, None))
        first, last = self._count(states, "first"), self._count(states, "last")
        return NameScores(first + last, first, last)

    def _count(self, states: Sequence[State], part: str | None) -> Counts:
        total = Counts()
        for gold, state in zip(self.parts, states, strict=True):
            predicted = {place: name.part for place, name in state.names.items()}
            total += count_common(_of_part(gold, part), _of_part(predicted, part))
        return total


def _of_part(parts: Mapping[int, str], part: str | None) -> set[Hashable]:
    return {place for place, each in parts.items() if part is None or each == part}


def _name_words(
    record: Record, words: Words, known: Scheme | None, labels: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Yield the places of name words with their part, empty where the gold standard has none."""
    for span in record.annotations:
        part = _name_part(span, known, labels)
        if part is None:
            continue
        place = bisect_right(words.ends, span.start)
        while place < len(words) and words.starts[place] < span.end:
            if any(map(str.isalpha, words.form(place))):
                yield place, part
            place += 1


def _name_part(span: Span, known: Scheme | None, labels: Collection[str]) -> str | None:
    """The part of a name that a span is, empty if that is not known; None: no name."""
    mapped = known.to_veil.get(span.label, "") if known else ""
    label, _, part = mapped.partition(":")
    if labels:
        is_name = span.label in labels
    else:
        is_name = span.label in _PERSONS or (
            label not in _NO_NAMES and family_in(span.label, known) == "NAME"
        )
    return (span.part or part) if is_name else None
