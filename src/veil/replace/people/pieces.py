"""The pieces of a mention, and the protocol of readers for names in scripts other than Latin."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from veil.languages import language_codes, language_part
from veil.replace.base import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.core.document import Part, Span
    from veil.replace.base import Case
    from veil.replace.people.surrogates import SurrogateNames

Role = Literal["given", "surname"]
PieceKind = Literal["name", "initials", "digits"]
LATIN, WIDE = "latin", "wide"


class NameWord(NamedTuple):
    """A name for which surrogates are drawn; the key is its folded form or its kanji."""

    role: Role
    key: str


@dataclass(slots=True)
class NamePiece:
    """A part of a mention that is replaced; text between pieces is unchanged.

    `role` is None until it is known. `words` are the names behind a piece once they are known:
    one, or a family and a given name in a run of kana that cannot be split.
    """

    start: int
    end: int
    text: str = field(repr=False)
    kind: PieceKind
    key: str = field(default="", repr=False)
    role: Role | None = None
    suffix: str = ""
    script: str = LATIN
    is_joined: bool = False
    """Whether a hyphen joins it to the piece before."""
    particles: str = ""
    """The words right before it that belong to surnames: "de la"."""
    is_nickname: bool = False
    """Whether it is in quotes or brackets."""
    is_feminine: bool = False
    is_foreign: bool = False
    words: tuple[NameWord, ...] = field(default=(), repr=False)

    @property
    def is_latin(self) -> bool:
        return self.script in (LATIN, WIDE)

    def copy(self) -> NamePiece:
        """Return a copy of a piece as it was split, before its words are known."""
        return NamePiece(
            *(self.start, self.end, self.text, self.kind, self.key, self.role, self.suffix),
            *(self.script, self.is_joined, self.particles, self.is_nickname),
        )


@dataclass
class NameMention:
    """A person's name in a record: one span, or two for the first and the last name."""

    label: str
    spans: list[Span]
    parts: list[Part | None]
    pieces: list[list[NamePiece]] = field(default_factory=list)
    """The pieces of each span."""

    @lazy
    def all_pieces(self) -> list[NamePiece]:
        """The pieces of all spans, once the texts have been split."""
        return [piece for pieces in self.pieces for piece in pieces]

    @lazy
    def words(self) -> list[NameWord]:
        """The names of the mention, once they are known."""
        return [word for piece in self.all_pieces for word in piece.words]

    @lazy
    def initials(self) -> list[NamePiece]:
        return [piece for piece in self.all_pieces if piece.kind == "initials"]


class Surrogate(NamedTuple):
    """A new name: as it is written, in Latin letters, and its reading in another script."""

    written: str
    latin: str
    reading: str = ""


class ScriptReader(Protocol):
    """Reads the names of one record in a script of its own.

    A language with such a script has a class READER of this kind in its module `people`. It is
    used in the records of all languages, for every text that `matches`.
    """

    language: str

    def __init__(self, case: Case, mentions: Sequence[NameMention]) -> None: ...

    @staticmethod
    def matches(text: str) -> bool:
        """Whether a text contains characters of the script."""

    @staticmethod
    def compact(text: str) -> str:
        """Return the form of a text for comparison, without blanks and variants of characters."""

    @staticmethod
    def is_distinctive(key: str) -> bool:
        """Whether no surrogate may contain a name."""

    @staticmethod
    def write(script: str, surrogate: Surrogate) -> str:
        """Return a surrogate in the script of a piece."""

    @staticmethod
    def word_in_account(run: str) -> NameWord | None:
        """Return the name that letters in an account of the language stand for."""

    def pieces_of(self, text: str, part: Part | None) -> list[NamePiece]:
        """Split the text of a mention that `matches`."""

    def set_latin_roles(self, pieces: Sequence[NamePiece]) -> None:
        """Correct the roles of a mention in Latin letters in a record of the language."""

    def learn_readings(self) -> None:
        """Learn from the mentions how names are read, once all of them have been split."""

    def recorded_role(self, piece: NamePiece) -> Role | None:
        """Return the role that a reading has elsewhere in the record."""

    def role_beside(self, piece: NamePiece, span: Span) -> Role:
        """Return the role of a name that stands alone, by the words beside it."""

    def words_of(self, piece: NamePiece) -> tuple[NameWord, ...]:
        """Return the names of a piece in the script."""

    def word_of_latin(self, piece: NamePiece) -> NameWord | None:
        """Return the name of the script that a piece in Latin letters stands for."""

    def spellings(self, word: NameWord) -> list[str]:
        """Return the spellings of a name in Latin letters."""

    def is_female(self, start: int, end: int) -> bool | None:
        """Whether the words beside a name say that it is a woman's; None if they say nothing."""

    def hint(self, mention: NameMention) -> str:
        """Return the hint for `pools` that the surnames of a mention give about its given names."""

    def origins(self) -> dict[NameWord, str]:
        """Return the origins of names, for `pools`."""

    def pools(
        self, word: NameWord, *, hint: str, is_female: bool | None, origin: str | None
    ) -> Iterable[Sequence[Surrogate]]:
        """Return names from which to draw a surrogate, one pool after the other."""

    def is_free(
        self, new: Surrogate, word: NameWord, names: SurrogateNames, *, new_initial: bool
    ) -> bool:
        """Whether a name may replace a word; with `new_initial` its first letter must differ."""


@cache
def script_readers() -> tuple[type[ScriptReader], ...]:
    """Return the readers of all languages that have one."""
    parts = (language_part(code, "people") for code in language_codes())
    return tuple(part.READER for part in parts if part and hasattr(part, "READER"))


def script_reader(text: str) -> type[ScriptReader] | None:
    """Return the reader of a text's script; None for Latin letters."""
    if text.isascii():
        return None
    return next((reader for reader in script_readers() if reader.matches(text)), None)
