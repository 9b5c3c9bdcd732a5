"""What a language is to Veil: where its tokens and its sentences lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from veil.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.core.document import Sentence, Token


class Offsets(NamedTuple):
    """Where tokens start and end, in two lists: for those who need many of them fast."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, tokens: Iterable[tuple[int, int]]) -> Offsets:
        pairs = list(tokens)
        return cls([start for start, _ in pairs], [end for _, end in pairs])


class Language(Protocol):
    """Splits a text, which it never changes.

    Tokens are sorted and disjoint, cover every character that is no white space (`str.isspace`)
    and hold none that is. Sentences are sorted and disjoint, and each token lies in one of them.
    """

    @property
    def code(self) -> str:
        """The ISO 639-1 code: "en"."""

    @property
    def name(self) -> str:
        """The name for people to read: "English"."""

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text."""

    def sentences(self, text: str) -> list[Sentence]:
        """Return the sentences of a text."""


LANGUAGES: Registry[Language] = Registry("language")


def language(name: str) -> Language:
    """Return the language of that name: a code such as "en", or a variant of one."""
    return LANGUAGES.get(name)
