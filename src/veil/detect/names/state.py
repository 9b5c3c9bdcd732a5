"""What the modules share: a record's words, which of them are names and which are common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil.detect.names.words import Words

NamePart = Literal["first", "last"]


class Name(NamedTuple):
    """An annotation of a word: which part of a name it is, and the code of the module."""

    part: NamePart
    by: str


@dataclass(frozen=True, slots=True)
class State:
    """A record between two modules. A word is annotated once: no module changes another's."""

    words: Words
    names: Mapping[int, Name] = field(default_factory=dict)
    common: frozenset[int] = frozenset()

    def with_names(self, parts: Mapping[int, NamePart], by: str) -> State:
        """The state with more words annotated; what is annotated already stays as it is."""
        new = {place: Name(part, by) for place, part in parts.items()}
        return State(self.words, {**new, **self.names}, self.common)


class Module(Protocol):
    """One rule for names."""

    @property
    def code(self) -> str:
        """The letter that stands for it in an order."""

    def apply(self, states: Sequence[State]) -> list[State]:
        """Return what becomes of the records, which are all records of the set."""
