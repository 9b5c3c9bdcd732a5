"""What the text of a mention is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from veil.core.document import Part, Span
    from veil.replace.people.tables import Role

PieceKind = Literal["name", "initials", "digits"]
Script = Literal["latin", "wide", "kanji", "hiragana", "katakana", "half"]


class Word(NamedTuple):
    """A name as stand-ins are drawn for it; the key is its folded form or its kanji."""

    role: Role
    key: str


@dataclass(slots=True)
class Piece:
    """A stretch of a mention that is to be replaced; what lies between pieces stays.

    `role` is None while nothing tells it. `words` are what a name stands for once that is known:
    one word, or family and given name in a run of kana that cannot be taken apart.
    """

    start: int
    end: int
    text: str = field(repr=False)
    kind: PieceKind
    key: str = field(default="", repr=False)
    role: Role | None = None
    suffix: str = ""
    script: Script = "latin"
    joined: bool = False
    """Whether a hyphen ties it to the piece before."""
    led: str = ""
    """The small words right before it: "de la"."""
    is_called: bool = False
    """Whether it stands in quotes or brackets: what somebody is called."""
    feminine: bool = False
    foreign: bool = False
    words: tuple[Word, ...] = field(default=(), repr=False)


@dataclass
class Mention:
    """A person's name as it stands in a record, in one span or in two for first and last name."""

    label: str
    spans: list[Span]
    pieces: list[list[Piece]]
    """The pieces of each span."""
    parts: list[Part | None]

    @cached_property
    def all_pieces(self) -> list[Piece]:
        """The pieces of all its spans, once these have been taken apart."""
        return [piece for pieces in self.pieces for piece in pieces]

    @cached_property
    def words(self) -> list[Word]:
        """What its names stand for, once that is known."""
        return [word for piece in self.all_pieces for word in piece.words]

    @cached_property
    def initials(self) -> list[Piece]:
        return [piece for piece in self.all_pieces if piece.kind == "initials"]
