"""What a run counts: sums that can be written down after each batch and added up again.

Nothing here holds text of a record: names of files and records, labels, offsets and numbers.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

DOUBTFUL_BELOW = 0.6
MOST_DOUBTFUL = 200


class Found(NamedTuple):
    """What is counted of a span: its label, what was done with it, who found it and where."""

    label: str
    action: str
    source: str
    language: str


class Doubtful(NamedTuple):
    """A span that its finder was not sure of; the offsets are those of the output's text."""

    score: float
    place: str
    record: str
    start: int
    end: int
    label: str


class Withheld(NamedTuple):
    """A record that is not in the output and why, or a whole file (no record).

    `place` is the file of the input, in which something may have to be mended.
    """

    place: str
    record: str | None
    reason: str


class Finished(NamedTuple):
    """A file that is done: keyed hash of input, hash of output, size of the output, items in it."""

    place: str
    input: str | None
    output: str | None
    size: int
    items: int


class Position(NamedTuple):
    """How far the file that is being written has come; `size` is what of it is certain."""

    place: str
    resumable: bool
    items: int
    written: int
    withheld: int
    size: int


@dataclass
class Tally:
    """Sums over records."""

    records: int = 0
    characters: int = 0
    known: int = 0
    withheld: int = 0
    withheld_files: int = 0
    doubtful: int = 0
    spans: Counter[Found] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    lowest: list[Doubtful] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.records += other.records
        self.characters += other.characters
        self.known += other.known
        self.withheld += other.withheld
        self.withheld_files += other.withheld_files
        self.doubtful += other.doubtful
        self.spans.update(other.spans)
        self.languages.update(other.languages)
        self._drop_doubtful(other.withdrawn)
        self.add_doubtful(other.lowest)

    def withdraw(self, place: str, counted: Tally) -> None:
        """Take back what earlier sums counted of a file that is withheld after all.

        This one may fall below nothing; together they do not.
        """
        self.records -= counted.records
        self.characters -= counted.characters
        self.known -= counted.known
        self.doubtful -= counted.doubtful
        self.spans.subtract(counted.spans)
        self.languages.subtract(counted.languages)
        self.withdrawn.append(place)
        self._drop_doubtful([place])

    def _drop_doubtful(self, places: list[str]) -> None:
        if places:
            self.lowest = [each for each in self.lowest if each.place not in places]

    def add_doubtful(self, spans: list[Doubtful]) -> None:
        """Keep the lowest scores; of equal ones the first by place."""
        if spans:
            self.lowest = heapq.nsmallest(MOST_DOUBTFUL, [*self.lowest, *spans])

    @property
    def found(self) -> int:
        """How many spans were found."""
        return self.spans.total()

    def count_by(self, field_name: str) -> dict[str, int]:
        """Spans by label, action, source or language, the most frequent first."""
        counts: Counter[str] = Counter()
        for found, count in self.spans.items():
            if count:
                counts[getattr(found, field_name)] += count
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_data(self) -> dict[str, Any]:
        return {
            "records": self.records,
            "characters": self.characters,
            "known": self.known,
            "withheld": self.withheld,
            "withheld_files": self.withheld_files,
            "doubtful": self.doubtful,
            "spans": [[*found, count] for found, count in sorted(self.spans.items())],
            "languages": dict(sorted(self.languages.items())),
            "lowest": self.lowest,
            "withdrawn": self.withdrawn,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Tally:
        return cls(
            **{
                **data,
                "spans": Counter({Found(*found): count for *found, count in data["spans"]}),
                "languages": Counter(data["languages"]),
                "lowest": [Doubtful(*each) for each in data["lowest"]],
            }
        )


@dataclass
class Entry:
    """What a batch added to a run: the journal holds one after the other."""

    tally: Tally = field(default_factory=Tally)
    finished: list[Finished] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    position: Position | None = None

    def withhold(self, withheld: Withheld) -> None:
        self.withheld.append(withheld)
        if withheld.record is None:
            self.tally.withheld_files += 1
        else:
            self.tally.withheld += 1

    def to_data(self) -> dict[str, Any]:
        return {
            "tally": self.tally.to_data(),
            "finished": self.finished,
            "withheld": self.withheld,
            "position": self.position,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Entry:
        position = data["position"]
        return cls(
            Tally.from_data(data["tally"]),
            [Finished(*each) for each in data["finished"]],
            [Withheld(*each) for each in data["withheld"]],
            None if position is None else Position(*position),
        )
